package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

type walletRow struct {
	bun.BaseModel `bun:"table:wallet_requests"`
	ID            string    `bun:"id"`
	Session       string    `bun:"session_id"`
	Handle        string    `bun:"handle_hash"`
	Channel       string    `bun:"channel"`
	State         string    `bun:"state"`
	Problem       string    `bun:"problem"`
	Code          string    `bun:"code_hash"`
	Sealed        []byte    `bun:"sealed"`
	MadeAt        time.Time `bun:"made_at"`
	ExpiresAt     time.Time `bun:"expires_at"`
	EndedAt       time.Time `bun:"ended_at,nullzero"`
}

// sealWallet makes the row of a request.
func (t *ApplicantWriter) sealWallet(ctx context.Context, r session.WalletRequestRow) (*walletRow, error) {
	row := &walletRow{
		ID: string(r.ID), Session: string(r.Session), Handle: r.Handle, Channel: string(r.Channel), State: string(r.State), Problem: r.Problem,
		Code: r.Code, MadeAt: r.MadeAt, ExpiresAt: r.ExpiresAt, EndedAt: r.EndedAt,
	}
	if r.Sealed == nil {
		return row, nil
	}
	var err error
	row.Sealed, err = t.SealJSON(ctx, r.Session, database.Place("wallet_requests.sealed", row.ID), r.Sealed)
	return row, err
}

// AddWalletRequest implements session.WalletWriter.
func (t *ApplicantWriter) AddWalletRequest(ctx context.Context, r session.WalletRequestRow) error {
	row, err := t.sealWallet(ctx, r)
	if err != nil {
		return err
	}
	return t.Insert(ctx, row, "request to a wallet")
}

// SaveWalletRequest implements session.WalletWriter.
func (t *ApplicantWriter) SaveWalletRequest(ctx context.Context, r session.WalletRequestRow) error {
	row, err := t.sealWallet(ctx, r)
	if err != nil {
		return err
	}
	_, err = t.Conn.NewUpdate().Model(row).Column("state", "problem", "code_hash", "sealed", "ended_at").Where("id = ?", row.ID).Exec(ctx)
	if err != nil {
		return fmt.Errorf("write a request to a wallet: %w", err)
	}
	return nil
}

// EndWalletRequests implements session.WalletWriter.
func (t *ApplicantWriter) EndWalletRequests(ctx context.Context, id idv.SessionID, at time.Time) error {
	return t.endWallets(ctx, at, "session_id = ?", string(id))
}

// ExpireWalletRequests implements session.WalletWriter.
func (t *ApplicantWriter) ExpireWalletRequests(ctx context.Context, at time.Time) error {
	return t.endWallets(ctx, at, "expires_at <= ?", at)
}

func (t *ApplicantWriter) endWallets(ctx context.Context, at time.Time, where string, value any) error {
	_, err := t.Conn.NewUpdate().Model((*walletRow)(nil)).Set("state = ?", string(session.WalletEnded)).Set("sealed = NULL").Set("ended_at = ?", at).
		Where("state IN (?)", bun.List([]string{string(session.WalletOpen), string(session.WalletAnswered)})).Where(where, value).Exec(ctx)
	if err != nil {
		return fmt.Errorf("end requests to wallets: %w", err)
	}
	return nil
}

// WalletRequest implements session.WalletReader.
func (r *ApplicantReader) WalletRequest(ctx context.Context, id idv.WalletRequestID) (session.WalletRequestRow, error) {
	return r.walletBy(ctx, "id = ?", string(id))
}

// WalletRequestByHandle implements session.WalletReader.
func (r *ApplicantReader) WalletRequestByHandle(ctx context.Context, hash string) (session.WalletRequestRow, error) {
	return r.walletBy(ctx, "handle_hash = ?", hash)
}

// WalletRequestByCode implements session.WalletReader.
func (r *ApplicantReader) WalletRequestByCode(ctx context.Context, hash string) (session.WalletRequestRow, error) {
	return r.walletBy(ctx, "code_hash = ? AND code_hash <> ''", hash)
}

func (r *ApplicantReader) walletBy(ctx context.Context, where, value string) (session.WalletRequestRow, error) {
	var row walletRow
	if err := r.Conn.NewSelect().Model(&row).Where(where, value).Scan(ctx); err != nil {
		return session.WalletRequestRow{}, database.Missing(err, "read a request to a wallet")
	}
	out := row.request()
	if len(row.Sealed) == 0 {
		return out, nil
	}
	out.Sealed = &session.WalletSealed{}
	err := r.UnsealJSON(ctx, out.Session, database.Place("wallet_requests.sealed", row.ID), row.Sealed, out.Sealed)
	return out, err
}

// WalletRequests implements session.WalletReader.
func (r *ApplicantReader) WalletRequests(ctx context.Context, id idv.SessionID) ([]session.WalletRequestRow, error) {
	var rows []walletRow
	err := r.Conn.NewSelect().Model(&rows).ExcludeColumn("sealed").Where("session_id = ?", string(id)).OrderExpr("seq").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the requests to wallets: %w", err)
	}
	out := make([]session.WalletRequestRow, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.request())
	}
	return out, nil
}

func (row walletRow) request() session.WalletRequestRow {
	return session.WalletRequestRow{
		ID: idv.WalletRequestID(row.ID), Session: idv.SessionID(row.Session), Handle: row.Handle, Channel: session.WalletChannel(row.Channel),
		State: session.WalletState(row.State), Problem: row.Problem, Code: row.Code,
		MadeAt: row.MadeAt.UTC(), ExpiresAt: row.ExpiresAt.UTC(), EndedAt: database.UTC(row.EndedAt),
	}
}
