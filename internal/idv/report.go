package idv

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Report is every settled check and claim of a session, frozen.
type Report struct {
	ID       ReportID          `json:"id,omitempty"`
	Session  SessionID         `json:"session,omitempty"`
	Workflow WorkflowVersionID `json:"workflow,omitempty"`
	Document DocumentSummary   `json:"document"`
	Checks   []Check           `json:"checks"`
	Claims   []Claim           `json:"claims"`
	Captures []ReportedCapture `json:"captures,omitempty"` // what it rests on, in the order of arrival; absent from older reports
	Notices  []string          `json:"notices"`            // what was not checked, by code
	MadeAt   time.Time         `json:"made_at"`
	Digest   Digest            `json:"digest"`
}

// ReportedCapture is a capture that a report rests on, and where it came from.
type ReportedCapture struct {
	Step   Step        `json:"step"`
	Side   Side        `json:"side,omitempty"`
	Kind   CaptureKind `json:"kind"`
	Source Source      `json:"source"` // empty if the client did not say
}

// SourceOf returns the source of the captures of the given kinds: file if at least one came from a file, camera if all came from the
// camera, and unknown otherwise.
func (r Report) SourceOf(kinds ...CaptureKind) Source {
	out, any := SourceCamera, false
	for _, c := range r.Captures {
		if !slices.Contains(kinds, c.Kind) {
			continue
		}
		any = true
		switch c.Source {
		case SourceFile:
			return SourceFile
		case SourceCamera:
		case SourceUnknown:
			out = SourceUnknown
		}
	}
	if !any {
		return SourceUnknown
	}
	return out
}

// DocumentSummary describes the document that was shown.
type DocumentSummary struct {
	Kind   DocumentKind  `json:"kind"`
	Issuer string        `json:"issuer"`
	MRZ    *MRZ          `json:"mrz"`
	Said   *SaidDocument `json:"said,omitempty"` // nil if the applicant chose nothing
}

// SaidDocument is the document that the applicant said they would show. It decides nothing: the reading counts.
type SaidDocument struct {
	Kind    DocumentKind `json:"kind"`
	Country string       `json:"country"` // ICAO 9303-3; empty if they did not say
}

// NotAsSaid is the notice of a report whose document is of another kind or issuer than the applicant said.
const NotAsSaid = "document_not_as_said"

// Freeze sets the report's digest over its content. Changing anything afterwards breaks Intact.
func (r *Report) Freeze() error {
	d, err := r.sum()
	if err != nil {
		return err
	}
	r.Digest = d
	return nil
}

// Intact reports whether the content is unchanged since it was frozen.
func (r Report) Intact() bool {
	d, err := r.sum()
	return err == nil && d == r.Digest
}

func (r Report) sum() (Digest, error) {
	r.Digest = ""
	raw, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("digest a report: %w", err)
	}
	h := sha256.Sum256(raw)
	return Digest(hex.EncodeToString(h[:])), nil
}

// Check returns the check of a kind.
func (r Report) Check(k CheckKind) (Check, bool) {
	for _, c := range r.Checks {
		if c.Kind == k && c.Lifecycle != CheckSuperseded {
			return c, true
		}
	}
	return Check{}, false
}

// DecisionOutcome is the outcome of a decision.
type DecisionOutcome string

// The outcomes of a decision. Reopen asks the applicant for a step again and is not stored as a decision.
const (
	DecideApprove DecisionOutcome = "approved"
	DecideDecline DecisionOutcome = "declined"
	DecideRefer   DecisionOutcome = "referred"
	DecideReopen  DecisionOutcome = "reopened"
)

// Verdict is a policy's answer to a report.
type Verdict struct {
	Outcome DecisionOutcome `json:"outcome"`
	Reasons []Reason        `json:"reasons"` // those that decided, gravest first
	Redo    []Step          `json:"redo"`    // with Reopen: the steps to do again, in order
	Rule    string          `json:"rule"`    // which row of the policy decided
}

// Decision is a verdict that was taken, by a policy or a person. Rows are only ever added; the newest counts.
type Decision struct {
	ID        DecisionID
	Session   SessionID
	Outcome   DecisionOutcome
	Reasons   []Reason
	Rule      string
	By        string // "policy", or a user's id
	Note      string
	Report    ReportID
	Digest    Digest    // of the report
	Assurance Assurance // of the evidence in the report; zero for decisions from before levels existed
	DecidedAt time.Time
}
