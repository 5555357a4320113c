package names

import (
	"math"
	"testing"
)

// The values of Winkler's own table ("String Comparator Metrics", 1990), without the bound of 0.7 below which he gives no bonus.
func TestWordsAreAsAlikeAsWinklersTableSays(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want float64
	}{
		{"martha", "marhta", 0.961},
		{"dwayne", "duane", 0.840},
		{"dixon", "dicksonx", 0.813},
		{"jones", "johnson", 0.832},
		{"massey", "massie", 0.933},
		{"same", "same", 1},
		{"abc", "xyz", 0},
		{"", "abc", 0},
	} {
		if got := jaroWinkler(tt.a, tt.b); math.Abs(got-tt.want) > 0.001 {
			t.Errorf("%q, %q: %.3f, want %.3f", tt.a, tt.b, got, tt.want)
		}
		if got, other := jaroWinkler(tt.a, tt.b), jaroWinkler(tt.b, tt.a); math.Abs(got-other) > 1e-9 {
			t.Errorf("%q, %q: %.3f one way, %.3f the other", tt.a, tt.b, got, other)
		}
	}
}

func TestNamesAreAsAlikeAsTheyAreWritten(t *testing.T) {
	for name, tt := range map[string]struct {
		searched, listed string
		from, to         float64
	}{
		"the same":                               {"Anna Eriksson", "ERIKSSON, Anna", 1, 1},
		"short words do not count":               {"Kim Jong Un", "KIM, Jong Man", 1, 1},
		"a short word counts where it is alone":  {"Li", "LI, Wei", 1, 1},
		"one word of a longer name":              {"Hussein", "ABBAS, Ali Hussein", 1, 1},
		"a letter that is another":               {"Putin Vladimir", "TURIN, Vladimir", 0.85, 0.95},
		"a longer form, as a whole":              {"Eriksson Annabella", "ERIKSSON, Anna", 0.9, 0.99},
		"another script":                         {"Анна Эрикссон", "ERIKSSON, Anna", 0.9, 1},
		"nothing in common":                      {"Anna Eriksson", "QUIRKE, Tom", 0, 0.3},
		"a name without letters that are known":  {"𐤀𐤁𐤂", "ERIKSSON, Anna", 0, 0},
		"a listed name without any known letter": {"Anna", "𐤀𐤁𐤂", 0, 0},
	} {
		if got := LiteralOf(Parse(tt.searched)).Alike(Parse(tt.listed)); got < tt.from-1e-9 || got > tt.to+1e-9 {
			t.Errorf("%s: %.3f, want %.2f to %.2f", name, got, tt.from, tt.to)
		}
	}
}
