package session

import (
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
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
	Email             string // of the applicant; empty for none
	SendLink          bool   // mail the link to Email
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

// ConsentSubject is what the applicant is asked to agree to.
type ConsentSubject string

// The subjects of consent. Agreeing to biometrics is agreeing to the check of the document with it.
const (
	ToBiometrics ConsentSubject = "biometrics" // a face is compared with the document
	ToDocument   ConsentSubject = "document"   // the document is all there is
	ToGallery    ConsentSubject = "gallery"    // the face is kept, and compared with those of other applicants
)

// Consent is the applicant's answer to the consent page.
type Consent struct {
	Given       bool
	About       ConsentSubject // empty where the caller does not say: whatever is asked
	TextVersion string
	Locale      string
	Address     string // network address; shortened before it is kept
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
	Bar       Bar
	Sort      Sort   // newest first where it is empty
	Limit     int    // 1 to 100; 0 for 25
	After     string // cursor of the page before, of the same Sort
}

// Wanted is personal data to search for, each field by its exact value. Every field that is not empty must match.
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

// EventType names an event, as webhooks, the feed and the timeline call it.
type EventType string

// The events: those that webhooks can send, and those of the timeline alone.
const (
	EventCreated        EventType = "session.created"
	EventOpened         EventType = "session.opened"
	EventSubmitted      EventType = "session.submitted"
	EventApproved       EventType = "session.approved"
	EventDeclined       EventType = "session.declined"
	EventReferred       EventType = "session.referred"
	EventReopened       EventType = "session.reopened"
	EventExpired        EventType = "session.expired"
	EventCancelled      EventType = "session.cancelled"
	EventErased         EventType = "session.erased"
	EventCheckBroken    EventType = "check.broken"
	EventConsented      EventType = "session.consented"
	EventFaceDeclined   EventType = "session.face_declined"
	EventFaceWithdrawn  EventType = "session.face_withdrawn"
	EventChosen         EventType = "session.document_chosen"
	EventCaptured       EventType = "session.captured"
	EventExtracted      EventType = "session.extracted"
	EventStepRepeated   EventType = "session.step_repeated"
	EventStepChecked    EventType = "session.step_checked"
	EventAnswered       EventType = "session.answered"
	EventPutAside       EventType = "session.document_put_aside"
	EventLinked         EventType = "session.linked"
	EventResumed        EventType = "session.resumed"
	EventChallenged     EventType = "session.challenged"
	EventChipRelay      EventType = "session.chip_relay"
	EventLivenessPath   EventType = "session.liveness_path"
	EventHandoffMade    EventType = "session.handoff_made"
	EventHandoffEnded   EventType = "session.handoff_ended"
	EventHandedOver     EventType = "session.handed_over"
	EventHandedBack     EventType = "session.handed_back"
	EventPersonaActs    EventType = "session.persona_acts"
	EventWalletAsked    EventType = "session.wallet_asked"
	EventWalletAnswered EventType = "session.wallet_answered"
	EventWalletChecked  EventType = "session.wallet_checked"
	EventMailed         EventType = "session.mailed"

	EventAnotherDocument EventType = "session.another_document"

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

// Keeping says until when a session's data is kept. Zero times: not known before the session came to its end, or gone.
type Keeping struct {
	PicturesUntil time.Time
	ReportUntil   time.Time
}

// check brings texts to NFC, and answers by what is searched.
func (w *Wanted) check() ([]string, error) {
	var by []string
	for _, one := range []struct {
		name string
		v    *string
		most int
	}{
		{"name", &w.Name, MaxClaim}, {"document_number", &w.DocumentNumber, MaxClaim}, {"external_reference", &w.Reference, MaxReference},
		{"metadata_key", &w.MetadataKey, MaxMetadataKey}, {"metadata_value", &w.MetadataValue, MaxMetadataValue},
	} {
		v, err := CleanText(strings.TrimSpace(*one.v), "/"+one.name, one.most)
		if err != nil {
			return nil, err
		}
		if *one.v = v; v != "" {
			by = append(by, one.name)
		}
	}
	if len(by) == 0 {
		return nil, Malformed("", "say at least one thing to search for")
	}
	if (w.MetadataKey == "") != (w.MetadataValue == "") {
		return nil, Malformed("/metadata_value", "a key and its value go together")
	}
	return by, nil
}

// check brings texts to NFC and refuses what breaks a limit.
func (n *Spec) check(now time.Time) error {
	if n.Mode != idv.Live && n.Mode != idv.Test {
		return Malformed("/mode", "it must be live or test")
	}
	if n.Locale != "" && !localePattern.MatchString(n.Locale) {
		return Malformed("/locale", "it must be a language tag like en or pt-BR")
	}
	var err error
	if n.ExternalReference, err = CleanText(n.ExternalReference, "/external_reference", MaxReference); err != nil {
		return err
	}
	if err := n.checkMetadata(); err != nil {
		return err
	}
	if err := n.checkClaimed(now); err != nil {
		return err
	}
	if err := n.checkEmail(); err != nil {
		return err
	}
	return checkReturnURL(n.ReturnURL, n.Mode)
}

func (n *Spec) checkEmail() error {
	if n.Email == "" {
		if n.SendLink {
			return Malformed("/applicant/email", "an address is needed to send the link to")
		}
		return nil
	}
	if mail.CheckAddress(n.Email) != nil {
		return Malformed("/applicant/email", "it must be an e-mail address like ann@example.org")
	}
	return nil
}

func (n *Spec) checkMetadata() error {
	if len(n.Metadata) > MaxMetadataKeys {
		return Malformed("/metadata", "at most %d keys", MaxMetadataKeys)
	}
	out := make(map[string]string, len(n.Metadata))
	for k, v := range n.Metadata {
		key, err := CleanText(k, metadataField(k), MaxMetadataKey)
		if err != nil {
			return err
		}
		if key == "" {
			return Malformed("/metadata/", "a key has at least one character")
		}
		if out[key], err = CleanText(v, metadataField(k), MaxMetadataValue); err != nil {
			return err
		}
	}
	n.Metadata = out
	return nil
}

// metadataField is the place of a key of the metadata, as a JSON pointer (RFC 6901). Of a key that is too long it has the beginning.
func metadataField(key string) string {
	if runes := []rune(strings.ToValidUTF8(key, "")); len(runes) > MaxMetadataKey {
		key = string(runes[:MaxMetadataKey]) + "…"
	}
	return "/metadata/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

func (n *Spec) checkClaimed(now time.Time) error {
	out := make(map[idv.ClaimName]string, len(n.Claimed))
	for name, v := range n.Claimed {
		if !claimable[name] {
			return Malformed("/claimed", "a fact of that name cannot be claimed")
		}
		field := "/claimed/" + string(name)
		value, err := CleanText(v, field, MaxClaim)
		if err != nil {
			return err
		}
		if name == idv.DateOfBirth {
			if err := CheckDateOfBirth(field, value, now); err != nil {
				return err
			}
		}
		out[name] = value
	}
	n.Claimed = out
	return nil
}
