package text

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/letter"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// letterPaper are the crops that single letters are read from. Most have room for the marks above and below.
var letterPaper = []paper{{above: .3, below: .3}, {above: .2, below: .2}, {above: .1, below: .1}, {above: .3, below: .1}}

// Set on 1 742 values of 400 scans (seed 7310001); the crops of 92 disagree on marks. See ADR 110.
const (
	rivalSure    = 0.7 // how sure the least sure character of another reading must be for it to be one
	letterBetter = 4.0 // log of how many times as likely the letters of another reading must be for it to count
	letterLead   = 0.5 // log of how many times as likely its letters must be as those of any other reading for them to be sure
)

// lettersAs is what is known of the letters of a line.
func (r reader) lettersAs(known Marks) letter.Alphabet {
	printed := func(c rune) bool {
		class := slices.Index(r.Dictionary, c)
		return class >= 0 && known.printed(class)
	}
	a := letter.Alphabet{Known: printed, Rare: map[rune]bool{}, RareBy: rareMark}
	for _, i := range known.rare {
		a.Rare[r.Dictionary[i]] = true
	}
	return a
}

// settle looks closely at the letters on whose marks the crops of a line disagree, and returns what was read then. texts are the readings of the line,
// seen its crops.
func (n *Readers) settle(
	ctx context.Context, img *imaging.Photo, s ocr.Strip, best Reading, texts []Reading, seen []looked, a letter.Alphabet,
) (Reading, error) {
	k := cropOf(best, seen)
	if k < 0 {
		return best, nil
	}
	at := seen[k].At
	if c := contestOf(best, texts); len(c.places) > 0 {
		likely, err := n.letters.Look(ctx, cropsOf(img, s, letterPaper), membersAt([]rune(best.Text), c.places), membersAt(at, c.places), a)
		if err != nil {
			return Reading{}, err
		}
		best = c.settled(likely)
	}
	return n.recheck(ctx, img, s, best, at, a)
}

// cropOf is the first of some crops that was read as a text, from which its letters have their places; −1 for none.
func cropOf(p Reading, seen []looked) int {
	return slices.IndexFunc(seen, func(l looked) bool { return l.Text == p.Text && len(l.At) == len([]rune(p.Text)) })
}

// cropsOf are crops of a line.
func cropsOf(img *imaging.Photo, s ocr.Strip, papers []paper) []*imaging.Gray {
	var out []*imaging.Gray
	for _, p := range papers {
		out = append(out, p.cut(img, s))
	}
	return out
}

// contest is what was read of a line, the readings that differ from it in marks alone, and where they do.
type contest struct {
	best   Reading
	rivals []Reading
	places []int
}

// oneBelow writes a cedilla for a comma below: print shows both alike, so crops that differ in nothing else agree.
var oneBelow = strings.NewReplacer("Ș", "Ş", "ș", "ş", "Ț", "Ţ", "ț", "ţ")

func contestOf(best Reading, texts []Reading) contest {
	c := contest{best: best}
	own := []rune(oneBelow.Replace(best.Text))
	for _, p := range texts {
		other := []rune(oneBelow.Replace(p.Text))
		if p.Least < rivalSure || !letter.Alike(own, other) || slices.Equal(own, other) {
			continue
		}
		c.rivals = append(c.rivals, p)
		for i := range own {
			if own[i] != other[i] && !slices.Contains(c.places, i) {
				c.places = append(c.places, i)
			}
		}
	}
	return c
}

// membersAt are the members of a list at some places.
func membersAt[T any](all []T, places []int) []T {
	out := make([]T, len(places))
	for k, i := range places {
		out[k] = all[i]
	}
	return out
}

// settled returns the reading with the likeliest letters. Contested letters are unsure unless they lead clearly.
func (c contest) settled(likely letter.Likelihoods) Reading {
	of := func(p Reading) float64 { return likely.Of(membersAt([]rune(p.Text), c.places)) }
	best, lead := c.best, math.Inf(1)
	for _, p := range c.rivals {
		lead = math.Min(lead, of(c.best)-of(p))
	}
	if lead < -letterBetter {
		best = slices.MaxFunc(c.rivals, func(a, b Reading) int { return cmp.Compare(of(a), of(b)) })
		lead = -lead
		for _, p := range c.rivals {
			if p.Text != best.Text {
				lead = math.Min(lead, of(best)-of(p))
			}
		}
	}
	if lead >= letterLead {
		return best
	}
	best.Chars = slices.Clone(best.Chars)
	for _, i := range c.places {
		best.Chars[i] = math.Min(best.Chars[i], unlike)
	}
	return best.of([]rune(best.Text))
}
