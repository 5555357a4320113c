package lists

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"

	"github.com/bonafide-id/bonafide/bench/screening"
	screeninglists "github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// publisher answers with the file that it offers.
type publisher struct {
	server *httptest.Server

	mu    sync.Mutex
	write func(io.Writer) error
}

func newPublisher() *publisher {
	p := &publisher{}
	p.server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		p.mu.Lock()
		write := p.write
		p.mu.Unlock()
		_ = write(w) // the process that reads may have been killed, which is what is measured
	}))
	return p
}

func (p *publisher) offer(write func(io.Writer) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.write = write
}

func (p *publisher) url() string { return p.server.URL + "/list" }

func (p *publisher) roots() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.server.Certificate().Raw}))
}

func (p *publisher) close() { p.server.Close() }

// file is a version of a list.
type file struct {
	path    string
	digest  string
	bytes   int64
	entries int
}

func writeFile(path string, o screening.Official) (file, error) {
	out, err := os.Create(path)
	if err != nil {
		return file{}, fmt.Errorf("make a list: %w", err)
	}
	sum := sha256.New()
	n := &counting{}
	entries, err := screening.WriteOfficial(io.MultiWriter(out, sum, n), o)
	if err := errors.Join(err, out.Close()); err != nil {
		return file{}, fmt.Errorf("make a list: %w", err)
	}
	return file{path, hex.EncodeToString(sum.Sum(nil)), n.n, entries}, nil
}

type counting struct{ n int64 }

func (c *counting) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}

func (f file) copyTo(w io.Writer) error {
	in, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	_, err = io.Copy(w, in)
	return err
}

// bad is a file that has to be held, with the reason.
type bad struct {
	why   watchlist.Reason
	write func(io.Writer) error
}

// badFiles are the files that a list of a format is held for. Lists of OpenSanctions do not say when they were published, and one that is
// empty or ends early is not told from a short one.
func badFiles(format watchlist.Format, good file, size int64, seed uint64) []bad {
	official := func(change func(*screening.Official)) func(io.Writer) error {
		o := screening.Official{Format: format, Bytes: size, Seed: seed, Day: published}
		change(&o)
		return func(w io.Writer) error { _, err := screening.WriteOfficial(w, o); return err }
	}
	other := watchlist.UN
	if format == watchlist.UN {
		other = watchlist.UK
	}
	half := func(w io.Writer) error {
		in, err := os.Open(good.path)
		if err != nil {
			return err
		}
		defer func() { _ = in.Close() }()
		_, err = io.CopyN(w, in, good.bytes/2)
		return err
	}
	out := []bad{
		{watchlist.HeldShrunk, official(func(o *screening.Official) { o.Bytes = size * 7 / 10 })},
		{watchlist.HeldUnreadable, official(func(o *screening.Official) { o.Nameless = 20 })},
		{watchlist.HeldOtherKind, official(func(o *screening.Official) { o.Format = other })},
		{screeninglists.HeldNotAList, func(w io.Writer) error {
			_, err := io.WriteString(w, "<html><body>Be back soon.</body></html>")
			return err
		}},
	}
	if format == watchlist.FtM {
		return append(out, bad{watchlist.HeldShrunk, half})
	}
	return append(out,
		bad{watchlist.HeldOlder, official(func(o *screening.Official) { o.Day = published.AddDate(0, 0, -1) })},
		bad{watchlist.HeldEmpty, official(func(o *screening.Official) { o.Bytes = 1 })},
		bad{screeninglists.HeldBroken, half},
	)
}
