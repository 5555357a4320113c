package store

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// documentPutAside: the decision rests on the document that was sent afterwards, and the earlier one is still there to look at.
func documentPutAside(t *testing.T, d *deployment) {
	a := d.open(t)
	a.send(t, idv.StepDocumentFront, idvtest.Passport("bert"))
	task, err := d.Applicant.OtherDocument(t.Context(), a.id)
	must(t, err)
	if task.Step != idv.StepChoose || task.Back != idv.BackToConsent {
		t.Fatalf("back at %+v", task)
	}
	_, err = d.Applicant.Choose(t.Context(), a.id, applicant.Choice{Kind: idv.Passport})
	must(t, err)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.work(t, queue.WorkOptions{})
	d.await(t, a.id, idv.Approved) // the selfie of anna and the passport of bert would not be
	rows, err := d.store.Captures(t.Context(), a.id)
	must(t, err)
	if len(rows) != 3 || !rows[0].Superseded || len(session.Active(rows)) != 2 {
		t.Fatalf("captures %+v", rows)
	}
	events, err := d.Sessions.Timeline(t.Context(), "", a.id)
	must(t, err)
	n := 0
	for _, e := range events {
		if e.Type == session.EventPutAside {
			n++
		}
	}
	if n != 1 {
		t.Errorf("the timeline tells of it %d times", n)
	}
}
