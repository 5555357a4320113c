// Package lists kills imports of watchlists of official size at every stage, and looks at what is left: the version in use has to be the
// one before or the new one, and whole. It also shows that files that are no good are held, and that servers that share a database agree
// on the version in use.
package lists

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Part is what a process of its own does, so that it can be killed.
type Part struct {
	Do       string `json:"do"` // create, fetch, look or serve
	Database string `json:"database"`
	Home     string `json:"home"`  // of the master key and the pictures
	Index    string `json:"index"` // folder of the compiled lists
	List     string `json:"list"`
	URL      string `json:"url"`
	Roots    string `json:"roots"` // certificate of the publisher, PEM
	Stop     Stage  `json:"stop"`  // where it waits to be killed
	Bytes    int64  `json:"bytes"` // of the file, so that it stops in its middle
	Chunk    int    `json:"chunk"` // that is stored last before it stops
}

// Stage is where in an import a process is killed.
type Stage string

// The stages, in their order. Write is a random moment while the compiled lists are written and put in their place.
const (
	StageFetch     Stage = "fetch"     // the publisher has answered, and nothing was read
	StageParse     Stage = "parse"     // half the file was read
	StageStore     Stage = "store"     // some of the entries were stored
	StageCompare   Stage = "compare"   // all were, and are compared with the version in use
	StageActivate  Stage = "activate"  // the new version is in use, and that is not committed
	StageActivated Stage = "activated" // it is committed
	StageBuild     Stage = "build"     // its entries are compiled
	StageWrite     Stage = "write"
	StageSwapped   Stage = "swapped" // the compiled lists are in their place
)

// Stages returns all of them.
func Stages() []Stage {
	return []Stage{StageFetch, StageParse, StageStore, StageCompare, StageActivate, StageActivated, StageBuild, StageWrite, StageSwapped}
}

// Run does the part and says on out what a parent has to know, a line of JSON each.
func (p Part) Run(ctx context.Context, out io.Writer) error {
	at := time.Now
	if p.Do == "look" { // late enough that an import whose server is gone counts as dead
		at = func() time.Time { return time.Now().Add(10 * time.Minute) }
	}
	st, done, err := p.open(ctx, at)
	if err != nil {
		return err
	}
	s := &stopping{Store: st, part: p, out: json.NewEncoder(out)}
	client, err := p.client(s)
	if err != nil {
		return errors.Join(err, done())
	}
	k := lists.New(s, lists.Options{
		Now: at, Log: slog.New(slog.DiscardHandler), Client: client, Check: func(context.Context, string) error { return nil },
	})
	switch p.Do {
	case "create":
		_, err = k.Create(ctx, p.List, lists.Settings{Topics: []idv.ScreeningTopic{idv.TopicSanctions}, Source: p.URL, Every: 24 * time.Hour})
	case "fetch":
		err = s.fetch(ctx, k)
	case "look":
		err = s.look(ctx, st, k)
	case "serve":
		err = s.serve(ctx, k)
	default:
		err = fmt.Errorf("there is no part %q", p.Do)
	}
	return errors.Join(err, done())
}

// open opens the database, which it makes if it is not there.
func (p Part) open(ctx context.Context, now func() time.Time) (*store.Store, func() error, error) {
	key := filepath.Join(p.Home, "master.key")
	if _, err := vault.CreateMaster(key); err != nil {
		return nil, nil, err
	}
	master, err := vault.OpenMaster("file:" + key)
	if err != nil {
		return nil, nil, err
	}
	pictures := filepath.Join(p.Home, "blobs")
	if err := os.MkdirAll(pictures, 0o700); err != nil {
		return nil, nil, fmt.Errorf("make a folder: %w", err)
	}
	blobs, err := vault.OpenBlobs(ctx, "file://"+pictures)
	if err != nil {
		return nil, nil, err
	}
	st, err := store.Open(ctx, p.Database, store.Options{Master: master, Blobs: blobs, Now: now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, nil, errors.Join(err, blobs.Close())
	}
	done := func() error { return errors.Join(st.Close(), blobs.Close()) }
	if p.Do == "create" {
		if err := st.Migrate(ctx); err != nil {
			return nil, nil, errors.Join(err, done())
		}
	}
	return st, done, nil
}

func (p Part) client(s *stopping) (*http.Client, error) {
	roots := x509.NewCertPool()
	if p.Roots != "" && !roots.AppendCertsFromPEM([]byte(p.Roots)) {
		return nil, errors.New("the certificate of the publisher cannot be read")
	}
	return &http.Client{Transport: answering{&http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}, s}}, nil
}

// answering stops when the publisher has answered, or half the file was read.
type answering struct {
	http.RoundTripper
	stops *stopping
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := a.RoundTripper.RoundTrip(r)
	if err == nil {
		a.stops.at(StageFetch)
		answer.Body = &halfway{ReadCloser: answer.Body, stops: a.stops}
	}
	return answer, err
}

type halfway struct {
	io.ReadCloser
	stops *stopping
	n     int64
}

func (h *halfway) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	if h.n += int64(n); h.n >= h.stops.part.Bytes/2 {
		h.stops.at(StageParse)
	}
	return n, err
}

// stopping is a store that waits to be killed where the part says.
type stopping struct {
	*store.Store
	part    Part
	out     *json.Encoder
	changes int
	said    bool
	live    bool // the lists are compiled
}

// Said is what a process says to its parent.
type Said struct {
	Stage Stage      `json:"stage,omitempty"`
	Seen  *Condition `json:"seen,omitempty"`
	Live  string     `json:"live,omitempty"` // digest of the compiled lists
}

// at tells the parent of a stage and waits for the end, if the process stops there.
func (s *stopping) at(stage Stage) {
	if s.part.Stop != stage || s.said {
		return
	}
	s.said = true
	_ = s.out.Encode(Said{Stage: stage})
	if stage != StageWrite {
		select {}
	}
}

// ChangeWatchlists implements lists.Store. The first change of an import begins it, the second ends it.
func (s *stopping) ChangeWatchlists(ctx context.Context, f func(ctx context.Context, tx lists.Tx) error) error {
	s.changes++
	ends := s.part.Do == "fetch" && s.changes == 2
	err := s.Store.ChangeWatchlists(ctx, func(ctx context.Context, tx lists.Tx) error {
		err := f(ctx, tx)
		if ends && err == nil {
			s.at(StageActivate)
		}
		return err
	})
	if ends && err == nil {
		s.at(StageActivated)
	}
	return err
}

// AddWatchlistChunk implements lists.Store.
func (s *stopping) AddWatchlistChunk(ctx context.Context, version idv.WatchlistVersionID, place int, packed []byte, at time.Time) error {
	err := s.Store.AddWatchlistChunk(ctx, version, place, packed, at)
	if err == nil && place == s.part.Chunk {
		s.at(StageStore)
	}
	return err
}

// WatchlistChunks implements lists.Store.
func (s *stopping) WatchlistChunks(ctx context.Context, version idv.WatchlistVersionID, each func([]byte) error) error {
	err := s.Store.WatchlistChunks(ctx, version, func(packed []byte) error {
		if !s.live {
			s.at(StageCompare)
		}
		err := each(packed)
		if s.live && err == nil {
			s.at(StageBuild)
		}
		return err
	})
	if s.live && err == nil {
		s.at(StageWrite)
	}
	return err
}

// list is the list by its name.
func (s *stopping) list(ctx context.Context, k *lists.Keeper) (lists.List, error) {
	all, err := k.Lists(ctx)
	for _, l := range all {
		if l.Name == s.part.List {
			return l, err
		}
	}
	return lists.List{}, errors.Join(err, fmt.Errorf("there is no list %q", s.part.List))
}

// fetch fetches the list and compiles all of them, as a server does.
func (s *stopping) fetch(ctx context.Context, k *lists.Keeper) error {
	l, err := s.list(ctx, k)
	if err != nil {
		return err
	}
	if err := k.Fetch(ctx, l.ID); err != nil {
		return err
	}
	s.live = true
	live, err := lists.NewLive(k, s.part.Index)
	if err != nil {
		return err
	}
	if err := live.Refresh(ctx); err != nil {
		return errors.Join(err, live.Close())
	}
	s.at(StageSwapped)
	return live.Close()
}

// serve compiles the lists whenever they change and says which ones it searches.
func (s *stopping) serve(ctx context.Context, k *lists.Keeper) error {
	live, err := lists.NewLive(k, s.part.Index)
	if err != nil {
		return err
	}
	go live.Run(ctx)
	for last := ""; ; {
		if now := live.Compiled().Digest; now != last {
			last = now
			if err := s.out.Encode(Said{Live: now}); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return live.Close()
		case <-time.After(100 * time.Millisecond):
		}
	}
}
