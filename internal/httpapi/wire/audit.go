package wire

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// AuditEntry is a line of the audit log.
type AuditEntry struct {
	ID       idv.AuditID     `json:"id"`
	Position *int64          `json:"position" doc:"In the log, from 0; null for the moment until it has one"`
	At       time.Time       `json:"at"`
	Actor    audit.ActorKind `json:"actor" enum:"system,api_key,applicant,user"`
	ActorID  string          `json:"actor_id" doc:"Empty for the system, and where nobody was signed in"`
	Name     string          `json:"actor_name" doc:"What a member is called; empty for others"`
	Address  string          `json:"address" doc:"The network it came from; never a whole address"`
	Action   string          `json:"action" example:"session.created"`
	Session  idv.SessionID   `json:"session" doc:"Empty where none is concerned"`
	Subject  string          `json:"subject" doc:"Id or digest of the thing, where it is not the session itself"`
}

// AuditPage is one page of the audit log.
type AuditPage struct {
	Items   []AuditEntry `json:"items"`
	Next    idv.AuditID  `json:"next" doc:"Send as after to get the next page; empty at the end"`
	Actions []string     `json:"actions" doc:"Every action that the log knows"`
}

// AuditEntryOf returns the wire form of an audit entry. names must hold that of its actor, if that is a member.
func AuditEntryOf(e audit.Entry, names map[idv.UserID]string) AuditEntry {
	out := AuditEntry{
		ID: e.ID, At: e.At.UTC(), Actor: e.Actor, ActorID: e.ActorID, Name: names[idv.UserID(e.ActorID)], Address: e.Address,
		Action: e.Action, Session: e.Session, Subject: e.Subject,
	}
	if e.Position >= 0 {
		out.Position = &e.Position
	}
	return out
}
