package integrator

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// Sessions answers the calls on sessions.
type Sessions struct {
	sessions *session.Service
	pictures *review.Pictures
	calls    *sessions.Calls
}

// Routes returns the calls, in the order of the reference.
func (h *Sessions) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/sessions", ID: "createSession", Who: edge.Integrator, May: account.SessionsWrite, Sends: edge.JSON,
			Status:      http.StatusCreated,
			Summary:     "Create a session",
			Description: "Makes a session for one person and answers the link to send them. The mode is the key's.",
			Bind:        edge.Call(h.create),
		},
		{
			Method: http.MethodGet, Path: "/v1/sessions", ID: "listSessions", Who: edge.Integrator, May: account.SessionsRead,
			Summary: "List sessions",
			Description: "Newest first unless `sort` says otherwise, in pages. What the integrator stated (reference, metadata) is looked for by `POST " +
				"/v1/sessions/search`, where it reaches no address and no log.",
			Bind: edge.Call(h.list),
		},
		{
			Method: http.MethodGet, Path: "/v1/sessions/{id}", ID: "getSession", Who: edge.Integrator, May: account.SessionsRead,
			Summary: "Read a session",
			Description: "Its state, who acts next, the outcome once there is one, and, to a key with `reports.read`, who it is (`verified`) once it is " +
				"approved.",
			Bind: edge.Call(h.get),
		},
		{
			Method: http.MethodPatch, Path: "/v1/sessions/{id}", ID: "updateSession", Who: edge.Integrator, May: account.SessionsWrite,
			Sends:   edge.JSON,
			Summary: "Change reference and metadata",
			Description: "In any state, until the session is erased. It changes nothing about how the session goes on, nor until when it is kept." +
				sessions.NarrowKeyNote,
			Bind: edge.Call(h.update),
		},
		{
			Method: http.MethodPost, Path: "/v1/sessions/{id}/cancel", ID: "cancelSession", Who: edge.Integrator, May: account.SessionsWrite,
			Sends:       edge.JSON,
			Summary:     "Cancel a session",
			Description: "Ends a session that has no verdict yet." + sessions.NarrowKeyNote,
			Bind:        edge.Call(h.cancel),
		},
		{
			Method: http.MethodPost, Path: "/v1/sessions/{id}/link", ID: "newLink", Who: edge.Integrator, May: account.SessionsWrite,
			Sends:       edge.JSON,
			Summary:     "Make a new link",
			Description: "The old link stops working. Needed when a link was lost, expired, or opened on the wrong device." + sessions.NarrowKeyNote,
			Bind:        edge.Call(h.renewLink),
		},
		{
			Method: http.MethodGet, Path: "/v1/sessions/{id}/report", ID: "getReport", Who: edge.Integrator, May: account.ReportsRead,
			Summary:     "Read the report",
			Description: "Every check and claim, frozen, and the decisions taken on it. `not_found` before the first decision.",
			Bind:        edge.Call(h.report),
		},
		{
			Method: http.MethodGet, Path: "/v1/sessions/{id}/evidence/{capture}", ID: "getEvidence", Who: edge.Integrator, May: account.EvidenceRead,
			Summary:     "Open a picture",
			Description: "A picture as it was sent, turned upright and without metadata. Each view is audited.",
			Bind:        edge.Call(h.evidence),
		},
	}
}

func (h *Sessions) create(ctx context.Context, in *wire.Body[wire.NewSession]) (*wire.Answer[wire.Session], error) {
	mode := edge.KeyMode(ctx)
	if in.Body.Mode != "" && in.Body.Mode != mode {
		return nil, problem.New(problem.RequestMalformed).At("/mode").Saying("The API key decides the mode.")
	}
	in.Body.Mode = mode
	return h.calls.Create(ctx, in.Body)
}

func (h *Sessions) list(ctx context.Context, in *wire.SessionList) (*wire.Answer[wire.SessionPage], error) {
	f, err := in.Filter(edge.KeyMode(ctx))
	if err != nil {
		return nil, err
	}
	return wire.Reply(h.calls.List(ctx, f, in.ListMore, edge.APIKey(ctx).May(account.ReportsRead), h.sessions.List))
}

func (h *Sessions) update(ctx context.Context, in *wire.OnSession[wire.SessionChange]) (*wire.Answer[wire.Session], error) {
	v, err := h.sessions.Update(ctx, edge.KeyMode(ctx), in.ID, session.Change{
		ExternalReference: in.Body.ExternalReference, Metadata: in.Body.Metadata,
	})
	return wire.Reply(written(ctx, wire.SessionOf(v)), err)
}

func (h *Sessions) get(ctx context.Context, in *wire.OneSession) (*wire.Answer[wire.Session], error) {
	v, err := h.sessions.Get(ctx, edge.KeyMode(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return wire.Reply(h.calls.One(ctx, v, in.Expand, edge.APIKey(ctx).May(account.ReportsRead)))
}

func (h *Sessions) cancel(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Session], error) {
	v, err := h.sessions.Cancel(ctx, edge.KeyMode(ctx), in.ID)
	return wire.Reply(written(ctx, wire.SessionOf(v)), err)
}

func (h *Sessions) renewLink(ctx context.Context, in *wire.RenewLink) (*wire.Answer[wire.Session], error) {
	made, err := h.sessions.SendLink(ctx, edge.KeyMode(ctx), in.ID, in.Send())
	return wire.Reply(written(ctx, h.calls.WithLink(made)), err)
}

// written returns a session as the key that changed it may see it. Keys to write are made by people who may not read live sessions:
// a key without sessions.read gets the state, the times and the link that it asked for, but nothing that somebody stated.
func written(ctx context.Context, x wire.Session) wire.Session {
	if edge.APIKey(ctx).May(account.SessionsRead) {
		return x
	}
	out := wire.WithoutPersonalData(x)
	out.ExternalReference, out.URL = "", x.URL
	return out
}

func (h *Sessions) report(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.ReportAndDecisions], error) {
	report, decisions, err := h.sessions.Report(ctx, edge.KeyMode(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	reviews, err := h.sessions.Reviews(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	v, err := h.sessions.Get(ctx, edge.KeyMode(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	who, err := h.sessions.Verified(ctx, v.Session)
	return wire.Reply(wire.ReportAndDecisions{
		Report: wire.ReportOf(report), Decisions: wire.DecisionsOf(decisions), Corrections: wire.CorrectedFactsOf(reviews), Verified: who,
	}, err)
}

func (h *Sessions) evidence(ctx context.Context, in *wire.ByCapture) (*wire.Picture, error) {
	p, err := h.pictures.Evidence(ctx, edge.KeyMode(ctx), in.ID, in.Capture, in.Frame)
	return wire.PictureOf(p, err)
}
