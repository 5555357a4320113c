package review

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Hits decides which entries of watchlists are the person of a session. It is safe for concurrent use.
type Hits struct {
	life  *session.Lifecycle
	store HitStore
}

// HitStore keeps hits.
type HitStore interface {
	session.HitReader
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}

// NewHits returns the Hits of a store.
func NewHits(life *session.Lifecycle, store HitStore) *Hits { return &Hits{life: life, store: store} }

// Of lists the hits of a session, oldest first.
func (s *Hits) Of(ctx context.Context, id idv.SessionID) ([]session.Hit, error) {
	return s.store.Hits(ctx, id)
}

// Find returns a hit. Problems: not_found.
func (s *Hits) Find(ctx context.Context, id idv.HitID) (session.Hit, error) {
	return s.store.Hit(ctx, id)
}

// List returns hits of all sessions, oldest first.
func (s *Hits) List(ctx context.Context, f session.HitFilter) ([]session.Hit, error) {
	return s.store.HitsOf(ctx, f)
}

// Count counts the hits of a mode by state.
func (s *Hits) Count(ctx context.Context, mode idv.Mode) (map[session.HitState]int, error) {
	return s.store.CountHits(ctx, mode)
}

// HitDecision is what a reviewer says of a hit.
type HitDecision struct {
	Version  int64            // of the hit that they looked at
	Decision session.HitState // not_the_person, is_the_person or unsure
	Reason   string           // of not_the_person: one of HitReasons
	Note     string
	Until    time.Time // of not_the_person: when the hit comes back; zero for only when the entry changes
}

// hitReasons say why an entry is not the person.
var hitReasons = []string{"other_birth", "other_name", "other_nationality", "other_sex", "other_document", "other_picture", "other"}

// HitReasons returns what a reviewer can give as the reason why an entry is not the person. The last needs a note.
func HitReasons() []string { return slices.Clone(hitReasons) }

// mostUntil is how far ahead a decision can run out.
const mostUntil = 2 * 366 * 24 * time.Hour

func (d *HitDecision) check(now time.Time) error {
	var err error
	if d.Note, err = session.CleanText(strings.TrimSpace(d.Note), "/note", MaxNote); err != nil {
		return err
	}
	not := d.Decision == session.HitNotPerson
	switch {
	case !not && d.Decision != session.HitIsPerson && d.Decision != session.HitUnsure:
		return session.Malformed("/decision", "not_the_person, is_the_person or unsure")
	case not && !slices.Contains(hitReasons, d.Reason):
		return session.Malformed("/reason", "why the entry is not the person: one of %s", strings.Join(hitReasons, ", "))
	case !not && d.Reason != "":
		return session.Malformed("/reason", "a reason only where the entry is not the person")
	case d.Reason == "other" && d.Note == "":
		return session.Malformed("/note", "what the reason is, in words")
	case !d.Until.IsZero() && (!not || !d.Until.After(now) || d.Until.Sub(now) > mostUntil):
		return session.Malformed("/valid_until", "a day in the next two years, where the entry is not the person")
	}
	return nil
}

// Decide writes what a reviewer says of a hit. That an entry is the person takes two: the first says so, another one who may overrule
// confirms it. A hit that two decided is decided anew only by somebody who may overrule. Problems: not_found, request.malformed,
// screening.conflict where it has changed since, screening.same_person, auth.forbidden.
func (s *Hits) Decide(ctx context.Context, id idv.HitID, who Reviewer, d HitDecision) (session.Hit, error) {
	if err := d.check(s.life.Now()); err != nil {
		return session.Hit{}, err
	}
	seen, err := s.store.Hit(ctx, id)
	if err != nil {
		return session.Hit{}, err
	}
	var h session.Hit
	err = s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, seen.Session)
		if err != nil {
			return err
		}
		if !rec.ErasedAt.IsZero() {
			return problem.New(problem.SessionErased)
		}
		if h, err = tx.Hit(ctx, id); err != nil {
			return err
		}
		if h.Version != d.Version {
			return problem.New(problem.ScreeningConflict).In(string(h.State))
		}
		if err := s.settle(&h, who, d); err != nil {
			return err
		}
		if err := s.life.DecideHit(ctx, tx, h); err != nil {
			return err
		}
		h.Version++
		return nil
	})
	return h, err
}

// settle applies a decision to a hit.
func (s *Hits) settle(h *session.Hit, who Reviewer, d HitDecision) error {
	confirms := h.State == session.HitAwaits && d.Decision == session.HitIsPerson
	said := session.Opinion{By: string(who.ID), At: s.life.Now(), Decision: string(d.Decision), Reason: d.Reason, Note: d.Note}
	switch {
	case confirms && h.DecidedBy == string(who.ID):
		return problem.New(problem.ScreeningSamePerson).Saying("You said so first.")
	case (confirms || h.State == session.HitIsPerson) && !who.Overrules:
		return problem.New(problem.AuthForbidden).Saying("It takes a senior reviewer or an owner.")
	case confirms:
		h.State, h.SecondBy, h.SecondAt, h.Said = session.HitIsPerson, said.By, said.At, session.Say(h.Said, said)
		return nil
	}
	h.State, h.DecidedBy, h.DecidedAt, h.Said = d.Decision, said.By, said.At, session.Say(h.Said, said)
	h.Reason, h.Note, h.Until, h.SecondBy, h.SecondAt = d.Reason, d.Note, d.Until, "", time.Time{}
	if d.Decision == session.HitIsPerson {
		h.State = session.HitAwaits
	}
	return nil
}
