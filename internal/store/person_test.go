package store

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// person is an applicant who opened a link.
type person struct {
	d     *deployment
	id    idv.SessionID
	link  string
	token string
	key   string // of the browser
	sent  int
}

func (d *deployment) create(t *testing.T, n session.Spec) session.Created {
	t.Helper()
	if n.Mode == "" {
		n.Mode = idv.Test
	}
	if n.Workflow == "" {
		n.Workflow = idv.WorkflowNoLiveness // liveness has cases of its own
	}
	c, err := d.Sessions.Create(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// open makes a session whose applicant has consented and chosen a passport.
func (d *deployment) open(t *testing.T) *person {
	t.Helper()
	a := d.onlyOpen(t, d.create(t, session.Spec{}))
	a.agree(t, idv.Passport)
	return a
}

// networks numbers the people's networks: each has one of its own.
var networks atomic.Uint32

func (d *deployment) onlyOpen(t *testing.T, c session.Created) *person {
	t.Helper()
	ctx := audit.WithActor(t.Context(), audit.Actor{Kind: audit.Applicant, Address: fmt.Sprintf("2001:db8:%x::1", networks.Add(1))})
	o, err := d.Applicant.Open(ctx, c.Link)
	if err != nil {
		t.Fatal(err)
	}
	return &person{d: d, id: o.Session, link: c.Link, token: o.Token, key: o.Key}
}

func (a *person) agree(t *testing.T, k idv.DocumentKind) {
	t.Helper()
	if _, err := a.d.Applicant.Consent(t.Context(), a.id, session.Consent{Given: true, TextVersion: "1", Locale: "en"}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.d.Applicant.Choose(t.Context(), a.id, applicant.Choice{Kind: k}); err != nil {
		t.Fatal(err)
	}
}

// try sends a picture of a scene.
func (a *person) try(t *testing.T, step idv.Step, s idvtest.Scene) (idv.Task, error) {
	t.Helper()
	a.sent++
	s.Take = string(rune('a' + a.sent))
	return a.d.Captures.Submit(t.Context(), a.id, applicant.Submission{
		Step: step, Attempt: string(step) + "-" + s.Take, MediaType: "image/jpeg", Bytes: idvtest.Picture(t, s),
	})
}

// send is try, and it has to be accepted.
func (a *person) send(t *testing.T, step idv.Step, s idvtest.Scene) idv.Task {
	t.Helper()
	task, err := a.try(t, step, s)
	if err != nil {
		t.Fatalf("%s: %v", step, err)
	}
	return task
}

// sendBoth sends a passport and a selfie, the last step.
func (a *person) sendBoth(t *testing.T, passport, selfie idvtest.Scene) {
	t.Helper()
	a.send(t, idv.StepDocumentFront, passport)
	if task := a.send(t, idv.StepSelfie, selfie); task.State != idv.TaskWait {
		t.Fatalf("after the last step the task is %s", task.State)
	}
}
