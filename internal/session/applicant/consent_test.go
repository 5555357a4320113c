package applicant_test

import (
	"slices"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

// optional publishes a workflow that goes on without a face.
func optional(d *sessiontest.Deployment) session.Spec {
	return session.Spec{Workflow: d.Workflow("face optional", func(w *idv.WorkflowVersion) { w.FaceOptional = true })}
}

func TestALinkOpensOneBrowserOnce(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	c := d.Create(t, session.Spec{})
	peeked, err := d.Applicant.Peek(t.Context(), c.Link)
	if err != nil || peeked.Session.State != idv.Created || peeked.Handoff || !peeked.ExpiresAt.Equal(c.Session.LinkExpiresAt) {
		t.Errorf("before: %+v, %v", peeked, err)
	}
	o, err := d.Applicant.Open(session.WithDevice(t.Context(), idv.Device("phone")), c.Link)
	if err != nil || o.Session != c.Session.ID || o.Task.Step != idv.StepConsent {
		t.Fatalf("%+v, %v", o, err)
	}
	rec := d.Record(t, o.Session)
	if rec.State != idv.Capturing || !rec.LinkUsed || rec.TokenHash != session.HashSecret(o.Token) || rec.Device != "phone" || rec.Due != idv.StepConsent ||
		!rec.ExpiresAt.Equal(d.Clock.Now().Add(c.Workflow.SessionLife)) {
		t.Errorf("the session is %+v", rec)
	}
	if a := d.Store.Audited(o.Session); a[len(a)-1].Actor != "applicant" {
		t.Errorf("it was opened by %s", a[len(a)-1].Actor)
	}
	p := d.Open(t, d.Create(t, session.Spec{}))
	p.Agree(t, idv.Passport)
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	_, err = d.Applicant.Open(t.Context(), p.Link)
	sessiontest.WantProblem(t, err, problem.SessionBoundElsewhere)
	_, err = d.Applicant.Open(t.Context(), "no link")
	sessiontest.WantProblem(t, err, problem.NotFound)
	late := d.Create(t, session.Spec{})
	d.Clock.Advance(c.Workflow.LinkLife)
	_, err = d.Applicant.Open(t.Context(), late.Link)
	sessiontest.WantProblem(t, err, problem.SessionExpired)
	if peeked, err := d.Applicant.Peek(t.Context(), late.Link); err != nil || peeked.Session.State != idv.Expired {
		t.Errorf("a link that is too old shows %s, %v", peeked.Session.State, err)
	}
	if s := d.Session(t, late.Session.ID); s.State != idv.Expired {
		t.Errorf("opening a link that is too old leaves the session %s", s.State)
	}
}

func TestConsentComesFirst(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Open(t, d.Create(t, session.Spec{}))
	_, err := p.Try(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	sessiontest.WantProblem(t, err, problem.ConsentMissing)
	_, err = d.Applicant.Choose(t.Context(), p.ID, applicant.Choice{Kind: idv.Passport})
	sessiontest.WantProblem(t, err, problem.ConsentMissing)
	_, err = d.Uploads.StartUpload(t.Context(), p.ID)
	sessiontest.WantProblem(t, err, problem.ConsentMissing)
	_, err = d.Applicant.ChooseLiveness(t.Context(), p.ID, idv.GentlePath)
	sessiontest.WantProblem(t, err, problem.ConsentMissing)
	for name, c := range map[string]session.Consent{
		"a text version with blanks": {Given: true, TextVersion: "my name is"}, "a language with blanks": {Given: true, Locale: "e n"},
	} {
		if _, err := d.Applicant.Consent(t.Context(), p.ID, c); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if rows, err := d.Store.Consents(t.Context(), p.ID); err != nil || len(rows) != 0 {
		t.Errorf("%d consents are kept of what was refused", len(rows))
	}
	for range 2 {
		if task, err := p.Consent(t, true, ""); err != nil || task.Step != idv.StepChoose {
			t.Errorf("next is %s, %v", task.Step, err)
		}
	}
	rows, err := d.Store.Consents(t.Context(), p.ID)
	if err != nil || len(rows) != 1 || rows[0].About != session.ToBiometrics || rows[0].Address == "192.0.2.77" {
		t.Errorf("consents %+v", rows)
	}
	_, err = p.Consent(t, true, session.ToDocument)
	sessiontest.WantProblem(t, err, problem.CaptureOutOfOrder) // the page asked something else
}

func TestWhoDeclinesIsWithdrawnAndNoPictureIsKept(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	task, err := p.Consent(t, false, "")
	if err != nil || task.State != idv.TaskCancelled {
		t.Fatalf("%s, %v", task.State, err)
	}
	s := d.Session(t, p.ID)
	if s.State != idv.Cancelled || s.Consented || s.PicturesErasedAt.IsZero() || s.LastProblem.Code != problem.ConsentDeclined.Code {
		t.Errorf("the session is %+v", s)
	}
	d.Work(t)
	if left := d.Store.Pictures().Names(p.ID); len(left) > 0 {
		t.Errorf("%v are kept", left)
	}
	_, err = p.Consent(t, true, "")
	sessiontest.WantProblem(t, err, problem.SessionFinished)
}

func TestWhoDeclinesBiometricsGoesOnWithTheDocumentToAPerson(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Open(t, d.Create(t, optional(d)))
	task, err := p.Consent(t, false, session.ToBiometrics)
	if err != nil || task.Step != idv.StepConsent || !task.FaceOptional {
		t.Fatalf("next is %+v, %v", task, err)
	}
	if _, err := p.Consent(t, false, session.ToBiometrics); err != nil { // the same answer counts once
		t.Fatal(err)
	}
	p.Agree(t, idv.Passport)
	if task := p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna")); task.State != idv.TaskWait {
		t.Errorf("after the document the task is %s", task.State)
	}
	d.Work(t)
	s := d.Session(t, p.ID)
	if s.State != idv.InReview || !s.FaceDeclined {
		t.Errorf("the session is %+v", s)
	}
	_, artifacts, err := d.Sessions.Captures(t.Context(), "", p.ID)
	for _, a := range artifacts {
		if a.Present && session.IsTemplate(a.Kind) {
			t.Errorf("%s was made of a face", a.Kind)
		}
	}
	if d.Lab.Asked(idv.CheckFaceMatch) > 0 || slices.Contains(d.Store.EventTypes(p.ID), session.EventCheckBroken) || err != nil {
		t.Errorf("a check of the face was asked or broken, %v", err)
	}
}

func TestUntilAPictureWasTakenWhoDeclinedBiometricsCanAgreeAfterAll(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Open(t, d.Create(t, optional(d)))
	if _, err := p.Consent(t, false, ""); err != nil {
		t.Fatal(err)
	}
	task, err := p.Consent(t, true, session.ToBiometrics)
	if s := d.Session(t, p.ID); err != nil || s.FaceDeclined || !s.Consented || task.Step != idv.StepChoose {
		t.Fatalf("%+v, next %s, %v", s, task.Step, err)
	}
	if _, err := d.Applicant.Choose(t.Context(), p.ID, applicant.Choice{Kind: idv.Passport}); err != nil {
		t.Fatal(err)
	}
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if _, err := p.Consent(t, false, session.ToBiometrics); err != nil {
		t.Fatal(err)
	}
	_, err = p.Consent(t, true, session.ToBiometrics)
	sessiontest.WantProblem(t, err, problem.CaptureOutOfOrder)
}

func TestWhoTakesTheirConsentBackHasNoPictureOfTheirFaceThereAnyMore(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, optional(d))
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	p.Send(t, idv.StepSelfie, idvtest.Selfie("bert")) // does not match: the selfie is asked for again
	d.Work(t)
	u, err := d.Uploads.StartUpload(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Uploads.Append(t.Context(), p.ID, u.ID, 0, []byte("part of a selfie")); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Consent(t, false, ""); err != nil {
		t.Fatal(err)
	}
	rows, err := d.Store.Captures(t.Context(), p.ID)
	if err != nil || len(rows) != 1 || rows[0].Step != idv.StepDocumentFront {
		t.Fatalf("captures %+v, %v", rows, err)
	}
	if left := d.Store.Pictures().Names(p.ID); len(left) != 1 || left[0] != rows[0].Blob {
		t.Errorf("blobs %v, want that of the document alone", left)
	}
	s := d.Session(t, p.ID)
	if s.LastProblem != nil || len(s.Redo) > 0 || s.Consented {
		t.Errorf("the session is %+v", s)
	}
	// Agreeing to the document alone sends everything: nothing is left to take.
	if task, err := p.Consent(t, true, session.ToDocument); err != nil || task.State != idv.TaskWait {
		t.Errorf("the task is %s, %v", task.State, err)
	}
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.InReview {
		t.Errorf("it is %s", s.State)
	}
}

func TestTheDocumentIsChosenUntilItsPictureWasTaken(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	some := session.Spec{Workflow: d.Workflow("some countries", func(w *idv.WorkflowVersion) { w.Countries = []string{"FRA", "D"} })}
	p := d.Open(t, d.Create(t, some))
	if _, err := p.Consent(t, true, ""); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		choice applicant.Choice
		want   problem.Kind
	}{
		{"a kind that is none", applicant.Choice{Kind: "library card"}, problem.DocumentTypeNotAccepted},
		{"a country that is none", applicant.Choice{Kind: idv.Passport, Country: "??"}, problem.RequestMalformed},
		{"a country that is not accepted", applicant.Choice{Kind: idv.Passport, Country: "ESP"}, problem.DocumentCountryNotAccepted},
	} {
		if _, err := d.Applicant.Choose(t.Context(), p.ID, c.choice); !problem.Has(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, c := range []applicant.Choice{{Kind: idv.Passport}, {Kind: idv.Passport, Country: "fr"}, {Kind: idv.Passport, Country: "FRA"}} {
		if _, err := d.Applicant.Choose(t.Context(), p.ID, c); err != nil && c.Country != "fr" {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if s := d.Session(t, p.ID); s.DocumentKind != idv.Passport || s.ChosenCountry != "FRA" {
		t.Errorf("chosen %s of %q", s.DocumentKind, s.ChosenCountry)
	}
	p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	_, err := d.Applicant.Choose(t.Context(), p.ID, applicant.Choice{Kind: idv.IDCard})
	if !problem.Has(err, problem.CaptureOutOfOrder) && !problem.Has(err, problem.DocumentTypeNotAccepted) {
		t.Errorf("another document after the picture: %v", err)
	}
	if s := d.Session(t, p.ID); s.DocumentKind != idv.Passport {
		t.Errorf("it is a %s now", s.DocumentKind)
	}
}

func TestAnApplicantWithdraws(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	if err := d.Applicant.Withdraw(t.Context(), p.ID); err != nil {
		t.Fatal(err)
	}
	sessiontest.WantProblem(t, d.Applicant.Withdraw(t.Context(), p.ID), problem.SessionFinished)
	late := d.Start(t, session.Spec{})
	d.Clock.Advance(idv.DefaultSessionLife + time.Second)
	sessiontest.WantProblem(t, d.Applicant.Withdraw(t.Context(), late.ID), problem.SessionExpired)
	sessiontest.WantProblem(t, d.Applicant.Withdraw(t.Context(), late.ID), problem.SessionExpired)
	gone := d.Ended(t, session.Spec{})
	if _, err := d.Erasures.Erase(t.Context(), "", gone.ID); err != nil {
		t.Fatal(err)
	}
	sessiontest.WantProblem(t, d.Applicant.Withdraw(t.Context(), gone.ID), problem.SessionErased)
}

func TestPagesLookAsTheirWorkflowSays(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	spec := session.Spec{Workflow: d.Workflow("branded", func(w *idv.WorkflowVersion) {
		w.EmbedOrigins, w.Brand.Name = []string{"https://shop.example"}, "Shop"
	})}
	p := d.Start(t, spec)
	byLink, err := d.Applicant.EmbeddingOfLink(t.Context(), p.Link)
	byID, err2 := d.Applicant.EmbeddingOf(t.Context(), p.ID)
	if err != nil || err2 != nil || byLink.Mode != idv.Test || !slices.Equal(byLink.Origins, byID.Origins) || len(byID.Origins) != 1 {
		t.Errorf("%+v and %+v, %v, %v", byLink, byID, err, err2)
	}
	ofLink, err := d.Applicant.BrandOfLink(t.Context(), p.Link)
	ofID, err2 := d.Applicant.BrandOf(t.Context(), p.ID)
	if err != nil || err2 != nil || ofLink.Name != "Shop" || ofID.Name != "Shop" {
		t.Errorf("%+v and %+v, %v, %v", ofLink, ofID, err, err2)
	}
	_, err = d.Applicant.EmbeddingOfLink(t.Context(), "none")
	sessiontest.WantProblem(t, err, problem.NotFound)
	_, err = d.Applicant.EmbeddingOf(t.Context(), "ses_none")
	sessiontest.WantProblem(t, err, problem.NotFound)
	_, err = d.Applicant.BrandOf(t.Context(), "ses_none")
	sessiontest.WantProblem(t, err, problem.NotFound)
}
