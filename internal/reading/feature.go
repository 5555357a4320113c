package reading

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/calendar"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// Feature is one thing that a witness says of a candidate, or of a fact that is not printed. Its weight is fitted.
type Feature struct {
	Name  string
	Value float64
}

// Option is one way to fill a fact: a candidate, or not printed.
type Option struct {
	Value string  // empty: not printed
	Key   string  // equal for values that are one, in two scripts
	Score float64 // what its own witnesses count, as a natural logarithm of odds
	Least float64 // of its characters, how sure the least sure one was
	Mean  float64
	Spans []span
	At    int // of the problem's Inputs; −1 for not printed
}

// Problem is a page before its weights are applied.
type Problem struct {
	Options [facts][]Option
	page    Page
	rows    []row
	all     []candidate
	labels  []label
	usual   float64 // height of a row
	legible string
	Family  string
	Free    Free
	own     [facts][][]Feature // of each option
}

// Free switches constraints off, to measure what they are worth.
type Free struct {
	Texts bool // two facts may share a text
	Days  bool // birth, issue and expiry may be in any order
	Order bool // the days of a page may disagree on whether the day or the month is first
}

// view is what the features of a candidate are taken from.
type view struct {
	page   Page
	rows   []row
	labels []label
	texts  []piece
	all    []candidate
	family family
	usual  float64
	order  calendar.Order
	near   []near      // of each candidate
	own    [][]Feature // of each candidate, whatever fact it may be

	legible string
	lean    relation
	setting setting
	states  map[string]string       // nationalityOf by text, of names and free texts
	printed map[string]map[int]bool // the rows that each text is on, by its letters and figures
	first   float64                 // the height on the page of the first label
}

// NewProblem finds the candidates of a page, and judges them by the mean of what the model's networks say.
func NewProblem(p Page, m *Model) Problem {
	out, sight := SightOf(p)
	part := 1 / float64(len(m.Nets))
	for _, n := range m.Nets {
		scores, none := n.Scores(sight)
		for f := range out.Options {
			out.Options[f][0].Score += part * none[f]
			for i := range out.Options[f][1:] {
				o := &out.Options[f][i+1]
				o.Score += part * scores[o.At][f]
			}
		}
	}
	out.own = out.ownFeatures()
	return out
}

// SightOf is a page as the network sees it, and its problem before anything is judged.
func SightOf(p Page) (Problem, Sight) {
	v := viewOf(p)
	return v.problem(), v.sight()
}

// viewOf finds the candidates of a page and what is around them. It moves labels from below their values to above them.
func viewOf(p Page) view {
	v := viewOfRows(p, rowsOf(p))
	if v.lean == below1 {
		v = viewOfRows(p, v.raised())
	}
	return v
}

func viewOfRows(p Page, rows []row) view {
	v := view{page: p, rows: rows}
	v.family, v.usual = familyOf(v.rows), usualHeight(v.rows)
	v.labels, v.texts = linesApart(v.rows, v.family)
	v.texts = piecesOf(v.rows, v.texts)
	v.all = candidatesOf(v.rows, v.texts, v.family)
	v.legible = legible(v.labels)
	if v.order = orderOf(v.all, p.Dates); v.order == calendar.Told && slices.ContainsFunc(v.all, openOrder) {
		v.order = v.unjudged().orderOfStates()
	}
	v.states, v.printed = statesOf(v.all), rowsByText(v.rows, v.texts)
	for _, c := range v.all {
		v.near = append(v.near, v.nearOf(c))
	}
	v.lean, v.first, v.setting = v.leanOf(), firstLabel(v.labels), v.settingOf()
	for i, c := range v.all {
		v.own = append(v.own, slices.Concat(v.formFeatures(c), v.surroundFeatures(i), v.settingFeatures(c)))
	}
	return v
}

// openOrder reports whether a candidate is a day whose day and month are not told apart.
func openOrder(c candidate) bool { return c.kind == aDay && c.day.Order != calendar.Told }

// unjudged is the view's page without options.
func (v view) unjudged() *Problem {
	return &Problem{page: v.page, rows: v.rows, all: v.all, labels: v.labels, usual: v.usual, Family: string(v.family), legible: v.legible}
}

// problem is the view's page before anything is judged.
func (v view) problem() Problem {
	out := *v.unjudged()
	for f := range facts {
		out.Options[f] = inOneScript(f, v.options(f))
	}
	return out
}

// statesOf are the codes of the states that names and free texts call by name, by the text.
func statesOf(all []candidate) map[string]string {
	out := map[string]string{}
	for _, c := range all {
		if _, seen := out[c.value]; !seen && (c.kind == aName || c.kind == aText) && len(c.spans) == 1 {
			out[c.value] = lexicon.NationalityOf(c.value)
		}
	}
	return out
}

// rowsByText are the rows that each text is on, by its letters and figures.
func rowsByText(rows []row, texts []piece) map[string]map[int]bool {
	out := map[string]map[int]bool{}
	for _, t := range texts {
		plain := lexicon.Alphanumerics(t.text(rows))
		if out[plain] == nil {
			out[plain] = map[int]bool{}
		}
		out[plain][t.row] = true
	}
	return out
}

// orderOf is the order of day and month that the page's dates and its zone leave; told where they leave both, or contradict each other.
func orderOf(all []candidate, zone []string) calendar.Order {
	seen := map[span]int{}
	for _, c := range all {
		if c.kind == aDay && c.day.Order != calendar.Told {
			seen[c.spans[0]] |= 1 << c.day.Order
			if slices.Contains(zone, c.value) {
				return c.day.Order
			}
		}
	}
	found := 0
	for _, mask := range seen {
		if mask == 1<<calendar.DayFirst || mask == 1<<calendar.MonthFirst {
			found |= mask
		}
	}
	switch found {
	case 1 << calendar.DayFirst:
		return calendar.DayFirst
	case 1 << calendar.MonthFirst:
		return calendar.MonthFirst
	}
	return calendar.Told
}

// options are the ways to fill a fact: first not printed.
func (v view) options(f int) []Option {
	out := []Option{{At: -1}}
	for i, c := range v.all {
		if c.kind == kindOfFact[f] && v.possible(f, c) {
			out = append(out, Option{Value: v.valueOf(f, c), Least: c.least, Mean: c.mean, Spans: c.spans, At: i})
		}
	}
	return out
}

// valueOf is how a fact states a candidate.
func (v view) valueOf(f int, c candidate) string {
	switch f {
	case fBirthplace:
		return strings.TrimRight(strings.Join(c.rows, " "), ".,")
	case fAuthority:
		return figuresBehind(strings.TrimRight(strings.Join(c.rows, " "), ","))
	case fAddress:
		return figuresBehind(c.value)
	}
	return c.value
}

// possible reports whether a candidate can be the fact by what holds on every document.
func (v view) possible(f int, c candidate) bool {
	t, today := c.day.Time, v.page.Today
	switch f {
	case fBirth:
		return !t.After(today) && t.After(today.AddDate(-123, 0, 0))
	case fIssue:
		return !t.After(today.AddDate(0, 0, 1)) && t.After(today.AddDate(-80, 0, 0))
	case fExpiry:
		return t.After(today.AddDate(-60, 0, 0)) && t.Before(today.AddDate(80, 0, 0))
	case fAddress:
		return len(lexicon.Letters(c.value)) > 2
	case fBirthplace:
		return !strings.ContainsAny(c.value, "0123456789<") && len(c.spans) <= 2
	case fAuthority:
		return len(c.spans) <= 3 && !isHeight(c.value)
	case fGiven:
		return strings.Contains(c.value, " ") || !isFathersName(c.value)
	case fNumber:
		return v.page.Kind != idv.Visa || !v.ofPassport(c)
	}
	return true
}

// Heights of people, in centimetres. No office has such a number.
const shortest, tallest = 120, 220

// isHeight reports whether a text is the height of somebody and nothing else.
func isHeight(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && len(text) == 3 && n >= shortest && n <= tallest
}

// ofPassport reports whether a candidate stands under, or behind, a text with a word for a passport: a visa prints the number of its holder's.
func (v view) ofPassport(c candidate) bool {
	return slices.ContainsFunc(v.texts, func(t piece) bool {
		rel, far := relationOf(label{piece: t}, c)
		return (rel == above || rel == leftOf) && far < nearLabel && slices.ContainsFunc(t.words, namesPassport)
	})
}

// nearLabel is how many heights of a text a label is from it, at most.
const nearLabel = 2

// namesPassport reports whether a word is one for a passport in some language.
func namesPassport(w word) bool {
	return slices.ContainsFunc(titleStems(), func(t titleStem) bool {
		return t.kind == idv.Passport && len(t.parts) == 1 && t.begins(t.parts[0], bare(w))
	})
}

// firstLabel is the height on the page of its first label that names a fact.
func firstLabel(labels []label) float64 {
	first := math.Inf(1)
	for _, l := range labels {
		for _, fits := range l.fits {
			if fits > .5 {
				first = min(first, l.y-.5*l.h)
			}
		}
	}
	return first
}

// relation is where a label is, seen from a value.
type relation string

const (
	leftOf relation = "left"
	above  relation = "above"
	higher relation = "higher" // above, with a row between
	below1 relation = "below"
	apart  relation = "column" // left of it, in another column
)

// relationOf says where a label is; "" for elsewhere. The distance is in heights.
func relationOf(l label, c candidate) (relation, float64) {
	h := max(c.h, l.h)
	dy := (c.y - l.y) / h
	overlap := min(l.x1, c.x1+h) - max(l.x0, c.x0-h)
	switch {
	case math.Abs(dy) < .6 && l.x1 <= c.x0+.6*h:
		gap := (c.x0 - l.x1) / h
		if gap < 2.5 {
			return leftOf, max(0, gap)
		}
		if gap < 14 {
			return apart, gap
		}
	case dy >= .5 && dy < 2.1 && overlap > 0:
		return above, dy + math.Abs(l.x0-c.x0)/h/4
	case dy >= 2.1 && dy < reach && overlap > 0:
		return higher, dy + math.Abs(l.x0-c.x0)/h/4
	case dy <= -.5 && dy > -2 && overlap > 0:
		return below1, -dy + math.Abs(l.x0-c.x0)/h/4
	}
	return "", 0
}

func overlaps(a, b []span) bool {
	for _, x := range a {
		for _, y := range b {
			if x.row == y.row && x.from < y.to && y.from < x.to {
				return true
			}
		}
	}
	return false
}

// formFeatures are what the text itself and its place say.
func (v view) formFeatures(c candidate) []Feature {
	out := []Feature{{"is", 1}, {"sure", c.mean}, {"taller", clamp(math.Log(c.h/v.usual), -1, 1)}, {"down", c.y / float64(max(1, v.page.Height))}}
	if c.mended {
		out = append(out, Feature{"mended", 1})
	}
	if c.late {
		out = append(out, Feature{"late", 1})
	}
	before, after := v.edgesOf(c.spans[0])
	out = append(out, Feature{"begins at " + string(before), 1}, Feature{"ends at " + string(after), 1})
	if n := v.covered(c); n > 0 {
		out = append(out, Feature{"covers a label", 1}, Feature{"share that is a label", n})
	}
	switch c.kind {
	case aDay:
		out = append(out, v.dayFeatures(c)...)
	case aNumber:
		out = append(out, v.numberFeatures(c)...)
	case aName:
		out = append(out, v.nameFeatures(c)...)
	case aText:
		out = append(out, v.textFeatures(c)...)
	case aNation, aSex:
		text := v.textOf(c)
		out = append(out, Feature{fmt.Sprintf("letters %d", min(len(lexicon.Letters(text)), 5)), 1})
		if isCode(strings.ToUpper(text)) {
			out = append(out, Feature{"code", 1})
		}
	}
	return out
}

func clamp(v, least, most float64) float64 { return math.Max(least, math.Min(most, v)) }

func (v view) textOf(c candidate) string {
	s := c.spans[0]
	return string(v.rows[s.row].runes[s.from:s.to])
}
