package facts

import (
	"slices"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// Second is how often a claim is wrong on pages without a zone, by whether the second reader read its characters alike. Only facts
// that have to be confirmed before such a document counts as settled are counted. Diacritics do not count: the second reader knows few
// of them, and comparisons of facts fold them.
type Second struct {
	Alike    bench.Rate `json:"alike"`                 // of the claims that are stated
	Wrong    bench.Rate `json:"wrong_of_alike"`        // of those
	Alone    bench.Rate `json:"wrong_of_the_rest"`     // of the claims that one reader alone read
	Settled  bench.Rate `json:"every_fact_read_alike"` // pages on which that is so for every such fact that they show
	Mistaken bench.Rate `json:"wrong_of_settled"`      // of these pages, those with a wrong one among these facts
}

// secondOf counts the claims of readings without a zone.
func secondOf(readings []reading) Second {
	var alike, wrong, rest, alone, pages, settled, mistaken int
	for _, r := range readings {
		if r.zone {
			continue
		}
		shown, read, failed := 0, 0, 0
		for _, t := range r.truth {
			if !slices.Contains(idv.SettlingFacts(), t.Name) {
				continue
			}
			shown++
			at := slices.IndexFunc(r.claims, func(c idv.Claim) bool { return c.Name == t.Name && c.Source == idv.FromPrinted })
			if at < 0 {
				continue
			}
			right := lexicon.Alphanumerics(t.Value) == lexicon.Alphanumerics(r.claims[at].Value)
			switch c := r.claims[at]; {
			case c.Readers > 1 && right:
				alike, read = alike+1, read+1
			case c.Readers > 1:
				alike, wrong, read, failed = alike+1, wrong+1, read+1, failed+1
			case right:
				rest++
			default:
				rest, alone = rest+1, alone+1
			}
		}
		if shown == 0 {
			continue
		}
		pages++
		if read == shown {
			settled++
			if failed > 0 {
				mistaken++
			}
		}
	}
	return Second{
		bench.RateOf(alike, alike+rest), bench.RateOf(wrong, alike), bench.RateOf(alone, rest), bench.RateOf(settled, pages), bench.RateOf(mistaken, settled),
	}
}
