package httpapi

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// WebhookEndpoint is a target that events are delivered to.
type WebhookEndpoint struct {
	ID             idv.EndpointID `json:"id" example:"whk_06c1q2m3n4p5r6s7t8v9w0x1y2"`
	Mode           idv.Mode       `json:"mode"`
	URL            string         `json:"url" example:"https://hooks.example.com/bonafide"`
	Events         []string       `json:"events" doc:"Types of event that are delivered; empty for all"`
	CreatedAt      time.Time      `json:"created_at"`
	FailingSince   *time.Time     `json:"failing_since" doc:"Nothing has arrived since; null while deliveries arrive"`
	StoppedAt      *time.Time     `json:"stopped_at" doc:"It answered 410 Gone then, and nothing is sent to it until somebody starts it again; null while events are sent"`
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
	URL    string   `json:"url" minLength:"1" maxLength:"2000" doc:"https, without credentials, on the public internet. In test mode also http on this machine, where the operator allows it"`
	Events []string `json:"events,omitempty" maxItems:"50" doc:"Types of event; all if left out"`
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
	Excerpt string    `json:"excerpt" doc:"The beginning of the answer, at most 500 bytes; empty for whoever may not read sessions of that mode unmasked, since a receiver may answer with anything"`
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
