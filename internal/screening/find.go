package screening

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// What is shown of one entry.
const (
	mostNames   = 20
	mostRemarks = 500
	mostWritten = 100 // of what is written alike
)

// Find looks for a person on the lists of a snapshot that cover a topic, and says why somebody has to look: a hit, or whatever kept
// the search from being complete. No codes mean that nobody was found on lists that are up to date. Everything that screens goes
// through it: sessions, lists that changed, the weekly run, and the search by hand.
func Find(s *Snapshot, p Person, topic idv.ScreeningTopic, set idv.ScreeningSettings, now time.Time) (idv.Screening, []string) {
	out := idv.Screening{Topic: topic, Lists: []idv.ScreenedList{}, Hits: []idv.ScreeningHit{}}
	var why []string
	add := func(when bool, k problem.Kind) {
		if when && !slices.Contains(why, k.Code) {
			why = append(why, k.Code)
		}
	}
	var old, held bool
	for _, l := range s.Lists {
		if !slices.Contains(l.Topics, topic) {
			continue
		}
		old, held = old || l.Old, held || l.Held
		out.Lists = append(out.Lists, idv.ScreenedList{Name: l.Name, Title: l.Title, SHA256: idv.Digest(l.SHA256), Published: l.Published})
	}
	if len(out.Lists) == 0 || s.Index == nil {
		add(true, problem.ScreeningListsMissing)
		return out, why
	}
	out.Index = idv.Digest(s.Index.Digest())
	r, err := s.Index.Search(p.query(topic, now))
	if err != nil {
		add(true, problem.ScreeningBroken)
		return out, why
	}
	out.Hits, out.Alarms = hitsOf(r, p, set, topic)
	for _, h := range out.Hits {
		if set.Alarms(h.Band) {
			add(true, reasonOf(h))
		}
	}
	add(out.Alarms > idv.MostHits, problem.ScreeningTooMany)
	add(r.Unusable, problem.ScreeningNameUnusable)
	add(old, problem.ScreeningListsOld)
	add(held, problem.ScreeningListHeld)
	return out, why
}

// hitsOf returns the hits of a result and how many of all refer.
func hitsOf(r nameindex.Result, p Person, set idv.ScreeningSettings, topic idv.ScreeningTopic) (hits []idv.ScreeningHit, alarms int) {
	hits = []idv.ScreeningHit{}
	for _, h := range r.Hits {
		hit := hitOf(h, p, topic)
		hit.Index = idv.Digest(r.Index)
		hits = append(hits, hit)
		if set.Alarms(hit.Band) {
			alarms++
		}
	}
	if r.TooMany && alarms == len(hits) {
		alarms = r.Alarms
	}
	return hits, alarms
}

// reasonOf returns the reason that a hit is.
func reasonOf(h idv.ScreeningHit) problem.Kind {
	switch {
	case h.Topic == idv.TopicPEP && associate(h.Topics):
		return problem.ScreeningPEPAssociate
	case h.Topic == idv.TopicPEP:
		return problem.ScreeningPEP
	case h.Topic == idv.TopicWatch:
		return problem.ScreeningListed
	case h.Band == idv.BandStrong:
		return problem.ScreeningStrongMatch
	}
	return problem.ScreeningPossibleMatch
}

func hitOf(h nameindex.Hit, p Person, topic idv.ScreeningTopic) idv.ScreeningHit {
	e := h.Entity
	out := idv.ScreeningHit{
		List: h.List.Name, Version: idv.Digest(h.List.Version), Entry: e.ID, FormerIDs: e.FormerIDs, Content: idv.Digest(e.Content()),
		Topic: topic, Topics: nonNil(e.Topics), Band: idv.ScreeningBand(h.Band), NameGrade: string(h.Grade),
		Birth: string(h.Facts.Birth), Nationality: string(h.Facts.Nationality), Sex: string(h.Facts.Sex), Number: string(h.Facts.Number),
		Mixed: h.Comparison.Mixed, Listed: h.Name.Text, Parts: []idv.NamePart{}, Names: []string{}, Births: []string{},
		Nationalities: nonNil(e.Nationalities), Sexes: nonNil(e.Sexes), Programmes: nonNil(e.Programmes), ListedOn: e.ListedOn,
		Remarks: shorten(e.Remarks, mostRemarks),
	}
	if h.Read < len(p.Names) {
		out.Read = p.Names[h.Read].Text()
	}
	for _, part := range h.Comparison.Parts {
		out.Parts = append(out.Parts, idv.NamePart{
			Read: part.Searched, Listed: part.Listed, Means: string(part.Means), Likeness: part.Likeness, Bits: part.Bits,
		})
	}
	for _, n := range e.Names {
		if n.Text != h.Name.Text && len(out.Names) < mostNames {
			out.Names = append(out.Names, shorten(n.Text, mostRemarks))
		}
	}
	for _, b := range e.Births {
		out.Births = append(out.Births, b.String())
	}
	return out
}

func nonNil(in []string) []string {
	if in == nil {
		return []string{}
	}
	return in
}

func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// Search is the free search of a reviewer, over every topic.
func Search(s *Snapshot, p Person, now time.Time) (idv.Screening, []string) {
	out := idv.Screening{Lists: []idv.ScreenedList{}, Hits: []idv.ScreeningHit{}}
	if s.Index == nil {
		return out, []string{problem.ScreeningListsMissing.Code}
	}
	var why []string
	for _, l := range s.Lists {
		out.Lists = append(out.Lists, idv.ScreenedList{Name: l.Name, Title: l.Title, SHA256: idv.Digest(l.SHA256), Published: l.Published})
		if l.Old && !slices.Contains(why, problem.ScreeningListsOld.Code) {
			why = append(why, problem.ScreeningListsOld.Code)
		}
	}
	out.Index = idv.Digest(s.Index.Digest())
	r, err := s.Index.Search(p.query("", now))
	if err != nil {
		return out, []string{problem.ScreeningBroken.Code}
	}
	for _, h := range r.Hits {
		hit := hitOf(h, p, topicOf(h.Entity))
		hit.Index = out.Index
		out.Hits = append(out.Hits, hit)
	}
	out.Alarms = r.Alarms
	if r.TooMany {
		why = append(why, problem.ScreeningTooMany.Code)
	}
	if r.Unusable {
		why = append(why, problem.ScreeningNameUnusable.Code)
	}
	slices.SortStableFunc(out.Hits, func(a, b idv.ScreeningHit) int { return cmp.Compare(rank(a.Band), rank(b.Band)) })
	return out, why
}

// WrittenAlike is an entry with a name that is written like the one that somebody looks for.
type WrittenAlike struct {
	List   string
	Entry  string
	Listed string
	Alike  float64 // 0–1
}

// SearchWritten lists the entries of a snapshot with a name that is written at least as alike as least (0–1), the most alike first, and how many
// there are in all. The snapshot has an index. It is no screening: it shows what a tool that compares letters would show. Errors are those of
// the index.
func SearchWritten(s *Snapshot, p Person, least float64, now time.Time) (out []WrittenAlike, all int, err error) {
	q := p.query("", now)
	q.Limit = mostWritten
	hits, all, err := s.Index.Literal(q, least)
	for _, h := range hits {
		out = append(out, WrittenAlike{h.List.Name, h.Entity.ID, shorten(h.Name.Text, mostRemarks), h.Alike})
	}
	return out, all, err
}

func rank(b idv.ScreeningBand) int {
	return slices.Index([]idv.ScreeningBand{idv.BandStrong, idv.BandPossible, idv.BandDistant}, b)
}

// ErrNationality is a nationality that no state has.
var ErrNationality = errors.New("not a nationality")

// Typed is a person as somebody types them: a name in any order and script. It returns names.ErrBirth, ErrNationality, or false where
// the name is none.
func Typed(name, born, sex string, nationalities, numbers []string, now time.Time) (Person, bool, error) {
	name = strings.TrimSpace(name)
	p := Person{Sex: sex, Names: []Name{{Family: name}}}
	if len([]rune(name)) > names.MaxRunes || strings.ContainsFunc(name, unicode.IsControl) || len(names.Parse(name).Tokens) == 0 {
		return p, false, nil
	}
	if born != "" {
		if _, err := names.ParseBirth(born, now); err != nil {
			return p, true, err
		}
		p.Birth = born
	}
	for _, c := range nationalities {
		code := watchlist.Country(c)
		if !isNationality(code) {
			return p, true, ErrNationality
		}
		p.Nationalities = append(p.Nationalities, code)
	}
	for _, n := range numbers {
		p.addNumber(n)
	}
	return p, true, nil
}
