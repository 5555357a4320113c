package applicant

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Choice is the document that the applicant says they will show.
type Choice struct {
	Kind    idv.DocumentKind
	Country string // of the issuer, ICAO 9303-3 or ISO 3166-1 alpha-3; empty where they do not say
}

// Choose keeps which kind of document the applicant will show, and which country issued it. It can be changed until a picture of
// the document was accepted. What is read of the document counts, whatever was said. Problems: consent.missing,
// document.type_not_accepted, document.country_not_accepted, request.malformed for a country that is none,
// capture.out_of_order, session.expired, session.finished.
func (s *Service) Choose(ctx context.Context, id idv.SessionID, c Choice) (idv.Task, error) {
	var t idv.Task
	err := s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := checkTurn(*rec); err != nil {
			return err
		}
		if err := s.choose(ctx, tx, rec, w, c); err != nil {
			return err
		}
		var err error
		t, err = s.taskWithChallenge(ctx, tx, rec, w)
		return err
	})
	return t, err
}

func (s *Service) choose(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, c Choice) error {
	due, err := s.plan(ctx, tx, *rec, w)
	if err != nil {
		return err
	}
	if due.Step == idv.StepConsent {
		return problem.New(problem.ConsentMissing)
	}
	if !slices.Contains(due.Accepts, c.Kind) {
		return problem.New(problem.DocumentTypeNotAccepted).At("/document_kind")
	}
	if c.Country, err = saidCountry(w, c.Country); err != nil {
		return err
	}
	if rec.DocumentKind == c.Kind && rec.ChosenCountry == c.Country {
		return nil
	}
	captures, err := tx.Captures(ctx, rec.ID)
	if err != nil {
		return err
	}
	sent := func(c session.CaptureRow) bool { return c.Kind == idv.DocumentImage }
	if slices.ContainsFunc(session.Active(captures), sent) || !slices.Contains(w.Steps, idv.StepChoose) {
		return problem.New(problem.CaptureOutOfOrder)
	}
	before := rec.Session
	rec.DocumentKind, rec.ChosenCountry = c.Kind, c.Country
	rec.Due = session.FirstStep(*rec)
	return s.life.Save(ctx, tx, rec, before, session.EventChosen, map[string]any{"document_kind": c.Kind, "country": c.Country})
}

// saidCountry returns the code of a stated issuer; empty where the applicant was not asked, because the workflow accepts only
// one.
func saidCountry(w idv.WorkflowVersion, code string) (string, error) {
	if code == "" {
		return "", nil
	}
	state, known := icao.StateByCode(code)
	if !known || !icao.MayIssue(code) {
		return "", session.Malformed("/country", "the code of a state or organisation that issues documents (ICAO 9303-3)")
	}
	if !w.AcceptsIssuer(state.Code) {
		return "", problem.New(problem.DocumentCountryNotAccepted).At("/country")
	}
	return state.Code, nil
}
