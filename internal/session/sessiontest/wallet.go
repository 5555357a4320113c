package sessiontest

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

func (r applicantReader) WalletRequest(_ context.Context, id idv.WalletRequestID) (session.WalletRequestRow, error) {
	return one(r.at().walletRequests, func(w session.WalletRequestRow) bool { return w.ID == id })
}

func (r applicantReader) WalletRequestByHandle(_ context.Context, hash string) (session.WalletRequestRow, error) {
	return one(r.at().walletRequests, func(w session.WalletRequestRow) bool { return w.Handle == hash })
}

func (r applicantReader) WalletRequestByCode(_ context.Context, hash string) (session.WalletRequestRow, error) {
	return one(r.at().walletRequests, func(w session.WalletRequestRow) bool { return w.Code == hash && hash != "" })
}

func (r applicantReader) WalletRequests(_ context.Context, id idv.SessionID) ([]session.WalletRequestRow, error) {
	rows := where(r.at().walletRequests, func(w session.WalletRequestRow) bool { return w.Session == id })
	for i := range rows {
		rows[i].Sealed = nil
	}
	return rows, nil
}

func (w applicantWriter) AddWalletRequest(_ context.Context, r session.WalletRequestRow) error {
	w.next.walletRequests = append(w.next.walletRequests, r)
	return nil
}

func (w applicantWriter) EndWalletRequests(_ context.Context, id idv.SessionID, at time.Time) error {
	w.endWallets(at, func(r session.WalletRequestRow) bool { return r.Session == id })
	return nil
}

func (w applicantWriter) ExpireWalletRequests(_ context.Context, at time.Time) error {
	w.endWallets(at, func(r session.WalletRequestRow) bool { return !r.ExpiresAt.After(at) })
	return nil
}

func (w applicantWriter) endWallets(at time.Time, which func(session.WalletRequestRow) bool) {
	open := func(r session.WalletRequestRow) bool {
		return which(r) && (r.State == session.WalletOpen || r.State == session.WalletAnswered)
	}
	update(w.next.walletRequests, open, func(r *session.WalletRequestRow) {
		r.State, r.EndedAt, r.Sealed = session.WalletEnded, at, nil
	})
}

func (w applicantWriter) SaveWalletRequest(_ context.Context, r session.WalletRequestRow) error {
	update(w.next.walletRequests, func(o session.WalletRequestRow) bool { return o.ID == r.ID }, func(o *session.WalletRequestRow) {
		o.State, o.Problem, o.Code, o.EndedAt, o.Sealed = r.State, r.Problem, r.Code, r.EndedAt, r.Sealed
	})
	return nil
}
