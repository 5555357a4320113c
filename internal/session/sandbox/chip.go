package sandbox

import (
	"context"
	"maps"
	"slices"

	"github.com/bonafide-id/bonafide/internal/emrtd/testchip"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/persona"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// SendChip sends the files of a chip of test mode, as an app does that has read it. The chip has the zone on the page, where one was read, else
// that of the facts that the integrator claimed. Problems: session.conflict in live mode; those of applicant.Chips.
func (s *Service) SendChip(ctx context.Context, id idv.SessionID, choice testchip.Choice) (idv.Task, error) {
	rec, err := s.store.Session(ctx, id)
	if err != nil {
		return idv.Task{}, err
	}
	if rec.Mode != idv.Test {
		return idv.Task{}, session.Conflict(rec)
	}
	zone, err := s.zone(ctx, rec)
	if err != nil {
		return idv.Task{}, err
	}
	c := testchip.Chip{Choice: choice, Zone: zone, Now: s.life.Now()}
	files, err := c.Files()
	if err != nil {
		return idv.Task{}, err
	}
	asked, err := s.applicant.Chips.Challenge(ctx, id)
	if err != nil {
		return idv.Task{}, err
	}
	sub := applicant.ChipSubmission{Attempt: "test-" + string(asked.ID)}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sub.Files = append(sub.Files, files[name])
	}
	if answer := c.Answer(asked.Bytes); answer != nil {
		sub.Challenge, sub.Response = asked.ID, answer
	}
	return s.applicant.Chips.Submit(ctx, id, sub)
}

// zone returns the zone on the page, else one of what was claimed.
func (s *Service) zone(ctx context.Context, rec session.Record) ([]string, error) {
	somebody := persona.Persona{}
	if p, ok := session.PersonaOf(rec); ok {
		somebody = p
	} else {
		artifacts, err := s.store.Artifacts(ctx, rec.ID)
		if err != nil {
			return nil, err
		}
		for _, a := range slices.Backward(artifacts) {
			if a.Kind != idv.ArtifactMRZ || !a.Present {
				continue
			}
			zone, err := idv.ValueOf[idv.MRZ](a)
			if err != nil {
				return nil, err
			}
			if _, err := mrz.Parse(zone.Lines); err == nil && zone.CheckDigitsOK {
				return zone.Lines, nil
			}
		}
	}
	kind := rec.DocumentKind
	if kind != idv.IDCard {
		kind = idv.Passport
	}
	if lines := somebody.Zone(kind, rec.Claimed, s.life.Now()); lines != nil {
		return lines, nil
	}
	return somebody.Zone(kind, nil, s.life.Now()), nil // what was claimed fits into no zone
}
