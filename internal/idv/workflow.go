package idv

import (
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
)

// WorkflowState is the state of a workflow version.
type WorkflowState string

// A version goes draft → published → retired. A published version never changes.
const (
	Draft     WorkflowState = "draft"
	Published WorkflowState = "published"
	Retired   WorkflowState = "retired"
)

// WorkflowVersion says what a session asks for and what it takes to pass.
type WorkflowVersion struct {
	ID              WorkflowVersionID `json:"id"`
	Workflow        WorkflowID        `json:"workflow"`
	Mode            Mode              `json:"mode"` // sessions of the other mode cannot follow it
	Name            string            `json:"name"`
	Number          int               `json:"number"`
	State           WorkflowState     `json:"state"`
	Steps           []Step            `json:"steps"`
	Documents       []DocumentKind    `json:"documents"`        // accepted kinds; empty means IdentityDocuments
	Countries       []string          `json:"countries"`        // accepted issuers; empty means all
	AcceptSpecimens bool              `json:"accept_specimens"` // only sensible in test mode
	MinimumAge      int               `json:"minimum_age"`      // 0 for none
	Required        []CheckKind       `json:"required"`         // checks that must pass for approval
	FaceFMR         string            `json:"face_fmr"`         // pass at the threshold of this FMR: "1e-2" … "1e-5"
	FaceReferFMR    string            `json:"face_refer_fmr"`   // refer between this one's threshold and the former
	StepAttempts    int               `json:"step_attempts"`
	SessionAttempts int               `json:"session_attempts"`
	FaceOptional    bool              `json:"face_optional"`              // applicants may decline biometrics: no selfie, and a person decides
	LiveCapture     bool              `json:"live_capture,omitempty"`     // pictures of document and selfie are taken in the page, not chosen from files
	AnotherDocument bool              `json:"another_document,omitempty"` // applicants declined for their document may start once more with another one
	Chip            ChipUse           `json:"chip,omitempty"`             // how the document's chip is used; empty for off
	Wallet          WalletUse         `json:"wallet,omitempty"`           // how wallets are used; empty for off
	WalletAsks      []WalletAsk       `json:"wallet_asks,omitempty"`      // what they are asked for: one of them answers
	WalletOthers    []WalletOther     `json:"wallet_others,omitempty"`    // and credentials that no preset has
	WalletInstead   bool              `json:"wallet_instead,omitempty"`   // a good credential replaces the photographs of a document
	Screening       ScreeningSettings `json:"screening,omitzero"`         // which watchlists people are looked for on; the zero value for none
	Seen            SeenSettings      `json:"seen,omitzero"`              // how what was seen before is taken, where a check of SeenChecks is required
	LinkLife        time.Duration     `json:"link_life_ns"`
	SessionLife     time.Duration     `json:"session_life_ns"`
	EmbedOrigins    []string          `json:"embed_origins"`            // pages of these origins may show the applicant's pages; empty for none
	Assurance       AssuranceLevel    `json:"assurance,omitempty"`      // level that an automatic approval needs; empty for low
	SettledBy       Settling          `json:"settled_by,omitempty"`     // what confirms a document without zone and barcode; empty for machine
	TwoPersons      bool              `json:"two_persons"`              // a person's approval needs a second person's
	NotByCreator    bool              `json:"not_by_creator"`           // nobody decides a session that they created
	CaseTarget      time.Duration     `json:"case_target_ns,omitempty"` // within which a case should be decided; 0 for the deployment's
	QualityShare    int               `json:"quality_share,omitempty"`  // per cent of approvals that are drawn for a second look; 0 for none
	Retention       Retention         `json:"retention"`                // may be shorter than the deployment's
	Rules           []Rule            `json:"rules"`                    // in order; the first that applies decides
	Brand           Brand             `json:"brand"`                    // how the applicant's pages look
}

// The limits of a session whose workflow sets none.
const (
	DefaultStepAttempts    = 3
	DefaultSessionAttempts = 40
	DefaultLinkLife        = 48 * time.Hour
	DefaultSessionLife     = 24 * time.Hour
)

// Names of the workflows that every deployment has.
const (
	WorkflowDefault    = "default"
	WorkflowLiveness   = "liveness"    // the selfie answers a liveness challenge
	WorkflowNoLiveness = "no_liveness" // the selfie is one picture
)

// BuiltInWorkflows returns the workflows that every deployment has in a mode. Existing ones are left unchanged.
func BuiltInWorkflows(mode Mode) []WorkflowVersion {
	return []WorkflowVersion{DefaultWorkflow(mode), builtIn(mode, WorkflowLiveness, true), PictureWorkflow(mode)}
}

// PictureWorkflow returns the workflow for pictures alone. Nothing in it shows that a live person sent the selfie, and every
// display of its verdict says so (LivenessNotice).
func PictureWorkflow(mode Mode) WorkflowVersion { return builtIn(mode, WorkflowNoLiveness, false) }

// DefaultWorkflow returns the workflow of sessions that name none: one document, and a selfie that answers a liveness
// challenge. In test mode it accepts specimens.
func DefaultWorkflow(mode Mode) WorkflowVersion { return builtIn(mode, WorkflowDefault, true) }

func builtIn(mode Mode, name string, liveness bool) WorkflowVersion {
	w := WorkflowVersion{
		Mode: mode, Name: name, Number: 1, State: Published,
		Steps:           []Step{StepConsent, StepChoose, StepDocumentFront, StepDocumentBack, StepSelfie},
		AcceptSpecimens: mode == Test,
		Required: []CheckKind{
			CheckDocumentReadable, CheckDocumentAccepted, CheckMRZVerified, CheckDatesPlausible, CheckDocumentExpiry,
			CheckDocumentSpecimen, CheckDocumentOriginal, CheckPortraitOriginal, CheckDocumentEdits,
			CheckFactsAgree, CheckSidesBelong, CheckClaimsMatch, CheckAgeLimit,
			CheckSelfieQuality, CheckFaceMatch,
		},
		FaceFMR: "1e-4", FaceReferFMR: "1e-3",
		StepAttempts: DefaultStepAttempts, SessionAttempts: DefaultSessionAttempts,
		LinkLife: DefaultLinkLife, SessionLife: DefaultSessionLife,
	}
	if liveness {
		w.Required = append(append(w.Required, SignalsOf(mode, true)...), CheckLiveness, CheckReplay)
	}
	return w
}

// SignalsOf returns the signals that a new workflow of a mode requires. Without a challenge there are none: a single picture may be
// cropped too closely for the passive signal. In test mode that signal is only recorded, because test faces are drawn and look it. Light
// is required only on request, because it often cannot judge, as in sunlight, and a person then decides.
func SignalsOf(mode Mode, liveness bool) []CheckKind {
	switch {
	case !liveness:
		return nil
	case mode == Test:
		return []CheckKind{CheckHead}
	default:
		return []CheckKind{CheckPassiveLiveness, CheckHead}
	}
}

// SignalsGeneration goes up with each release that adds a switch to Switches: older workflows are then offered it.
const SignalsGeneration = 1

// Switches returns the checks that were added after workflows had been published and that a new workflow of a mode requires.
func Switches(mode Mode, liveness bool) []CheckKind {
	on := SignalsOf(mode, liveness)
	return slices.DeleteFunc(CheckKinds(), func(k CheckKind) bool { return k != CheckDocumentEdits && !slices.Contains(on, k) })
}

// AsksLiveness reports whether the selfie has to answer a liveness challenge.
func (w WorkflowVersion) AsksLiveness() bool { return w.TakesFace() && w.Requires(CheckLiveness) }

// TakesFace reports whether a selfie is asked for.
func (w WorkflowVersion) TakesFace() bool { return slices.Contains(w.Steps, StepSelfie) }

// AcceptedKinds returns the kinds of document that are accepted. A kind that identifies nobody is accepted only by name.
func (w WorkflowVersion) AcceptedKinds() []DocumentKind {
	if len(w.Documents) == 0 {
		return IdentityDocuments()
	}
	return w.Documents
}

// SoleKind returns the kind of document if the applicant has nothing to choose, because one kind of one issuer is accepted; empty
// otherwise.
func (w WorkflowVersion) SoleKind() DocumentKind {
	if kinds := w.AcceptedKinds(); len(kinds) == 1 && len(w.Countries) == 1 {
		return kinds[0]
	}
	return ""
}

// AcceptsIssuer reports whether documents of an issuer are accepted.
func (w WorkflowVersion) AcceptsIssuer(code string) bool {
	same := func(c string) bool { return icao.SameState(c, code) }
	return len(w.Countries) == 0 || slices.ContainsFunc(w.Countries, same)
}

// For returns the workflow as it applies to a session. After biometrics were declined it asks for no selfie but still requires
// the face checks: none of them runs, so the session goes to review. If a wallet replaces the document, no document is asked for.
func (w WorkflowVersion) For(s Session) WorkflowVersion {
	if s.FaceDeclined {
		w.Steps = slices.DeleteFunc(slices.Clone(w.Steps), func(step Step) bool { return step == StepSelfie })
	}
	if s.Wallet == WalletStands {
		w.Steps = slices.DeleteFunc(slices.Clone(w.Steps), func(step Step) bool {
			return step == StepChoose || step == StepDocumentFront || step == StepDocumentBack
		})
	}
	return w
}

// TakesDocument reports whether a document is photographed.
func (w WorkflowVersion) TakesDocument() bool { return slices.Contains(w.Steps, StepDocumentFront) }

// Requires reports whether approval needs check k.
func (w WorkflowVersion) Requires(k CheckKind) bool {
	for _, r := range w.Required {
		if r == k {
			return true
		}
	}
	return false
}

// LivenessNotice is the code of the notice shown beside every verdict of a workflow that leaves something about the person
// unproved: face_not_compared where it takes no selfie, liveness_not_required where the selfie answers no challenge. Empty
// otherwise.
func (w WorkflowVersion) LivenessNotice() string {
	switch {
	case !w.TakesFace():
		return "face_not_compared"
	case !w.AsksLiveness():
		return "liveness_not_required"
	}
	return ""
}
