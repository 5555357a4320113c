package zone

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/mrz"
)

// odd are values that no softmax gives.
var odd = []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), -1, math.MaxFloat32}

// hostile makes model output of arbitrary bytes, a value each, of any length: the last bytes stand for odd values.
func hostile(raw []byte) frames {
	f := frames{p: make([]float32, len(raw)), step: 4}
	for i, b := range raw {
		f.p[i] = float32(b) / 250
		if int(b) >= 256-len(odd) {
			f.p[i] = odd[255-b]
		}
	}
	return f
}

// FuzzLines reads arbitrary model output as the lines of every format, and as ordinary text.
func FuzzLines(f *testing.F) {
	even := make([]byte, classes*31)
	for i := range even {
		even[i] = byte(i % 7)
	}
	f.Add(even, uint8(3))
	for i := range odd {
		f.Add(append(append([]byte(nil), even...), byte(255-i)), uint8(3))
	}
	f.Add(even[:classes+1], uint8(1))
	f.Fuzz(func(t *testing.T, raw []byte, rows uint8) {
		if len(raw) > classes*120 {
			t.Skip("longer than any line")
		}
		fr := hostile(raw)
		greedy(fr)
		for _, format := range mrz.Formats() {
			n, width := format.Shape()
			if n != int(rows) {
				continue
			}
			all := make([]frames, n)
			for i := range all {
				all[i] = fr
			}
			r, ok := decodeAs(format, all)
			if !ok {
				continue
			}
			r.addPosteriors(all)
			for i, line := range r.lines {
				if len(line) != width || len(r.raw[i]) != width || len(r.conf[i]) != width {
					t.Fatalf("%s: %q has %d characters", format, line, len(line))
				}
			}
			if c := r.confidence(); math.IsNaN(c) || c < 0 || c > 1 {
				t.Errorf("%s: confidence %v", format, c)
			}
			if len(r.lines) == n {
				_, _ = mrz.Parse(r.lines)
			}
		}
	})
}
