package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// SeenReader reads what sessions have in common.
type SeenReader struct{ *database.Reader }

// SeenWriter writes what sessions are found again by, and the block list.
type SeenWriter struct{ *database.Tx }

// SeenMarkRow makes a session be found again by one value, of which it holds a keyed digest.
type SeenMarkRow struct {
	bun.BaseModel `bun:"table:seen_marks,alias:m"`
	Session       string    `bun:"session_id"`
	Kind          string    `bun:"kind"`
	Digest        string    `bun:"digest"`
	Mode          string    `bun:"mode"`
	CreatedAt     time.Time `bun:"created_at"`
}

// linkRow says what two sessions have in common.
type linkRow struct {
	bun.BaseModel `bun:"table:seen_links,alias:l"`
	Session       string    `bun:"session_id"`
	Other         string    `bun:"other_id"`
	Mode          string    `bun:"mode"`
	Same          string    `bun:"same"` // separated by spaces
	Face          string    `bun:"face"`
	Facts         string    `bun:"facts"`
	Refers        bool      `bun:"refers"`
	FoundAt       time.Time `bun:"found_at"`
}

// seenDigest is the keyed digest of a normal form. Its label keeps it apart from the digests that searches use.
func seenDigest(ctx context.Context, r *database.Reader, kind idv.MarkKind, form string) (string, error) {
	k, err := r.DB.Deployment(ctx)
	if err != nil {
		return "", err
	}
	return k.Digest("seen."+string(kind), []byte(form))
}

// KeepMarks implements session.SeenWriter.
func (t *SeenWriter) KeepMarks(ctx context.Context, rec session.Record, kinds []idv.MarkKind, marks []idv.SeenMark) error {
	rows := make([]SeenMarkRow, 0, len(marks))
	digests := []string{""}
	for _, m := range marks {
		digest, err := seenDigest(ctx, &t.Reader, m.Kind, m.Form)
		if err != nil {
			return err
		}
		digests = append(digests, digest)
		rows = append(rows, SeenMarkRow{Session: string(rec.ID), Kind: string(m.Kind), Digest: digest, Mode: string(rec.Mode), CreatedAt: t.DB.Now()})
	}
	_, err := t.Conn.NewDelete().Model((*SeenMarkRow)(nil)).
		Where("session_id = ? AND kind IN (?) AND digest NOT IN (?)", string(rec.ID), bun.List(nonEmpty(kinds...)), bun.List(digests)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("drop the marks of a session: %w", err)
	}
	if len(rows) == 0 {
		return nil
	}
	return t.InsertOnce(ctx, &rows, "session_id, kind, digest", "marks of a session")
}

// KeepNetwork implements session.SeenWriter.
func (t *SeenWriter) KeepNetwork(ctx context.Context, rec session.Record, address netip.Addr) error {
	network, ok := session.Network(address)
	if !ok {
		return nil
	}
	if err := t.noteBlocked(ctx, rec, address); err != nil {
		return err
	}
	allowed, err := (&SeenReader{&t.Reader}).AllowedNetworks(ctx)
	if err != nil {
		return err
	}
	var rows []SeenMarkRow
	add := func(digest string) {
		rows = append(rows, SeenMarkRow{
			Session: string(rec.ID), Kind: string(idv.MarkNetwork), Digest: digest, Mode: string(rec.Mode), CreatedAt: t.DB.Now(),
		})
	}
	if slices.ContainsFunc(allowed, func(p netip.Prefix) bool { return p.Contains(address.Unmap().WithZone("")) }) {
		add(allowedDigest)
		return t.InsertOnce(ctx, &rows, "session_id, kind, digest", "network of a session")
	}
	for _, day := range []time.Time{t.DB.Now(), t.DB.Now().AddDate(0, 0, -1)} { // yesterday's, so that a day is counted across midnight
		k, err := t.DayKeyset(ctx, day)
		if err != nil {
			return err
		}
		digest, err := k.Digest("seen.network", []byte(network.String()))
		if err != nil {
			return err
		}
		add(digest)
	}
	return t.InsertOnce(ctx, &rows, "session_id, kind, digest", "network of a session")
}

// KeepOrigin implements session.SeenWriter. The row holds no digest: what is kept is what rules ask.
func (t *SeenWriter) KeepOrigin(ctx context.Context, rec session.Record, o idv.NetworkOrigin) error {
	text, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("write the origin of a session: %w", err)
	}
	rows := []SeenMarkRow{{
		Session: string(rec.ID), Kind: string(idv.MarkOrigin), Digest: string(text), Mode: string(rec.Mode), CreatedAt: t.DB.Now(),
	}}
	return t.InsertOnce(ctx, &rows, "session_id, kind, digest", "origin of a session")
}

// Origin implements session.SeenReader. Of a session that was opened more than once it is that of the last time.
func (r *SeenReader) Origin(ctx context.Context, id idv.SessionID) (idv.NetworkOrigin, bool, error) {
	var rows []SeenMarkRow
	var out idv.NetworkOrigin
	err := r.Conn.NewSelect().Model(&rows).Where("session_id = ? AND kind = ?", string(id), string(idv.MarkOrigin)).
		OrderExpr("created_at DESC, digest").Limit(1).Scan(ctx)
	if err == nil && len(rows) > 0 {
		err = json.Unmarshal([]byte(rows[0].Digest), &out)
	}
	if err != nil {
		return out, false, fmt.Errorf("read the origin of a session: %w", err)
	}
	return out, len(rows) > 0, nil
}

// allowedDigest stands for every network from which sessions are not counted.
const allowedDigest = "allowed"

// Elsewhere implements session.SeenReader.
func (r *SeenReader) Elsewhere(ctx context.Context, id idv.SessionID, limit int) ([]session.Linked, int, error) {
	found := map[string]*session.Linked{}
	at := func(id string) *session.Linked {
		if found[id] == nil {
			found[id] = &session.Linked{Session: idv.SessionID(id)}
		}
		return found[id]
	}
	if err := r.byMarks(ctx, id, at); err != nil {
		return nil, 0, err
	}
	if err := r.byPictures(ctx, id, at); err != nil {
		return nil, 0, err
	}
	out := make([]session.Linked, 0, len(found))
	for _, l := range found {
		if l.Document || l.Person || l.Picture {
			out = append(out, *l)
		}
	}
	slices.SortFunc(out, func(a, b session.Linked) int { return strings.Compare(string(b.Session), string(a.Session)) })
	return out[:min(limit, len(out))], len(out), nil
}

// mostLinked bounds how many rows are read to find out what sessions have in common.
const mostLinked = 1000

func (r *SeenReader) byMarks(ctx context.Context, id idv.SessionID, at func(string) *session.Linked) error {
	var rows []struct {
		Session string `bun:"session_id"`
		Kind    string `bun:"kind"`
	}
	err := r.Conn.NewSelect().TableExpr("seen_marks AS own").
		Join("JOIN seen_marks AS o ON o.kind = own.kind AND o.digest = own.digest AND o.mode = own.mode AND o.session_id <> own.session_id").
		Join("JOIN sessions AS s ON s.id = o.session_id").
		ColumnExpr("o.session_id AS session_id, o.kind AS kind").
		Where("own.session_id = ? AND own.kind IN (?, ?, ?)", string(id), string(idv.MarkDocument), string(idv.MarkPerson), string(idv.MarkReference)).
		Where("s.erased_at IS NULL AND s.persona = ''").
		GroupExpr("o.session_id, o.kind").OrderExpr("o.session_id DESC").Limit(mostLinked).Scan(ctx, &rows)
	if err != nil {
		return fmt.Errorf("find sessions that share a mark: %w", err)
	}
	for _, row := range rows {
		l := at(row.Session)
		switch idv.MarkKind(row.Kind) {
		case idv.MarkDocument:
			l.Document = true
		case idv.MarkPerson:
			l.Person = true
		case idv.MarkReference:
			l.Reference = true
		}
	}
	return nil
}

// byPictures finds the very same picture in other sessions, by the digest that is kept of each as long as the picture itself.
func (r *SeenReader) byPictures(ctx context.Context, id idv.SessionID, at func(string) *session.Linked) error {
	var ids []string
	err := r.Conn.NewSelect().TableExpr("captures AS own").
		Join("JOIN captures AS o ON o.sha256 = own.sha256 AND o.session_id <> own.session_id").
		Join("JOIN sessions AS s ON s.id = o.session_id").ColumnExpr("DISTINCT o.session_id").
		Where("own.session_id = ? AND own.sha256 <> '' AND NOT own.superseded", string(id)).
		Where("own.kind IN (?)", bun.List([]string{string(idv.DocumentImage), string(idv.FaceImage)})).
		Where("s.mode = (SELECT t.mode FROM sessions AS t WHERE t.id = ?) AND s.erased_at IS NULL AND s.persona = ''", string(id)).
		OrderExpr("o.session_id DESC").Limit(mostLinked).Scan(ctx, &ids)
	if err != nil {
		return fmt.Errorf("find sessions that share a picture: %w", err)
	}
	for _, id := range ids {
		at(id).Picture = true
	}
	return nil
}

// Velocity implements session.SeenReader.
func (r *SeenReader) Velocity(ctx context.Context, id idv.SessionID, now time.Time) (idv.VelocityCounts, error) {
	var out idv.VelocityCounts
	day, hour := now.Add(-idv.VelocityDay), now.Add(-idv.VelocityHour)
	for _, one := range []struct {
		kind  idv.MarkKind
		since time.Time
		to    *int
	}{
		{idv.MarkNetwork, hour, &out.AddressHour}, {idv.MarkNetwork, day, &out.AddressDay}, {idv.MarkDocument, day, &out.Document},
		{idv.MarkPerson, day, &out.Person}, {idv.MarkReference, day, &out.Reference},
	} {
		err := r.Conn.NewSelect().TableExpr("seen_marks AS own").
			Join("JOIN seen_marks AS o ON o.kind = own.kind AND o.digest = own.digest AND o.mode = own.mode").
			ColumnExpr("COUNT(DISTINCT o.session_id)").
			Where("own.session_id = ? AND own.kind = ? AND own.digest <> ?", string(id), string(one.kind), allowedDigest).
			Where("o.created_at > ? AND o.created_at <= ?", one.since, now).Scan(ctx, one.to)
		if err != nil {
			return out, fmt.Errorf("count sessions: %w", err)
		}
	}
	var networks []string
	err := r.Conn.NewSelect().Model((*SeenMarkRow)(nil)).Column("digest").
		Where("session_id = ? AND kind = ?", string(id), string(idv.MarkNetwork)).Scan(ctx, &networks)
	if err != nil {
		return out, fmt.Errorf("read the network of a session: %w", err)
	}
	out.Known, out.Allowed = len(networks) > 0, slices.Contains(networks, allowedDigest)
	return out, nil
}

// PutLinks implements session.SeenWriter.
func (t *SeenWriter) PutLinks(ctx context.Context, rec session.Record, others []idv.SeenOther) error {
	if _, err := t.Conn.NewDelete().Model((*linkRow)(nil)).Where("session_id = ?", string(rec.ID)).Exec(ctx); err != nil {
		return fmt.Errorf("drop the links of a session: %w", err)
	}
	if len(others) == 0 {
		return nil
	}
	rows := make([]linkRow, 0, len(others))
	for _, o := range others {
		rows = append(rows, linkRow{
			Session: string(rec.ID), Other: string(o.Session), Mode: string(rec.Mode), Same: strings.Join(nonEmpty(o.Same...), " "), Face: string(o.Face),
			Facts: string(o.Facts), Refers: o.Refers, FoundAt: t.DB.Now(),
		})
	}
	return t.Insert(ctx, &rows, "links of a session")
}

// Links implements session.SeenReader.
func (r *SeenReader) Links(ctx context.Context, mode idv.Mode, limit int) ([]session.Link, error) {
	return r.links(ctx, limit, "l.mode = ?", string(mode))
}

// LinksOf implements session.SeenReader.
func (r *SeenReader) LinksOf(ctx context.Context, id idv.SessionID) ([]session.Link, error) {
	return r.links(ctx, mostLinked, "? IN (l.session_id, l.other_id)", string(id))
}

func (r *SeenReader) links(ctx context.Context, limit int, where string, args ...any) ([]session.Link, error) {
	var rows []linkRow
	err := r.Conn.NewSelect().Model(&rows).Where(where, args...).OrderExpr("l.found_at DESC, l.session_id, l.other_id").Limit(int64(limit)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list links: %w", err)
	}
	out := make([]session.Link, 0, len(rows))
	for _, row := range rows {
		same := []idv.SeenBy{}
		for by := range strings.FieldsSeq(row.Same) {
			same = append(same, idv.SeenBy(by))
		}
		out = append(out, session.Link{
			Session: idv.SessionID(row.Session), Mode: idv.Mode(row.Mode), FoundAt: database.UTC(row.FoundAt),
			Other: idv.SeenOther{
				Session: idv.SessionID(row.Other), Same: same, Face: idv.FacesCompared(row.Face), Facts: idv.FactsCompared(row.Facts), Refers: row.Refers,
			},
		})
	}
	return out, nil
}

// settingNetworks is the name of the setting of allowed networks.
const settingNetworks = "velocity_networks"

// AllowedNetworks implements session.SeenReader.
func (r *SeenReader) AllowedNetworks(ctx context.Context) ([]netip.Prefix, error) {
	return setting[[]netip.Prefix](ctx, r.Conn, settingNetworks)
}

// SetAllowedNetworks implements session.SeenWriter.
func (t *SeenWriter) SetAllowedNetworks(ctx context.Context, ranges []netip.Prefix) error {
	return saveSetting(ctx, t.Tx, settingNetworks, ranges)
}
