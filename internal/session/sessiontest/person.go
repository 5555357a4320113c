package sessiontest

import (
	"strconv"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// Person is an applicant who opened a link.
type Person struct {
	ID    idv.SessionID
	Link  string
	Token string
	Key   string // of the browser
	d     *Deployment
	sent  int
}

// Open opens the link of a session.
func (d *Deployment) Open(t testing.TB, c session.Created) *Person {
	t.Helper()
	o, err := d.Applicant.Open(t.Context(), c.Link)
	if err != nil {
		t.Fatal(err)
	}
	return &Person{ID: o.Session, Link: c.Link, Token: o.Token, Key: o.Key, d: d}
}

// Start opens a new session, in which its applicant has consented and chosen a passport.
func (d *Deployment) Start(t testing.TB, n session.Spec) *Person {
	t.Helper()
	p := d.Open(t, d.Create(t, n))
	p.Agree(t, idv.Passport)
	return p
}

// Agree consents, and chooses a kind of document.
func (p *Person) Agree(t testing.TB, k idv.DocumentKind) {
	t.Helper()
	if _, err := p.Consent(t, true, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := p.d.Applicant.Choose(t.Context(), p.ID, applicant.Choice{Kind: k}); err != nil {
		t.Fatal(err)
	}
}

// Consent answers the consent page.
func (p *Person) Consent(t testing.TB, given bool, about session.ConsentSubject) (idv.Task, error) {
	t.Helper()
	return p.d.Applicant.Consent(t.Context(), p.ID, session.Consent{Given: given, About: about, TextVersion: "1", Locale: "en", Address: "192.0.2.77"})
}

// Try sends a picture of a scene, unlike every one before.
func (p *Person) Try(t testing.TB, step idv.Step, s idvtest.Scene) (idv.Task, error) {
	t.Helper()
	return p.d.Captures.Submit(t.Context(), p.ID, p.Submission(t, step, s))
}

// Submission is what Try sends.
func (p *Person) Submission(t testing.TB, step idv.Step, s idvtest.Scene) applicant.Submission {
	t.Helper()
	p.sent++
	s.Take = strconv.Itoa(p.sent)
	return applicant.Submission{Step: step, Attempt: string(step) + "-" + s.Take, MediaType: "image/jpeg", Bytes: idvtest.Picture(t, s)}
}

// Send is Try, and must be accepted.
func (p *Person) Send(t testing.TB, step idv.Step, s idvtest.Scene) idv.Task {
	t.Helper()
	task, err := p.Try(t, step, s)
	if err != nil {
		t.Fatalf("%s: %v", step, err)
	}
	return task
}

// SendBoth sends a passport and a selfie, the last step.
func (p *Person) SendBoth(t testing.TB, passport, selfie idvtest.Scene) {
	t.Helper()
	p.Send(t, idv.StepDocumentFront, passport)
	if task := p.Send(t, idv.StepSelfie, selfie); task.State != idv.TaskWait {
		t.Fatalf("after the last step the task is %s", task.State)
	}
}

// Run is a recording of 20 frames of a scene, 200 ms apart, that answers the challenge of a token. Each scene is unlike every
// other unless its Take is set.
func (p *Person) Run(t testing.TB, token string, s idvtest.Scene) applicant.FrameSubmission {
	t.Helper()
	p.sent++
	if s.Take == "" {
		s.Take = string(p.ID) + strconv.Itoa(p.sent)
	}
	sub := applicant.FrameSubmission{
		Step: idv.StepSelfie, Attempt: "run-" + strconv.Itoa(p.sent), Challenge: token, Frames: idvtest.Frames(t, s, 20),
	}
	for i := range sub.Frames {
		sub.TimesMS = append(sub.TimesMS, i*200)
	}
	return sub
}

// Task reads what is next.
func (p *Person) Task(t testing.TB) idv.Task {
	t.Helper()
	task, err := p.d.Applicant.Task(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// Ended is somebody whose session came to its end with an approval.
func (d *Deployment) Ended(t testing.TB, n session.Spec) *Person {
	t.Helper()
	p := d.Start(t, n)
	p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Approved {
		t.Fatalf("the session is %s, not approved", s.State)
	}
	return p
}

// Referred is somebody whose session waits for a person, and its case.
func (d *Deployment) Referred(t testing.TB, n session.Spec) (*Person, idv.Case) {
	t.Helper()
	p := d.Start(t, n)
	return p, d.Refer(t, p)
}

// Refer sends pictures that nobody but a person can decide on, and returns the case.
func (d *Deployment) Refer(t testing.TB, p *Person) idv.Case {
	t.Helper()
	p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("unsure"))
	d.Work(t)
	c, err := d.Queue.CaseOf(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
