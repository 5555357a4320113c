package session

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// outcomes are what a list can be narrowed to.
var outcomes = []idv.DecisionOutcome{idv.DecideApprove, idv.DecideDecline, idv.DecideRefer, idv.DecideReopen}

// checkFilter refuses a filter that no session can match, and returns it with issuing states in every notation under which they are
// kept. Problems: request.malformed, at the query parameter.
func (s *Service) checkFilter(ctx context.Context, f Filter) (Filter, error) {
	for _, state := range f.States {
		if !slices.Contains(idv.SessionStates(), state) {
			return Filter{}, Malformed("state", "there is no such state of a session")
		}
	}
	for _, kind := range f.Kinds {
		if !slices.Contains(idv.DocumentKinds(), kind) {
			return Filter{}, Malformed("document_kind", "there is no such kind of document")
		}
	}
	if f.Outcome != "" && !slices.Contains(outcomes, f.Outcome) {
		return Filter{}, Malformed("outcome", "there is no such outcome")
	}
	if _, ok := problem.Lookup(f.Reason); f.Reason != "" && !ok {
		return Filter{}, Malformed("reason", "the catalogue has no such code")
	}
	if !f.From.IsZero() && !f.To.IsZero() && f.To.Before(f.From) {
		return Filter{}, Malformed("to", "it is before from")
	}
	if err := f.Bar.check(); err != nil {
		return Filter{}, err
	}
	return s.checkFacets(ctx, f)
}

// checkFacets is checkFilter for what only the stored sessions and workflows tell.
func (s *Service) checkFacets(ctx context.Context, f Filter) (Filter, error) {
	var kept []string
	unknown := false
	for _, code := range f.Countries {
		state, ok := icao.StateByCode(code)
		if !ok {
			kept, unknown = append(kept, code), unknown || code != ""
			continue
		}
		kept = append(kept, state.Codes()...)
	}
	f.Countries = kept
	if f.Workflow == "" && !unknown {
		return f, nil
	}
	facets, err := s.store.Facets(ctx, f.Mode)
	if err != nil {
		return Filter{}, err
	}
	if f.Workflow != "" && !slices.Contains(facets.Workflows, f.Workflow) {
		return Filter{}, Malformed("workflow", "this mode has no workflow of that name")
	}
	for _, code := range kept { // a document can be read with an issuer that is not in the list
		if _, ok := icao.StateByCode(code); code != "" && !ok && !slices.Contains(facets.Countries, code) {
			return Filter{}, Malformed("country", "no state has this code (ICAO 9303-3 §5)")
		}
	}
	return f, nil
}

// CheckDateOfBirth refuses at a field what is no date, or one that has not come anywhere yet. XX stands for a month or day that is not
// known. Problems: request.malformed.
func CheckDateOfBirth(field, date string, now time.Time) error {
	if !datePattern.MatchString(date) {
		return Malformed(field, "it must be a date like 1980-05-21")
	}
	earliest, err := time.Parse(time.DateOnly, unknownParts.Replace(date))
	if err != nil {
		return Malformed(field, "it must be a date like 1980-05-21")
	}
	if earliest.After(now.UTC().Add(furthestEast)) {
		return Malformed(field, "it is in the future")
	}
	return nil
}

// furthestEast is how far the earliest time zone is ahead of UTC.
const furthestEast = 14 * time.Hour
