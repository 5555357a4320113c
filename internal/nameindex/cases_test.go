package nameindex

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// The numbers are those of the cases that screening has to answer; internal/screening/cases_test.go says which test proves which.
// The names are invented, or those of public figures that everybody's tests of screening use. No date of birth is anybody's.

// alike is an entry with one name and nothing else.
func alike(id, name string) watchlist.Entity {
	return watchlist.Entity{ID: id, Kind: watchlist.Person, Names: []watchlist.ListedName{{Text: name, Strength: watchlist.Primary}}}
}

// asLarge is an index of as many names as a list of a state has, which makes the words of the given people as rare as they are there.
func asLarge(t *testing.T, people ...watchlist.Entity) *Index {
	t.Helper()
	syllables := []string{"ka", "le", "mi", "no", "ru", "sa", "te", "vo", "di", "ba"}
	for i := range 14_000 {
		name := syllables[i%10] + syllables[i/10%10] + syllables[i/100%10] + " " + syllables[i/1000%10] + syllables[i/3%10] + syllables[i/7%10]
		people = append(people, alike(fmt.Sprint("y", i), name))
	}
	for i, family := range []string{"Quillfeather", "Oglethorpe", "Thistlewick", "Wraxall"} { // they teach that both are forms of one name
		e := alike(fmt.Sprint("t", i), "Vladimir "+family)
		e.Names = append(e.Names, watchlist.ListedName{Text: "Volodymyr " + family, Strength: watchlist.Good})
		people = append(people, e)
	}
	return compiled(t, people...)
}

// bandOf is the band in which a search finds an entry, with the hit.
func bandOf(t *testing.T, x *Index, q Query, id string) (names.Band, Hit) {
	t.Helper()
	q.Limit = 1000
	r, err := x.Search(q)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(r.Hits, func(h Hit) bool { return h.Entity.ID == id })
	if i < 0 {
		return names.BandNone, Hit{}
	}
	return r.Hits[i].Band, r.Hits[i]
}

func TestCasesOfNamesThatHaveToAlarm(t *testing.T) {
	cases := map[string]struct {
		listed   string
		searched []string
	}{
		"1 any order, with a comma or without": {"Vladimir Putin", []string{"Putin, Vladimir", "Vladimir Putin", "PUTIN VLADIMIR"}},
		"2 Cyrillic against a Latin entry":     {"Vladimir Putin", []string{"Владимир Путин", "ВЛАДИМИР ПУТИН"}},
		"2 Latin against a Cyrillic entry":     {"Владимир Лавров", []string{"Vladimir Lavrov", "VLADIMIR LAVROV"}},
		"3 German, Ukrainian and Czech forms":  {"Vladimir Putin", []string{"Wladimir Putin", "Volodymyr Putin", "Vladimír Putin"}},
		"4 joined words and invisible letters": {
			"Vladimir Putin", []string{"VLADIMIRPUTIN", "Vladimir\u00a0\u00a0Putin", "Vladi\u200dmir Putin", "Vladi\u00admir Pu\u00adtin"},
		},
		"5 a zone that is cut at its 39th letter": {"Vladimir Vladimirovich Putin", []string{"PUTIN<<VLADIMIR<VLADIMIROVI"}},
		"6 Usama and Osama, bin and ibn":          {"Usama bin Ladin", []string{"Usama bin Ladin", "Osama bin Laden", "Usama ibn Laden"}},
		"7 Arabic, with vowels and without":       {"MOHAMMAD HASSAN AKHUND", []string{"محمد حسن آخوند", "مُحَمَّد حَسَن آخُوند"}},
		"7 Persian and Arabic yeh and kaf":        {"Yusuf Karzai", []string{"یوسف کرزی", "يوسف كرزي"}},
		"8 the servant of God in four spellings": {
			"Abd Allah Quirrel", []string{"Abdullah Quirrel", "Abd Allah Quirrel", "Abd-ul-lah Quirrel", "ʿAbdallāh Quirrel"},
		},
		"9 Qadhafi in four spellings": {
			"Muammar Qadhafi", []string{"Muammar Qadhafi", "Muammar Gaddafi", "Muammar Kadhafi", "Muammar al-Qaddafi"},
		},
		"10 umlauts":                                     {"Zebedee Müller", []string{"Zebedee Müller", "Zebedee Mueller", "ZEBEDEE MUELLER"}},
		"10 a Vietnamese letter":                         {"Đặng Featherstone", []string{"Dang Featherstone"}},
		"10 the Turkish i, dotted":                       {"İbrahim Kayserili", []string{"IBRAHIM KAYSERILI", "ibrahim kayserili", "ıbrahım Kayserılı"}},
		"11 a letter lost":                               {"Sergei Lavrenko", []string{"Sergi Lavrenko"}},
		"11 a letter lost of a name of two short words":  {"Sergei Lavrov", []string{"Sergi Lavrov"}},
		"11 a letter wrong of a name of two short words": {"Vladimir Putin", []string{"Vladimir Pulin"}},
		"11 a letter wrong":                              {"Zoltan Querbaum", []string{"Zoltan Querbaun"}},
		"11 a letter added":                              {"Bashar al-Assad", []string{"Bashar xal-Assad"}},
		"12 a Cyrillic look-alike":                       {"Vladimir Putin", []string{"PUT\u0406N Vladimir"}},
		"12 a Greek look-alike":                          {"Vladimir Putin", []string{"PUTI\u039d Vladimir", "Vladimir Put\u03b9n"}},
		"12 a name in its own scripts":                   {"KIM, Jong Un", []string{"Kim Jong Un", "KIM, Jong Un", "김정은"}},
		"12 the characters of the list":                  {"金正恩", []string{"金正恩"}},
		"13 hyphen, space and neither": {
			"Jean-Pierre Dupontel", []string{"Jean-Pierre Dupontel", "Jean Pierre Dupontel", "Jeanpierre Dupontel"},
		},
		"13 an apostrophe": {
			"O'Brien Fotheringay", []string{"OBrien Fotheringay", "O’Brien Fotheringay", "O'Brien Fotheringay"},
		},
		"14 a patronymic that is left out, of a rare surname": {"Ilyan Yusufovich Zahran", []string{"Ilyan Zahran"}},
	}
	var people []watchlist.Entity
	ids := map[string]string{}
	for _, c := range cases {
		if _, ok := ids[c.listed]; !ok {
			ids[c.listed] = fmt.Sprint("c", len(ids))
			people = append(people, alike(ids[c.listed], c.listed))
		}
	}
	x := asLarge(t, people...)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, s := range c.searched {
				got, h := bandOf(t, x, Query{Names: []names.Name{names.Parse(s)}}, ids[c.listed])
				if got.Rank() < names.BandPossible.Rank() {
					t.Errorf("%q against %q: got %s, want an alarm: %+v", s, c.listed, got, h.Comparison)
				}
				mixed := strings.Contains(name, "look-alike")
				if mixed != h.Comparison.Mixed || mixed && h.Grade != names.NameExact {
					t.Errorf("%q: got %s, said to mix scripts within a word: %v, want %v", s, h.Grade, h.Comparison.Mixed, mixed)
				}
			}
		})
	}
}

// querbaum is an entry with all that a list can say of somebody.
func querbaum(change func(*watchlist.Entity)) watchlist.Entity {
	e := watchlist.Entity{
		ID: "q", Kind: watchlist.Person, Births: []names.Dates{names.Day(1965, 3, 4)}, Sexes: []string{"M"}, Nationalities: []string{"UTO"},
		Documents: []watchlist.Document{{Number: "P0123450"}}, Names: []watchlist.ListedName{{Text: "Zoltan Querbaum", Strength: watchlist.Primary}},
	}
	change(&e)
	return e
}

func TestCasesOfFactsBesideTheName(t *testing.T) {
	as := func(strength watchlist.Strength, name string) func(*watchlist.Entity) {
		return func(e *watchlist.Entity) {
			e.Names, e.Births = []watchlist.ListedName{{Text: name, Strength: strength}}, nil
		}
	}
	born := func(all ...names.Dates) func(*watchlist.Entity) { return func(e *watchlist.Entity) { e.Births = all } }
	same := func(*watchlist.Entity) {}
	alarm := []names.Band{names.BandPossible, names.BandStrong}
	only := func(b names.Band) []names.Band { return []names.Band{b} }
	day := names.Day
	for name, c := range map[string]struct {
		listed func(*watchlist.Entity)
		name   string
		q      Query
		want   []names.Band
	}{
		"15 an initial, and the year of birth":      {same, "Z. Querbaum", Query{Birth: names.Year(1965)}, only(names.BandPossible)},
		"16 a former name":                          {as(watchlist.Former, "Zoltan Thistlewick"), "Zoltan Thistlewick", Query{}, alarm},
		"16 a maiden name beside the present one":   {same, "Zoltan Thistlewick née Querbaum", Query{Birth: day(1965, 3, 4)}, alarm},
		"16 f.k.a. before the listed name":          {same, "f.k.a. Zoltan Querbaum", Query{}, alarm},
		"17 circa 1962 against a day of 1963":       {born(names.Year(1962).Circa()), "Zoltan Querbaum", Query{Birth: day(1963, 5, 4)}, alarm},
		"17 from 1960 to 1962 against its last day": {born(names.Years(1960, 1962)), "Zoltan Querbaum", Query{Birth: day(1962, 12, 31)}, alarm},
		"17 a year alone against a day of it":       {born(names.Year(1945)), "Zoltan Querbaum", Query{Birth: day(1945, 7, 1)}, alarm},
		"17 one of several births agrees": {
			born(day(1931, 1, 2), day(1945, 7, 1)), "Zoltan Querbaum", Query{Birth: day(1945, 7, 1)}, only(names.BandStrong),
		},
		"18 day and month exchanged":             {same, "Zoltan Querbaum", Query{Birth: day(1965, 4, 3)}, alarm},
		"19 a year off, the name exact and rare": {same, "Zoltan Querbaum", Query{Birth: day(1966, 3, 4)}, only(names.BandPossible)},
		"20 the number of the document, the name misspelt": {
			same, "Soltann Kwerbom", Query{Numbers: []string{"P0123450"}}, only(names.BandStrong),
		},
		"21 a weak alias and the nationality": {
			as(watchlist.Weak, "The Clockmaker"), "The Clockmaker", Query{Nationalities: []string{"UTO"}}, only(names.BandPossible),
		},
		"22 the list has no birth":                  {born(), "Zoltan Querbaum", Query{Birth: day(1965, 3, 4)}, only(names.BandPossible)},
		"28 the same name, born twenty years apart": {same, "Zoltan Querbaum", Query{Birth: day(1985, 3, 4)}, only(names.BandDistant)},
		"33 a weak alias of two words alone": {
			as(watchlist.Weak, "The Doctor"), "The Doctor", Query{}, []names.Band{names.BandDistant, names.BandNone},
		},
		"33 a weak alias of initials alone": {as(watchlist.Weak, "BNC"), "BNC", Query{}, []names.Band{names.BandDistant, names.BandNone}},
		"33 a common weak alias alone":      {as(watchlist.Weak, "Ali"), "Ali", Query{}, []names.Band{names.BandDistant, names.BandNone}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.q.Names = []names.Name{names.Parse(c.name)}
			if got, h := bandOf(t, compiled(t, querbaum(c.listed)), c.q, "q"); !slices.Contains(c.want, got) {
				t.Errorf("got %s, want %s: %s, %+v, %+v", got, c.want, h.Grade, h.Facts, h.Comparison)
			}
		})
	}
}

func TestCase30AnotherSexAndNationalityTakeAFuzzyNameToDistant(t *testing.T) {
	x := asLarge(t, querbaum(func(e *watchlist.Entity) { e.Births = nil }))
	q := Query{Names: []names.Name{names.Parse("Zoltan Querbaun")}}
	if got, h := bandOf(t, x, q, "q"); got != names.BandPossible || h.Grade != names.NameFuzzy {
		t.Fatalf("by the name alone: got %s, %s, want a possible and fuzzy one", got, h.Grade)
	}
	q.Sex, q.Nationalities = "F", []string{"SWE"}
	if got, h := bandOf(t, x, q, "q"); got != names.BandDistant {
		t.Errorf("with another sex and nationality: got %s, want %s: %+v", got, names.BandDistant, h.Facts)
	}
}

func TestCasesOfNamesThatMustNotAlarm(t *testing.T) {
	company := alike("company", "EMMA LLC")
	company.Kind = watchlist.Organisation
	ship := alike("ship", "VLADIMIR RUSANOV")
	ship.Kind = watchlist.Vessel
	x := asLarge(t, company, ship, alike("27a", "Shaikh Isa Bin Tarif Al Bin Ali"), alike("27b", "Paul Murphy"), alike("27c", "Benjamin Netanyahu"),
		alike("27d", "Mark Zuckerberg"), alike("27e", "Olaf Scholz"), alike("31", "Sheikh Zahran"), alike("32", "Vladimir Putin"), alike("35", "Fund 8"))
	for name, searched := range map[string]string{
		"27 two names that share a particle":   "Usama bin Laden",
		"27 short names that begin alike":      "Pol Pot",
		"27 another given name":                "Boris Netanyahu",
		"27 another ending of the family name": "Mark Zuckermann",
		"27 a family name alone in common":     "Octavian Scholz",
		"31 only a title":                      "Sheikh",
		"31 only a form of address":            "Dr",
		"31 only a particle":                   "al",
		"32 a company for a person":            "Emma Daniels",
		"32 the very name of a company":        "EMMA LLC",
		"32 a vessel for a person":             "Vladimir Rusanov",
		"35 digits that differ, of one fund":   "Fund 5",
	} {
		t.Run(name, func(t *testing.T) {
			r, err := x.Search(Query{Names: []names.Name{names.Parse(searched)}})
			if err != nil || r.Alarms > 0 {
				t.Errorf("%q: got %d alarms, %v: %+v", searched, r.Alarms, err, r.Hits)
			}
			if says := strings.HasPrefix(name, "31"); says != r.Unusable {
				t.Errorf("%q: said to be unusable: %v, want %v", searched, r.Unusable, says)
			}
		})
	}
}

func TestCase61APanicOverOneEntryIsAnErrorAndNoAnswer(t *testing.T) {
	x := compiled(t, querbaum(func(*watchlist.Entity) {}))
	q := Query{Names: []names.Name{names.Parse("Zoltan Querbaum")}}
	if r, err := x.Search(q); err != nil || r.Alarms != 1 {
		t.Fatalf("got %d alarms, %v, want the entry", r.Alarms, err)
	}
	q.Takes = func(_ List, e watchlist.Entity) bool {
		if e.ID == "q" {
			panic("an entry that nobody can read")
		}
		return true
	}
	if r, err := x.Search(q); !errors.Is(err, ErrBroken) || len(r.Hits) > 0 {
		t.Errorf("got %+v, %v, want %v", r, err, ErrBroken)
	}
}

func TestCase59KillingACompilerLeavesTheIndexFromBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names.index")
	begin := func(name string) *Builder {
		b, err := NewBuilder(path)
		if err != nil {
			t.Fatal(err)
		}
		b.List(List{Name: "test", Version: name})
		if err := b.Add(alike("1", name)); err != nil {
			t.Fatal(err)
		}
		return b
	}
	first, err := begin("Zoltan Querbaum").Close()
	if err != nil {
		t.Fatal(err)
	}
	half := begin("Ilyan Zahran") // whoever makes it is killed here, or once all but its name is written
	if now := digestAt(t, path); now != first {
		t.Errorf("beside half an index: got %s, want %s", now, first)
	}
	if _, err := half.finish(); err != nil {
		t.Fatal(err)
	}
	if now := digestAt(t, path); now != first {
		t.Errorf("beside one that has not got its name yet: got %s, want %s", now, first)
	}
	second, err := begin("Ilyan Zahran").Close()
	if now := digestAt(t, path); err != nil || now != second || second == first {
		t.Errorf("after the next one: got %s, %v, want %s", now, err, second)
	}
}

// digestAt is the digest of the index at a path, which is whole.
func digestAt(t *testing.T, path string) string {
	t.Helper()
	x, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	return x.Digest()
}

func TestOnlyWhatADeadCompilerLeftIsSwept(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "names.index")
	alive, err := NewBuilder(path)
	if err != nil {
		t.Fatal(err)
	}
	dead, err := NewBuilder(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := dead.file.Close(); err != nil { // as the system does where a process is killed
		t.Fatal(err)
	}
	if err := Sweep(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead.file.Name()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of a dead compiler: %v, want it removed", err)
	}
	alive.List(List{Name: "test", Version: "1"})
	if err := alive.Add(alike("1", "Zoltan Querbaum")); err != nil {
		t.Fatal(err)
	}
	if digest, err := alive.Close(); err != nil || digestAt(t, path) != digest {
		t.Errorf("the compiler that was at work meanwhile: %q, %v", digest, err)
	}
}
