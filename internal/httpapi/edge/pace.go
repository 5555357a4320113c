package edge

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// How fast a client must send its body.
const (
	// BodyTime is how long a client may take to send its body.
	BodyTime = 2 * time.Minute
	// BodyGrace is how long the pace of a body does not matter.
	BodyGrace = 10 * time.Second
	// LeastBodyPace is how fast a body must have arrived on average after BodyGrace, in bytes a second.
	LeastBodyPace = 8 << 10
	// drainTime is how long a body that is not wanted is still read, and drainBytes how much of it.
	drainTime  = 5 * time.Second
	drainBytes = 32 << 20
)

// pacedBody is a body that has to arrive at LeastBodyPace. Its methods may be called on nil, the body of a call that sends none.
type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	start   time.Time // without the time for which the server did not read
	end     time.Time // of the time to send it
	grace   time.Duration
	arrived int64 // bytes
	turn    *turn // that is not used while the body arrives; nil for none
}

func newPacedBody(w http.ResponseWriter, body io.ReadCloser, grace time.Duration) *pacedBody {
	now := time.Now()
	p := &pacedBody{ReadCloser: body, control: http.NewResponseController(w), start: now, end: now.Add(BodyTime), grace: grace}
	p.expect() // also where nothing reads it: the server waits for its end before the connection goes on
	return p
}

// Read implements io.Reader. Problems: request.too_slow.
func (p *pacedBody) Read(b []byte) (int, error) {
	p.expect()
	p.turn.pause()
	n, err := p.ReadCloser.Read(b)
	p.turn.resume()
	p.arrived += int64(n)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, problem.New(problem.RequestTooSlow)
	case errors.Is(err, io.EOF):
		p.until(p.end) // the server goes on to read from the connection, and takes an error there for a client that has gone
	}
	return n, err
}

// expect sets when the next bytes have to be there.
func (p *pacedBody) expect() {
	pace := time.Duration(p.arrived) * time.Second / LeastBodyPace
	due := p.start.Add(max(p.grace, pace))
	if due.After(p.end) {
		due = p.end
	}
	p.until(due)
}

// until sets the deadline of reads. Where the connection takes none (a recorder in tests), the client's own patience ends it.
func (p *pacedBody) until(t time.Time) { _ = p.control.SetReadDeadline(t) }

// excuse does not count a time in which the server itself did not read.
func (p *pacedBody) excuse(d time.Duration) {
	if p != nil {
		p.start = p.start.Add(d)
	}
}

// drain reads what a client is still sending when its answer is written. A connection that is closed while the client sends loses the answer, and
// a reverse proxy makes "bad gateway" of it. Who waits to be asked for the body ("Expect: 100-continue") has not sent it.
func (p *pacedBody) drain(r *http.Request) {
	if p.arrived == 0 && r.Header.Get("Expect") != "" {
		return
	}
	p.turn = nil // it is over
	p.endWithin(drainTime)
	_, _ = io.CopyN(io.Discard, p, drainBytes)
}

// endWithin shortens the time that is left to send the body.
func (p *pacedBody) endWithin(d time.Duration) {
	if p == nil {
		return
	}
	if end := time.Now().Add(d); end.Before(p.end) {
		p.end = end
	}
}
