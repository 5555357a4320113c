package nameindex

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// LiteralHit is an entry with a name that is written like the one that is searched for. It says nothing about who the person is.
type LiteralHit struct {
	List   List                 `json:"list"`
	Entity watchlist.Entity     `json:"entity"`
	Name   watchlist.ListedName `json:"name"`  // of the entry's names, the one that is most alike
	Alike  float64              `json:"alike"` // as [names.Literal] compares, 0–1
}

// Literal lists the entries with a name that is written like the first of the searched ones, at least as alike as least (0–1): the most alike
// first, no more than the limit, and how many there are in all. Every name of the index is compared; facts other than the name do not count.
// It returns [ErrBroken] or [ErrDamaged] where the names could not be compared.
func (x *Index) Literal(q Query, least float64) (hits []LiteralHit, all int, err error) {
	defer func() {
		if recover() != nil {
			hits, all, err = nil, 0, ErrBroken
		}
	}()
	if len(q.Names) == 0 {
		return nil, 0, nil
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	for entity, w := range x.writtenAlike(names.LiteralOf(q.Names[0]), least) {
		e, err := x.entity(int(entity))
		if err != nil {
			return nil, 0, err
		}
		list := x.foot.Lists[e.List]
		if expired(e.Entity.Until, q.Now) || q.Takes != nil && !q.Takes(list, e.Entity) {
			continue
		}
		hits = append(hits, LiteralHit{List: list, Entity: e.Entity, Name: e.Entity.Names[w.number], Alike: w.alike})
	}
	slices.SortFunc(hits, func(a, b LiteralHit) int {
		return cmp.Or(cmp.Compare(b.Alike, a.Alike), cmp.Compare(a.List.Name, b.List.Name), cmp.Compare(a.Entity.ID, b.Entity.ID))
	})
	return hits[:min(len(hits), q.Limit)], len(hits), nil
}

// written is the name of an entry that is most alike, by its number there.
type written struct {
	number uint32
	alike  float64
}

// writtenAlike compares every name. Words repeat, so that each is compared once.
func (x *Index) writtenAlike(searched names.Literal, least float64) map[uint32]written {
	latin := make([]string, max(0, x.tokens.at.len()-1))
	words := searched.Words()
	alike := make([][]float64, len(words))
	for w := range alike {
		alike[w] = make([]float64, len(latin))
	}
	for t := range latin {
		latin[t] = x.token(t).Latin
		for w, word := range words {
			alike[w][t] = names.WordsAlike(word, latin[t])
		}
	}
	owners, at, tokens := x.sections[sectionNameEntity], x.sections[sectionNameAt], x.sections[sectionNames]
	out, best := map[uint32]written{}, make([]float64, len(words))
	var line []byte
	for n := range x.foot.Names {
		clear(best)
		line = line[:0]
		for i := at.at(n); i < at.at(n+1); i++ {
			t := tokens.at(int(i)) & tokenMask
			for w := range best {
				best[w] = max(best[w], alike[w][t])
			}
			if len(line) > 0 {
				line = append(line, ' ')
			}
			line = append(line, latin[t]...)
		}
		a := max(names.MeanAlike(best), searched.Whole(unsafe.String(unsafe.SliceData(line), len(line))))
		entity, number := owners.at(2*n), owners.at(2*n+1)
		if old, ok := out[entity]; a >= least && (!ok || a > old.alike) {
			out[entity] = written{number, a}
		}
	}
	return out
}
