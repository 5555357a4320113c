package applicant

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/bonafide-id/bonafide/internal/emrtd/terminal"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// RelayTimes are how long a relay waits.
type RelayTimes struct {
	Whole  time.Duration // for the end of the connection
	Person time.Duration // for somebody to hold the document to the phone again, or to type
	Answer time.Duration // for the answers to a batch
}

// DefaultRelayTimes are long enough for somebody who looks for the chip, and end what nobody waits for.
var DefaultRelayTimes = RelayTimes{Whole: 10 * time.Minute, Person: 2 * time.Minute, Answer: 20 * time.Second}

// Relays answer the connections through which the server reads chips itself.
type Relays struct {
	relays   *applicant.Relays
	tasks    *tasks
	updates  *edge.Updates
	problems *edge.Problems
	public   *url.URL
	times    RelayTimes
}

// Routes returns the calls, in the order of the reference.
func (h *Relays) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/applicant/chip/relay", ID: "relayChip", Who: edge.Applicant, Streams: true, Status: http.StatusSwitchingProtocols,
			Summary: "Let the server read the chip",
			Description: "A WebSocket. Your app holds the chip and carries commands and answers; the server opens the chip, reads it and asks it to prove " +
				"itself, so that Chip Authentication counts as well. Where the task says `chip`, at any time before its last step. One connection for each " +
				"session; after a broken one, come back within two minutes and the read goes on. The messages are in docs/integrate/chip-relay.",
			Bind: edge.Call(h.relay),
		},
		{
			Method: http.MethodGet, Path: "/v1/applicant/chip", ID: "chipProgress", Who: edge.Applicant, Summary: "How far the relay is",
			Description: "For a page that shows how far an app is with the chip; ask once a second. Any server answers: of a relay of another, the bytes " +
				"are up to a second old. Live updates say that the chip was taken, as `chip_sent` of the task.",
			Bind: edge.Call(h.progress),
		},
	}
}

func (h *Relays) progress(ctx context.Context, _ *wire.None) (*wire.Answer[wire.ChipProgress], error) {
	p, err := h.relays.Progress(ctx, edge.ApplicantSession(ctx))
	return wire.Reply(wire.ChipProgressOf(p), err)
}

// relay checks everything that can be said as a problem, then switches protocols.
func (h *Relays) relay(ctx context.Context, _ *struct{}) (*wire.Stream, error) {
	r := edge.HTTPRequest(ctx)
	if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") || r.Method != http.MethodGet {
		return nil, wire.Malformed("", "Open this address as a WebSocket.")
	}
	if !h.sameOrigin(r) {
		return nil, problem.New(problem.AuthForbidden).Saying("A page of another origin may not do this.")
	}
	relay, err := h.relays.Open(ctx, edge.ApplicantSession(ctx))
	if err != nil {
		return nil, err
	}
	return &wire.Stream{Body: func(hc huma.Context) {
		defer relay.Close(ctx)
		h.converse(ctx, hc, relay)
	}}, nil
}

// sameOrigin reports whether a request comes from no page, as those of apps do, or from one of ours.
func (h *Relays) sameOrigin(r *http.Request) bool {
	raw := r.Header.Get("Origin")
	if raw == "" {
		return true
	}
	origin, err := url.Parse(raw)
	if err != nil || origin.Host == "" {
		return false
	}
	return strings.EqualFold(origin.Host, r.Host) || h.public != nil && origin.Scheme == h.public.Scheme && strings.EqualFold(origin.Host, h.public.Host)
}

func (h *Relays) converse(ctx context.Context, hc huma.Context, relay *applicant.Relay) {
	r, w := humago.Unwrap(hc)
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true, // sameOrigin looked, and knows the address before a proxy
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		return // Accept has answered
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(wire.MostRelayMessage)
	ctx, cancel := context.WithTimeout(ctx, h.times.Whole)
	defer cancel()
	t := &talk{Relays: h, conn: conn, relay: relay, came: make(chan wire.RelaySent), ended: make(chan struct{})}
	go t.listen(ctx)
	err = t.run(ctx)
	relay.Close(ctx) // the next connection need not wait until this one has said goodbye
	t.end(ctx, err)
}

// talk is one conversation with a phone.
type talk struct {
	*Relays
	conn  *websocket.Conn
	relay *applicant.Relay
	came  chan wire.RelaySent
	ended chan struct{} // closed when nothing comes any more
	batch int
}

// errGone means that the phone has gone: there is nobody to tell.
var errGone = errors.New("the phone has gone")

// listen takes messages until the connection ends, says what is no message, or sends more than a read takes.
func (t *talk) listen(ctx context.Context) {
	defer close(t.ended)
	size := 0
	for range wire.MostRelayCount {
		kind, raw, err := t.conn.Read(ctx)
		if size += len(raw); err != nil || kind != websocket.MessageText || size > wire.MostRelayBytes {
			return
		}
		var m wire.RelaySent
		if json.Unmarshal(raw, &m) != nil {
			m = wire.RelaySent{}
		}
		select {
		case t.came <- m:
		case <-ctx.Done():
			return
		}
	}
}

// receive waits for a message. Problems: chip.relay_ended; errGone.
func (t *talk) receive(ctx context.Context, wait time.Duration) (wire.RelaySent, error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case m := <-t.came:
		return m, nil
	case <-t.ended:
		return wire.RelaySent{}, errGone
	case <-t.updates.Stopping():
		return wire.RelaySent{}, problem.New(problem.Unavailable)
	case <-timer.C:
	case <-ctx.Done():
	}
	return wire.RelaySent{}, problem.New(problem.ChipRelayEnded)
}

// sendTime is how long a phone may take to take a message.
const sendTime = 10 * time.Second

func (t *talk) send(ctx context.Context, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTime)
	defer cancel()
	if t.conn.Write(ctx, websocket.MessageText, raw) != nil {
		return errGone
	}
	return nil
}

// run reads the chip: contact after contact, key after key, until it is read or nothing goes on. The error is for end to tell.
func (t *talk) run(ctx context.Context) error {
	if err := t.send(ctx, wire.RelayReady{Type: "ready", Page: t.relay.PageOpens(), Kept: t.relay.Kept()}); err != nil {
		return err
	}
	for {
		m, err := t.receive(ctx, t.times.Person)
		if err != nil {
			return err
		}
		switch m.Type {
		case "start":
			err = t.relay.SetKey(m.ChipKey(), m.LongestAnswer)
		case "again":
		case "answers", "lost": // of a contact that has ended
			continue
		default:
			return wire.Malformed("type", "start, again, answers or lost")
		}
		if err == nil {
			err = t.relay.Read(ctx, t)
		}
		if err == nil {
			return t.submit(ctx)
		}
		next := t.relay.Goes(err)
		if next == applicant.RelayEnds {
			return err
		}
		p, ok := problem.As(err)
		if !ok {
			return err
		}
		if err := t.send(ctx, wire.RelayStopped{Type: "stopped", Next: next, Problem: wire.NewProblem(p, edge.AskedBy(ctx))}); err != nil {
			return err
		}
	}
}

func (t *talk) submit(ctx context.Context) error {
	task, err := t.relay.Submit(ctx)
	if err != nil {
		return err
	}
	out, err := t.tasks.task(ctx, edge.ApplicantSession(ctx), task)
	if err != nil {
		return err
	}
	return t.send(ctx, wire.RelayDone{Type: "done", Task: out})
}

// Exchange implements terminal.Link.
func (t *talk) Exchange(ctx context.Context, b terminal.Batch) ([][]byte, error) {
	t.batch++
	err := t.send(ctx, wire.RelayCommands{
		Type: "commands", ID: t.batch, Commands: wire.HexCommands(b.Commands), Reading: string(b.File), Read: b.Read, Of: b.Of,
	})
	if err != nil {
		return nil, err
	}
	m, err := t.receive(ctx, t.times.Answer)
	if err != nil {
		return nil, err
	}
	switch {
	case m.ID != t.batch || m.Type != "answers" && m.Type != "lost":
		return nil, refusal.New(terminal.AnswerWrong, "a message of another batch, or of none")
	case m.Type == "lost":
		return nil, terminal.Lost()
	}
	raw, ok := m.Raw()
	if !ok {
		return nil, refusal.New(terminal.AnswerWrong, "an answer that is not hexadecimal")
	}
	return raw, nil
}

// end tells the phone why the conversation ends, and closes it.
func (t *talk) end(ctx context.Context, err error) {
	switch {
	case err == nil:
		_ = t.conn.Close(websocket.StatusNormalClosure, "")
	case errors.Is(err, errGone):
	default:
		var p *wire.Problem
		if !errors.As(t.problems.Of(ctx, err), &p) {
			return
		}
		if t.send(ctx, wire.RelayStopped{Type: "failed", Next: applicant.RelayEnds, Problem: p}) == nil {
			_ = t.conn.Close(websocket.StatusPolicyViolation, p.Code)
		}
	}
}
