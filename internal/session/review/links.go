package review

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Links decides whether two sessions that have something in common are of one person. It is safe for concurrent use.
type Links struct {
	life  *session.Lifecycle
	store LinkStore
}

// LinkStore keeps what was decided.
type LinkStore interface {
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}

// NewLinks returns the Links of a store.
func NewLinks(life *session.Lifecycle, store LinkStore) *Links {
	return &Links{life: life, store: store}
}

// LinkSaid is what a reviewer says of two sessions.
type LinkSaid struct {
	Version  int64             // of the decision that they looked at; 0 where there was none
	Signs    []idv.SeenSign    // that they looked at
	Decision session.LinkState // not_the_same, same_person, unsure; or open, which undoes what was said
	Reason   string            // of not_the_same: one of LinkReasons
	Note     string
}

// linkReasons say why two sessions are not of the same person.
var linkReasons = []string{"other_face", "namesake", "relative", "misread", "shared_picture", "other"}

// LinkReasons returns what a reviewer can give as the reason why two sessions are not of the same person. The last needs a note.
func LinkReasons() []string { return slices.Clone(linkReasons) }

func (d *LinkSaid) check() error {
	var err error
	if d.Note, err = session.CleanText(strings.TrimSpace(d.Note), "/note", MaxNote); err != nil {
		return err
	}
	not := d.Decision == session.LinkNotSame
	switch {
	case !slices.Contains([]session.LinkState{session.LinkNotSame, session.LinkSame, session.LinkUnsure, session.LinkOpen}, d.Decision):
		return session.Malformed("/decision", "not_the_same, same_person, unsure, or open to undo what was said")
	case not && !slices.Contains(linkReasons, d.Reason):
		return session.Malformed("/reason", "why they are not the same person: one of %s", strings.Join(linkReasons, ", "))
	case !not && d.Reason != "":
		return session.Malformed("/reason", "a reason only where they are not the same person")
	case d.Reason == "other" && d.Note == "":
		return session.Malformed("/note", "what the reason is, in words")
	}
	return nil
}

// Decide writes what a reviewer says of two sessions. That they are of the same person takes two: the first says so, another one who may
// overrule confirms it. What two said is changed only by somebody who may overrule. Problems: not_found where nothing links the two,
// request.malformed, duplicate.conflict where the decision or what is seen has changed since, duplicate.same_person, auth.forbidden,
// session.erased.
func (s *Links) Decide(ctx context.Context, p session.Pair, who Reviewer, said LinkSaid) (session.LinkDecision, error) {
	if err := said.check(); err != nil {
		return session.LinkDecision{}, err
	}
	var d session.LinkDecision
	err := s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		var both []session.Record
		for _, id := range []idv.SessionID{p.First, p.Second} { // always in this order, so that nobody waits for one another
			rec, err := tx.Lock(ctx, id)
			if err != nil {
				return err
			}
			if err := rec.CheckNotErased(session.ScopeAll); err != nil {
				return err
			}
			both = append(both, rec)
		}
		links, err := tx.LinksOf(ctx, p.First)
		if err != nil {
			return err
		}
		signs := session.SignsBetween(links, p)
		if len(signs) == 0 || both[0].Mode != both[1].Mode {
			return problem.New(problem.NotFound)
		}
		if d, err = tx.LinkDecision(ctx, p); err != nil {
			return err
		}
		if d.Version != said.Version || !sameSigns(signs, said.Signs) {
			return problem.New(problem.DuplicateConflict).In(string(d.Now(signs)))
		}
		d.Mode = both[0].Mode
		if err := s.settle(&d, who, said, signs); err != nil {
			return err
		}
		if err := s.life.DecideLink(ctx, tx, d); err != nil {
			return err
		}
		d.Version++
		return askAgain(ctx, tx, both)
	})
	return d, err
}

// askAgain has the checks asked anew of a session that is being judged at this moment: what it was compared by has changed.
func askAgain(ctx context.Context, tx session.Tx, both []session.Record) error {
	for _, rec := range both {
		if rec.State != idv.Processing {
			continue
		}
		if err := tx.Enqueue(ctx, job.Check{Session: rec.ID}); err != nil {
			return err
		}
	}
	return nil
}

func sameSigns(have, sent []idv.SeenSign) bool {
	within := func(a, b []idv.SeenSign) bool {
		return !slices.ContainsFunc(a, func(s idv.SeenSign) bool { return !slices.Contains(b, s) })
	}
	return within(have, sent) && within(sent, have)
}

// settle applies what was said to a decision.
func (s *Links) settle(d *session.LinkDecision, who Reviewer, said LinkSaid, signs []idv.SeenSign) error {
	// A second person confirms what the first one saw. With other signs they say something new, which somebody else has to confirm.
	confirms := d.State == session.LinkAwaits && said.Decision == session.LinkSame && sameSigns(d.Signs, signs)
	switch {
	case said.Decision == session.LinkOpen && (d.State == "" || d.State == session.LinkOpen):
		return session.Malformed("/decision", "something to undo")
	case confirms && d.DecidedBy == string(who.ID):
		return problem.New(problem.DuplicateSamePerson).Saying("You said so first.")
	case (confirms || d.State == session.LinkSame) && !who.Overrules:
		return problem.New(problem.AuthForbidden).Saying("It takes a senior reviewer or an owner.")
	}
	one := session.Opinion{By: string(who.ID), At: s.life.Now(), Decision: string(said.Decision), Reason: said.Reason, Note: said.Note}
	d.Signs, d.Said = signs, session.Say(d.Said, one)
	if confirms {
		d.State, d.SecondBy, d.SecondAt = session.LinkSame, one.By, one.At
		return nil
	}
	d.State, d.DecidedBy, d.DecidedAt = said.Decision, one.By, one.At
	d.Reason, d.Note, d.SecondBy, d.SecondAt = said.Reason, said.Note, "", time.Time{}
	if said.Decision == session.LinkSame {
		d.State = session.LinkAwaits
	}
	return nil
}
