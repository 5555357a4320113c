package console

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
)

// Watchlists answers the calls on the watchlists of the deployment.
type Watchlists struct {
	keeper *lists.Keeper
	live   Compiled
	fetch  func(context.Context, idv.WatchlistID) error
	now    func() time.Time
}

// Compiled is what the server searches (lists.Live).
type Compiled interface {
	Compiled() lists.Compiled
}

// Routes returns the calls, in the order of the reference.
func (h *Watchlists) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/watchlists", ID: "listWatchlists", Who: edge.Console, May: account.WatchlistsRead,
			Summary:     "List the watchlists",
			Description: "With their versions, age, size, terms, and what is held and why.",
			Bind:        edge.Call(h.list),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/watchlists", ID: "createWatchlist", Who: edge.Console, May: account.WatchlistsWrite,
			Sends: edge.JSON, Status: http.StatusCreated,
			Summary:     "Add a watchlist",
			Description: "Without a version: upload one, or name the address that it is fetched from.",
			Bind:        edge.Call(h.create),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/watchlists/{list}/settings", ID: "changeWatchlist", Who: edge.Console, May: account.WatchlistsWrite,
			Sends: edge.JSON, Fresh: true,
			Summary:     "Change the settings of a watchlist",
			Description: "All of them at once. A list that is disabled is not searched. Audited.",
			Bind:        edge.Call(h.change),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/watchlists/{list}/versions", ID: "uploadWatchlist", Who: edge.Console,
			May: account.WatchlistsWrite, Sends: edge.Watchlist, Status: http.StatusCreated,
			Summary: "Upload a version of a watchlist",
			Description: "The file as its publisher offers it, at most 256 MiB; its format is found from its content. It is read as it arrives. It is in " +
				"use at once unless a guard holds it, or the list asks for somebody to look first. The same file again changes nothing.",
			Bind: edge.Call(h.upload),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/watchlists/{list}/fetch", ID: "fetchWatchlist", Who: edge.Console,
			May: account.WatchlistsWrite, Sends: edge.JSON, Status: http.StatusAccepted,
			Summary:     "Fetch a watchlist now",
			Description: "By a job; the list says how it went.",
			Bind:        edge.Call(h.fetchNow),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/watchlist-versions/{version}/difference", ID: "watchlistDifference", Who: edge.Console,
			May:         account.WatchlistsRead,
			Summary:     "What does a version change?",
			Description: "By name, against the version in use; of the one in use against the one before. Whoever may not see cases gets no names.",
			Bind:        edge.Call(h.difference),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/watchlist-versions/{version}/activate", ID: "activateWatchlist", Who: edge.Console,
			May: account.WatchlistsWrite, Fresh: true, Sends: edge.JSON,
			Summary:     "Use a version of a watchlist",
			Description: "One that waits, was in use before, or is held. People under monitoring are screened against what changed. Audited.",
			Bind:        edge.Call(h.activate),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/watchlist-versions/{version}/dismiss", ID: "dismissWatchlist", Who: edge.Console,
			May: account.WatchlistsWrite, Fresh: true, Sends: edge.JSON,
			Summary: "Do not use a version of a watchlist",
			Description: "One that waits or is held: the version in use stays. Of the one in use it ends the use; sessions are then referred. " +
				"Audited.",
			Bind: edge.Call(h.dismiss),
		},
	}
}

func (h *Watchlists) list(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Watchlists], error) {
	all, err := h.keeper.Lists(ctx)
	if err != nil {
		return nil, err
	}
	versions, err := h.keeper.Versions(ctx, "")
	if err != nil {
		return nil, err
	}
	c := h.live.Compiled()
	out := wire.Watchlists{
		Items: []wire.Watchlist{}, Missing: idv.ScreeningTopics(),
		Compiled: wire.CompiledLists{SHA256: c.Digest, People: c.People, Names: c.Names, Broken: c.Broken != nil},
	}
	for _, l := range all {
		one := wire.WatchlistOf(l, versions, h.now())
		out.Items = append(out.Items, one)
		if one.State != "empty" && one.State != "disabled" {
			out.Missing = slices.DeleteFunc(out.Missing, func(t idv.ScreeningTopic) bool { return slices.Contains(l.Topics, t) })
		}
	}
	return wire.Reply(out, nil)
}

func (h *Watchlists) create(ctx context.Context, in *wire.Body[wire.NewWatchlist]) (*wire.Answer[wire.Watchlist], error) {
	l, err := h.keeper.Create(ctx, in.Body.Name, in.Body.Settings())
	return h.reply(ctx, l, err)
}

func (h *Watchlists) change(ctx context.Context, in *watchlistPut) (*wire.Answer[wire.Watchlist], error) {
	l, err := h.keeper.Change(ctx, in.List, in.Body.Settings())
	return h.reply(ctx, l, err)
}

func (h *Watchlists) reply(ctx context.Context, l lists.List, err error) (*wire.Answer[wire.Watchlist], error) {
	if err != nil {
		return nil, err
	}
	versions, err := h.keeper.Versions(ctx, l.ID)
	return wire.Reply(wire.WatchlistOf(l, versions, h.now()), err)
}

func (h *Watchlists) upload(ctx context.Context, in *ByWatchlist) (*wire.Answer[wire.WatchlistVersion], error) {
	v, err := h.keeper.Import(ctx, in.List, lists.Uploaded, edge.HTTPRequest(ctx).Body)
	return wire.Reply(wire.WatchlistVersionOf(v), err)
}

func (h *Watchlists) fetchNow(ctx context.Context, in *watchlistPosted) (*wire.Answer[wire.Watchlist], error) {
	l, err := h.keeper.Find(ctx, in.List)
	if err == nil {
		err = h.fetch(ctx, l.ID)
	}
	return h.reply(ctx, l, err)
}

func (h *Watchlists) difference(ctx context.Context, in *ByWatchlistVersion) (*wire.Answer[wire.WatchlistDifference], error) {
	d, err := h.keeper.Difference(ctx, in.Version)
	out := wire.WatchlistDifferenceOf(d)
	if !account.May(edge.Member(ctx).Roles, account.CasesRead, idv.Live) { // an entry of an own list is somebody's name
		for i := range out.Entries {
			out.Entries[i].Name = ""
		}
	}
	return wire.Reply(out, err)
}

func (h *Watchlists) activate(ctx context.Context, in *watchlistVersionPosted) (*wire.Answer[wire.WatchlistVersion], error) {
	v, err := h.keeper.Activate(ctx, in.Version)
	return wire.Reply(wire.WatchlistVersionOf(v), err)
}

func (h *Watchlists) dismiss(ctx context.Context, in *watchlistVersionPosted) (*wire.Answer[wire.WatchlistVersion], error) {
	v, err := h.keeper.Dismiss(ctx, in.Version)
	return wire.Reply(wire.WatchlistVersionOf(v), err)
}

// ByWatchlist is the input of calls on one list. Exported because the framework ignores embedded structs that are not.
type ByWatchlist struct {
	List idv.WatchlistID `path:"list" maxLength:"40" doc:"Id of a watchlist"`
}

type watchlistPut struct {
	ByWatchlist
	Body wire.WatchlistSettings
}

type watchlistPosted struct {
	ByWatchlist
	Body *wire.Empty `required:"false"`
}

// ByWatchlistVersion is the input of calls on one version of a list.
type ByWatchlistVersion struct {
	Version idv.WatchlistVersionID `path:"version" maxLength:"40" doc:"Id of a version of a watchlist"`
}

type watchlistVersionPosted struct {
	ByWatchlistVersion
	Body *wire.Empty `required:"false"`
}
