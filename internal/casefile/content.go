// Package casefile is the file of one case, for a reader who has to judge a decision later without the deployment: facts, checks,
// models with their digests and error rates, decisions and who took them, consents, what happened when, on request the
// pictures; and proofs by which all of it can be checked offline.
//
// A file is a ZIP archive. Every part is named with its SHA-256 in manifest.json. The digest of the manifest is the subject of
// an audit entry, made before the file is handed out, and proof.json proves that entry, and every other of the session, under
// one signed checkpoint of the log. A reader who trusts the log's key needs nothing else. See Verify.
package casefile

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/verified"
)

// The formats within a file.
const (
	Format         = "bonafide-case-1"
	ManifestFormat = "bonafide-case-manifest-1"
	ProofFormat    = "bonafide-case-proof-1"
)

// Action is the audited action of making a file.
const Action = "session.filed"

// Content is case.json. Lists are in the order of time.
type Content struct {
	Format    string            `json:"format"`
	MadeAt    time.Time         `json:"made_at"`
	MadeBy    string            `json:"made_by"` // name and id of the member
	Session   Session           `json:"session"`
	Report    *idv.Report       `json:"report"`   // the newest; null before a verdict, and once the session was erased
	Verified  *verified.Outputs `json:"verified"` // each fact once, by that report and what reviewers corrected; null without a report
	Decisions []Decision        `json:"decisions"`
	Reviews   []Review          `json:"reviews"`
	Hits      []Hit             `json:"hits,omitempty"`  // with the reviews: entries of watchlists about which a reviewer decided
	Links     []Link            `json:"links,omitempty"` // with the reviews: other sessions about which a reviewer decided
	Consents  []Consent         `json:"consents"`
	Models    []idv.ModelRef    `json:"models"` // every one that a check rests on
	Timeline  []Event           `json:"timeline"`
	Erasings  []Erasing         `json:"erasings"`
	Pictures  []Picture         `json:"pictures"`          // empty unless they were asked for
	Chips     []Chip            `json:"chips,omitempty"`   // with the pictures, where one was sent
	Wallets   []Wallet          `json:"wallets,omitempty"` // with the pictures, if a wallet presented a credential
}

// Session is what the file is about. Of an erased one nothing personal is left.
type Session struct {
	ID                idv.SessionID            `json:"id"`
	Mode              idv.Mode                 `json:"mode"`
	Workflow          Workflow                 `json:"workflow"`
	State             idv.SessionState         `json:"state"`
	ExternalReference string                   `json:"external_reference"`
	Metadata          map[string]string        `json:"metadata"`
	Claimed           map[idv.ClaimName]string `json:"claimed"`
	DocumentKind      idv.DocumentKind         `json:"document_kind"`
	Persona           string                   `json:"persona"` // test persona that settled it; empty for none
	CreatedAt         time.Time                `json:"created_at"`
	CreatedBy         string                   `json:"created_by"`
	ErasedAt          *time.Time               `json:"erased_at"`
}

// Workflow says by which rules it was decided.
type Workflow struct {
	ID     idv.WorkflowVersionID `json:"id"`
	Name   string                `json:"name"`
	Number int                   `json:"number"`
}

// Decision is a verdict that was taken.
type Decision struct {
	ID           idv.DecisionID      `json:"id"`
	Outcome      idv.DecisionOutcome `json:"outcome"`
	Reasons      []idv.Reason        `json:"reasons"`
	Rule         string              `json:"rule"`
	By           string              `json:"by"` // policy, or a member
	Note         string              `json:"note"`
	ReportDigest idv.Digest          `json:"report_digest"`
	DecidedAt    time.Time           `json:"decided_at"`
	Assurance    idv.Assurance       `json:"assurance,omitzero"` // absent from decisions that are older than levels
}

// Review is what one person said about the case.
type Review struct {
	By      string         `json:"by"`
	Kind    idv.ReviewKind `json:"kind"`
	Reasons []string       `json:"reasons"`
	Step    idv.Step       `json:"step,omitempty"`
	Note    string         `json:"note"`
	At      time.Time      `json:"at"`

	Correction *idv.Correction `json:"correction,omitempty"` // with corrected
}

// Link is another session that has something in common with this one, and what reviewers said of it: whether it is of the same person.
type Link struct {
	Session  idv.SessionID  `json:"session"`
	Signs    []idv.SeenSign `json:"signs"` // that the reviewer saw
	Decision string         `json:"decision"`
	Reason   string         `json:"reason,omitempty"` // of not_the_same
	Note     string         `json:"note,omitempty"`
	By       string         `json:"by"`
	At       time.Time      `json:"at"`
	SecondBy string         `json:"second_by,omitempty"`
	SecondAt *time.Time     `json:"second_at,omitempty"`
	Said     []Opinion      `json:"said,omitempty"` // by each reviewer, oldest first
}

// Hit is an entry of a watchlist that may be the person, and what reviewers said of it.
type Hit struct {
	ID       idv.HitID          `json:"id"`
	List     string             `json:"list"`
	Version  idv.Digest         `json:"version"` // SHA-256 of the list's file
	Entry    string             `json:"entry"`
	Listed   string             `json:"listed"` // the name on the list that was nearest
	Topic    idv.ScreeningTopic `json:"topic"`
	Decision string             `json:"decision"`
	Until    *time.Time         `json:"valid_until,omitempty"`
	Said     []Opinion          `json:"said"` // by each reviewer, oldest first
}

// Opinion is what one reviewer said of a hit, or of another session.
type Opinion struct {
	By       string    `json:"by"`
	At       time.Time `json:"at"`
	Decision string    `json:"decision"`
	Reason   string    `json:"reason,omitempty"`
	Note     string    `json:"note,omitempty"`
}

// Consent is an answer to the consent page.
type Consent struct {
	Given       bool      `json:"given"`
	About       string    `json:"about,omitempty"` // biometrics, document or gallery; empty in records of before there was a choice
	TextVersion string    `json:"text_version"`
	Locale      string    `json:"locale"`
	At          time.Time `json:"at"`
}

// Event is a line of the timeline.
type Event struct {
	Type string    `json:"type"`
	At   time.Time `json:"at"`
	By   string    `json:"by"` // kind of the actor
}

// Erasing is what was erased when. Its statement is what the audit log names.
type Erasing struct {
	Scope     string    `json:"scope"`
	ErasedAt  time.Time `json:"erased_at"`
	Statement string    `json:"statement"`
}

// Picture is a file of the archive: a picture as it was sent, without what the camera wrote beside its pixels. What was sent as a
// picture and could not be opened is named, and not in the archive: nobody can tell what of it would be pixels.
type Picture struct {
	File     string     `json:"file"` // empty for one that could not be opened
	Step     idv.Step   `json:"step"`
	Kind     string     `json:"kind"`
	SHA256   idv.Digest `json:"sha256"`      // of the file; empty for one that could not be opened
	Sent     idv.Digest `json:"sent_sha256"` // of what was sent
	Bared    bool       `json:"bared"`       // something stood beside the pixels, so that the two digests differ
	Unopened bool       `json:"unopened"`    // it could not be opened
	At       time.Time  `json:"at"`
}

// ModelsOf lists the models of a report's checks, each once, in the order of the checks.
func ModelsOf(r *idv.Report) []idv.ModelRef {
	out := []idv.ModelRef{}
	if r == nil {
		return out
	}
	seen := map[idv.ModelRef]bool{}
	for _, c := range r.Checks {
		if c.Finding == nil {
			continue
		}
		for _, m := range c.Finding.Models {
			if !seen[m] {
				seen[m] = true
				out = append(out, m)
			}
		}
	}
	return out
}
