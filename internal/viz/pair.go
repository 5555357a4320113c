package viz

import (
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// How far from its label a value may stand, in heights of the label's line, and what that costs.
const (
	reachRight  = 14.0 // to the right, for words
	reachNumber = 6.0  // and for field numbers
	reachBelow  = 3.6
	reachLeft   = 3.0 // a value below may begin so much further left
	reachSex    = 5.0 // and one of a single letter, though the label in one language was not read
	onRow       = 0.6 // of the taller line's height: lines whose middles are no further apart are of one row

	costInline  = 0.2
	costRight   = 0.5
	costBelow   = 0.6
	costFar     = 0.15 // a height to the right
	costDown    = 0.3  // a height down
	costAside   = 0.2  // a height that a value below begins left or right of its label
	costDoubt   = 1.1  // words right after a label may be more of the label
	costSlash   = 2.5  // after a stroke there is the label in another language rather than a value
	costTaken   = 1.6  // a value that follows another label on its line
	costText    = 0.1  // a fact that any text may be
	costOther   = 0.4  // a label that is no fact
	costSmaller = 0.4  // values are not printed smaller than their labels
	costMost    = 3.2
)

// found is a fact with its place.
type found struct {
	value
	segment     segment
	parts       []part
	mean, least float64
	cost        float64
}

// part is a run of runes of one line.
type part struct{ line, from, to int }

// pairing is a label and a text that may be its value.
type pairing struct {
	label, text int
	cost        float64
	values      []value
}

// mostPairs is how many labels of a page can have a value.
const mostPairs = 60

// direction is where values stand from their labels.
type direction int

const (
	anywhere direction = iota
	isBelow
	isBeside
)

// A page sets its values in one way: where so many pairs more than of the other kind say which, the other costs more.
const (
	leanPairs = 3
	leanTimes = 3
	costLean  = 0.5

	costColumn = 0.05 // a height to the right, where values stand in a column of their own
)

// pairAlike pairs labels and texts, and once more by the way in which most of the page's pairs stand.
func (r *reader) pairAlike() {
	labels, texts := slices.Clone(r.labels), slices.Clone(r.texts)
	r.pair()
	below, beside := 0, 0
	for _, p := range r.pairs {
		switch l, v := p[0], p[1]; {
		case v.line == l.line:
		case v.y-l.y > 0.4*l.h:
			below++
		default:
			beside++
		}
	}
	switch {
	case below >= leanPairs && below >= leanTimes*beside:
		r.lean = isBelow
	case beside >= leanPairs && beside >= leanTimes*below:
		r.lean = isBeside
	default:
		return
	}
	r.labels, r.texts, r.pairs = labels, texts, nil
	r.found, r.torn = map[fact]found{}, map[fact]bool{}
	r.pair()
}

// pair gives each label the text that fits it best, the best fitting pairs first.
func (r *reader) pair() {
	for range min(mostPairs, len(r.labels)+len(r.texts)) {
		best := pairing{cost: costMost}
		for i := range r.labels {
			if r.labels[i].used {
				continue
			}
			for j := range r.texts {
				if c := r.costOf(i, j); c < best.cost {
					if v := r.parse(r.labels[i].fact, r.texts[j]); len(v) > 0 {
						best = pairing{i, j, c, v}
					}
				}
			}
		}
		if best.values == nil {
			return
		}
		r.settle(best)
	}
}

// costOf is how badly a text stands to be the label's value; costMost for not at all.
func (r *reader) costOf(i, j int) float64 {
	l, s := r.labels[i], r.texts[j]
	if s.used || s.h > tooTall*r.usual || s.h < tooLow*r.usual && !math.IsInf(r.usual, 1) {
		return costMost
	}
	cost := math.Inf(1)
	switch {
	case s.line == l.line && s.sequence == i:
		cost = r.costAfter(l, s)
	case math.Abs(s.y-l.y) < onRow*math.Max(l.h, s.h):
		cost = r.costBeside(i, s)
		if r.lean == isBelow && !l.marker {
			cost += costLean
		}
	case !l.marker || r.american: // North American cards set numbers with their labels above the values, too
		cost = r.costBelow(i, s)
		if r.lean == isBeside {
			cost += costLean
		}
	}
	if s.sequence >= 0 && s.sequence != i {
		cost += costTaken
	}
	if s.h < 0.7*l.h && !l.marker {
		cost += costSmaller
	}
	switch {
	case l.fact == other:
		cost += costOther
	case freeText(l.fact):
		cost += costText
	}
	return math.Min(cost, costMost)
}

// costAfter is that of a text right after a label, on its line. The labels of North American cards are few and known: what
// stands after them is no more of them.
func (r *reader) costAfter(l, s segment) float64 {
	gap := s.x0 - l.x1
	cost := costInline + costFar*math.Max(0, gap/l.h)
	if l.marker {
		return cost
	}
	if s.slashed {
		cost += costSlash
	}
	if freeText(l.fact) && !r.american && gap < wideGap*l.h && !strings.Contains(s.words[0].before, ":") && !r.setOtherwise(l, s) {
		cost += costDoubt
	}
	return cost
}

// setOtherwise reports whether a label is in small letters and the text behind it in capitals: that is no more of the label.
func (r *reader) setOtherwise(l, s segment) bool {
	a, b := r.textOf(l.line, l.words), r.textOf(s.line, s.words)
	return a != strings.ToUpper(a) && b == strings.ToUpper(b) && len(joined0(s.words)) > shortName
}

// costBeside is that of a text right of a label, with no other label between.
func (r *reader) costBeside(i int, s segment) float64 {
	l := r.labels[i]
	reach := reachRight
	if l.marker {
		reach = reachNumber
	}
	gap := s.x0 - l.x1
	if gap < -0.5*l.h || gap > reach*l.h || r.between(i, s) {
		return math.Inf(1)
	}
	far := costFar
	if r.lean == isBeside {
		far = costColumn
	}
	return costRight + far*math.Max(0, gap/l.h)
}

// freeText reports whether any words may be the fact's value.
func freeText(f fact) bool {
	switch f {
	case surname, givenNames, placeOfBirth, address, authority, wholeName:
		return true
	}
	return false
}

// costBelow is that of a text below a label, with no other label between.
func (r *reader) costBelow(i int, s segment) float64 {
	l := r.labels[i]
	down := (s.y - l.y) / l.h
	aside := (s.x0 - l.x0) / l.h
	within := s.x0 < l.x1 && s.x1 > l.x0
	left := reachLeft
	if l.fact == sex {
		left = reachSex
	}
	if down < 0.4 || down > reachBelow || aside < -left || aside > reachLeft && !within {
		return math.Inf(1)
	}
	for k, m := range r.labels {
		if k == i || m.marker || m.y < l.y+0.3*l.h || m.y > s.y-0.3*s.h {
			continue
		}
		if math.Abs(m.x0-s.x0) < reachLeft*m.h || m.x0 < s.x1 && m.x1 > s.x0 {
			return math.Inf(1)
		}
	}
	return costBelow + costDown*down + costAside*math.Min(4, math.Abs(aside))
}

// between reports whether another label stands between a label and a text on its row.
func (r *reader) between(i int, s segment) bool {
	l := r.labels[i]
	for k, m := range r.labels {
		if k != i && math.Abs(m.y-l.y) < onRow*math.Max(m.h, l.h) && m.x0 >= l.x1-0.5*l.h && m.x0 < s.x0 {
			return true
		}
	}
	return false
}

// settle notes the values of a pair and frees the words that they leave.
func (r *reader) settle(p pairing) {
	r.labels[p.label].used = true
	s := r.texts[p.text]
	if l := r.labels[p.label]; !l.marker {
		r.pairs = append(r.pairs, [2]segment{l, s})
	}
	from, to := len(s.words), 0
	for _, v := range p.values {
		from, to = min(from, v.from), max(to, v.to)
		if v.text != "" { // else it says that the document does not run out
			r.note(v, s, p)
		}
	}
	r.texts[p.text].used = true
	for _, rest := range [][2]int{{0, from}, {to, len(s.words)}} {
		if rest[0] < rest[1] {
			t := r.segmentOf(s.line, s.words[rest[0]:rest[1]], "")
			t.sequence = -1
			r.texts = append(r.texts, t)
		}
	}
}

// lookTwice is the confidence of a value's least sure character below which it is worth a second look.
const lookTwice = 0.9

// reading is what was found, as claims.
func (r *reader) reading() Reading {
	out := Reading{Kind: r.kind, Issuer: r.issuer, Numbered: r.numbers, Missing: r.lostAuthority(r.missing()), Letter: r.letterPlaces(), Open: r.openPlaces()}
	if second, ok := r.found[secondSurname]; ok {
		if first, ok := r.found[surname]; ok {
			first.text += " " + second.text
			first.parts = append(first.parts, second.parts...)
			first.mean, first.least = math.Min(first.mean, second.mean), math.Min(first.least, second.least)
			r.found[surname] = first
		}
	}
	for _, name := range known {
		f, ok := r.found[name]
		if !ok || r.torn[name] {
			continue
		}
		against := name == documentNumber && r.page.Number != "" && nearNumber(f.text, r.page.Number)
		if !r.sure(f) || freeText(name) || f.least < lookTwice || against {
			for _, p := range f.parts {
				again := r.partOfLine(p)
				again.Against = against
				out.Again = append(out.Again, again)
			}
		}
		if !r.sure(f) || endsCut(f) {
			continue
		}
		if name == issuer && out.Issuer == "" {
			out.Issuer = f.text
		}
		out.Claims = append(out.Claims, r.claim(f))
		out.Fields = append(out.Fields, fieldOf(r, f))
	}
	for _, p := range r.doubtful {
		out.Again = append(out.Again, r.partOfLine(p))
	}
	if !r.inOrder() {
		out.Claims = slices.DeleteFunc(out.Claims, func(c idv.Claim) bool { return c.Name == dateOfIssue || c.Name == dateOfExpiry })
	}
	return out
}

func (r *reader) claim(f found) idv.Claim {
	box := r.box(f.parts[0].line, f.parts[0].from, f.parts[0].to)
	for _, p := range f.parts[1:] {
		box = union(box, r.box(p.line, p.from, p.to))
	}
	return idv.Claim{Name: f.fact, Value: f.text, Source: idv.FromPrinted, Confidence: f.mean, Box: &box}
}

// inOrder reports whether the dates that were found can be one document's: issued before it runs out. Where they are
// not, labels and values were paired wrongly, and neither counts.
func (r *reader) inOrder() bool {
	from, ok := r.found[dateOfIssue]
	to, ok2 := r.found[dateOfExpiry]
	return !ok || !ok2 || from.text <= to.text
}

// fieldOf returns the place of a value, with its field number if that begins the same line.
func fieldOf(r *reader, f found) Field {
	out := Field{Name: f.fact}
	for i, p := range f.parts {
		if at := f.segment.sequence; i == 0 && at >= 0 && at < len(r.labels) {
			if l := r.labels[at]; l.marker && l.line == p.line && l.words[0].from < p.from {
				out.Number, p.from = l.tag, l.words[0].from
			}
		}
		out.Parts = append(out.Parts, r.partOfLine(p))
	}
	return out
}
