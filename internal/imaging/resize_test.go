package imaging

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// reducedPlainly is resizeRows sample by sample: each source row is reduced across in whole numbers, and the rows are added up in order.
func reducedPlainly(pix []uint8, w, h, ch, nw, nh int, fw, fh float64) []uint8 {
	out := make([]uint8, nw*nh*ch)
	weight := func(s span, k int) uint32 {
		switch k {
		case 0:
			return s.head
		case s.n - 1:
			return s.tail
		}
		return one
	}
	across, down := spans(w, nw, fw), spans(h, nh, fh)
	for i := range out {
		y, x, c := i/ch/nw, i/ch%nw, i%ch
		var sum float32
		for j := range down[y].n {
			var row uint32
			for k := range across[x].n {
				row += uint32(pix[((down[y].first+j)*w+across[x].first+k)*ch+c]) * weight(across[x], k)
			}
			sum += float32(row) * across[x].inv * float32(weight(down[y], j))
		}
		out[i] = uint8(sum*down[y].inv + .5)
	}
	return out
}

func TestResizingAddsUpWhatItsSpansSay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 600 {
		w, h, nw, nh, ch := 1+r.IntN(60), 1+r.IntN(60), 1+r.IntN(70), 1+r.IntN(70), 1+2*(i&1)
		pix := make([]uint8, w*h*ch)
		for k := range pix {
			pix[k] = uint8(r.IntN(256))
		}
		fw, fh := float64(w)-.9*r.Float64(), float64(h)-.9*r.Float64()
		got := resizeRows(func(y int) []uint8 { return pix[y*w*ch : (y+1)*w*ch] }, w, h, ch, nw, nh, fw, fh)
		if !bytes.Equal(got, reducedPlainly(pix, w, h, ch, nw, nh, fw, fh)) {
			t.Fatalf("%d×%d (%.2f×%.2f) of %d channels to %d×%d differs", w, h, fw, fh, ch, nw, nh)
		}
	}
}

func TestHalvingIsTheMeanOfFourPixels(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range [][2]int{{1, 1}, {2, 2}, {7, 5}, {8, 5}, {7, 6}, {1, 9}, {9, 1}} {
		p := NewRGB(size[0], size[1])
		for i := range p.Pix {
			p.Pix[i] = uint8(r.IntN(256))
		}
		got := p.half()
		for i, v := range got.Pix {
			x, y, c := i/3%got.W, i/3/got.W, i%3
			sum := 2
			for k := range 4 {
				sum += int(p.Pix[3*(min(2*y+k/2, p.H-1)*p.W+min(2*x+k%2, p.W-1))+c])
			}
			if int(v) != sum/4 {
				t.Fatalf("%v at %d, %d: got %d, want %d", size, x, y, v, sum/4)
			}
		}
	}
}
