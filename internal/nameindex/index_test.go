package nameindex

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

func person(id, name string) watchlist.Entity {
	return watchlist.Entity{
		ID: id, Kind: watchlist.Person, Names: []watchlist.ListedName{{Text: name, Strength: watchlist.Primary}},
		Births: []names.Dates{names.Day(1965, 3, 4)}, Documents: []watchlist.Document{{Number: "P012345"}},
	}
}

// compiled is an index of invented people beside the given ones.
func compiled(t *testing.T, people ...watchlist.Entity) *Index {
	t.Helper()
	path := filepath.Join(t.TempDir(), "names.index")
	b, err := NewBuilder(path)
	if err != nil {
		t.Fatal(err)
	}
	b.List(List{Name: "test", Version: "1"})
	for i := range 2000 {
		syllables := []string{"ka", "le", "mi", "no", "ru", "sa", "te", "vo", "di", "ba"}
		name := syllables[i%10] + syllables[i/10%10] + syllables[i/100%10] + " " + syllables[i/7%10] + syllables[i/3%10] + syllables[i%7]
		e := person(fmt.Sprint("x", i), name)
		e.Documents = nil
		people = append(people, e)
	}
	for _, p := range people {
		if err := b.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := b.Close()
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	if x.Digest() != sum {
		t.Errorf("the index says %s, its builder %s", x.Digest(), sum)
	}
	return x
}

func TestAPersonIsFoundBy(t *testing.T) {
	x := compiled(t, person("1", "Zahran, Ilyan Yusufovich"), watchlist.Entity{
		ID: "2", Kind: watchlist.Organisation, Names: []watchlist.ListedName{{Text: "ZAHRAN LLC"}},
	})
	for name, c := range map[string]struct {
		q    Query
		want names.Band
	}{
		"the name and the day of birth": {Query{Names: []names.Name{names.Parse("Ilyan Yusufovich Zahran")}, Birth: names.Day(1965, 3, 4)}, names.BandStrong},
		"the name in another script":    {Query{Names: []names.Name{names.Parse("Ильян Юсуфович Захран")}}, names.BandPossible},
		"a letter wrong":                {Query{Names: []names.Name{names.Parse("Ilyan Yusufovich Zehran")}}, names.BandPossible},
		"one word of two":               {Query{Names: []names.Name{names.Parse("ILYANYUSUFOVICH Zahran")}}, names.BandPossible},
		"the zone, where the print is another": {
			Query{Names: []names.Name{names.Parse("Somebody Elseworth"), names.Parse("ZAHRAN<<ILYAN<YUSUFOVICH")}}, names.BandPossible,
		},
		"the number, whatever the name":  {Query{Names: []names.Name{names.Parse("Somebody Elseworth")}, Numbers: []string{"P012345"}}, names.BandStrong},
		"the name, born twenty years on": {Query{Names: []names.Name{names.Parse("Ilyan Yusufovich Zahran")}, Birth: names.Day(1985, 3, 4)}, names.BandDistant},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := x.Search(c.q)
			if err != nil || len(r.Hits) == 0 || r.Hits[0].Entity.ID != "1" || r.Hits[0].Band != c.want {
				t.Fatalf("got %+v, %v; want %s", r, err, c.want)
			}
			if r.Hits[0].List.Name != "test" || r.Index != x.Digest() {
				t.Errorf("the hit does not say where it is from: %+v", r.Hits[0].List)
			}
		})
	}
}

func TestManyNamesakesAreOneAnswer(t *testing.T) {
	var all []watchlist.Entity
	for i := range 40 {
		all = append(all, person(fmt.Sprint("m", i), "Mohamed Ali"))
	}
	r, err := compiled(t, all...).Search(Query{Names: []names.Name{names.Parse("Mohamed Ali")}})
	if err != nil || !r.TooMany || r.Alarms != 40 || len(r.Hits) != 20 {
		t.Errorf("got %d alarms, %d hits, too many: %v, %v", r.Alarms, len(r.Hits), r.TooMany, err)
	}
}

func TestWhatCannotBeSearchedForIsNoAnswer(t *testing.T) {
	x := compiled(t, person("1", "Sheikh Zahran"))
	r, err := x.Search(Query{Names: []names.Name{names.Parse("Sheikh")}})
	if err != nil || !r.Unusable || r.Alarms > 0 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestAnEntryOfAnOwnListEnds(t *testing.T) {
	e := person("1", "Ilyan Zahran")
	e.Until = "2026-11-20"
	x := compiled(t, e)
	for day, want := range map[int]int{20: 1, 22: 0} {
		r, err := x.Search(Query{Names: []names.Name{names.Parse("Ilyan Zahran")}, Now: time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC)})
		if err != nil || r.Alarms != want {
			t.Errorf("on the %d.: got %d alarms, want %d, %v", day, r.Alarms, want, err)
		}
	}
}

func TestADamagedIndexIsNotUsed(t *testing.T) {
	x := compiled(t, person("1", "Ilyan Zahran"))
	whole := append([]byte(nil), x.data...)
	for name, raw := range map[string][]byte{
		"cut off": whole[:len(whole)/2], "empty": {},
		"one byte changed": append(append([]byte(nil), whole[:9]...), append([]byte{whole[9] ^ 1}, whole[10:]...)...),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "names.index")
			if err := os.WriteFile(path, raw, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(path); !errors.Is(err, ErrDamaged) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAPersonIsFoundByAnotherFormOfEachWord(t *testing.T) {
	listed := map[string]string{"1": "Robert Wilhelm", "2": "Ren Zhihao", "3": "Guo Xun", "4": "Pedro Jesus Lajos"}
	var people []watchlist.Entity
	for id, name := range listed {
		people = append(people, person(id, name))
	}
	x := compiled(t, people...)
	for name, id := range map[string]string{"Bob William": "1", "Jen Chih-hao": "2", "Kuo Hsun": "3", "Peter Luigi": "4"} {
		r, err := x.Search(Query{Names: []names.Name{names.Parse(name)}, Birth: names.Day(1965, 3, 4)})
		if err != nil || len(r.Hits) == 0 || r.Hits[0].Entity.ID != id {
			t.Errorf("%q does not find %q: %+v, %v", name, listed[id], r.Hits, err)
		}
	}
}

func TestAShortFamilyNameWithoutVowelsIsFoundAmongManyOfTheGivenName(t *testing.T) {
	people := []watchlist.Entity{person("srb", "Jan Srb"), person("vlk", "Vlk, Jan")}
	syllables := []string{
		"bar", "del", "fen", "gor", "hul", "kov", "lam", "mur", "nev", "pol", "qui", "ros", "sten", "tal", "vor", "wen", "yar",
		"zel", "dro", "bri",
	}
	for i := range 8000 {
		people = append(people, person(fmt.Sprint("j", i), "Jan "+syllables[i%20]+syllables[i/20%20]+syllables[i/400]))
	}
	x := compiled(t, people...)
	for name, id := range map[string]string{"Jan Srb": "srb", "Srb Jan": "srb", "SRB<<JAN": "srb", "Jan Vlk": "vlk"} {
		r, err := x.Search(Query{Names: []names.Name{names.Parse(name)}})
		if err != nil || len(r.Hits) == 0 || r.Hits[0].Entity.ID != id || r.Hits[0].Band != names.BandPossible {
			t.Errorf("%s: got %d hits, %v, not the entry first", name, len(r.Hits), err)
		}
	}
	if r, err := x.Search(Query{Names: []names.Name{names.Parse("Srb")}}); err != nil || r.Unusable {
		t.Errorf("Srb alone cannot be searched for: %v", err)
	}
}

func TestNamesThatAreWrittenAlikeAreListedWhoeverTheyAre(t *testing.T) {
	other := person("2", "Zahrad, Ilyan")
	other.Names = append(other.Names, watchlist.ListedName{Text: "Quite Another"})
	past := person("3", "Zahran, Ilyan")
	past.Until = "2020-01-01"
	x := compiled(t, person("1", "Zahran, Ilyan"), other, past, person("4", "Zahran, Bertram"))
	q := Query{Names: []names.Name{names.Parse("Ilyan Zahran")}, Now: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)}
	for least, want := range map[float64][]string{1: {"1"}, 0.9: {"1", "2"}, 0.78: {"1", "2"}} {
		hits, all, err := x.Literal(q, least)
		var got []string
		for _, h := range hits[:min(len(hits), len(want))] {
			got = append(got, h.Entity.ID)
		}
		if err != nil || !slices.Equal(got, want) || all != len(hits) || least >= 0.9 && all != len(want) {
			t.Errorf("from %v: %v of %d, %v; want %v", least, got, all, err, want)
		}
		for _, h := range hits {
			if h.Alike < least || h.Entity.ID == "3" || h.Name.Text == "Quite Another" {
				t.Errorf("from %v: %+v is listed", least, h)
			}
		}
	}
	q.Limit = 1
	if hits, all, err := x.Literal(q, 0.9); len(hits) != 1 || all != 2 || err != nil {
		t.Errorf("%d of %d, %v; want one of two", len(hits), all, err)
	}
	if hits, _, err := x.Literal(Query{}, 0.7); len(hits) != 0 || err != nil {
		t.Errorf("nobody is looked for, and found: %v, %v", hits, err)
	}
}
