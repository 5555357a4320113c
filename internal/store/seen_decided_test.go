package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// linked is somebody whose session is referred as it shows the document of an earlier one with another face, and the earlier one.
func linked(t *testing.T, d *deployment) (*person, idv.Session) {
	t.Helper()
	spec := session.Spec{Workflow: looking(t, d)}
	first := d.shown(t, spec, numbered("anna", "P7654321"))
	a := d.onlyOpen(t, d.create(t, spec))
	a.agree(t, idv.Passport)
	a.sendBoth(t, numbered("bert", "P7654321"), idvtest.Selfie("bert"))
	d.await(t, a.id, idv.InReview)
	return a, first
}

// said decides about two sessions as they are now.
func said(t *testing.T, d *deployment, a, b idv.SessionID, who review.Reviewer, say review.LinkSaid) (session.LinkDecision, error) {
	t.Helper()
	x, err := d.Sessions.Get(t.Context(), idv.Test, a)
	must(t, err)
	seen, err := d.Sessions.SeenBefore(t.Context(), x.Session)
	must(t, err)
	i := slices.IndexFunc(seen, func(s session.SeenBefore) bool { return s.Other.Session == b })
	if i < 0 {
		t.Fatalf("%s is not seen from %s: %+v", b, a, seen)
	}
	say.Version, say.Signs = seen[i].Decided.Version, seen[i].Signs
	return d.Links.Decide(as(t, who), session.PairOf(a, b), who, say)
}

// again has the applicant send a step once more, and awaits the verdict.
func again(t *testing.T, d *deployment, a *person, step idv.Step, scene idvtest.Scene) idv.SessionState {
	t.Helper()
	c, err := d.Queue.CaseOf(t.Context(), a.id)
	must(t, err)
	claimed, err := d.Queue.Claim(as(t, rita), c.ID, rita)
	must(t, err)
	basis := review.Basis{Version: claimed.Case.Version, Report: claimed.Case.Report}
	_, err = d.Rulings.RedoStep(as(t, rita), c.ID, rita, review.Redo{Basis: basis, Step: step})
	must(t, err)
	a.send(t, step, scene)
	return d.await(t, a.id, idv.Approved, idv.Declined, idv.InReview).State
}

// eventsOf are the payloads of a session's events of a type.
func eventsOf(t *testing.T, d *deployment, id idv.SessionID, typ session.EventType) []map[string]any {
	t.Helper()
	events, err := d.Sessions.Timeline(t.Context(), "", id)
	must(t, err)
	var out []map[string]any
	for _, e := range events {
		if e.Type == typ {
			out = append(out, e.Payload)
		}
	}
	return out
}

var notTheSame = review.LinkSaid{Decision: session.LinkNotSame, Reason: "relative"}

func linksDecided(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a, first := linked(t, d)
	all := []any{"document", "person", "other_face"}
	if diff := cmp.Diff([]map[string]any{{"signs": all}}, eventsOf(t, d, a.id, session.EventDuplicateFound)); diff != "" {
		t.Errorf("what is told of what was found (-want +got)\n%s", diff)
	}
	clusters := func() int {
		t.Helper()
		found, err := d.Sessions.Clusters(ctx, idv.Test, 10)
		must(t, err)
		return len(found)
	}
	if _, err := said(t, d, first.ID, a.id, rita, notTheSame); err != nil { // from the other end
		t.Fatal(err)
	}
	if n := clusters(); n != 0 {
		t.Errorf("%d groups of what is not the same person", n)
	}
	// Undone, it refers again: also where the evidence is the one from before the decision.
	if _, err := said(t, d, a.id, first.ID, rita, review.LinkSaid{Decision: session.LinkOpen}); err != nil {
		t.Fatal(err)
	}
	if n := clusters(); n != 1 {
		t.Errorf("%d groups after it was undone", n)
	}
	if state := again(t, d, a, idv.StepSelfie, idvtest.Selfie("bert")); state != idv.InReview {
		t.Fatalf("after it was undone: %s for %v", state, toldOf(t, d, a.id))
	}
	if _, err := said(t, d, a.id, first.ID, rita, notTheSame); err != nil {
		t.Fatal(err)
	}
	// Another date of birth on the same document is a sign that nobody decided.
	born := numbered("bert", "P7654321")
	born.Birth = "1980-01-01"
	if state := again(t, d, a, idv.StepDocumentFront, born); state != idv.InReview ||
		!slices.Contains(toldOf(t, d, a.id), "duplicate.document_other_facts") {
		t.Fatalf("with a new sign: %s for %v", state, toldOf(t, d, a.id))
	}
	x, err := d.Sessions.Get(ctx, idv.Test, a.id)
	must(t, err)
	seen, err := d.Sessions.SeenBefore(ctx, x.Session)
	must(t, err)
	if now := seen[0].Decided.Now(seen[0].Signs); now != session.LinkOpen || clusters() != 1 {
		t.Errorf("the decision before the new sign is %s, in %d groups", now, clusters())
	}
	if _, err := said(t, d, a.id, first.ID, rita, notTheSame); err != nil {
		t.Fatal(err)
	}
	if state := again(t, d, a, idv.StepSelfie, idvtest.Selfie("bert")); state != idv.Approved {
		t.Errorf("what was decided comes back: %s for %v", state, toldOf(t, d, a.id))
	}
	found := eventsOf(t, d, a.id, session.EventDuplicateFound)
	if diff := cmp.Diff([]map[string]any{{"signs": all}, {"signs": []any{"other_facts"}}}, found); diff != "" {
		t.Errorf("each sign is told once (-want +got)\n%s", diff)
	}
	for _, id := range []idv.SessionID{a.id, first.ID} {
		told := eventsOf(t, d, id, session.EventDuplicateDecided)
		if len(told) != 4 || told[1]["decision"] != "open" || told[3]["decision"] != "not_the_same" {
			t.Errorf("what is told of the decisions: %v", told)
		}
	}
}

func linksFourEyes(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a, first := linked(t, d)
	pair := session.PairOf(a.id, first.ID)
	same, unsure := review.LinkSaid{Decision: session.LinkSame}, review.LinkSaid{Decision: session.LinkUnsure}
	for name, bad := range map[string]review.LinkSaid{
		"no reason":               {Decision: session.LinkNotSame},
		"a reason that is none":   {Decision: session.LinkNotSame, Reason: "gut feeling"},
		"a reason for the same":   {Decision: session.LinkSame, Reason: "relative"},
		"another without a note":  {Decision: session.LinkNotSame, Reason: "other", Note: "  "},
		"a decision that is none": {Decision: session.LinkAwaits},
		"nothing to undo":         {Decision: session.LinkOpen},
	} {
		if _, err := said(t, d, a.id, first.ID, rita, bad); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	stale := unsure
	stale.Signs = []idv.SeenSign{idv.SignDocument}
	_, err := d.Links.Decide(as(t, rita), pair, rita, stale)
	wantProblem(t, err, problem.DuplicateConflict) // the reviewer did not see all of it
	same.Note = "The first note."
	one, err := said(t, d, a.id, first.ID, rita, same)
	if err != nil || one.State != session.LinkAwaits {
		t.Fatalf("one says that they are the same: %+v, %v", one, err)
	}
	stale.Signs = one.Signs
	_, err = d.Links.Decide(as(t, rita), pair, rita, stale)
	wantProblem(t, err, problem.DuplicateConflict) // somebody decided meanwhile
	_, err = said(t, d, a.id, first.ID, rita, same)
	wantProblem(t, err, problem.DuplicateSamePerson)
	_, err = said(t, d, a.id, first.ID, rosa, same)
	wantProblem(t, err, problem.AuthForbidden)
	same.Note = "The second note."
	two, err := said(t, d, first.ID, a.id, senta, same)
	if err != nil || two.State != session.LinkSame || two.DecidedBy != string(rita.ID) || two.SecondBy != string(senta.ID) {
		t.Fatalf("two say so: %+v, %v", two, err)
	}
	want := []session.Opinion{
		{By: string(rita.ID), At: one.DecidedAt, Decision: "same_person", Note: "The first note."},
		{By: string(senta.ID), At: two.SecondAt, Decision: "same_person", Note: "The second note."},
	}
	kept, err := d.store.LinkDecision(t.Context(), pair)
	must(t, err)
	if diff := cmp.Diff(want, kept.Said); diff != "" {
		t.Errorf("what two people said (-want +got)\n%s", diff)
	}
	_, err = said(t, d, a.id, first.ID, rita, review.LinkSaid{Decision: session.LinkOpen})
	wantProblem(t, err, problem.AuthForbidden)
	undone, err := said(t, d, a.id, first.ID, senta, review.LinkSaid{Decision: session.LinkOpen})
	if err != nil || undone.State != session.LinkOpen || undone.SecondBy != "" {
		t.Errorf("undone: %+v, %v", undone, err)
	}
	third := d.shown(t, session.Spec{Workflow: "looking"}, numbered("dora", "Q1234567"))
	_, err = d.Links.Decide(as(t, rita), session.PairOf(third.ID, "ses_00000000000000000000000000"), rita, unsure)
	wantProblem(t, err, problem.NotFound)
	elsewhere := d.onlyOpen(t, d.create(t, session.Spec{}))
	_, err = d.Links.Decide(as(t, rita), session.PairOf(elsewhere.id, first.ID), rita, unsure)
	wantProblem(t, err, problem.NotFound) // nothing links them
}

func linksErased(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a, first := linked(t, d)
	_, err := said(t, d, a.id, first.ID, rita, review.LinkSaid{Decision: session.LinkUnsure, Note: "secondsecret of another"})
	must(t, err)
	_, err = said(t, d, first.ID, a.id, senta, review.LinkSaid{Decision: session.LinkNotSame, Reason: "other", Note: "secretnote of a reviewer"})
	must(t, err)
	note := [][]byte{[]byte("secretnote"), []byte("secondsecret")}
	for word, places := range findWords(t, d, note) {
		t.Errorf("%q is in the clear in %v", word, places)
	}
	pair := session.PairOf(a.id, first.ID)
	if got, err := d.store.LinkDecision(ctx, pair); err != nil || got.Note != "secretnote of a reviewer" || got.Reason != "other" ||
		len(got.Said) != 2 || got.Said[0].Note != "secondsecret of another" {
		t.Errorf("the decision is %+v, %v", got, err)
	}
	listed, err := d.store.LinkDecisions(ctx, first.ID)
	if err != nil || len(listed) != 1 || listed[0].Note != "" || listed[0].Said != nil || listed[0].State != session.LinkNotSame {
		t.Errorf("the decisions of the earlier session: %+v, %v", listed, err)
	}
	another := session.PairOf(a.id, "ses_00000000000000000000000000")
	for name, c := range map[string]struct {
		pairs []session.Pair
		want  int
	}{
		"nobody": {nil, 0}, "another pair": {[]session.Pair{another}, 0}, "both": {[]session.Pair{another, pair}, 1},
		"pairs whose ends are the ends of it": {[]session.Pair{another, {First: "ses_0", Second: pair.Second}, {First: pair.First, Second: "ses_z"}}, 0},
	} {
		about, err := d.store.LinkDecisionsAbout(ctx, c.pairs)
		if err != nil || len(about) != c.want || c.want > 0 && (about[0].Pair != pair || about[0].Note != "" || about[0].Said != nil) {
			t.Errorf("of %s: %+v, %v", name, about, err)
		}
	}
	receipt, err := d.Erasures.Erase(ctx, idv.Test, first.ID)
	must(t, err)
	if !strings.Contains(receipt.Statement, `"seen_decisions"`) || strings.Contains(receipt.Statement, string(a.id)) {
		t.Errorf("the receipt: %s", receipt.Statement)
	}
	for word, places := range findWords(t, d, note) {
		t.Errorf("after erasing %q is still in %v", word, places)
	}
	for _, id := range []idv.SessionID{a.id, first.ID} {
		if left, err := d.store.LinkDecisions(ctx, id); err != nil || len(left) != 0 {
			t.Errorf("decisions that are left: %+v, %v", left, err)
		}
		for _, payload := range eventsOf(t, d, id, session.EventDuplicateDecided) {
			if len(payload) != 2 { // its signs and the decision
				t.Errorf("an event that stays holds %v", payload)
			}
		}
	}
	entries, err := entriesOf(ctx, d, first.ID)
	must(t, err)
	for _, e := range entries {
		if e.Subject == string(a.id) {
			t.Errorf("the log of the erased session names the other one: %+v", e)
		}
	}
	_, err = d.Links.Decide(as(t, rita), pair, rita, review.LinkSaid{Decision: session.LinkUnsure})
	wantProblem(t, err, problem.SessionErased)
}

// linksLeft: a server of a version that does not know the table erases one of two sessions.
func linksLeft(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a, first := linked(t, d)
	third := d.shown(t, session.Spec{Workflow: "looking"}, numbered("anna", "P7654321"))
	for _, other := range []idv.SessionID{first.ID, third.ID} {
		_, err := said(t, d, a.id, other, rita, notTheSame)
		must(t, err)
	}
	kept, err := d.store.LinkDecisions(ctx, a.id)
	must(t, err)
	d.exec(t, "CREATE TABLE kept_decisions AS SELECT * FROM seen_decisions")
	_, err = d.Erasures.Erase(ctx, idv.Test, first.ID)
	must(t, err)
	d.exec(t, "DELETE FROM seen_decisions")
	d.exec(t, "INSERT INTO seen_decisions SELECT * FROM kept_decisions")
	must(t, d.store.Tidy(ctx))
	left, err := d.store.LinkDecisions(ctx, a.id)
	if err != nil || len(kept) != 2 || len(left) != 1 || left[0].Pair != session.PairOf(a.id, third.ID) {
		t.Errorf("of %+v there is left %+v, %v; want that with %s alone", kept, left, err, third.ID)
	}
}

// entriesOf lists the entries of a session.
func entriesOf(ctx context.Context, d *deployment, id idv.SessionID) ([]audit.Entry, error) {
	proofs, err := d.store.AuditProofs(ctx, id)
	var out []audit.Entry
	for _, p := range proofs {
		out = append(out, p.Entry)
	}
	return out, err
}

func linksTold(t *testing.T, d *deployment) {
	s := d.hooks(webhook.Options{})
	all := receive(t, nil)
	d.endpoint(t, s, idv.Test, all.URL, string(session.EventDuplicateFound), string(session.EventDuplicateDecided))
	d.workHooks(t, s)
	a, first := linked(t, d)
	until(t, "what was found", func() bool { return len(all.types()) == 1 })
	_, err := said(t, d, a.id, first.ID, rita, review.LinkSaid{Decision: session.LinkNotSame, Reason: "other", Note: "secretnote of a reviewer"})
	must(t, err)
	until(t, "what was decided", func() bool { return len(all.types()) == 3 })
	want := map[idv.SessionID][]string{
		a.id: {
			`"type":"duplicate.found","data":{"signs":["document","person","other_face"]}`,
			`"type":"duplicate.decided","data":{"decision":"not_the_same","signs":["document","person","other_face"]}`,
		},
		first.ID: {`"type":"duplicate.decided","data":{"decision":"not_the_same","signs":["document","person","other_face"]}`},
	}
	got := map[idv.SessionID][]string{}
	for _, body := range all.bodies {
		var m webhook.Message
		must(t, json.Unmarshal([]byte(body), &m))
		data, err := json.Marshal(m.Data)
		must(t, err)
		got[m.Session] = append(got[m.Session], fmt.Sprintf(`"type":%q,"data":%s`, m.Type, data))
		other := session.PairOf(a.id, first.ID).Other(m.Session)
		for _, hidden := range []string{string(other), string(rita.ID), "secretnote", "P7654321", "ERIKSSON", "score"} {
			if strings.Contains(body, hidden) {
				t.Errorf("%q was told: %s", hidden, body)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is told (-want +got)\n%s", diff)
	}
}

// linksDecidedMeanwhile decides while the checks are asked: their answers are about what was known before, and are asked anew.
func linksDecidedMeanwhile(t *testing.T, d *deployment) {
	armed := make(chan [2]idv.SessionID, 1)
	d.lab.OnAsk = func(_ context.Context, k idv.CheckKind) error {
		if k != idv.CheckFaceMatch { // asked together with those that look at other sessions
			return nil
		}
		select {
		case both := <-armed:
			if _, err := said(t, d, both[0], both[1], rita, notTheSame); err != nil {
				t.Error(err)
			}
		default:
		}
		return nil
	}
	d.work(t, queue.WorkOptions{})
	a, first := linked(t, d)
	armed <- [2]idv.SessionID{a.id, first.ID}
	if state := again(t, d, a, idv.StepSelfie, idvtest.Selfie("bert")); state != idv.Approved {
		t.Errorf("decided while it was judged: %s for %v", state, toldOf(t, d, a.id))
	}
	if len(armed) > 0 {
		t.Error("nobody decided meanwhile")
	}
}
