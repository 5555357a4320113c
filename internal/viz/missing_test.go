package viz

import (
	"math"
	"testing"
)

func TestTheLayoutTellsWherePrintIsMissing(t *testing.T) {
	known := []Line{
		at(300, 100, 14, "Surname"), at(300, 124, 24, "NOVAK"), at(300, 160, 14, "Given names"), at(300, 184, 24, "ANNA"), at(300, 220, 14, "Date of birth"), at(300, 244, 24, "12.08.1974"),
	}
	for name, c := range map[string]struct {
		more       []Line
		x, y, h, l float64 // of the one place that is named; 0: none
	}{
		"nothing is missing":                          {nil, 0, 0, 0, 0},
		"a label over a value":                        {[]Line{at(300, 304, 24, "ZENITH")}, 300, 280, 14, labelLong * 14},
		"a label over a value, beside another column": {[]Line{at(300, 304, 24, "ZENITH"), at(450, 280, 14, "Authority"), at(450, 304, 24, "UTOPIA CITY")}, 300, 280, 14, 143},
		"a letter under a label":                      {[]Line{at(300, 280, 14, "Sex")}, 300, 304, 24, sexLong * 24},
		"what stands there was read":                  {[]Line{at(300, 280, 14, "Sex"), at(300, 304, 24, "8")}, 0, 0, 0, 0},
		"a large heading has no label":                {[]Line{at(300, 20, 40, "SPECIMEN")}, 0, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got := Read(pageOf(append(append([]Line{}, known...), c.more...)...)).Missing
			if c.h == 0 {
				if len(got) > 0 {
					t.Errorf("places %+v, want none", got)
				}
				return
			}
			if len(got) != 1 {
				t.Fatalf("places %+v, want one", got)
			}
			s := got[0]
			left, lead := s.X-s.Length/2, missingLead*c.h
			if math.Abs(left+lead-c.x) > 2 || math.Abs(s.Y-c.y) > 2 || s.Height != c.h || math.Abs(s.Length-lead-c.l) > 4 {
				t.Errorf("from %.0f, %.0f high at %.0f, %.0f long; want %+v", left+lead, s.Height, s.Y, s.Length-lead, c)
			}
		})
	}
}

func TestALineThatBeginsWithALabelIsToldFromOthers(t *testing.T) {
	for text, want := range map[string]bool{
		"Place of birth": true, "1 FAMILY NAME": true, "Lugar de nacimiento/Place of birth": true, "4a ISS": true, "ANNA": false, "12.08.1974": false, "": false, "xx yersla": false,
	} {
		if Labelled(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
