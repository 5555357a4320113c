package idv

import "time"

// CaseState is the state of a case.
type CaseState string

// The states of a case. The moves between them are in the table caseMoves.
const (
	CaseOpen    CaseState = "open"    // anybody who may decide can claim it
	CaseClaimed CaseState = "claimed" // somebody has it, until they release it or their claim expires
	CaseClosed  CaseState = "closed"  // final
)

// CaseEvent is what happens to a case.
type CaseEvent string

// The events that move a case.
const (
	CaseTaken    CaseEvent = "taken"    // claimed, or assigned
	CaseReleased CaseEvent = "released" // released, expired, or left to a second person
	CaseSettled  CaseEvent = "settled"  // decided, reopened, or the session was withdrawn
)

// caseMoves are the moves of a case. All others are refused.
var caseMoves = map[CaseState]map[CaseEvent]CaseState{
	CaseOpen:    {CaseTaken: CaseClaimed, CaseSettled: CaseClosed},
	CaseClaimed: {CaseTaken: CaseClaimed, CaseReleased: CaseOpen, CaseSettled: CaseClosed},
}

// CaseStates returns every state, in the order of a case's life.
func CaseStates() []CaseState { return []CaseState{CaseOpen, CaseClaimed, CaseClosed} }

// CaseEvents returns every event.
func CaseEvents() []CaseEvent { return []CaseEvent{CaseTaken, CaseReleased, CaseSettled} }

// Next returns the state that an event leads to from s, and false if the move is refused (case.conflict).
func (s CaseState) Next(event CaseEvent) (CaseState, bool) {
	to, ok := caseMoves[s][event]
	return to, ok
}

// Case is a session that is waiting for a person's decision.
type Case struct {
	ID           CaseID
	Session      SessionID
	Mode         Mode
	Workflow     WorkflowVersionID
	State        CaseState
	Reasons      []string // codes for which it was referred
	Report       Digest   // digest of the report that it is about
	Assignee     UserID   // who has it, or had it last; empty for nobody
	ClaimedUntil time.Time
	ApprovedBy   UserID // whose approval waits for a second person's; empty for none
	OpenedAt     time.Time
	DueAt        time.Time // when it should be decided
	ClosedAt     time.Time
	Version      int64 // grows with each review: what a decision was made on
}

// StateAt returns the state at a time. An expired claim leaves the case open, even before the sweep records it.
func (c Case) StateAt(now time.Time) CaseState {
	if c.State == CaseClaimed && !now.Before(c.ClaimedUntil) {
		return CaseOpen
	}
	return c.State
}

// Holder returns the member who has the case at a time; empty for nobody.
func (c Case) Holder(now time.Time) UserID {
	if c.StateAt(now) != CaseClaimed {
		return ""
	}
	return c.Assignee
}

// ReviewKind is the kind of a review.
type ReviewKind string

// The kinds of review.
const (
	ReviewApproved ReviewKind = "approved"
	ReviewDeclined ReviewKind = "declined"
	ReviewReopened ReviewKind = "reopened" // asked the applicant for a step again
	ReviewNoted    ReviewKind = "noted"    // a note and nothing else

	ReviewCorrected ReviewKind = "corrected" // stated a fact of the document anew
)

// ReviewKinds returns every kind.
func ReviewKinds() []ReviewKind {
	return []ReviewKind{ReviewApproved, ReviewDeclined, ReviewReopened, ReviewNoted, ReviewCorrected}
}

// Review is one person's action on a case. Rows are only ever added.
type Review struct {
	ID      ReviewID
	Case    CaseID
	Session SessionID
	By      UserID
	Kind    ReviewKind
	Reasons []string
	Step    Step   // with reopened
	Note    string // for the other reviewers; never shown to the applicant
	Report  Digest
	At      time.Time

	Correction *Correction // with corrected; nil once the session is erased
}

// Correction is a fact of a document as a reviewer states it. What was read stays in the report.
type Correction struct {
	Name ClaimName `json:"name"`
	From string    `json:"from"` // the value before: as read, or as last corrected; empty if it was not read
	To   string    `json:"to"`
}
