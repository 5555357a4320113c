package optical

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/mrz"
)

// hostile makes model output of arbitrary bytes: four bytes a value, whatever number they are, of any length.
func hostile(raw []byte) frames {
	f := frames{p: make([]float32, 0, len(raw)/4), step: 4}
	for ; len(raw) >= 4; raw = raw[4:] {
		f.p = append(f.p, math.Float32frombits(binary.LittleEndian.Uint32(raw)))
	}
	return f
}

// FuzzLines reads arbitrary model output as the lines of every format, and as ordinary text.
func FuzzLines(f *testing.F) {
	even := make([]byte, 0, 4*classes*60)
	for i := range classes * 60 {
		even = binary.LittleEndian.AppendUint32(even, math.Float32bits(float32(i%7)/7))
	}
	f.Add(even, uint8(2))
	for _, odd := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 1e38} {
		f.Add(binary.LittleEndian.AppendUint32(append([]byte(nil), even...), math.Float32bits(float32(odd))), uint8(3))
	}
	f.Add(even[:4*(classes+1)], uint8(1))
	f.Fuzz(func(t *testing.T, raw []byte, rows uint8) {
		if len(raw) > 4*classes*400 {
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
			r, ok := readAs(format, all)
			if !ok {
				continue
			}
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
