package httpapi

import (
	"context"
	"crypto/ed25519"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// AuditLog is the log as it is read by people.
type AuditLog interface {
	AuditPage(ctx context.Context, f audit.Filter) ([]audit.Entry, error)
	AuditActions(ctx context.Context) ([]string, error)
	AuditProof(ctx context.Context, id idv.AuditID) (audit.Proof, error)
	AuditCheckpoint(ctx context.Context) (audit.Checkpoint, ed25519.PublicKey, error)
	AuditGrowth(ctx context.Context, from int64) (audit.Growth, error)
}

// auditRoutes are the calls that read the audit log. Reading it is not recorded in it, or it would grow by being read; what
// leaves it whole, such as a case file, is.
func (s *Server) auditRoutes() []edge.Route {
	const base = "/v1/console/audit"
	return []edge.Route{
		{Method: http.MethodGet, Path: "/v1/console/sessions/{id}/file", ID: "getCaseFile", Who: edge.Console, May: account.ReportsRead, Fresh: true,
			Summary: "Make a case file", Description: caseFileWords, Bind: edge.Call(s.caseFile)},
		{Method: http.MethodGet, Path: base + "/entries", ID: "listAuditEntries", Who: edge.Console, May: account.AuditRead,
			Summary: "Read the audit log", Description: "Who did what when, newest first, in pages. It holds ids, codes and times.", Bind: edge.Call(s.listAudit)},
		{Method: http.MethodGet, Path: base + "/entries/{entry}", ID: "getAuditProof", Who: edge.Console, May: account.AuditRead,
			Summary: "Prove an audit entry", Description: "The entry as it is hashed and its path up to the newest signed checkpoint (RFC 6962 §2.1.1). `bonafide audit verify` checks it without this server.", Bind: edge.Call(s.proveAudit)},
		{Method: http.MethodGet, Path: base + "/checkpoint", ID: "getCheckpoint", Who: edge.Console, May: account.AuditRead,
			Summary: "Read the newest checkpoint", Description: "Size and root of the log, signed. Keep one elsewhere: with it you can tell later whether the log only grew.", Bind: edge.Call(s.getCheckpoint)},
		{Method: http.MethodGet, Path: base + "/consistency", ID: "getConsistency", Who: edge.Console, May: account.AuditRead,
			Summary: "Prove that the log only grew", Description: "From a checkpoint of the past to the newest (RFC 6962 §2.1.2). Compare the older one with the one that you kept.", Bind: edge.Call(s.proveGrowth)},
	}
}

type auditInput struct {
	Actor  string      `query:"actor" maxLength:"40" doc:"Only what one did: user, api_key, applicant or system, or the id of a member, a key or a session"`
	Action string      `query:"action" maxLength:"64" doc:"Only this action"`
	About  string      `query:"about" maxLength:"80" doc:"Only entries about the session, or the thing, with this id"`
	From   string      `query:"from" maxLength:"30" doc:"At or after: YYYY-MM-DD or RFC 3339"`
	To     string      `query:"to" maxLength:"30" doc:"Before: YYYY-MM-DD or RFC 3339"`
	Limit  int         `query:"limit" minimum:"1" maximum:"100" default:"50" doc:"Rows of a page"`
	After  idv.AuditID `query:"after" maxLength:"40" doc:"The next of the page before"`
}

type byAudit struct {
	Entry idv.AuditID `path:"entry" maxLength:"40" doc:"Id of the entry"`
}

type growthInput struct {
	From int64 `query:"from" minimum:"1" required:"true" doc:"Size of the older checkpoint"`
}
