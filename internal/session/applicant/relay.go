package applicant

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/emrtd/terminal"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Limits of reading chips over relays.
const (
	RelayKept     = 2 * time.Minute // how long what was read is kept after a connection broke
	RelayTries    = 5               // keys of one connection that the chip did not accept
	RelayContacts = 40              // contacts of one connection
	mostRelays    = 64              // of one process; and as many that are kept
)

// Relays read the chips of documents: the phone only carries bytes between chip and server. Each session has one at a time in a process.
// What was read stays in memory until it is submitted, or for RelayKept after the connection broke; the key is dropped with the connection.
type Relays struct {
	chips *Chips

	mu   sync.Mutex
	open map[idv.SessionID]RelayProgress
	kept map[idv.SessionID]keptRead
}

// keptRead is what was read over a connection that broke.
type keptRead struct {
	reader  *terminal.Reader
	browser string // hash of the token of who read it
	until   time.Time
}

func newRelays(chips *Chips) *Relays {
	return &Relays{chips: chips, open: map[idv.SessionID]RelayProgress{}, kept: map[idv.SessionID]keptRead{}}
}

// Relay is one connection through which a chip is read. It is not safe for concurrent use.
type Relay struct {
	relays   *Relays
	id       idv.SessionID
	browser  string
	reader   *terminal.Reader
	attempt  string
	page     terminal.Key // of the zone on the page; zero where none was read
	hasKey   bool
	refused  int
	contacts int
	shown    RelayProgress // as it was written last
	shownAt  time.Time
	done     bool
	closed   bool
}

// Open begins to read a chip. Call Close. Problems: those of Chips.Challenge, chip.relay_busy, rate.limited where the process reads as many
// chips as it can.
func (s *Relays) Open(ctx context.Context, id idv.SessionID) (*Relay, error) {
	attempt, err := idv.NewID[idv.CaptureID](s.chips.captures.life.Now(), s.chips.captures.life.Random())
	if err != nil {
		return nil, err
	}
	if err := s.enter(id); err != nil {
		return nil, err
	}
	r := &Relay{relays: s, id: id, browser: browserFrom(ctx), attempt: "relay_" + string(attempt)}
	if err := r.allowed(ctx, true); err != nil {
		s.leave(id)
		return nil, err
	}
	if r.page, err = r.pageKey(ctx); err != nil {
		r.hides(ctx)
		s.leave(id)
		return nil, err
	}
	r.reader = s.takeKept(id, r.browser)
	if r.reader == nil {
		r.reader = terminal.New(terminal.Key{}, terminal.Options{Random: s.chips.captures.life.Random(), MaxBytes: idv.MostChipBytes})
	}
	return r, nil
}

func (s *Relays) enter(id idv.SessionID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, busy := s.open[id]; busy {
		return problem.New(problem.ChipRelayBusy)
	}
	if len(s.open) >= mostRelays {
		return problem.New(problem.RateLimited)
	}
	s.open[id] = RelayProgress{State: RelayOpen}
	return nil
}

func (s *Relays) leave(id idv.SessionID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, id)
}

// takeKept returns what the same browser had read, if it is still kept.
func (s *Relays) takeKept(id idv.SessionID, browser string) *terminal.Reader {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropOld()
	k, ok := s.kept[id]
	delete(s.kept, id)
	if !ok || k.browser != browser {
		return nil
	}
	return k.reader
}

// keep keeps what was read. Where too much is kept, what is kept of others goes on being kept.
func (s *Relays) keep(id idv.SessionID, k keptRead) {
	s.mu.Lock()
	s.dropOld()
	full := len(s.kept) >= mostRelays
	if !full {
		s.kept[id] = k
	}
	s.mu.Unlock()
	if !full {
		time.AfterFunc(RelayKept+time.Second, func() { // so that it is dropped on an idle server, too
			s.mu.Lock()
			defer s.mu.Unlock()
			s.dropOld()
		})
	}
}

func (s *Relays) dropOld() {
	now := s.chips.captures.life.Now()
	for id, k := range s.kept {
		if now.After(k.until) {
			delete(s.kept, id)
		}
	}
}

// allowed checks that the session still takes a chip from this browser; the beginning is audited, and other servers see it.
func (r *Relay) allowed(ctx context.Context, begins bool) error {
	chips := r.relays.chips
	return chips.captures.ChangeAsApplicant(ctx, r.id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := chips.checkAllowed(ctx, tx, *rec, w); err != nil || !begins {
			return err
		}
		if err := tx.Audit(ctx, audit.Record{Action: string(session.EventChipRelay), Session: r.id, Subject: r.attempt}); err != nil {
			return err
		}
		return tx.OpenRelay(ctx, r.row(RelayProgress{State: RelayOpen}))
	})
}

// pageKey returns the key of the zone on the page, where one was read well enough to try: all check digits pass.
func (r *Relay) pageKey(ctx context.Context) (terminal.Key, error) {
	store := r.relays.chips.captures.store
	captures, err := store.Captures(ctx, r.id)
	if err != nil {
		return terminal.Key{}, err
	}
	artifacts, err := store.Artifacts(ctx, r.id)
	if err != nil {
		return terminal.Key{}, err
	}
	for _, c := range session.Active(captures) {
		for _, a := range artifacts {
			if a.Capture != c.ID || a.Kind != idv.ArtifactMRZ || !a.Present {
				continue
			}
			zone, err := idv.ValueOf[idv.MRZ](a)
			if err != nil {
				return terminal.Key{}, err
			}
			d, err := mrz.Parse(zone.Lines)
			if err != nil || !zone.CheckDigitsOK {
				continue
			}
			if key, err := terminal.OfZone(d); err == nil {
				return key, nil
			}
		}
	}
	return terminal.Key{}, nil
}

// PageOpens reports whether the zone on the page was read, so that nobody has to type it.
func (r *Relay) PageOpens() bool { return !r.page.IsZero() }

// Kept returns the names of the files that an earlier connection read.
func (r *Relay) Kept() []string {
	out := []string{}
	for _, f := range r.reader.Whole() {
		out = append(out, string(f))
	}
	return out
}

// ChipKey is what opens a chip: the zone on the page, what the applicant typed of it, or a card access number. It is never kept, and not part
// of any error.
type ChipKey struct {
	Number, Birth, Expiry string // days as YYYY-MM-DD
	CAN                   string
}

// key returns the key; that of the page where nothing was typed.
func (r *Relay) key(k ChipKey) (terminal.Key, error) {
	missing := problem.New(problem.ChipKeyMissing)
	switch {
	case k.CAN != "":
		if key, err := terminal.CAN(strings.TrimSpace(k.CAN)); err == nil && k.Number == "" {
			return key, nil
		}
		return terminal.Key{}, missing
	case k.Number != "":
		if key, err := terminal.Zone(k.Number, shortDay(k.Birth), shortDay(k.Expiry)); err == nil {
			return key, nil
		}
		return terminal.Key{}, missing
	case r.page.IsZero():
		return terminal.Key{}, missing
	}
	return r.page, nil
}

// shortDay writes YYYY-MM-DD as YYMMDD; as it is where it is no day.
func shortDay(s string) string {
	if at, err := time.Parse(time.DateOnly, s); err == nil {
		return at.Format("060102")
	}
	return s
}

// SetKey sets what opens the chip. longest is how many bytes of an answer the phone can take. Problems: chip.key_missing.
func (r *Relay) SetKey(k ChipKey, longest int) error {
	key, err := r.key(k)
	if err != nil {
		return err
	}
	r.reader.SetKey(key)
	r.reader.SetMaxAnswer(longest)
	r.hasKey = true
	return nil
}

// Read reads the chip through a link, over one contact. It can be called again after chip.contact_lost and chip.answer_wrong, and with another
// key after chip.access_refused: Goes says so. Problems: those, the others of package terminal, chip.key_missing, chip.relay_ended where
// too often was tried, and those of Chips.Challenge.
func (r *Relay) Read(ctx context.Context, link terminal.Link) error {
	if !r.hasKey {
		return problem.New(problem.ChipKeyMissing)
	}
	if r.contacts++; r.contacts > RelayContacts || r.refused >= RelayTries {
		return problem.New(problem.ChipRelayEnded)
	}
	if err := r.allowed(ctx, false); err != nil {
		return err
	}
	err := r.reader.Read(ctx, watched{link, r})
	if err == nil {
		r.done = true
		return nil
	}
	why := refusal.Of(err)
	if why == nil {
		return err
	}
	now := RelayStopped
	if why.Code == terminal.AccessRefused {
		r.refused++
		r.hasKey, now = false, RelayOpen
	}
	r.shows(ctx, RelayProgress{State: now})
	if p, ok := problem.OfRefusal(string(why.Code), ""); ok {
		return p
	}
	return err
}

// RelayGoes says how a relay goes on after a problem.
type RelayGoes string

// The ways.
const (
	RelayAgain RelayGoes = "again" // with another contact
	RelayKey   RelayGoes = "key"   // with another key
	RelayEnds  RelayGoes = "ends"  // not at all
)

// Goes says how a relay goes on after an error of Read or SetKey.
func (r *Relay) Goes(err error) RelayGoes {
	switch {
	case r.refused >= RelayTries || r.contacts > RelayContacts:
		return RelayEnds
	case problem.Has(err, problem.ChipContactLost) || problem.Has(err, problem.ChipAnswerWrong) || problem.Has(err, problem.ChipFileUnreadable):
		return RelayAgain
	case problem.Has(err, problem.ChipAccessRefused) || problem.Has(err, problem.ChipKeyMissing):
		return RelayKey
	}
	return RelayEnds
}

// errUnread means that Submit was called before Read had returned nil.
var errUnread = errors.New("the chip was not read to its end")

// Submit takes what was read, as Chips.Submit takes what an app read. Problems: those of Chips.Submit.
func (r *Relay) Submit(ctx context.Context) (idv.Task, error) {
	if !r.done {
		return idv.Task{}, errUnread
	}
	return r.relays.chips.submitRelayed(ctx, r.id, r.attempt, r.reader.Result())
}

// Close ends the relay. What was read is kept for RelayKept, unless it was submitted; the key is dropped. Further calls do nothing.
func (r *Relay) Close(ctx context.Context) {
	if r.closed {
		return
	}
	r.closed = true
	r.reader.ForgetKey()
	r.page = terminal.Key{}
	if !r.done && len(r.reader.Whole()) > 0 {
		r.relays.keep(r.id, keptRead{reader: r.reader, browser: r.browser, until: r.relays.chips.captures.life.Now().Add(RelayKept)})
	}
	r.relays.leave(r.id)
	r.hides(ctx)
}
