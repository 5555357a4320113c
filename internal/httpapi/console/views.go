package console

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// Views answers the calls on saved views, which are each member's own.
type Views struct {
	views *review.Views
}

// Routes returns the calls, in the order of the reference.
func (h *Views) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/views", ID: "listViews", Who: edge.Console, May: account.SessionsRead, Masks: true,
			Summary:     "One's saved views",
			Description: "Filters of the list of sessions that one gave a name.",
			Bind:        edge.Call(h.list),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/views", ID: "saveView", Who: edge.Console, May: account.SessionsRead, Masks: true,
			Sends: edge.JSON, Status: http.StatusCreated,
			Summary:     "Save a view",
			Description: "A filter under a name, for oneself. What is searched for is never part of it.",
			Bind:        edge.Call(h.save),
		},
		{
			Method: http.MethodDelete, Path: "/v1/console/views/{view}", ID: "deleteView", Who: edge.Console, May: account.SessionsRead, Masks: true,
			Status:      http.StatusNoContent,
			Summary:     "Delete a saved view",
			Description: "One's own.",
			Bind:        edge.Call(h.delete),
		},
	}
}

// byView is the input of calls on one saved view.
type byView struct {
	View idv.ViewID `path:"view" maxLength:"40" doc:"View id"`
}

func (h *Views) list(ctx context.Context, in *modeInput) (*wire.Answer[wire.SavedViews], error) {
	if err := edge.CheckMay(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := h.views.Views(ctx, edge.Member(ctx).ID, in.Mode)
	out := wire.SavedViews{Items: []wire.SavedView{}}
	for _, v := range found {
		out.Items = append(out.Items, wire.SavedViewOf(v))
	}
	return wire.Reply(out, err)
}

func (h *Views) save(ctx context.Context, in *wire.Body[wire.NewView]) (*wire.Answer[wire.SavedView], error) {
	if err := edge.CheckMay(ctx, account.SessionsRead, in.Body.Mode); err != nil {
		return nil, err
	}
	v, err := h.views.SaveView(ctx, session.SavedView{
		Owner: edge.Member(ctx).ID, Mode: in.Body.Mode, Name: in.Body.Name, Filter: wire.ViewFilterFrom(in.Body.Filter),
	})
	return wire.Reply(wire.SavedViewOf(v), err)
}

func (h *Views) delete(ctx context.Context, in *byView) (*wire.None, error) {
	v, err := h.views.View(ctx, edge.Member(ctx).ID, in.View)
	if err != nil {
		return nil, err
	}
	if err := edge.CheckMay(ctx, account.SessionsRead, v.Mode); err != nil {
		return nil, err
	}
	return nil, h.views.DeleteView(ctx, edge.Member(ctx).ID, in.View)
}
