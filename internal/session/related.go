package session

import (
	"cmp"
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/verified"
)

// MaxRelated is how many sessions are looked at for what they have in common with one.
const MaxRelated = 20

// Alike is a session that has a keyed digest in common with another one.
type Alike struct {
	Session idv.SessionID
	Number  bool // of the document
	Name    bool // in any order, script or spelling that the index knows
}

// Relation is what two sessions have in common.
type Relation string

// The relations.
const (
	SameDocument Relation = "document" // the number
	SamePerson   Relation = "person"   // name and date of birth
)

// Related is a session that has something in common with another one.
type Related struct {
	View
	By []Relation
}

// OfferedReason is a reason that reviewers are offered for declining.
type OfferedReason struct {
	Code      string `json:"code"`
	Favourite bool   `json:"favourite"`
}

// Related finds other sessions of the same mode by the same document or person, newest first, among the MaxRelated newest that
// share a number or a name. A name alone relates nobody: the dates of birth have to be known and the same. The caller must have
// checked that sessions of this mode may be searched.
func (s *Service) Related(ctx context.Context, x idv.Session) ([]Related, error) {
	alike, err := s.store.Alike(ctx, x.ID, MaxRelated)
	if err != nil || len(alike) == 0 {
		return nil, err
	}
	read := s.store.Together()
	born, err := dateOfBirth(ctx, read, x.ID)
	if err != nil {
		return nil, err
	}
	var out []Related
	for _, a := range alike {
		var by []Relation
		if a.Number {
			by = append(by, SameDocument)
		}
		if a.Name && born != "" {
			other, err := dateOfBirth(ctx, read, a.Session)
			if err != nil {
				return nil, err
			}
			if other == born {
				by = append(by, SamePerson)
			}
		}
		if len(by) == 0 {
			continue
		}
		v, err := s.Get(ctx, x.Mode, a.Session)
		if err != nil {
			return nil, err
		}
		out = append(out, Related{View: v, By: by})
	}
	return out, nil
}

// dateOfBirth is the date of birth of a session's person by its newest report; empty where none is known.
func dateOfBirth(ctx context.Context, read Reader, id idv.SessionID) (string, error) {
	out, err := newestOutputs(ctx, read, id)
	if err != nil || out == nil || out.DateOfBirth == nil || out.DateOfBirth.Value == nil {
		return "", err
	}
	return *out.DateOfBirth.Value, nil
}

// newestOutputs says who a session is about by its newest report; nil where there is none, or it is erased.
func newestOutputs(ctx context.Context, read Reader, id idv.SessionID) (*verified.Outputs, error) {
	reports, err := read.Reports(ctx, id)
	if err != nil || len(reports) == 0 {
		return nil, ignoreErased(err)
	}
	reviews, err := read.Reviews(ctx, id)
	if err != nil {
		return nil, ignoreErased(err)
	}
	out := verified.Of(reports[len(reports)-1], reviews)
	return &out, nil
}

func ignoreErased(err error) error {
	if problem.Has(err, problem.SessionErased) {
		return nil
	}
	return err
}

// Name is what the person of a session is called, by the parts that are known.
type Name map[idv.ClaimName]string

// Names reads how the persons of sessions are called: as their newest reports say, else as it was stated. A session that is
// erased, or knows no name, is left out.
func (s *Service) Names(ctx context.Context, of []idv.Session) (map[idv.SessionID]Name, error) {
	read := s.store.Together()
	out := map[idv.SessionID]Name{}
	for _, x := range of {
		if !x.ErasedAt.IsZero() {
			continue
		}
		name := Name{}
		found, err := newestOutputs(ctx, read, x.ID)
		if err != nil {
			return nil, err
		}
		if found != nil {
			name.add(idv.GivenNames, found.GivenNames)
			name.add(idv.FamilyName, found.FamilyName)
		}
		if len(name) == 0 {
			name.state(x.Claimed)
		}
		if len(name) > 0 {
			out[x.ID] = name
		}
	}
	return out, nil
}

// state takes the name from what was stated about the person.
func (n Name) state(claimed map[idv.ClaimName]string) {
	for _, part := range []idv.ClaimName{idv.GivenNames, idv.FamilyName} {
		if claimed[part] != "" {
			n[part] = claimed[part]
		}
	}
}

func (n Name) add(part idv.ClaimName, f *verified.Fact) {
	if f != nil && f.Value != nil && *f.Value != "" {
		n[part] = *f.Value
	}
}

// Reasons reads the codes of the reasons of the newest decisions of sessions, gravest first.
func (s *Service) Reasons(ctx context.Context, of []idv.SessionID) (map[idv.SessionID][]string, error) {
	out, err := s.store.Reasons(ctx, of)
	for _, codes := range out {
		slices.SortStableFunc(codes, func(a, b string) int { return cmp.Compare(gravity(a), gravity(b)) })
	}
	return out, err
}

// gravity is lower the graver a reason is.
func gravity(code string) int {
	k, _ := problem.Lookup(code)
	order := []problem.Severity{problem.Fraud, problem.Final, problem.Suspect, problem.Refer, problem.Retry}
	if i := slices.Index(order, k.Severity); i >= 0 {
		return i
	}
	return len(order)
}
