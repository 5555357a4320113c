package session

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// ChallengeRow is a liveness challenge as it is kept.
type ChallengeRow struct {
	ID        idv.ChallengeID
	Session   idv.SessionID
	Step      idv.Step
	Try       int // tries of the step that were used when it was issued: it is good for the next one alone
	Spec      idv.Challenge
	IssuedAt  time.Time
	ExpiresAt time.Time
	UsedAt    time.Time // zero until it was answered, or replaced by another
}

// signedAs names the use of the deployment's key for the tokens of challenges.
const signedAs = "challenge"

// challenged completes a task whose step takes frames with the challenge for it: the one that is open, or a new one.
func (s *Service) challenged(ctx context.Context, id idv.SessionID, t idv.Task, err error) (idv.Task, error) {
	if err != nil || t.Takes != idv.Frames {
		return t, err
	}
	if t, err = s.Present(ctx, id); err != nil || t.Takes != idv.Frames || t.Challenge != nil || t.AttemptsLeft == 0 {
		return t, err
	}
	err = s.asApplicantOf(ctx, id, func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
		var err error
		t, err = s.issue(ctx, tx, rec, w)
		return err
	})
	return t, err
}

// ChallengesPerTry is how many challenges a try can have, all for the same movements. The next one costs the try: whoever
// knows what will be asked must not have longer than that to prepare it.
const ChallengesPerTry = 5

// issue answers the present task with a challenge that is open; there is one afterwards if there was none before. Who has
// no try left that a challenge may cost, or had as many challenges as a session may have tries, goes on to a person.
func (s *Service) issue(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) (idv.Task, error) {
	t, err := s.plan(ctx, tx, *rec, w)
	if err != nil || t.Takes != idv.Frames || t.AttemptsLeft == 0 {
		return t, err
	}
	before, err := tx.Challenges(ctx, rec.ID)
	if err != nil {
		return idv.Task{}, err
	}
	row, ok := s.openChallenge(before, *rec, t.Step)
	if !ok {
		spent := len(ofTry(before, *rec, t.Step)) >= ChallengesPerTry
		switch {
		case len(before) >= w.SessionAttempts, spent && t.AttemptsLeft == 1:
			if err := s.follow(ctx, tx, rec, idv.PersonPath); err != nil {
				return idv.Task{}, err
			}
			return s.plan(ctx, tx, *rec, w)
		case spent:
			if err := s.spend(ctx, tx, rec, t.Step); err != nil {
				return idv.Task{}, err
			}
			t.AttemptsLeft--
		}
		if row, err = s.newChallenge(ctx, tx, *rec, t.Step, before); err != nil {
			return idv.Task{}, err
		}
	}
	t.Challenge, err = s.handed(ctx, tx, row)
	return t, err
}

// spend counts a try that was let go by without an answer.
func (s *Service) spend(ctx context.Context, tx Tx, rec *Record, step idv.Step) error {
	before := rec.Session
	rec.Attempts = tried(rec.Attempts, step, true)
	return s.save(ctx, tx, rec, before, EventStepRepeated, map[string]any{"step": step, "code": problem.ChallengeExpired.Code})
}

// ofTry lists the challenges that were issued for a session's next try, on its present path.
func ofTry(rows []ChallengeRow, rec Record, step idv.Step) []ChallengeRow {
	var out []ChallengeRow
	for _, c := range rows {
		if c.Step == step && c.Try == rec.Attempts[step] && !c.IssuedAt.Before(rec.ReopenedAt) && c.Spec.Gentle == (rec.Liveness == idv.GentlePath) {
			out = append(out, c)
		}
	}
	return out
}

// openChallenge finds the challenge that can still be answered.
func (s *Service) openChallenge(rows []ChallengeRow, rec Record, step idv.Step) (ChallengeRow, bool) {
	for _, row := range slices.Backward(rows) {
		if row.Step == step && s.open(row, rec) {
			return row, true
		}
	}
	return ChallengeRow{}, false
}

// open reports whether a session's challenge is the one for its next try, and in time.
func (s *Service) open(row ChallengeRow, rec Record) bool {
	return row.Session == rec.ID && row.UsedAt.IsZero() && row.Try == rec.Attempts[row.Step] && s.now().Before(row.ExpiresAt) &&
		row.Spec.Gentle == (rec.Liveness == idv.GentlePath)
}

// newChallenge draws one. Within a try and a path the movements stay what they were and only the times change: otherwise a
// script could ask until the movements are those of a recording that it has.
func (s *Service) newChallenge(ctx context.Context, tx Tx, rec Record, step idv.Step, before []ChallengeRow) (ChallengeRow, error) {
	var spec idv.Challenge
	var err error
	if same := ofTry(before, rec, step); len(same) > 0 {
		spec, err = same[0].Spec.Again(s.random)
	} else {
		spec, err = idv.DrawChallenge(s.random, rec.Liveness == idv.GentlePath)
	}
	if err != nil {
		return ChallengeRow{}, err
	}
	now := s.now()
	id, err := idv.NewID[idv.ChallengeID](now, s.random)
	if err != nil {
		return ChallengeRow{}, err
	}
	row := ChallengeRow{
		ID: id, Session: rec.ID, Step: step, Try: rec.Attempts[step], Spec: spec, IssuedAt: now, ExpiresAt: now.Add(idv.ChallengeLife),
	}
	if err := tx.AddChallenge(ctx, row); err != nil {
		return ChallengeRow{}, err
	}
	if err := tx.Audit(ctx, audit.Record{Action: string(EventChallenged), Session: rec.ID, Subject: string(id), After: row}); err != nil {
		return ChallengeRow{}, err
	}
	return row, s.tell(ctx, tx, rec.ID, EventChallenged, map[string]any{"step": step, "challenge": id})
}

// handed is a challenge as the browser gets it.
func (s *Service) handed(ctx context.Context, r Reader, row ChallengeRow) (*idv.IssuedChallenge, error) {
	sum, err := s.signature(ctx, r, row)
	if err != nil {
		return nil, err
	}
	return &idv.IssuedChallenge{Challenge: row.Spec, Token: string(row.ID) + "." + sum, ExpiresAt: row.ExpiresAt}, nil
}

// signature covers everything that a challenge is bound to, so that neither a changed token nor a changed row passes.
func (s *Service) signature(ctx context.Context, r Reader, row ChallengeRow) (string, error) {
	raw, err := json.Marshal(map[string]any{
		"id": row.ID, "session": row.Session, "step": row.Step, "try": row.Try, "spec": row.Spec,
		"issued_at": row.IssuedAt.UnixMicro(), "expires_at": row.ExpiresAt.UnixMicro(),
	})
	if err != nil {
		return "", fmt.Errorf("sign a challenge: %w", err)
	}
	return r.Sign(ctx, signedAs, raw)
}

// answered reads the challenge that a token was handed out for. Whatever is wrong with it, the answer is the same:
// challenge.expired.
func (s *Service) answered(ctx context.Context, r Reader, rec Record, step idv.Step, token string) (ChallengeRow, error) {
	refused := problem.New(problem.ChallengeExpired)
	name, sum, _ := strings.Cut(token, ".")
	id, ok := idv.ParseID[idv.ChallengeID](name)
	if !ok {
		return ChallengeRow{}, refused
	}
	row, err := r.Challenge(ctx, id)
	if problem.Has(err, problem.NotFound) {
		return ChallengeRow{}, refused
	}
	if err != nil {
		return ChallengeRow{}, err
	}
	want, err := s.signature(ctx, r, row)
	if err != nil {
		return ChallengeRow{}, err
	}
	if !hmac.Equal([]byte(want), []byte(sum)) || row.Step != step || !s.open(row, rec) {
		return ChallengeRow{}, refused
	}
	return row, nil
}

// paths are the ways that an applicant can choose between.
var paths = []idv.LivenessPath{idv.UsualPath, idv.GentlePath, idv.PersonPath}

// ChooseLiveness settles how the applicant shows that they are there, and starts over: a challenge that was open is
// closed. It can be changed until the selfie was accepted. Problems: capture.out_of_order where the workflow asks for no
// challenge or the selfie was accepted, consent.missing, session.expired, session.finished, request.malformed.
func (s *Service) ChooseLiveness(ctx context.Context, id idv.SessionID, path idv.LivenessPath) (idv.Task, error) {
	if !slices.Contains(paths, path) {
		return idv.Task{}, malformed("/path", "it is usual, gentle or person")
	}
	var t idv.Task
	err := s.asApplicantOf(ctx, id, func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
		if err := acting(*rec); err != nil {
			return err
		}
		due, err := s.plan(ctx, tx, *rec, w)
		if err != nil {
			return err
		}
		if due.Step == idv.StepConsent {
			return problem.New(problem.ConsentMissing)
		}
		if due.Step != idv.StepSelfie || !w.AsksLiveness() {
			return problem.New(problem.CaptureOutOfOrder)
		}
		if err := tx.CloseChallenges(ctx, rec.ID, s.now()); err != nil {
			return err
		}
		if path != rec.Liveness {
			if err := s.follow(ctx, tx, rec, path); err != nil {
				return err
			}
		}
		t, err = s.issue(ctx, tx, rec, w)
		return err
	})
	return t, err
}

// follow sets the path of a locked session.
func (s *Service) follow(ctx context.Context, tx Tx, rec *Record, path idv.LivenessPath) error {
	before := rec.Session
	rec.Liveness = path
	name := string(path)
	if path == idv.UsualPath {
		name = "usual"
	}
	return s.save(ctx, tx, rec, before, EventLivenessPath, map[string]any{"path": name})
}
