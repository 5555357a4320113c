// Package mail writes and sends the mails of a deployment, by SMTP: links and codes to applicants; invitations, new passwords and
// notices to members. Without a server nothing is sent, and nothing waits.
//
// A mail is a row first: what it says is sealed, goes out as a job with retries, and is removed once the mail was sent or given up. A
// subject line names the deployment and what the mail is for, never a person. The log and the events say that a mail was sent and
// what became of it, not to whom.
package mail

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Kind says what a mail is for.
type Kind string

// The kinds: the first three go to applicants, in their language; the others to members.
const (
	Link    Kind = "link"    // the link of a session
	Handoff Kind = "handoff" // the link that moves a session to another device
	Code    Kind = "code"    // the code that continues a session in another browser

	Invitation      Kind = "invitation"
	PasswordReset   Kind = "password_reset"
	PasswordChanged Kind = "password_changed"
	CasesLate       Kind = "cases_late"
	WebhookStopped  Kind = "webhook_stopped"
	BackupFailed    Kind = "backup_failed"
	BackupOverdue   Kind = "backup_overdue"
	Test            Kind = "test"
)

// Kinds returns every kind.
func Kinds() []Kind {
	return []Kind{
		Link, Handoff, Code, Invitation, PasswordReset, PasswordChanged, CasesLate, WebhookStopped, BackupFailed, BackupOverdue, Test,
	}
}

// ToApplicants reports whether mails of kind k go to applicants.
func (k Kind) ToApplicants() bool { return k == Link || k == Handoff || k == Code }

// Mail is one mail before it is sent.
type Mail struct {
	ID      idv.MailID
	Kind    Kind
	Session idv.SessionID // whose applicant gets it; empty for mails to members
	Subject string        // id of what it is about: an invitation, a member, an endpoint; may be empty
	Content Content
}

// Content is what a mail says and to whom. It is sealed, and removed once the mail was sent or given up.
type Content struct {
	To       string    `json:"to"`               // a bare address
	Language string    `json:"language"`         // code of an applicant's language; others and the empty one get English
	Brand    Brand     `json:"brand"`            //
	TestMode bool      `json:"test_mode"`        // the subject says so
	Link     string    `json:"link,omitempty"`   // of the button
	Code     string    `json:"code,omitempty"`   //
	Count    int       `json:"count,omitempty"`  // of what a notice is about
	Until    time.Time `json:"until,omitzero"`   // when link or code stop working; later the mail is not sent any more
	Unsaid   bool      `json:"unsaid,omitempty"` // whether there is anything to say is found out when it is sent
	Detail   string    `json:"detail,omitempty"` // ids and codes of a notice, nothing personal
}

// Brand is how the sender looks.
type Brand struct {
	Name    string `json:"name"`
	Colour  string `json:"colour,omitempty"`  // #rrggbb
	Support string `json:"support,omitempty"` // https or mailto
	Privacy string `json:"privacy,omitempty"` // https
}

// State says what became of a mail.
type State string

// The states.
const (
	Due     State = "due"     // it is sent, or tried again
	Sent    State = "sent"    // the server took it; whether it reached its reader is not known
	Failed  State = "failed"  // it was given up
	Dropped State = "dropped" // nothing had to be said, or not any more
)

// States returns every state.
func States() []State { return []State{Due, Sent, Failed, Dropped} }

// Fault says why an attempt failed; empty for none.
type Fault string

// The faults.
const (
	FaultConnection Fault = "connection" // no connection, or it broke
	FaultTimeout    Fault = "timeout"
	FaultTLS        Fault = "tls"      // no trustworthy certificate, or no encryption
	FaultAuth       Fault = "auth"     // user or password are wrong
	FaultAddress    Fault = "address"  // the server refuses the recipient's address
	FaultSender     Fault = "sender"   // the server refuses the sender's address
	FaultRefused    Fault = "refused"  // the server refuses the mail for good
	FaultLater      Fault = "later"    // the server asks to try again later
	FaultOff        Fault = "off"      // this process has no mail server
	FaultExpired    Fault = "expired"  // link or code ended before the mail could be sent
	FaultInternal   Fault = "internal" // the mail could not be written
)

// final reports whether trying again is useless.
func (f Fault) final() bool {
	return f == FaultAddress || f == FaultSender || f == FaultRefused || f == FaultExpired || f == FaultInternal
}

// Faults returns every fault.
func Faults() []Fault {
	return []Fault{
		FaultConnection, FaultTimeout, FaultTLS, FaultAuth, FaultAddress, FaultSender, FaultRefused, FaultLater, FaultOff, FaultExpired,
		FaultInternal,
	}
}

// Entry is a mail as lists show it: neither what it says nor to whom.
type Entry struct {
	ID        idv.MailID
	Kind      Kind
	Session   idv.SessionID
	Subject   string
	State     State
	Attempts  int
	Fault     Fault // of the last attempt
	NextAt    time.Time
	CreatedAt time.Time
	EndedAt   time.Time
}

// Filter narrows a list of mails. Zero fields match all.
type Filter struct {
	State   State
	Session idv.SessionID
	Subject string
	Limit   int        // 1 to 100
	After   idv.MailID // cursor: the last of the page before
}

// Result is what an attempt changes.
type Result struct {
	State    State
	Attempts int
	Fault    Fault
	NextAt   time.Time // of the next attempt; zero where there is none
}

// Writer writes mails in a transaction, each with the job that sends it.
type Writer interface {
	AddMail(ctx context.Context, m Mail) error
}

// Store keeps mails. Reads return problem not_found where there is nothing.
type Store interface {
	// SaveMail is AddMail in a transaction of its own.
	SaveMail(ctx context.Context, m Mail) error
	// ClaimMail returns a mail that is due and keeps it from others until a time, with how often it was tried. Problem not_found
	// where it is not due, or another worker has it.
	ClaimMail(ctx context.Context, id idv.MailID, now, until time.Time) (Mail, int, error)
	// EndAttempt writes the result of an attempt. A mail that ends loses its content; for one that does not there is a job.
	EndAttempt(ctx context.Context, id idv.MailID, r Result) error
	// RequeueMails enqueues the mails that are due since before a time and have nobody to send them.
	RequeueMails(ctx context.Context, before time.Time) error
	// Mails lists mails, the newest first.
	Mails(ctx context.Context, f Filter) ([]Entry, error)
	// ForgetMails removes those that ended before a time.
	ForgetMails(ctx context.Context, before time.Time) error
}
