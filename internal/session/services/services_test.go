package services_test

import (
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func TestExpiringEndsEverythingThatRanOutOfTime(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	_, c := d.Referred(t, session.Spec{})
	if _, err := d.Queue.Claim(t.Context(), c.ID, review.Reviewer{ID: "usr_1"}); err != nil {
		t.Fatal(err)
	}
	p := d.Start(t, session.Spec{})
	u, err := d.Uploads.StartUpload(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	d.Clock.Advance(max(idv.DefaultSessionLife, applicant.UploadLife, review.DefaultClaimLife))
	if err := d.Handlers().Expire(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v, err := d.Queue.Case(t.Context(), c.ID); err != nil || v.Case.State != idv.CaseOpen {
		t.Errorf("the case is %s, %v", v.Case.State, err)
	}
	if s := d.Session(t, p.ID); s.State != idv.Expired {
		t.Errorf("the session is %s", s.State)
	}
	_, err = d.Store.Upload(t.Context(), u.ID)
	sessiontest.WantProblem(t, err, problem.NotFound)
}

func TestSweepingGoesOnWithWhatIsStuck(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.Store.Forget()
	d.Clock.Advance(time.Minute)
	if err := d.Handlers().Sweep(t.Context(), job.Sweep{}); err != nil {
		t.Fatal(err)
	}
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Approved {
		t.Errorf("it is %s", s.State)
	}
}

func TestAJobOfASessionThatWasErasedMeanwhileSucceeds(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p := d.Start(t, session.Spec{})
	p.SendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	waiting := d.Store.Jobs()
	if _, err := d.Erasures.Erase(t.Context(), "", p.ID); err != nil {
		t.Fatal(err)
	}
	h := d.Handlers()
	for _, j := range append(waiting, sessiontest.Job{Args: job.Check{Session: p.ID}}, sessiontest.Job{Args: job.Erase{Session: p.ID}}) {
		var err error
		switch a := j.Args.(type) {
		case job.Extract:
			err = h.Extract(t.Context(), a)
		case job.Check:
			err = h.Check(t.Context(), a)
		case job.Erase:
			err = h.Erase(t.Context(), a)
		}
		if err != nil {
			t.Errorf("%s: %v", j.Args.Kind(), err)
		}
	}
	if err := h.Retain(t.Context()); err != nil {
		t.Error(err)
	}
	sessiontest.WantProblem(t, h.Check(t.Context(), job.Check{Session: "ses_none"}), problem.NotFound)
}
