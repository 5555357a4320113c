package session

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// ChallengeRow is a liveness challenge as it is kept.
type ChallengeRow struct {
	ID        idv.ChallengeID
	Session   idv.SessionID
	Step      idv.Step
	Try       int // tries of the step that were used when it was issued: it is good for the next one alone
	Spec      idv.Challenge
	IssuedAt  time.Time
	ExpiresAt time.Time
	UsedAt    time.Time // zero until it was answered, or replaced by another
}

// ChipChallengeRow is a challenge to a chip as it is kept.
type ChipChallengeRow struct {
	ID        idv.ChallengeID
	Session   idv.SessionID
	Bytes     []byte // idv.ChipChallengeBytes
	IssuedAt  time.Time
	ExpiresAt time.Time
	UsedAt    time.Time // zero until it was answered, or replaced by another
}

// RelayRow is how far the relay of a session's chip is, for the servers that do not have it.
type RelayRow struct {
	Session  idv.SessionID
	Relay    string // attempt of the connection: of two, the one that opened last writes
	State    string // applicant.RelayState
	File     string // that is being read; empty before the first
	Read, Of int    // bytes; Of is 0 until it is known
	Until    time.Time
}

// HandoffRow is a hand-off from one browser to another as it is kept. Secrets are kept as their hashes.
type HandoffRow struct {
	ID        idv.HandoffID
	Session   idv.SessionID
	LinkHash  string
	From      string // token of the browser that made it, and may watch once it was opened
	To        string // token of the browser that opened it; empty before
	MadeAt    time.Time
	ExpiresAt time.Time
	OpenedAt  time.Time // zero until it was opened
	EndedAt   time.Time // zero until it was replaced, taken back or handed back
}

// Opening is how a tab came to have a session.
type Opening string

// The ways in which a tab comes to have a session.
const (
	OpenedByLink      Opening = "link"          // a link that nobody had opened, the first one or one made anew
	OpenedByHandoff   Opening = "handoff"       // the link of a hand-off
	ResumedByBrowser  Opening = "same_browser"  // the browser that has the session showed its key
	ResumedByAnyone   Opening = "other_browser" // the link again, in another browser, before a picture was sent
	ResumedByCode     Opening = "code"          // the link and a code by mail, in another browser, after pictures were sent
	ResumedByWatching Opening = "watching"      // the browser that handed the session on, which goes on watching
	OpenedByDecline   Opening = "after_decline" // the browser whose session was declined began this one with another document
)

// TabRow is a tab of a browser that has or had a session, as it is kept. Secrets are kept as their hashes.
type TabRow struct {
	Session   idv.SessionID
	TokenHash string
	KeyHash   string // of the key that all tabs of the browser share; empty where no browser has one
	How       Opening
	OpenedAt  time.Time
}

// CodeRow is the code that was mailed to continue a session in another browser, as it is kept. Of a session there is one: the newest.
type CodeRow struct {
	Session     idv.SessionID
	Digest      string // keyed; empty where it was used up
	Tries       int    // wrong ones
	Made        int    // codes that were mailed since FirstMadeAt
	FirstMadeAt time.Time
	MadeAt      time.Time
	ExpiresAt   time.Time
}

// Hold is a legal hold: while it is set, nothing of the session is erased, by request or by time. Pictures for which the
// applicant withdraws consent are erased all the same.
type Hold struct {
	Session  idv.SessionID
	Reason   string // may say who somebody is, so it is sealed and goes with the facts
	SetBy    string // kind of the actor and their id
	SetAt    time.Time
	LiftedBy string
	LiftedAt time.Time // zero while it is set
}

// Held is a legal hold that is set, with what it keeps from being erased.
type Held struct {
	Hold
	Mode    idv.Mode
	Keeping Keeping
}

// EarlierLimit is the most earlier captures that one is compared with.
const EarlierLimit = 20

// EarlierFrames are the digests of a capture that was sent before.
type EarlierFrames struct {
	Capture idv.CaptureID
	Digests [][]byte
}

// Due asks for finished sessions of a workflow version whose time is over.
type Due struct {
	Workflow idv.WorkflowVersionID
	Scope    Scope
	Before   time.Time // they came to their end before
	Limit    int
}

// RetentionRun is what one run of the job did.
type RetentionRun struct {
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at"`
	Pictures  int       `json:"pictures"` // sessions whose pictures were erased, and nothing else yet
	Sessions  int       `json:"sessions"` // sessions of which everything was erased
	Entries   int       `json:"entries"`  // entries that left the audit log
	Failed    bool      `json:"failed"`   // something could not be erased, or time was over: the next run goes on
}

// RetentionRuns are the last run, and the last that erased something.
type RetentionRuns struct {
	Last   RetentionRun `json:"last"`
	Erased RetentionRun `json:"erased"`
}

// UploadRow is something that is sent in parts, as it is kept.
type UploadRow struct {
	ID        idv.UploadID
	Session   idv.SessionID
	Received  int64  // bytes
	Parts     int    // how many
	Attempt   string // which it answered; its bytes are gone then
	MadeAt    time.Time
	ExpiresAt time.Time
}

// UploadPart is one part, whose bytes are a blob.
type UploadPart struct {
	Upload  idv.UploadID
	Session idv.SessionID
	Number  int // from 0
	Bytes   int64
	Blob    string
}

// ViewFilter is what a saved view filters by. It has no search: personal data in it would outlive the session.
type ViewFilter struct {
	States   []idv.SessionState  `json:"state,omitempty"`
	Outcome  idv.DecisionOutcome `json:"outcome,omitempty"`
	Reason   string              `json:"reason,omitempty"`
	Workflow string              `json:"workflow,omitempty"`
	Country  string              `json:"country,omitempty"`
	Kind     idv.DocumentKind    `json:"kind,omitempty"`
	From     string              `json:"from,omitempty"` // a date
	To       string              `json:"to,omitempty"`   // a date, included
}

// SavedView is a filter of the list of sessions that a member gave a name. It is theirs alone.
type SavedView struct {
	ID        idv.ViewID
	Owner     idv.UserID
	Mode      idv.Mode
	Name      string
	Filter    ViewFilter
	CreatedAt time.Time
}
