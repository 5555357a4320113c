package session

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// SeenBefore is another session that has something in common with one, from either end.
type SeenBefore struct {
	View
	Link
	Erased  bool           // nothing but that it was there is left of it
	Signs   []idv.SeenSign // of the links from either end; none once it is erased
	Decided LinkDecision
}

// SeenBefore lists sessions that were compared with one, or with which it was compared, the newest comparison first. Of those that are
// erased only those that the session's own report names are there. Problems: not_found.
func (s *Service) SeenBefore(ctx context.Context, x idv.Session) ([]SeenBefore, error) {
	links, err := s.store.LinksOf(ctx, x.ID)
	if err != nil {
		return nil, err
	}
	gone, err := s.erasedSince(ctx, x.ID, links)
	if err != nil {
		return nil, err
	}
	decided, err := s.decidedAbout(ctx, x.ID)
	if err != nil {
		return nil, err
	}
	out := []SeenBefore{}
	for _, l := range slices.Concat(links, gone) {
		if l.Session != x.ID {
			l.Session, l.Other.Session = x.ID, l.Session
		}
		if slices.ContainsFunc(out, func(o SeenBefore) bool { return o.Other.Session == l.Other.Session }) {
			continue
		}
		v, err := s.Get(ctx, x.Mode, l.Other.Session)
		if problem.Has(err, problem.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		one := SeenBefore{View: v, Link: l, Erased: !v.Session.ErasedAt.IsZero()}
		if pair := PairOf(x.ID, l.Other.Session); !one.Erased {
			one.Signs, one.Decided = SignsBetween(links, pair), decided[pair]
		}
		out = append(out, one)
	}
	return out, nil
}

// decidedAbout reads what was decided about one session and others, with the notes.
func (s *Service) decidedAbout(ctx context.Context, id idv.SessionID) (map[Pair]LinkDecision, error) {
	all, err := s.store.LinkDecisions(ctx, id)
	out := make(map[Pair]LinkDecision, len(all))
	for _, d := range all {
		if out[d.Pair], err = s.store.LinkDecision(ctx, d.Pair); err != nil {
			return nil, err
		}
	}
	return out, err
}

// erasedSince lists the sessions that the newest report of one names and to which no link is left.
func (s *Service) erasedSince(ctx context.Context, id idv.SessionID, links []Link) ([]Link, error) {
	reports, err := s.store.Reports(ctx, id)
	if err != nil || len(reports) == 0 {
		return nil, ignoreErased(err)
	}
	var out []Link
	for _, c := range reports[len(reports)-1].Checks {
		if c.Finding == nil || c.Finding.Seen == nil {
			continue
		}
		for _, o := range c.Finding.Seen.Others {
			if !slices.ContainsFunc(links, func(l Link) bool { return l.Other.Session == o.Session || l.Session == o.Session }) {
				out = append(out, Link{Session: id, Other: o, FoundAt: c.SettledAt})
			}
		}
	}
	return out, nil
}

// Cluster is a group of sessions that are linked with each other.
type Cluster struct {
	Sessions []View // the newest first
	Links    []ClusterLink
	FoundAt  time.Time
}

// ClusterLink is a link, with what was decided about the two sessions. The decision has no note.
type ClusterLink struct {
	Link
	Signs   []idv.SeenSign // of the links from either end
	Decided LinkDecision
}

// The bounds of clusters: links that are read, and sessions of one that are shown.
const (
	mostLinks   = 2000
	MostCluster = 50
)

// Clusters groups the sessions of a mode by the links that referred, the newest group first, at most limit. Two that a reviewer said are
// not of the same person are not linked.
func (s *Service) Clusters(ctx context.Context, mode idv.Mode, limit int) ([]Cluster, error) {
	links, err := s.store.Links(ctx, mode, mostLinks)
	if err != nil {
		return nil, err
	}
	decided, err := s.decidedIn(ctx, links)
	if err != nil {
		return nil, err
	}
	groups := grouped(decidable(links, decided))
	out := make([]Cluster, 0, min(limit, len(groups)))
	for _, g := range groups[:min(limit, len(groups))] {
		c := Cluster{Links: g, FoundAt: g[0].FoundAt}
		for _, id := range endsOf(g) {
			if len(c.Sessions) == MostCluster {
				break
			}
			v, err := s.Get(ctx, mode, id)
			if problem.Has(err, problem.NotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			c.Sessions = append(c.Sessions, v)
		}
		out = append(out, c)
	}
	return out, nil
}

// decidedIn reads what was decided about the sessions of links, of those that referred.
func (s *Service) decidedIn(ctx context.Context, links []Link) (map[Pair]LinkDecision, error) {
	var pairs []Pair
	for _, l := range links {
		if l.Other.Refers {
			pairs = append(pairs, PairOf(l.Session, l.Other.Session))
		}
	}
	all, err := s.store.LinkDecisionsAbout(ctx, pairs)
	out := make(map[Pair]LinkDecision, len(all))
	for _, d := range all {
		out[d.Pair] = d
	}
	return out, err
}

// decidable are the links that referred, each pair once, without those that a reviewer said are not of the same person.
func decidable(links []Link, decided map[Pair]LinkDecision) []ClusterLink {
	between := map[Pair][]Link{}
	for _, l := range links {
		pair := PairOf(l.Session, l.Other.Session)
		between[pair] = append(between[pair], l)
	}
	var out []ClusterLink
	known := map[Pair]bool{}
	for _, l := range links {
		pair := PairOf(l.Session, l.Other.Session)
		if known[pair] || !l.Other.Refers {
			continue
		}
		known[pair] = true
		d, said := decided[pair]
		if !said {
			d.Pair = pair
		}
		if signs := SignsBetween(between[pair], pair); d.Now(signs) != LinkNotSame {
			out = append(out, ClusterLink{Link: l, Signs: signs, Decided: d})
		}
	}
	return out
}

// grouped splits links, the newest first, into groups that share no session.
func grouped(links []ClusterLink) [][]ClusterLink {
	root := map[idv.SessionID]idv.SessionID{}
	var find func(idv.SessionID) idv.SessionID
	find = func(id idv.SessionID) idv.SessionID {
		if root[id] == "" || root[id] == id {
			root[id] = id
			return id
		}
		root[id] = find(root[id])
		return root[id]
	}
	for _, l := range links {
		root[find(l.Session)] = find(l.Other.Session)
	}
	var out [][]ClusterLink
	place := map[idv.SessionID]int{}
	for _, l := range links {
		at := find(l.Session)
		i, known := place[at]
		if !known {
			i, place[at], out = len(out), len(out), append(out, nil)
		}
		out[i] = append(out[i], l)
	}
	return out
}

// endsOf lists the sessions of links, the newest first.
func endsOf(links []ClusterLink) []idv.SessionID {
	var out []idv.SessionID
	for _, l := range links {
		for _, id := range []idv.SessionID{l.Session, l.Other.Session} {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	slices.SortFunc(out, func(a, b idv.SessionID) int { return strings.Compare(string(b), string(a)) })
	return out
}
