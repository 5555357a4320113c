package wire

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
)

// Contact is how the person is reached.
type Contact struct {
	Email string `json:"email" maxLength:"254" example:"ann@example.org" doc:"Sealed with the session, and erased with it"`
}

// NewContact is how the person is reached, and whether they are written to at once.
type NewContact struct {
	Email    string `json:"email" minLength:"3" maxLength:"254" example:"ann@example.org" doc:"Where links and codes for this session are mailed"`
	SendLink bool   `json:"send_link,omitempty" doc:"Mail the link at once. mail.off where the deployment sends no email"`
}

// NewLink says whether a new link is mailed.
type NewLink struct {
	Send  bool   `json:"send,omitempty" doc:"Mail the link to the person. mail.off where the deployment sends no email"`
	Email string `json:"email,omitempty" maxLength:"254" doc:"Replaces the person's address; left out, it stays"`
}

// NewHandoff says whether the link is mailed.
type NewHandoff struct {
	Mail   bool   `json:"mail,omitempty" doc:"Mail the link to the address that the task hints at"`
	Locale string `json:"locale,omitempty" maxLength:"35" doc:"Language of the page"`
}

// CodeRequest asks for a code by mail.
type CodeRequest struct {
	Link   string `json:"link" minLength:"20" maxLength:"128" doc:"The part of the link after /v/"`
	Locale string `json:"locale,omitempty" maxLength:"35" doc:"Language of the page"`
}

// CodeSent says where a code was mailed.
type CodeSent struct {
	Hint      string    `json:"hint" example:"a•••@e•••.org" doc:"The address, shortened so that its owner alone recognises it"`
	ExpiresAt time.Time `json:"expires_at" doc:"Until when the code works"`
}

// MailKind is what a mail is for (mail.Kind).
type MailKind string

// MailState is what became of a mail (mail.State).
type MailState string

// MailFault is why a mail was not sent (mail.Fault).
type MailFault string

// MailEntry is a mail and what became of it. It says neither what is in it nor to whom it went.
type MailEntry struct {
	ID        idv.MailID     `json:"id"`
	Kind      MailKind       `json:"kind"`
	Session   *idv.SessionID `json:"session" doc:"Whose applicant it went to; null for mails to members"`
	Subject   string         `json:"subject" doc:"Id of what it is about: an invitation, a member; may be empty"`
	State     MailState      `json:"state"`
	Attempts  int            `json:"attempts"`
	Fault     *MailFault     `json:"fault" doc:"Why the last attempt failed; null where it did not"`
	NextAt    *time.Time     `json:"next_at" doc:"When it is tried again; null where it is not"`
	CreatedAt time.Time      `json:"created_at"`
	EndedAt   *time.Time     `json:"ended_at"`
}

// MailPage is one page of mails, and the server that takes them.
type MailPage struct {
	On    bool        `json:"on" doc:"Whether the deployment sends email"`
	Host  string      `json:"host" doc:"The server that takes it; empty for none"`
	From  string      `json:"from" doc:"The sender; empty for none"`
	Items []MailEntry `json:"items" nullable:"false" doc:"Newest first, of the last 30 days"`
	Next  string      `json:"next" doc:"Send as after to get the next page; empty at the end"`
}

// MailTried is the outcome of a test mail.
type MailTried struct {
	Sent   bool       `json:"sent"`
	To     string     `json:"to" doc:"The address of the member who asked"`
	Fault  *MailFault `json:"fault" doc:"Null where it was sent"`
	Status *int       `json:"status" doc:"What the server answered (RFC 5321 §4.2); null where it did not"`
}

// ResetRequest asks for a link to reset a password.
type ResetRequest struct {
	Email string `json:"email" minLength:"1" maxLength:"254"`
}

// ResetSent is the answer to whoever asks for a link to reset a password, whether there is such a member or not.
type ResetSent struct {
	ValidSeconds int `json:"valid_seconds" example:"3600" doc:"How long a link works"`
}

// ResetToken is what the link to reset a password ends with.
type ResetToken struct {
	Token string `json:"token" minLength:"20" maxLength:"128"`
}

// ResetOpened is whose password a link resets.
type ResetOpened struct {
	Email string `json:"email"`
}

// ResetAnswer resets a password.
type ResetAnswer struct {
	Token    string `json:"token" minLength:"20" maxLength:"128"`
	Password string `json:"password" minLength:"12" maxLength:"256" doc:"At least 12 characters"`
}

// NewNotices are what a member is told of by mail from now on.
type NewNotices struct {
	Notices []account.Notice `json:"notices" maxItems:"20" nullable:"false"`
}

// MailEntryOf returns the wire form of a mail.
func MailEntryOf(e mail.Entry) MailEntry {
	return MailEntry{
		ID: e.ID, Kind: MailKind(e.Kind), Session: OptionalText(e.Session), Subject: e.Subject, State: MailState(e.State), Attempts: e.Attempts,
		Fault: OptionalText(MailFault(e.Fault)), NextAt: OptionalTime(e.NextAt), CreatedAt: e.CreatedAt.UTC(), EndedAt: OptionalTime(e.EndedAt),
	}
}

// contactOf returns nil for no address.
func contactOf(email string) *Contact {
	if email == "" {
		return nil
	}
	return &Contact{Email: email}
}
