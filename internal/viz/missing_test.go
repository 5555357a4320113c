package viz

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
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

func TestALineThatIsLongerThanItsLabelMayHaveALetterMore(t *testing.T) {
	long := at(300, 100, 20, "Sexo/Sex/Geschlecht:")
	long.At = nil
	for i := range 20 {
		long.At = append(long.At, (float64(i)+.5)/25)
	}
	short := at(300, 100, 20, "Sexo/Sex/Geschlecht:")
	with := at(300, 100, 20, "Sex: F     ")
	for name, c := range map[string]struct {
		line Line
		want bool
	}{"longer": {long, true}, "no longer": {short, false}, "with a value": {with, false}} {
		got := Read(pageOf(c.line)).Missing
		if !c.want {
			if len(got) > 0 {
				t.Errorf("%s: %+v", name, got)
			}
			continue
		}
		end := long.Strip.X + long.Strip.Length/2
		if len(got) != 1 || math.Abs(got[0].X+got[0].Length/2-end) > 1 || got[0].Length < 20 || got[0].Length > 60 {
			t.Errorf("%s: %+v, want the end of the line, at %.0f", name, got, end)
		}
	}
}

func TestARowThatIsMissingBetweenEvenRowsIsNamed(t *testing.T) {
	rows := func(texts ...string) []Line {
		var out []Line
		for i, text := range texts {
			if text != "" {
				out = append(out, at(300, 100+40*float64(i), 20, text))
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		lines []Line
		want  []float64 // the middles of its rows
	}{
		"a row between two others":               {rows("Nom: MARTIN", "Prénoms: ÉLODIE", "Sexe: F", "", "Taille: 1,66m"), []float64{220}},
		"two rows between two others":            {rows("N° : 240756445698", "Nom: MARTIN", "Prénoms: ÉLODIE", "", "", "Taille: 1,66m"), []float64{220, 260}},
		"no row is missing":                      {rows("Nom: MARTIN", "Prénoms: ÉLODIE", "Sexe: F", "à : TOURS", "Taille: 1,66m"), nil},
		"something was read in the row":          {rows("Nom: MARTIN", "Prénoms: ÉLODIE", "Sexe: F", "xx yersla", "Taille: 1,66m"), nil},
		"the rows stand unevenly":                {append(rows("Nom: MARTIN", "", "Prénoms: ÉLODIE"), at(300, 230, 20, "Sexe: F"), at(300, 330, 20, "Taille: 1,66m")), nil},
		"half the page lies between two rows":    {rows("Nom: MARTIN", "Prénoms: ÉLODIE", "Sexe: F", "", "", "", "", "Taille: 1,66m"), nil},
		"a value of another column ends the row": {append(rows("N° : 240756445698", "Nom: MARTIN", "Prénoms: ÉLODIE", "", "Taille: 1,66m"), at(600, 220, 20, "Né(e) le : 12.08.1974")), []float64{220}},
		"too few rows to tell how they stand":    {rows("Nom: MARTIN", "", "Prénoms: ÉLODIE"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []float64
			for _, s := range Read(pageOf(c.lines...)).Missing {
				if s.X-s.Length/2 > 300 || s.X+s.Length/2 < 400 {
					t.Errorf("%+v does not begin where the rows do", s)
				}
				got = append(got, s.Y)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAValueIsMissingBehindItsLabelWhereOthersStandOnTheLine(t *testing.T) {
	inline := []Line{at(300, 100, 20, "Surname: NOVAK"), at(300, 140, 20, "Given names: ANNA"), at(300, 180, 20, "Date of birth: 12.08.1974")}
	below := []Line{at(300, 60, 14, "Surname"), at(300, 84, 20, "NOVAK"), at(300, 120, 14, "Given names"), at(300, 144, 20, "ANNA")}
	for name, c := range map[string]struct {
		lines            []Line
		missing, letters int
	}{
		"a nationality":                    {append(inline[:3:3], at(300, 220, 20, "Nationality:")), 1, 0},
		"a letter":                         {append(inline[:3:3], at(300, 220, 20, "Sex:")), 1, 1},
		"it was read as a line of its own": {append(inline[:3:3], at(300, 220, 20, "Nationality:"), at(450, 220, 20, "UTOPIAN")), 0, 0},
		"the page's values stand below":    {append(below[:4:4], at(300, 220, 20, "Nationality:"), at(300, 245, 20, "UTOPIAN")), 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			read := Read(pageOf(c.lines...))
			if len(read.Missing) != c.missing || len(read.Letter) != c.letters {
				t.Fatalf("%d places and %d for a letter, want %d and %d", len(read.Missing), len(read.Letter), c.missing, c.letters)
			}
			end := c.lines[len(c.lines)-1].Strip
			for _, s := range append(read.Missing, read.Letter...) {
				if from := s.X - s.Length/2; s.Y != 220 || from < end.X+end.Length/2-12 || from > end.X+end.Length/2+20 {
					t.Errorf("%+v does not begin behind the label", s)
				}
			}
		})
	}
}

func TestAnAddressWhoseTownIsCutOffIsLookedForFurtherRight(t *testing.T) {
	for text, cut := range map[string]bool{
		"26 Observatory Road, 5785 Utopia C": true, "26 Observatory Road, 5785 Utopia City": false, "12 Avenue C": false, "5785 Utopia, 12 Avenue C": false, "26 Observatory Road, 5785 X": false,
	} {
		page := under("Address", text)
		read := Read(page)
		if got := stated(read)[address] == ""; got != cut {
			t.Errorf("%q is left out: %v", text, got)
		}
		if !cut {
			continue
		}
		line := page.Lines[len(page.Lines)-1].Strip
		if len(read.Missing) != 1 || read.Missing[0].Length < line.Length+4*line.Height || math.Abs(read.Missing[0].X-read.Missing[0].Length/2-line.X+line.Length/2) > 1 {
			t.Errorf("%q is looked for at %+v", text, read.Missing)
		}
	}
}

func TestANationalityIsTold(t *testing.T) {
	for text, want := range map[string]bool{": UTOPISCHE / UTOPIAN": true, "POLSKIE": true, "ANNA": false, "FRANÇAISE / POLISH": false, "": false} {
		if Nation(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestWhatIsWorthASecondLook(t *testing.T) {
	page := under("Surname", "NOVÁK", "Date of birth", "12.08.1974", "Passport No.", "AB1234567")
	unsure := make([]float64, len("AB1234567"))
	for i := range unsure {
		unsure[i] = .99
	}
	unsure[3] = .2
	page.Lines[5].Chars = unsure
	var got []string
	for _, p := range Read(page).Again {
		got = append(got, string([]rune(page.Lines[p.Line].Text)[p.From:p.To]))
		l := page.Lines[p.Line].Strip
		if math.Abs(p.Strip.X-l.X) > 1 || math.Abs(p.Strip.Length-l.Length) > 1 {
			t.Errorf("%s stands at %+v, its line at %+v", got, p.Strip, l)
		}
	}
	if diff := cmp.Diff([]string{"NOVÁK", "AB1234567"}, got); diff != "" {
		t.Errorf("names, and what was not surely read (-want +got):\n%s", diff)
	}
}

func TestALineThatBeginsWithALabelIsToldFromOthers(t *testing.T) {
	for text, want := range map[string]bool{
		"Place of birth": true, "1 FAMILY NAME": true, "Lugar de nacimiento/Place of birth": true, "4a ISS": true, "à : PARIS": true, "à. PARIS": true, "a. PARIS": false, "ANNA": false, "12.08.1974": false, "": false, "xx yersla": false,
	} {
		if Labelled(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
