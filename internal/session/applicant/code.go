package applicant

import (
	"context"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// A code continues a session in another browser after pictures were sent. Whoever guesses has CodeTries tries at a code and CodesAtOnce
// codes within CodeWindow: 15 in a million.
const (
	CodeDigits  = 6
	CodeLife    = 10 * time.Minute
	CodeTries   = 5
	CodesAtOnce = 3
	CodeWindow  = time.Hour
	codePause   = 30 * time.Second // between two codes
)

// CodeSent says where a code was mailed.
type CodeSent struct {
	Hint      string // the address, shortened so that its owner alone recognises it
	ExpiresAt time.Time
}

// SendCode mails the code with which the link of a session continues it in another browser. A code that was mailed before works no more.
// Problems: not_found; session.bound_elsewhere where no code can be mailed; session.finished; rate.limited.
func (s *Service) SendCode(ctx context.Context, link, language string) (CodeSent, error) {
	found, err := s.store.SessionByLink(ctx, session.HashSecret(link))
	if err != nil {
		return CodeSent{}, err
	}
	ctx = audit.WithActor(ctx, Actor(ctx, found.ID))
	var out CodeSent
	err = s.ChangeAsApplicant(ctx, found.ID, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		how, err := continues(ctx, tx, *rec)
		switch {
		case err != nil:
			return err
		case rec.State.Final():
			return problem.New(problem.SessionFinished)
		case how != ContinuesByProof || !s.life.Mails(rec.Session) || rec.LinkHash != session.HashSecret(link):
			return problem.New(problem.SessionBoundElsewhere)
		}
		code, err := s.newCode(ctx, tx, rec.ID)
		if err != nil {
			return err
		}
		out = CodeSent{Hint: mail.Hint(rec.Email), ExpiresAt: s.life.Now().Add(CodeLife)}
		return s.life.MailApplicant(ctx, tx, *rec, w, mail.Code, mail.Content{Language: language, Code: code, Until: out.ExpiresAt})
	})
	return out, err
}

// newCode draws the code of a locked session and keeps a digest of it. Problems: rate.limited.
func (s *turns) newCode(ctx context.Context, tx session.Tx, id idv.SessionID) (string, error) {
	now := s.life.Now()
	row, err := tx.ResumeCode(ctx, id)
	switch {
	case problem.Has(err, problem.NotFound):
		row = session.CodeRow{Session: id}
	case err != nil:
		return "", err
	}
	if now.Sub(row.FirstMadeAt) >= CodeWindow {
		row.Made, row.FirstMadeAt = 0, now
	}
	if row.Made >= CodesAtOnce || now.Sub(row.MadeAt) < codePause {
		return "", problem.New(problem.RateLimited)
	}
	code, err := drawCode(s.life.Random())
	if err != nil {
		return "", err
	}
	row.Made, row.Tries, row.MadeAt, row.ExpiresAt = row.Made+1, 0, now, now.Add(CodeLife)
	if row.Digest, err = codeDigest(ctx, tx, id, code); err != nil {
		return "", err
	}
	return code, tx.SaveResumeCode(ctx, row)
}

// drawCode draws CodeDigits digits, each code as likely as any other.
func drawCode(random io.Reader) (string, error) {
	const codes = 1_000_000
	for {
		var raw [4]byte
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return "", fmt.Errorf("draw a code: %w", err)
		}
		if n := binary.BigEndian.Uint32(raw[:]); n < (1<<32)/codes*codes {
			return fmt.Sprintf("%0*d", CodeDigits, n%codes), nil
		}
	}
}

func codeDigest(ctx context.Context, tx session.Tx, id idv.SessionID, code string) (string, error) {
	return tx.Sign(ctx, "resume_code", []byte(string(id)+"\x00"+code))
}

// checkCode takes a code of a locked session. It returns false for a wrong one, which has to be kept as a try; in the end no try is left.
// Problems: code.expired where there is no code, or none any more.
func (s *turns) checkCode(ctx context.Context, tx session.Tx, id idv.SessionID, code string) (bool, error) {
	row, err := tx.ResumeCode(ctx, id)
	if problem.Has(err, problem.NotFound) {
		return false, problem.New(problem.CodeExpired)
	}
	if err != nil {
		return false, err
	}
	if row.Digest == "" || row.Tries >= CodeTries || !s.life.Now().Before(row.ExpiresAt) {
		return false, problem.New(problem.CodeExpired)
	}
	digest, err := codeDigest(ctx, tx, id, strings.Map(digitsOnly, code))
	if err != nil {
		return false, err
	}
	right := subtle.ConstantTimeCompare([]byte(digest), []byte(row.Digest)) == 1
	if right {
		row.Digest = ""
	} else {
		row.Tries++
	}
	return right, tx.SaveResumeCode(ctx, row)
}

// digitsOnly drops the spaces that people and mail programs put between digits.
func digitsOnly(r rune) rune {
	if r >= '0' && r <= '9' {
		return r
	}
	if r == ' ' || r == '-' || r == '\u00a0' {
		return -1
	}
	return r
}

// takeOverByCode gives a locked session to another browser that has the code. All hand-offs end.
func (s *Service) takeOverByCode(ctx context.Context, tx session.Tx, rec *session.Record, by Secrets) error {
	if err := s.Handoffs.end(ctx, tx, rec.ID, func(session.HandoffRow) bool { return true }); err != nil {
		return err
	}
	return s.resume(ctx, tx, rec, by, session.ResumedByCode)
}
