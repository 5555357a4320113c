package relaid

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// known are the two sides of an invented card; the recogniser took a letter of the surname for another.
func known() []facts.Cached {
	line := func(text string, height float64) facts.CachedLine {
		l := facts.CachedLine{Text: text, X: 200, Y: 100, Length: 300, Height: height}
		for range []rune(text) {
			l.Chars, l.At = append(l.Chars, .98), append(l.At, .5)
		}
		return l
	}
	truth := func(name idv.ClaimName, value, printed string) facts.Truth {
		return facts.Truth{Name: name, Value: value, Printed: printed}
	}
	front := facts.Cached{
		Picture: "card-1-front", Today: "2026-01-01", WantKind: idv.IDCard,
		Truth: []facts.Truth{
			truth(idv.FamilyName, "WEISSENBERGER", "WEISSENBERGER"), truth(idv.GivenNames, "ANNA", "ANNA"), truth(idv.DateOfBirth, "1980-02-03", "03.02.1980"),
			truth(idv.DocumentNumber, "X1234567", "X1234567"),
		},
		Lines: []facts.CachedLine{line("Name", 20), line("WEISSENBERCER", 40), line("Vorname ANNA", 40), line("03.02.1980 X1234567", 40)},
	}
	back := facts.Cached{
		Picture: "card-1-back", Today: "2026-01-01", Zone: []idv.Claim{{Name: idv.FamilyName, Value: "WEISSENBERGER"}},
		Truth: []facts.Truth{truth(idv.Address, "Hauptstr. 1", "Hauptstr. 1"), truth(idv.FamilyName, "WEISSENBERGER", "WEISSENBERGER")},
		Lines: []facts.CachedLine{line("Hauptstr. 1", 40)},
	}
	front.Of, back.Of = len(front.Lines), len(back.Lines)
	return []facts.Cached{front, back}
}

func TestTheSidesOfADocumentAreOne(t *testing.T) {
	docs := documentsOf(known())
	if len(docs) != 1 || len(docs[0].facts) != 5 || len(docs[0].lines) != 5 || !docs[0].zone || docs[0].kind != idv.IDCard {
		t.Errorf("got %+v", docs)
	}
}

func TestAValueThatIsKeptIsAsItWasRecognised(t *testing.T) {
	d := documentsOf(known())[0]
	f := d.recognised(d.facts[0])
	if f.text != "WEISSENBERCER" || len(f.chars) != 13 || f.truth.Value != "WEISSENBERGER" {
		t.Errorf("got %+v", f)
	}
	for line, want := range map[string]string{"No. X1234567 B": "X1234567", "X1234567": "X1234567", "AX1234567": "", "": ""} {
		got := ""
		if from, to, ok := within(line, "X1234567", 0); ok {
			got = string([]rune(line)[from:to])
		}
		if got != want {
			t.Errorf("in %q: got %q, want %q", line, got, want)
		}
	}
}

func TestTheSameSeedDrawsTheSamePages(t *testing.T) {
	o := Options{Pages: 8, Seed: 3}
	if d := cmp.Diff(Draw(known(), o), Draw(known(), o)); d != "" {
		t.Errorf("first −, second +:\n%s", d)
	}
	other := Draw(known(), Options{Pages: 8, Seed: 4})
	if cmp.Equal(Draw(known(), o)[0].Lines, other[0].Lines) {
		t.Error("two seeds draw one page")
	}
}

// TestPagesAreLoadedAsPicturesAre also holds that all text is valid and that what pages state is on most of them.
func TestPagesAreLoadedAsPicturesAre(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pages.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	to := json.NewEncoder(f)
	stated, found := 0, 0
	for _, c := range Draw(known(), Options{Pages: 200, Seed: 1}) {
		if err := to.Encode(c); err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, l := range c.Lines {
			text += l.Text
			if !utf8.ValidString(l.Text) || l.Length <= 0 || l.Height <= 0 {
				t.Fatalf("%s: line %+v", c.Picture, l)
			}
		}
		for _, fact := range c.Truth {
			stated++
			if strings.Contains(lexicon.Alphanumerics(text), lexicon.Alphanumerics(fact.Printed)) {
				found++
			}
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if all, err := facts.ReadLines(path); err != nil || len(all) != 200 {
		t.Errorf("%d pages are loaded: %v", len(all), err)
	}
	if stated < 1000 || found < 8*stated/10 || found == stated {
		t.Errorf("%d of %d facts are in the lines, want most and not all", found, stated)
	}
}

func TestHalvesShareNoLabelAndNoTitle(t *testing.T) {
	seen := map[string]Half{}
	for _, h := range []Half{First, Second} {
		w := vocabularyOf(h)
		n := 0
		for _, table := range []map[string]map[string][]string{w.labels, asStrings(w.titles)} {
			for _, row := range table {
				for _, words := range row {
					for _, s := range words {
						n++
						if other, twice := seen[s]; twice && other != h {
							t.Errorf("%q is in both halves", s)
						}
						seen[s] = h
					}
				}
			}
		}
		if n < 250 {
			t.Errorf("the %s half has %d words", h, n)
		}
	}
}

func asStrings(titles map[idv.DocumentKind]map[string][]string) map[string]map[string][]string {
	out := map[string]map[string][]string{}
	for k, v := range titles {
		out[string(k)] = v
	}
	return out
}

func TestEveryPlacementAndEveryLossIsDrawn(t *testing.T) {
	w := vocabularyOf(Whole)
	docs := documentsOf(known())
	seen := map[placement]int{}
	numbers := map[string]int{}
	for i := range 400 {
		rng := newRand(9, i)
		s := w.styleOf(rng, w.contentOf(rng, docs[0]))
		seen[s.labels]++
		numbers[s.numbers]++
	}
	for _, p := range []placement{above, tight, beside, column, right, below, none} {
		if seen[p] == 0 {
			t.Errorf("no page has its labels %s", p)
		}
	}
	if numbers["counted"] == 0 || numbers[""] == 0 {
		t.Errorf("numbers of fields: %v", numbers)
	}
}

func TestFogHidesSmallPrintMoreThanLarge(t *testing.T) {
	misread := func(small bool) float64 {
		c := camera{rng: newRand(7, 1), dirt: dirtOf(known()), fog: .4}
		wrong, all := 0, 0
		for range 400 {
			text, chars := c.read(run{text: "ISSUED BY", small: small})
			if n := utf8.RuneCountInString(text); n != len(chars) {
				t.Fatalf("%q has %d confidences", text, len(chars))
			}
			wrong, all = wrong+lexicon.Distance("ISSUED BY", text, 9), all+9
		}
		return float64(wrong) / float64(all)
	}
	if small, large := misread(true), misread(false); small < .2 || large > .1 || large == 0 {
		t.Errorf("%.3f of small print and %.3f of large print is misread, want more than .2, and less than .1 but some", small, large)
	}
}

func TestAPlaceMayBeOnTwoRows(t *testing.T) {
	split := 0
	for i := range 400 {
		s := setter{rng: newRand(11, i), style: style{step: 1.5}}
		rows := s.rowsOfValue(field{key: string(idv.PlaceOfBirth), text: "LOWER TOWN, UPLAND"})
		if len(rows) == 0 {
			continue
		}
		split++
		if got := strings.Join(rows, " "); len(rows) != 2 || got != "LOWER TOWN, UPLAND" {
			t.Fatalf("rows %q", rows)
		}
	}
	if split < 80 || split > 220 {
		t.Errorf("%d of 400 places are on two rows", split)
	}
}

func TestLabelsMayHaveTails(t *testing.T) {
	for share, want := range map[float64]bool{0: false, 1: true} {
		s := setter{rng: newRand(3, 1), style: style{tailed: share}}
		for _, language := range []string{"en", "ru", "hu"} {
			if got := s.tail(language); (got != "") != want {
				t.Errorf("with a share of %.0f the tail of a label in %s is %q", share, language, got)
			}
		}
	}
}
