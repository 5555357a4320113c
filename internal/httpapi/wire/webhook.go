package wire

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// WebhookEndpoint is a target that events are delivered to.
type WebhookEndpoint struct {
	ID             idv.EndpointID `json:"id" example:"whk_06c1q2m3n4p5r6s7t8v9w0x1y2"`
	Mode           idv.Mode       `json:"mode"`
	URL            string         `json:"url" example:"https://hooks.example.com/bonafide"`
	Events         []string       `json:"events" doc:"Types of event that are delivered; empty for all"`
	Content        string         `json:"content" enum:"ids,reference,session"`
	CreatedAt      time.Time      `json:"created_at"`
	FailingSince   *time.Time     `json:"failing_since" doc:"Nothing has arrived since; null while deliveries arrive"`
	StoppedAt      *time.Time     `json:"stopped_at"`
	PausedAt       *time.Time     `json:"paused_at" doc:"Somebody paused it then: what becomes due waits, for 30 days at most; null while events are sent"`
	OldSecretUntil *time.Time     `json:"old_secret_until" doc:"Until then the secret before the newest signs as well; null when only one does"`
	Secret         string         `json:"secret,omitempty" example:"whsec_…" doc:"What signatures are made with. Shown once, when it is made"`
}

// WebhookEndpointList is every endpoint of a mode.
type WebhookEndpointList struct {
	Items []WebhookEndpoint `json:"items" doc:"Oldest first"`
	Types []EventKind       `json:"types" doc:"What an endpoint can ask for"`
}

// EventKind is a type of event.
type EventKind struct {
	Type string `json:"type" example:"session.approved"`
	When string `json:"when" doc:"In words"`
}

// NewWebhookEndpoint is what it takes to make an endpoint.
type NewWebhookEndpoint struct {
	Mode   idv.Mode `json:"mode,omitempty" doc:"Console only: an API key has a mode of its own"`
	URL    string   `json:"url" minLength:"1" maxLength:"2000"`
	Events []string `json:"events,omitempty" maxItems:"50" doc:"Types of event; all if left out"`

	Content string `json:"content,omitempty" enum:"ids,reference,session"`
}

// WebhookEndpointChange is what somebody changes about an endpoint. What is left out stays as it is.
type WebhookEndpointChange struct {
	URL     *string   `json:"url,omitempty" minLength:"1" maxLength:"2000"`
	Events  *[]string `json:"events,omitempty" maxItems:"50" doc:"Types of event; empty for all"`
	Content *string   `json:"content,omitempty" enum:"ids,reference,session"`
	Paused  *bool     `json:"paused,omitempty" doc:"Whether what becomes due waits"`
}

// WebhookDelivery is an event on its way to an endpoint.
type WebhookDelivery struct {
	ID        idv.DeliveryID `json:"id"`
	Event     idv.EventID    `json:"event" doc:"Also the webhook-id, the same at every try"`
	Type      string         `json:"type" example:"session.approved"`
	Session   idv.SessionID  `json:"session" doc:"Empty for a test event"`
	Status    string         `json:"status" enum:"due,delivered,given_up"`
	Attempt   int            `json:"attempt" doc:"Tries so far; sending again starts over"`
	NextAt    *time.Time     `json:"next_at" doc:"Of the next try; null when there is none"`
	CreatedAt time.Time      `json:"created_at"`
	EndedAt   *time.Time     `json:"ended_at" doc:"Delivered, or given up"`
	Tries     []WebhookTry   `json:"tries" doc:"The last twenty, oldest first"`
}

// WebhookTry is one attempt at a delivery.
type WebhookTry struct {
	At      time.Time `json:"at"`
	Status  int       `json:"status" doc:"HTTP status of the answer; 0 without one"`
	TookMS  int64     `json:"took_ms"`
	Fault   string    `json:"fault" enum:",status,redirect,timeout,target,tls,connection" doc:"Why it failed; empty where it did not"`
	Excerpt string    `json:"excerpt"`
}

// WebhookDeliveryPage is one page of deliveries.
type WebhookDeliveryPage struct {
	Items []WebhookDelivery `json:"items" doc:"Newest first"`
	Next  string            `json:"next" doc:"Send as after to get the next page; empty at the end"`
}

// EventMessage is an event as webhooks carry it.
type EventMessage struct {
	ID        idv.EventID    `json:"id"`
	Type      string         `json:"type" example:"session.approved"`
	Timestamp time.Time      `json:"timestamp"`
	Mode      idv.Mode       `json:"mode"`
	Session   idv.SessionID  `json:"session"`
	Data      map[string]any `json:"data" doc:"Ids, outcome and reason codes; nothing personal"`
}

// EventPage is one page of the feed.
type EventPage struct {
	Items []EventMessage `json:"items"`
	Next  string         `json:"next" doc:"Send as after to go on. In the feed it stays good where there is nothing new yet"`
}

// EndpointChange returns what is changed about an endpoint.
func EndpointChange(c WebhookEndpointChange) webhook.Change {
	return webhook.Change{URL: c.URL, Events: c.Events, Content: (*webhook.Content)(c.Content), Paused: c.Paused}
}

// EndpointOf returns the wire form of an endpoint at that time, without its secret.
func EndpointOf(e webhook.Endpoint, now time.Time) WebhookEndpoint {
	return WebhookEndpoint{
		ID: e.ID, Mode: e.Mode, URL: e.URL, Events: NonNil(e.Events), Content: string(e.Content), CreatedAt: e.CreatedAt.UTC(),
		FailingSince: OptionalTime(e.FailingSince), PausedAt: OptionalTime(e.HeldAt),
		StoppedAt: OptionalTime(e.StoppedAt), OldSecretUntil: OptionalTime(e.OverlapUntil(now)),
	}
}

// EndpointWithSecret is EndpointOf with the secret, for an endpoint whose secret was made just now.
func EndpointWithSecret(e webhook.Endpoint, now time.Time) WebhookEndpoint {
	out := EndpointOf(e, now)
	out.Secret = e.Secret()
	return out
}

// DeliveryOf returns the wire form of a delivery with its tries; excerpts of the answers only if answers is set.
func DeliveryOf(d webhook.Delivery, answers bool) WebhookDelivery {
	out := WebhookDelivery{
		ID: d.ID, Event: d.Event, Type: d.Type, Session: d.Session, Status: string(d.State), Attempt: d.AttemptCount,
		NextAt: OptionalTime(d.NextAt), CreatedAt: d.CreatedAt.UTC(), EndedAt: OptionalTime(d.EndedAt), Tries: []WebhookTry{},
	}
	for _, t := range d.Attempts {
		one := WebhookTry{At: t.At.UTC(), Status: t.Status, TookMS: t.Took.Round(time.Millisecond).Milliseconds(), Fault: string(t.Fault)}
		if answers {
			one.Excerpt = t.Excerpt
		}
		out.Tries = append(out.Tries, one)
	}
	return out
}

// EventMessagesOf returns the wire forms of events.
func EventMessagesOf(events []webhook.Event) []EventMessage {
	out := []EventMessage{}
	for _, e := range events {
		out = append(out, EventMessage(webhook.MessageOf(e)))
	}
	return out
}
