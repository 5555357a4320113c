package store

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/vault"
)

func livenessReplayed(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	recording := idvtest.Scene{Face: "anna", Take: "recorded"}
	first, task := d.atSelfie(t)
	if _, err := first.run(t, task.Challenge.Token, recording); err != nil {
		t.Fatal(err)
	}
	d.await(t, first.id, idv.Approved)

	second, task := d.atSelfie(t)
	if _, err := second.run(t, task.Challenge.Token, recording); err != nil {
		t.Fatal(err)
	}
	d.await(t, second.id, idv.InReview)
	_, decisions, err := d.Sessions.Report(ctx, "", second.id)
	if err != nil || len(decisions[0].Reasons) != 1 || decisions[0].Reasons[0].Code != problem.LivenessReplayed.Code {
		t.Fatalf("the recording of another session: %+v, %v", decisions, err)
	}
	if got := second.task(t); got.Problem != nil {
		t.Errorf("the applicant is told of a sign of deceit: %+v", got.Problem)
	}
	replay := replayOf(t, d, second)
	all := make([]int, 20)
	for i := range all {
		all[i] = i
	}
	if d := cmp.Diff(idv.Replay{Frames: 20, Near: 20, Captures: 1, LongestRun: 20, NearFrames: all}, replay); d != "" {
		t.Errorf("what was found (-want +got):\n%s", d)
	}

	for _, a := range []*person{first, second} {
		if err := d.store.DestroyKeyset(ctx, a.id, vault.Pictures); err != nil {
			t.Fatal(err)
		}
	}
	left, err := d.store.Read.NewSelect().Model((*sessions.MarkRow)(nil)).Count(ctx)
	if err != nil || left != 0 {
		t.Fatalf("%d marks are left of what was erased, %v", left, err)
	}
	third, task := d.atSelfie(t)
	if _, err := third.run(t, task.Challenge.Token, recording); err != nil {
		t.Fatal(err)
	}
	d.await(t, third.id, idv.Approved)
}

func replayOf(t *testing.T, d *deployment, a *person) idv.Replay {
	t.Helper()
	_, artifacts, err := d.Sessions.Captures(t.Context(), "", a.id)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range artifacts {
		switch x.Kind {
		case idv.ArtifactFrameDigests:
			if x.Data != nil {
				t.Error("digests of frames are shown")
			}
		case idv.ArtifactReplay:
			r, err := idv.ValueOf[idv.Replay](x)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
	}
	t.Fatal("nothing was compared")
	return idv.Replay{}
}

// livenessNear looks up digests that differ in some bits from those of an earlier capture.
func livenessNear(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a, task := d.atSelfie(t)
	if _, err := a.run(t, task.Challenge.Token, idvtest.Selfie("anna")); err != nil {
		t.Fatal(err)
	}
	d.await(t, a.id, idv.Approved)
	captures, err := d.store.Captures(ctx, a.id)
	if err != nil {
		t.Fatal(err)
	}
	sent := captures[len(captures)-1]
	look := func(apart int) []session.EarlierFrames {
		var found []session.EarlierFrames
		err := d.store.InTx(ctx, func(_ context.Context, x session.Tx) error {
			digests, err := x.(*tx).DigestsOf(ctx, a.id, string(sent.ID))
			if err != nil {
				return err
			}
			for i, g := range digests {
				for bit := range apart {
					at := (bit*256/apart + 11*i) % 256
					g[at/8] ^= 1 << (at % 8)
				}
			}
			probe := session.CaptureRow{Capture: idv.Capture{ID: "cap_probe", Session: a.id}}
			if found, err = x.EarlierFrames(ctx, probe, digests); err != nil {
				return err
			}
			return errUndo
		})
		if !errors.Is(err, errUndo) {
			t.Fatal(err)
		}
		return found
	}
	for _, apart := range []int{0, 4, 16} {
		if got := look(apart); len(got) != 1 || got[0].Capture != sent.ID || len(got[0].Digests) != 20 {
			t.Errorf("frames that differ in %d bits: %+v", apart, got)
		}
	}
	if got := look(256); len(got) != 0 {
		t.Errorf("frames that differ in every bit: %d candidates", len(got))
	}
}

var errUndo = errors.New("undo")

func livenessRaces(t *testing.T, d *deployment) {
	ctx := t.Context()
	a, task := d.atSelfie(t)
	var runs []applicant.FrameSubmission
	for _, attempt := range []string{"one", "two", "three", "four"} {
		runs = append(runs, runOf(t, attempt, task.Challenge.Token, idvtest.Selfie("anna")))
	}
	accepted := 0
	for i, err := range together(len(runs), func(i int) error { _, err := d.Captures.SubmitFrames(ctx, a.id, runs[i]); return err }) {
		switch {
		case err == nil:
			accepted++
		case !problem.Has(err, problem.ChallengeExpired) && !problem.Has(err, problem.CaptureOutOfOrder):
			t.Errorf("run %d: %v", i, err)
		}
	}
	if accepted != 1 {
		t.Errorf("one challenge was answered %d times", accepted)
	}

	// The same recording in two sessions at the same time: one of the two finds the other.
	recording := idvtest.Scene{Face: "anna", Take: "at once"}
	first, one := d.atSelfie(t)
	second, two := d.atSelfie(t)
	if _, err := first.run(t, one.Challenge.Token, recording); err != nil {
		t.Fatal(err)
	}
	if _, err := second.run(t, two.Challenge.Token, recording); err != nil {
		t.Fatal(err)
	}
	d.work(t, queue.WorkOptions{Workers: 4})
	states := map[idv.SessionState]int{}
	for _, p := range []*person{first, second} {
		states[d.await(t, p.id, idv.Approved, idv.InReview).State]++
	}
	if states[idv.Approved] != 1 || states[idv.InReview] != 1 {
		t.Errorf("of two equal recordings at once: %v", states)
	}
}

func livenessTampered(t *testing.T, d *deployment) {
	ctx := t.Context()
	for name, q := range map[string]string{
		"a challenge that lives longer":  "UPDATE challenges SET expires_at = ? WHERE id = ?",
		"a challenge that was not used":  "UPDATE challenges SET used_at = NULL, issued_at = ? WHERE id = ?",
		"a challenge that asks for less": `UPDATE challenges SET spec = '{"prompts":[],"duration_ms":0,"gentle":false}' WHERE expires_at <> ? AND id = ?`,
	} {
		a, task := d.atSelfie(t)
		id, _, _ := strings.Cut(task.Challenge.Token, ".")
		if _, err := d.store.Write.ExecContext(ctx, q, time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond), id); err != nil {
			t.Fatal(err)
		}
		if _, err := a.run(t, task.Challenge.Token, idvtest.Selfie("anna")); !problem.Has(err, problem.ChallengeExpired) {
			t.Errorf("%s, changed in the database: %v", name, err)
		}
	}
}
