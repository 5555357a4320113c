// Package galleries has the faces of galleries in memory, and searches them. The database says who is in a gallery: it is read when the
// server starts, or when a gallery is first searched, and whatever changed since before each later search.
package galleries

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bonafide-id/bonafide/internal/gallery"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
)

// Model is the model that makes the templates, and how often it confuses people.
type Model struct {
	Name        string // of what makes templates: others do not compare
	Calibration *modelcard.Calibration
}

// Options configure Galleries. The zero value works.
type Options struct {
	Patience time.Duration // how long a search waits for its gallery to be read; defaults to DefaultPatience
}

// DefaultPatience is how long a search waits for its gallery to be read.
const DefaultPatience = 30 * time.Second

// Galleries are the galleries of a database. They implement session.Galleries and are safe for concurrent use.
type Galleries struct {
	db       *database.DB
	model    func() Model
	patience time.Duration

	mu   sync.Mutex
	open map[string]*opened
}

var _ session.Galleries = (*Galleries)(nil)

// New returns the Galleries of a database. model is asked at each search: a card may be changed.
func New(db *database.DB, model func() Model, o Options) *Galleries {
	return &Galleries{db: db, model: model, patience: cmp.Or(o.Patience, DefaultPatience), open: map[string]*opened{}}
}

// opened is a gallery that is in memory, or being read into it.
type opened struct {
	name  string
	model string
	slot  chan struct{} // holds whoever reads the database for it
	away  chan struct{} // holds whoever overwrites what was removed, before the slot and beyond it
	turn  *gallery.Rotation
	codes *gallery.Gallery

	// What was read; for the holder of the slot.
	entries  int64                  // number of the last face
	removals int64                  // of the last removal
	stale    map[gallery.Entry]bool // faces of other models
	loaded   bool

	read atomic.Pointer[reading] // how the last reading ended; nil before the first

	closed atomic.Bool // its codes go, or are gone: nobody reads into it or searches it any more
}

// reading is how a reading of the database ended.
type reading struct {
	stale  int // faces of other models
	failed bool
}

// errClosed is returned for a gallery that was closed since it was looked up.
var errClosed = errors.New("the gallery was closed")

// close overwrites a gallery's codes as soon as nobody reads or searches it. A reading that is under way stops at its next page.
func (o *opened) close(ctx context.Context) error {
	o.closed.Store(true)
	if err := o.take(ctx); err != nil {
		return err
	}
	defer o.release()
	o.codes.Clear()
	return nil
}

// of returns a gallery by its name. One of another model is forgotten first; until it is, ForgetFaces still knows of it.
func (g *Galleries) of(ctx context.Context, name, model string) (*opened, error) {
	for {
		o, fits := g.lookUp(name, model)
		if fits {
			return o, nil
		}
		if err := o.close(ctx); err != nil {
			return nil, err
		}
		g.mu.Lock()
		if g.open[name] == o {
			delete(g.open, name)
		}
		g.mu.Unlock()
	}
}

// lookUp returns what is open under a name, or opens it, and whether it is of that model.
func (g *Galleries) lookUp(name, model string) (o *opened, fits bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if o := g.open[name]; o != nil {
		return o, o.model == model && !o.closed.Load()
	}
	o = &opened{name: name, model: model, slot: make(chan struct{}, 1), away: make(chan struct{}, 1), codes: gallery.New(), stale: map[gallery.Entry]bool{}}
	g.open[name] = o
	return o, true
}

// take waits for the slot.
func (o *opened) take(ctx context.Context) error {
	select {
	case o.slot <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (o *opened) release() { <-o.slot }

// SearchFaces implements session.Galleries. A gallery that is not read in time goes on being read, and is a fault until then.
func (g *Galleries) SearchFaces(
	ctx context.Context, rec session.Record, set idv.GallerySettings, face session.FaceTemplate,
) (out idv.GallerySearch, hits []session.FaceHit, err error) {
	m := g.model()
	out.Target = set.Target()
	if m.Calibration == nil {
		out.Fault = idv.GalleryRates
		return out, nil, nil
	}
	o, err := g.await(ctx, sessions.GalleryOf(rec.Mode, set), m.Name)
	switch {
	case err != nil && !errors.Is(err, errClosed):
		return out, nil, err
	case o == nil:
		out.Fault = idv.GalleryLoading
		return out, nil, nil
	}
	defer o.release()
	if o.turn == nil { // nobody was ever in it
		return g.planned(out, m, 0)
	}
	own, err := g.entryOf(ctx, rec.ID)
	if err != nil {
		return out, nil, err
	}
	others := o.codes.Len()
	if own != 0 && others > 0 {
		others--
	}
	out, _, err = g.planned(out, m, others)
	if len(o.stale) > 0 && out.Fault == "" {
		out.Fault = idv.GalleryModel
	}
	least := leastOf(out)
	if err != nil || least == 0 || out.Fault == idv.GalleryRates {
		return out, nil, err
	}
	code, err := o.turn.Code(face.Values)
	if err != nil {
		out.Fault = idv.GalleryNoFace
		return out, nil, nil //nolint:nilerr // such a template is none
	}
	defer clear(code[:])
	found, all := o.codes.Search(&code, least, idv.MostAlike, own)
	out.Unlooked = all - len(found)
	if out.Unlooked > 0 && out.Fault == "" {
		out.Fault = idv.GalleryTooLarge
	}
	hits, err = g.sessionsOf(ctx, found)
	return out, hits, err
}

// planned chooses the thresholds for so many faces.
func (g *Galleries) planned(out idv.GallerySearch, m Model, others int) (idv.GallerySearch, []session.FaceHit, error) {
	p, err := gallery.PlanFor(m.Calibration, others, out.Target)
	if err != nil {
		out.Fault = idv.GalleryRates
		return out, nil, nil //nolint:nilerr // the card does not reach that far, which refers
	}
	out.Faces, out.Alone, out.Beside, out.Strangers, out.FNMR, out.MostAlone = others, p.Alone, p.Beside, p.Strangers, p.FNMR, p.MostAlone
	if p.Closed() {
		out.Fault = idv.GalleryTooLarge
	}
	return out, nil, nil
}

// leastOf is the similarity from which faces are looked at; 0 where none would count.
func leastOf(s idv.GallerySearch) float64 {
	if s.Beside > 0 {
		return s.Beside
	}
	return s.Alone
}

// await brings a gallery up to date and holds its slot; nil where it takes too long.
func (g *Galleries) await(ctx context.Context, name, model string) (*opened, error) {
	wait, cancel := context.WithTimeout(ctx, g.patience)
	defer cancel()
	o, err := g.of(wait, name, model)
	if err != nil {
		return nil, ctx.Err()
	}
	if err := o.take(wait); err != nil {
		return nil, ctx.Err()
	}
	var failed error
	done := make(chan struct{})
	go func() {
		failed = g.refresh(context.WithoutCancel(ctx), o) // what is begun is of use to the next search, which also meets its failure
		close(done)
	}()
	select {
	case <-done:
		if failed != nil {
			o.release()
			return nil, failed
		}
		return o, nil
	case <-wait.Done():
		go func() {
			<-done
			o.release()
		}()
		return nil, ctx.Err()
	}
}

// entryOf is the number of a session's own face; 0 for none.
func (g *Galleries) entryOf(ctx context.Context, id idv.SessionID) (gallery.Entry, error) {
	var seqs []int64
	err := g.db.Read.NewSelect().Model((*sessions.GalleryRow)(nil)).Column("seq").Where("e.session_id = ?", string(id)).Scan(ctx, &seqs)
	if err != nil {
		return 0, fmt.Errorf("look for a session's own face: %w", err)
	}
	if len(seqs) == 0 {
		return 0, nil
	}
	return gallery.Entry(seqs[0]), nil
}

// ForgetFaces implements session.Galleries: it overwrites faces that were removed from the database, in every gallery that is in memory.
func (g *Galleries) ForgetFaces(ctx context.Context) error {
	g.mu.Lock()
	all := make([]*opened, 0, len(g.open))
	for _, o := range g.open {
		all = append(all, o)
	}
	g.mu.Unlock()
	var errs error
	for _, o := range all {
		errs = errors.Join(errs, g.forget(ctx, o))
	}
	return errs
}

// forget overwrites the faces of a gallery that were removed. Searches go on while it does. Another call waits until that is done, so that
// it does not answer for faces that are not overwritten yet.
func (g *Galleries) forget(ctx context.Context, o *opened) error {
	select {
	case o.away <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("wait for a gallery: %w", ctx.Err())
	}
	defer func() { <-o.away }()
	if err := o.take(ctx); err != nil {
		return fmt.Errorf("wait for a gallery: %w", err)
	}
	var gone []gallery.Entry
	var err error
	if o.loaded {
		gone, err = g.removed(ctx, o)
	}
	o.release()
	o.codes.EraseAll(gone)
	return err
}

// KeptFaces implements session.Galleries.
func (g *Galleries) KeptFaces(ctx context.Context, mode idv.Mode) ([]session.KeptGallery, error) {
	var rows []struct {
		Gallery string `bun:"gallery"`
		Faces   int    `bun:"faces"`
	}
	prefix := string(mode) + ":"
	err := g.db.Read.NewSelect().TableExpr("gallery_entries").ColumnExpr("gallery, COUNT(*) AS faces").Where("gallery LIKE ?", prefix+"%").
		GroupExpr("gallery").OrderExpr("gallery").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count the faces of galleries: %w", err)
	}
	m := g.model()
	out := make([]session.KeptGallery, 0, len(rows))
	for _, row := range rows {
		one := session.KeptGallery{Name: strings.TrimPrefix(row.Gallery, prefix), Faces: row.Faces}
		closed := true
		for _, target := range idv.GalleryTargets() {
			p, err := gallery.PlanFor(m.Calibration, row.Faces, idv.GallerySettings{FPIR: target}.Target())
			if err == nil {
				closed = closed && p.Closed()
				one.Carries = append(one.Carries, session.GalleryCarries{Target: target, Faces: p.MostAlone, Alone: p.Alone, Beside: p.Beside})
			}
		}
		one.State, one.Why, one.Memory = g.stateOf(row.Gallery, m)
		if one.State == session.GalleryReady && closed {
			one.Why = idv.GalleryTooLarge
		}
		if len(one.Carries) == 0 {
			one.State, one.Why = session.GalleryNotReady, idv.GalleryRates
		}
		out = append(out, one)
	}
	return out, nil
}

// stateOf says how it is with a gallery in this server.
func (g *Galleries) stateOf(name string, m Model) (session.GalleryState, idv.GalleryFault, int64) {
	g.mu.Lock()
	o := g.open[name]
	g.mu.Unlock()
	if o == nil || o.model != m.Name || o.closed.Load() {
		return session.GalleryLoading, "", 0
	}
	memory := o.codes.Memory()
	switch r := o.read.Load(); {
	case r == nil:
		return session.GalleryLoading, "", memory
	case r.failed:
		return session.GalleryNotReady, session.GalleryUnread, memory
	case r.stale > 0:
		return session.GalleryNotReady, idv.GalleryModel, memory
	}
	return session.GalleryReady, "", memory
}

// forgetEvery is how often faces are overwritten that other servers removed.
const forgetEvery = 30 * time.Second

// Run reads the galleries that hold faces, and overwrites what other servers remove, until the context ends. failed is called with each
// error.
func (g *Galleries) Run(ctx context.Context, failed func(error)) {
	tell := func(err error) {
		if err != nil && ctx.Err() == nil {
			failed(err)
		}
	}
	tell(g.Load(ctx))
	for {
		select {
		case <-time.After(forgetEvery):
			tell(g.ForgetFaces(ctx))
		case <-ctx.Done():
			g.Close()
			return
		}
	}
}

// Load reads every gallery that holds faces, and of one that is in memory what changed.
func (g *Galleries) Load(ctx context.Context) error {
	var names []string
	err := g.db.Read.NewSelect().Model((*sessions.GalleryRow)(nil)).ColumnExpr("DISTINCT gallery").Scan(ctx, &names)
	if err != nil {
		return fmt.Errorf("list galleries: %w", err)
	}
	slices.Sort(names)
	for _, name := range names {
		o, err := g.of(ctx, name, g.model().Name)
		if err != nil {
			return err
		}
		if err := o.take(ctx); err != nil {
			return err
		}
		err = g.refresh(ctx, o)
		o.release()
		if err != nil && !errors.Is(err, errClosed) { // whoever closed it reads what comes instead
			return err
		}
	}
	return nil
}

// Close overwrites every face that is in memory. It waits for searches that are under way.
func (g *Galleries) Close() {
	g.mu.Lock()
	all := g.open
	g.open = map[string]*opened{}
	g.mu.Unlock()
	for _, o := range all {
		_ = o.close(context.Background()) // which never ends, so there is no error
	}
}

// Holds reports whether bytes of a code lie in the memory of any gallery.
func (g *Galleries) Holds(c *gallery.Code) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, o := range g.open {
		if o.codes.Holds(c) {
			return true
		}
	}
	return false
}
