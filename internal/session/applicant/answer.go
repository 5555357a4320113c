package applicant

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// DocumentReply is the applicant's answer to a question about the document that they sent.
type DocumentReply string

// The replies. A third one is to send another picture.
const (
	GoOn          DocumentReply = "continue" // with this document
	OtherDocument DocumentReply = "other"    // they will show another one
)

// Replies returns every reply.
func Replies() []DocumentReply { return []DocumentReply{GoOn, OtherDocument} }

// Answer settles the question that the task asks. Going on with a document of another kind than was chosen changes the choice where
// other sides are asked for then; it decides nothing, as the choice did not. Problems: capture.out_of_order where nothing is asked,
// request.malformed, session.expired, session.finished.
func (s *Service) Answer(ctx context.Context, id idv.SessionID, reply DocumentReply) (idv.Task, error) {
	var t idv.Task
	err := s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := checkTurn(*rec); err != nil {
			return err
		}
		p := rec.LastProblem
		if p == nil || !problem.IsQuestion(p.Code) {
			return problem.New(problem.CaptureOutOfOrder)
		}
		before := rec.Session
		payload := map[string]any{"step": p.Step, "code": p.Code, "reply": reply}
		switch reply {
		case GoOn:
			if err := s.goOn(ctx, tx, rec, w); err != nil {
				return err
			}
		case OtherDocument:
			if err := s.life.OtherDocument(ctx, tx, rec, w, ""); err != nil {
				return err
			}
		default:
			return session.Malformed("/reply", "it is continue or other")
		}
		if err := s.life.Save(ctx, tx, rec, before, session.EventAnswered, payload); err != nil {
			return err
		}
		var err error
		if t, err = s.taskWithChallenge(ctx, tx, rec, w); err == nil && t.State == idv.TaskWait {
			t, err = s.finish(ctx, tx, rec, w)
		}
		return err
	})
	return t, err
}

// goOn keeps the document that was sent. Its checks are asked once more: which of them are ready follows from its kind.
func (s *Service) goOn(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
	captures, err := tx.Captures(ctx, rec.ID)
	if err != nil {
		return err
	}
	if rec.LastProblem.Code == problem.DocumentKindDiffers.Code {
		found, err := session.ReadOf(ctx, tx, *rec, captures)
		if err != nil {
			return err
		}
		if k := found.Kind; k.HasBack() != rec.DocumentKind.HasBack() && slices.Contains(w.AcceptedKinds(), k) {
			rec.DocumentKind = k
		}
	}
	rec.LastProblem = nil
	due, err := s.plan(ctx, tx, *rec, w)
	if err != nil {
		return err
	}
	rec.Due = due.Step
	return tx.Enqueue(ctx, job.Check{Session: rec.ID})
}
