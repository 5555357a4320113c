package wire

import (
	"strconv"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// LoggedCall is a call that was made with an API key. What was sent and answered is not kept.
type LoggedCall struct {
	ID        string    `json:"id" doc:"Place in the log"`
	RequestID string    `json:"request_id" doc:"As in X-Request-Id"`
	Key       idv.KeyID `json:"key"`
	Method    string    `json:"method" example:"POST"`
	Route     string    `json:"route" example:"/v1/sessions/{id}" doc:"The pattern; ids are not kept"`
	Status    int       `json:"status"`
	Problem   string    `json:"problem" doc:"Code that was answered; empty for none"`
	TookUS    int64     `json:"took_us" doc:"Microseconds"`
	At        time.Time `json:"at"`
}

// LoggedCallPage is a page of the log.
type LoggedCallPage struct {
	Items []LoggedCall `json:"items" doc:"Newest first"`
	Next  string       `json:"next" doc:"Send as after to get the next page; empty at the end"`
}

// APIKey is an API key without its secret.
type APIKey struct {
	ID         idv.KeyID  `json:"id"`
	Name       string     `json:"name"`
	Mode       idv.Mode   `json:"mode"`
	Scopes     []string   `json:"scopes"`
	Prefix     string     `json:"prefix" example:"bf_test_Ab3d" doc:"Its first characters, to tell keys apart"`
	Status     string     `json:"status" enum:"active,expired,revoked"`
	CreatedAt  time.Time  `json:"created_at"`
	CreatedBy  idv.UserID `json:"created_by" doc:"Empty for keys that the program made itself"`
	LastUsedAt *time.Time `json:"last_used_at" doc:"To the minute"`
	ExpiresAt  *time.Time `json:"expires_at"`
	RevokedAt  *time.Time `json:"revoked_at"`
	Secret     string     `json:"secret,omitempty" doc:"The key itself. Shown once, when it is made; only its digest is kept"`
}

// APIKeyList is every key of a mode.
type APIKeyList struct {
	Items  []APIKey   `json:"items" doc:"Those that work first, newest first"`
	Scopes []KeyScope `json:"scopes" doc:"What you may give to a key of this mode"`
}

// KeyScope is something that a key can be good for.
type KeyScope struct {
	Scope string `json:"scope"`
	What  string `json:"what"`
}

// NewAPIKey is what it takes to make a key.
type NewAPIKey struct {
	Name      string     `json:"name" minLength:"1" maxLength:"100"`
	Mode      idv.Mode   `json:"mode,omitempty" doc:"Test if left out"`
	Scopes    []string   `json:"scopes" minItems:"1" maxItems:"50" doc:"None that you may not do yourself"`
	ExpiresAt *time.Time `json:"expires_at,omitempty" doc:"Never if left out"`
}

// KeyRotation says how long the old key goes on.
type KeyRotation struct {
	GraceHours int `json:"grace_hours" minimum:"0" maximum:"168" doc:"The old key works for as long beside the new one; 0 ends it at once"`
}

// APIKeyOf returns the wire form of an API key at that time; secret is empty unless it was made just now.
func APIKeyOf(k account.Key, secret string, now time.Time) APIKey {
	out := APIKey{
		ID: k.ID, Name: k.Name, Mode: k.Mode, Scopes: []string{}, Prefix: k.Prefix, Status: "active", CreatedAt: k.CreatedAt.UTC(),
		CreatedBy: k.CreatedBy, LastUsedAt: OptionalTime(k.LastUsedAt), ExpiresAt: OptionalTime(k.ExpiresAt), RevokedAt: OptionalTime(k.RevokedAt), Secret: secret,
	}
	for _, scope := range k.Scopes {
		out.Scopes = append(out.Scopes, string(scope))
	}
	switch {
	case !k.RevokedAt.IsZero():
		out.Status = "revoked"
	case k.Ended(now):
		out.Status = "expired"
	}
	return out
}

// LoggedCallOf returns the wire form of a call.
func LoggedCallOf(c account.Call) LoggedCall {
	return LoggedCall{
		ID: strconv.FormatInt(c.Seq, 10), RequestID: c.RequestID, Key: c.Key, Method: c.Method, Route: c.Route, Status: c.Status,
		Problem: c.Problem, TookUS: c.Took.Microseconds(), At: c.At.UTC(),
	}
}
