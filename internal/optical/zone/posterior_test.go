package zone

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// few are the classes that the small lines of these tests are made of.
const few = "_AB<"

// smallFrames gives every class of few some probability in each frame, and nothing to others.
func smallFrames(r *rand.Rand, n int) frames {
	f := frames{p: make([]float32, n*classes), step: 4}
	for t := range n {
		sum := 0.0
		var v [len(few)]float64
		for i := range v {
			v[i] = math.Pow(r.Float64(), 3) + .01
			sum += v[i]
		}
		for i := range v {
			f.p[t*classes+classOf(few[i])] = float32(v[i] / sum)
		}
	}
	return f
}

// spelled is what a sequence of classes reads: equal neighbours are one character, blanks none.
func spelled(seq []byte) string {
	var out []byte
	before := byte('_')
	for _, c := range seq {
		if c != '_' && c != before {
			out = append(out, c)
		}
		before = c
	}
	return string(out)
}

// byHand adds up the probabilities of all sequences of classes by what they read, where the cells allow that.
func byHand(f frames, cells []cell) map[string]float64 {
	out := map[string]float64{}
	seq := make([]byte, f.count())
	var walk func(t int, p float64)
	walk = func(t int, p float64) {
		if t == len(seq) {
			if s := spelled(seq); allowedBy(s, cells) {
				out[s] += p
			}
			return
		}
		for i := range few {
			seq[t] = few[i]
			walk(t+1, p*f.at(t, classOf(few[i])))
		}
	}
	walk(0, 1)
	return out
}

func allowedBy(s string, cells []cell) bool {
	if len(s) != len(cells) {
		return false
	}
	fillers := 0
	for i := range len(s) {
		c := cells[i]
		if !c.allowed.has(classOf(s[i])) || c.name && s[i] != '<' && fillers > 2 {
			return false
		}
		if fillers++; s[i] != '<' || !c.name {
			fillers = 0
		}
	}
	return true
}

func TestPosteriorIsTheShareOfAllPathsThatReadTheCharacter(t *testing.T) {
	for name, c := range map[string]struct {
		frames int
		cells  []cell
	}{
		"two of any":              {6, sets(2, anyChar)},
		"three of any":            {8, sets(3, anyChar)},
		"a name":                  {8, names(3)},
		"a long run in a name":    {9, names(5)},
		"a letter, then a filler": {7, []cell{{allowed: setOf("AB")}, {allowed: setOf("<")}, {allowed: setOf("AB<")}}},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(8) {
				f := smallFrames(rand.New(rand.NewPCG(seed, 1)), c.frames)
				glyphs, _, ok := viterbi(f, c.cells)
				if !ok {
					t.Fatal("no path")
				}
				all := byHand(f, c.cells)
				total := 0.0
				want := make([]float64, len(glyphs))
				for s, p := range all {
					total += p
					for i := range want {
						if s[i] == glyphs[i].ch {
							want[i] += p
						}
					}
				}
				for i := range want {
					want[i] /= total
				}
				near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-3 })
				if diff := cmp.Diff(want, posteriors(f, c.cells, glyphs), near); diff != "" {
					t.Errorf("seed %d, %s (-want +got):\n%s", seed, glyphText(glyphs), diff)
				}
			}
		})
	}
}

func TestALineThatSpellsItselfIsReadAsTheLatticeReadsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`(_{0,2}[A-C<](_[A-C<]){0,12}_{0,2})`).Draw(t, "line")
		f := spell(line, float32(rapid.Float64Range(.3, .99).Draw(t, "sure")))
		n := len(spelled([]byte(line)))
		cells := sets(n, anyChar)
		for i := range cells {
			cells[i].name = i%5 > 1
		}
		fast, score, ok := greedyAllowed(f, cells)
		if !ok {
			t.Skip("the cells do not allow it")
		}
		v := newLattice(f, cells)
		v.run(math.Inf(1))
		slow, best, _ := v.trace(f)
		if math.Abs(best-score) > 1e-6 || glyphText(slow) != glyphText(fast) {
			t.Fatalf("%q: %q %.6f, the lattice says %q %.6f", line, glyphText(fast), score, glyphText(slow), best)
		}
	})
}

func TestPosteriorOfAnOpenChoiceIsNotTheBestFrame(t *testing.T) {
	f := spell("_A__B_", .98)
	// The second character could as well be an A that was printed badly: its frame says so, and so does its sum.
	f.p[4*classes+classOf('B')], f.p[4*classes+classOf('A')] = .5, .48
	cells := sets(2, anyChar)
	glyphs, _, _ := viterbi(f, cells)
	p := posteriors(f, cells, glyphs)
	if p[0] < .97 || p[1] > .55 || p[1] < .45 {
		t.Errorf("%s: %.3f", glyphText(glyphs), p)
	}
}

func TestABoundedSearchFindsTheBestPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		f := smallFrames(r, 12+r.IntN(20))
		cells := sets(4+r.IntN(8), anyChar)
		for i := range cells {
			cells[i].name = i > 2
		}
		got, score, ok := viterbi(f, cells)
		v := newLattice(f, cells)
		v.run(math.Inf(1))
		want, best, reachable := v.trace(f)
		if ok != reachable || math.Abs(best-score) > 1e-9 || glyphText(got) != glyphText(want) {
			t.Fatalf("%q %.6f, without a bound %q %.6f", glyphText(got), score, glyphText(want), best)
		}
	})
}
