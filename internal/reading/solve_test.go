package reading

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// sheet is a page of lines, each with its left end, its middle's height and its text, set 30 pixels high.
func sheet(lines ...printed) Page {
	p := Page{Width: 1000, Height: 700, Today: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	for _, l := range lines {
		h := l.h
		if h == 0 {
			h = 30
		}
		length := float64(len([]rune(l.text))) * h * .55
		p.Lines = append(p.Lines, Line{Text: l.text, Strip: Strip{X: l.x + length/2, Y: l.y, Length: length, Height: h}})
	}
	return p
}

type printed struct {
	x, y float64
	text string
	h    float64
}

func valuesOf(r Reading, names ...idv.ClaimName) map[idv.ClaimName]string {
	out := map[idv.ClaimName]string{}
	for _, c := range r.Claims {
		if slices.Contains(names, c.Name) {
			out[c.Name] = c.Value
		}
	}
	return out
}

var dayFacts = []idv.ClaimName{idv.DateOfBirth, idv.DateOfIssue, idv.DateOfExpiry}

func TestThreeDaysInAscendingOrderAreBirthIssueAndExpiryWithoutLabels(t *testing.T) {
	got := ReadWith(sheet(
		printed{x: 100, y: 100, text: "Zorgluna"}, printed{x: 100, y: 150, text: "04.07.2031"}, printed{x: 400, y: 150, text: "05.07.2021"},
		printed{x: 100, y: 250, text: "03.02.1988"},
	), Fitted(), Limits{})
	want := map[idv.ClaimName]string{idv.DateOfBirth: "1988-02-03", idv.DateOfIssue: "2021-07-05", idv.DateOfExpiry: "2031-07-04"}
	if diff := cmp.Diff(want, valuesOf(got, dayFacts...)); diff != "" {
		t.Errorf("want −, got +:\n%s", diff)
	}
}

func TestOneNumberAboveTwelveSettlesTheOrderOfAllDays(t *testing.T) {
	got := Read(sheet(
		printed{x: 100, y: 100, text: "DOB 03/02/1988"}, printed{x: 100, y: 150, text: "ISS 07/25/2021"}, printed{x: 100, y: 200, text: "EXP 07/25/2029"},
	))
	want := map[idv.ClaimName]string{idv.DateOfBirth: "1988-03-02", idv.DateOfIssue: "2021-07-25", idv.DateOfExpiry: "2029-07-25"}
	if diff := cmp.Diff(want, valuesOf(got, dayFacts...)); diff != "" {
		t.Errorf("want −, got +:\n%s", diff)
	}
}

func TestTheOrderOfLinesDoesNotMatter(t *testing.T) {
	p := sheet(
		printed{x: 100, y: 60, text: "IDENTITY CARD"},
		printed{x: 100, y: 100, text: "Surname", h: 20}, printed{x: 100, y: 130, text: "SPECIMEN"}, printed{x: 100, y: 170, text: "Given names", h: 20},
		printed{x: 100, y: 200, text: "ERIKA MARIA"}, printed{x: 100, y: 250, text: "Date of birth 12.08.1964"}, printed{x: 500, y: 250, text: "Sex F"},
		printed{x: 100, y: 300, text: "Document No. L01X00T47"}, printed{x: 100, y: 350, text: "Date of expiry 31.10.2029"},
	)
	want := Read(p)
	if len(want.Claims) < 4 {
		t.Fatalf("%d facts read: %+v", len(want.Claims), want.Claims)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 5 {
		rng.Shuffle(len(p.Lines), func(i, j int) { p.Lines[i], p.Lines[j] = p.Lines[j], p.Lines[i] })
		if diff := cmp.Diff(want.Claims, Read(p).Claims, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-5 })); diff != "" {
			t.Errorf("first order −, another +:\n%s", diff)
		}
	}
}

func TestWhatIsNotSureEnoughIsLikelyAndNoClaim(t *testing.T) {
	p := sheet(
		printed{x: 100, y: 60, text: "IDENTITY CARD"}, printed{x: 100, y: 100, text: "Surname", h: 20}, printed{x: 100, y: 130, text: "MUSTERFRAU"},
		printed{x: 100, y: 250, text: "Date of birth 12.08.1964"}, printed{x: 100, y: 350, text: "Date of expiry 31.10.2029"},
	)
	sure, doubted := ReadWith(p, Fitted(), Limits{}), ReadWith(p, Fitted(), Limits{Sure: 1.1})
	if len(sure.Claims) < 2 || len(doubted.Claims) != 0 || len(doubted.Fields) != 0 {
		t.Fatalf("%d claims, with a limit that nothing reaches %d", len(sure.Claims), len(doubted.Claims))
	}
	for _, c := range doubted.Likely {
		if c.Confidence <= .5 || c.Box == nil {
			t.Errorf("likely %+v", c)
		}
	}
	if len(doubted.Likely) < 2 || len(sure.Likely) != 0 {
		t.Errorf("%d likely without claims, %d beside them", len(doubted.Likely), len(sure.Likely))
	}
}

// exhaustive is the score of the best page on which the fact other does not have the value not, found by trying every choice.
func exhaustive(p *Problem, s *solver, f int, choice *[facts]int, other int, not string) float64 {
	if f == facts {
		return 0
	}
	best := math.Inf(-1)
	for _, o := range s.options[f] {
		if f == other && p.Options[f][o.at].Value == not {
			continue
		}
		choice[f] = o.at
		sum := o.score
		for g := range f {
			sum += s.pair(f, o.at, g, choice[g])
		}
		if !math.IsInf(sum, -1) {
			best = max(best, sum+exhaustive(p, s, f+1, choice, other, not))
		}
	}
	return best
}

// drawn scores a problem's options at random, and returns weights at random for all that pairs of options say.
func drawn(p *Problem, rng *rand.Rand) Weights {
	w := Weights{}
	add := func(features []Feature) {
		for _, x := range features {
			w[x.Name] = rng.NormFloat64()
		}
	}
	for f, row := range p.Options {
		for a := range row {
			p.Options[f][a].Score = 3 * rng.NormFloat64()
			for g := f + 1; g < facts && a > 0; g++ {
				for b := 1; b < len(p.Options[g]); b++ {
					add(p.PairFeatures(f, a, g, b))
				}
			}
		}
	}
	return w
}

func TestThePageIsSolvedExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		p := NewProblem(sheet(
			printed{x: 100, y: 100, text: "ANNA MARIA"}, printed{x: 100, y: 150, text: "LINDT"}, printed{x: 400, y: 100, text: "05.07.2021"},
			printed{x: 400, y: 150, text: "04.07.2031"}, printed{x: 400, y: 200, text: "X1234567"},
		), &Model{})
		for f := range p.Options { // what is tried without a bound must stay small
			p.Options[f] = p.Options[f][:min(len(p.Options[f]), 4)]
		}
		for f := fSex; f < facts; f++ {
			p.Options[f] = p.Options[f][:1]
		}
		w := drawn(&p, rng)
		got, s := p.Solve(w), newSolver(&p, w)
		var choice [facts]int
		if want := exhaustive(&p, s, 0, &choice, -1, ""); math.Abs(got.Score-want) > 1e-9 {
			t.Fatalf("best page scores %f, want %f", got.Score, want)
		}
		for f := range fSex {
			second := exhaustive(&p, s, 0, &choice, f, p.Options[f][got.Choice[f]].Value)
			margin := math.Min(got.Score-second, mostOdds)
			if odds := got.Odds[f]; odds > margin+1e-9 || odds < margin-math.Log(float64(len(p.Options[f]))) {
				t.Errorf("%s has odds %f, and the best page with another value is %f behind", FactNames[f], odds, margin)
			}
		}
	}
}
