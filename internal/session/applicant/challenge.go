package applicant

import (
	"context"
	"crypto/hmac"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// signedAs names the use of the deployment's key for the tokens of challenges.
const signedAs = "challenge"

// withChallenge completes a task whose step takes frames with the challenge for it: the one that is open, or a new one.
func (s *challenges) withChallenge(ctx context.Context, id idv.SessionID, t idv.Task, err error) (idv.Task, error) {
	if err != nil || t.Takes != idv.Frames {
		return t, err
	}
	if t, err = s.Present(ctx, id); err != nil || t.Takes != idv.Frames || t.Challenge != nil || t.AttemptsLeft == 0 {
		return t, err
	}
	err = s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		var err error
		t, err = s.taskWithChallenge(ctx, tx, rec, w)
		return err
	})
	return t, err
}

// ChallengesPerTry is how many challenges a try can have, all for the same movements. The next one costs the try, so that
// an attacker who knows the movements has no more time to prepare them.
const ChallengesPerTry = 5

// taskWithChallenge answers the present task with a challenge that is open; there is one afterwards if there was none before. Who has
// no try left that a challenge may cost, or had as many challenges as a session may have tries, goes on to a person.
func (s *challenges) taskWithChallenge(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) (idv.Task, error) {
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
		case rec.Spent.Challenges+len(before) >= w.SessionAttempts, spent && t.AttemptsLeft == 1:
			if err := s.setLivenessPath(ctx, tx, rec, idv.PersonPath); err != nil {
				return idv.Task{}, err
			}
			return s.plan(ctx, tx, *rec, w)
		case spent:
			if err := s.spendAttempt(ctx, tx, rec, t.Step); err != nil {
				return idv.Task{}, err
			}
			t.AttemptsLeft--
		}
		if row, err = s.newChallenge(ctx, tx, *rec, t.Step, before, w.Requires(idv.CheckLight)); err != nil {
			return idv.Task{}, err
		}
	}
	t.Challenge, err = s.issued(ctx, tx, row)
	return t, err
}

// spendAttempt counts a try that passed without an answer.
func (s *challenges) spendAttempt(ctx context.Context, tx session.Tx, rec *session.Record, step idv.Step) error {
	before := rec.Session
	rec.Attempts = countAttempt(rec.Attempts, step, true)
	return s.life.Save(ctx, tx, rec, before, session.EventStepRepeated, map[string]any{"step": step, "code": problem.ChallengeExpired.Code})
}

// ofTry lists the challenges that were issued for a session's next try, on its present path.
func ofTry(rows []session.ChallengeRow, rec session.Record, step idv.Step) []session.ChallengeRow {
	var out []session.ChallengeRow
	for _, c := range rows {
		if c.Step == step && c.Try == rec.Attempts[step] && !c.IssuedAt.Before(rec.ReopenedAt) && c.Spec.Gentle == (rec.Liveness == idv.GentlePath) {
			out = append(out, c)
		}
	}
	return out
}

// openChallenge finds the challenge that can still be answered.
func (s *challenges) openChallenge(rows []session.ChallengeRow, rec session.Record, step idv.Step) (session.ChallengeRow, bool) {
	for _, row := range slices.Backward(rows) {
		if row.Step == step && s.isOpen(row, rec) {
			return row, true
		}
	}
	return session.ChallengeRow{}, false
}

// isOpen reports whether a session's challenge is the one for its next try, and in time.
func (s *challenges) isOpen(row session.ChallengeRow, rec session.Record) bool {
	return row.Session == rec.ID && row.UsedAt.IsZero() && row.Try == rec.Attempts[row.Step] && s.life.Now().Before(row.ExpiresAt) &&
		row.Spec.Gentle == (rec.Liveness == idv.GentlePath)
}

// newChallenge draws one, with colours where they are asked for. Within a try and a path movements and colours stay what they were and
// only the times change: otherwise a script could ask until they are those of a recording that it has.
func (s *challenges) newChallenge(
	ctx context.Context, tx session.Tx, rec session.Record, step idv.Step, before []session.ChallengeRow, lit bool,
) (session.ChallengeRow, error) {
	var spec idv.Challenge
	var err error
	if same := ofTry(before, rec, step); len(same) > 0 {
		spec, err = same[0].Spec.Again(s.life.Random())
	} else if spec, err = idv.DrawChallenge(s.life.Random(), rec.Liveness == idv.GentlePath); err == nil && lit {
		spec, err = spec.WithLight(s.life.Random())
	}
	if err != nil {
		return session.ChallengeRow{}, err
	}
	now := s.life.Now()
	id, err := idv.NewID[idv.ChallengeID](now, s.life.Random())
	if err != nil {
		return session.ChallengeRow{}, err
	}
	row := session.ChallengeRow{
		ID: id, Session: rec.ID, Step: step, Try: rec.Attempts[step], Spec: spec, IssuedAt: now, ExpiresAt: now.Add(idv.ChallengeLife),
	}
	if err := tx.AddChallenge(ctx, row); err != nil {
		return session.ChallengeRow{}, err
	}
	if err := tx.Audit(ctx, audit.Record{Action: string(session.EventChallenged), Session: rec.ID, Subject: string(id), After: row}); err != nil {
		return session.ChallengeRow{}, err
	}
	return row, s.life.Notify(ctx, tx, rec.ID, session.EventChallenged, map[string]any{"step": step, "challenge": id})
}

// issued is a challenge as the browser gets it.
func (s *challenges) issued(ctx context.Context, r Reader, row session.ChallengeRow) (*idv.IssuedChallenge, error) {
	sum, err := s.signature(ctx, r, row)
	if err != nil {
		return nil, err
	}
	return &idv.IssuedChallenge{Challenge: row.Spec, Token: string(row.ID) + "." + sum, ExpiresAt: row.ExpiresAt}, nil
}

// signature covers everything that a challenge is bound to, so that neither a changed token nor a changed row passes.
func (s *challenges) signature(ctx context.Context, r Reader, row session.ChallengeRow) (string, error) {
	raw, err := json.Marshal(map[string]any{
		"id": row.ID, "session": row.Session, "step": row.Step, "try": row.Try, "spec": row.Spec,
		"issued_at": row.IssuedAt.UnixMicro(), "expires_at": row.ExpiresAt.UnixMicro(),
	})
	if err != nil {
		return "", fmt.Errorf("sign a challenge: %w", err)
	}
	return r.Sign(ctx, signedAs, raw)
}

// verify reads the challenge that a token was handed out for. Whatever is wrong with it, the answer is the same:
// challenge.expired.
func (s *challenges) verify(ctx context.Context, r Reader, rec session.Record, step idv.Step, token string) (session.ChallengeRow, error) {
	refused := problem.New(problem.ChallengeExpired)
	name, sum, _ := strings.Cut(token, ".")
	id, ok := idv.ParseID[idv.ChallengeID](name)
	if !ok {
		return session.ChallengeRow{}, refused
	}
	row, err := r.Challenge(ctx, id)
	if problem.Has(err, problem.NotFound) {
		return session.ChallengeRow{}, refused
	}
	if err != nil {
		return session.ChallengeRow{}, err
	}
	want, err := s.signature(ctx, r, row)
	if err != nil {
		return session.ChallengeRow{}, err
	}
	if !hmac.Equal([]byte(want), []byte(sum)) || row.Step != step || !s.isOpen(row, rec) {
		return session.ChallengeRow{}, refused
	}
	return row, nil
}

// Present returns the present task without issuing a challenge; it has one only where one is open. It is for browsers that watch.
func (s *challenges) Present(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	t, err := s.task(ctx, id)
	if err != nil || t.Takes != idv.Frames {
		return t, err
	}
	rec, err := s.store.Session(ctx, id)
	if err != nil {
		return idv.Task{}, err
	}
	issued, err := s.store.Challenges(ctx, id)
	if err != nil {
		return idv.Task{}, err
	}
	if open, ok := s.openChallenge(issued, rec, t.Step); ok {
		t.Challenge, err = s.issued(ctx, s.store, open)
	}
	return t, err
}
