package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// byPerson is the rule of a decision that a person took.
const byPerson = "person"

// Basis is the state of a case that a reviewer acted on. Where the case has changed since, the call is refused with what happened,
// so that no reviewer overwrites what they have not seen.
type Basis struct {
	Version int64      // of the case
	Report  idv.Digest // that the case is about
}

// Ruling is what a person decides.
type Ruling struct {
	Basis
	Outcome idv.DecisionOutcome // approved or declined
	Reasons []string            // with declined, at least one: codes of Reasonable
	Note    string              // for other reviewers; never shown to the applicant
}

// Reasonable lists the codes that a person can give as the reason of a decision: what a check can find and a reviewer has
// words for.
func Reasonable() []string {
	var out []string
	for _, k := range problem.All() {
		if k.Severity != problem.None && k.Reviewer != "" {
			out = append(out, k.Code)
		}
	}
	return out
}

// check refuses what no ruling can be, and brings the note into form.
func (r *Ruling) check() error {
	var err error
	if r.Note, err = note(r.Note); err != nil {
		return err
	}
	switch {
	case r.Outcome != idv.DecideApprove && r.Outcome != idv.DecideDecline:
		return session.Malformed("/outcome", "approved or declined")
	case r.Outcome == idv.DecideApprove && len(r.Reasons) > 0:
		return session.Malformed("/reasons", "an approval has none")
	case r.Outcome == idv.DecideDecline && len(r.Reasons) == 0:
		return session.Malformed("/reasons", "why it is declined: at least one")
	}
	return checkReasons(r.Reasons)
}

// checkReasons refuses more than MaxReasons codes, and codes that a reviewer cannot give.
func checkReasons(codes []string) error {
	if len(codes) > MaxReasons {
		return session.Malformed("/reasons", "at most %d", MaxReasons)
	}
	known := Reasonable()
	for _, code := range codes {
		if !slices.Contains(known, code) {
			return session.Malformed("/reasons", "reasons of the catalogue that a reviewer can give")
		}
	}
	return nil
}

func note(s string) (string, error) { return session.CleanText(strings.TrimSpace(s), "/note", MaxNote) }

// DecideCase approves or declines a referred session. Where the workflow asks for two persons, the first approval is saved
// as a review, and the case is open for the second. Problems: not_found; case.conflict where another reviewer holds the case, or
// it has changed since the ruling's basis; auth.forbidden where this reviewer may not decide this session; request.malformed.
func (s *Rulings) DecideCase(ctx context.Context, id idv.CaseID, who Reviewer, r Ruling) (CaseView, error) {
	if err := r.check(); err != nil {
		return CaseView{}, err
	}
	return s.queue.changeCase(ctx, id, func(ctx context.Context, tx session.Tx, c *idv.Case, rec *session.Record, w idv.WorkflowVersion) error {
		if err := s.checkMayDecide(ctx, tx, *c, *rec, w, who, r.Basis); err != nil {
			return err
		}
		if err := checkHits(ctx, tx, rec.ID, r.Outcome); err != nil {
			return err
		}
		first := r.Outcome == idv.DecideApprove && w.TwoPersons && c.ApprovedBy == ""
		review := idv.Review{Kind: idv.ReviewKind(r.Outcome), Reasons: r.Reasons, Note: r.Note}
		if first {
			c.ApprovedBy = who.ID
		}
		if err := s.queue.addReview(ctx, tx, c, who, review); err != nil {
			return err
		}
		if !first {
			return s.decide(ctx, tx, rec, w, who, r)
		}
		if err := s.life.NotifyCase(ctx, tx, *c, session.EventCaseReviewed, map[string]any{"kind": review.Kind}); err != nil {
			return err
		}
		return s.queue.release(ctx, tx, c)
	})
}

// checkHits refuses to approve what screening leaves open.
func checkHits(ctx context.Context, tx session.Tx, id idv.SessionID, outcome idv.DecisionOutcome) error {
	if outcome != idv.DecideApprove {
		return nil
	}
	return session.CheckHits(ctx, tx, id)
}

// checkMayDecide refuses a reviewer who came too late, acted on an older state, or may not decide this session.
func (s *Rulings) checkMayDecide(ctx context.Context, tx session.Tx, c idv.Case, rec session.Record, w idv.WorkflowVersion, who Reviewer, b Basis) error {
	if err := s.queue.checkHolder(ctx, tx, c, who.ID); err != nil {
		return err
	}
	if c.Version != b.Version || c.Report != b.Report {
		reviews, err := tx.Reviews(ctx, c.Session)
		if err != nil {
			return err
		}
		if r, ok := lastOf(reviews, c.ID); ok {
			return conflictWith(r)
		}
		return problem.New(problem.CaseConflict).Saying("It is not the case that you looked at any more.")
	}
	if !rec.ErasedAt.IsZero() {
		return problem.New(problem.SessionErased)
	}
	return barred(c, rec.Session, w, who)
}

// barred says why a reviewer may not decide a case, whatever they decide; nil if they may.
func barred(c idv.Case, rec idv.Session, w idv.WorkflowVersion, who Reviewer) error {
	switch {
	case w.NotByCreator && rec.CreatedBy == who.ID:
		return problem.New(problem.AuthForbidden).Saying("You created this session, and its workflow wants somebody else to decide it.")
	case c.ApprovedBy == who.ID:
		return problem.New(problem.AuthForbidden).Saying("You approved it already; its workflow wants a second person's approval.")
	case c.ApprovedBy != "" && !who.Overrules:
		return problem.New(problem.AuthForbidden).Saying("It waits for a second approval, which takes a senior reviewer or an owner.")
	default:
		return nil
	}
}

// decide writes a person's decision on the newest report, and moves the session.
func (s *Rulings) decide(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, who Reviewer, r Ruling) error {
	d, err := s.addDecision(ctx, tx, rec, who, r)
	if err != nil {
		return err
	}
	if err := s.life.Move(ctx, tx, rec, session.EventOf[r.Outcome], session.OutcomePayload(d)); err != nil {
		return err
	}
	return s.life.DrawForQuality(ctx, tx, *rec, w, d)
}

// addDecision adds a person's decision to a session, which is not saved yet.
func (s *Rulings) addDecision(ctx context.Context, tx session.Tx, rec *session.Record, who Reviewer, r Ruling) (idv.Decision, error) {
	before, err := tx.Decisions(ctx, rec.ID)
	if err != nil {
		return idv.Decision{}, err
	}
	if len(before) == 0 {
		return idv.Decision{}, session.Conflict(*rec)
	}
	last := before[len(before)-1]
	now := s.life.Now()
	did, err := idv.NewID[idv.DecisionID](now, s.life.Random())
	if err != nil {
		return idv.Decision{}, err
	}
	d := idv.Decision{
		ID: did, Session: rec.ID, Outcome: r.Outcome, Reasons: []idv.Reason{}, Rule: byPerson, By: string(who.ID), Note: r.Note,
		Report: last.Report, Digest: last.Digest, DecidedAt: now, Assurance: last.Assurance,
	}
	for _, code := range r.Reasons {
		d.Reasons = append(d.Reasons, idv.Reason{Code: code})
	}
	rec.Outcome, rec.LastProblem, rec.DecidedAt, rec.Automatic = r.Outcome, nil, now, false
	if r.Outcome == idv.DecideDecline {
		rec.LastProblem = session.ApplicantProblem(d.Reasons)
	}
	if err := tx.AddDecision(ctx, d); err != nil {
		return idv.Decision{}, err
	}
	return d, s.addFacts(ctx, tx, *rec, d)
}

// addFacts keeps what statistics and simulation need of a person's decision, from the report that it was taken on.
func (s *Rulings) addFacts(ctx context.Context, tx session.Tx, rec session.Record, d idv.Decision) error {
	reports, err := tx.Reports(ctx, rec.ID)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(reports, func(r idv.Report) bool { return r.ID == d.Report })
	if i < 0 {
		return fmt.Errorf("report %s of session %s is missing", d.Report, rec.ID)
	}
	return tx.AddFacts(ctx, session.FactsOf(rec, reports[i], d))
}

// Note adds a note to a case, and renews the claim of a holder who writes one. Problems: not_found, case.conflict where it is
// closed, request.malformed.
func (s *Rulings) Note(ctx context.Context, id idv.CaseID, who Reviewer, words string) (CaseView, error) {
	words, err := note(words)
	if err != nil {
		return CaseView{}, err
	}
	if words == "" {
		return CaseView{}, session.Malformed("/note", "some words")
	}
	return s.queue.changeCase(ctx, id, func(ctx context.Context, tx session.Tx, c *idv.Case, _ *session.Record, _ idv.WorkflowVersion) error {
		if err := s.queue.checkOpen(ctx, tx, *c); err != nil {
			return err
		}
		if err := s.queue.addReview(ctx, tx, c, who, idv.Review{Kind: idv.ReviewNoted, Note: words}); err != nil {
			return err
		}
		if c.Holder(s.life.Now()) == who.ID {
			if err := s.queue.assign(ctx, tx, c, who.ID); err != nil {
				return err
			}
		}
		return s.life.NotifyCase(ctx, tx, *c, session.EventCaseNoted, nil)
	})
}
