package session

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/persona"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// personaFor names the persona that a test session asks for; none in live mode, where such a number is a number. Problems:
// request.malformed where there is no such persona.
func personaFor(n Spec) (string, error) {
	if n.Mode != idv.Test {
		return "", nil
	}
	p, asked := persona.Of(n.Claimed)
	if asked && p.Name == "" {
		return "", Malformed("/claimed/document_number", "there is no test persona of that name; the list is at /docs/guides/test-mode")
	}
	return p.Name, nil
}

// PersonaWithAnotherDocument settles the session that follows that of any persona: with another document all is well.
const PersonaWithAnotherDocument = "approved"

// PersonaOf answers the persona that settles a session.
func PersonaOf(rec Record) (persona.Persona, bool) {
	if rec.Mode != idv.Test || rec.Persona == "" {
		return persona.Persona{}, false
	}
	return persona.Named(rec.Persona)
}

// claimedOf is what is compared with the document. A number that names a persona is no number.
func claimedOf(rec Record) map[idv.ClaimName]string {
	if _, ok := PersonaOf(rec); !ok {
		return rec.Claimed
	}
	out := maps.Clone(rec.Claimed)
	delete(out, idv.DocumentNumber)
	return out
}

// EngineFor returns what looks at a session's captures and answers its checks: the engine, or the session's persona.
func (l *Lifecycle) EngineFor(rec Record) Engine {
	p, ok := PersonaOf(rec)
	if !ok {
		return l.engine
	}
	return played{Engine: l.engine, persona: p, rec: rec, now: l.Now}
}

// played is the engine with a persona in front of it: which checks there are, and what they need, stays the engine's.
type played struct {
	Engine
	persona persona.Persona
	rec     Record
	now     func() time.Time
}

// Glance implements Engine.
func (e played) Glance(_ context.Context, c idv.Capture) error {
	if k, refused := e.persona.Refuses(c.Step, e.rec.LastProblem); refused {
		return problem.New(k)
	}
	return nil
}

// Extract implements Engine.
func (e played) Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error) {
	if c.Kind == idv.WalletData || c.Kind == idv.ChipFiles {
		return e.Engine.Extract(ctx, c) // the test wallet's credentials and the test chip's files are real ones, of somebody whom test mode trusts
	}
	return e.persona.Found(c, e.Yields(c.Kind), e.rec.DocumentKind, e.rec.Claimed, e.now())
}

// Ask implements Engine.
func (e played) Ask(ctx context.Context, k idv.CheckKind, ev idv.Evidence) (idv.Finding, error) {
	if slices.Contains(idv.WalletChecks(), k) || e.persona.Chip != "" && k.AboutChip() {
		return e.Engine.Ask(ctx, k, ev)
	}
	f, ran := e.persona.Finds(k, e.rec.Attempts)
	if !ran {
		return idv.Finding{}, fmt.Errorf("check %s: the persona %s says so: %w", k, e.persona.Name, flow.ErrNeverRuns)
	}
	return f, nil
}
