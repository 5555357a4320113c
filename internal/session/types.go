package session

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Spec is what an integrator asks for.
type Spec struct {
	Mode              idv.Mode
	Workflow          string // name of a workflow or id of a published version; empty for the default
	ExternalReference string // at most 200 characters
	Metadata          map[string]string
	Claimed           map[idv.ClaimName]string
	Locale            string // BCP 47; empty where the person's browser decides
	ReturnURL         string
}

// View is a session together with the workflow version that it follows.
type View struct {
	Session  idv.Session
	Workflow idv.WorkflowVersion
	Keeping  Keeping
}

// Created is a session with the secret of its link, which is shown this once: only its hash is kept.
type Created struct {
	View
	Link string // 43 characters of base64url: 32 random bytes
}

// Opened is what the browser that opened a link gets. Token is the applicant's credential from then on.
type Opened struct {
	Session idv.SessionID
	Token   string
	Task    idv.Task
}

// ConsentSubject is what the applicant is asked to agree to.
type ConsentSubject string

// The subjects of consent. Agreeing to biometrics is agreeing to the check of the document with it.
const (
	ToBiometrics ConsentSubject = "biometrics" // a face is compared with the document
	ToDocument   ConsentSubject = "document"   // the document is all there is
)

// Consent is the applicant's answer to the consent page.
type Consent struct {
	Given       bool
	About       ConsentSubject // empty where the caller does not say: whatever is asked
	TextVersion string
	Locale      string
	Address     string // network address; shortened before it is kept
}

// Submission is one picture for one step. Attempt is chosen by the client, once per try.
type Submission struct {
	Step      idv.Step
	Attempt   string // 1 to 64 letters, digits, - or _
	MediaType string // as the client says; kept, never believed
	Bytes     []byte
}

// Filter narrows a list of sessions. Zero fields do not narrow.
type Filter struct {
	Mode      idv.Mode
	States    []idv.SessionState
	Outcome   idv.DecisionOutcome
	Reason    string // code among the reasons of the newest decision
	Workflow  string // name, whatever the version
	Countries []string
	Kinds     []idv.DocumentKind
	Search    string // exact id or external reference
	Wanted    Wanted
	From, To  time.Time
	Limit     int    // 1 to 100; 0 for 25
	After     string // cursor of the page before
}

// Wanted is what may say who somebody is, to be found by its exact value. Every field that is not empty has to fit.
type Wanted struct {
	Name           string // in any order, in Latin letters or as it is printed
	DocumentNumber string
	Reference      string // the integrator's
	MetadataKey    string
	MetadataValue  string
}

// Facets are what a list can be filtered by, apart from what the program itself names.
type Facets struct {
	Workflows []string // names, by name
	Countries []string // issuing states of sessions that are there, by code
}

// Picture is a picture made for showing: upright, without metadata.
type Picture struct {
	Bytes     []byte
	MediaType string
}

// EventType names what is told to the outside.
type EventType string

// The events (PRODUCT §7), and those of the timeline alone.
const (
	EventCreated      EventType = "session.created"
	EventOpened       EventType = "session.opened"
	EventSubmitted    EventType = "session.submitted"
	EventApproved     EventType = "session.approved"
	EventDeclined     EventType = "session.declined"
	EventReferred     EventType = "session.referred"
	EventReopened     EventType = "session.reopened"
	EventExpired      EventType = "session.expired"
	EventCancelled    EventType = "session.cancelled"
	EventErased       EventType = "session.erased"
	EventCheckBroken  EventType = "check.broken"
	EventConsented    EventType = "session.consented"
	EventFaceDeclined EventType = "session.face_declined"
	EventChosen       EventType = "session.document_chosen"
	EventCaptured     EventType = "session.captured"
	EventExtracted    EventType = "session.extracted"
	EventStepRepeated EventType = "session.step_repeated"
	EventLinked       EventType = "session.linked"
	EventChallenged   EventType = "session.challenged"
	EventLivenessPath EventType = "session.liveness_path"
	EventHandoffMade  EventType = "session.handoff_made"
	EventHandoffEnded EventType = "session.handoff_ended"
	EventHandedOver   EventType = "session.handed_over"
	EventHandedBack   EventType = "session.handed_back"
	EventPersonaActs  EventType = "session.persona_acts"

	EventPicturesErased EventType = "session.pictures_erased"
	EventExported       EventType = "session.exported"
	EventHeld           EventType = "session.held"
	EventHoldLifted     EventType = "session.hold_lifted"
)

// Event is something that happened to a session. Payload holds ids, outcomes and codes, no personal data.
type Event struct {
	ID      idv.EventID
	Session idv.SessionID
	Type    EventType
	At      time.Time
	Actor   string // kind of the actor: system, api_key, applicant or user
	Payload map[string]any
}
