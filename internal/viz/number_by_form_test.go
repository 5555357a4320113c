package viz

import "testing"

func TestTheNumberBelowALabelOfWhichOneLanguageWasNotRead(t *testing.T) {
	for name, c := range map[string]struct {
		more []Line
		want string
	}{
		"it begins left of what was read": {[]Line{at(600, 40, 16, "Passport number"), at(500, 62, 24, "G53038472")}, "G53038472"},
		"it ends left of what was read":   {[]Line{at(700, 40, 16, "Passport number"), at(500, 62, 24, "G53038472")}, ""},
		"it is one of two":                {[]Line{at(600, 40, 16, "Passport number"), at(500, 62, 24, "G53038472"), at(500, 160, 24, "G53038473")}, ""},
		"it is no number":                 {[]Line{at(600, 40, 16, "Passport number"), at(500, 62, 24, "GALWAY-IE")}, ""},
		"no label of it was read":         {[]Line{at(500, 62, 24, "G53038472")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := under("Surname", "NOVAK", "Given names", "ANNA", "Date of birth", "12.08.1974", "Place of birth", "ZENITH")
			for i := range p.Lines {
				p.Lines[i].Strip.Y += 60
			}
			p.Lines = append(p.Lines, c.more...)
			if got := stated(Read(p))[documentNumber]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
