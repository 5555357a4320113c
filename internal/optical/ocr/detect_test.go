package ocr

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

func TestInkInColoursFadesAndBlackPrintStays(t *testing.T) {
	p := imaging.NewRGB(4, 1)
	copy(p.Pix, []uint8{230, 232, 236, 20, 18, 22, 220, 60, 70, 60, 90, 210}) // paper, black, red, blue
	got := fade(p)
	paper, black := int(got.Pix[0]), int(got.Pix[3])
	if black > 25 || paper < 225 {
		t.Errorf("paper %d and black %d, want them as they were", paper, black)
	}
	for i, name := range []string{"red", "blue"} {
		o := 6 + 3*i
		before := luma(p.Pix[o:])
		after := luma(got.Pix[o:])
		if lost, left := 233-before, 233-after; 3*left > 2*lost {
			t.Errorf("%s stands %d greys from the paper, before %d: want less than two thirds", name, left, lost)
		}
	}
	if p.Pix[6] != 220 || p.Pix[7] != 60 {
		t.Error("the picture itself was changed")
	}
}

func luma(c []uint8) int { return (299*int(c[0]) + 587*int(c[1]) + 114*int(c[2])) / 1000 }
