package applicant

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Answer takes what a wallet posted, and returns where the wallet sends the person next; empty for nowhere. A request is answered once,
// whatever the answer is worth: its key is destroyed, and a second answer is refused. On the same device what was presented counts once
// the browser that asked has shown the code in that address; on another device it counts at once. Problems: wallet.expired, wallet.failed,
// and those of openid4vp for what cannot be opened.
func (s *Wallets) Answer(ctx context.Context, handle string, raw []byte) (next string, err error) {
	row, err := s.byHandle(ctx, s.captures.store, handle)
	if err != nil {
		return "", err
	}
	ctx = audit.WithActor(ctx, Actor(ctx, row.Session))
	if row.Channel == session.WalletSameDevice {
		code, err := s.captures.life.NewSecret()
		if err != nil {
			return "", err
		}
		row.Code, next = session.HashSecret(code), s.options.PublicURL+"/verify/"+string(row.Session)+"#wallet="+code
	}
	row, failed, err := s.claim(ctx, row, raw)
	if err != nil {
		return "", err
	}
	if failed == nil && row.Channel == session.WalletCrossDevice {
		_, err = s.take(ctx, row)
		return "", err
	}
	if problem.Has(failed, problem.WalletDeclined) {
		return next, nil // an answer like any other, for the wallet
	}
	return next, failed
}

// AnswerBrowser takes what the browser's API handed to the page: the credential as JSON. Problems: those of Answer, not_found,
// wallet.declined.
func (s *Wallets) AnswerBrowser(ctx context.Context, id idv.SessionID, rid idv.WalletRequestID, raw []byte) (idv.Task, error) {
	row, err := s.browsers(ctx, id, rid)
	if err != nil {
		return idv.Task{}, err
	}
	row, failed, err := s.claim(ctx, row, raw)
	if err := errors.Join(err, failed); err != nil {
		return idv.Task{}, err
	}
	return s.reply(ctx, id, row)
}

// AnswerBy takes the answer that a function makes of a request by the browser's API, as if the browser had handed it to the page. Problems:
// those of AnswerBrowser.
func (s *Wallets) AnswerBy(
	ctx context.Context, id idv.SessionID, rid idv.WalletRequestID, answer func(*openid4vp.Request) ([]byte, error),
) (idv.Task, error) {
	row, err := s.browsers(ctx, id, rid)
	if err != nil {
		return idv.Task{}, err
	}
	request, err := openid4vp.ParseRequest(row.Sealed.Requests[0])
	if err != nil {
		return idv.Task{}, err
	}
	raw, err := answer(request)
	if err != nil {
		return idv.Task{}, err
	}
	return s.AnswerBrowser(ctx, id, rid, raw)
}

// browsers returns a request of a session by the browser's API that can be answered. Problems: not_found, wallet.expired.
func (s *Wallets) browsers(ctx context.Context, id idv.SessionID, rid idv.WalletRequestID) (session.WalletRequestRow, error) {
	row, err := s.captures.store.WalletRequest(ctx, rid)
	if err == nil && (row.Session != id || row.Channel != session.WalletBrowser) {
		err = problem.New(problem.NotFound)
	}
	if err != nil {
		return row, err
	}
	return s.answerable(row, nil)
}

// Complete takes what a wallet on the same device presented, once the browser that asked shows the code that the wallet was given. The code
// is good once. Problems: wallet.code_refused; that with which the request failed, such as wallet.declined.
func (s *Wallets) Complete(ctx context.Context, id idv.SessionID, code string) (idv.Task, error) {
	row, err := s.captures.store.WalletRequestByCode(ctx, session.HashSecret(code))
	if err != nil && !problem.Has(err, problem.NotFound) {
		return idv.Task{}, err
	}
	switch {
	case err != nil || row.Session != id || row.State != session.WalletAnswered && row.State != session.WalletFailed:
		return idv.Task{}, problem.New(problem.WalletCodeRefused)
	case row.State == session.WalletFailed:
		return idv.Task{}, s.problemOf(row)
	}
	return s.reply(ctx, id, row)
}

func (s *Wallets) reply(ctx context.Context, id idv.SessionID, row session.WalletRequestRow) (idv.Task, error) {
	t, err := s.take(ctx, row)
	return s.captures.challenges.withChallenge(ctx, id, t, err)
}

// Look returns a request of a session as it is now. One that nobody answered in time has ended. Problems: not_found.
func (s *Wallets) Look(ctx context.Context, id idv.SessionID, rid idv.WalletRequestID) (session.WalletRequestRow, error) {
	row, err := s.captures.store.WalletRequest(ctx, rid)
	if err == nil && row.Session != id {
		err = problem.New(problem.NotFound)
	}
	row.Sealed = nil
	if row.State == session.WalletOpen && !s.captures.life.Now().Before(row.ExpiresAt) {
		row.State, row.Problem = session.WalletEnded, problem.WalletExpired.Code
	}
	return row, err
}

// Cancel ends the open request of a session: the person goes on without. Problems: those of ChangeAsApplicant.
func (s *Wallets) Cancel(ctx context.Context, id idv.SessionID) (t idv.Task, err error) {
	err = s.captures.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := tx.EndWalletRequests(ctx, id, s.captures.life.Now()); err != nil {
			return err
		}
		t, err = s.captures.plan(ctx, tx, *rec, w)
		return err
	})
	return s.captures.challenges.withChallenge(ctx, id, t, err)
}

// claim uses a request up, before anybody else does. failed says why its answer is no evidence.
func (s *Wallets) claim(ctx context.Context, row session.WalletRequestRow, raw []byte) (_ session.WalletRequestRow, failed, err error) {
	answer, failed := s.opened(row, raw)
	row.State, row.Sealed = session.WalletAnswered, &session.WalletSealed{Answer: &answer}
	if failed != nil {
		row.State, row.Sealed, row.Problem, row.EndedAt = session.WalletFailed, nil, codeOf(failed), s.captures.life.Now()
	}
	err = s.captures.ChangeAsApplicant(ctx, row.Session, func(ctx context.Context, tx session.Tx, _ *session.Record, _ idv.WorkflowVersion) error {
		if _, err := s.answerable(tx.WalletRequest(ctx, row.ID)); err != nil {
			return err
		}
		if err := tx.SaveWalletRequest(ctx, row); err != nil {
			return err
		}
		if err := tx.Audit(ctx, audit.Record{
			Action: string(session.EventWalletAnswered), Session: row.Session, Subject: string(row.ID), After: row.Problem,
		}); err != nil {
			return err
		}
		payload := map[string]any{"request": row.ID, "channel": row.Channel}
		if row.Problem != "" {
			payload["code"] = row.Problem
		}
		return s.captures.life.Notify(ctx, tx, row.Session, session.EventWalletAnswered, payload)
	})
	return row, failed, err
}

// opened decrypts an answer and reads what is in it. What the presentations are worth is not judged.
func (s *Wallets) opened(row session.WalletRequestRow, raw []byte) (idv.WalletAnswer, error) {
	out := idv.WalletAnswer{ReceivedAt: s.captures.life.Now(), SameDevice: row.Channel != session.WalletCrossDevice}
	var requests []*openid4vp.Request
	for _, kept := range row.Sealed.Requests {
		request, err := openid4vp.ParseRequest(kept)
		if err != nil {
			return out, asProblem(err)
		}
		requests = append(requests, request)
	}
	request, err := openid4vp.Choose(requests, raw)
	if err != nil {
		return out, asProblem(err)
	}
	tokens, code, err := request.Open(raw)
	if why := refusal.Of(err); why != nil && why.Code == openid4vp.WalletError {
		if code == "access_denied" {
			return out, problem.New(problem.WalletDeclined)
		}
		return out, problem.New(problem.WalletFailed)
	}
	if err == nil {
		err = request.CheckMinimal(tokens, out.ReceivedAt)
	}
	if err != nil {
		return out, asProblem(err)
	}
	out.Presentations = request.Pack(tokens)
	out.Request, err = json.Marshal(request.WithoutKey())
	return out, err
}

// codeOf returns the code with which a request fails.
func codeOf(err error) string {
	if p, ok := problem.As(err); ok {
		return p.Kind.Code
	}
	return problem.WalletFailed.Code
}

func (s *Wallets) problemOf(row session.WalletRequestRow) error {
	k, ok := problem.Lookup(row.Problem)
	if !ok || k.Reader != problem.Applicant {
		return problem.New(problem.WalletFailed)
	}
	return problem.New(k)
}

// take makes evidence of an answer: its bytes first, then everything else; see Captures.saveCapture.
func (s *Wallets) take(ctx context.Context, row session.WalletRequestRow) (t idv.Task, err error) {
	c, err := s.newCapture(row)
	if err != nil {
		return idv.Task{}, err
	}
	in := sent{CaptureRow: session.CaptureRow{Capture: c, Blob: session.CaptureBlob(c.Session, c.ID)}, original: c.SHA256, stored: true}
	if err := s.captures.pictures.Put(ctx, c.Session, in.Blob, c.Bytes); err != nil {
		return idv.Task{}, err
	}
	kept := false
	err = s.captures.ChangeAsApplicant(ctx, c.Session, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		kept = false
		now, err := tx.WalletRequest(ctx, row.ID)
		if err != nil {
			return err
		}
		if now.State != session.WalletAnswered {
			return problem.New(problem.WalletCodeRefused)
		}
		if err := checkTurn(*rec); err != nil {
			return err
		}
		now.State, now.EndedAt, now.Sealed = session.WalletTaken, s.captures.life.Now(), nil
		if err := tx.SaveWalletRequest(ctx, now); err != nil {
			return err
		}
		t, err = s.captures.accept(ctx, tx, rec, w, in)
		kept = err == nil
		return err
	})
	if !kept {
		s.captures.life.TryDeleteBlobs(ctx, c.Session, []string{in.Blob})
	}
	return t, err
}

// newCapture is the capture of an answer.
func (s *Wallets) newCapture(row session.WalletRequestRow) (idv.Capture, error) {
	if row.Sealed == nil || row.Sealed.Answer == nil {
		return idv.Capture{}, problem.New(problem.WalletCodeRefused)
	}
	raw, err := idv.PackWallet(*row.Sealed.Answer)
	if err != nil {
		return idv.Capture{}, err
	}
	now := s.captures.life.Now()
	cid, err := idv.NewID[idv.CaptureID](now, s.captures.life.Random())
	if err != nil {
		return idv.Capture{}, err
	}
	return idv.Capture{
		ID: cid, Session: row.Session, Step: idv.StepWallet, Kind: idv.WalletData, Attempt: string(row.ID), SHA256: digestOf(raw),
		Size: int64(len(raw)), MediaType: idv.WalletMediaType, CreatedAt: now, Bytes: raw,
	}, nil
}

// EndOverdue ends requests that nobody answered in time, or whose browser never came back. Their keys go with them.
func (s *Wallets) EndOverdue(ctx context.Context) error {
	return s.captures.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		return tx.ExpireWalletRequests(ctx, s.captures.life.Now())
	})
}
