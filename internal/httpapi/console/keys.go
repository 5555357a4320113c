package console

import (
	"context"
	"net/http"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Keys answers the calls on API keys.
type Keys struct {
	keys *apikey.Service
	now  func() time.Time
}

// Routes returns the calls, in the order of the reference.
func (h *Keys) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/keys", ID: "listKeys", Who: edge.Console, May: account.KeysRead,
			Summary:     "List API keys",
			Description: "Those of a mode, without their secrets, and what you may give to a new one.",
			Bind:        edge.Call(h.list),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/keys", ID: "createKey", Who: edge.Console, May: account.KeysWrite, Fresh: true,
			Sends: edge.JSON, Status: http.StatusCreated,
			Summary:     "Make an API key",
			Description: "The key itself is answered this once. It can do nothing that you may not do in its mode.",
			Bind:        edge.Call(h.create),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/keys/{id}/rotate", ID: "rotateKey", Who: edge.Console, May: account.KeysWrite, Fresh: true,
			Sends: edge.JSON, Status: http.StatusCreated,
			Summary:     "Rotate an API key",
			Description: "Makes a key of the same name, mode and scopes; the old one goes on for a while.",
			Bind:        edge.Call(h.rotate),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/keys/{id}/revoke", ID: "revokeKey", Who: edge.Console, May: account.KeysWrite,
			Sends:       edge.JSON,
			Summary:     "Revoke an API key",
			Description: "Ends it at once, for ever.",
			Bind:        edge.Call(h.revoke),
		},
	}
}

func (h *Keys) list(ctx context.Context, in *wire.ByMode) (*wire.Answer[wire.APIKeyList], error) {
	if err := edge.CheckMay(ctx, account.KeysRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := h.keys.List(ctx, in.Mode)
	out := wire.APIKeyList{Items: []wire.APIKey{}, Scopes: []wire.KeyScope{}}
	for _, k := range found {
		out.Items = append(out.Items, wire.APIKeyOf(k, "", h.now()))
	}
	for _, r := range account.Rules() {
		if r.Key && edge.May(ctx, account.KeysWrite, in.Mode) && edge.May(ctx, r.Permission, in.Mode) {
			out.Scopes = append(out.Scopes, wire.KeyScope{Scope: string(r.Permission), What: r.What})
		}
	}
	return wire.Reply(out, err)
}

func (h *Keys) create(ctx context.Context, in *wire.Body[wire.NewAPIKey]) (*wire.Answer[wire.APIKey], error) {
	o := apikey.Request{Name: in.Body.Name, Mode: wire.ModeOrTest(in.Body.Mode)}
	for _, scope := range in.Body.Scopes {
		o.Scopes = append(o.Scopes, account.Permission(scope))
	}
	if in.Body.ExpiresAt != nil {
		o.ExpiresAt = *in.Body.ExpiresAt
	}
	k, secret, err := h.keys.Issue(ctx, edge.Member(ctx), o)
	return wire.Reply(wire.APIKeyOf(k, secret, h.now()), err)
}

func (h *Keys) rotate(ctx context.Context, in *keyRotation) (*wire.Answer[wire.APIKey], error) {
	if err := h.checkMayManage(ctx, in.ByKey); err != nil {
		return nil, err
	}
	k, secret, err := h.keys.Rotate(ctx, edge.Member(ctx), in.ID, time.Duration(in.Body.GraceHours)*time.Hour)
	return wire.Reply(wire.APIKeyOf(k, secret, h.now()), err)
}

func (h *Keys) revoke(ctx context.Context, in *byKeyPosted) (*wire.Answer[wire.APIKey], error) {
	if err := h.checkMayManage(ctx, in.ByKey); err != nil {
		return nil, err
	}
	k, err := h.keys.Revoke(ctx, in.ID)
	return wire.Reply(wire.APIKeyOf(k, "", h.now()), err)
}

// checkMayManage refuses with not_found a key of a mode in which the person who is signed in may not manage keys.
func (h *Keys) checkMayManage(ctx context.Context, in ByKey) error {
	k, err := h.keys.Find(ctx, in.ID)
	if err == nil && !edge.May(ctx, account.KeysWrite, k.Mode) {
		return problem.New(problem.NotFound)
	}
	return err
}

// ByKey is the input of calls on one API key. Exported because the framework ignores embedded structs that are not.
type ByKey struct {
	ID idv.KeyID `path:"id" maxLength:"40" doc:"Key id"`
}

type byKeyPosted struct {
	ByKey
	Body *wire.Empty `required:"false"`
}

type keyRotation struct {
	ByKey
	Body wire.KeyRotation
}
