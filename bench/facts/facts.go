// Package facts measures how the printed facts of documents are read: on pages whose truth is known because they were
// generated, fact by fact, and on photographed pages by whether the print agrees with the machine-readable zone.
//
// A fact is exact, wrong, filled or missing. Missing costs a retake or a reviewer's minute; wrong is a lie with a box drawn
// round it, so the two are never added up. Filled is what agrees with the machine-readable zone and took its spelling from
// there, because it was not read surely enough to spell it: that is no reading, and does not count as one.
package facts

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	joint "github.com/bonafide-id/bonafide/internal/reading"
)

// Truth is one fact that a picture shows. Of several of one name each counts, for it may be written in two ways.
type Truth struct {
	Name    idv.ClaimName `json:"fact"`
	Value   string        `json:"value"` // what it means, as idv states it; names as printed
	Printed string        `json:"printed"`
}

// Result is what `bonafide bench facts` answers for pages whose truth is known.
type Result struct {
	Pictures int                       `json:"pictures"`
	All      Tally                     `json:"all"`
	Good     Tally                     `json:"good_quality"` // pictures that would be accepted: no reason to take them again
	Layouts  map[Layout]Tally          `json:"layouts"`      // of good quality, by whether the reader's tables describe the layout
	Kinds    map[string]Tally          `json:"kinds"`        // of good quality, by kind
	Facts    map[idv.ClaimName]Outcome `json:"facts"`        // of good quality, by fact
	Kind     Told                      `json:"kind"`         // of good pictures of fronts
	Issuer   Told                      `json:"issuer"`       // of good pictures of fronts
	Curve    []Point                   `json:"curve"`        // of good pictures without a zone, under other limits
	Trust    []Trust                   `json:"reliability"`  // of printed claims, by confidence
	Second   Second                    `json:"second_reader"`
	CPU      bench.Quantiles           `json:"cpu_ms"` // a picture, decoding included
	Misses   []Miss                    `json:"misses"`
	Peers    []Peer                    `json:"peers,omitempty"`
	Then     *Result                   `json:"with_pixels,omitempty"` // of cached lines: what was read of the pictures when they were cached
}

// Tally adds up pictures and the facts on them.
type Tally struct {
	Pictures int        `json:"pictures"`
	Whole    bench.Rate `json:"whole"` // pictures on which every fact is exact
	Outcome
}

// Outcome adds up facts. Each rate is of those that are printed.
type Outcome struct {
	Exact   bench.Rate `json:"exact"`
	Wrong   bench.Rate `json:"wrong"`
	Filled  bench.Rate `json:"filled_from_zone"`
	Missing bench.Rate `json:"missing"`
	Extra   int        `json:"extra"` // stated, though not printed as that fact
}

// Told is how often the reader told what a document is, of those pictures whose truth is known.
type Told struct {
	Right   bench.Rate `json:"right"`
	Wrong   bench.Rate `json:"wrong"`
	NotTold bench.Rate `json:"not_told"` // the question was left open
}

// Peer is another reader on the same pictures with the same extraction behind it.
type Peer struct {
	Name string          `json:"name"`
	All  Tally           `json:"all"`
	Good Tally           `json:"good_quality"`
	CPU  bench.Quantiles `json:"cpu_ms"`
}

// Miss is a fact that was not exact.
type Miss struct {
	Picture string        `json:"picture"`
	Fact    idv.ClaimName `json:"fact"`
	Want    string        `json:"want"`
	Got     string        `json:"got"` // empty: missing
	Filled  bool          `json:"filled_from_zone,omitempty"`
	Good    bool          `json:"good_quality"`
}

// asked are the facts that idv has a name for.
var asked = []idv.ClaimName{
	idv.FamilyName, idv.GivenNames, idv.DateOfBirth, idv.DateOfExpiry, idv.DateOfIssue, idv.DocumentNumber, idv.Nationality, idv.Issuer, idv.Sex,
	idv.PlaceOfBirth, idv.PersonalNumber, idv.Address, idv.Authority,
}

// reading is one picture as it was read.
type reading struct {
	picture     string
	group       string // kind of specimen
	layout      Layout
	camera      string
	good        bool
	truth       []Truth
	claims      []idv.Claim
	filled      []idv.ClaimName // of the claims, those that are spelled as in the zone
	kind        idv.DocumentKind
	issuer      string
	wantKind    idv.DocumentKind // empty: not known, or not for this side to tell
	wantIssuer  string           // so too
	cpu         float64
	peer        []idv.Claim
	peerFilled  []idv.ClaimName
	peerCPU     float64
	peerPresent bool
	print       joint.Page
	zone        bool    // a machine-readable zone was read
	cached      *Cached // nil where it was not asked for
}

// score is how one picture's facts were read.
type score struct {
	exact, wrong, filled, missing, extra int
	by                                   map[idv.ClaimName]counts
	misses                               []Miss
}

// counts are the facts of a kind that are exact, wrong, filled and missing.
type counts [4]int

// judge compares what a picture shows with what was read of its print.
func judge(r reading, claims []idv.Claim, filled []idv.ClaimName) score {
	s := score{by: map[idv.ClaimName]counts{}}
	got := map[idv.ClaimName]string{}
	for _, c := range claims {
		if c.Source == idv.FromPrinted {
			got[c.Name] = c.Value
		}
	}
	printed := map[idv.ClaimName]bool{}
	for _, t := range r.truth {
		if !slices.Contains(asked, t.Name) || printed[t.Name] {
			continue
		}
		printed[t.Name] = true
		v, read := got[t.Name]
		n := s.by[t.Name]
		exact, fill := read && r.shows(t.Name, v), read && slices.Contains(filled, t.Name)
		switch {
		case fill:
			s.filled++
			n[2]++
		case exact:
			s.exact++
			n[0]++
		case read:
			s.wrong++
			n[1]++
		default:
			s.missing++
			n[3]++
		}
		s.by[t.Name] = n
		if fill || !exact {
			s.misses = append(s.misses, Miss{r.picture, t.Name, t.Value, v, fill, r.good})
		}
	}
	for name := range got {
		if !printed[name] {
			s.extra++
		}
	}
	return s
}

// shows reports whether a value is what the picture prints as a fact.
func (x reading) shows(name idv.ClaimName, value string) bool {
	return slices.ContainsFunc(x.truth, func(t Truth) bool { return t.Name == name && equal(name, value, t) })
}

// equal reports whether a value is what the page prints, letter for letter; case, spaces and the signs between the
// groups of a number do not count, diacritics do. Ð and Đ are one: their capitals are printed alike. A state has one
// code or two: D and DEU.
func equal(name idv.ClaimName, got string, want Truth) bool {
	switch name {
	case idv.DocumentNumber, idv.PersonalNumber:
		return signs(got) == signs(want.Value)
	case idv.FamilyName, idv.GivenNames, idv.PlaceOfBirth, idv.Authority:
		return spelled(got) == spelled(want.Value)
	case idv.Nationality, idv.Issuer:
		return got == want.Value || icao.SameState(got, want.Value)
	case idv.Address:
		return slices.Equal(words(got), words(want.Printed)) || slices.Equal(words(got), words(want.Value))
	}
	return got == want.Value
}

func spelled(s string) string {
	s = strings.NewReplacer("ß", "SS", "ẞ", "SS", "Ð", "Đ", "’", "'", "ʼ", "'", "‐", "-", "–", "-").Replace(norm.NFC.String(s))
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToUpper(s), "İ", "I"), " ", "")
}

func signs(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, s)
}

func words(s string) []string {
	out := strings.FieldsFunc(spelledWords(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slices.Sort(out)
	return out
}

func spelledWords(s string) string { return strings.ToUpper(norm.NFC.String(s)) }

// sum is a tally being counted.
type sum struct {
	pictures, whole                      int
	exact, wrong, filled, missing, extra int
}

func (s *sum) add(x score) {
	s.pictures++
	if x.wrong+x.filled+x.missing == 0 {
		s.whole++
	}
	s.exact, s.wrong, s.filled, s.missing, s.extra = s.exact+x.exact, s.wrong+x.wrong, s.filled+x.filled, s.missing+x.missing, s.extra+x.extra
}

func (s sum) tally() Tally {
	return Tally{Pictures: s.pictures, Whole: bench.RateOf(s.whole, s.pictures), Outcome: s.outcome()}
}

func (s sum) outcome() Outcome {
	return outcome(counts{s.exact, s.wrong, s.filled, s.missing}, s.extra)
}

func outcome(c counts, extra int) Outcome {
	n := c[0] + c[1] + c[2] + c[3]
	return Outcome{bench.RateOf(c[0], n), bench.RateOf(c[1], n), bench.RateOf(c[2], n), bench.RateOf(c[3], n), extra}
}

func addTo[K comparable](sums map[K]*sum, key K, s score) {
	if sums[key] == nil {
		sums[key] = &sum{}
	}
	sums[key].add(s)
}

// telling is a Told being counted.
type answers struct{ right, wrong, open int }

// add counts an answer where there is a truth. open is the answer that leaves the question open; so does an empty one.
func (t *answers) add(got, want, open string) {
	switch {
	case want == "":
	case got == want:
		t.right++
	case got == "" || got == open:
		t.open++
	default:
		t.wrong++
	}
}

func (t answers) rates() Told {
	n := t.right + t.wrong + t.open
	return Told{bench.RateOf(t.right, n), bench.RateOf(t.wrong, n), bench.RateOf(t.open, n)}
}

// summarize adds up all readings.
func summarize(readings []reading) *Result {
	out := &Result{Pictures: len(readings), Layouts: map[Layout]Tally{}, Kinds: map[string]Tally{}, Facts: map[idv.ClaimName]Outcome{}, Misses: []Miss{}}
	var all, good sum
	kinds, layouts := map[string]*sum{}, map[Layout]*sum{}
	by := map[idv.ClaimName]counts{}
	var cpu []float64
	var kind, issuer answers
	for _, r := range readings {
		s := judge(r, r.claims, r.filled)
		all.add(s)
		out.Misses = append(out.Misses, s.misses...)
		cpu = append(cpu, r.cpu)
		if !r.good {
			continue
		}
		good.add(s)
		addTo(kinds, r.group, s)
		if r.layout != "" {
			addTo(layouts, r.layout, s)
		}
		for name, n := range s.by {
			b := by[name]
			by[name] = counts{b[0] + n[0], b[1] + n[1], b[2] + n[2], b[3] + n[3]}
		}
		kind.add(string(r.kind), string(r.wantKind), string(idv.UnknownKind))
		issuer.add(r.issuer, r.wantIssuer, "")
	}
	out.All, out.Good = all.tally(), good.tally()
	for k, s := range kinds {
		out.Kinds[k] = s.tally()
	}
	for l, s := range layouts {
		out.Layouts[l] = s.tally()
	}
	for name, n := range by {
		out.Facts[name] = outcome(n, 0)
	}
	out.Kind, out.Issuer = kind.rates(), issuer.rates()
	out.Trust = reliabilityOf(readings)
	out.CPU, out.Curve, out.Second = bench.QuantilesOf(cpu), curveOf(readings), secondOf(readings)
	if p, ok := peerOf(readings); ok {
		out.Peers = append(out.Peers, p)
	}
	return out
}

// Names lists the facts of a result, those read worst first.
func (r *Result) Names() []idv.ClaimName {
	return slices.SortedFunc(maps.Keys(r.Facts), func(a, b idv.ClaimName) int {
		return cmp.Or(cmp.Compare(r.Facts[a].Exact.Rate, r.Facts[b].Exact.Rate), cmp.Compare(a, b))
	})
}
