package sandbox

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/openid4vp/testwallet"
	"github.com/bonafide-id/bonafide/internal/session"
)

// AnswerWallet lets the wallet of test mode answer a request of a session by the browser's API. Its credential states what the integrator
// claimed. Problems: session.conflict in live mode; those of applicant.Wallets.AnswerBrowser.
func (s *Service) AnswerWallet(ctx context.Context, id idv.SessionID, request idv.WalletRequestID, choice testwallet.Choice) (idv.Task, error) {
	rec, err := s.store.Session(ctx, id)
	if err != nil {
		return idv.Task{}, err
	}
	if rec.Mode != idv.Test {
		return idv.Task{}, session.Conflict(rec)
	}
	w := testwallet.Wallet{Choice: choice, Facts: rec.Claimed, Now: s.life.Now()}
	return s.applicant.Wallets.AnswerBy(ctx, id, request, func(r *openid4vp.Request) ([]byte, error) { return w.Answer(r) })
}

// present asks the wallet of test mode for what the workflow asks for, and answers as the persona does.
func (s *Service) present(ctx context.Context, id idv.SessionID, choice testwallet.Choice) error {
	asked, err := s.applicant.Wallets.Begin(ctx, id, session.WalletBrowser)
	if err != nil {
		return err
	}
	_, err = s.AnswerWallet(ctx, id, asked.Row.ID, choice)
	return err
}
