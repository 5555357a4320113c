package console

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// Cases answers the calls of the review queue.
type Cases struct {
	queue    *review.Queue
	rulings  *review.Rulings
	sessions *session.Service
	members  *team.Members
	access   *access
	updates  *edge.Updates
	now      func() time.Time
}

// Routes returns the calls, in the order of the reference.
func (h *Cases) Routes() []edge.Route {
	return slices.Concat(h.queueRoutes(), h.decisionRoutes())
}

func (h *Cases) queueRoutes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/cases", ID: "listCases", Who: edge.Console, May: account.CasesRead, Masks: true,
			Summary:     "List cases",
			Description: "The review queue: what waits for a decision, the most urgent first unless `sort` says otherwise, with the size of each tab.",
			Bind:        edge.Call(h.list),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/cases/{case}", ID: "getCase", Who: edge.Console, May: account.CasesRead, Masks: true,
			Summary:     "Read a case",
			Description: "Its assignee, its reviews, and the steps that the applicant can be asked to repeat. The evidence is the session's file.",
			Bind:        edge.Call(h.get),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/cases/next", ID: "nextCase", Who: edge.Console, May: account.CasesDecide, Sends: edge.JSON,
			Summary: "Claim the next case",
			Description: "The most urgent case that nobody has and that one may decide, else one that one has already. `not_found` where nothing " +
				"is left.",
			Bind: edge.Call(h.claimNext),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/cases/{case}/claim", ID: "claimCase", Who: edge.Console, May: account.CasesDecide,
			Sends:       edge.JSON,
			Summary:     "Claim a case",
			Description: "Gives it to whoever asks for 20 minutes; again renews it." + caseConflict,
			Bind:        edge.Call(h.claim),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/cases/{case}/release", ID: "releaseCase", Who: edge.Console, May: account.CasesDecide,
			Sends:       edge.JSON,
			Summary:     "Release a case",
			Description: "Lets go of it, so that somebody else can take it." + caseConflict,
			Bind:        edge.Call(h.release),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/cases/{case}/assign", ID: "assignCase", Who: edge.Console, May: account.CasesOverrule,
			Sends:   edge.JSON,
			Summary: "Assign a case",
			Description: "Gives it to a member who may decide, also if somebody else has it. It is theirs as if they had claimed it: for 20 " +
				"minutes, unless they renew it." +
				caseConflict,
			Bind: edge.Call(h.assign),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/cases/{case}/deciders", ID: "deciders", Who: edge.Console, May: account.CasesOverrule,
			Summary:     "Who can be given a case",
			Description: "The members who may decide it, by name: not whoever its workflow keeps from it, and nobody who is kept out.",
			Bind:        edge.Call(h.deciders),
		},
	}
}

func (h *Cases) decisionRoutes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/settings/decline-reasons", ID: "declineReasons", Who: edge.Console, May: account.CasesDecide,
			Summary:     "Which reasons are offered for declining?",
			Description: "Those that the deployment chose, favourites first; a dozen where it chose none.",
			Bind:        edge.Call(h.offeredReasons),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/settings/decline-reasons", ID: "setDeclineReasons", Who: edge.Console,
			May: account.CasesOverrule, Sends: edge.JSON,
			Summary:     "Choose the reasons for declining",
			Description: "Replaces the set, for every reviewer. None for the default. Audited.",
			Bind:        edge.Call(h.offerReasons),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/cases/{case}/decide", ID: "decideCase", Who: edge.Console, May: account.CasesDecide,
			Sends:   edge.JSON,
			Summary: "Decide a case",
			Description: "Approves or declines. Where the workflow wants two persons, the first approval opens the case for the second." +
				caseConflict,
			Bind: edge.Call(h.decide),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/cases/{case}/redo", ID: "redoStep", Who: edge.Console, May: account.CasesDecide,
			Sends:   edge.JSON,
			Summary: "Ask for a step again",
			Description: "Reopens the session for exactly that step. The integrator hears of it by `session.reopened` and can make the person a " +
				"new link." +
				caseConflict,
			Bind: edge.Call(h.redoStep),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/cases/{case}/note", ID: "noteCase", Who: edge.Console, May: account.CasesDecide,
			Sends:       edge.JSON,
			Summary:     "Write a note",
			Description: "For the team; the applicant never sees it." + caseConflict,
			Bind:        edge.Call(h.addNote),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/cases/{case}/correct", ID: "correctFact", Who: edge.Console, May: account.CasesDecide,
			Sends:   edge.JSON,
			Summary: "Correct a fact",
			Description: "Corrects a fact of the document. The report keeps what was read; no check runs again, and no rule is evaluated again. A " +
				"first approval by another person is void." + caseConflict,
			Bind: edge.Call(h.correct),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/sessions/{id}/decide", ID: "changeDecision", Who: edge.Console, May: account.CasesOverrule,
			Sends:       edge.JSON,
			Summary:     "Change a final decision",
			Description: "Adds a decision to a session that was approved or declined. The newest counts." + caseConflict,
			Bind:        edge.Call(h.changeDecision),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/cases/events", ID: "caseEvents", Who: edge.Console, May: account.CasesRead, Masks: true,
			Streams:     true,
			Summary:     "Live updates of the queue",
			Description: "Server-sent events: `queue` with the size of each tab, at once and whenever something happens to a case.",
			Bind:        edge.Call(h.stream),
		},
	}
}

func (h *Cases) offeredReasons(ctx context.Context, _ *wire.None) (*wire.Answer[wire.DeclineReasons], error) {
	offered, err := h.queue.Offered(ctx)
	return wire.Reply(wire.DeclineReasonsOf(offered, review.Reasonable()), err)
}

func (h *Cases) offerReasons(ctx context.Context, in *wire.Body[wire.NewDeclineReasons]) (*wire.Answer[wire.DeclineReasons], error) {
	offered, err := in.Body.Offered()
	if err != nil {
		return nil, err
	}
	if err := h.queue.Offer(ctx, offered); err != nil {
		return nil, err
	}
	return h.offeredReasons(ctx, nil)
}

func (h *Cases) list(ctx context.Context, in *wire.CaseFilter) (*wire.Answer[wire.CasePage], error) {
	if err := edge.CheckMay(ctx, account.CasesRead, in.Mode); err != nil {
		return nil, err
	}
	views, next, counts, err := h.queue.Cases(ctx, session.CaseFilter{
		Mode: in.Mode, Tab: in.Tab, Who: edge.Member(ctx).ID, Limit: in.Limit, Sort: in.Sort, After: in.After, CaseNarrowing: in.Narrowing(),
	})
	if err != nil {
		return nil, err
	}
	items, err := h.listToWire(ctx, views)
	return wire.Reply(wire.CasePage{Items: items, Next: next, Counts: wire.CaseCounts(counts)}, err)
}

func (h *Cases) get(ctx context.Context, in *wire.ByCase) (*wire.Answer[wire.CaseFile], error) {
	v, err := h.find(ctx, account.CasesRead, in.Case)
	if err != nil {
		return nil, err
	}
	c, err := h.toWire(ctx, v)
	if err != nil {
		return nil, err
	}
	reviews, err := h.reviews(ctx, v.Session.ID)
	if err != nil {
		return nil, err
	}
	captures, _, err := h.sessions.Captures(ctx, v.Case.Mode, v.Session.ID)
	if problem.Has(err, problem.SessionErased) {
		captures, err = nil, nil // nothing of it can be asked for again
	}
	return wire.Reply(wire.CaseFile{Case: c, Reviews: reviews, Steps: review.RedoableSteps(v.Workflow, captures)}, err)
}

func (h *Cases) claimNext(ctx context.Context, in *wire.Body[wire.NextAsk]) (*wire.Answer[wire.Case], error) {
	if err := edge.CheckMay(ctx, account.CasesDecide, in.Body.Mode); err != nil {
		return nil, err
	}
	v, err := h.queue.NextCase(ctx, in.Body.Mode, reviewer(ctx, in.Body.Mode), in.Body.Skip)
	return h.reply(ctx, v, err)
}

func (h *Cases) claim(ctx context.Context, in *wire.ByCasePosted) (*wire.Answer[wire.Case], error) {
	return h.change(ctx, in.Case, h.queue.Claim)
}

func (h *Cases) release(ctx context.Context, in *wire.ByCasePosted) (*wire.Answer[wire.Case], error) {
	return h.change(ctx, in.Case, h.queue.Release)
}

func (h *Cases) assign(ctx context.Context, in *wire.OnCase[wire.Assignment]) (*wire.Answer[wire.Case], error) {
	v, err := h.find(ctx, account.CasesOverrule, in.Case)
	if err != nil {
		return nil, err
	}
	to, err := h.members.FindActive(ctx, in.Body.To)
	if problem.Has(err, problem.AuthInvalid) || (err == nil && !account.May(to.Roles, account.CasesDecide, v.Case.Mode)) {
		return nil, problem.New(problem.RequestMalformed).At("/to").Saying("A member who may decide cases of this mode.")
	}
	if err != nil {
		return nil, err
	}
	v, err = h.queue.Assign(ctx, in.Case, asReviewer(to, v.Case.Mode))
	return h.reply(ctx, v, err)
}

// deciders answers the members to whom a case can be given.
func (h *Cases) deciders(ctx context.Context, in *wire.ByCase) (*wire.Answer[wire.Deciders], error) {
	v, err := h.find(ctx, account.CasesOverrule, in.Case)
	if err != nil {
		return nil, err
	}
	users, err := h.members.ListPermitted(ctx, account.CasesDecide, v.Case.Mode)
	out := wire.Deciders{Items: []wire.Member{}}
	for _, u := range users {
		if review.Decides(v, asReviewer(u, v.Case.Mode)) {
			out.Items = append(out.Items, wire.Member{ID: u.ID, Name: u.Name})
		}
	}
	return wire.Reply(out, err)
}

// asReviewer returns a member as a reviewer of the cases of a mode.
func asReviewer(u account.User, mode idv.Mode) review.Reviewer {
	return review.Reviewer{ID: u.ID, Overrules: account.May(u.Roles, account.CasesOverrule, mode)}
}

func (h *Cases) decide(ctx context.Context, in *wire.OnCase[wire.NewDecision]) (*wire.Answer[wire.Case], error) {
	n := in.Body
	return h.change(ctx, in.Case, func(ctx context.Context, id idv.CaseID, who review.Reviewer) (review.CaseView, error) {
		return h.rulings.DecideCase(ctx, id, who, review.Ruling{
			Basis: review.Basis{Version: n.Version, Report: n.ReportDigest}, Outcome: n.Outcome, Reasons: n.Reasons, Note: n.Note,
		})
	})
}

func (h *Cases) redoStep(ctx context.Context, in *wire.OnCase[wire.NewRedo]) (*wire.Answer[wire.Case], error) {
	n := in.Body
	return h.change(ctx, in.Case, func(ctx context.Context, id idv.CaseID, who review.Reviewer) (review.CaseView, error) {
		return h.rulings.RedoStep(ctx, id, who, review.Redo{
			Basis: review.Basis{Version: n.Version, Report: n.ReportDigest}, Step: n.Step, Reason: n.Reason, Note: n.Note,
		})
	})
}

func (h *Cases) correct(ctx context.Context, in *wire.OnCase[wire.NewCorrection]) (*wire.Answer[wire.Case], error) {
	n := in.Body
	return h.change(ctx, in.Case, func(ctx context.Context, id idv.CaseID, who review.Reviewer) (review.CaseView, error) {
		return h.rulings.Correct(ctx, id, who, review.NewCorrection{
			Basis: review.Basis{Version: n.Version, Report: n.ReportDigest}, Claim: n.Name, Value: n.Value, Note: n.Note,
		})
	})
}

func (h *Cases) addNote(ctx context.Context, in *wire.OnCase[wire.NewNote]) (*wire.Answer[wire.Case], error) {
	return h.change(ctx, in.Case, func(ctx context.Context, id idv.CaseID, who review.Reviewer) (review.CaseView, error) {
		return h.rulings.Note(ctx, id, who, in.Body.Note)
	})
}

func (h *Cases) changeDecision(ctx context.Context, in *wire.OnSession[wire.ChangedDecision]) (*wire.Answer[wire.Session], error) {
	v, err := h.access.session(ctx, account.CasesOverrule, in.ID)
	if err != nil {
		return nil, err
	}
	n := in.Body
	v, err = h.rulings.ChangeDecision(ctx, in.ID, reviewer(ctx, v.Session.Mode), review.Appeal{
		Ruling: review.Ruling{Outcome: n.Outcome, Reasons: n.Reasons, Note: n.Note}, Decision: n.Decision,
	})
	return wire.Reply(wire.SessionOf(v), err)
}

// changeCase does something to a case that a reviewer may decide.
type changeCase func(context.Context, idv.CaseID, review.Reviewer) (review.CaseView, error)

// change does something to a case, if the person who is signed in may decide it.
func (h *Cases) change(ctx context.Context, id idv.CaseID, do changeCase) (*wire.Answer[wire.Case], error) {
	v, err := h.find(ctx, account.CasesDecide, id)
	if err != nil {
		return nil, err
	}
	v, err = do(ctx, id, reviewer(ctx, v.Case.Mode))
	return h.reply(ctx, v, err)
}

// reviewer returns the person who is signed in as a reviewer of the cases of a mode.
func reviewer(ctx context.Context, mode idv.Mode) review.Reviewer {
	return review.Reviewer{ID: edge.Member(ctx).ID, Overrules: edge.May(ctx, account.CasesOverrule, mode)}
}

// stream answers live updates of the queue. A claim that runs out is no event, so each heartbeat counts the cases as well.
func (h *Cases) stream(ctx context.Context, in *wire.QueueInput) (*wire.Stream, error) {
	if err := edge.CheckMay(ctx, account.CasesRead, in.Mode); err != nil {
		return nil, err
	}
	who := edge.Member(ctx).ID
	var last *wire.CaseCounts
	return h.updates.Stream(h.queue.WatchCases, func(ctx context.Context, why edge.Cause, out *edge.StreamWriter) (bool, error) {
		u, err := h.members.FindActive(ctx, who)
		if err != nil || !account.May(u.Roles, account.CasesRead, in.Mode) && !account.MayMasked(u.Roles, account.CasesRead) {
			return true, err // whoever lost the right watches no longer
		}
		n, err := h.queue.CountCases(ctx, in.Mode, who)
		if err != nil {
			return false, err
		}
		counts := wire.CaseCounts(n)
		if why == edge.Ticked && *last == counts {
			return false, out.Comment("heartbeat")
		}
		last = &counts
		return false, out.Send(edge.Update{Name: "queue", Data: counts})
	}), nil
}

const caseConflict = " `case.conflict` says who did what first."
