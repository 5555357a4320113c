package idv

import (
	"context"
	"time"
)

// Gate takes a quick look at a capture before it is accepted, in well under 300 ms. A capture that cannot
// be used is refused with a *problem.Error of severity retry; any other error means that it could not be
// examined, and the capture is accepted for the full extraction to judge.
type Gate interface {
	Reads() []CaptureKind
	Glance(ctx context.Context, c Capture) error
}

// Extractor finds what is in one capture. Only it touches pixels, and only once, so that checks share the work.
// Each artifact kind that it could yield comes back present or absent, with the reason.
type Extractor interface {
	Reads() []CaptureKind
	Yields() []ArtifactKind
	Extract(ctx context.Context, c Capture) (Extraction, error)
}

// Extraction is everything found in one capture.
type Extraction struct {
	Artifacts []Artifact
	Claims    []Claim
	Timings   map[string]time.Duration // per stage
}

// Checker answers one question about a session from its evidence. A Finding is an answer, even when the
// answer is no; an error means that the question could not be asked.
type Checker interface {
	Kind() CheckKind
	Needs() []ArtifactKind // ready as soon as each of these is settled, present or absent
	Check(ctx context.Context, ev Evidence) (Finding, error)
}

// Heeder is a checker that also takes into account what need not be there. It is asked again when that comes.
type Heeder interface {
	Heeds() []ArtifactKind
}

// Evidence is what a checker may look at. The claims include those of the integrator (source claimed).
type Evidence struct {
	Mode      Mode
	Workflow  WorkflowVersion
	Now       time.Time
	Chosen    DocumentKind // what the applicant said they would show
	Country   string       // the issuing state according to them; empty if they did not say
	Captures  []Capture    // those in which the artifacts were found, without their bytes
	Artifacts []Artifact   // settled; the newest of each kind and side
	Claims    []Claim
	Seen      *Seen // what is known beyond the session; nil where nobody gathered it
}

// Artifact returns the settled artifact of a kind, from the given side first, then from any side that has it.
func (e Evidence) Artifact(k ArtifactKind, side Side) (Artifact, bool) {
	for _, a := range e.Artifacts {
		if a.Kind == k && a.Side == side {
			return a, true
		}
	}
	return Artifact{}, false
}

// Best returns the artifact of a kind from any side: a present one before an absent one, front before back.
func (e Evidence) Best(k ArtifactKind) (Artifact, bool) {
	var absent *Artifact
	for _, side := range []Side{Front, NoSide, Back} {
		a, ok := e.Artifact(k, side)
		if ok && a.Present {
			return a, true
		}
		if ok && absent == nil {
			absent = &a
		}
	}
	if absent != nil {
		return *absent, true
	}
	return Artifact{}, false
}

// Chip returns what was found about the chip of the document; false where none was sent, or nobody could look at it.
func (e Evidence) Chip() (Chip, bool, error) {
	a, ok := e.Artifact(ArtifactChip, NoSide)
	if !ok || !a.Present {
		return Chip{}, false, nil
	}
	c, err := ValueOf[Chip](a)
	return c, err == nil, err
}

// Wallet returns what was found about the answer of a wallet; false if none came, or nobody could look at it.
func (e Evidence) Wallet() (Wallet, bool, error) {
	a, ok := e.Artifact(ArtifactWallet, NoSide)
	if !ok || !a.Present {
		return Wallet{}, false, nil
	}
	w, err := ValueOf[Wallet](a)
	return w, err == nil, err
}

// KindOf returns the kind of the capture in which an artifact was found; empty if it is not known.
func (e Evidence) KindOf(a Artifact) CaptureKind {
	for _, c := range e.Captures {
		if c.ID == a.Capture {
			return c.Kind
		}
	}
	return ""
}

// ShownKind returns the kind of document that the page was read as; empty if it is not known, or not the one that the applicant chose. What an
// applicant says alone is no kind: a workflow may treat other kinds more kindly.
func (e Evidence) ShownKind() DocumentKind {
	a, ok := e.Best(ArtifactPage)
	if !ok || !a.Present {
		return ""
	}
	page, err := ValueOf[Page](a)
	if err != nil || page.Kind == UnknownKind || e.Chosen != "" && e.Chosen != page.Kind {
		return ""
	}
	return page.Kind
}

// ClaimsOf returns the claims about one fact.
func (e Evidence) ClaimsOf(name ClaimName) []Claim {
	var out []Claim
	for _, c := range e.Claims {
		if c.Name == name {
			out = append(out, c)
		}
	}
	return out
}
