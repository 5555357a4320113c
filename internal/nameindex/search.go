package nameindex

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// Query is who is searched for. A fact that is not known says nothing.
type Query struct {
	Names         []names.Name // as printed, and as the machine-readable zone has it; either may alarm
	Birth         names.Dates
	Sex           string                            // M, F
	Nationalities []string                          // as watchlist.Country writes them
	Numbers       []string                          // of documents, as watchlist.FoldNumber writes them
	Limit         int                               // of hits that are returned; defaults to 20
	Takes         func(List, watchlist.Entity) bool // which entries count; nil for all
	Now           time.Time
}

// Hit is one entry that may be the person.
type Hit struct {
	List       List                 `json:"list"`
	Entity     watchlist.Entity     `json:"entity"`
	Name       watchlist.ListedName `json:"name"` // of the entry's names, the one that agrees best
	Band       names.Band           `json:"band"`
	Grade      names.NameGrade      `json:"name_grade"`
	Facts      names.Facts          `json:"facts"`
	Comparison names.Comparison     `json:"comparison"`
	Read       int                  `json:"read"` // of the names that were searched for, the one that agrees best
}

// Result is the answer of a search.
type Result struct {
	Index    string `json:"index"` // digest of the index
	Unusable bool   `json:"name_unusable"`
	Hits     []Hit  `json:"hits"`     // strong, possible and distant ones, the gravest first
	Alarms   int    `json:"alarms"`   // strong and possible ones, also those beyond the limit
	TooMany  bool   `json:"too_many"` // more alarms than the limit
}

// Search finds who may be the person. A name that cannot be searched for makes the result unusable, unless a number is given. It
// returns [ErrBroken] or [ErrDamaged] where the search could not be made: then nobody may be taken to be clear.
func (x *Index) Search(q Query) (r Result, err error) {
	defer func() {
		if recover() != nil {
			r, err = Result{}, ErrBroken
		}
	}()
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	r.Index, r.Unusable = x.digest, true
	ref := reference{x, map[string]float64{}}
	best := map[uint32]Hit{}
	for i, n := range q.Names {
		if !n.Usable() {
			continue
		}
		r.Unusable = false
		if err := x.match(i, q, ref, best); err != nil {
			return Result{}, err
		}
	}
	if err := x.matchNumbers(q, ref, best); err != nil {
		return Result{}, err
	}
	r.collect(best, q.Limit)
	return r, nil
}

func (r *Result) collect(best map[uint32]Hit, limit int) {
	for _, h := range best {
		if h.Band == names.BandNone {
			continue
		}
		if h.Band.Rank() >= names.BandPossible.Rank() {
			r.Alarms++
		}
		r.Hits = append(r.Hits, h)
	}
	slices.SortFunc(r.Hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Band.Rank(), a.Band.Rank()), cmp.Compare(worth(b), worth(a)),
			cmp.Compare(a.List.Name, b.List.Name), cmp.Compare(a.Entity.ID, b.Entity.ID))
	})
	r.TooMany = r.Alarms > limit
	r.Hits = r.Hits[:min(len(r.Hits), limit)]
}

// worth orders hits within a band.
func worth(h Hit) float64 { return h.Comparison.Bits*h.Comparison.Score + h.Facts.Bits() }

// match compares the candidates of one name and keeps the best of each entry.
func (x *Index) match(which int, q Query, ref reference, best map[uint32]Hit) error {
	n := q.Names[which]
	owners, at, tokens := x.sections[sectionNameEntity], x.sections[sectionNameAt], x.sections[sectionNames]
	read := map[uint32]names.Token{}
	for _, c := range x.candidates(n, ref) {
		var listedName names.Name
		for i := at.at(int(c)); i < at.at(int(c)+1); i++ {
			v := tokens.at(int(i))
			t, ok := read[v&tokenMask]
			if !ok {
				t = x.token(int(v & tokenMask))
				read[v&tokenMask] = t
			}
			t.Role = names.Role(v >> roleShift)
			listedName.Tokens = append(listedName.Tokens, t)
		}
		comparison := names.Compare(n, listedName, ref)
		if !comparison.Shown() {
			continue
		}
		if err := x.keep(owners.at(2*int(c)), int(owners.at(2*int(c)+1)), which, comparison, q, best); err != nil {
			return err
		}
	}
	return nil
}

// keep judges one name of an entry, and remembers it where it is the entry's best.
func (x *Index) keep(entity uint32, number, which int, c names.Comparison, q Query, best map[uint32]Hit) error {
	e, err := x.entity(int(entity))
	if err != nil {
		return err
	}
	if expired(e.Entity.Until, q.Now) || q.Takes != nil && !q.Takes(x.foot.Lists[e.List], e.Entity) {
		return nil
	}
	name := e.Entity.Names[number]
	h := Hit{List: x.foot.Lists[e.List], Entity: e.Entity, Name: name, Comparison: c, Facts: facts(q, e.Entity), Read: which}
	h.Grade = c.Grade(name.Strength == watchlist.Weak)
	h.Band = names.Assess(c, h.Grade, h.Facts)
	old, ok := best[entity]
	if !ok || h.Band.Rank() > old.Band.Rank() || h.Band == old.Band && c.Score > old.Comparison.Score {
		best[entity] = h
	}
	return nil
}

// expired reports whether an entry of an own list no longer counts.
func expired(until string, now time.Time) bool {
	last, err := time.Parse(time.DateOnly, until)
	return err == nil && !now.IsZero() && now.After(last.AddDate(0, 0, 1))
}

// matchNumbers finds entries with a document of the person, whatever their names.
func (x *Index) matchNumbers(q Query, ref reference, best map[uint32]Hit) error {
	pairs := x.sections[sectionNumbers]
	n := pairs.len() / 2
	for _, number := range q.Numbers {
		d := digest(number)
		for i := sort.Search(n, func(i int) bool { return pairs.at(2*i) >= d }); i < n && pairs.at(2*i) == d; i++ {
			entity := pairs.at(2*i + 1)
			e, err := x.entity(int(entity))
			if err != nil {
				return err
			}
			if facts(q, e.Entity).Number != names.Agrees {
				continue // another number of the same digest
			}
			var c names.Comparison
			if len(q.Names) > 0 {
				c = names.Compare(q.Names[0], e.Entity.Names[0].Parsed(), ref)
			}
			if err := x.keep(entity, 0, 0, c, q, best); err != nil {
				return err
			}
		}
	}
	return nil
}

// facts compares what beside the name is known on both sides.
func facts(q Query, e watchlist.Entity) names.Facts {
	f := names.Facts{Sex: names.Unknown, Nationality: names.Unknown, Number: names.Unknown}
	f.Birth, f.BirthBits = names.CompareBirth(q.Birth, e.Births)
	if q.Sex != "" && len(e.Sexes) > 0 {
		f.Sex = agree(slices.Contains(e.Sexes, q.Sex))
	}
	if len(q.Nationalities) > 0 && len(e.Nationalities) > 0 {
		f.Nationality = agree(slices.ContainsFunc(q.Nationalities, func(n string) bool { return slices.Contains(e.Nationalities, n) }))
	}
	for _, d := range e.Documents {
		if slices.Contains(q.Numbers, d.Number) {
			f.Number = names.Agrees
		}
	}
	return f
}

func agree(same bool) names.Fact {
	if same {
		return names.Agrees
	}
	return names.Differs
}
