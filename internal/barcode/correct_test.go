package barcode

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// words are a text's codewords with k = 2^(level+1) for correction.
func words(t *testing.T, text string, level int) ([]int, int) {
	t.Helper()
	data, err := compact(text)
	if err != nil {
		t.Fatal(err)
	}
	data = append([]int{len(data) + 1}, data...)
	return append(data, correction(data, 2<<level)...), 2 << level
}

func TestRepairCorrectsAsMuchAsItMay(t *testing.T) {
	right, k := words(t, licence, 4)
	r := rand.New(rand.NewPCG(1, 5))
	for _, c := range []struct {
		name          string
		errors, erase int
		want          bool
	}{
		{"nothing is wrong", 0, 0, true},
		{"one error", 1, 0, true},
		{"as many errors as it may", k/2 - spare/2, 0, true},
		{"one error too many", k/2 + 1, 0, false},
		{"as many erasures as it may", 0, k - spare, true},
		{"errors and erasures", k / 4, k/2 - spare, true},
		{"more erasures than it may", 0, k - spare + 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 20 {
				in := append([]int(nil), right...)
				places := r.Perm(len(in))
				for _, at := range places[:c.errors+c.erase] {
					in[at] = (in[at] + 1 + r.IntN(fieldSize-1)) % fieldSize
				}
				got, ok := repair(in, k, places[c.errors:c.errors+c.erase])
				if ok != c.want {
					t.Fatalf("repaired: %v", ok)
				}
				if ok {
					if d := cmp.Diff(right, got); d != "" {
						t.Fatalf("want -, got +:\n%s", d)
					}
				}
			}
		})
	}
}
