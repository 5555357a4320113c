package review_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

func correction(c idv.Case, name idv.ClaimName, value string) review.NewCorrection {
	return review.NewCorrection{Basis: ruling(c, "").Basis, Claim: name, Value: value, Note: "It is so on the picture."}
}

func correct(t *testing.T, d *sessiontest.Deployment, c idv.Case, who review.Reviewer, n review.NewCorrection) (review.CaseView, error) {
	t.Helper()
	return d.Rulings.Correct(sessiontest.As(t, who.ID), c.ID, who, n)
}

func TestACorrectionKeepsWhatWasRead(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, c := d.Referred(t, session.Spec{})
	before, decisions, err := d.Sessions.Report(t.Context(), "", p.ID)
	if err != nil {
		t.Fatal(err)
	}
	read := idv.ReadFact(before.Claims, idv.FamilyName)
	for _, step := range []struct {
		name  idv.ClaimName
		value string
	}{{idv.FamilyName, " ERIKSEN "}, {idv.PlaceOfBirth, "ZENITH"}, {idv.Nationality, "d"}, {idv.FamilyName, read}} {
		v, err := correct(t, d, c, rita, correction(c, step.name, step.value))
		if err != nil || v.Case.Version <= c.Version || v.Session.State != idv.InReview {
			t.Fatalf("%s: %+v, %v", step.name, v, err)
		}
		c = v.Case
	}
	var got []idv.Correction
	reviews, err := d.Sessions.Reviews(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reviews {
		if r.By != rita.ID || r.Kind != idv.ReviewCorrected || r.Note == "" || !r.At.Equal(d.Clock.Now()) || r.Report != before.Digest {
			t.Errorf("%+v", r)
		}
		got = append(got, *r.Correction)
	}
	want := []idv.Correction{
		{Name: idv.FamilyName, From: read, To: "ERIKSEN"}, {Name: idv.PlaceOfBirth, To: "ZENITH"}, {Name: idv.Nationality, To: "DEU"},
		{Name: idv.FamilyName, From: "ERIKSEN", To: read},
	}
	if diff := cmp.Diff(want, got); diff != "" || read == "" {
		t.Error("(-want +got):\n" + diff)
	}
	after, later, err := d.Sessions.Report(t.Context(), "", p.ID)
	if diff := cmp.Diff(before, after); err != nil || diff != "" || len(later) != len(decisions) {
		t.Errorf("the report changed, or a rule decided again: %v\n%s", err, diff)
	}
}

func TestACorrectionThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, c := d.Referred(t, session.Spec{})
	with := func(name idv.ClaimName, value, note string) review.NewCorrection {
		n := correction(c, name, value)
		n.Note = note
		return n
	}
	report, _, err := d.Sessions.Report(t.Context(), "", p.ID)
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]review.NewCorrection{
		"/name of no fact":                 with("shoe_size", "44", "x"),
		"/value that is empty":             with(idv.FamilyName, "  ", "x"),
		"/value that is too long":          with(idv.FamilyName, strings.Repeat("x", session.MaxClaim+1), "x"),
		"/value with a control character":  with(idv.FamilyName, "A\x00B", "x"),
		"/value that is as it was read":    with(idv.FamilyName, idv.ReadFact(report.Claims, idv.FamilyName), "x"),
		"/value that is no date":           with(idv.DateOfBirth, "12.08.1974", "x"),
		"/value that is no day":            with(idv.DateOfIssue, "2023-02-30", "x"),
		"/value that is no state":          with(idv.Nationality, "Germany", "x"),
		"/value that is no sex":            with(idv.Sex, "W", "x"),
		"/note that does not say why":      with(idv.FamilyName, "ERIKSEN", " "),
		"/note that is longer than others": with(idv.FamilyName, "ERIKSEN", strings.Repeat("x", review.MaxNote+1)),
	} {
		field, _, _ := strings.Cut(name, " ")
		_, err := correct(t, d, c, rita, n)
		if got, ok := problem.As(err); !ok || got.Kind.Code != problem.RequestMalformed.Code || got.Field != field {
			t.Errorf("%s: %v", name, err)
		}
	}
	if reviews, err := d.Queue.Reviews(t.Context(), p.ID); err != nil || len(reviews) > 0 {
		t.Errorf("%+v, %v", reviews, err)
	}
}

func TestACorrectionIsOfTheCaseThatWasLookedAtAndWhileItIsInReview(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	_, c := d.Referred(t, session.Spec{})
	v, err := correct(t, d, c, rita, correction(c, idv.Sex, "f"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = correct(t, d, c, rolf, correction(c, idv.Sex, "M"))
	sessiontest.WantProblem(t, err, problem.CaseConflict) // somebody corrected it before
	_, err = decide(t, d, c, rolf, ruling(c, idv.DecideApprove))
	sessiontest.WantProblem(t, err, problem.CaseConflict) // … and nobody approves what they did not see
	if _, err := d.Queue.Claim(sessiontest.As(t, rita.ID), c.ID, rita); err != nil {
		t.Fatal(err)
	}
	_, err = correct(t, d, v.Case, rolf, correction(v.Case, idv.Sex, "M"))
	sessiontest.WantProblem(t, err, problem.CaseConflict) // another reviewer holds it
	if _, err = decide(t, d, v.Case, rita, ruling(v.Case, idv.DecideApprove)); err != nil {
		t.Fatal(err)
	}
	_, err = correct(t, d, v.Case, rita, correction(v.Case, idv.Sex, "M"))
	sessiontest.WantProblem(t, err, problem.CaseConflict) // it is decided
}

func TestTwoPersonsApproveTheSameFacts(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	two := d.Workflow("two persons", func(w *idv.WorkflowVersion) { w.TwoPersons, w.NotByCreator = true, true })
	made, err := d.Sessions.Create(sessiontest.As(t, rita.ID), session.Spec{Mode: idv.Test, Workflow: two})
	if err != nil {
		t.Fatal(err)
	}
	p := d.Open(t, made)
	p.Agree(t, idv.Passport)
	c := d.Refer(t, p)
	_, err = correct(t, d, c, rita, correction(c, idv.Sex, "F"))
	sessiontest.WantProblem(t, err, problem.AuthForbidden) // she made the session
	first, err := decide(t, d, c, rolf, ruling(c, idv.DecideApprove))
	if err != nil {
		t.Fatal(err)
	}
	_, err = correct(t, d, first.Case, rolf, correction(first.Case, idv.Sex, "F"))
	sessiontest.WantProblem(t, err, problem.AuthForbidden) // he approved it
	changed, err := correct(t, d, first.Case, senta, correction(first.Case, idv.Sex, "F"))
	if err != nil || changed.Case.ApprovedBy != "" {
		t.Fatalf("%+v, %v", changed.Case, err)
	}
	one, err := decide(t, d, changed.Case, senta, ruling(changed.Case, idv.DecideApprove))
	if err != nil || one.Session.State != idv.InReview {
		t.Fatalf("who corrected it approved it alone: %+v, %v", one.Session.State, err)
	}
}
