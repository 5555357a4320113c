package review_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/casefile"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

// size opens a picture made for showing.
func size(t *testing.T, p review.Picture) image.Point {
	t.Helper()
	img, err := jpeg.DecodeConfig(bytes.NewReader(p.Bytes))
	if err != nil || p.MediaType != "image/jpeg" {
		t.Fatalf("a picture of type %s: %v", p.MediaType, err)
	}
	return image.Pt(img.Width, img.Height)
}

// subjects lists what was looked at.
func subjects(d *sessiontest.Deployment, id idv.SessionID) []string {
	var out []string
	for _, a := range d.Store.Audited(id) {
		if a.Action == review.EvidenceViewed {
			out = append(out, a.Subject)
		}
	}
	return out
}

func TestPicturesAreShownAndEachViewIsAudited(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Ended(t, session.Spec{})
	captures, artifacts, err := d.Sessions.Captures(t.Context(), "", p.ID)
	if err != nil {
		t.Fatal(err)
	}
	page := captures[0].ID
	picture, err := d.Pictures.Evidence(sessiontest.As(t, rita.ID), idv.Test, p.ID, page, review.WholeCapture)
	if err != nil {
		t.Fatal(err)
	}
	if got := size(t, picture); got != image.Pt(32, 24) || bytes.Contains(picture.Bytes, []byte("scene:")) {
		t.Errorf("it is %v, or holds what was behind the picture", got)
	}
	i := slices.IndexFunc(artifacts, func(a idv.Artifact) bool { return a.Kind == idv.ArtifactPortrait })
	crop, err := d.Pictures.ArtifactPicture(sessiontest.As(t, rita.ID), idv.Test, p.ID, artifacts[i].ID)
	if err != nil || string(crop.Bytes) != "crop of anna" {
		t.Errorf("the crop: %q, %v", crop.Bytes, err)
	}
	if got := subjects(d, p.ID); !slices.Equal(got, []string{string(page), string(artifacts[i].ID)}) {
		t.Errorf("audited %v", got)
	}
	for name, f := range map[string]func() error{
		"a capture that there is not": func() error { _, err := d.Pictures.Evidence(t.Context(), "", p.ID, "cap_none", -1); return err },
		"a frame of a picture":        func() error { _, err := d.Pictures.Evidence(t.Context(), "", p.ID, page, 0); return err },
		"another mode":                func() error { _, err := d.Pictures.Evidence(t.Context(), idv.Live, p.ID, page, -1); return err },
		"an artifact that there is not": func() error {
			_, err := d.Pictures.ArtifactPicture(t.Context(), "", p.ID, "art_none")
			return err
		},
	} {
		if err := f(); !problem.Has(err, problem.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d.Store.FailNextCommit(errors.New("the log is full"))
	if got, err := d.Pictures.Evidence(t.Context(), "", p.ID, page, -1); err == nil || got.Bytes != nil {
		t.Error("a picture is shown without a record")
	}
	if _, err := d.Erasures.Erase(t.Context(), "", p.ID); err != nil {
		t.Fatal(err)
	}
	_, err = d.Pictures.Evidence(t.Context(), "", p.ID, page, -1)
	sessiontest.WantProblem(t, err, problem.SessionErased)
	_, err = d.Pictures.ArtifactPicture(t.Context(), "", p.ID, artifacts[i].ID)
	sessiontest.WantProblem(t, err, problem.SessionErased)
}

// recorded is a session whose selfie is a run of frames.
func recorded(t *testing.T, d *sessiontest.Deployment) (*sessiontest.Person, idv.CaptureID) {
	t.Helper()
	p := d.Start(t, session.Spec{Workflow: idv.WorkflowLiveness})
	task := p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	run := p.Run(t, task.Challenge.Token, idvtest.Selfie("anna"))
	if _, err := d.Captures.SubmitFrames(t.Context(), p.ID, run); err != nil {
		t.Fatal(err)
	}
	d.Work(t)
	captures, _, err := d.Sessions.Captures(t.Context(), "", p.ID)
	if err != nil {
		t.Fatal(err)
	}
	return p, captures[1].ID
}

func TestARunIsShownAsAStripOrFrameByFrame(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, run := recorded(t, d)
	show := func(frame int) (review.Picture, error) { return d.Pictures.Evidence(t.Context(), "", p.ID, run, frame) }
	strip, err := show(review.WholeCapture)
	if err != nil {
		t.Fatal(err)
	}
	if got := size(t, strip); got != image.Pt(6*200, 4*150) { // 20 frames, six in a row
		t.Errorf("the strip is %v", got)
	}
	one, err := show(19)
	if err != nil {
		t.Fatal(err)
	}
	if got := size(t, one); got != image.Pt(32, 24) {
		t.Errorf("a frame is %v", got)
	}
	for _, frame := range []int{-2, 20} {
		_, err := show(frame)
		sessiontest.WantProblem(t, err, problem.NotFound)
	}
}

func TestSomeFramesOfARunAreShownInOnePicture(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, run := recorded(t, d)
	before := len(subjects(d, p.ID))
	film, err := d.Pictures.Film(t.Context(), "", p.ID, run, []int{0, 3, 4, 9, 12, 18, 19})
	if err != nil {
		t.Fatal(err)
	}
	if got := size(t, film); got != image.Pt(6*200, 2*150) {
		t.Errorf("seven frames are %v", got)
	}
	if got := subjects(d, p.ID)[before:]; !slices.Equal(got, []string{string(run)}) {
		t.Errorf("audited %v, want one look at the run", got)
	}
	captures, _, err := d.Sessions.Captures(t.Context(), "", p.ID)
	if err != nil {
		t.Fatal(err)
	}
	for name, ask := range map[string]struct {
		capture idv.CaptureID
		frames  []int
	}{
		"a frame beyond the last":    {run, []int{0, 20}},
		"a frame before the first":   {run, []int{-1}},
		"more than fit":              {run, make([]int, review.MostFilmFrames+1)},
		"frames of a single picture": {captures[0].ID, []int{0}},
	} {
		if _, err := d.Pictures.Film(t.Context(), "", p.ID, ask.capture, ask.frames); !problem.Has(err, problem.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// names names members in a case file.
func names(_ context.Context, ids ...idv.UserID) (map[idv.UserID]string, error) {
	out := map[idv.UserID]string{}
	for _, id := range ids {
		out[id] = "Rita"
	}
	return out, nil
}

const member = idv.UserID("usr_00000000000000000000000001")

// caseFile makes a case file and opens it.
func caseFile(t *testing.T, d *sessiontest.Deployment, id idv.SessionID, ask review.CaseFileAsk) []byte {
	t.Helper()
	ask.By, ask.Names = member, names
	f, err := d.CaseFiles.CaseFile(sessiontest.As(t, member), idv.Test, id, ask)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.Write(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	held, err := casefile.Verify(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(held.Statements) == 0 {
		t.Fatalf("it does not hold: %v", err)
	}
	return out.Bytes()
}

func TestACaseFileProvesADecision(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, c := d.Referred(t, session.Spec{})
	r := ruling(c, idv.DecideApprove)
	r.Note = "The ears are the same."
	who := review.Reviewer{ID: member}
	if _, err := decide(t, d, c, who, r); err != nil {
		t.Fatal(err)
	}
	whole := caseFile(t, d, p.ID, review.CaseFileAsk{Pictures: true, Reviews: true})
	if got := subjects(d, p.ID); len(got) != 2 {
		t.Errorf("views of %v are on record, want both pictures", got)
	}
	if bytes.Contains(whole, []byte("scene:")) {
		t.Error("what was behind the pixels is in it")
	}
	bare := caseFile(t, d, p.ID, review.CaseFileAsk{})
	if len(bare) >= len(whole) || len(subjects(d, p.ID)) != 2 {
		t.Errorf("without pictures it has %d bytes, with them %d", len(bare), len(whole))
	}
	log := d.Store.Audited(p.ID)
	if last := log[len(log)-1]; last.Action != casefile.Action || last.ActorID != string(member) {
		t.Errorf("on record: %+v", last)
	}
	run, _ := recorded(t, d)
	caseFile(t, d, run.ID, review.CaseFileAsk{Pictures: true})
	if _, err := d.Erasures.Erase(t.Context(), "", p.ID); err != nil {
		t.Fatal(err)
	}
	caseFile(t, d, p.ID, review.CaseFileAsk{Reviews: true}) // of what stays
	_, err := d.CaseFiles.CaseFile(t.Context(), idv.Test, p.ID, review.CaseFileAsk{Pictures: true, Names: names})
	sessiontest.WantProblem(t, err, problem.SessionErased)
	_, err = d.CaseFiles.CaseFile(t.Context(), idv.Live, p.ID, review.CaseFileAsk{Names: names})
	sessiontest.WantProblem(t, err, problem.NotFound)
}

func TestWhatIsErasedWhileACaseFileIsMadeIsNotHandedOut(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Ended(t, session.Spec{})
	ask := review.CaseFileAsk{Pictures: true, Names: func(ctx context.Context, _ ...idv.UserID) (map[idv.UserID]string, error) {
		_, err := d.Erasures.Erase(ctx, "", p.ID)
		return nil, err
	}}
	_, err := d.CaseFiles.CaseFile(t.Context(), idv.Test, p.ID, ask)
	sessiontest.WantProblem(t, err, problem.SessionErased)
	for _, a := range d.Store.Audited(p.ID) {
		if strings.HasPrefix(a.Action, "evidence.") || a.Action == casefile.Action {
			t.Errorf("%s is on record", a.Action)
		}
	}
}
