package store

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// beforeChip undoes the migration of challenges to chips.
var beforeChip = []string{"DROP TABLE chip_challenges", "DELETE FROM schema_versions WHERE version_id = 35"}

// recordChipChallenges: a challenge is read as it was written, and closed once.
func recordChipChallenges(t *testing.T, d *deployment) {
	ctx := t.Context()
	a, b := d.open(t), d.open(t)
	at := d.clock.now().UTC().Truncate(time.Microsecond)
	row := session.ChipChallengeRow{
		ID: "chl_chip", Session: a.id, Bytes: []byte{0, 1, 2, 3, 0xFC, 0xFD, 0xFE, 0xFF}, IssuedAt: at, ExpiresAt: at.Add(idv.ChipChallengeLife),
	}
	within := func(f func(tx session.Tx) error) {
		t.Helper()
		must(t, d.store.InTx(ctx, func(_ context.Context, tx session.Tx) error { return f(tx) }))
	}
	within(func(tx session.Tx) error { return tx.AddChipChallenge(ctx, row) })
	read := func() session.ChipChallengeRow {
		t.Helper()
		got, err := d.store.Together().ChipChallenge(ctx, row.ID)
		must(t, err)
		return got
	}
	got := read()
	if !bytes.Equal(got.Bytes, row.Bytes) || got.Session != a.id || !got.IssuedAt.Equal(at) || !got.ExpiresAt.Equal(row.ExpiresAt) || !got.UsedAt.IsZero() {
		t.Errorf("read %+v, want %+v", got, row)
	}
	within(func(tx session.Tx) error { return tx.CloseChipChallenges(ctx, b.id, at) })
	if !read().UsedAt.IsZero() {
		t.Error("closing those of another session closes it")
	}
	within(func(tx session.Tx) error { return tx.CloseChipChallenges(ctx, a.id, at.Add(time.Second)) })
	within(func(tx session.Tx) error { return tx.CloseChipChallenges(ctx, a.id, at.Add(time.Hour)) })
	if used := read().UsedAt; !used.Equal(at.Add(time.Second)) {
		t.Errorf("used at %v, want when it was first closed", used)
	}
	for id, want := range map[idv.SessionID]int{a.id: 1, b.id: 0} {
		if n, err := d.store.Together().CountChipChallenges(ctx, id); err != nil || n != want {
			t.Errorf("%d challenges, %v, want %d", n, err, want)
		}
	}
	if _, err := d.store.Together().ChipChallenge(ctx, "chl_none"); !problem.Has(err, problem.NotFound) {
		t.Errorf("one that there is not: %v", err)
	}
}
