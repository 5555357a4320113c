package store

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// beforeTabs brings the schema back to how it was before tabs were noted.
var beforeTabs = []string{"DROP TABLE tabs", "DELETE FROM schema_versions WHERE version_id = 30"}

// resume continues a session in another tab of the same browser.
func (a *person) resume(t *testing.T) *person {
	t.Helper()
	r, err := a.d.Applicant.Resume(t.Context(), a.key)
	if err != nil || r.Session != a.id {
		t.Fatalf("continued %s, %v, want %s", r.Session, err, a.id)
	}
	return &person{d: a.d, id: a.id, link: a.link, token: r.Token, key: a.key, sent: a.sent}
}

// wantGone says that another tab has the session.
func (a *person) wantGone(t *testing.T) {
	t.Helper()
	if _, err := a.d.Handoffs.Browser(t.Context(), a.token); !problem.Has(err, problem.SessionContinued) {
		t.Errorf("the tab before: %v", err)
	}
}

func resumeHere(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a := d.open(t)
	a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	b := a.resume(t)
	a.wantGone(t)
	c := b.resume(t)
	b.wantGone(t)
	c.wantBrowser(t, "the last tab", "has the session")
	wantEvents(t, d, a.id, session.EventCaptured, session.EventResumed, session.EventResumed)
	c.send(t, idv.StepSelfie, idvtest.Selfie("anna"))
	d.await(t, a.id, idv.Approved)
	if _, err := d.Applicant.Resume(t.Context(), a.key); !problem.Has(err, problem.SessionFinished) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := d.Erasures.Erase(t.Context(), idv.Test, a.id); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Applicant.Resume(t.Context(), a.key); !problem.Has(err, problem.AuthInvalid) {
		t.Errorf("after the erasing: %v", err)
	}
}

func resumeElsewhere(t *testing.T, d *deployment) {
	a := d.open(t)
	b := a.on(t, a.link)
	a.wantGone(t)
	b.wantBrowser(t, "the other browser", "has the session")
	wantEvents(t, d, a.id, session.EventOpened, session.EventResumed)
	b.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if _, err := d.Applicant.Open(t.Context(), a.link); !problem.Has(err, problem.SessionBoundElsewhere) {
		t.Errorf("the link after a picture: %v", err)
	}
	if _, err := d.Applicant.Resume(t.Context(), a.key); !problem.Has(err, problem.SessionBoundElsewhere) {
		t.Errorf("the key of the browser before: %v", err)
	}
	b.resume(t)
	b.wantGone(t)
}

func resumeWatching(t *testing.T, d *deployment) {
	desk := d.open(t)
	phone := desk.on(t, desk.handOver(t))
	next := desk.resume(t)
	desk.wantGone(t)
	next.wantBrowser(t, "the desk's next tab", "watches")
	next.resume(t).wantBrowser(t, "the one after", "watches")
	phone.resume(t).wantBrowser(t, "the phone's next tab", "has the session")
}
