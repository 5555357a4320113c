package store

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

// The packages of session are tested on a store in memory. Here it has to answer as the SQL stores do: the same script of calls
// runs on both, and everything that they answer is compared.

func TestTheStoreInMemoryAnswersAsSQLiteDoes(t *testing.T) {
	t.Parallel()
	compareWithMemory(t, onSQLite(t).store)
}

func TestTheStoreInMemoryAnswersAsPostgreSQLDoes(t *testing.T) {
	t.Parallel()
	compareWithMemory(t, onPostgres(t).store)
}

func compareWithMemory(t *testing.T, st *Store) {
	t.Helper()
	want := record(t, st)
	got := record(t, sessiontest.NewStore(time.Now))
	if len(want) < 100 {
		t.Errorf("only %d answers are compared", len(want))
	}
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) {
			t.Fatalf("%d answers, want %d", len(got), len(want))
		}
		if diff := cmp.Diff(want[i], got[i]); diff != "" {
			t.Errorf("%s (-SQL +memory):\n%s", want[i].Call, diff)
		}
	}
}

// answer is what a call answered: values, and the code of its problem. Other errors are alike.
type answer struct {
	Call  string
	Value any
	Code  string
}

// recorder runs the script and keeps the answers.
type recorder struct {
	t        *testing.T
	st       session.Store
	workflow idv.WorkflowVersion
	answers  []answer
}

func (r *recorder) keep(call string, v any, err error) {
	r.t.Helper()
	a := answer{Call: call, Value: v}
	if p, ok := problem.As(err); ok {
		a.Code, a.Value = p.Kind.Code, nil
	} else if err != nil {
		a.Code, a.Value = "an error", nil
	}
	r.answers = append(r.answers, a)
}

// write runs a transaction that must commit.
func (r *recorder) write(f func(ctx context.Context, tx session.Tx) error) {
	r.t.Helper()
	if err := r.st.InTx(r.t.Context(), f); err != nil {
		r.t.Fatal(err)
	}
}

func record(t *testing.T, st session.Store) []answer {
	t.Helper()
	w, err := st.WorkflowNamed(t.Context(), idv.Test, idv.WorkflowNoLiveness)
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{t: t, st: st, workflow: w}
	r.nothingIsThere()
	r.sessions()
	r.changes()
	r.applicants()
	r.evidence()
	r.cases()
	r.reviewing()
	r.lists()
	r.holds()
	r.strikeFace()
	r.strikes(session.ScopePictures, anna)
	r.strikes(session.ScopeAll, anna)
	r.strikes(session.ScopeAll, bert)
	r.afterwards()
	return r.answers
}

const (
	anna = idv.SessionID("ses_00000000000000000000000001")
	bert = idv.SessionID("ses_00000000000000000000000002")
	cleo = idv.SessionID("ses_00000000000000000000000003")
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// minutes is noon and some minutes.
func minutes(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }

// nothingIsThere asks for everything that can be missing.
func (r *recorder) nothingIsThere() {
	ctx := r.t.Context()
	keep := func(call string, err error) { r.keep(call+" that is not there", nil, err) }
	_, err := r.st.Session(ctx, anna)
	keep("Session", err)
	_, err = r.st.SessionByLink(ctx, "none")
	keep("SessionByLink", err)
	_, err = r.st.SessionByToken(ctx, "")
	keep("SessionByToken", err)
	_, err = r.st.Workflow(ctx, "wfv_none")
	keep("Workflow", err)
	_, err = r.st.WorkflowNamed(ctx, idv.Test, "none")
	keep("WorkflowNamed", err)
	_, err = r.st.Attempt(ctx, anna, "none")
	keep("Attempt", err)
	_, err = r.st.Challenge(ctx, "chl_none")
	keep("Challenge", err)
	_, err = r.st.HandoffByLink(ctx, "none")
	keep("HandoffByLink", err)
	_, err = r.st.Upload(ctx, "upl_none")
	keep("Upload", err)
	_, err = r.st.View(ctx, "vie_none")
	keep("View", err)
	_, err = r.st.Case(ctx, "cas_none")
	keep("Case", err)
	_, err = r.st.CaseOf(ctx, anna)
	keep("CaseOf", err)
	_, _, err = r.st.EntryOf(ctx, anna, "none")
	keep("EntryOf", err)
	keep("Lock", r.st.InTx(ctx, func(ctx context.Context, tx session.Tx) error { _, err := tx.Lock(ctx, anna); return err }))
	keep("DeleteView", r.st.InTx(ctx, func(ctx context.Context, tx session.Tx) error { return tx.DeleteView(ctx, "vie_none") }))
	keep("SaveSession", r.st.InTx(ctx, func(ctx context.Context, tx session.Tx) error { return tx.SaveSession(ctx, r.recordOf(anna, 0)) }))
	r.family(anna)
}

// family reads everything that a session has.
func (r *recorder) family(id idv.SessionID) {
	ctx := r.t.Context()
	keep := func(call string, v any, err error) { r.t.Helper(); r.keep(call+" of "+string(id[len(id)-1:]), v, err) }
	rec, err := r.st.Session(ctx, id)
	rec.Workflow = ""
	keep("Session", rec, err)
	attempts, err := r.st.CountAttempts(ctx, id)
	keep("CountAttempts", attempts, err)
	consents, err := r.st.Consents(ctx, id)
	keep("Consents", consents, err)
	events, err := r.st.Events(ctx, id, "")
	keep("Events", events, err)
	challenges, err := r.st.Challenges(ctx, id)
	keep("Challenges", challenges, err)
	handoffs, err := r.st.Handoffs(ctx, id)
	keep("Handoffs", handoffs, err)
	uploads, err := r.st.Uploads(ctx, id)
	keep("Uploads", uploads, err)
	captures, err := r.st.Captures(ctx, id)
	keep("Captures", captures, err)
	artifacts, err := r.st.Artifacts(ctx, id)
	keep("Artifacts", artifacts, err)
	claims, err := r.st.Claims(ctx, id)
	keep("Claims", claims, err)
	checks, err := r.st.Checks(ctx, id)
	keep("Checks", checks, err)
	reports, err := r.st.Reports(ctx, id)
	keep("Reports", reports, err)
	decisions, err := r.st.Decisions(ctx, id)
	keep("Decisions", decisions, err)
	reviews, err := r.st.Reviews(ctx, id)
	keep("Reviews", reviews, err)
	holds, err := r.st.Holds(ctx, id)
	keep("Holds", holds, err)
	erasures, err := r.st.Erasures(ctx, id)
	for i := range erasures {
		erasures[i].FinishedAt = erasures[i].FinishedAt.Truncate(24 * time.Hour) // by a clock that runs
	}
	keep("Erasures", erasures, err)
	busy, err := r.st.Pending(ctx, id)
	keep("Pending", busy, err)
}

func (r *recorder) recordOf(id idv.SessionID, at int) session.Record {
	return session.Record{
		Session: idv.Session{
			ID: id, Mode: idv.Test, Workflow: r.workflow.ID, State: idv.Created, ExternalReference: "ref " + string(id),
			Metadata: map[string]string{"team": "blue"}, Claimed: map[idv.ClaimName]string{idv.FamilyName: "Eriksson", idv.GivenNames: "Anna Maria"},
			CreatedAt: minutes(at), LinkExpiresAt: minutes(at + 60), Locale: "en", ReturnURL: "https://example.org/",
		},
		LinkHash: "link of " + string(id), TouchedAt: minutes(at),
	}
}

// sessions adds three sessions, of which one transaction is errUndone.
func (r *recorder) sessions() {
	for i, id := range []idv.SessionID{anna, bert, cleo} {
		r.write(func(ctx context.Context, tx session.Tx) error {
			rec := r.recordOf(id, i)
			if id == cleo {
				rec.Mode = idv.Live // a row is free to say so
			}
			return errors.Join(tx.AddSession(ctx, rec), tx.AddEvent(ctx, session.Event{
				ID: idv.EventID("evt_" + string(id)), Session: id, Type: session.EventCreated, At: minutes(i), Actor: "system",
				Payload: map[string]any{"mode": idv.Test, "count": 1},
			}))
		})
	}
	r.family(anna)
	err := r.st.InTx(r.t.Context(), func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, anna)
		rec.State = idv.Cancelled
		return errors.Join(err, tx.SaveSession(ctx, rec), tx.AddConsent(ctx, session.ConsentRow{ID: "con_x", Session: anna, At: noon}),
			tx.Enqueue(ctx, job.Check{Session: anna}), errUndone)
	})
	r.keep("InTx that fails", errors.Is(err, errUndone), nil)
	r.family(anna)
	r.keep("AddSession with a link that is taken", nil, r.st.InTx(r.t.Context(), func(ctx context.Context, tx session.Tx) error {
		rec := r.recordOf(anna, 0)
		rec.ID = "ses_00000000000000000000000009"
		return tx.AddSession(ctx, rec)
	}))
}

// changes moves sessions, and compares versions.
func (r *recorder) changes() {
	ctx := r.t.Context()
	stale, err := r.st.Session(ctx, anna)
	if err != nil {
		r.t.Fatal(err)
	}
	r.write(func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, anna)
		rec.State, rec.TokenHash, rec.ExpiresAt, rec.Attempts = idv.Capturing, "token", minutes(30), map[idv.Step]int{idv.StepSelfie: 2}
		rec.LastProblem, rec.Redo = &idv.StepProblem{Code: "x", Step: idv.StepSelfie}, []idv.Step{idv.StepSelfie}
		rec.Country = "XXX" // nothing but the facts of a decision says so
		rec.Figures = session.Figures{Device: idv.Device("phone"), FaceModel: "m 1", Source: idv.SourceFile, Due: idv.StepSelfie}
		return errors.Join(err, tx.SaveSession(ctx, rec))
	})
	r.keep("SaveSession of what was read before", nil, r.st.InTx(ctx, func(ctx context.Context, tx session.Tx) error { return tx.SaveSession(ctx, stale) }))
	rec, err := r.st.SessionByToken(ctx, "token")
	rec.Workflow = ""
	r.keep("SessionByToken", rec, err)
	rec, err = r.st.SessionByLink(ctx, "link of "+string(bert))
	rec.Workflow = ""
	r.keep("SessionByLink", rec, err)
	r.write(func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, bert)
		rec.State, rec.TouchedAt = idv.Processing, minutes(5)
		return errors.Join(err, tx.SaveSession(ctx, rec), tx.Enqueue(ctx, job.Check{Session: bert}))
	})
	r.family(bert)
	for _, at := range []int{29, 30, 61, 63} {
		ids, err := r.st.Overdue(ctx, minutes(at), 10)
		r.keep("Overdue", ids, err)
	}
	for _, at := range []int{5, 6} {
		ids, err := r.st.Stale(ctx, minutes(at), 10)
		r.keep("Stale", ids, err)
	}
	entries := []audit.Record{{Action: "a.done", Session: anna, Subject: "s", After: 1}, {Action: "b.done", Session: anna}}
	r.write(func(ctx context.Context, tx session.Tx) error {
		return errors.Join(tx.Audit(ctx, entries[0]), tx.Audit(audit.WithActor(ctx, audit.Actor{Kind: audit.User, ID: "usr_1", Address: "192.0.2.7"}), entries[1]))
	})
	e, proof, err := r.st.EntryOf(ctx, anna, "b.done")
	e.ID, e.At = "", time.Time{}
	r.keep("EntryOf", []any{e, proof == nil}, err)
}
