package mrz

import (
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/optical"
)

// Generated is what `bonafide bench mrz --generate` answers.
type Generated struct {
	First      int64            `json:"first_seed"`
	Pictures   int              `json:"pictures"` // of seeds First to First+Pictures-1
	All        Tally            `json:"all"`
	Bands      []Band           `json:"bands"`           // by height of capitals
	Troubles   map[string]Tally `json:"troubles"`        // by what was hard; a picture may have several
	Formats    map[string]Tally `json:"formats"`         // by format
	Broken     bench.Rate       `json:"broken_valid"`    // documents whose printed check digits are wrong that were said to be valid
	TwoInView  bench.Rate       `json:"two_in_view"`     // pictures of two documents that were told to be such
	OneInView  bench.Rate       `json:"one_in_view"`     // pictures of one that were told to show several
	Hidden     bench.Rate       `json:"hidden_verified"` // pictures that do not show all of the zone that were said to be verified
	Quick      bench.Rate       `json:"quick"`           // zones that were found without text detection
	Confusions map[string]int   `json:"confusions"`      // single characters, want>got, where all else was right in number
	Doubts     map[string]int   `json:"doubts"`          // what kept zones that were read exactly from being verified; a zone may have several
	Misses     []Miss           `json:"misses"`          // pictures that were not read exactly
	Beside     []Beside         `json:"beside,omitempty"`
}

// Tally adds up pictures. Each rate is of Pictures, Verified of those whose printed check digits are right.
type Tally struct {
	Pictures      int        `json:"pictures"`
	Found         bench.Rate `json:"found"`
	AsRead        bench.Rate `json:"exact"`                  // as read, with the format's number of characters
	Exact         bench.Rate `json:"exact_after_repair"`     // after repair by field class
	SecondExact   bench.Rate `json:"second_reader_exact"`    // the second reader, after the same repair
	Verified      bench.Rate `json:"verified"`               // check digits, both readers, nothing printed against it
	VerifiedWrong bench.Rate `json:"verified_but_wrong"`     // … and yet not what is printed
	ValidWrong    bench.Rate `json:"check_digits_but_wrong"` // what check digits alone would have let through
}

// Band is a range of heights of capitals, in pixels: From ≤ height < To.
type Band struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	Tally
}

// Miss is a picture that was not read exactly.
type Miss struct {
	Seed          int64    `json:"seed"`
	Kind          string   `json:"kind"`
	Capital       float64  `json:"capital"` // height of capitals in pixels
	Trouble       []string `json:"trouble"`
	Broken        string   `json:"broken,omitempty"` // the field whose check digit is wrong
	Found         bool     `json:"found"`
	Format        string   `json:"format"`
	Confidence    float64  `json:"confidence"`
	CheckDigitsOK bool     `json:"check_digits_ok"`
	ReadersAgree  bool     `json:"readers_agree"`
	Verified      bool     `json:"verified"`
	WrongAt       []string `json:"wrong_at"`
	SecondWrongAt []string `json:"second_wrong_at"`
}

// measured is what came of one picture.
type measured struct {
	zone                                                 *optical.ZoneOnly // nil when none was found
	spent                                                time.Duration
	found, asRead, exact, second, agree, valid, verified bool
	several, quick                                       bool
	miss                                                 Miss
}

// bounds are where one band of heights ends and the next begins.
var bounds = []float64{leastCapital - 1, 10, 14, 20, mostCapital + 1}

// open makes what is not there yet.
func (g *Generated) open() {
	if len(g.Bands) == 0 {
		for i := 1; i < len(bounds); i++ {
			g.Bands = append(g.Bands, Band{From: bounds[i-1], To: bounds[i]})
		}
		g.Troubles, g.Formats, g.Confusions = map[string]Tally{}, map[string]Tally{}, map[string]int{}
		g.Misses = []Miss{}
	}
	if g.Doubts == nil {
		g.Doubts = map[string]int{}
	}
}

// count adds one picture.
func (g *Generated) count(s shot, m measured) {
	sound := s.page.broken == ""
	g.All.add(m, sound)
	for i := range g.Bands {
		if b := &g.Bands[i]; s.capital >= b.From && s.capital < b.To {
			b.add(m, sound)
		}
	}
	in := func(t map[string]Tally, key string) {
		v := t[key]
		v.add(m, sound)
		t[key] = v
	}
	in(g.Formats, string(s.page.Truth.Format))
	for _, t := range s.trouble {
		in(g.Troubles, t)
	}
	if len(s.trouble) == 0 {
		in(g.Troubles, "none")
	}
	if !sound {
		hit(&g.Broken, m.valid || m.verified)
	}
	if s.hidden {
		hit(&g.Hidden, m.verified)
	}
	two := &g.OneInView
	if s.two {
		two = &g.TwoInView
	}
	hit(two, m.several)
	hit(&g.Quick, m.quick)
	if m.exact {
		g.doubt(m, sound)
		return
	}
	g.Misses = append(g.Misses, m.miss)
	if m.found && len(m.zone.Lines) == len(s.page.Truth.Lines) {
		g.confuse(s.page.Truth.Lines, m.zone.Lines)
	}
}

// doubt counts what kept a zone that was read exactly from being verified.
func (g *Generated) doubt(m measured, sound bool) {
	if !sound {
		return
	}
	for _, d := range m.zone.Doubts {
		g.Doubts[string(d.Source)+" "+strings.Join(d.Fields, ",")]++
	}
}

// confuse counts single characters that were taken for others, in lines of which most was right.
func (g *Generated) confuse(want, got []string) {
	for i, l := range want {
		if len(got[i]) != len(l) {
			continue
		}
		var wrong []string
		for j := range len(l) {
			if l[j] != got[i][j] {
				wrong = append(wrong, l[j:j+1]+">"+got[i][j:j+1])
			}
		}
		if len(wrong) > 3 {
			g.Confusions["whole lines"]++
			continue
		}
		for _, w := range wrong {
			g.Confusions[w]++
		}
	}
}

func hit(r *bench.Rate, yes bool) {
	r.Of++
	if yes {
		r.Count++
	}
}

func (t *Tally) add(m measured, sound bool) {
	t.Pictures++
	hit(&t.Found, m.found)
	hit(&t.AsRead, m.asRead)
	hit(&t.Exact, m.exact)
	hit(&t.SecondExact, m.second)
	if sound {
		hit(&t.Verified, m.verified)
	}
	hit(&t.VerifiedWrong, m.verified && !m.exact)
	hit(&t.ValidWrong, m.valid && !m.exact)
}

// summarize computes all rates anew from their counts.
func (g *Generated) summarize() {
	for _, r := range []*bench.Rate{&g.Broken, &g.Hidden, &g.TwoInView, &g.OneInView, &g.Quick} {
		*r = bench.RateOf(r.Count, r.Of)
	}
	g.All.summarize()
	for i := range g.Bands {
		g.Bands[i].summarize()
	}
	for _, m := range []map[string]Tally{g.Troubles, g.Formats} {
		for k, t := range m {
			t.summarize()
			m[k] = t
		}
	}
	slices.SortFunc(g.Misses, func(a, b Miss) int { return int(a.Seed - b.Seed) })
}

func (t *Tally) summarize() {
	for _, r := range []*bench.Rate{&t.Found, &t.AsRead, &t.Exact, &t.SecondExact, &t.Verified, &t.VerifiedWrong, &t.ValidWrong} {
		*r = bench.RateOf(r.Count, r.Of)
	}
}

// Over adds up the bands from a height on.
func (g *Generated) Over(height float64) Tally {
	var out Tally
	for _, b := range g.Bands {
		if b.From < height {
			continue
		}
		out.Pictures += b.Pictures
		to := []*bench.Rate{&out.Found, &out.AsRead, &out.Exact, &out.SecondExact, &out.Verified, &out.VerifiedWrong, &out.ValidWrong}
		for i, r := range []bench.Rate{b.Found, b.AsRead, b.Exact, b.SecondExact, b.Verified, b.VerifiedWrong, b.ValidWrong} {
			to[i].Count, to[i].Of = to[i].Count+r.Count, to[i].Of+r.Of
		}
	}
	out.summarize()
	return out
}
