package optical

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// printedAs is a reading of evenly placed characters.
func printedAs(text string, sure ...float64) printed {
	p := printed{chars: sure}
	for i := range sure {
		p.at = append(p.at, (float64(i)+.5)/float64(len(sure)))
	}
	return p.of([]rune(text))
}

func TestAPartOfALineIsReadAnew(t *testing.T) {
	p := printedAs("2. MAEL", 1, 1, 1, 1, 1, .5, 1)
	l := line{printed: printed{text: p.text, chars: p.chars, at: p.at}, strip: ocr.Strip{X: 70, Y: 10, UX: 1, Length: 140, Height: 20}}
	part := reading.Part{From: 3, To: 7, Strip: reading.Strip{X: 100, Y: 10, Length: 80, Height: 20}}
	got := l.with(part, printedAs("MAËLS", 1, 1, .9, 1, 1))
	if got.text != "2. MAËLS" || got.least != .9 || len(got.chars) != 8 || len(got.at) != 8 {
		t.Errorf("%+v", got)
	}
	long := part.Strip.Length + 2*otherEnds*part.Strip.Height
	for i, want := range []float64{10, 30, 50} {
		if i < 3 && math.Abs(got.at[i]*140-want) > 1e-9 {
			t.Errorf("character %d moved to %.1f", i, got.at[i]*140)
		}
	}
	if first := got.at[3] * 140; math.Abs(first-(100-long/2+long/10)) > 1e-9 {
		t.Errorf("the new part begins at %.1f", first)
	}
	if same := l.with(part, printedAs("MAEL", 1, 1, .9, 1)); same.least != .9 || same.at[3] != l.at[3] {
		t.Errorf("the same text: %+v", same)
	}
	if l.text != "2. MAEL" || l.chars[5] != .5 {
		t.Error("the line that was given was changed")
	}
}

func TestOfSeveralReadingsThoseOfTheZonesNameCount(t *testing.T) {
	plain, ringed := printedAs("ANGSTROM", .9, .9, .9, .9, .9, .9, .9, .9), printedAs("ÅNGSTRÖM", .6, .6, .6, .6, .6, .6, .6, .6)
	for zone, want := range map[string]int{"AANGSTROEM": 1, "ANGSTROM": 2, "BERG": 2} {
		w := printedText{&work{}}
		w.page.MRZ = &Zone{Document: mrz.Document{Surname: zone}}
		if got := w.asInZone([]printed{plain, ringed}); len(got) != want {
			t.Errorf("%s: %d readings, want %d", zone, len(got), want)
		}
	}
	if got := (printedText{&work{}}).asInZone([]printed{plain, ringed}); len(got) != 2 {
		t.Errorf("without a zone: %d readings", len(got))
	}
}

func TestTheZonesNumberCountsWhereOneReadingSurelyIsIt(t *testing.T) {
	w := printedText{&work{}}
	w.page.MRZ = &Zone{Document: mrz.Document{Number: "V79531910", Surname: "NOVAK", GivenNames: "ANNA"}}
	eight := printedAs("V79581910", .98, .98, .98, .98, .97, .98, .98, .98, .98)
	surely := printedAs("V79531910", .98, .98, .98, .98, .95, .98, .98, .98, .98)
	hardly := printedAs("V79531910", .98, .98, .98, .98, .6, .98, .98, .98, .98)
	for name, c := range map[string]struct {
		seen []printed
		want string
	}{
		"surely, without the colours":       {[]printed{eight, eight, surely}, "V79531910"},
		"hardly: what was read stays":       {[]printed{eight, eight, hardly}, "V79581910"},
		"none is: what was read stays":      {[]printed{eight, eight}, "V79581910"},
		"in groups, as numbers are printed": {[]printed{eight, printedAs("V79 531 910", .98, .98, .98, 1, .98, .98, .98, 1, .98, .98, .98)}, "V79 531 910"},
	} {
		if got := w.asInZone(c.seen)[0].text; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
