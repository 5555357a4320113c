package idv

import "time"

// Mode keeps test data apart from live data.
type Mode string

// The modes.
const (
	Live Mode = "live"
	Test Mode = "test"
)

// SessionState says who acts next.
type SessionState string

// The states of a session. The moves between them are in the table sessionMoves.
const (
	Created    SessionState = "created"    // the applicant acts next: opens the link
	Capturing  SessionState = "capturing"  // the applicant acts next: sends captures
	Processing SessionState = "processing" // the server acts next
	InReview   SessionState = "in_review"  // an operator acts next
	Approved   SessionState = "approved"   // final
	Declined   SessionState = "declined"   // final
	Expired    SessionState = "expired"    // final
	Cancelled  SessionState = "cancelled"  // final
)

// SessionEvent is what happens to a session.
type SessionEvent string

// The events that move a session.
const (
	Opened    SessionEvent = "opened"
	Submitted SessionEvent = "submitted"
	Accepted  SessionEvent = "accepted"
	Rejected  SessionEvent = "rejected"
	Referred  SessionEvent = "referred"
	Reopened  SessionEvent = "reopened"
	TimedOut  SessionEvent = "timed_out"
	Withdrawn SessionEvent = "withdrawn"
)

// sessionMoves are the moves of a session. All others are refused.
var sessionMoves = map[SessionState]map[SessionEvent]SessionState{
	Created:    {Opened: Capturing, TimedOut: Expired, Withdrawn: Cancelled},
	Capturing:  {Submitted: Processing, TimedOut: Expired, Withdrawn: Cancelled},
	Processing: {Accepted: Approved, Rejected: Declined, Referred: InReview, Reopened: Capturing, Withdrawn: Cancelled},
	InReview:   {Accepted: Approved, Rejected: Declined, Reopened: Capturing, Withdrawn: Cancelled},
}

// SessionStates returns every state, in the order of a session's life.
func SessionStates() []SessionState {
	return []SessionState{Created, Capturing, Processing, InReview, Approved, Declined, Expired, Cancelled}
}

// SessionEvents returns every event.
func SessionEvents() []SessionEvent {
	return []SessionEvent{Opened, Submitted, Accepted, Rejected, Referred, Reopened, TimedOut, Withdrawn}
}

// Next returns the state that an event leads to from s, and false if the move is refused (session.conflict).
func (s SessionState) Next(event SessionEvent) (SessionState, bool) {
	to, ok := sessionMoves[s][event]
	return to, ok
}

// Final reports whether nothing moves a session out of s.
func (s SessionState) Final() bool { return len(sessionMoves[s]) == 0 }

// Verdict returns the final state that matches the newest decision: an appeal does not change the state of a session.
func (s Session) Verdict() SessionState {
	switch {
	case s.State == Declined && s.Outcome == DecideApprove:
		return Approved
	case s.State == Approved && s.Outcome == DecideDecline:
		return Declined
	default:
		return s.State
	}
}

// Session is one person's verification.
type Session struct {
	ID                SessionID
	Mode              Mode
	Workflow          WorkflowVersionID
	ExternalReference string
	Metadata          map[string]string    // at most 50 keys; key ≤ 40, value ≤ 500 characters
	Claimed           map[ClaimName]string // the integrator's statements about the person
	State             SessionState
	Outcome           DecisionOutcome // the newest decision's, empty before the first
	LastProblem       *StepProblem
	Consented         bool           // to what was asked: biometrics, or the document alone
	FaceDeclined      bool           // the use of biometrics was declined, and the session goes on with the document alone
	DocumentKind      DocumentKind   // what the applicant chose to show, empty before
	ChosenCountry     string         // the issuing state according to the applicant, ICAO 9303-3; empty if they did not say
	Country           string         // issuing state of the document that the newest decision was about, empty before
	Wallet            WalletStanding // what a wallet presented counts for
	Liveness          LivenessPath   // how they prove presence, if the workflow asks for it
	Redo              []Step         // steps asked for again after a reopening, in order
	Attempts          map[Step]int   // tries used per step since the last reopening by a person
	Locale            string         // BCP 47; empty if the person's browser decides
	ReturnURL         string
	Email             string // of the applicant, as the integrator stated it; empty if they did not
	Persona           string // test persona that settles it; empty for none, and always in live mode
	PersonaActs       bool   // the persona takes the steps itself, also after a reopening
	CreatedBy         UserID // the member who made it in the console; empty for an API key
	CreatedAt         time.Time
	LinkExpiresAt     time.Time
	ExpiresAt         time.Time // zero until opened
	OpenedAt          time.Time
	SubmittedAt       time.Time
	ReopenedAt        time.Time // when a person last asked for a step again
	DecidedAt         time.Time
	PicturesErasedAt  time.Time // pictures and templates are gone; facts may still be there
	ErasedAt          time.Time // everything personal is gone
	HeldAt            time.Time // nothing is erased while a legal hold is set
	Follows           SessionID // the declined session after which this one began with another document; empty for none
	FollowedBy        SessionID // the session that began after this one with another document; empty for none
	Spent             Spent     // what the session that this one follows used up
	Version           int64     // for compare-and-set
}

// Spent is what a session used up of the limits that count on in the session that follows it.
type Spent struct {
	Tries      int  `json:"tries,omitempty"`      // at all steps, refused ones included
	Challenges int  `json:"challenges,omitempty"` // liveness challenges that were issued
	Mismatched bool `json:"mismatched,omitempty"` // the extra try of a face that did not match
}

// StepProblem says why a step was asked for again.
type StepProblem struct {
	Code string `json:"code"`
	Step Step   `json:"step"`
}
