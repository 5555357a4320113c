package credential

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/emrtd/testchip"
)

// heard is what a command has said so far. It is safe for concurrent use.
type heard struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.String()
}

// plays runs chip play and returns the address of its reader.
func plays(t *testing.T, zone string, kind testchip.Choice) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var out heard
	ended := make(chan error, 1)
	go func() { ended <- (&chipPlay{Listen: "127.0.0.1:0", Zone: zone, Kind: kind}).Run(ctx, &out) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the player ended with %v", err)
		}
	})
	address := regexp.MustCompile(`127\.0\.0\.1:\d+`)
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if at := address.FindString(out.String()); at != "" {
			return at
		}
	}
	t.Fatalf("it does not say where the reader is: %q", out.String())
	return ""
}

func TestTheChipOfTestModePlaysInAReader(t *testing.T) {
	d := newDesk(t)
	d.write("zone", []byte(strings.Join(emrtdtest.Zone, "\n")+"\n"))
	d.write("can", []byte(testchip.AccessNumber+"\n"))
	zone := filepath.Join(d.dir, "zone")
	for name, tt := range map[string]struct {
		kind testchip.Choice
		key  string
		says string
	}{
		"by the zone":                     {testchip.Genuine, "zone", "DG2 matches"},
		"by the access number":            {testchip.Genuine, "can", "DG2 matches"},
		"of another name, by the page's":  {testchip.OtherName, "zone", "chip.zone_differs"},
		"one that was changed, by number": {testchip.Changed, "can", "chip.digest_mismatch"},
	} {
		at := plays(t, zone, tt.kind)
		for range 2 { // one reader after the other
			got, said := d.run("chip read --reader " + at + " --key " + tt.key + " --csca csca.cer")
			if got != No || !strings.Contains(said, "trust.anchor_missing") || !strings.Contains(said, tt.says) {
				t.Errorf("%s: answers %d: %s", name, got, said) // nobody but test mode trusts its state
			}
		}
	}
	if err := (&chipPlay{Listen: "127.0.0.1:0", Zone: filepath.Join(d.dir, "can")}).Run(t.Context(), &heard{}); err == nil {
		t.Error("a file without a zone makes a chip")
	}
}
