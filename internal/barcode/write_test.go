package barcode

import (
	"context"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// printed are the modules as a picture with so many pixels a module, rows three modules high, quiet zone included.
func printed(m Modules, pixels int) *imaging.Gray {
	const quiet, high = 4, 3
	g := imaging.NewGray((m.W+2*quiet)*pixels, (m.H*high+2*quiet)*pixels)
	for y := range g.H {
		for x := range g.W {
			g.Pix[y*g.W+x] = 255
			if my := y/pixels - quiet; my >= 0 && m.At(x/pixels-quiet, my/high) {
				g.Pix[y*g.W+x] = 0
			}
		}
	}
	return g
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		text           string
		columns, level int
	}{
		"a licence":                {licence, 8, 5},
		"one column":               {"SPECIMEN", 1, 2},
		"thirty columns":           {strings.Repeat(licence, 2), 30, 3},
		"every printable mode":     {"Upper lower 0123, {punct}; \"MIXED^=\" & more~\x1e\x00\u00e9Z", 5, 4},
		"little correction":        {licence, 12, 0},
		"much correction":          {licence, 14, 7},
		"capitals after a bracket": {"A(B)C", 3, 1},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := WritePDF417(c.text, c.columns, c.level)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Read(context.Background(), printed(m, 2))
			if err != nil || got.Text != c.text {
				t.Errorf("%q, error %v", got.Text, err)
			}
		})
	}
}

func TestWriteRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		text           string
		columns, level int
	}{
		"no columns": {"A", 0, 2}, "too many columns": {"A", 31, 2}, "no such level": {"A", 3, 9}, "a Greek letter": {"\u03a9", 3, 2},
		"too much": {strings.Repeat(licence, 6), 8, 5},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := WritePDF417(c.text, c.columns, c.level); err == nil {
				t.Error("written")
			}
		})
	}
}
