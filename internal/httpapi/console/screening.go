package console

import (
	"context"
	"net/http"
	"slices"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/screening/monitor"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// Screening answers the calls on hits, on who is screened again, and the search by hand.
type Screening struct {
	hits    *review.Hits
	monitor *monitor.Monitor
	screens *sessions.Screens
	access  *access
	members *team.Members
}

// hitsShown is the size of a page of hits.
const hitsShown = 50

// Routes returns the calls, in the order of the reference.
func (h *Screening) Routes() []edge.Route { return slices.Concat(h.hitRoutes(), h.runRoutes()) }

func (h *Screening) hitRoutes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/screening-hits", ID: "listHits", Who: edge.Console, May: account.CasesRead, Masks: true,
			Summary:     "List screening hits",
			Description: "Entries of watchlists that may be the person of a session, oldest first, with how many are in each state.",
			Bind:        edge.Call(h.list),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/sessions/{id}/screening", ID: "sessionHits", Who: edge.Console, May: account.CasesRead,
			Masks:       true,
			Summary:     "The screening hits of a session",
			Description: "Each with the name as listed beside the name as read, word by word, and which facts agree.",
			Bind:        edge.Call(h.ofSession),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/screening-hits/{hit}/decision", ID: "decideHit", Who: edge.Console, May: account.CasesDecide,
			Sends:   edge.JSON,
			Summary: "Decide a screening hit",
			Description: "Not the person, with a reason: the hit comes back only if the entry's names, births or numbers change, or when the decision " +
				"runs out. Is the person: somebody else who may overrule confirms it, else `screening.same_person`. " +
				"`screening.conflict` where the hit has changed since. Audited.",
			Bind: edge.Call(h.decide),
		},
	}
}

func (h *Screening) runRoutes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/screening", ID: "getMonitoring", Who: edge.Console, May: account.WatchlistsRead,
			Summary:     "Who is screened again?",
			Description: "Counts and runs, never a single session.",
			Bind:        edge.Call(h.monitoring),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/screening/runs", ID: "screenEverybody", Who: edge.Console, May: account.WatchlistsWrite,
			Sends: edge.JSON, Fresh: true, Status: http.StatusAccepted,
			Summary: "Screen everybody who was approved before",
			Description: "Everybody who was approved and is not screened again, once, in live and test mode, for every topic that the lists cover. Hits " +
				"wait for reviewers; no verdict changes. `screening.running` while one is under way. Audited.",
			Bind: edge.Call(h.everybody),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/sessions/{id}/screening/end", ID: "endMonitoring", Who: edge.Console, May: account.CasesDecide,
			Sends:       edge.JSON,
			Summary:     "End the monitoring of a person",
			Description: "They are not screened again. `not_found` where they are not. Audited.",
			Bind:        edge.Call(h.end),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/screening/search", ID: "searchWatchlists", Who: edge.Console, May: account.CasesDecide,
			Sends: edge.JSON, Unkept: true,
			Summary: "Look for a person on the watchlists",
			Description: "By hand. Nothing of it is kept; the audit log says which facts were searched by, and not for whom. " +
				"`screening.not_ready` while the lists are compiled.",
			Bind: edge.Call(h.search),
		},
	}
}

// HitsInput narrows the list of hits. Exported because the framework ignores embedded structs that are not.
type HitsInput struct {
	Mode  idv.Mode           `query:"mode" enum:"live,test" default:"test" doc:"Which mode's"`
	State []session.HitState `query:"hit_state" maxItems:"5" doc:"What somebody still has to decide if left out"`
	Topic idv.ScreeningTopic `query:"topic" doc:"sanctions, pep or watch"`
	After idv.HitID          `query:"after" maxLength:"40" doc:"The last one of the page before"`
}

func (h *Screening) list(ctx context.Context, in *HitsInput) (*wire.Answer[wire.HitPage], error) {
	if err := edge.CheckMay(ctx, account.CasesRead, in.Mode); err != nil {
		return nil, err
	}
	f := session.HitFilter{Mode: in.Mode, States: in.State, Topic: in.Topic, After: in.After, Limit: hitsShown + 1}
	if len(f.States) == 0 {
		f.States = slices.DeleteFunc(session.HitStates(), func(s session.HitState) bool { return !s.Undecided() })
	}
	for _, s := range f.States {
		if !slices.Contains(session.HitStates(), s) {
			return nil, wire.Malformed("hit_state", "A state of a hit.")
		}
	}
	hits, err := h.hits.List(ctx, f)
	if err != nil {
		return nil, err
	}
	counts, err := h.hits.Count(ctx, in.Mode)
	out := wire.HitPage{Counts: wire.HitCountsOf(counts)}
	if len(hits) > hitsShown {
		hits = hits[:hitsShown]
		out.Next = string(hits[hitsShown-1].ID)
	}
	if err != nil {
		return nil, err
	}
	out.Items, err = h.shown(ctx, hits)
	return wire.Reply(out, err)
}

func (h *Screening) ofSession(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.SessionHits], error) {
	if _, err := h.access.session(ctx, account.CasesRead, in.ID); err != nil {
		return nil, err
	}
	hits, err := h.hits.Of(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	items, err := h.shown(ctx, hits)
	return wire.Reply(wire.SessionHits{Items: items, Reasons: review.HitReasons()}, err)
}

// shown returns the wire form of hits, with the names of those who decided them.
func (h *Screening) shown(ctx context.Context, hits []session.Hit) ([]wire.Hit, error) {
	out := wire.HitsOf(hits)
	said := make([][]wire.Opinion, 0, len(out))
	for _, one := range out {
		said = append(said, one.Said)
	}
	return out, nameOpinions(ctx, h.members, said...)
}

func (h *Screening) decide(ctx context.Context, in *hitDecided) (*wire.Answer[wire.Hit], error) {
	found, err := h.hits.Find(ctx, in.Hit)
	if err != nil {
		return nil, err
	}
	if !edge.May(ctx, account.CasesDecide, found.Mode) {
		return nil, problem.New(problem.NotFound)
	}
	until, err := wire.ParseTime("/valid_until", in.Body.ValidUntil)
	if err != nil {
		return nil, err
	}
	decided, err := h.hits.Decide(ctx, in.Hit, reviewer(ctx, found.Mode), review.HitDecision{
		Version: in.Body.Version, Decision: session.HitState(in.Body.Decision), Reason: in.Body.Reason, Note: in.Body.Note, Until: until,
	})
	return wire.Reply(wire.HitOf(decided), err)
}

func (h *Screening) monitoring(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Monitoring], error) {
	out := wire.Monitoring{Runs: []wire.ScreeningRun{}}
	var err error
	if out.Monitored, out.Unscreened, err = h.monitor.Count(ctx); err != nil {
		return nil, err
	}
	runs, err := h.monitor.Runs(ctx, hitsShown)
	for _, r := range runs {
		out.Runs = append(out.Runs, wire.ScreeningRunOf(r))
	}
	return wire.Reply(out, err)
}

func (h *Screening) everybody(ctx context.Context, _ *emptyPosted) (*wire.Answer[wire.ScreeningRun], error) {
	r, err := h.monitor.ScreenEverybody(ctx)
	return wire.Reply(wire.ScreeningRunOf(r), err)
}

func (h *Screening) end(ctx context.Context, in *sessionPosted) (*wire.Answer[wire.Empty], error) {
	if _, err := h.access.session(ctx, account.CasesDecide, in.ID); err != nil {
		return nil, err
	}
	return wire.Reply(wire.Empty{}, h.monitor.End(ctx, in.ID))
}

func (h *Screening) search(ctx context.Context, in *wire.Body[wire.WatchlistSearch]) (*wire.Answer[wire.WatchlistFound], error) {
	return h.screens.Search(ctx, in.Body)
}

type hitDecided struct {
	Hit  idv.HitID `path:"hit" maxLength:"40" doc:"Id of a hit"`
	Body wire.HitDecision
}

type emptyPosted struct {
	Body *wire.Empty `required:"false"`
}

type sessionPosted struct {
	wire.BySession
	Body *wire.Empty `required:"false"`
}
