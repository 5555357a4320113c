package figures

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// Sums of days. A job counts the sessions of each day that is over and keeps the numbers. Whatever changes a session in what
// the numbers are made of removes those of its day, by a trigger and in the same transaction, whoever writes; the job counts
// the day again later, and until then it is counted for whoever asks. So sums are right or not there, and all of them may be
// removed at any time.
//
// A count takes a while, and the day may change meanwhile. So a day is first marked with a token that a change removes as it
// removes sums, and the sums are written only where the token still is. On PostgreSQL a transaction that began before the
// mark was there may have missed it: the count waits for all of those to end.

// DayRow is the sums of a day. Sums is nil while they are being made.
type DayRow struct {
	bun.BaseModel `bun:"table:figure_days,alias:figure_days"`
	Mode          string `bun:"mode"`
	Day           string `bun:"day"`
	Token         string `bun:"token"`
	Format        int    `bun:"format"`
	Sums          []byte `bun:"sums"`
}

// How long one run counts, and how many days it marks at a time.
const (
	sumFor     = 20 * time.Second
	sumAtATime = 31
)

// SumDays counts the days that are over and have no sums, the newest first, for a while; the next run goes on.
func (s *Statistics) SumDays(ctx context.Context) error {
	until := time.Now().Add(sumFor) // of work, not of the sessions' clock
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		lacking, err := s.DaysLacking(ctx, mode)
		if err != nil {
			return err
		}
		for len(lacking) > 0 && time.Now().Before(until) {
			n := min(len(lacking), sumAtATime)
			if err := s.sumDays(ctx, mode, lacking[:n]); err != nil {
				return err
			}
			lacking = lacking[n:]
		}
	}
	return nil
}

// DaysLacking lists the days before today that have no sums, from the first on that has a session, the newest first.
func (s *Statistics) DaysLacking(ctx context.Context, mode idv.Mode) ([]time.Time, error) {
	var first []time.Time
	err := s.db.Read.NewSelect().
		TableExpr("sessions AS s").
		ColumnExpr("s.created_at").
		Where("s.mode = ?", string(mode)).
		OrderExpr("s.created_at").
		Limit(1).
		Scan(ctx, &first)
	if err != nil || len(first) == 0 {
		return nil, database.Wrapped(err, "look for the first day")
	}
	var have []string
	err = s.db.Read.NewSelect().
		Model((*DayRow)(nil)).
		Column("day").
		Where("mode = ? AND format >= ? AND sums IS NOT NULL", string(mode), SumsFormat).
		Scan(ctx, &have)
	if err != nil {
		return nil, fmt.Errorf("look for days that are counted: %w", err)
	}
	kept := make(map[string]bool, len(have))
	for _, day := range have {
		kept[day] = true
	}
	var out []time.Time
	for day := s.db.Now().Truncate(24*time.Hour).AddDate(0, 0, -1); !day.AddDate(0, 0, 1).Before(first[0]); day = day.AddDate(0, 0, -1) {
		if !kept[day.Format(time.DateOnly)] {
			out = append(out, day)
		}
	}
	return out, nil
}

// sumDays counts some days and keeps their sums, but for those that changed meanwhile.
func (s *Statistics) sumDays(ctx context.Context, mode idv.Mode, days []time.Time) error {
	var raw [12]byte
	if _, err := rand.Read(raw[:]); err != nil {
		return fmt.Errorf("mark days: %w", err)
	}
	rows := make([]DayRow, 0, len(days))
	for _, day := range days {
		rows = append(rows, DayRow{Mode: string(mode), Day: day.Format(time.DateOnly), Token: hex.EncodeToString(raw[:]), Format: SumsFormat})
	}
	_, err := s.db.Write.NewInsert().
		Model(&rows).
		On("CONFLICT (mode, day) DO UPDATE").
		Set("token = EXCLUDED.token").
		Set("format = EXCLUDED.format").
		Set("sums = NULL").
		Where("figure_days.sums IS NULL OR figure_days.format < EXCLUDED.format").
		Exec(ctx)
	if err != nil {
		return fmt.Errorf("mark days: %w", err)
	}
	if seen, err := s.waitForWriters(ctx); err != nil || !seen {
		return err // another time
	}
	for i, day := range days {
		counted, err := s.Count(ctx, s.db.Read, mode, Span{day, day.AddDate(0, 0, 1)})
		if err != nil {
			return err
		}
		sums := counted[rows[i].Day]
		if sums == nil {
			sums = newSums()
		}
		rows[i].Sums = sums.Pack()
	}
	return s.KeepSums(ctx, rows)
}

// KeepSums writes the sums of days, unless a session of the day changed since the row was made.
func (s *Statistics) KeepSums(ctx context.Context, rows []DayRow) error {
	for _, row := range rows { // each for itself: nobody waits for two of them
		_, err := s.db.Write.NewUpdate().
			Model((*DayRow)(nil)).
			Set("sums = ?", row.Sums).
			Where("mode = ? AND day = ? AND token = ?", row.Mode, row.Day, row.Token).
			Exec(ctx)
		if err != nil {
			return fmt.Errorf("keep the sums of a day: %w", err)
		}
	}
	return nil
}

// How long transactions under way are waited for.
const (
	settleFor   = 5 * time.Second
	settleEvery = 10 * time.Millisecond
)

// waitForWriters waits until every transaction has ended that was under way when it was called, and reports whether they did.
func (s *Statistics) waitForWriters(ctx context.Context) (bool, error) {
	if s.db.Pool == nil {
		return true, nil // one writer at a time: what was written before the mark is committed
	}
	var mark int64
	if err := s.db.Write.NewRaw("SELECT CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS BIGINT)").Scan(ctx, &mark); err != nil {
		return false, fmt.Errorf("wait for transactions: %w", err)
	}
	for until := time.Now().Add(settleFor); time.Now().Before(until); {
		var done bool
		if err := s.db.Write.NewRaw("SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT) >= ?", mark).Scan(ctx, &done); err != nil {
			return false, fmt.Errorf("wait for transactions: %w", err)
		}
		if done {
			return true, nil
		}
		select {
		case <-ctx.Done():
			return false, fmt.Errorf("wait for transactions: %w", ctx.Err())
		case <-time.After(settleEvery):
		}
	}
	return false, nil
}
