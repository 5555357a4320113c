package store

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
)

func caseCorrections(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a, c := d.referred(t)
	for _, value := range []string{"ERIKSEN", "ERIKSSEN"} {
		n := review.NewCorrection{
			Basis: review.Basis{Version: c.Version, Report: c.Report}, Claim: idv.FamilyName, Value: value, Note: "So it is on the picture.",
		}
		v, err := d.Rulings.Correct(as(t, rita), c.ID, rita, n)
		if err != nil {
			t.Fatal(err)
		}
		c = v.Case
	}
	report, _, err := d.Sessions.Report(ctx, "", a.id)
	if err != nil {
		t.Fatal(err)
	}
	read := idv.ReadFact(report.Claims, idv.FamilyName)
	var rows []sessions.ReviewRow
	if err := d.store.Read.NewSelect().Model(&rows).Where("session_id = ?", string(a.id)).Scan(ctx); err != nil || len(rows) != 2 {
		t.Fatalf("%d reviews, %v", len(rows), err)
	}
	for _, row := range rows {
		if len(row.Correction) == 0 || contains(string(row.Correction), "ERIKS") || contains(string(row.Note), "picture") {
			t.Errorf("a correction is kept in the clear: %q", row.Correction)
		}
	}
	reviews, err := d.Queue.Reviews(ctx, a.id)
	if err != nil {
		t.Fatal(err)
	}
	var got []idv.Correction
	for _, r := range reviews {
		got = append(got, *r.Correction)
	}
	want := []idv.Correction{{Name: idv.FamilyName, From: read, To: "ERIKSEN"}, {Name: idv.FamilyName, From: "ERIKSEN", To: "ERIKSSEN"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("(-want +got):\n" + diff)
	}
	events, err := d.Sessions.Timeline(ctx, "", a.id)
	if err != nil || contains(fmt.Sprint(events), "ERIKS") {
		t.Fatalf("a correction is in an event: %v, %v", events, err)
	}
	wantEvents(t, d, a.id, session.EventCaseCorrected)
	if _, err := d.Rulings.DecideCase(as(t, rita), c.ID, rita, ruling(c, idv.DecideApprove)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Erasures.Erase(ctx, idv.Test, a.id); err != nil {
		t.Fatal(err)
	}
	rows = nil
	if err := d.store.Read.NewSelect().Model(&rows).Where("session_id = ?", string(a.id)).Scan(ctx); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if len(row.Correction) > 0 {
			t.Error("an erased session keeps a correction")
		}
	}
	reviews, err = d.Queue.Reviews(ctx, a.id)
	if err != nil || len(reviews) != 3 || reviews[0].Kind != idv.ReviewCorrected || reviews[0].Correction != nil || reviews[0].By != rita.ID {
		t.Fatalf("of an erased session is left %+v, %v", reviews, err)
	}
}

// beforeReview undoes the migration of assignments and second looks.
var beforeReview = []string{
	"DROP TABLE quality_reviews", "DROP TABLE absences", "DROP TABLE case_assignment", "DROP INDEX reviews_by_time", "DROP INDEX decisions_by_time",
	"DELETE FROM schema_versions WHERE version_id = 40",
}

// beforeCorrections undoes the migration of corrections.
var beforeCorrections = []string{"ALTER TABLE reviews DROP COLUMN correction", "DELETE FROM schema_versions WHERE version_id = 31"}
