package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// alike relates sessions of one document within a mode, until they are erased, and keeps which reasons are offered.
func alike(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	passed := func() idv.SessionID {
		t.Helper()
		a := d.onlyOpen(t, d.create(t, session.Spec{}))
		a.agree(t, idv.Passport)
		a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
		d.await(t, a.id, idv.Approved, idv.Declined, idv.InReview)
		return a.id
	}
	first, second := passed(), passed()
	stated := map[idv.ClaimName]string{idv.FamilyName: "Eriksson", idv.GivenNames: "Anna Maria", idv.DocumentNumber: "L898902C3"}
	d.create(t, session.Spec{Mode: idv.Live, Claimed: stated})
	named := d.create(t, session.Spec{Claimed: map[idv.ClaimName]string{idv.FamilyName: "Eriksson", idv.GivenNames: "Anna Maria"}})

	rec, err := d.store.Session(ctx, first)
	must(t, err)
	found, err := d.Sessions.Related(ctx, rec.Session)
	must(t, err)
	if len(found) != 1 || found[0].Session.ID != second || !cmp.Equal(found[0].By, []session.Relation{session.SameDocument, session.SamePerson}) {
		t.Errorf("related: %+v, want %s alone, by document and person", found, second)
	}
	near, err := d.store.Alike(ctx, first, 10)
	must(t, err)
	want := []session.Alike{{Session: named.Session.ID, Name: true}, {Session: second, Number: true, Name: true}}
	if diff := cmp.Diff(want, near); diff != "" {
		t.Errorf("alike, newest first (-want +got)\n%s", diff)
	}
	if one, err := d.store.Alike(ctx, first, 1); err != nil || len(one) != 1 {
		t.Errorf("at most one: %v, %v", one, err)
	}
	names, err := d.Sessions.Names(ctx, []idv.Session{rec.Session, named.Session})
	must(t, err)
	if names[first][idv.FamilyName] == "" || names[named.Session.ID][idv.FamilyName] != "Eriksson" {
		t.Errorf("names: %v", names)
	}

	_, err = d.Erasures.Erase(ctx, idv.Test, second)
	must(t, err)
	if found, err := d.Sessions.Related(ctx, rec.Session); err != nil || len(found) != 0 {
		t.Errorf("once the other is erased: %+v, %v", found, err)
	}

	must(t, d.Queue.Offer(ctx, []session.OfferedReason{{Code: "document.expired"}, {Code: "face.mismatch", Favourite: true}}))
	offered, err := d.Queue.Offered(ctx)
	must(t, err)
	if len(offered) != 2 || offered[0].Code != "face.mismatch" {
		t.Errorf("offered: %+v, want the favourite first", offered)
	}
}
