package review

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// NewCorrection is a fact that was read wrongly or not at all, as a reviewer reads it.
type NewCorrection struct {
	Basis
	Claim idv.ClaimName
	Value string // in the form of idv.ClaimName; a partly unknown date has XX for what is unknown
	Note  string // why, for other reviewers; never shown to the applicant
}

// check refuses what no fact can be, and brings value and note into form.
func (n *NewCorrection) check() error {
	if !slices.Contains(idv.DocumentFacts(), n.Claim) {
		return session.Malformed("/name", "a fact that documents state")
	}
	var err error
	if n.Note, err = note(n.Note); err != nil {
		return err
	}
	if n.Note == "" {
		return session.Malformed("/note", "why it is corrected")
	}
	if n.Value, err = session.CleanText(strings.TrimSpace(n.Value), "/value", session.MaxClaim); err != nil {
		return err
	}
	if n.Value == "" {
		return session.Malformed("/value", "what the document says")
	}
	return n.checkForm()
}

// checkForm refuses a value that is not in the form of its fact.
func (n *NewCorrection) checkForm() error {
	switch n.Claim {
	case idv.DateOfBirth, idv.DateOfIssue, idv.DateOfExpiry:
		whole := strings.ReplaceAll(n.Value, "XX", "01")
		if _, err := time.Parse(time.DateOnly, whole); err != nil {
			return session.Malformed("/value", "a date as 1990-12-31")
		}
	case idv.Nationality, idv.Issuer:
		s, ok := icao.StateByCode(strings.ToUpper(n.Value))
		if !ok {
			return session.Malformed("/value", "the code of a state, three letters")
		}
		n.Value = icao.ClaimedState(s.Code)
	case idv.Sex:
		if n.Value = strings.ToUpper(n.Value); !slices.Contains([]string{"F", "M", "X"}, n.Value) {
			return session.Malformed("/value", "F, M or X")
		}
	}
	return nil
}

// Correct states a fact of a referred session's document anew. What was read stays in the report, no check runs again, and no rule
// is evaluated again: the reviewer decides. A first approval that was given before is void, since it was of other facts. Problems:
// those of DecideCase.
func (s *Rulings) Correct(ctx context.Context, id idv.CaseID, who Reviewer, n NewCorrection) (CaseView, error) {
	if err := n.check(); err != nil {
		return CaseView{}, err
	}
	return s.queue.changeCase(ctx, id, func(ctx context.Context, tx session.Tx, c *idv.Case, rec *session.Record, w idv.WorkflowVersion) error {
		if err := s.checkMayDecide(ctx, tx, *c, *rec, w, who, n.Basis); err != nil {
			return err
		}
		if rec.State != idv.InReview {
			return session.Conflict(*rec)
		}
		from, err := s.factOf(ctx, tx, rec.ID, n.Claim)
		if err != nil {
			return err
		}
		if from == n.Value {
			return session.Malformed("/value", "another value than it has")
		}
		c.ApprovedBy = ""
		review := idv.Review{Kind: idv.ReviewCorrected, Note: n.Note, Correction: &idv.Correction{Name: n.Claim, From: from, To: n.Value}}
		if err := s.queue.addReview(ctx, tx, c, who, review); err != nil {
			return err
		}
		if c.Holder(s.life.Now()) == who.ID {
			if err := s.queue.assign(ctx, tx, c, who.ID); err != nil {
				return err
			}
		}
		return s.life.NotifyCase(ctx, tx, *c, session.EventCaseCorrected, nil)
	})
}

// factOf returns what a fact of a session's document is before a correction: the last correction, else what was read. It is empty
// for a fact that was not read.
func (s *Rulings) factOf(ctx context.Context, tx session.Tx, id idv.SessionID, name idv.ClaimName) (string, error) {
	reviews, err := tx.Reviews(ctx, id)
	if err != nil {
		return "", err
	}
	for _, r := range slices.Backward(reviews) {
		if r.Correction != nil && r.Correction.Name == name {
			return r.Correction.To, nil
		}
	}
	reports, err := tx.Reports(ctx, id)
	if err != nil || len(reports) == 0 {
		return "", err
	}
	return idv.ReadFact(reports[len(reports)-1].Claims, name), nil
}
