package applicant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/chip"
	"github.com/bonafide-id/bonafide/internal/emrtd/terminal"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Chips takes what apps read from the chips of documents. A chip is beside the steps of a task: it can be sent at any time before the last
// of them, and again.
type Chips struct{ captures *Captures }

// ChipSubmission is what an app read from one chip.
type ChipSubmission struct {
	Attempt   string   // 1 to 64 letters, digits, - or _
	Files     [][]byte // EF.SOD, DG1, DG2, and what there is of EF.COM, DG11, DG12, DG14, DG15; in any order
	Challenge idv.ChallengeID
	Response  []byte // of the chip to the challenge; both or none
}

// Challenge issues a challenge for Active Authentication: bytes that nobody foresees, good once, for this session, for
// idv.ChipChallengeLife. The one before it is void. Problems: chip.not_asked, consent.missing, capture.out_of_order,
// session.attempts_exhausted, session.expired, session.finished.
func (s *Chips) Challenge(ctx context.Context, id idv.SessionID) (session.ChipChallengeRow, error) {
	now := s.captures.life.Now()
	cid, err := idv.NewID[idv.ChallengeID](now, s.captures.life.Random())
	if err != nil {
		return session.ChipChallengeRow{}, err
	}
	row := session.ChipChallengeRow{
		ID: cid, Session: id, Bytes: make([]byte, idv.ChipChallengeBytes), IssuedAt: now, ExpiresAt: now.Add(idv.ChipChallengeLife),
	}
	if _, err := io.ReadFull(s.captures.life.Random(), row.Bytes); err != nil {
		return session.ChipChallengeRow{}, fmt.Errorf("draw a challenge to a chip: %w", err)
	}
	err = s.captures.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := s.checkAllowed(ctx, tx, *rec, w); err != nil {
			return err
		}
		issued, err := tx.CountChipChallenges(ctx, id)
		if err != nil {
			return err
		}
		if issued >= w.SessionAttempts {
			return problem.New(problem.AttemptsExhausted)
		}
		if err := tx.CloseChipChallenges(ctx, id, now); err != nil {
			return err
		}
		if err := tx.AddChipChallenge(ctx, row); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: string(session.EventChallenged), Session: id, Subject: string(cid), After: row})
	})
	return row, err
}

// checkAllowed checks state, consent, workflow and limits.
func (s *Chips) checkAllowed(ctx context.Context, r Reader, rec session.Record, w idv.WorkflowVersion) error {
	if err := checkTurn(rec); err != nil {
		return err
	}
	if !w.TakesChip() {
		return problem.New(problem.ChipNotAsked)
	}
	if !rec.Consented {
		return problem.New(problem.ConsentMissing)
	}
	total, err := r.CountAttempts(ctx, rec.ID)
	if err != nil {
		return err
	}
	if total >= w.SessionAttempts || rec.Attempts[idv.StepChip] >= w.StepAttempts {
		return problem.New(problem.AttemptsExhausted)
	}
	return nil
}

// Submit takes a chip. The answer is the present task: what the chip is worth is for the checks, and is not told. A repeat of an attempt
// with the same bytes answers as before. What is no whole read of a chip is refused by the code of what is wrong with it, and costs no try.
// Problems besides: those of Challenge, chip.challenge_expired, capture.attempt_reused, request.too_large, request.malformed.
func (s *Chips) Submit(ctx context.Context, id idv.SessionID, sub ChipSubmission) (idv.Task, error) {
	t, err := s.submit(ctx, id, sub)
	return s.captures.challenges.withChallenge(ctx, id, t, err)
}

func (s *Chips) submit(ctx context.Context, id idv.SessionID, sub ChipSubmission) (idv.Task, error) {
	if err := sub.check(); err != nil {
		return idv.Task{}, err
	}
	c, err := s.newCapture(id, sub)
	if err != nil {
		return idv.Task{}, err
	}
	if t, done, err := s.captures.previousAnswer(ctx, s.captures.store, c); done || err != nil {
		return t, err
	}
	files, err := chip.Open(sub.Files)
	if err != nil {
		return idv.Task{}, err
	}
	in := idv.ChipRead{Files: files, Response: sub.Response, ReceivedAt: s.captures.life.Now()}
	if sub.Challenge != "" {
		row, err := s.open(ctx, s.captures.store, id, sub.Challenge)
		if err != nil {
			return idv.Task{}, err
		}
		in.Challenge = row.Bytes
	}
	if c.Bytes, err = idv.PackChip(in); err != nil {
		return idv.Task{}, err
	}
	c.Size = int64(len(c.Bytes))
	return s.save(ctx, c, sub.Challenge)
}

// submitRelayed takes what the server read over a relay. Its challenge was the server's own, drawn during the read.
func (s *Chips) submitRelayed(ctx context.Context, id idv.SessionID, attempt string, read terminal.Result) (idv.Task, error) {
	t, err := s.takeRelayed(ctx, id, attempt, read)
	return s.captures.challenges.withChallenge(ctx, id, t, err)
}

func (s *Chips) takeRelayed(ctx context.Context, id idv.SessionID, attempt string, read terminal.Result) (idv.Task, error) {
	sub := ChipSubmission{Attempt: attempt, Response: read.Response}
	for _, name := range slices.Sorted(maps.Keys(read.Files)) {
		sub.Files = append(sub.Files, read.Files[name])
	}
	files, err := chip.Open(sub.Files)
	if err != nil {
		return idv.Task{}, err
	}
	c, err := s.newCapture(id, sub)
	if err != nil {
		return idv.Task{}, err
	}
	in := idv.ChipRead{Files: files, Challenge: read.Challenge, Response: read.Response, Relayed: true, ReceivedAt: s.captures.life.Now()}
	if a := read.Agreement; a != nil {
		in.Agreement = &idv.ChipAgreement{Protocol: a.Protocol, KeyID: a.KeyID, Secret: a.Secret, Answer: a.Answer}
	}
	if c.Bytes, err = idv.PackChip(in); err != nil {
		return idv.Task{}, err
	}
	c.Size = int64(len(c.Bytes))
	return s.save(ctx, c, "")
}

// check refuses what no app sends that follows the reference, by its field.
func (sub ChipSubmission) check() error {
	switch {
	case !attemptPattern.MatchString(sub.Attempt):
		return session.Malformed("attempt", "1 to 64 letters, digits, hyphens or underscores")
	case len(sub.Files) == 0:
		return session.Malformed("file", "the files of the chip")
	case (sub.Challenge == "") != (len(sub.Response) == 0):
		return session.Malformed("response", "the challenge and the chip's answer to it, or neither")
	case len(sub.Response) > idv.MostChipResponse:
		return problem.New(problem.RequestTooLarge).At("response")
	}
	return nil
}

// newCapture is the capture of a chip, without its bytes. Its digest is that of what was sent.
func (s *Chips) newCapture(id idv.SessionID, sub ChipSubmission) (idv.Capture, error) {
	now := s.captures.life.Now()
	cid, err := idv.NewID[idv.CaptureID](now, s.captures.life.Random())
	if err != nil {
		return idv.Capture{}, err
	}
	h := sha256.New()
	for _, part := range append([][]byte{[]byte(sub.Challenge), sub.Response}, sub.Files...) {
		_, _ = fmt.Fprintf(h, "%d:", len(part))
		_, _ = h.Write(part)
	}
	return idv.Capture{
		ID: cid, Session: id, Step: idv.StepChip, Kind: idv.ChipFiles, Attempt: sub.Attempt, SHA256: idv.Digest(hex.EncodeToString(h.Sum(nil))),
		MediaType: idv.ChipMediaType, CreatedAt: now,
	}, nil
}

// open returns a challenge that can still be answered. Whatever is wrong with it, the problem is chip.challenge_expired.
func (s *Chips) open(ctx context.Context, r session.ChallengeReader, id idv.SessionID, cid idv.ChallengeID) (session.ChipChallengeRow, error) {
	refused := problem.New(problem.ChipChallengeExpired)
	row, err := r.ChipChallenge(ctx, cid)
	if problem.Has(err, problem.NotFound) {
		return row, refused
	}
	if err != nil {
		return row, err
	}
	if row.Session != id || !row.UsedAt.IsZero() || !s.captures.life.Now().Before(row.ExpiresAt) {
		return row, refused
	}
	return row, nil
}

// save writes the bytes, then everything else; see Captures.saveCapture. The challenge is used up, whatever the chip answered.
func (s *Chips) save(ctx context.Context, c idv.Capture, challenge idv.ChallengeID) (t idv.Task, err error) {
	in := sent{CaptureRow: session.CaptureRow{Capture: c, Blob: session.CaptureBlob(c.Session, c.ID)}, original: c.SHA256, stored: true}
	if err := s.captures.pictures.Put(ctx, c.Session, in.Blob, c.Bytes); err != nil {
		return idv.Task{}, err
	}
	kept := false
	var answer error
	err = s.captures.ChangeAsApplicant(ctx, c.Session, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		var done bool
		kept = false
		// The same attempt may have come twice at once, and the other one was first.
		if t, done, answer = s.captures.previousAnswer(ctx, tx, c); done {
			return nil
		}
		if answer != nil {
			return answer
		}
		if err := s.checkAllowed(ctx, tx, *rec, w); err != nil {
			return err
		}
		if challenge != "" {
			if _, err := s.open(ctx, tx, c.Session, challenge); err != nil {
				return err
			}
			if err := tx.CloseChipChallenges(ctx, c.Session, s.captures.life.Now()); err != nil {
				return err
			}
		}
		t, err = s.captures.accept(ctx, tx, rec, w, in)
		kept = err == nil
		return err
	})
	if err == nil {
		err = answer
	}
	if !kept {
		s.captures.life.TryDeleteBlobs(ctx, c.Session, []string{in.Blob})
	}
	return t, err
}
