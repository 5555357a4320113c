package applicant_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

var file = []byte("%PDF-1.4 of a test")

// rendering makes every PDF file one of these pages.
func rendering(d *sessiontest.Deployment, pages ...[]byte) {
	d.PDF = func([]byte) ([][]byte, error) { return pages, nil }
}

// card starts a session in which both sides of a card are due.
func card(t *testing.T, d *sessiontest.Deployment, spec session.Spec) *sessiontest.Person {
	t.Helper()
	p := d.Open(t, d.Create(t, spec))
	p.Agree(t, idv.IDCard)
	return p
}

func sendFile(t *testing.T, d *sessiontest.Deployment, p *sessiontest.Person, attempt string) (idv.Task, error) {
	t.Helper()
	return d.Captures.Submit(t.Context(), p.ID, applicant.Submission{
		Step: idv.StepDocumentFront, Attempt: attempt, MediaType: "image/jpeg", Source: idv.SourceCamera, Bytes: file,
	})
}

func TestOfAPDFTheRenderedPageIsKeptAndTheFileIsKnownByItsDigest(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	page := idvtest.Picture(t, idvtest.Passport("anna"))
	rendering(d, page)
	p := d.Start(t, session.Spec{})
	task, err := sendFile(t, d, p, "one")
	if err != nil || task.Step != idv.StepSelfie {
		t.Fatalf("next is %s, %v", task.Step, err)
	}
	rows, err := d.Store.Captures(t.Context(), p.ID)
	if err != nil || len(rows) != 1 {
		t.Fatalf("captures %+v, %v", rows, err)
	}
	kept, err := d.Store.Pictures().Get(t.Context(), p.ID, rows[0].Blob)
	if err != nil || !cmp.Equal(kept, page) {
		t.Errorf("what is kept is not the rendered page: %v", err)
	}
	got := []any{rows[0].SHA256, rows[0].Size, rows[0].MediaType, rows[0].Source}
	want := []any{digestOf(page), int64(len(page)), "application/pdf", idv.SourceFile}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the capture's digest, size, type and source (-want +got):\n%s", diff)
	}
	a, err := d.Store.Attempt(t.Context(), p.ID, rows[0].Attempt)
	if err != nil || a.SHA256 != digestOf(file) {
		t.Errorf("the attempt has the digest %s, want that of the file: %v", a.SHA256, err)
	}
	if again, err := sendFile(t, d, p, "one"); err != nil || again.Step != idv.StepSelfie {
		t.Errorf("a repeat of the attempt answers %s, %v", again.Step, err)
	}
	if rec := d.Record(t, p.ID); rec.Attempts[idv.StepDocumentFront] != 1 {
		t.Errorf("a repeat counts: %v", rec.Attempts)
	}
}

func TestThatAPDFCannotBeRenderedCostsNoTry(t *testing.T) {
	t.Parallel()
	for _, k := range []problem.Kind{problem.CapturePDFEncrypted, problem.CapturePDFTooLarge, problem.CapturePDFDamaged, problem.RequestTooLarge} {
		t.Run(k.Code, func(t *testing.T) {
			d := sessiontest.New(t)
			d.PDF = func([]byte) ([][]byte, error) { return nil, problem.New(k) }
			p := d.Start(t, session.Spec{})
			_, err := sendFile(t, d, p, "one")
			sessiontest.WantProblem(t, err, k)
			if s := d.Session(t, p.ID); s.Attempts[idv.StepDocumentFront] != 0 {
				t.Error("it costs a try")
			}
			if left := d.Store.Pictures().Names(p.ID); len(left) > 0 {
				t.Errorf("%v are kept", left)
			}
		})
	}
}

func TestAFaultOfTheRendererIsNoAnswerToTheAttempt(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]error{"no room": problem.New(problem.Unavailable), "a bug": errors.New("trap")} {
		t.Run(name, func(t *testing.T) {
			d := sessiontest.New(t)
			d.PDF = func([]byte) ([][]byte, error) { return nil, fault }
			p := d.Start(t, session.Spec{})
			if _, err := sendFile(t, d, p, "one"); !errors.Is(err, fault) {
				t.Fatalf("got %v, want %v", err, fault)
			}
			rendering(d, idvtest.Picture(t, idvtest.Passport("anna")))
			if task, err := sendFile(t, d, p, "one"); err != nil || task.Step != idv.StepSelfie {
				t.Errorf("the same attempt afterwards: %s, %v", task.Step, err)
			}
		})
	}
}

func TestWhereOnlyTheCameraCountsAPDFIsRefusedWhateverTheClientSays(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	rendering(d, idvtest.Picture(t, idvtest.Passport("anna")))
	p := d.Start(t, session.Spec{Workflow: d.Workflow("live", func(w *idv.WorkflowVersion) { w.LiveCapture = true })})
	_, err := sendFile(t, d, p, "one")
	sessiontest.WantProblem(t, err, problem.CaptureFromFile)
}

func TestTheSecondPageOfAPDFIsTheBack(t *testing.T) {
	t.Parallel()
	front, back := idvtest.Passport("anna"), idvtest.Passport("anna")
	front.Take, back.Take = "front", "back"
	blurred := back
	blurred.Glance = problem.CaptureBlurred.Code
	for _, c := range []struct {
		name  string
		pages []idvtest.Scene
		want  idv.Step
		kept  int
	}{
		{"and the step of the back is done", []idvtest.Scene{front, back}, idv.StepSelfie, 2},
		{"unless it cannot be used", []idvtest.Scene{front, blurred}, idv.StepDocumentBack, 1},
		{"unless it is the first once more", []idvtest.Scene{front, front}, idv.StepDocumentBack, 1},
		{"where there is one", []idvtest.Scene{front}, idv.StepDocumentBack, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sessiontest.New(t)
			var pages [][]byte
			for _, s := range c.pages {
				pages = append(pages, idvtest.Picture(t, s))
			}
			rendering(d, pages...)
			p := card(t, d, session.Spec{})
			task, err := sendFile(t, d, p, "one")
			if err != nil || task.Step != c.want {
				t.Fatalf("next is %s, %v, want %s", task.Step, err, c.want)
			}
			rows, err := d.Store.Captures(t.Context(), p.ID)
			if err != nil || len(rows) != c.kept {
				t.Fatalf("%d captures, want %d: %v", len(rows), c.kept, err)
			}
			if rec := d.Record(t, p.ID); rec.Attempts[idv.StepDocumentBack] != c.kept-1 {
				t.Errorf("tries of the back: %d, want %d", rec.Attempts[idv.StepDocumentBack], c.kept-1)
			}
			if again, err := sendFile(t, d, p, "one"); err != nil || again.Step != c.want {
				t.Errorf("a repeat answers %s, %v", again.Step, err)
			}
		})
	}
}

func digestOf(b []byte) idv.Digest {
	sum := sha256.Sum256(b)
	return idv.Digest(hex.EncodeToString(sum[:]))
}
