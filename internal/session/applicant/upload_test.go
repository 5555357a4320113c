package applicant_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func startUpload(t *testing.T, d *sessiontest.Deployment, id idv.SessionID) idv.UploadID {
	t.Helper()
	u, err := d.Uploads.StartUpload(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return u.ID
}

func TestAPictureComesInParts(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	sub := p.Submission(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	u := startUpload(t, d, p.ID)
	half := len(sub.Bytes) / 2
	for _, part := range [][]byte{sub.Bytes[:half], sub.Bytes[half:]} {
		row, err := d.Uploads.Upload(t.Context(), p.ID, u)
		if err != nil {
			t.Fatal(err)
		}
		if row, err = d.Uploads.Append(t.Context(), p.ID, u, row.Received, part); err != nil {
			t.Fatal(row, err)
		}
		_, err = d.Uploads.Append(t.Context(), p.ID, u, 0, part)
		sessiontest.WantProblem(t, err, problem.CaptureUploadOffset)
	}
	_, _, err := d.Uploads.Uploaded(t.Context(), p.ID, u, sub.Attempt, 3)
	sessiontest.WantProblem(t, err, problem.CaptureUploadIncomplete)
	raw, answered, err := d.Uploads.Uploaded(t.Context(), p.ID, u, sub.Attempt, int64(len(sub.Bytes)))
	if err != nil || answered || !slices.Equal(raw, sub.Bytes) {
		t.Fatalf("%d bytes, answered %v, %v", len(raw), answered, err)
	}
	if n := len(d.Store.Pictures().Names(p.ID)); n != 2 {
		t.Errorf("%d blobs, want the two parts alone", n)
	}
	if _, err := d.Captures.Submit(t.Context(), p.ID, sub); err != nil {
		t.Fatal(err)
	}
	if err := d.Uploads.EndUpload(t.Context(), p.ID, u, sub.Attempt); err != nil {
		t.Fatal(err)
	}
	if n := len(d.Store.Pictures().Names(p.ID)); n != 1 {
		t.Errorf("%d blobs, want the capture alone", n)
	}
	if _, answered, err := d.Uploads.Uploaded(t.Context(), p.ID, u, sub.Attempt, 1); err != nil || !answered {
		t.Errorf("answered %v, %v", answered, err)
	}
	if task, err := d.Uploads.Answered(t.Context(), p.ID, sub.Step, sub.Attempt); err != nil || task.Step != idv.StepSelfie {
		t.Errorf("the answer again: %s, %v", task.Step, err)
	}
	_, _, err = d.Uploads.Uploaded(t.Context(), p.ID, u, "another", 1)
	sessiontest.WantProblem(t, err, problem.NotFound)
	_, err = d.Uploads.Answered(t.Context(), p.ID, sub.Step, "another")
	sessiontest.WantProblem(t, err, problem.NotFound)
}

func TestAPartThatDoesNotFitIsRefusedAndNotKept(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, other := d.Start(t, session.Spec{}), d.Start(t, session.Spec{})
	u := startUpload(t, d, p.ID)
	for _, c := range []struct {
		name   string
		id     idv.SessionID
		offset int64
		bytes  int
		want   problem.Kind
	}{
		{"it begins after the end", p.ID, 1, 1, problem.CaptureUploadOffset},
		{"it is empty", p.ID, 0, 0, problem.RequestMalformed},
		{"it is too long", p.ID, 0, applicant.UploadPartBytes + 1, problem.RequestTooLarge},
		{"it is another session's", other.ID, 0, 1, problem.NotFound},
	} {
		_, err := d.Uploads.Append(t.Context(), c.id, u, c.offset, make([]byte, c.bytes))
		if !problem.Has(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	d.Store.FailNextCommit(errors.New("the disk is full"))
	if _, err := d.Uploads.Append(t.Context(), p.ID, u, 0, []byte{1}); err == nil {
		t.Error("a commit that failed is no error")
	}
	if left := d.Store.Pictures().Names(p.ID); len(left) > 0 {
		t.Errorf("%v are kept", left)
	}
	for n := range applicant.MostUploadParts {
		if _, err := d.Uploads.Append(t.Context(), p.ID, u, int64(n), []byte{1}); err != nil {
			t.Fatalf("part %d: %v", n, err)
		}
	}
	_, err := d.Uploads.Append(t.Context(), p.ID, u, applicant.MostUploadParts, []byte{1})
	sessiontest.WantProblem(t, err, problem.RequestTooLarge)
}

func TestAnUploadEndsWithItsTimeOrWithAnother(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	var all []idv.UploadID
	for range applicant.UploadsAtOnce + 1 {
		u := startUpload(t, d, p.ID)
		if _, err := d.Uploads.Append(t.Context(), p.ID, u, 0, []byte("part")); err != nil {
			t.Fatal(err)
		}
		all = append(all, u)
	}
	_, err := d.Uploads.Upload(t.Context(), p.ID, all[0])
	sessiontest.WantProblem(t, err, problem.NotFound) // the oldest gave way
	if err := d.Uploads.DropUpload(t.Context(), p.ID, all[1]); err != nil {
		t.Fatal(err)
	}
	sessiontest.WantProblem(t, d.Uploads.DropUpload(t.Context(), p.ID, all[1]), problem.NotFound)
	if n := len(d.Store.Pictures().Names(p.ID)); n != applicant.UploadsAtOnce-1 {
		t.Errorf("%d parts are kept", n)
	}
	d.Clock.Advance(applicant.UploadLife)
	_, err = d.Uploads.Upload(t.Context(), p.ID, all[2])
	sessiontest.WantProblem(t, err, problem.NotFound)
	if err := d.Uploads.DropExpired(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := d.Store.Pictures().Names(p.ID); len(left) > 0 {
		t.Errorf("%v are kept", left)
	}
	_, err = d.Uploads.StartUpload(t.Context(), d.Ended(t, session.Spec{}).ID)
	sessiontest.WantProblem(t, err, problem.SessionFinished)
}
