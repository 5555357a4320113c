package zone

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bonafide-id/bonafide/internal/mrz"
)

// blurred spells a line as a reader sees it that is not always sure: in each frame of a character some other class has
// part of its probability, now and then more than the character itself.
func blurred(r *rand.Rand, line string) frames {
	var spelled strings.Builder
	for i := range len(line) {
		spelled.WriteByte('_')
		spelled.WriteByte(line[i])
	}
	f := spell(spelled.String()+"_", .96)
	for t := 1; t < f.count(); t += 2 {
		if r.IntN(3) > 0 {
			continue
		}
		own, other := classOf(line[t/2]), 1+r.IntN(classes-1)
		share := float32(r.Float64()) * .7
		f.p[t*classes+own] -= share
		f.p[t*classes+other] += share
	}
	return f
}

// otherDigits gives the frames of a check digit to other digits: each takes the place of the one before it by so many.
func otherDigits(f frames, at, by int) frames {
	out := frames{p: append([]float32(nil), f.p...), step: f.step}
	t := 2*at + 1
	for d := range 10 {
		out.p[t*classes+1+(d+by)%10] = f.p[t*classes+1+d]
	}
	return out
}

// Whatever the check digits are, all that is not a check digit is read the same, as the same format, as surely, and is as
// whole: no step of decoding asks whether they pass.
func TestReadingNeverLooksAtCheckDigits(t *testing.T) {
	zones := [][]string{
		{"P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"},
		{"I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"},
		{"I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6"},
		{"V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L8988901C4XXX4009078F96121096ZE184226B<<<<<<"},
		{"IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<", "8806923102858CORINNE<<<<<<<6512068F6"},
	}
	checks := []string{"document_number_check", "birth_date_check", "expiry_date_check", "optional_check", "composite_check"}
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SampledFrom(zones).Draw(t, "zone")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "noise"), 1))
		format, _ := mrz.FormatOf(lines)
		rows, changed := make([]frames, len(lines)), make([]frames, len(lines))
		for i, l := range lines {
			rows[i] = blurred(r, l)
			changed[i] = rows[i]
		}
		places := map[[2]int]bool{}
		for _, field := range checks {
			if line, from, _, ok := mrz.PlaceOf(format, field); ok {
				changed[line] = otherDigits(changed[line], from, rapid.IntRange(0, 9).Draw(t, field))
				places[[2]int{line, from}] = true
			}
		}
		read := func(rows []frames) (decoding, bool) {
			z := &Zone{pitch: 10}
			for _, f := range rows {
				g := scan{frames: f, glyphs: greedy(f), pitch: 10, width: f.count() * 4}
				g.strip.Length = float64(len(lines[0])) * 10
				z.rows = append(z.rows, g)
			}
			got, ok := z.decoded()
			if !ok {
				t.Fatal("not read")
			}
			got.addPosteriors(rows)
			return got, z.whole()
		}
		a, wholeA := read(rows)
		b, wholeB := read(changed)
		if a.format != b.format || wholeA != wholeB {
			t.Fatalf("%s whole %v, with other check digits %s whole %v", a.format, wholeA, b.format, wholeB)
		}
		if diff := cmp.Diff(without(a.lines, places), without(b.lines, places)); diff != "" {
			t.Fatalf("with other check digits:\n%s", diff)
		}
	})
}

// without blots out some places of lines.
func without(lines []string, places map[[2]int]bool) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		b := []byte(l)
		for j := range b {
			if places[[2]int{i, j}] {
				b[j] = '.'
			}
		}
		out[i] = string(b)
	}
	return out
}
