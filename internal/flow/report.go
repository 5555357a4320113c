package flow

import (
	"fmt"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Report freezes what is known of a session: the settled, broken and skipped checks and all claims.
func Report(w idv.WorkflowVersion, ev idv.Evidence, checks []idv.Check) (idv.Report, error) {
	r := idv.Report{
		Workflow: w.ID, Checks: []idv.Check{}, Claims: ev.Claims, Notices: []string{}, MadeAt: ev.Now,
		Document: idv.DocumentSummary{Kind: idv.UnknownKind},
	}
	if r.Claims == nil {
		r.Claims = []idv.Claim{}
	}
	for _, c := range ev.Captures {
		r.Captures = append(r.Captures, idv.ReportedCapture{Step: c.Step, Side: c.Side, Kind: c.Kind, Source: c.Source})
	}
	for _, c := range checks {
		if c.Lifecycle != idv.CheckSuperseded {
			r.Checks = append(r.Checks, c)
		}
	}
	if n := w.LivenessNotice(); n != "" {
		r.Notices = append(r.Notices, n)
	}
	if w.AcceptSpecimens {
		r.Notices = append(r.Notices, "specimens_accepted")
	}
	if err := summarise(&r.Document, ev); err != nil {
		return idv.Report{}, err
	}
	if !asSaid(r.Document) {
		r.Notices = append(r.Notices, idv.NotAsSaid)
	}
	if err := r.Freeze(); err != nil {
		return idv.Report{}, err
	}
	return r, nil
}

// asSaid reports whether nothing that was read of a document differs from what the applicant said it is.
func asSaid(d idv.DocumentSummary) bool {
	if d.Said == nil {
		return true
	}
	kind := d.Said.Kind == "" || d.Kind == "" || d.Kind == idv.UnknownKind || d.Said.Kind == d.Kind
	return kind && (d.Said.Country == "" || d.Issuer == "" || icao.SameState(d.Said.Country, d.Issuer))
}

func summarise(d *idv.DocumentSummary, ev idv.Evidence) error {
	if ev.Chosen != "" || ev.Country != "" {
		d.Said = &idv.SaidDocument{Kind: ev.Chosen, Country: ev.Country}
	}
	if a, ok := ev.Best(idv.ArtifactPage); ok && a.Present {
		page, err := idv.ValueOf[idv.Page](a)
		if err != nil {
			return fmt.Errorf("summarise the document: %w", err)
		}
		d.Kind, d.Issuer = page.Kind, page.Issuer
	}
	if a, ok := ev.Best(idv.ArtifactMRZ); ok && a.Present {
		zone, err := idv.ValueOf[idv.MRZ](a)
		if err != nil {
			return fmt.Errorf("summarise the document: %w", err)
		}
		d.MRZ = &zone
	}
	if d.Issuer == "" {
		wallet, _, err := ev.Wallet()
		d.Issuer = wallet.Country
		return err
	}
	return nil
}
