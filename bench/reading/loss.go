package reading

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// Seen is how a printed fact is among the recognised lines.
type Seen int

// A fact is within one line, within one but for diacritics, within one but for a letter in six, spread over several lines, or not there.
const (
	Whole Seen = iota
	Unmarked
	Misread
	Spread
	Unseen
	ways
)

// Fate is what became of a printed fact.
type Fate int

// A fact is read, misread, left out because its text or its characters are not sure enough, lost to another candidate or to "not printed"
// though it has one, or it has no candidate.
const (
	ReadRight Fate = iota
	ReadWrong
	TextUnsure
	CharsUnsure
	OtherChosen
	NoneChosen
	NoCandidate
	fates
)

var fateNames = [fates]string{"right", "wrong", "unsure text", "unsure chars", "other", "none", "no candidate"}

// Losses count facts by how they are among the lines and by what became of them.
type Losses map[idv.ClaimName]*[ways][fates]int

// LossesOf traces every printed fact of pictures.
func LossesOf(pictures []Picture, m *reading.Model, l reading.Limits) Losses {
	out := Losses{}
	for _, name := range reading.FactNames {
		out[name] = &[ways][fates]int{}
	}
	for _, p := range pictures {
		problem := reading.NewProblem(p.Page, m)
		free, read := problem.Read(m.Weights, reading.Limits{}).Claims, problem.Read(m.Weights, l).Claims
		unsure := problem.Read(m.Weights, reading.Limits{Sure: l.Sure}).Claims
		for name, want := range p.Truth {
			out[name][seenOf(p, want)][fateOf(&problem, name, want, free, unsure, read)]++
		}
	}
	return out
}

func fateOf(problem *reading.Problem, name idv.ClaimName, want facts.Truth, free, sure, read []idv.Claim) Fate {
	of := func(claims []idv.Claim) (string, bool) {
		i := slices.IndexFunc(claims, func(c idv.Claim) bool { return c.Name == name })
		if i < 0 {
			return "", false
		}
		return claims[i].Value, true
	}
	options := problem.Options[slices.Index(reading.FactNames[:], name)]
	chosen, some := of(free)
	_, stated := of(read)
	_, known := of(sure)
	right := some && facts.Same(name, chosen, want)
	switch {
	case stated && right:
		return ReadRight
	case stated:
		return ReadWrong
	case right && known:
		return CharsUnsure
	case right:
		return TextUnsure
	case !slices.ContainsFunc(options, func(o reading.Option) bool { return facts.Same(name, o.Value, want) }):
		return NoCandidate
	case some:
		return OtherChosen
	}
	return NoneChosen
}

// seenOf says how a fact is among the lines.
func seenOf(p Picture, want facts.Truth) Seen {
	best := Unseen
	var all strings.Builder
	marked, plain := strings.ToUpper(squeezed(want.Printed)), lexicon.Alphanumerics(want.Printed)
	for _, l := range p.Page.Lines {
		line := lexicon.Alphanumerics(l.Text)
		all.WriteString(line)
		switch {
		case strings.Contains(strings.ToUpper(squeezed(l.Text)), marked):
			best = min(best, Whole)
		case strings.Contains(line, plain):
			best = min(best, Unmarked)
		case contains(line, plain, len(plain)/6):
			best = min(best, Misread)
		}
	}
	for _, part := range strings.FieldsFunc(want.Printed, func(r rune) bool { return strings.ContainsRune(" ,\n", r) }) {
		if !contains(all.String(), lexicon.Alphanumerics(part), len(part)/6) {
			return best
		}
	}
	return min(best, Spread)
}

// contains reports whether a part of a text is another but for so many letters.
func contains(text, part string, most int) bool {
	for i := 0; i+len(part)-most <= len(text); i++ {
		for _, n := range []int{len(part), len(part) - 1, len(part) + 1} {
			if n >= 0 && i+n <= len(text) && lexicon.Distance(text[i:i+n], part, most) <= most {
				return true
			}
		}
	}
	return false
}

func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" .,-/:\n", r) {
			return -1
		}
		return r
	}, s)
}

// String is the table of losses: how facts are among the lines, and what became of them.
func (l Losses) String() string {
	var b strings.Builder
	var all [ways][fates]int
	fmt.Fprintf(&b, "%-16s %5s %6s %6s %6s %6s |", "fact", "whole", "-marks", "-sixth", "spread", "unseen")
	for _, n := range fateNames {
		fmt.Fprintf(&b, " %12s", n)
	}
	b.WriteString("\n")
	for _, name := range slices.SortedFunc(maps.Keys(l), func(a, b idv.ClaimName) int { return cmp.Compare(a, b) }) {
		for i := range all {
			for k := range all[i] {
				all[i][k] += l[name][i][k]
			}
		}
		lossRow(&b, string(name), l[name])
	}
	lossRow(&b, "all", &all)
	return b.String()
}

func lossRow(b *strings.Builder, name string, n *[ways][fates]int) {
	fmt.Fprintf(b, "%-16s", name)
	for i := range n {
		sum := 0
		for _, x := range n[i] {
			sum += x
		}
		fmt.Fprintf(b, " %5d ", sum)
	}
	b.WriteString("|")
	for k := range fates {
		sum := 0
		for i := range n {
			sum += n[i][k]
		}
		fmt.Fprintf(b, " %4d (%2d abs)", sum, n[Unseen][k])
	}
	b.WriteString("\n")
}
