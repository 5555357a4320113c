package zone

import (
	"math"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// lineAt is a row that was read: characters at a pitch of 10 pixels, the first of them at a place along the strip. Those
// written in small letters are unsure, as what the reader makes of a page's edge and of what lies beyond.
func lineAt(first float64, line string) scan {
	g := scan{strip: ocr.Strip{UX: 1, Length: 800}, width: 800, pitch: 10, frames: frames{step: 1}}
	for i := range len(line) {
		at := int(first) + 10*i + 400
		c := glyph{ch: line[i], conf: .98, first: at, last: at}
		if line[i] >= 'a' {
			c.ch, c.conf = line[i]-'a'+'A', .55
		}
		g.glyphs = append(g.glyphs, c)
	}
	return g
}

func TestAWindowHoldsTheLinesAndLeavesOutWhatLiesBesideThem(t *testing.T) {
	card := []string{"I<UTOVAAKULLTRU<<GRIAXWEISS<FEI<<<<<", "N570751442UTO0012223M340111401408962"}
	for name, c := range map[string]struct {
		rows  []scan
		width float64
		from  float64
	}{
		"a card by itself":                  {[]scan{lineAt(-180, card[0]), lineAt(-180, card[1])}, 36, -185},
		"with the desk's pattern beside it": {[]scan{lineAt(-220, "hawj"+card[0]), lineAt(-210, "icw"+card[1]+"kkkkkk")}, 36, -185},
		"a passport": {[]scan{
			lineAt(-200, "P<UTOERIKSSON<<ANNA<MARIA"+strings.Repeat("<", 19)), lineAt(-200, "L898902C36UTO7408122F1204159ZE184226B<<<<<10"),
		}, 44, -205},
	} {
		t.Run(name, func(t *testing.T) {
			z := &Zone{pitch: 10, rows: c.rows}
			all := z.windows()
			if len(all) == 0 {
				t.Fatal("no window")
			}
			w := all[0]
			if math.Abs(w.from-c.from) > 1 || math.Abs(w.to-w.from-10*c.width) > 1 {
				t.Errorf("from %.0f over %.0f characters, want %.0f over %.0f", w.from, (w.to-w.from)/10, c.from, c.width)
			}
		})
	}
}

func TestALineThatRunsToTheCropsEndGoesOn(t *testing.T) {
	if !lineAt(-395, strings.Repeat("A", 20)).reachesEnd() {
		t.Error("a character at the left end was not noticed")
	}
	if lineAt(-100, strings.Repeat("A", 20)).reachesEnd() {
		t.Error("a line with paper at both ends was taken for cut off")
	}
}
