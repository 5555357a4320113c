package watchlists

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

type listRow struct {
	bun.BaseModel `bun:"table:watchlists,alias:l"`
	ID            string    `bun:"id"`
	Name          string    `bun:"name"`
	Title         string    `bun:"title"`
	Topics        string    `bun:"topics"`
	Licence       string    `bun:"licence"`
	Source        string    `bun:"source"`
	Every         int64     `bun:"every_s"`
	MaxAge        int64     `bun:"max_age_s"`
	LookFirst     bool      `bun:"look_first"`
	Disabled      bool      `bun:"disabled"`
	CreatedBy     string    `bun:"created_by"`
	CreatedAt     time.Time `bun:"created_at"`
	NextAt        time.Time `bun:"next_at,nullzero"`
	TriedAt       time.Time `bun:"tried_at,nullzero"`
	CheckedAt     time.Time `bun:"checked_at,nullzero"`
	Fault         string    `bun:"fault"`
	Fails         int       `bun:"fails"`
	ETag          string    `bun:"etag"`
	LastModified  string    `bun:"last_modified"`
}

func rowOf(l lists.List) *listRow {
	return &listRow{
		ID: string(l.ID), Name: l.Name, Title: l.Title, Topics: joined(l.Topics), Licence: l.Licence, Source: l.Source,
		Every: seconds(l.Every), MaxAge: seconds(l.MaxAge), LookFirst: l.LookFirst, Disabled: l.Disabled,
		CreatedBy: l.CreatedBy, CreatedAt: l.CreatedAt, NextAt: l.NextAt, TriedAt: l.TriedAt, CheckedAt: l.CheckedAt,
		Fault: string(l.Fault), Fails: l.Fails, ETag: l.ETag, LastModified: l.LastModified,
	}
}

func (r listRow) list() lists.List {
	return lists.List{
		ID: idv.WatchlistID(r.ID), Name: r.Name, CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt.UTC(),
		Settings: lists.Settings{
			Title: r.Title, Topics: split[idv.ScreeningTopic](r.Topics), Licence: r.Licence, Source: r.Source,
			Every: time.Duration(r.Every) * time.Second, MaxAge: time.Duration(r.MaxAge) * time.Second, LookFirst: r.LookFirst, Disabled: r.Disabled,
		},
		Fetching: lists.Fetching{
			NextAt: database.UTC(r.NextAt), TriedAt: database.UTC(r.TriedAt), CheckedAt: database.UTC(r.CheckedAt),
			Fault: lists.Fault(r.Fault), Fails: r.Fails, ETag: r.ETag, LastModified: r.LastModified,
		},
	}
}

func joined[T ~string](in []T) string {
	out := make([]string, len(in))
	for i, v := range in {
		out[i] = string(v)
	}
	return strings.Join(out, " ")
}

func split[T ~string](s string) []T {
	var out []T
	for _, v := range strings.Fields(s) {
		out = append(out, T(v))
	}
	return out
}

// numbers writes numbers with spaces between; numbersOf reads them.
func numbers(all []int) string {
	var out []string
	for _, n := range all {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, " ")
}

func numbersOf(s string) []int {
	var out []int
	for text := range strings.FieldsSeq(s) {
		if n, err := strconv.Atoi(text); err == nil {
			out = append(out, n)
		}
	}
	return out
}

type versionRow struct {
	bun.BaseModel `bun:"table:watchlist_versions,alias:v"`
	ID            string    `bun:"id"`
	List          string    `bun:"watchlist_id"`
	State         string    `bun:"state"`
	Why           string    `bun:"why"`
	Format        string    `bun:"format"`
	SHA256        string    `bun:"sha256"`
	Bytes         int64     `bun:"bytes"`
	Published     time.Time `bun:"published_at,nullzero"`
	Entities      int       `bun:"entities"`
	Persons       int       `bun:"persons"`
	Names         int       `bun:"names"`
	Rejected      int       `bun:"rejected"`
	RejectedRows  string    `bun:"rejected_rows"` // numbers, with spaces between
	Added         int       `bun:"added"`
	Changed       int       `bun:"changed"`
	Removed       int       `bun:"removed"`
	From          string    `bun:"came_by"`
	AddedBy       string    `bun:"added_by"`
	AddedAt       time.Time `bun:"added_at"`
	ActivatedBy   string    `bun:"activated_by"`
	ActivatedAt   time.Time `bun:"activated_at,nullzero"`
	BeatAt        time.Time `bun:"beat_at"`
}

func versionRowOf(v lists.Version) *versionRow {
	return &versionRow{
		ID: string(v.ID), List: string(v.List), State: string(v.State), Why: joined(v.Why), Format: string(v.Summary.Format),
		SHA256: v.Summary.SHA256, Bytes: v.Summary.Bytes, Published: v.Summary.Published, Entities: v.Summary.Entities,
		Persons: v.Summary.Persons, Names: v.Summary.Names, Rejected: v.Summary.Rejected, RejectedRows: numbers(v.Summary.RejectedRows),
		Added: v.Changes.Added, Changed: v.Changes.Changed,
		Removed: v.Changes.Removed, From: string(v.From), AddedBy: v.AddedBy, AddedAt: v.AddedAt, ActivatedBy: v.ActivatedBy,
		ActivatedAt: v.ActivatedAt, BeatAt: v.BeatAt,
	}
}

func (r versionRow) version() lists.Version {
	return lists.Version{
		ID: idv.WatchlistVersionID(r.ID), List: idv.WatchlistID(r.List), State: lists.State(r.State), Why: split[watchlist.Reason](r.Why),
		Summary: watchlist.Summary{
			Format: watchlist.Format(r.Format), SHA256: r.SHA256, Bytes: r.Bytes, Published: database.UTC(r.Published), Entities: r.Entities,
			Persons: r.Persons, Names: r.Names, Rejected: r.Rejected, RejectedRows: numbersOf(r.RejectedRows),
		},
		Changes: watchlist.Counts{Added: r.Added, Changed: r.Changed, Removed: r.Removed},
		From:    lists.From(r.From), AddedBy: r.AddedBy, AddedAt: r.AddedAt.UTC(), ActivatedBy: r.ActivatedBy,
		ActivatedAt: database.UTC(r.ActivatedAt), BeatAt: r.BeatAt.UTC(),
	}
}

// Watchlists implements lists.Reader.
func (r *Reader) Watchlists(ctx context.Context) ([]lists.List, error) {
	var rows []listRow
	if err := r.Conn.NewSelect().Model(&rows).OrderExpr("l.name").Scan(ctx); err != nil {
		return nil, fmt.Errorf("list watchlists: %w", err)
	}
	out := make([]lists.List, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.list())
	}
	return out, nil
}

// Watchlist implements lists.Reader.
func (r *Reader) Watchlist(ctx context.Context, id idv.WatchlistID) (lists.List, error) {
	var row listRow
	if err := r.Conn.NewSelect().Model(&row).Where("l.id = ?", string(id)).Scan(ctx); err != nil {
		return lists.List{}, database.Missing(err, "read a watchlist")
	}
	return row.list(), nil
}

// WatchlistVersions implements lists.Reader.
func (r *Reader) WatchlistVersions(ctx context.Context, list idv.WatchlistID) ([]lists.Version, error) {
	var rows []versionRow
	q := r.Conn.NewSelect().Model(&rows).OrderExpr("v.seq DESC")
	if list != "" {
		q = q.Where("v.watchlist_id = ?", string(list))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("list versions of watchlists: %w", err)
	}
	out := make([]lists.Version, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.version())
	}
	return out, nil
}

// WatchlistVersion implements lists.Reader.
func (r *Reader) WatchlistVersion(ctx context.Context, id idv.WatchlistVersionID) (lists.Version, error) {
	var row versionRow
	if err := r.Conn.NewSelect().Model(&row).Where("v.id = ?", string(id)).Scan(ctx); err != nil {
		return lists.Version{}, database.Missing(err, "read a version of a watchlist")
	}
	return row.version(), nil
}

// AddWatchlist implements lists.Tx.
func (t *Writer) AddWatchlist(ctx context.Context, l lists.List) error {
	return t.EventWriter.Insert(ctx, rowOf(l), "watchlist")
}

// SaveWatchlist implements lists.Tx.
func (t *Writer) SaveWatchlist(ctx context.Context, l lists.List) error {
	if _, err := t.EventWriter.Conn.NewUpdate().Model(rowOf(l)).ExcludeColumn("id", "name", "created_by", "created_at").
		Where("l.id = ?", string(l.ID)).Exec(ctx); err != nil {
		return fmt.Errorf("save a watchlist: %w", err)
	}
	return nil
}

// AddWatchlistVersion implements lists.Tx.
func (t *Writer) AddWatchlistVersion(ctx context.Context, v lists.Version) error {
	return t.EventWriter.Insert(ctx, versionRowOf(v), "version of a watchlist")
}

// SaveWatchlistVersion implements lists.Tx.
func (t *Writer) SaveWatchlistVersion(ctx context.Context, v lists.Version) error {
	if _, err := t.EventWriter.Conn.NewUpdate().Model(versionRowOf(v)).ExcludeColumn("id", "watchlist_id", "added_by", "added_at").
		Where("v.id = ?", string(v.ID)).Exec(ctx); err != nil {
		return fmt.Errorf("save a version of a watchlist: %w", err)
	}
	return nil
}

// RemoveWatchlistVersion implements lists.Tx.
func (t *Writer) RemoveWatchlistVersion(ctx context.Context, id idv.WatchlistVersionID) error {
	if _, err := t.EventWriter.Conn.NewDelete().Model((*versionRow)(nil)).Where("v.id = ?", string(id)).Exec(ctx); err != nil {
		return fmt.Errorf("remove a version of a watchlist: %w", err)
	}
	return nil
}
