package integrator

import (
	"context"
	"net/http"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// Screening answers the calls on watchlists, and on what was found on them.
type Screening struct {
	keeper   *lists.Keeper
	hits     *review.Hits
	sessions *session.Service
	screens  *sessions.Screens
	now      func() time.Time
}

// Routes returns the calls, in the order of the reference.
func (h *Screening) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/sessions/{id}/screening", ID: "getSessionScreening", Who: edge.Integrator, May: account.ReportsRead,
			Summary: "Read the screening hits of a session",
			Description: "Entries of watchlists that may be the person, with what speaks for and against it, and how reviewers decided. Notes of reviewers " +
				"are not among it.",
			Bind: edge.Call(h.ofSession),
		},
		{
			Method: http.MethodPost, Path: "/v1/screenings", ID: "screen", Who: edge.Integrator, May: account.WatchlistsRead, Sends: edge.JSON, Unkept: true,
			Summary: "Look for a person on the watchlists, without a session",
			Description: "Each finding names the list, its version and the digest of what was searched, with a part-by-part comparison. Nothing of it is " +
				"kept: the audit log says which facts were searched by, and not for whom. Codes in reasons say why the answer may not be whole; an answer " +
				"without hits is clear only if there are none. `screening.not_ready` while the lists are compiled.",
			Bind: edge.Call(h.screen),
		},
		{
			Method: http.MethodGet, Path: "/v1/watchlists", ID: "getWatchlists", Who: edge.Integrator, May: account.WatchlistsRead,
			Summary:     "List the watchlists of the deployment",
			Description: "With their versions, age, size, and what is held and why. They are the same in both modes.",
			Bind:        edge.Call(h.list),
		},
		{
			Method: http.MethodPost, Path: "/v1/watchlists/{list}/versions", ID: "sendWatchlist", Who: edge.Integrator, May: account.WatchlistsWrite,
			Sends: edge.Watchlist, Status: http.StatusCreated,
			Summary: "Upload a version of a watchlist",
			Description: "The file as its publisher offers it, at most 256 MiB; its format is found from its content. In use at once unless a guard holds " +
				"it, or the list asks for somebody to look first. Takes a live key: the lists are the same in both modes.",
			Bind: edge.Call(h.upload),
		},
	}
}

func (h *Screening) ofSession(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.HitList], error) {
	if _, err := h.sessions.Get(ctx, edge.KeyMode(ctx), in.ID); err != nil {
		return nil, err
	}
	hits, err := h.hits.Of(ctx, in.ID)
	out := wire.HitList{Items: wire.HitsOf(hits)}
	for i := range out.Items {
		out.Items[i].Note = ""
		wire.DropNotes(out.Items[i].Said)
	}
	return wire.Reply(out, err)
}

func (h *Screening) screen(ctx context.Context, in *wire.Body[wire.WatchlistSearch]) (*wire.Answer[wire.WatchlistFound], error) {
	return h.screens.Search(ctx, in.Body)
}

func (h *Screening) list(ctx context.Context, _ *wire.None) (*wire.Answer[wire.WatchlistList], error) {
	all, err := h.keeper.Lists(ctx)
	if err != nil {
		return nil, err
	}
	versions, err := h.keeper.Versions(ctx, "")
	out := wire.WatchlistList{Items: []wire.Watchlist{}}
	for _, l := range all {
		out.Items = append(out.Items, wire.WatchlistOf(l, versions, h.now()))
	}
	return wire.Reply(out, err)
}

func (h *Screening) upload(ctx context.Context, in *ByWatchlist) (*wire.Answer[wire.WatchlistVersion], error) {
	if edge.KeyMode(ctx) != idv.Live {
		return nil, problem.New(problem.AuthForbidden).Saying("It takes a live key: the lists are the same in both modes.")
	}
	v, err := h.keeper.Import(ctx, in.List, lists.Uploaded, edge.HTTPRequest(ctx).Body)
	return wire.Reply(wire.WatchlistVersionOf(v), err)
}

// ByWatchlist is the input of calls on one list. Exported because the framework ignores embedded structs that are not.
type ByWatchlist struct {
	List idv.WatchlistID `path:"list" maxLength:"40" doc:"Id of a watchlist"`
}
