package demo

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// batch is how many sessions commit together.
const batch = 500

// write makes the sessions of stories without their evidence, many in one transaction.
func write(ctx context.Context, st session.Store, clock *Clock, stories []story, o Options) error {
	w := writer{staff: o.Staff, clock: clock, now: clock.Now(), flows: map[string]idv.WorkflowVersion{}}
	list, err := st.Workflows(ctx, idv.Test)
	if err != nil {
		return err
	}
	for _, flow := range list {
		w.flows[flow.Name] = flow
	}
	done := 0
	for part := range slices.Chunk(stories, batch) {
		err := st.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
			for i := range part {
				if err := w.session(ctx, tx, &part[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		done += len(part)
		o.Progress(done, len(stories))
	}
	return nil
}

type writer struct {
	staff []review.Reviewer
	clock *Clock
	now   time.Time
	flows map[string]idv.WorkflowVersion
}

// session writes one session as it stands now.
func (w writer) session(ctx context.Context, tx session.Tx, s *story) error {
	rec, verdict, err := w.record(s)
	if err != nil {
		return err
	}
	w.clock.Set(rec.CreatedAt)
	if err := tx.AddSession(ctx, rec); err != nil {
		return err
	}
	if err := w.notify(ctx, tx, rec.ID, session.EventCreated, rec.CreatedAt, map[string]any{"mode": rec.Mode, "workflow": rec.Workflow}); err != nil {
		return err
	}
	if typ, ended := endEvents[rec.State]; ended {
		if err := w.notify(ctx, tx, rec.ID, typ, rec.SubmittedAt, map[string]any{"outcome": rec.Outcome, "reasons": reasonCodes(verdict.Reasons)}); err != nil {
			return err
		}
	}
	w.clock.Set(rec.TouchedAt)
	if err := tx.Audit(ctx, audit.Record{Action: string(session.EventCreated), Session: rec.ID}); err != nil || verdict.Outcome == "" {
		return err
	}
	return w.verdict(ctx, tx, rec, s, verdict)
}

var endEvents = map[idv.SessionState]session.EventType{
	idv.Approved: session.EventApproved, idv.Declined: session.EventDeclined, idv.InReview: session.EventReferred,
}

func reasonCodes(reasons []idv.Reason) []string {
	out := []string{}
	for _, r := range reasons {
		out = append(out, r.Code)
	}
	return out
}

// record is the session of a story, and the policy's verdict on it; none where there is no verdict.
func (w writer) record(s *story) (session.Record, idv.Verdict, error) {
	id, err := idv.NewID[idv.SessionID](s.at, rand.Reader)
	if err != nil {
		return session.Record{}, idv.Verdict{}, err
	}
	flow, ok := w.flows[s.workflow]
	if !ok {
		return session.Record{}, idv.Verdict{}, fmt.Errorf("there is no workflow %q", s.workflow)
	}
	link := sha256.Sum256([]byte(rand.Text()))
	rec := session.Record{
		Session: idv.Session{
			ID: id, Mode: idv.Test, Workflow: flow.ID, ExternalReference: s.reference, Metadata: s.metadata, Claimed: s.facts(), State: idv.Created,
			Redo: []idv.Step{}, Attempts: map[idv.Step]int{}, Locale: s.locale, CreatedAt: micro(s.at), LinkExpiresAt: micro(s.at.Add(flow.LinkLife)),
		},
		LinkHash: hex.EncodeToString(link[:]), TouchedAt: w.now,
	}
	opened := micro(s.at.Add(time.Duration(s.pace * float64(9*time.Minute))))
	if s.ending == cancelled {
		rec.State = idv.Cancelled
		return rec, idv.Verdict{}, nil
	}
	if s.ending == unopened || opened.After(w.now) {
		if rec.LinkExpiresAt.Before(w.now) {
			rec.State = idv.Expired
		}
		return rec, idv.Verdict{}, nil
	}
	rec.State, rec.LinkUsed, rec.OpenedAt, rec.ExpiresAt = idv.Capturing, true, opened, opened.Add(flow.SessionLife)
	rec.Device, rec.Due = s.device, idv.StepConsent
	verdict := w.passThrough(&rec, s)
	return rec, verdict, nil
}

// passThrough takes an opened session as far as its story goes.
func (w writer) passThrough(rec *session.Record, s *story) idv.Verdict {
	submitted := micro(rec.OpenedAt.Add(time.Duration(s.pace * float64(2*time.Minute))))
	switch {
	case s.ending == refuses:
		rec.State, rec.LastProblem = idv.Cancelled, &idv.StepProblem{Code: problem.ConsentDeclined.Code, Step: idv.StepConsent}
		return idv.Verdict{}
	case s.ending == leaves || submitted.After(w.now):
		rec.Due = s.step
		if s.step != idv.StepConsent {
			rec.Consented = true
		}
		if rec.Consented && s.step != idv.StepChoose {
			rec.DocumentKind, rec.Attempts = s.kind, map[idv.Step]int{idv.StepDocumentFront: 1}
		}
		if rec.ExpiresAt.Before(w.now) {
			rec.State = idv.Expired
		}
		return idv.Verdict{}
	}
	rec.Consented, rec.DocumentKind, rec.SubmittedAt = true, s.kind, submitted
	rec.FaceModel, rec.Due, rec.Automatic = producer+" 1", "", s.ending != referred
	rec.Source = s.source()
	rec.Attempts = map[idv.Step]int{idv.StepDocumentFront: 1 + s.blurred, idv.StepSelfie: 1}
	verdict := idv.Verdict{Outcome: idv.DecideApprove, Reasons: []idv.Reason{}, Rule: "demo data"}
	decided := submitted.Add(3 * time.Second)
	if s.ending == fails {
		verdict.Outcome, verdict.Reasons = idv.DecideDecline, []idv.Reason{{Code: s.code}}
	}
	if s.ending == referred {
		verdict.Outcome, verdict.Reasons = idv.DecideRefer, []idv.Reason{{Code: s.code}}
		decided = micro(submitted.Add(s.thinks))
	}
	rec.Outcome = verdict.Outcome
	switch {
	case s.ending == referred && (s.ruling == waits || s.ruling == notes || decided.After(w.now)):
		rec.State = idv.InReview
		return verdict
	case s.ending == referred && s.ruling == declines:
		rec.Outcome = idv.DecideDecline
	case s.ending == referred:
		rec.Outcome = idv.DecideApprove
	}
	rec.State, rec.DecidedAt = idv.Approved, decided
	if rec.Outcome == idv.DecideDecline {
		rec.State = idv.Declined
	}
	return verdict
}

// verdict writes the report, the decisions, what outlives them, and the case.
func (w writer) verdict(ctx context.Context, tx session.Tx, rec session.Record, s *story, v idv.Verdict) error {
	at := rec.SubmittedAt.Add(3 * time.Second)
	rid, err := idv.NewID[idv.ReportID](at, rand.Reader)
	if err != nil {
		return err
	}
	report := idv.Report{
		ID: rid, Session: rec.ID, Workflow: rec.Workflow, Document: idv.DocumentSummary{Kind: s.kind, Issuer: s.country},
		Checks: []idv.Check{}, Claims: []idv.Claim{}, Notices: []string{}, MadeAt: at,
	}
	if err := report.Freeze(); err != nil {
		return err
	}
	if err := tx.AddReport(ctx, report); err != nil {
		return err
	}
	d := idv.Decision{
		Session: rec.ID, Outcome: v.Outcome, Reasons: v.Reasons, Rule: v.Rule, By: session.ByPolicy, Report: rid, Digest: report.Digest, DecidedAt: at,
	}
	if err := w.decide(ctx, tx, rec, s, d); err != nil || v.Outcome != idv.DecideRefer {
		return err
	}
	if rec.State == idv.InReview {
		return w.openCase(ctx, tx, rec, d)
	}
	d.Outcome, d.By, d.Rule, d.DecidedAt = rec.Outcome, string(w.staff[s.number%len(w.staff)].ID), "person", rec.DecidedAt
	if d.Outcome == idv.DecideApprove {
		d.Reasons = []idv.Reason{}
	}
	return w.decide(ctx, tx, rec, s, d)
}

func (w writer) decide(ctx context.Context, tx session.Tx, rec session.Record, s *story, d idv.Decision) error {
	var err error
	if d.ID, err = idv.NewID[idv.DecisionID](d.DecidedAt, rand.Reader); err != nil {
		return err
	}
	facts := s.evidence(w.flows[s.workflow], rec, d.DecidedAt)
	d.Assurance = policy.AssuranceOf(facts)
	if err := tx.AddDecision(ctx, d); err != nil {
		return err
	}
	kept := session.Facts{
		Session: rec.ID, Decision: d.ID, Mode: rec.Mode, Workflow: rec.Workflow, Outcome: d.Outcome, AgeBand: "25-34", Country: s.country,
		Kind: s.kind, Reasons: reasonCodes(d.Reasons), Scores: map[idv.CheckKind]float64{idv.CheckFaceMatch: s.likeness}, At: d.DecidedAt,
	}
	if d.By == session.ByPolicy {
		kept.Evidence = &facts
	}
	return tx.AddFacts(ctx, kept)
}

// source is where the pictures came from: on a computer mostly from files.
func (s *story) source() idv.Source {
	if s.device == idv.ComputerDevice && s.number%4 > 0 {
		return idv.SourceFile
	}
	return idv.SourceCamera
}

// evidence is what the policy decided on, as the story tells it.
func (s *story) evidence(w idv.WorkflowVersion, rec session.Record, at time.Time) policy.Facts {
	out := policy.Facts{
		Version: policy.FactsVersion, At: at, Mode: rec.Mode, Country: s.country, Kind: s.kind, AgeBand: "25-34", Confirmed: idv.ByCheckDigits,
		Document: s.source(), Selfie: idv.SourceCamera,
		Attempts: policy.Attempts{Steps: rec.Attempts, Total: 1},
	}
	in := &scene{story: *s, fronts: 2}
	for _, k := range w.Required {
		c := idv.Check{Kind: k, Lifecycle: idv.CheckSettled}
		f := idv.Passed()
		switch {
		case k == idv.CheckFaceMatch:
			f = in.match()
		case k == asked[s.code]:
			f = in.found()
		case k == idv.CheckSidesBelong && !s.kind.HasBack(), k == idv.CheckAgeLimit, k == idv.CheckClaimsMatch && len(s.facts()) == 0:
			c.Lifecycle = idv.CheckSkipped
		case k == idv.CheckPortraitOriginal && s.code == problem.CheckNotRun.Code:
			c.Lifecycle = idv.CheckBroken
		}
		c.Finding = &f
		out.Checks = append(out.Checks, policy.FactOf(c))
	}
	return out
}

func (w writer) openCase(ctx context.Context, tx session.Tx, rec session.Record, d idv.Decision) error {
	id, err := idv.NewID[idv.CaseID](d.DecidedAt, rand.Reader)
	if err != nil {
		return err
	}
	return tx.AddCase(ctx, idv.Case{
		ID: id, Session: rec.ID, Mode: rec.Mode, Workflow: rec.Workflow, State: idv.CaseOpen, Reasons: reasonCodes(d.Reasons), Report: d.Digest,
		OpenedAt: d.DecidedAt, DueAt: d.DecidedAt.Add(session.DefaultCaseTarget),
	})
}

// notify writes an event.
func (w writer) notify(ctx context.Context, tx session.Tx, id idv.SessionID, typ session.EventType, at time.Time, payload map[string]any) error {
	eid, err := idv.NewID[idv.EventID](at, rand.Reader)
	if err != nil {
		return err
	}
	return tx.AddEvent(ctx, session.Event{ID: eid, Session: id, Type: typ, At: at, Actor: string(audit.System), Payload: payload})
}

func micro(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
