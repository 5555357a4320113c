package console

import (
	"context"
	"crypto/ed25519"
	"net/http"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Audit answers the calls that read the audit log. Reading it is not recorded in it, or it would grow by being read; what leaves
// it whole, such as a case file, is.
type Audit struct {
	log     AuditLog
	members *team.Members
}

// Routes returns the calls, in the order of the reference.
func (h *Audit) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/audit/entries", ID: "listAuditEntries", Who: edge.Console, May: account.AuditRead,
			Summary:     "Read the audit log",
			Description: "The entries, newest first, in pages: actor, action and time, with ids and codes.",
			Bind:        edge.Call(h.list),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/audit/entries/{entry}", ID: "getAuditProof", Who: edge.Console, May: account.AuditRead,
			Summary: "Prove an audit entry",
			Description: "The entry as it is hashed and its path up to the newest signed checkpoint (RFC 6962 §2.1.1). `bonafide audit verify` " +
				"checks it without this server.",
			Bind: edge.Call(h.prove),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/audit/checkpoint", ID: "getCheckpoint", Who: edge.Console, May: account.AuditRead,
			Summary:     "Read the newest checkpoint",
			Description: "Size and root of the log, signed. Keep one elsewhere: with it you can tell later whether the log only grew.",
			Bind:        edge.Call(h.checkpoint),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/audit/consistency", ID: "getConsistency", Who: edge.Console, May: account.AuditRead,
			Summary:     "Prove that the log only grew",
			Description: "From a checkpoint of the past to the newest (RFC 6962 §2.1.2). Compare the older one with the one that you kept.",
			Bind:        edge.Call(h.proveGrowth),
		},
	}
}

func (h *Audit) list(ctx context.Context, in *auditInput) (*wire.Answer[wire.AuditPage], error) {
	f, err := in.filter()
	if err != nil {
		return nil, err
	}
	actions, err := h.log.AuditActions(ctx)
	if err != nil {
		return nil, err
	}
	if in.Action != "" && !slices.Contains(actions, in.Action) && !canBeAction(in.Action) {
		return nil, wire.Malformed("action", "It is an action of the log, such as session.created.")
	}
	found, err := h.log.AuditPage(ctx, f)
	if err != nil {
		return nil, err
	}
	out := wire.AuditPage{Actions: actions}
	if len(found) == f.Limit {
		found = found[:in.Limit]
		out.Next = found[in.Limit-1].ID
	}
	out.Items, err = h.toWire(ctx, found)
	return wire.Reply(out, err)
}

// filter asks for one row more than a page has, which tells whether there is another page. Problems: request.malformed.
func (in *auditInput) filter() (audit.Filter, error) {
	f, err := in.AuditNarrowing.filter()
	f.Limit, f.After = in.Limit+1, in.After
	if _, ok := idv.ParseID[idv.AuditID](string(in.After)); in.After != "" && !ok {
		return f, problem.New(problem.RequestMalformed).At("after").Saying("It is the cursor of the page before.")
	}
	return f, err
}

// filter returns the filter that the query describes. Problems: request.malformed, also where no entry can match.
func (in *AuditNarrowing) filter() (audit.Filter, error) {
	f := audit.Filter{Action: in.Action, About: in.About}
	if k := audit.ActorKind(in.Actor); slices.Contains(audit.ActorKinds(), k) {
		f.Actor = k
	} else {
		f.ActorID = in.Actor
	}
	if f.ActorID != "" && !canAct(f.ActorID) {
		return f, wire.Malformed("actor", "It is user, api_key, applicant or system, or the id of a member, a key or a session.")
	}
	var err error
	if f.From, err = wire.ParseTime("from", in.From); err != nil {
		return f, err
	}
	if f.To, err = wire.ParseTime("to", in.To); err != nil {
		return f, err
	}
	if !f.From.IsZero() && !f.To.IsZero() && f.To.Before(f.From) {
		return f, wire.Malformed("to", "It is before from.")
	}
	return f, nil
}

// acted are what actions are about, the part before the point. One that the log has no entry of yet may still come.
var acted = []string{
	"audit", "backup", "case", "evidence", "invitation", "key", "member", "proof", "retention", "session", "sessions", "trust", "user", "verification", "view",
	"webhook", "workflow",
}

// canBeAction reports whether something can be the name of an action.
func canBeAction(name string) bool {
	about, what, ok := strings.Cut(name, ".")
	return ok && what != "" && slices.Contains(acted, about)
}

// canAct reports whether an id is of a kind that can be an actor's.
func canAct(id string) bool {
	_, member := idv.ParseID[idv.UserID](id)
	_, key := idv.ParseID[idv.KeyID](id)
	_, applicant := idv.ParseID[idv.SessionID](id)
	return member || key || applicant
}

// toWire returns the wire forms of audit entries, with the names of their actors.
func (h *Audit) toWire(ctx context.Context, found []audit.Entry) ([]wire.AuditEntry, error) {
	var ids []idv.UserID
	for _, e := range found {
		if id, ok := idv.ParseID[idv.UserID](e.ActorID); ok {
			ids = append(ids, id)
		}
	}
	names, err := h.members.Names(ctx, ids...)
	out := []wire.AuditEntry{}
	for _, e := range found {
		out = append(out, wire.AuditEntryOf(e, names))
	}
	return out, err
}

func (h *Audit) prove(ctx context.Context, in *byAudit) (*wire.Answer[audit.EntryDocument], error) {
	if _, ok := idv.ParseID[idv.AuditID](string(in.Entry)); !ok {
		return nil, problem.New(problem.NotFound)
	}
	p, err := h.log.AuditProof(ctx, in.Entry)
	if err != nil {
		return nil, err
	}
	return wire.Reply(p.Document())
}

func (h *Audit) checkpoint(ctx context.Context, _ *wire.None) (*wire.Answer[audit.CheckpointDocument], error) {
	c, key, err := h.log.AuditCheckpoint(ctx)
	return wire.Reply(c.Document(key), err)
}

func (h *Audit) proveGrowth(ctx context.Context, in *growthInput) (*wire.Answer[audit.ConsistencyDocument], error) {
	g, err := h.log.AuditGrowth(ctx, in.From)
	return wire.Reply(g.Document(), err)
}

// AuditLog is the log as it is read by people.
type AuditLog interface {
	AuditPage(ctx context.Context, f audit.Filter) ([]audit.Entry, error)
	AuditActions(ctx context.Context) ([]string, error)
	AuditProof(ctx context.Context, id idv.AuditID) (audit.Proof, error)
	AuditCheckpoint(ctx context.Context) (audit.Checkpoint, ed25519.PublicKey, error)
	AuditGrowth(ctx context.Context, from int64) (audit.Growth, error)
}

// AuditNarrowing narrows the audit log. Exported because the framework ignores embedded structs that are not.
type AuditNarrowing struct {
	Actor  string `query:"actor" maxLength:"40" doc:"Only what one did: user, api_key, applicant or system, or the id of a member, a key or a session"`
	Action string `query:"action" maxLength:"64" doc:"Only this action"`
	About  string `query:"about" maxLength:"80" doc:"Only entries about the session, or the thing, with this id"`
	From   string `query:"from" maxLength:"30" doc:"At or after: YYYY-MM-DD or RFC 3339"`
	To     string `query:"to" maxLength:"30" doc:"Before: YYYY-MM-DD or RFC 3339"`
}

type auditInput struct {
	AuditNarrowing
	Limit int         `query:"limit" minimum:"1" maximum:"100" default:"50" doc:"Rows of a page"`
	After idv.AuditID `query:"after" maxLength:"40" doc:"The next of the page before"`
}

type byAudit struct {
	Entry idv.AuditID `path:"entry" maxLength:"40" doc:"Id of the entry"`
}

type growthInput struct {
	From int64 `query:"from" minimum:"1" required:"true" doc:"Size of the older checkpoint"`
}
