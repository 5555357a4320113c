package sessions

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// BlockRow is an entry of the block list.
type BlockRow struct {
	bun.BaseModel `bun:"table:block_entries,alias:b"`
	ID            string    `bun:"id"`
	Mode          string    `bun:"mode"`
	Kind          string    `bun:"kind"`
	Declines      bool      `bun:"declines"`
	Reason        string    `bun:"reason"`
	Hint          string    `bun:"hint"`
	Session       string    `bun:"from_session"`
	Until         time.Time `bun:"valid_until"`
	AddedBy       string    `bun:"added_by"`
	AddedAt       time.Time `bun:"added_at"`
	ConfirmedBy   string    `bun:"confirmed_by"`
	ConfirmedAt   time.Time `bun:"confirmed_at,nullzero"`
	RemovedBy     string    `bun:"removed_by"`
	RemovedAt     time.Time `bun:"removed_at,nullzero"`
}

// BlockDigestRow is one normal form that an entry is about, as a keyed digest.
type BlockDigestRow struct {
	bun.BaseModel `bun:"table:block_digests,alias:d"`
	Entry         string `bun:"entry_id"`
	Kind          string `bun:"kind"`
	Digest        string `bun:"digest"`
}

// markOf is the kind of mark whose digests an entry has: a session that carries such a mark matches it.
var markOf = map[idv.BlockKind]idv.MarkKind{
	idv.BlockDocument: idv.MarkDocument, idv.BlockPerson: idv.MarkPerson, idv.BlockContact: idv.MarkContact, idv.BlockAddress: idv.MarkBlocked,
}

// inForce is the condition of entries that count at a time.
const inForce = "b.removed_at IS NULL AND b.valid_until > ?"

func blockRowOf(e session.BlockEntry) *BlockRow {
	return &BlockRow{
		ID: string(e.ID), Mode: string(e.Mode), Kind: string(e.Kind), Declines: e.Declines, Reason: e.Reason, Hint: e.Hint, Session: string(e.Session),
		Until: e.Until, AddedBy: e.AddedBy, AddedAt: e.AddedAt, ConfirmedBy: e.ConfirmedBy, ConfirmedAt: e.ConfirmedAt,
		RemovedBy: e.RemovedBy, RemovedAt: e.RemovedAt,
	}
}

func (row BlockRow) entry() session.BlockEntry {
	return session.BlockEntry{
		ID: idv.BlockEntryID(row.ID), Mode: idv.Mode(row.Mode), Kind: idv.BlockKind(row.Kind), Declines: row.Declines, Reason: row.Reason, Hint: row.Hint,
		Session: idv.SessionID(row.Session), Until: database.UTC(row.Until), AddedBy: row.AddedBy, AddedAt: database.UTC(row.AddedAt),
		ConfirmedBy: row.ConfirmedBy, ConfirmedAt: database.UTC(row.ConfirmedAt), RemovedBy: row.RemovedBy, RemovedAt: database.UTC(row.RemovedAt),
	}
}

// AddBlock implements session.BlockWriter.
func (t *SeenWriter) AddBlock(ctx context.Context, e session.BlockEntry, forms []string) error {
	if _, err := t.Conn.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'block_list'"); err != nil {
		return fmt.Errorf("lock the block list: %w", err)
	}
	if e.Kind == idv.BlockFace {
		return t.addFace(ctx, e)
	}
	kind := markOf[e.Kind]
	rows := make([]BlockDigestRow, 0, len(forms))
	digests := make([]string, 0, len(forms))
	for _, form := range forms {
		digest, err := seenDigest(ctx, &t.Reader, kind, form)
		if err != nil {
			return err
		}
		digests = append(digests, digest)
		rows = append(rows, BlockDigestRow{Entry: string(e.ID), Kind: string(kind), Digest: digest})
	}
	n, err := t.Conn.NewSelect().Model((*BlockRow)(nil)).Join("JOIN block_digests AS d ON d.entry_id = b.id").
		Where("d.kind = ? AND d.digest IN (?) AND b.mode = ?", string(kind), bun.List(digests), string(e.Mode)).Where(inForce, t.DB.Now()).Count(ctx)
	if err != nil {
		return fmt.Errorf("look for an entry of the block list: %w", err)
	}
	if n > 0 {
		return problem.New(problem.BlocklistExists)
	}
	if err := t.Insert(ctx, blockRowOf(e), "entry of the block list"); err != nil {
		return err
	}
	return t.InsertOnce(ctx, &rows, "entry_id, digest", "digests of the block list")
}

// SaveBlock implements session.BlockWriter.
func (t *SeenWriter) SaveBlock(ctx context.Context, e session.BlockEntry) error {
	n, err := database.Affected(t.Conn.NewUpdate().Model((*BlockRow)(nil)).
		Set("confirmed_by = ?", e.ConfirmedBy).Set("confirmed_at = ?", bun.NullTime{Time: e.ConfirmedAt}).
		Set("removed_by = ?", e.RemovedBy).Set("removed_at = ?", bun.NullTime{Time: e.RemovedAt}).
		Where("b.id = ? AND b.removed_at IS NULL AND b.confirmed_by IN ('', ?)", string(e.ID), e.ConfirmedBy).Exec(ctx))
	if err == nil && n == 0 {
		return problem.New(problem.BlocklistConflict)
	}
	if err != nil || e.RemovedAt.IsZero() {
		return err
	}
	if _, err := t.Conn.NewDelete().Model((*BlockDigestRow)(nil)).Where("entry_id = ?", string(e.ID)).Exec(ctx); err != nil {
		return fmt.Errorf("drop the digests of an entry: %w", err)
	}
	return nil
}

// Block implements session.BlockReader.
func (r *SeenReader) Block(ctx context.Context, id idv.BlockEntryID) (session.BlockEntry, error) {
	var row BlockRow
	if err := r.Conn.NewSelect().Model(&row).Where("b.id = ?", string(id)).Scan(ctx); err != nil {
		return session.BlockEntry{}, database.Missing(err, "read an entry of the block list")
	}
	return row.entry(), nil
}

// Blocks implements session.BlockReader.
func (r *SeenReader) Blocks(ctx context.Context, mode idv.Mode, before idv.BlockEntryID, limit int) ([]session.BlockEntry, error) {
	var rows []BlockRow
	q := r.Conn.NewSelect().Model(&rows).Where("b.mode = ?", string(mode)).OrderExpr("b.seq DESC").Limit(int64(limit))
	if before != "" {
		q = q.Where("b.seq < COALESCE((SELECT x.seq FROM block_entries AS x WHERE x.id = ?), 0)", string(before))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("list the block list: %w", err)
	}
	out := make([]session.BlockEntry, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.entry())
	}
	return out, nil
}

// BlockedBy implements session.SeenReader.
func (r *SeenReader) BlockedBy(ctx context.Context, id idv.SessionID, now time.Time) ([]idv.BlockedBy, error) {
	var rows []BlockRow
	err := r.Conn.NewSelect().Model(&rows).
		Where(`b.id IN (SELECT d.entry_id FROM block_digests AS d JOIN seen_marks AS m ON m.kind = d.kind AND m.digest = d.digest
			WHERE m.session_id = ?)`, string(id)).
		Where("b.mode = (SELECT s.mode FROM sessions AS s WHERE s.id = ?)", string(id)).Where(inForce, now).OrderExpr("b.seq").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("look a session up on the block list: %w", err)
	}
	var out []idv.BlockedBy
	for _, row := range rows {
		out = append(out, idv.BlockedBy{
			Entry: idv.BlockEntryID(row.ID), Kind: idv.BlockKind(row.Kind), Declines: row.Declines && row.ConfirmedBy != "" && row.ConfirmedBy != row.AddedBy,
		})
	}
	return out, nil
}

// noteBlocked marks a session with the entries whose address range its applicant comes from.
func (t *SeenWriter) noteBlocked(ctx context.Context, rec session.Record, address netip.Addr) error {
	var entries []BlockRow
	err := t.Conn.NewSelect().Model(&entries).Where("b.mode = ? AND b.kind = ?", string(rec.Mode), string(idv.BlockAddress)).
		Where(inForce, t.DB.Now()).Scan(ctx)
	if err != nil {
		return fmt.Errorf("look an address up on the block list: %w", err)
	}
	var rows []SeenMarkRow
	for _, e := range entries {
		p, err := netip.ParsePrefix(e.Hint)
		if err != nil || !p.Contains(address.Unmap().WithZone("")) {
			continue
		}
		digest, err := seenDigest(ctx, &t.Reader, idv.MarkBlocked, e.Hint)
		if err != nil {
			return err
		}
		rows = append(rows, SeenMarkRow{
			Session: string(rec.ID), Kind: string(idv.MarkBlocked), Digest: digest, Mode: string(rec.Mode), CreatedAt: t.DB.Now(),
		})
	}
	if len(rows) == 0 {
		return nil
	}
	return t.InsertOnce(ctx, &rows, "session_id, kind, digest", "blocked network of a session")
}

// DropForgotten removes what sessions were counted by from networks more than a day ago with the keys of those days, and the
// entries of the block list whose time was over a while ago.
func DropForgotten(ctx context.Context, db *database.DB) error {
	now := db.Now()
	old := now.Add(-idv.VelocityDay - time.Hour)
	_, err := db.Write.NewDelete().Model((*SeenMarkRow)(nil)).Where("kind = ? AND created_at < ?", string(idv.MarkNetwork), old).Exec(ctx)
	if err != nil {
		return fmt.Errorf("forget networks: %w", err)
	}
	if err := db.DropDayKeysets(ctx, now.AddDate(0, 0, -1)); err != nil {
		return err
	}
	over := "removed_at < ? OR valid_until < ?"
	kept := now.Add(-blockKept)
	_, err = db.Write.NewDelete().Model((*BlockDigestRow)(nil)).Where("entry_id IN (SELECT id FROM block_entries WHERE valid_until < ?)", now).Exec(ctx)
	if err != nil {
		return fmt.Errorf("forget what was on the block list: %w", err)
	}
	if _, err := db.Write.NewDelete().Model((*BlockRow)(nil)).Where(over, kept, kept).Exec(ctx); err != nil {
		return fmt.Errorf("forget entries of the block list: %w", err)
	}
	return dropFaceless(ctx, db)
}

// blockKept is how long it can be seen that there was an entry: its digests go at once.
const blockKept = 90 * 24 * time.Hour
