package review

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/casefile"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// caseHits are the entries of watchlists about which reviewers said something.
func (s *CaseFiles) caseHits(ctx context.Context, id idv.SessionID) ([]casefile.Hit, error) {
	all, err := s.store.Hits(ctx, id)
	var out []casefile.Hit
	for _, h := range all {
		if len(h.Said) == 0 {
			continue
		}
		one := casefile.Hit{
			ID: h.ID, List: h.Found.List, Version: h.Found.Version, Entry: h.Found.Entry, Listed: h.Found.Listed, Topic: h.Found.Topic,
			Decision: string(h.State), Said: opinions(h.Said),
		}
		if !h.Until.IsZero() {
			one.Until = &h.Until
		}
		out = append(out, one)
	}
	return out, err
}

func opinions(said []session.Opinion) []casefile.Opinion {
	out := make([]casefile.Opinion, 0, len(said))
	for _, o := range said {
		out = append(out, casefile.Opinion(o))
	}
	return out
}

// byWhom are the places of those who said something.
func byWhom(said []casefile.Opinion) []*string {
	var out []*string
	for i := range said {
		out = append(out, &said[i].By)
	}
	return out
}
