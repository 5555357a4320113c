package wire

import (
	"maps"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/persona"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/verified"
)

// Session is one person's verification, as integrators and the console see it.
type Session struct {
	ID                idv.SessionID            `json:"id" example:"ses_06c1q2m3n4p5r6s7t8v9w0x1y2" doc:"Identifier; sorts by creation time"`
	Mode              idv.Mode                 `json:"mode" doc:"Test sessions never mix with live ones"`
	State             idv.SessionState         `json:"state" doc:"Who acts next"`
	Outcome           *idv.DecisionOutcome     `json:"outcome" doc:"The newest decision's outcome; null before the first"`
	ExternalReference string                   `json:"external_reference" doc:"Your own reference"`
	Metadata          map[string]string        `json:"metadata" doc:"Your own facts; never interpreted. Masked where the rest is, keys too"`
	Claimed           map[idv.ClaimName]string `json:"claimed" doc:"What you stated about the person, compared with the document"`
	Workflow          WorkflowRef              `json:"workflow" doc:"What the session asks for"`
	DocumentKind      *idv.DocumentKind        `json:"document_kind" doc:"What the person chose to show; null before"`
	Country           *string                  `json:"country" example:"UTO" doc:"Issuing state of the document that was decided on (ICAO 9303-3 §5); null before"`
	LastProblem       *idv.StepProblem         `json:"last_problem" doc:"Why a step was asked for again, or why it ended"`
	Locale            string                   `json:"locale" example:"en" doc:"BCP 47 language of the person's screens; empty where their browser decides"`
	ReturnURL         string                   `json:"return_url" doc:"Where the person goes afterwards; may be empty"`
	Applicant         *Contact                 `json:"applicant" doc:"How the person is reached; null where you did not say"`
	CreatedAt         time.Time                `json:"created_at"`
	LinkExpiresAt     time.Time                `json:"link_expires_at" doc:"The link cannot be opened after this"`
	ExpiresAt         *time.Time               `json:"expires_at" doc:"The session ends unfinished at this time; null until opened"`
	OpenedAt          *time.Time               `json:"opened_at"`
	SubmittedAt       *time.Time               `json:"submitted_at" doc:"Everything was sent; this is not a verdict"`
	DecidedAt         *time.Time               `json:"decided_at"`
	ErasedAt          *time.Time               `json:"erased_at" doc:"The personal data was erased"`
	Persona           string                   `json:"persona,omitempty" doc:"Test persona that settles this session; left out for none, and always in live mode"`
	Keeping           Keeping                  `json:"keeping" doc:"Until when personal data is kept"`
	Follows           *idv.SessionID           `json:"follows" doc:"The declined session after which the person began this one with another document; else null"`
	FollowedBy        *idv.SessionID           `json:"followed_by" doc:"The session that the person began with another document after this one; else null"`
	Verified          *verified.Outputs        `json:"verified"`
	Decisions         []Decision               `json:"decisions,omitempty" doc:"Newest first; left out where nobody asked for them"`
	URL               string                   `json:"url,omitempty" doc:"The link for the person. Shown once, when it is made; only its hash is kept"`
}

// sessionVeil says what auditors with masked access see of a session. A field that it does not name is an error.
var sessionVeil = veil{
	plain: "ID Mode State Outcome Workflow DocumentKind Country LastProblem Locale CreatedAt LinkExpiresAt ExpiresAt OpenedAt SubmittedAt DecidedAt " +
		"ErasedAt Persona Keeping Follows FollowedBy Verified Decisions",
	number: "ExternalReference", pairs: "Metadata", facts: "Claimed", gone: "ReturnURL URL Applicant",
}

// WorkflowRef says which workflow version a session follows.
type WorkflowRef struct {
	ID             idv.WorkflowVersionID `json:"id"`
	Name           string                `json:"name" example:"default"`
	Number         int                   `json:"number" example:"1"`
	LivenessNotice string                `json:"liveness_notice"`
}

// Workflow says what sessions that follow it ask for.
type Workflow struct {
	WorkflowRef
	Liveness  bool               `json:"liveness" doc:"The selfie answers a liveness challenge"`
	Steps     []idv.Step         `json:"steps" doc:"In order"`
	Documents []idv.DocumentKind `json:"documents" doc:"Kinds that are accepted"`
	Countries []string           `json:"countries" doc:"Issuers that are accepted; empty for all"`
	Required  []idv.CheckKind    `json:"required" doc:"Checks that have to pass for approval"`
}

// WorkflowList is every workflow of a mode.
type WorkflowList struct {
	Items []Workflow `json:"items"`
}

// SessionLink is a new link of a session, for the person.
type SessionLink struct {
	URL       string    `json:"url" doc:"Shown once, when it is made; only its hash is kept"`
	ExpiresAt time.Time `json:"expires_at" doc:"The link cannot be opened after this"`
}

// NewSession is what it takes to create a session.
type NewSession struct {
	Mode              idv.Mode                 `json:"mode,omitempty" doc:"Console only: an API key has a mode of its own"`
	Workflow          string                   `json:"workflow,omitempty" maxLength:"64" doc:"Name of a published workflow; the default one if left out"`
	ExternalReference string                   `json:"external_reference,omitempty" maxLength:"200" example:"order-17"`
	Metadata          map[string]string        `json:"metadata,omitempty" doc:"At most 50 keys of 40 characters, values of 500"`
	Claimed           map[idv.ClaimName]string `json:"claimed,omitempty" example:"{\"family_name\":\"Doe\",\"document_number\":\"persona:approved\"}"`
	Locale            string                   `json:"locale,omitempty" maxLength:"35"`
	Applicant         *NewContact              `json:"applicant,omitempty" doc:"How the person is reached"`
	ReturnURL         string                   `json:"return_url,omitempty" maxLength:"2000" doc:"https, or http on this machine in test mode; no credentials"`
}

// SessionPage is one page of sessions.
type SessionPage struct {
	Items []Session `json:"items"`
	Next  string    `json:"next" doc:"Send as after to get the next page; empty at the end"`
	Total *int      `json:"total,omitempty" doc:"How many sessions the filter leaves; left out where nobody asked for it"`
}

// SessionChange is what an integrator changes about a session. What is left out stays as it is.
type SessionChange struct {
	ExternalReference *string            `json:"external_reference,omitempty" maxLength:"200" example:"order-17" doc:"Your own reference; empty for none"`
	Metadata          map[string]*string `json:"metadata,omitempty" doc:"Keys to set; null removes a key, and what is not named stays"`
}

// Decision is a verdict that was taken. Rows are only ever added; the newest counts.
type Decision struct {
	ID           idv.DecisionID      `json:"id"`
	Outcome      idv.DecisionOutcome `json:"outcome"`
	Reasons      []idv.Reason        `json:"reasons" doc:"Those that decided, gravest first"`
	Rule         string              `json:"rule" doc:"Which row of the policy decided"`
	By           string              `json:"by" doc:"policy, or the id of the person who decided"`
	Note         string              `json:"note"`
	Report       idv.ReportID        `json:"report"`
	ReportDigest idv.Digest          `json:"report_digest" doc:"SHA-256 of the report that was decided on"`
	DecidedAt    time.Time           `json:"decided_at"`
	Assurance    *idv.Assurance      `json:"assurance" doc:"Of the evidence in the report; null for decisions that are older than assurance levels"`
}

// ReportAndDecisions is everything that was found and decided.
type ReportAndDecisions struct {
	Report    idv.Report `json:"report"`
	Decisions []Decision `json:"decisions"`

	Corrections []CorrectedFact   `json:"corrections" doc:"By reviewers, oldest first; of each fact the last counts. The report keeps what was read"`
	Verified    *verified.Outputs `json:"verified" doc:"Each fact once, with its sources and the rule that chose it. Null unless the session is approved"`
}

// VerifyResult is the answer of one call with pictures.
type VerifyResult struct {
	Report  idv.Report       `json:"report"`
	Verdict idv.Verdict      `json:"verdict"`
	Timings map[string]int64 `json:"timings_ms" doc:"Milliseconds spent per stage"`
}

// ProblemRow is a row of the catalogue of problems and reasons.
type ProblemRow struct {
	Code     string `json:"code"`
	Status   int    `json:"status" doc:"HTTP status when it is the answer to a request"`
	Severity string `json:"severity" enum:",retry,final,fraud,refer" doc:"What it means for a verdict; empty if it is never a reason"`
	Reader   string `json:"reader" enum:"applicant,operator,integrator" doc:"Who can act"`
	Title    string `json:"title"`
	Remedy   string `json:"remedy"`
	Reviewer string `json:"reviewer"`
}

// Persona is somebody who does not exist: a test session made with its document number needs no camera.
type Persona struct {
	Name           string           `json:"name" example:"approved"`
	DocumentNumber string           `json:"document_number" example:"persona:approved" doc:"What to send as claimed.document_number"`
	What           string           `json:"what" doc:"What it does and what becomes of it"`
	Ends           idv.SessionState `json:"ends" doc:"The state that its session ends in, with the default workflow"`
	Reason         string           `json:"reason" doc:"Code of the reason that is raised; empty for none"`
	Check          string           `json:"check" doc:"The check that raises it; empty where none does"`
}

// PersonaList is every persona.
type PersonaList struct {
	Items []Persona `json:"items" doc:"Those of verdicts first, then one for each reason of the catalogue"`
}

// Catalogue lists every problem and reason.
type Catalogue struct {
	Items []ProblemRow `json:"items"`
}

// PersonaOf returns the wire form of a persona.
func PersonaOf(p persona.Persona) Persona {
	return Persona{Name: p.Name, DocumentNumber: p.Number(), What: p.What, Ends: p.Ends, Reason: p.Reason.Code, Check: string(p.Check)}
}

// SessionsOf returns the wire forms of a page of sessions.
func SessionsOf(views []session.View, next string, err error) ([]Session, string, error) {
	items := make([]Session, len(views))
	for i, v := range views {
		items[i] = SessionOf(v)
	}
	return items, next, err
}

// WorkflowOf returns what sessions that follow a workflow version ask for.
func WorkflowOf(w idv.WorkflowVersion) Workflow {
	return Workflow{
		WorkflowRef: WorkflowRefOf(w), Liveness: w.AsksLiveness(), Steps: NonNil(w.Steps), Documents: w.AcceptedKinds(),
		Countries: NonNil(w.Countries), Required: NonNil(w.Required),
	}
}

// WorkflowRefOf returns the reference to a workflow version.
func WorkflowRefOf(w idv.WorkflowVersion) WorkflowRef {
	return WorkflowRef{ID: w.ID, Name: w.Name, Number: w.Number, LivenessNotice: w.LivenessNotice()}
}

// PictureOf returns a picture as an answer that browsers show and do not store.
func PictureOf(p review.Picture, err error) (*Picture, error) {
	if err != nil {
		return nil, err
	}
	return &Picture{ContentType: p.MediaType, CacheControl: "private, no-store", ContentDisposition: "inline", Body: p.Bytes}, nil
}

// SessionOf returns the wire form of a session, without its link.
func SessionOf(v session.View) Session {
	x := v.Session
	out := Session{
		ID: x.ID, Mode: x.Mode, State: x.State, Outcome: OptionalText(x.Outcome),
		ExternalReference: x.ExternalReference, Metadata: x.Metadata, Claimed: x.Claimed,
		Workflow:     WorkflowRefOf(v.Workflow),
		DocumentKind: OptionalText(x.DocumentKind), Country: OptionalText(x.Country), LastProblem: x.LastProblem, Locale: x.Locale, ReturnURL: x.ReturnURL,
		Applicant: contactOf(x.Email),
		CreatedAt: x.CreatedAt.UTC(), LinkExpiresAt: x.LinkExpiresAt.UTC(),
		ExpiresAt: OptionalTime(x.ExpiresAt), OpenedAt: OptionalTime(x.OpenedAt), SubmittedAt: OptionalTime(x.SubmittedAt),
		DecidedAt: OptionalTime(x.DecidedAt), ErasedAt: OptionalTime(x.ErasedAt),
		Persona: x.Persona, Keeping: keepingOf(v), Follows: OptionalText(x.Follows), FollowedBy: OptionalText(x.FollowedBy),
	}
	if out.Metadata == nil {
		out.Metadata = map[string]string{}
	}
	if out.Claimed == nil {
		out.Claimed = map[idv.ClaimName]string{}
	}
	return out
}

// DecisionsOf returns the wire forms of decisions, newest first.
func DecisionsOf(ds []idv.Decision) []Decision {
	out := make([]Decision, 0, len(ds))
	for _, d := range slices.Backward(ds) {
		out = append(out, Decision{
			ID: d.ID, Outcome: d.Outcome, Reasons: NonNil(d.Reasons), Rule: d.Rule, By: d.By, Note: d.Note,
			Report: d.Report, ReportDigest: d.Digest, DecidedAt: d.DecidedAt.UTC(), Assurance: assuranceOf(d.Assurance),
		})
	}
	return out
}

// assuranceOf returns nil for the assurance of a decision that is older than levels.
func assuranceOf(a idv.Assurance) *idv.Assurance {
	if a.Level == "" {
		return nil
	}
	a.Met, a.Missing = NonNil(a.Met), NonNil(a.Missing)
	return &a
}

// ReportOf returns a report whose lists are never nil.
func ReportOf(r idv.Report) idv.Report {
	r.Checks, r.Claims, r.Notices = NonNil(r.Checks), NonNil(r.Claims), NonNil(r.Notices)
	if m := r.Document.MRZ; m != nil {
		zone := *m
		zone.Lines, zone.RawLines, zone.SecondLines = NonNil(zone.Lines), NonNil(zone.RawLines), NonNil(zone.SecondLines)
		zone.Boxes, zone.FailedChecks, zone.Doubts = NonNil(zone.Boxes), NonNil(zone.FailedChecks), NonNil(zone.Doubts)
		r.Document.MRZ = &zone
	}
	return r
}

// CheckClaimed refuses facts that cannot be claimed, naming their place and never their value. Problems: request.unknown_field,
// request.malformed.
func CheckClaimed(at string, claimed map[idv.ClaimName]string) error {
	for _, name := range slices.Sorted(maps.Keys(claimed)) {
		if !slices.Contains(idv.ClaimableNames(), name) {
			return problem.New(problem.RequestUnknownField).At(at + "/" + pointerToken(string(name)))
		}
		if utf8.RuneCountInString(claimed[name]) > session.MaxClaim {
			return Malformed(at+"/"+string(name), "At most "+strconv.Itoa(session.MaxClaim)+" characters.")
		}
	}
	return nil
}
