package figures

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
)

func TestAGapIsWhatNoKeptDayCovers(t *testing.T) {
	at := func(s string) time.Time {
		t.Helper()
		v, err := time.Parse("2006-01-02T15", s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for name, c := range map[string]struct {
		from, to string
		kept     []string
		want     []string
	}{
		"nothing is kept":    {"2026-03-01T00", "2026-03-04T00", nil, []string{"2026-03-01T00", "2026-03-04T00"}},
		"everything is kept": {"2026-03-01T00", "2026-03-03T00", []string{"2026-03-01", "2026-03-02"}, nil},
		"parts of days are counted": {"2026-03-01T07", "2026-03-03T05", []string{"2026-03-01", "2026-03-02", "2026-03-03"}, []string{"2026-03-01T07",
			"2026-03-02T00", "2026-03-03T00", "2026-03-03T05"}},
		"a part of one day": {"2026-03-01T07", "2026-03-01T09", []string{"2026-03-01"}, []string{"2026-03-01T07", "2026-03-01T09"}},
		"days beside one another go along": {"2026-03-01T00", "2026-03-06T00", []string{"2026-03-03"}, []string{"2026-03-01T00", "2026-03-03T00", "2026-03-04T00",
			"2026-03-06T00"}},
	} {
		t.Run(name, func(t *testing.T) {
			kept := map[string][]byte{}
			for _, day := range c.kept {
				kept[day] = nil
			}
			var got []string
			for _, g := range gaps(at(c.from), at(c.to), kept) {
				got = append(got, g.From.Format("2006-01-02T15"), g.To.Format("2006-01-02T15"))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzSumsOfADay(f *testing.F) {
	s := newSums()
	s.tallies[insight.Tally{Workflow: "wfv_1", Country: "UTO", Kind: idv.Passport, Fate: insight.Fate{State: idv.Approved, Opened: true}}] = 300
	s.waits[waitOf{"wfv_1", "UTO", -3}] = 2
	s.reasons[reasonOf{"wfv_1", "UTO", "document.expired"}] = 1
	f.Add(s.Pack())
	f.Add([]byte{})
	f.Add([]byte{0, 255, 255, 255, 255, 15})
	f.Fuzz(func(t *testing.T, raw []byte) {
		got := newSums()
		rows := 0
		err := unpack(raw, func(v insight.Tally, n int) { got.tallies[v] += n; rows++ }, func(v waitOf, n int) { got.waits[v] += n; rows++ },
			func(v reasonOf, n int) { got.reasons[v] += n; rows++ })
		if rows > len(raw) {
			t.Fatalf("%d rows of %d bytes", rows, len(raw))
		}
		if err != nil {
			return
		}
		again := newSums()
		if err := unpack(got.Pack(), func(v insight.Tally, n int) { again.tallies[v] += n }, func(v waitOf, n int) { again.waits[v] += n },
			func(v reasonOf, n int) { again.reasons[v] += n }); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Pack(), again.Pack()) {
			t.Error("what was read and written is read as something else")
		}
	})
}
