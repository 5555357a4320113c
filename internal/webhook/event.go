package webhook

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Kind is one row of the table of events that are told to the outside.
type Kind struct {
	Type string // family.name, stable for ever
	When string // in words
	Keys []string
}

// TestType is the type of the event that is sent on request, to one endpoint only. It is in no feed.
const TestType = "webhook.test"

// The keys of what an event says. Each holds an id, a code or a list of them.
var (
	decided = []string{"decision", "outcome", "reasons"}
	asked   = []string{"steps", "reasons"}
	closed  = []string{"code"}
	queued  = []string{"case", "reasons"}
	settled = []string{"case", "outcome"}
)

// kinds is the table of the events that leave the deployment. Events of other types stay inside.
var kinds = []Kind{
	{"session.created", "A session was created.", []string{"workflow"}},
	{"session.opened", "The person opened the link.", nil},
	{"session.submitted", "Everything was sent. This is not a verdict.", nil},
	{"session.approved", "Approved, by the policy or a reviewer.", decided},
	{"session.declined", "Declined, by the policy or a reviewer.", decided},
	{"session.referred", "Waits for a reviewer.", decided},
	{"session.reopened", "A step is asked for again; a new link may be needed.", asked},
	{"session.expired", "Time ran out.", closed},
	{"session.cancelled", "Withdrawn by the person or cancelled by you.", closed},
	{"session.erased", "The personal data was erased.", nil},
	{"session.decision_changed", "A later decision replaced a final one.", decided},
	{"case.opened", "A case was opened for reviewers.", queued},
	{"case.closed", "A case was closed.", settled},
	{"check.broken", "A check could not run.", []string{"check"}},
	{"workflow.published", "A workflow version was published; new sessions follow it. It belongs to no session.", []string{"workflow", "version", "name"}},
}

// Kinds answers the table of events.
func Kinds() []Kind { return slices.Clone(kinds) }

// Types lists the types of event that an endpoint can ask for.
func Types() []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = k.Type
	}
	return out
}

func kindOf(typ string) (Kind, bool) {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Type == typ })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

// Told reports whether events of a type are told to the outside.
func Told(typ string) bool {
	_, ok := kindOf(typ)
	return ok
}

// Event is something that happened.
type Event struct {
	ID      idv.EventID
	Session idv.SessionID // empty for a test event
	Mode    idv.Mode
	Type    string
	At      time.Time
	Payload map[string]any // as it was written; Message takes over only what the table names
}

// Message is an event as it is told: the body of a webhook, and an item of the feed.
type Message struct {
	ID        idv.EventID    `json:"id"`
	Type      string         `json:"type"`
	Timestamp time.Time      `json:"timestamp"`
	Mode      idv.Mode       `json:"mode"`
	Session   idv.SessionID  `json:"session"`
	Data      map[string]any `json:"data"`
}

// plain is what a value may look like: an id, a code, a word of the vocabulary. Nothing that anybody typed fits.
var plain = regexp.MustCompile(`^[a-z0-9_.]{1,64}$`)

// MessageOf makes the message of an event: ids, outcome and reasons, nothing personal. Keys that the table does not
// name, and values that are neither ids nor codes, are left out.
func MessageOf(e Event) Message {
	m := Message{ID: e.ID, Type: e.Type, Timestamp: e.At.UTC(), Mode: e.Mode, Session: e.Session, Data: map[string]any{}}
	k, _ := kindOf(e.Type)
	for _, key := range k.Keys {
		if v, ok := safe(e.Payload[key]); ok {
			m.Data[key] = v
		}
	}
	return m
}

// safe is a value that can be told: a plain word or a list of them.
func safe(v any) (any, bool) {
	raw, err := json.Marshal(v)
	if err != nil || v == nil {
		return nil, false
	}
	var word string
	if json.Unmarshal(raw, &word) == nil {
		return word, plain.MatchString(word)
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	list = slices.DeleteFunc(list, func(s string) bool { return !plain.MatchString(s) })
	return list, true
}

// body is a message as it is sent. The same event has the same body at each try.
func body(e Event) ([]byte, error) {
	raw, err := json.Marshal(MessageOf(e))
	if err != nil {
		return nil, fmt.Errorf("write a webhook's body: %w", err)
	}
	return raw, nil
}
