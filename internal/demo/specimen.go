package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// Specimen is a session with pictures that were made for it. The person in them does not exist.
type Specimen struct {
	Kind        idv.DocumentKind
	Front, Back []byte // JPEG; Back is nil where the kind has none
	Selfie      []byte
	Claimed     map[idv.ClaimName]string
}

// playSpecimens plays real pictures through the real engine. Whatever it finds is what is there.
func (p *players) playSpecimens(ctx context.Context, specimens []Specimen, before int) error {
	if p.options.Engine == nil || len(specimens) == 0 {
		return nil
	}
	scripted := p.sessions
	defer func() { p.sessions = scripted }()
	p.with(p.options.Engine)
	for i, s := range specimens {
		p.clock.Set(p.clock.now.Add(-time.Duration(10+13*(len(specimens)-i)) * time.Minute))
		if err := p.specimen(ctx, s, i); err != nil && !errors.Is(err, errNow) {
			return fmt.Errorf("specimen %d: %w", i, err)
		}
		p.options.Progress(before+i+1, before+len(specimens))
	}
	return nil
}

func (p *players) specimen(ctx context.Context, s Specimen, n int) error {
	integrator := audit.WithActor(ctx, audit.Actor{Kind: audit.APIKey, ID: p.key, Address: "198.51.100.7"})
	made, err := p.sessions.Sessions.Create(integrator, session.Spec{
		Mode: idv.Test, Workflow: idv.WorkflowNoLiveness, ExternalReference: fmt.Sprintf("demo-specimen-%d", n+1), Claimed: s.Claimed, Locale: "en",
	})
	if err != nil {
		return err
	}
	id := made.Session.ID
	applicant := audit.WithActor(ctx, audit.Actor{Kind: audit.Applicant, ID: string(id), Address: fmt.Sprintf("203.0.113.%d", n+1)})
	if _, err := p.sessions.Applicant.Open(applicant, made.Link); err != nil {
		return err
	}
	p.finished = append(p.finished, id)
	for turn := range 2 * maxTurns {
		t, err := p.sessions.Applicant.Task(applicant, id)
		if err != nil || t.State != idv.TaskStep {
			return err
		}
		if err := p.passed(15 * time.Second); err != nil {
			return err
		}
		if err := p.show(applicant, id, s, t, fmt.Sprintf("try-%d", turn)); err != nil {
			return err
		}
		if err := p.work(applicant, id); err != nil {
			return err
		}
	}
	return nil
}

// show sends what a step asks for.
func (p *players) show(ctx context.Context, id idv.SessionID, s Specimen, t idv.Task, attempt string) error {
	var err error
	switch t.Step {
	case idv.StepConsent:
		_, err = p.sessions.Applicant.Consent(ctx, id, session.Consent{Given: true, TextVersion: "demo", Locale: "en", Address: audit.ActorFrom(ctx).Address})
	case idv.StepChoose:
		_, err = p.sessions.Applicant.Choose(ctx, id, applicant.Choice{Kind: s.Kind})
	default:
		bytes := map[idv.Step][]byte{idv.StepDocumentFront: s.Front, idv.StepDocumentBack: s.Back, idv.StepSelfie: s.Selfie}[t.Step]
		_, err = p.sessions.Captures.Submit(ctx, id, applicant.Submission{
			Step: t.Step, Attempt: attempt, MediaType: "image/jpeg", Source: idv.SourceCamera, Bytes: bytes,
		})
	}
	if e, ok := problem.As(err); ok && e.Kind.Severity == problem.Retry {
		return nil
	}
	return err
}
