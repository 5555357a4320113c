package screening

import (
	"math/rand/v2"
	"strings"
	"time"
	"unicode"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// aliases searches for the people of the United Nations' list by their other names: as the list has them, and in an index from
// which all names of that sort were left out, so that they have to be found by another.
func aliases(p people, whole *nameindex.Index) ([]AliasResult, error) {
	latin, done, err := index(without(p, func(_ int, n watchlist.ListedName) bool { return !isLatin(n.Text) }))
	if err != nil {
		return nil, err
	}
	defer done()
	primary, done2, err := index(without(p, func(i int, _ watchlist.ListedName) bool { return i > 0 }))
	if err != nil {
		return nil, err
	}
	defer done2()
	good := func(n watchlist.ListedName) bool { return n.Strength == watchlist.Good && isLatin(n.Text) }
	weak := func(n watchlist.ListedName) bool { return n.Strength == watchlist.Weak }
	original := func(n watchlist.ListedName) bool { return !isLatin(n.Text) }
	var out []AliasResult
	for _, m := range []struct {
		what string
		x    *nameindex.Index
		in   func(watchlist.ListedName) bool
	}{
		{"good aliases, as listed", whole, good},
		{"low aliases, as listed", whole, weak},
		{"original script, as listed", whole, original},
		{"original script, against Latin names only", latin, original},
		{"good aliases, against primary names only", primary, good},
	} {
		r, err := recall(m.what, p.un, m.x, m.in)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func isLatin(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) })
}

func without(p people, drop func(int, watchlist.ListedName) bool) people {
	filter := func(in []watchlist.Entity) []watchlist.Entity {
		var out []watchlist.Entity
		for _, e := range in {
			var kept []watchlist.ListedName
			for i, n := range e.Names {
				if !drop(i, n) {
					kept = append(kept, n)
				}
			}
			if e.Names = kept; len(kept) > 0 {
				out = append(out, e)
			}
		}
		return out
	}
	return people{filter(p.un), filter(p.ofac)}
}

func recall(what string, un []watchlist.Entity, x *nameindex.Index, in func(watchlist.ListedName) bool) (AliasResult, error) {
	alarm, top, all := 0, 0, 0
	for _, e := range un {
		for i, n := range e.Names {
			if i == 0 || !in(n) {
				continue
			}
			all++
			r, err := x.Search(nameindex.Query{Names: []names.Name{names.Parse(n.Text)}, Limit: 50})
			if err != nil {
				return AliasResult{}, err
			}
			for rank, h := range r.Hits {
				if h.Entity.ID != e.ID || h.List.Name != "un" {
					continue
				}
				if rank < 10 {
					top++
				}
				if h.Band.Rank() >= names.BandPossible.Rank() {
					alarm++
				}
				break
			}
		}
	}
	return AliasResult{what, bench.RateOf(alarm, all), bench.RateOf(top, all)}, nil
}

// Customers is how often people who are on no list alarm.
type Customers struct {
	What     string     `json:"what"`
	ByName   bench.Rate `json:"by_name"`
	ByBirth  bench.Rate `json:"by_name_and_birth"`
	Strong   bench.Rate `json:"strong"` // with the date of birth
	Unusable int        `json:"unusable"`
}

type customer struct {
	name        string
	birth       names.Dates
	nationality string
}

func customers(path, what string, x *nameindex.Index) (Customers, error) {
	var all []customer
	err := table(path, func(row map[string]string) {
		birth, _ := names.ParseBirth(row["date_of_birth"], time.Time{})
		all = append(all, customer{row["full_name"], birth, watchlist.Country(row["nationality"])})
	})
	if err != nil {
		return Customers{}, err
	}
	return alarms("invented customers, "+what, all, x), nil
}

func alarms(what string, all []customer, x *nameindex.Index) Customers {
	byName, byBirth, strong, unusable := 0, 0, 0, 0
	for _, c := range all {
		q := nameindex.Query{Names: []names.Name{names.Parse(c.name)}}
		r, err := x.Search(q)
		if err != nil || r.Alarms > 0 {
			byName++
		}
		if r.Unusable {
			unusable++
		}
		q.Birth = c.birth
		r, err = x.Search(q)
		if err != nil || r.Alarms > 0 {
			byBirth++
		}
		if len(r.Hits) > 0 && r.Hits[0].Band == names.BandStrong {
			strong++
		}
	}
	return Customers{what, bench.RateOf(byName, len(all)), bench.RateOf(byBirth, len(all)), bench.RateOf(strong, len(all)), unusable}
}

// recombined are people whose names are put together from the words of the lists themselves: the hardest strangers there are.
func recombined(p people, x *nameindex.Index) Customers {
	draw := rand.New(rand.NewPCG(24, 1)) //nolint:gosec // invented people
	words := vocabulary(p)
	var all []customer
	for range 1000 {
		day := names.Day(1940+draw.IntN(65), time.Month(1+draw.IntN(12)), 1+draw.IntN(28))
		all = append(all, customer{combine(words, draw), day, ""})
	}
	return alarms("recombined from the lists' own words", all, x)
}

// vocabulary is every word of the lists' Latin names, as often as it occurs.
func vocabulary(p people) []string {
	var out []string
	for _, e := range append(append([]watchlist.Entity(nil), p.un...), p.ofac...) {
		for _, n := range e.Names {
			if isLatin(n.Text) {
				out = append(out, strings.FieldsFunc(n.Text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })...)
			}
		}
	}
	return out
}

func combine(words []string, draw *rand.Rand) string {
	n := 2 + draw.IntN(2)
	var parts []string
	for range n {
		parts = append(parts, words[draw.IntN(len(words))])
	}
	return strings.Join(parts, " ")
}
