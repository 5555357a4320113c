package relaid

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// document is a known document: the facts and the lines of all its sides.
type document struct {
	kind  idv.DocumentKind
	facts []facts.Truth
	lines []facts.CachedLine
	zone  bool
}

// documentsOf puts the sides of documents together, those that state a name.
func documentsOf(known []facts.Cached) []document {
	at := map[string]int{}
	var all []document
	for _, c := range known {
		name := strings.TrimSuffix(strings.TrimSuffix(c.Picture, "-front"), "-back")
		i, seen := at[name]
		if !seen {
			i = len(all)
			at[name], all = i, append(all, document{})
		}
		d := &all[i]
		if c.WantKind != "" {
			d.kind = c.WantKind
		}
		d.zone = d.zone || len(c.Zone) > 0
		d.lines = append(d.lines, c.Lines[:c.Of]...)
		for _, t := range c.Truth {
			if !slices.ContainsFunc(d.facts, func(o facts.Truth) bool { return o.Name == t.Name }) {
				d.facts = append(d.facts, t)
			}
		}
	}
	all = slices.DeleteFunc(all, func(d document) bool { return d.of(idv.FamilyName) == "" })
	if len(all) == 0 {
		panic("relaid: no document states a name")
	}
	return all
}

func (d document) of(name idv.ClaimName) string {
	for _, t := range d.facts {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// field is a text that a page prints, and what it states.
type field struct {
	key   string      // the fact, or what the labels' table calls it
	truth facts.Truth // empty: nothing that is asked for
	text  string
	chars []float64 // of each rune, as it was recognised; nil: not yet
}

// content is what a page prints.
type content struct {
	kind   idv.DocumentKind
	state  state
	fields []field
	dates  dateForm
	zone   bool
	// twice is what is between a name and its transliteration on pages that print both, which is a row of its own for "\n"; empty: they do not.
	twice string
}

func (c content) truth() []facts.Truth {
	var out []facts.Truth
	for _, f := range c.fields {
		if f.truth.Name != "" {
			out = append(out, f.truth)
		}
	}
	return out
}

// zoneClaims are what the zone of the page's document states.
func (c content) zoneClaims() (claims []idv.Claim, dates []string, number string) {
	for _, f := range c.fields {
		v := f.truth.Value
		switch f.truth.Name {
		case idv.FamilyName, idv.GivenNames:
			v = strings.ReplaceAll(lexicon.Fold(v), "'", "")
		case idv.DateOfBirth, idv.DateOfExpiry:
			dates = append(dates, v)
		case idv.DocumentNumber:
			number = lexicon.Alphanumerics(v)
			v = number
		case idv.Sex:
		default:
			continue
		}
		claims = append(claims, idv.Claim{Name: f.truth.Name, Value: v, Source: idv.FromMRZ, Confidence: .999})
	}
	return claims, dates, number
}

// Shares of what is kept, added and left out.
const (
	keepShare  = .45
	oursShare  = .25 // of pages whose state is that of the known document
	leaveShare = .12
	addShare   = .4
)

// contentOf draws what a page prints: some facts of a known document as they were recognised, some drawn anew, some left out or added.
func (w vocabulary) contentOf(rng *rand.Rand, d document) content {
	c := content{kind: d.kind, state: pick(rng, w.states...)}
	if c.kind == "" {
		c.kind = idv.IDCard
	}
	ours := chance(rng, oursShare)
	if ours {
		c.state = w.utopia(c.state)
	}
	c.state = w.wider(rng, c.state)
	c.dates = dateFormOf(rng, c.state.code)
	if chance(rng, .5) {
		c.twice = pick(rng, "/", "/", " / ", "\n", "\n", "\n")
	}
	person := personOf(rng, c.state)
	keepDays, keepNames := chance(rng, keepShare), chance(rng, keepShare)
	for _, name := range drawnFacts {
		i := slices.IndexFunc(d.facts, func(t facts.Truth) bool { return t.Name == name })
		if i < 0 && !chance(rng, addShare) || chance(rng, leaveShare) {
			continue
		}
		keep := i >= 0 && chance(rng, keepShare)
		switch name {
		case idv.FamilyName, idv.GivenNames:
			keep = i >= 0 && keepNames
		case idv.DateOfBirth, idv.DateOfIssue, idv.DateOfExpiry:
			keep = i >= 0 && keepDays
		case idv.Nationality, idv.Issuer:
			keep = i >= 0 && ours
		}
		f := field{}
		if keep {
			f = d.recognised(d.facts[i])
		} else {
			f = c.inTwoScripts(fieldOf(name, person.value(rng, c, name)))
		}
		if f.text != "" {
			c.fields = append(c.fields, f)
		}
		if !keep {
			c.fields = append(c.fields, person.behind(rng, f)...)
		}
	}
	c.zone = d.zone && chance(rng, .6)
	return c.oneSide(rng)
}

// inTwoScripts is a field in Cyrillic or Greek with its transliteration, where the page prints both: either is what it states.
func (c content) inTwoScripts(f field) field {
	named := f.key == string(idv.FamilyName) || f.key == string(idv.GivenNames) || f.key == string(idv.PlaceOfBirth) || f.key == string(idv.Authority)
	latin := icao.Romanise(f.text)
	if c.twice == "" || !named || latin == f.text {
		return f
	}
	if f.text != strings.ToUpper(f.text) {
		latin = titled(latin)
	}
	f.truth.Printed, f.text = latin, f.text+c.twice+latin
	return f
}

// titled is a text with its words in small letters but for the first of each.
func titled(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		runes := []rune(w)
		words[i] = string(runes[0]) + strings.ToLower(string(runes[1:]))
	}
	return strings.Join(words, " ")
}

// drawnFacts are the facts that pages print, in the order of documents.
var drawnFacts = []idv.ClaimName{
	idv.Issuer, idv.DocumentNumber, idv.FamilyName, idv.GivenNames, idv.Nationality, idv.DateOfBirth, idv.PersonalNumber, idv.Sex, idv.PlaceOfBirth,
	idv.DateOfIssue, idv.DateOfExpiry, idv.Authority, idv.Address,
}

// fewShare of pages print one to three facts: backs, and pictures of a part of a page.
const fewShare = .07

// oneSide leaves some pages only what the back of a card prints.
func (c content) oneSide(rng *rand.Rand) content {
	if n := 1 + rng.IntN(3); len(c.fields) > n && chance(rng, fewShare) {
		from := rng.IntN(len(c.fields) - n + 1)
		c.fields = c.fields[from : from+n]
		return c
	}
	if len(c.fields) < 5 || !chance(rng, .18) {
		return c
	}
	c.fields = slices.DeleteFunc(c.fields, func(f field) bool {
		front := f.truth.Name == idv.FamilyName || f.truth.Name == idv.GivenNames || f.truth.Name == idv.DateOfBirth
		return front || chance(rng, .3)
	})
	return c
}

// utopia is the state of the known documents, with the offices and towns of another.
func (w vocabulary) utopia(s state) state {
	s.code, s.names, s.peoples = "UTO", []string{"UTOPIA", "UTOPIE", "UTOPIEN"}, []string{"UTOPIAN", "UTO"}
	return s
}

// recognised is a fact as the recogniser saw it; as it is printed where its line was not found.
func (d document) recognised(t facts.Truth) field {
	f := field{key: string(t.Name), truth: t, text: t.Printed}
	want := lexicon.Alphanumerics(t.Printed)
	if len(want) < 4 {
		return f
	}
	for _, most := range []int{0, len(want) / 8} {
		for _, l := range d.lines {
			if from, to, ok := within(l.Text, want, most); ok {
				f.text, f.chars = string([]rune(l.Text)[from:to]), l.Chars[from:to]
				return f
			}
		}
	}
	return f
}

// within finds words of a line that are a text but for a few letters: the runes from and to.
func within(line, want string, most int) (from, to int, ok bool) {
	runes := []rune(line)
	for i := range runes {
		if runes[i] == ' ' || i > 0 && runes[i-1] != ' ' {
			continue
		}
		for j := i + 1; j <= len(runes); j++ {
			if j < len(runes) && runes[j] != ' ' {
				continue
			}
			got := lexicon.Alphanumerics(string(runes[i:j]))
			if len(got) > len(want)+most {
				break
			}
			if lexicon.Distance(got, want, most) <= most {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

func fieldOf(name idv.ClaimName, v [2]string) field {
	return field{key: string(name), truth: facts.Truth{Name: name, Value: v[0], Printed: v[1]}, text: v[1]}
}
