package light

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures/lit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
)

func TestARunThatSaysNothingCountsAsUnseen(t *testing.T) {
	r := Judge([]Run{
		{Tone: lit.ToneDark, Lux: 320, Nits: 190, Track: idv.Track{}}, {Trick: lit.Replayed, Tone: lit.ToneDark, Lux: 50, Nits: 500},
	}, liveness.Light().Thresholds)
	want := &Tally{Unseen: 1}
	for name, got := range map[string]*Tally{
		"all": &r.Genuine, "tone": r.ByTone["dark"], "lux": r.ByLux["300 lux"], "nits": r.ByNits["200 nits"], "screen": r.ByView["telephone"],
		"indoors": &r.Usual, "trick": r.Attacks["replayed"],
	} {
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	if m := r.Measured("set", "command", time.Time{}); m.Unseen != (liveness.Count{Count: 1, Of: 1}) || m.Passed["replayed"] != (liveness.Count{Of: 1}) {
		t.Errorf("%+v", m)
	}
}

func TestAFileThatIsNotThereHasNoRuns(t *testing.T) {
	if runs, err := Read(filepath.Join(t.TempDir(), "none")); err != nil || len(runs) != 0 {
		t.Errorf("%v, %v", runs, err)
	}
}
