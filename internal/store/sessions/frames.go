package sessions

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Frames are found again by marks. A digest whose bits may differ in a few places cannot be looked up by its keyed digest,
// which differs wholly then. So a frame has several marks, each the keyed digest of some of its bits: a frame that differs
// in 14 of 256 bits shares a given mark with probability (242/256)^20 = 0.32 and one of twelve with 0.99, also where all
// frames of a run differ in the same bits; one of 20 that differ each in their own way practically always. A shared mark makes
// a capture a candidate; its digests, opened under its own session's key, are compared bit by bit by whoever asked. Which bits
// a mark is made of depends on the deployment's key, too.
const (
	markTables = 12
	markBits   = 20
	markSize   = 8  // bytes kept of a mark: enough that a billion of them rarely meet by chance
	markFrames = 24 // of a run have marks; all of them are looked up
)

// MarkRow is a mark by which a frame is found again.
type MarkRow struct {
	bun.BaseModel `bun:"table:frame_marks"`
	Session       string `bun:"session_id"`
	Capture       string `bun:"capture_id"`
	Mark          []byte `bun:"mark"`
}

// EarlierFrames implements session.EvidenceWriter.
func (t *EvidenceWriter) EarlierFrames(ctx context.Context, c session.CaptureRow, digests [][]byte) ([]session.EarlierFrames, error) {
	if len(digests) == 0 {
		return nil, nil
	}
	if _, err := t.Conn.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'frames'"); err != nil {
		return nil, fmt.Errorf("lock the marks of frames: %w", err)
	}
	marks, err := t.marks(ctx, digests)
	if err != nil {
		return nil, err
	}
	found, err := t.candidates(ctx, c.ID, marks)
	if err != nil {
		return nil, err
	}
	kept, err := t.marked(ctx, c.ID, digests)
	if err != nil {
		return nil, err
	}
	if marks, err = t.marks(ctx, kept); err != nil {
		return nil, err
	}
	rows := make([]MarkRow, 0, len(marks))
	for _, m := range marks {
		rows = append(rows, MarkRow{Session: string(c.Session), Capture: string(c.ID), Mark: m})
	}
	return found, t.Insert(ctx, &rows, "marks of frames")
}

// marked chooses the frames of a capture that have marks. Nobody without the key knows which: a replay cannot leave out just
// these.
func (t *EvidenceWriter) marked(ctx context.Context, c idv.CaptureID, digests [][]byte) ([][]byte, error) {
	if len(digests) <= markFrames {
		return digests, nil
	}
	k, err := t.DB.Deployment(ctx)
	if err != nil {
		return nil, err
	}
	order := map[string][]byte{}
	for i, d := range digests {
		place, err := k.Digest("frames.marked", []byte(string(c)+" "+strconv.Itoa(i)))
		if err != nil {
			return nil, err
		}
		order[place] = d
	}
	var out [][]byte
	for _, place := range slices.Sorted(maps.Keys(order))[:markFrames] {
		out = append(out, order[place])
	}
	return out, nil
}

// marks computes the marks of frames whose digests are of one size, each once.
func (t *EvidenceWriter) marks(ctx context.Context, digests [][]byte) ([][]byte, error) {
	k, err := t.DB.Deployment(ctx)
	if err != nil {
		return nil, err
	}
	var out [][]byte
	seen := map[string]bool{}
	for table := range markTables {
		name := "frames." + strconv.Itoa(table)
		places, err := markPlaces(k, name, len(digests[0])*8)
		if err != nil {
			return nil, err
		}
		for _, d := range digests {
			m, err := mark(k, name, d, places)
			if err != nil {
				return nil, err
			}
			if !seen[string(m)] {
				seen[string(m)] = true
				out = append(out, m)
			}
		}
	}
	return out, nil
}

// mark is the keyed digest of the bits of d at places.
func mark(k *vault.Keyset, name string, d []byte, places []int) ([]byte, error) {
	chosen := make([]byte, len(places))
	for i, at := range places {
		if at/8 < len(d) {
			chosen[i] = d[at/8] >> (at % 8) & 1
		}
	}
	sum, err := k.Digest(name, chosen)
	if err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(sum)
	if err != nil {
		return nil, fmt.Errorf("mark a frame: %w", err)
	}
	return raw[:markSize], nil
}

// markPlaces chooses the bits of a table, the same ones for ever.
func markPlaces(k *vault.Keyset, name string, size int) ([]int, error) {
	var out []int
	taken := map[int]bool{}
	for block := 0; len(out) < min(markBits, size); block++ {
		sum, err := k.Digest(name+".places", []byte(strconv.Itoa(block)))
		if err != nil {
			return nil, err
		}
		raw, err := hex.DecodeString(sum)
		if err != nil {
			return nil, fmt.Errorf("place the marks of frames: %w", err)
		}
		for i := 0; i+1 < len(raw) && len(out) < min(markBits, size); i += 2 {
			if at := int(binary.BigEndian.Uint16(raw[i:])) % size; !taken[at] {
				taken[at] = true
				out = append(out, at)
			}
		}
	}
	return out, nil
}

// candidates reads the captures that share the most marks with these, and their digests. What was erased has none.
func (t *EvidenceWriter) candidates(ctx context.Context, except idv.CaptureID, marks [][]byte) ([]session.EarlierFrames, error) {
	var hits []struct {
		Session string `bun:"session_id"`
		Capture string `bun:"capture_id"`
	}
	err := t.Conn.NewSelect().Model((*MarkRow)(nil)).Column("session_id", "capture_id").
		Where("mark IN (?)", bun.List(marks)).Where("capture_id <> ?", string(except)).
		GroupExpr("session_id, capture_id").OrderExpr("COUNT(*) DESC, capture_id").Limit(session.EarlierLimit).Scan(ctx, &hits)
	if err != nil {
		return nil, fmt.Errorf("look for earlier frames: %w", err)
	}
	var out []session.EarlierFrames
	for _, h := range hits {
		digests, err := t.DigestsOf(ctx, idv.SessionID(h.Session), h.Capture)
		if problem.Has(err, problem.SessionErased) || problem.Has(err, problem.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, session.EarlierFrames{Capture: idv.CaptureID(h.Capture), Digests: digests})
	}
	return out, nil
}

// DigestsOf returns the digests of the frames of a capture.
func (t *EvidenceWriter) DigestsOf(ctx context.Context, id idv.SessionID, capture string) ([][]byte, error) {
	var row ArtifactRow
	err := t.Conn.NewSelect().Model(&row).Where("capture_id = ? AND kind = ?", capture, string(idv.ArtifactFrameDigests)).Scan(ctx)
	if err != nil {
		return nil, database.Missing(err, "read the digests of frames")
	}
	k, err := t.Keyset(ctx, id, vault.Pictures)
	if err != nil {
		return nil, err
	}
	raw, err := k.Unseal(database.Place("artifacts.data", row.ID), row.Data)
	if err != nil {
		return nil, err
	}
	var d idv.FrameDigests
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, fmt.Errorf("decode the digests of frames: %w", err)
	}
	return d.Digests, nil
}

// EraseMarks removes what a session's frames could be found by: unlike what is sealed, it does not go with the key.
func EraseMarks(ctx context.Context, db bun.IDB, id idv.SessionID) error {
	if _, err := db.NewDelete().Model((*MarkRow)(nil)).Where("session_id = ?", string(id)).Exec(ctx); err != nil {
		return fmt.Errorf("erase the marks of frames: %w", err)
	}
	return nil
}
