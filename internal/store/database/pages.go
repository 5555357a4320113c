package database

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Pages is what a look at every page of the database found.
type Pages struct {
	At    time.Time // when it ended; zero for never
	Took  time.Duration
	Found string // what is damaged, by table and page; empty for nothing
}

// Pages returns what was last found, here or by another process. It is zero on PostgreSQL, which checks pages as it reads them.
func (d *DB) Pages() Pages {
	if p := d.health.pages.Load(); p != nil {
		return *p
	}
	return Pages{}
}

// mostDamage is how many faults one check tells of.
const mostDamage = 3

// CheckPages reads the whole database, from a connection of its own that holds up no writer, and keeps what it found (PRAGMA
// quick_check). The write-ahead log can grow meanwhile. It does nothing on PostgreSQL.
func (d *DB) CheckPages(ctx context.Context) (Pages, error) {
	if d.Pool != nil {
		return Pages{}, nil
	}
	begun := time.Now()
	found, err := quickCheck(ctx, d.File)
	if err != nil {
		return Pages{}, err
	}
	p := Pages{At: d.Now(), Took: time.Since(begun), Found: found}
	d.health.pages.Store(&p)
	return p, d.saveHealth(ctx, healthRow{Name: healthPages, At: p.At, TookMS: p.Took.Milliseconds(), Found: p.Found})
}

// quickCheck returns what is damaged in a database; empty for nothing.
func quickCheck(ctx context.Context, file string) (string, error) {
	params := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)", "query_only(1)"}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath(), RawQuery: params.Encode()}).String())
	if err != nil {
		return "", fmt.Errorf("open the database to check it: %w", err)
	}
	defer func() { _ = db.Close() }()
	found, err := queryTexts(ctx, db, fmt.Sprintf("PRAGMA quick_check(%d)", mostDamage))
	switch {
	case IsDamaged(err):
		return "the file is no whole database", nil
	case err != nil:
		return "", fmt.Errorf("check the pages of the database: %w", err)
	case len(found) == 1 && found[0] == "ok":
		return "", nil
	}
	return strings.Join(found, "; "), nil
}

// queryTexts returns the only column of a result.
func queryTexts(ctx context.Context, db *sql.DB, query string) ([]string, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		out = append(out, strings.Join(strings.Fields(text), " "))
	}
	return out, rows.Err()
}

// loadPages takes over what another process found.
func (d *DB) loadPages(ctx context.Context) error {
	if d.Pool != nil {
		return nil
	}
	var rows []healthRow
	if err := d.Read.NewSelect().Model(&rows).Where("name = ?", healthPages).Scan(ctx); err != nil {
		return fmt.Errorf("read how the storage is: %w", err)
	}
	if len(rows) == 1 && rows[0].At.After(d.Pages().At) {
		d.health.pages.Store(&Pages{At: UTC(rows[0].At), Took: time.Duration(rows[0].TookMS) * time.Millisecond, Found: rows[0].Found})
	}
	return nil
}

// againAfter is the longest pause after a check that found damage, or that could not be made.
const againAfter = 10 * time.Minute

// WatchPages checks the pages every so often until the context ends: of all processes with this database the first that it is due
// for. Damage that was found before is looked for at once. It returns at once on PostgreSQL, and where every is zero.
func (d *DB) WatchPages(ctx context.Context, every time.Duration) {
	if d.Pool != nil || every <= 0 {
		return
	}
	_ = d.loadPages(ctx) // where it fails, nothing was found yet
	pause := every - d.Now().Sub(d.Pages().At)
	if d.Pages().Found != "" {
		pause = 0
	}
	for wait(ctx, pause) {
		_ = d.loadPages(ctx)
		before := d.Pages()
		if pause = every - d.Now().Sub(before.At); pause > 0 && before.Found == "" {
			continue // another process did it
		}
		p, err := d.CheckPages(ctx)
		pause = every
		switch {
		case err != nil && ctx.Err() != nil:
			return
		case p.Found != "":
			pause = min(every, againAfter)
			d.Logger.ErrorContext(ctx, "pages of the database are damaged: restore a backup", "found", p.Found, "took_ms", p.Took.Milliseconds())
		case err != nil:
			pause = min(every, againAfter)
			d.Logger.WarnContext(ctx, "the pages of the database cannot be checked", "error", err)
		case before.Found != "":
			d.Logger.InfoContext(ctx, "the pages of the database are whole again", "took_ms", p.Took.Milliseconds())
		}
	}
}

// wait reports whether a pause went by before the context ended.
func wait(ctx context.Context, pause time.Duration) bool {
	t := time.NewTimer(max(pause, 0))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
