package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Kind is one row of the table of published events.
type Kind struct {
	Type string   // family.name; never changes
	When string   // description, as printed in the reference
	Keys []string // of the payload that are published
}

// TestType is the type of the event that Service.Test sends to one endpoint. It is not in the feed.
const TestType = "webhook.test"

// The keys of payloads. Each value is an id, a code or a list of them.
var (
	decisionKeys   = []string{"decision", "outcome", "reasons", "assurance"}
	redoKeys       = []string{"steps", "reasons"}
	codeKeys       = []string{"code"}
	caseOpenedKeys = []string{"case", "reasons"}
	caseClosedKeys = []string{"case", "outcome"}
)

// kinds is the table of the events that leave the deployment. Events of other types stay inside.
var kinds = []Kind{
	{"session.created", "A session was created.", []string{"workflow", "follows"}},
	{"session.opened", "The person opened the link.", nil},
	{"session.submitted", "Everything was sent. This is not a verdict.", nil},
	{"session.approved", "Approved, by the policy or a reviewer.", decisionKeys},
	{"session.declined", "Declined, by the policy or a reviewer.", decisionKeys},
	{"session.referred", "Waits for a reviewer.", decisionKeys},
	{"session.reopened", "A step is asked for again; a new link may be needed.", redoKeys},
	{
		"session.another_document", "After a decline the person began again with another document, in the session that it names; this one stays declined.",
		[]string{"followed_by"},
	},
	{"session.expired", "Time ran out.", codeKeys},
	{"session.cancelled", "Withdrawn by the person or cancelled by you.", codeKeys},
	{"session.erased", "The personal data was erased.", nil},
	{"session.face_withdrawn", "The person took back that their face is compared with those of others. It is not kept any more.", nil},
	{"session.updated", "You changed reference or metadata.", nil},
	{"session.decision_changed", "A later decision replaced a final one.", decisionKeys},
	{"case.opened", "A case was opened for reviewers.", caseOpenedKeys},
	{"case.closed", "A case was closed.", caseClosedKeys},
	{"check.broken", "A check could not run.", []string{"check"}},
	{"screening.hit_opened", "An entry of a watchlist may be the person: somebody has to look.", []string{"hit", "topic", "band", "trigger"}},
	{"screening.hit_decided", "A reviewer decided a hit.", []string{"hit", "topic", "decision"}},
	{
		"duplicate.found", "Another session has something in common with this one, and somebody has to look. Sent again for a new sign or an undone decision.",
		[]string{"signs"},
	},
	{
		"duplicate.decided", "A reviewer said whether two sessions are of one person, or undid it. Each of the two has the event.",
		[]string{"signs", "decision"},
	},
	{"screening.list_activated", "A version of a watchlist is in use. It belongs to no session.", []string{"list", "version"}},
	{"screening.list_held", "A version of a watchlist is held and waits for somebody to look. It belongs to no session.", []string{"list", "version"}},
	{"workflow.published", "A workflow version was published; new sessions follow it. It belongs to no session.", []string{"workflow", "version", "name"}},
}

// Kinds returns the table of published events.
func Kinds() []Kind { return slices.Clone(kinds) }

// Types returns the types of event that an endpoint can subscribe to.
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

// Published reports whether events of a type leave the deployment.
func Published(typ string) bool {
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
	Payload map[string]any // as it was written; a Message has only the keys of its Kind
}

// Message is a published event: the body of a webhook and an item of the feed.
type Message struct {
	ID        idv.EventID    `json:"id"`
	Type      string         `json:"type"`
	Timestamp time.Time      `json:"timestamp"`
	Mode      idv.Mode       `json:"mode"`
	Session   idv.SessionID  `json:"session"`
	Data      map[string]any `json:"data"`
}

// plainWord matches ids, codes and words of the vocabulary, and nothing that somebody may have typed.
var plainWord = regexp.MustCompile(`^[a-z0-9_.]{1,64}$`)

// MessageOf returns the message of an event. It contains no personal data: keys that the table does not name, and values
// that are neither ids nor codes, are left out.
func MessageOf(e Event) Message {
	m := Message{ID: e.ID, Type: e.Type, Timestamp: e.At.UTC(), Mode: e.Mode, Session: e.Session, Data: map[string]any{}}
	k, _ := kindOf(e.Type)
	for _, key := range k.Keys {
		if v, ok := publishable(e.Payload[key]); ok {
			m.Data[key] = v
		}
	}
	return m
}

// publishable returns a value if it is a plain word, or the plain words of a list.
func publishable(v any) (any, bool) {
	raw, err := json.Marshal(v)
	if err != nil || v == nil {
		return nil, false
	}
	var word string
	if json.Unmarshal(raw, &word) == nil {
		return word, plainWord.MatchString(word)
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	list = slices.DeleteFunc(list, func(s string) bool { return !plainWord.MatchString(s) })
	return list, true
}

// referred is the body of a webhook that says which of the integrator's sessions it is about.
type referred struct {
	Message
	ExternalReference string            `json:"external_reference"`
	Metadata          map[string]string `json:"metadata"`
	Snapshot          json.RawMessage   `json:"snapshot,omitempty"`
}

// body returns the body of an event for an endpoint. What it says beyond ids is as it is now, so that it can differ between two attempts,
// and is gone once the session is erased.
func (s *Service) body(ctx context.Context, e Endpoint, event Event) ([]byte, error) {
	var out any = MessageOf(event)
	if e.Content.Personal() && event.Session != "" && s.about != nil {
		about, err := s.about.Subject(ctx, event.Session, e.Content == ContentSession)
		if err != nil && !problem.Has(err, problem.NotFound) {
			return nil, err
		}
		if about.Metadata == nil {
			about.Metadata = map[string]string{}
		}
		out = referred{MessageOf(event), about.ExternalReference, about.Metadata, about.Session}
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("write a webhook's body: %w", err)
	}
	return raw, nil
}
