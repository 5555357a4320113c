package reading

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/reading"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// rightOptions are the options that state what is printed, or nearly: a letter that was misread is the recogniser's mistake. Where none
// does, "not printed" is right.
func rightOptions(p Picture, problem *reading.Problem, f int) []bool {
	out := make([]bool, len(problem.Options[f]))
	want, printed := p.Truth[reading.FactNames[f]]
	if !printed {
		out[0] = true
		return out
	}
	for _, fits := range []func(string) bool{
		func(v string) bool { return facts.Same(reading.FactNames[f], v, want) },
		func(v string) bool { return nearly(v, want) },
	} {
		for i, o := range problem.Options[f][1:] {
			out[i+1] = fits(o.Value)
		}
		if slices.Contains(out, true) {
			return out
		}
	}
	out[0] = true
	return out
}

// nearly allows one misread letter in three.
func nearly(got string, want facts.Truth) bool {
	a := lexicon.Alphanumerics(got)
	for _, w := range []string{want.Value, want.Printed} {
		b := lexicon.Alphanumerics(w)
		if most := len(b) / 3; most > 0 && lexicon.Distance(a, b, most) <= most {
			return true
		}
	}
	return false
}

// Blur replaces the letters of a share of the words that labels are made of by others, where they are no part of what the page states:
// a page in a language that nobody here knows.
func Blur(p Picture, share float64, seed uint64) Picture {
	rng := rand.New(rand.NewPCG(seed, 21))
	stated := map[string]bool{}
	for _, t := range p.Truth {
		for _, w := range strings.Fields(t.Value + " " + t.Printed) {
			stated[lexicon.Alphanumerics(w)] = true
		}
	}
	other := map[string]string{}
	p.Page.Lines = slices.Clone(p.Page.Lines)
	for i := range p.Page.Lines {
		p.Page.Lines[i].Text = blurred(p.Page.Lines[i].Text, share, stated, other, rng)
	}
	return p
}

func blurred(text string, share float64, stated map[string]bool, other map[string]string, rng *rand.Rand) string {
	runes := []rune(text)
	for i := 0; i < len(runes); {
		j := i
		for j < len(runes) && isLetter(runes[j]) {
			j++
		}
		if w := string(runes[i:j]); j > i && reading.LabelWord(w) && !stated[lexicon.Alphanumerics(w)] {
			if _, seen := other[w]; !seen {
				other[w] = w
				if rng.Float64() < share {
					other[w] = replaced(w, rng)
				}
			}
			copy(runes[i:j], []rune(other[w]))
		}
		i = max(j, i+1)
	}
	return string(runes)
}

// BlurLabels is Blur for pages whose labels are known (relaid.Drawn). It may replace any word of a label.
func BlurLabels(p Picture, labels [][]int8, share float64, seed uint64) Picture {
	rng := rand.New(rand.NewPCG(seed, 22))
	other := map[string]string{}
	p.Page.Lines = slices.Clone(p.Page.Lines)
	for k := range p.Page.Lines {
		runes := []rune(p.Page.Lines[k].Text)
		for i := 0; i < len(runes); {
			j := i
			for j < len(runes) && isLetter(runes[j]) && labels[k][j] > 0 {
				j++
			}
			if w := string(runes[i:j]); j > i {
				if _, seen := other[w]; !seen {
					other[w] = w
					if rng.Float64() < share {
						other[w] = replaced(w, rng)
					}
				}
				copy(runes[i:j], []rune(other[w]))
			}
			i = max(j, i+1)
		}
		p.Page.Lines[k].Text = string(runes)
	}
	return p
}

// Garbled is a page that states nothing, though it is set as documents are: in a mirror, in a script that is read as another, or of no
// document.
func Garbled(p Picture, seed uint64) Picture {
	const others = "abdeghikmnoprstuvxyzAEGHIJKLMNOQRSTUVWXYZÄÍÜŁŠ013579-.'"
	rng := rand.New(rand.NewPCG(seed, 24))
	odd := []rune(others)
	share := []float64{.3, .6, .9}[rng.IntN(3)]
	p.Truth, p.Page.Lines = nil, slices.Clone(p.Page.Lines)
	p.Page.Kind, p.Page.Issuer, p.Page.Number, p.Page.Dates = "", "", "", nil
	for i := range p.Page.Lines {
		l := &p.Page.Lines[i]
		runes := []rune(l.Text)
		slices.Reverse(runes)
		for k, r := range runes {
			if r != ' ' && rng.Float64() < share {
				runes[k] = odd[rng.IntN(len(odd))]
			}
		}
		l.Text = string(runes)
		l.Chars = slices.Clone(l.Chars)
		sure := .4 + .6*rng.Float64()
		for k := range l.Chars {
			l.Chars[k] *= sure + (1-sure)*rng.Float64()
		}
	}
	return p
}

func isLetter(r rune) bool { return strings.ToUpper(string(r)) != strings.ToLower(string(r)) }

// replaced is a word with vowels for vowels and consonants for consonants.
func replaced(word string, rng *rand.Rand) string {
	const vowels, consonants = "aeiou", "bdfghklmnprstvz"
	return strings.Map(func(r rune) rune {
		from := consonants
		if strings.ContainsAny(lexicon.Alphanumerics(string(r)), "AEIOUY") {
			from = vowels
		}
		n := rune(from[rng.IntN(len(from))])
		if strings.ToUpper(string(r)) == string(r) {
			n += 'A' - 'a'
		}
		return n
	}, word)
}
