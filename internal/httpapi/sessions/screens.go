package sessions

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/screening"
)

// Screens looks for people on the watchlists without a session.
type Screens struct {
	Source screening.Source
	Record func(context.Context, audit.Record) error
	Now    func() time.Time
}

// Search looks for a person. It is on record by which facts, before anything is looked for; nothing else of it is kept. Problems:
// request.malformed, screening.not_ready.
func (h *Screens) Search(ctx context.Context, b wire.WatchlistSearch) (*wire.Answer[wire.WatchlistFound], error) {
	p, usable, err := screening.Typed(b.Name, b.BirthDate, b.Sex, b.Nationalities, b.Numbers, h.Now())
	switch {
	case errors.Is(err, names.ErrBirth):
		return nil, wire.Malformed("/birth_date", "A date after 1880 that is not in the future: YYYY, YYYY-MM or YYYY-MM-DD.")
	case errors.Is(err, screening.ErrNationality):
		return nil, wire.Malformed("/nationalities", "Nationalities in two or three letters, or by their English names.")
	case err != nil:
		return nil, err
	case !usable:
		return nil, wire.Malformed("/name", "A name with letters, of at most 300 characters and no control characters.")
	}
	by := []string{"name"}
	for what, given := range map[string]bool{
		"birth_date": b.BirthDate != "", "sex": b.Sex != "", "nationality": len(b.Nationalities) > 0, "document_number": len(b.Numbers) > 0,
	} {
		if given {
			by = append(by, what)
		}
	}
	slices.Sort(by)
	if err := h.Record(ctx, audit.Record{Action: "watchlists.searched", Subject: strings.Join(by, " ")}); err != nil {
		return nil, err
	}
	s, err := h.Source.Snapshot(ctx)
	if errors.Is(err, screening.ErrNotReady) {
		return nil, problem.New(problem.ScreeningNotReady)
	}
	if err != nil {
		return nil, err
	}
	defer s.Release()
	found, why := screening.Search(s, p, h.Now())
	out := wire.WatchlistFoundOf(found, why)
	if b.AlikeFrom > 0 && s.Index != nil { // without lists the answer says so, and not that no name is alike
		written, all, err := screening.SearchWritten(s, p, float64(b.AlikeFrom)/100, h.Now())
		if err != nil {
			return nil, err
		}
		out.Written = wire.WrittenAlikeOf(written, all)
	}
	return wire.Reply(out, nil)
}
