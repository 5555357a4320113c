package review

import (
	"context"
	"slices"
	"strconv"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// MaxOffered is how many reasons for declining a deployment can offer to its reviewers.
const MaxOffered = 30

// defaultOffered are the reasons that a person can decide for by looking, the likeliest first.
var defaultOffered = []problem.Kind{
	problem.FaceMismatch, problem.LivenessFailed, problem.DocumentEdited, problem.DocumentPortraitAltered, problem.DocumentScreenCopy,
	problem.DocumentPaperCopy, problem.DocumentExpired, problem.DocumentTypeNotAccepted, problem.DocumentFactsDisagree,
	problem.DocumentUnreadable, problem.PersonClaimMismatch, problem.PersonUnderAge,
}

// DefaultOffered are the reasons that reviewers are offered where the deployment has not chosen any.
func DefaultOffered() []session.OfferedReason {
	out := make([]session.OfferedReason, 0, len(defaultOffered))
	for _, k := range defaultOffered {
		out = append(out, session.OfferedReason{Code: k.Code})
	}
	return out
}

// Offered lists the reasons that reviewers are offered for declining, favourites first.
func (s *Queue) Offered(ctx context.Context) ([]session.OfferedReason, error) {
	set, err := s.store.DeclineReasons(ctx)
	if err != nil || len(set) == 0 {
		return DefaultOffered(), err
	}
	return set, nil
}

// Offer sets which reasons reviewers are offered for declining; none for the default. They are kept in their order, favourites
// first. Problems: request.malformed, naming the reason that is not one of Reasonable, or is there twice.
func (s *Queue) Offer(ctx context.Context, offered []session.OfferedReason) error {
	if len(offered) > MaxOffered {
		return session.Malformed("/reasons", "at most %d", MaxOffered)
	}
	known := Reasonable()
	seen := map[string]bool{}
	for i, r := range offered {
		at := "/reasons/" + strconv.Itoa(i)
		if !slices.Contains(known, r.Code) {
			return session.Malformed(at, "a reason of the catalogue that a reviewer can give")
		}
		if seen[r.Code] {
			return session.Malformed(at, "each reason once")
		}
		seen[r.Code] = true
	}
	sorted := slices.Clone(offered)
	slices.SortStableFunc(sorted, func(a, b session.OfferedReason) int {
		switch {
		case a.Favourite == b.Favourite:
			return 0
		case a.Favourite:
			return -1
		}
		return 1
	})
	return s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		if err := tx.SetDeclineReasons(ctx, sorted); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "decline_reasons.changed"})
	})
}
