package store

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// beforeAssurance takes a database back to the schema before assurance levels.
var beforeAssurance = []string{
	"ALTER TABLE decisions DROP COLUMN assurance", "DELETE FROM schema_versions WHERE version_id = 24",
}

// beforeSaid undoes the migration that made what applicants say.
var beforeSaid = []string{
	"ALTER TABLE sessions DROP COLUMN chosen_country", "ALTER TABLE sessions DROP COLUMN face_declined", "ALTER TABLE consents DROP COLUMN about",
	"DELETE FROM schema_versions WHERE version_id = 23",
}

// optional is an applicant of a workflow that goes on without a face.
func (d *deployment) optional(t *testing.T, change func(*idv.WorkflowVersion)) *person {
	t.Helper()
	name := d.workflow(t, "optional", func(w *idv.WorkflowVersion) {
		w.FaceOptional = true
		if change != nil {
			change(w)
		}
	})
	return d.onlyOpen(t, d.create(t, session.Spec{Workflow: name}))
}

// says answers the consent page.
func (a *person) says(t *testing.T, given bool, about session.ConsentSubject) (idv.Task, error) {
	t.Helper()
	return a.d.Applicant.Consent(
		t.Context(),
		a.id,
		session.Consent{Given: given, About: about, TextVersion: string(about) + "-1", Locale: "en", Address: "203.0.113.9"},
	)
}

// declines declines biometrics, twice as a bad line does, and agrees to the check of the document.
func (a *person) declines(t *testing.T) idv.Task {
	t.Helper()
	for range 2 {
		task, err := a.says(t, false, session.ToBiometrics)
		must(t, err)
		if task.State != idv.TaskStep || task.Step != idv.StepConsent {
			t.Fatalf("after declining: %+v", task)
		}
	}
	task, err := a.says(t, true, session.ToDocument)
	must(t, err)
	return task
}

// faceless fails if anything of a face is there, or if the session was decided by machine.
func (a *person) faceless(t *testing.T) {
	t.Helper()
	d, ctx := a.d, t.Context()
	captures, err := d.store.Captures(ctx, a.id) // also those that a retake replaced
	must(t, err)
	artifacts, err := d.store.Artifacts(ctx, a.id)
	must(t, err)
	for _, c := range captures {
		if c.Kind != idv.DocumentImage {
			t.Errorf("a %s is kept", c.Kind)
		}
	}
	for _, one := range artifacts {
		if one.Present && (session.GoesWithPictures(one.Kind) || one.Kind == idv.ArtifactSelfie) {
			t.Errorf("a %s is kept", one.Kind)
		}
		if one.BlobType != "" {
			t.Errorf("a picture of the %s is kept", one.Kind)
		}
	}
	for _, name := range d.blobNames(t, "") {
		known := func(c session.CaptureRow) bool { return strings.HasSuffix(name, string(c.ID)) }
		if strings.Contains(name, string(a.id)) && !slices.ContainsFunc(captures, known) {
			t.Errorf("a blob of something else than the document is there: %s", name)
		}
	}
	report, decisions, err := d.Sessions.Report(ctx, idv.Test, a.id)
	must(t, err)
	if last := decisions[len(decisions)-1]; last.Outcome != idv.DecideRefer ||
		!slices.ContainsFunc(last.Reasons, func(r idv.Reason) bool { return r.Code == problem.BiometricsDeclined.Code }) {
		t.Errorf("decided %s for %v", last.Outcome, last.Reasons)
	}
	if !slices.Contains(report.Notices, "face_not_compared") {
		t.Errorf("notices %v", report.Notices)
	}
	for _, k := range []idv.CheckKind{idv.CheckSelfieQuality, idv.CheckFaceMatch} {
		if c, ok := report.Check(k); !ok || c.Lifecycle != idv.CheckBroken || c.BrokenBy != problem.BiometricsDeclined.Code {
			t.Errorf("%s: %+v", k, c)
		}
	}
}

func faceDeclined(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a := d.optional(t, nil)
	if task := a.task(t); !task.FaceOptional || task.Total != 4 {
		t.Fatalf("at first: %+v", task)
	}
	if task := a.declines(t); task.Step != idv.StepChoose || task.Total != 3 {
		t.Fatalf("then: %+v", task)
	}
	_, err := d.Applicant.Choose(t.Context(), a.id, applicant.Choice{Kind: idv.Passport})
	must(t, err)
	if _, err := a.try(t, idv.StepSelfie, idvtest.Selfie("anna")); !problem.Has(err, problem.CaptureOutOfOrder) {
		t.Errorf("a selfie all the same: %v", err)
	}
	if task := a.send(t, idv.StepDocumentFront, idvtest.Passport("anna")); task.State != idv.TaskWait {
		t.Fatalf("after the passport: %+v", task)
	}
	d.await(t, a.id, idv.InReview)
	a.faceless(t)
	rows, err := d.store.Consents(t.Context(), a.id)
	must(t, err)
	var got []session.Consent
	for _, c := range rows {
		got = append(got, c.Consent)
	}
	want := []session.Consent{
		{About: session.ToBiometrics, TextVersion: "biometrics-1", Locale: "en", Address: "203.0.113.0/24"},
		{Given: true, About: session.ToDocument, TextVersion: "document-1", Locale: "en", Address: "203.0.113.0/24"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	events, err := d.Sessions.Events(t.Context(), a.id, "")
	must(t, err)
	if slices.ContainsFunc(events, func(e session.Event) bool { return e.Type == session.EventCheckBroken }) {
		t.Error("what was declined is told as broken")
	}
	// Where the document is declined, too, the session ends.
	b := d.onlyOpen(t, d.create(t, session.Spec{Workflow: "optional"}))
	_, err = b.says(t, false, session.ToBiometrics)
	must(t, err)
	if task, err := b.says(t, false, session.ToDocument); err != nil || task.State != idv.TaskCancelled {
		t.Errorf("declining everything: %+v, %v", task, err)
	}
}

func faceWithdrawn(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a := d.optional(t, func(w *idv.WorkflowVersion) { w.Required = append(w.Required, idv.CheckLiveness, idv.CheckReplay) })
	a.agree(t, idv.Passport)
	bad := idvtest.Passport("anna")
	bad.Page = problem.CaptureGlare.Code
	a.send(t, idv.StepDocumentFront, bad)
	d.awaitThat(t, a.id, func() bool { return a.task(t).Step == idv.StepDocumentFront })
	task := a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if _, err := a.run(t, task.Challenge.Token, idvtest.Selfie("unsure")); err != nil {
		t.Fatal(err)
	}
	d.await(t, a.id, idv.InReview)
	found, err := d.Queue.CaseOf(t.Context(), a.id)
	must(t, err)
	redoFront(t, d, found)
	_, err = d.Holds.SetHold(t.Context(), "", a.id, "a court asked") // for which nobody may keep what consent is taken back for
	must(t, err)
	if task, err := a.says(t, false, session.ToBiometrics); err != nil || task.Step != idv.StepConsent || task.FaceOptional {
		t.Fatalf("taking consent back: %+v, %v", task, err)
	}
	if n := len(textsOf(t, d, "SELECT capture_id FROM frame_marks")); n != 0 {
		t.Errorf("%d marks of frames are kept", n)
	}
	if _, err := a.says(t, true, session.ToBiometrics); !problem.Has(err, problem.CaptureOutOfOrder) {
		t.Errorf("agreeing after a picture was taken: %v", err)
	}
	_, err = a.says(t, true, session.ToDocument)
	must(t, err)
	a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	d.await(t, a.id, idv.InReview)
	a.faceless(t)
}

// redoFront has a reviewer ask for the document once more.
func redoFront(t *testing.T, d *deployment, c idv.Case) {
	t.Helper()
	claimed, err := d.Queue.Claim(as(t, rita), c.ID, rita)
	must(t, err)
	_, err = d.Rulings.RedoStep(
		as(t, rita),
		c.ID,
		rita,
		review.Redo{Basis: review.Basis{Version: claimed.Case.Version, Report: claimed.Case.Report}, Step: idv.StepDocumentFront},
	)
	must(t, err)
}

func faceDeclinedMeanwhile(t *testing.T, d *deployment) {
	a := d.optional(t, nil)
	a.agree(t, idv.Passport)
	a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	var once sync.Once
	d.lab.OnExtract = func(context.Context, idv.Capture) error {
		once.Do(func() { a.declines(t) }) // the template is being made
		return nil
	}
	d.work(t, queue.WorkOptions{})
	d.await(t, a.id, idv.InReview)
	a.faceless(t)
}

func faceDeclinedOnItsWay(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a := d.optional(t, nil)
	a.agree(t, idv.Passport)
	a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	d.lab.OnGlance = func(_ context.Context, c idv.Capture) { // its place in the order was looked at, its bytes are not written
		if c.Step == idv.StepSelfie {
			a.declines(t)
		}
	}
	if _, err := a.try(t, idv.StepSelfie, idvtest.Selfie("anna")); !problem.Has(err, problem.CaptureOutOfOrder) && !problem.Has(err, problem.SessionFinished) {
		t.Fatalf("a selfie of who declined meanwhile: %v", err)
	}
	d.await(t, a.id, idv.InReview)
	a.faceless(t)
}

func faceReconsidered(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a := d.optional(t, nil)
	a.declines(t)
	if task := a.task(t); !task.FaceOptional {
		t.Fatalf("nothing was taken: %+v", task)
	}
	task, err := a.says(t, true, session.ToBiometrics)
	must(t, err)
	if task.Step != idv.StepChoose || task.Total != 4 {
		t.Fatalf("agreed after all: %+v", task)
	}
	_, err = d.Applicant.Choose(t.Context(), a.id, applicant.Choice{Kind: idv.Passport})
	must(t, err)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.await(t, a.id, idv.Approved)
}

func faceStalePage(t *testing.T, d *deployment) {
	a := d.optional(t, nil)
	if _, err := a.says(t, true, session.ToDocument); !problem.Has(err, problem.CaptureOutOfOrder) {
		t.Errorf("less than is asked: %v", err)
	}
	if _, err := a.says(t, false, session.ToDocument); !problem.Has(err, problem.CaptureOutOfOrder) {
		t.Errorf("declining what is not asked: %v", err)
	}
	if task := a.task(t); task.Step != idv.StepConsent || task.State != idv.TaskStep {
		t.Errorf("afterwards: %+v", task)
	}
	// Without the option nothing but an end follows.
	b := d.onlyOpen(t, d.create(t, session.Spec{}))
	if b.task(t).FaceOptional {
		t.Error("offered where the workflow does not")
	}
	if task, err := b.says(t, false, session.ToBiometrics); err != nil || task.State != idv.TaskCancelled {
		t.Errorf("declined: %+v, %v", task, err)
	}
}

func countrySaid(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	visas := d.workflow(t, "visas", func(w *idv.WorkflowVersion) { w.Documents = idv.DocumentKinds() })
	for name, c := range map[string]struct {
		said   applicant.Choice
		kept   string
		notice bool
	}{
		"as it is":                 {applicant.Choice{Kind: idv.Passport, Country: "UTO"}, "UTO", false},
		"another country":          {applicant.Choice{Kind: idv.Passport, Country: "DEU"}, "D", true},
		"another kind, no country": {applicant.Choice{Kind: idv.Visa}, "", true},
	} {
		a := d.onlyOpen(t, d.create(t, session.Spec{Workflow: visas}))
		a.agree(t, idv.IDCard) // changed below, before anything was sent
		task, err := d.Applicant.Choose(t.Context(), a.id, c.said)
		must(t, err)
		if task.Country != c.kept || !task.AsksCountry {
			t.Errorf("%s: %+v", name, task)
		}
		a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
		if a.awaitReading(t).Problem != nil { // a passport where a visa was said
			_, err := d.Applicant.Answer(t.Context(), a.id, applicant.GoOn)
			must(t, err)
		}
		a.send(t, idv.StepSelfie, idvtest.Selfie("anna"))
		d.await(t, a.id, idv.Approved)
		report, _, err := d.Sessions.Report(t.Context(), idv.Test, a.id)
		must(t, err)
		if diff := cmp.Diff(&idv.SaidDocument{Kind: c.said.Kind, Country: c.kept}, report.Document.Said); diff != "" ||
			slices.Contains(report.Notices, idv.NotAsSaid) != c.notice {
			t.Errorf("%s: notices %v, said %s", name, report.Notices, diff)
		}
		if _, err := d.Applicant.Choose(t.Context(), a.id, c.said); !problem.Has(err, problem.SessionFinished) {
			t.Errorf("%s: choosing again: %v", name, err)
		}
	}
}

func countryRefused(t *testing.T, d *deployment) {
	ctx := t.Context()
	only := d.workflow(t, "only", func(w *idv.WorkflowVersion) { w.Countries = []string{"D", "UTO"} })
	one := d.workflow(t, "one", func(w *idv.WorkflowVersion) { w.Countries = []string{"UTO"} })
	a := d.onlyOpen(t, d.create(t, session.Spec{Workflow: only}))
	a.agree(t, idv.Passport)
	for code, want := range map[string]problem.Kind{
		"XXX": problem.RequestMalformed, "ZZZ": problem.RequestMalformed, "uto": problem.RequestMalformed, "' --": problem.RequestMalformed,
		"FRA": problem.DocumentCountryNotAccepted, "UNO": problem.DocumentCountryNotAccepted,
	} {
		if _, err := d.Applicant.Choose(ctx, a.id, applicant.Choice{Kind: idv.Passport, Country: code}); !problem.Has(err, want) {
			t.Errorf("%q: %v", code, err)
		}
	}
	a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if _, err := d.Applicant.Choose(ctx, a.id, applicant.Choice{Kind: idv.Passport, Country: "DEU"}); !problem.Has(err, problem.CaptureOutOfOrder) {
		t.Errorf("another country after the picture: %v", err)
	}
	b := d.onlyOpen(t, d.create(t, session.Spec{Workflow: one}))
	b.agree(t, idv.Passport)
	if task := b.task(t); task.AsksCountry || task.Country != "" {
		t.Errorf("where one country is accepted nobody was asked: %+v", task)
	}
}

func countryNotAsked(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	name := d.workflow(t, "one", func(w *idv.WorkflowVersion) { w.Countries = []string{"D"} })
	a := d.onlyOpen(t, d.create(t, session.Spec{Workflow: name}))
	a.agree(t, idv.Passport)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.awaitThat(t, a.id, func() bool {
		_, decided, err := d.Sessions.Report(t.Context(), idv.Test, a.id)
		return err == nil && len(decided) > 0
	})
	report, _, err := d.Sessions.Report(t.Context(), idv.Test, a.id)
	must(t, err)
	if report.Document.Issuer != "UTO" || report.Document.Said.Country != "" || slices.Contains(report.Notices, idv.NotAsSaid) {
		t.Errorf("issuer %s, said %+v, notices %v", report.Document.Issuer, report.Document.Said, report.Notices)
	}
}
