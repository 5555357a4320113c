package console

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// Quality answers the calls on second looks at approvals.
type Quality struct {
	quality *review.Quality
	members *team.Members
}

// Routes returns the calls, in the order of the reference.
func (h *Quality) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/quality", ID: "listQuality", Who: edge.Console, May: account.CasesDecide,
			Summary: "List second looks",
			Description: "Approvals that were drawn for a second look, as their workflows ask: those that wait, the oldest first, or those that were " +
				"looked at, the newest first; and how often a second look disagreed.",
			Bind: edge.Call(h.list),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/quality/{id}", ID: "settleQuality", Who: edge.Console, May: account.CasesDecide, Sends: edge.JSON,
			Summary: "Take a second look",
			Description: "Says whether one agrees with the approval of a session. It is a figure and changes no decision. `auth.forbidden` for one's own " +
				"approval; `case.conflict` where somebody looked first.",
			Bind: edge.Call(h.settle),
		},
	}
}

// qualityInput says which second looks.
type qualityInput struct {
	Mode  idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's sessions"`
	Done  bool     `query:"done" doc:"Those that were looked at, not those that wait"`
	Limit int      `query:"limit" minimum:"1" maximum:"100" default:"25" doc:"Rows at most"`
}

// findingInput is what was found of a session. Exported fields are read by the framework.
type findingInput struct {
	ID   idv.SessionID `path:"id" maxLength:"40" doc:"Session id"`
	Body wire.NewFinding
}

func (h *Quality) list(ctx context.Context, in *qualityInput) (*wire.Answer[wire.QualityPage], error) {
	if err := edge.CheckMay(ctx, account.CasesDecide, in.Mode); err != nil {
		return nil, err
	}
	views, counts, err := h.quality.List(ctx, session.QualityFilter{Mode: in.Mode, Done: in.Done, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	out := wire.QualityPage{Items: []wire.QualityReview{}, Waiting: counts.Waiting, Agreed: counts.Agreed, Disagree: counts.Disagree}
	names, err := h.names(ctx, views...)
	for _, v := range views {
		out.Items = append(out.Items, wire.QualityReviewOf(v, names))
	}
	return wire.Reply(out, err)
}

func (h *Quality) settle(ctx context.Context, in *findingInput) (*wire.Answer[wire.QualityReview], error) {
	q, err := h.quality.Of(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if !edge.May(ctx, account.CasesDecide, q.Mode) {
		return nil, problem.New(problem.NotFound)
	}
	v, err := h.quality.Settle(ctx, in.ID, reviewer(ctx, q.Mode), review.Finding{
		Verdict: in.Body.Verdict, Reasons: in.Body.Reasons, Note: in.Body.Note,
	})
	if err != nil {
		return nil, err
	}
	names, err := h.names(ctx, v)
	return wire.Reply(wire.QualityReviewOf(v, names), err)
}

func (h *Quality) names(ctx context.Context, views ...review.QualityView) (map[idv.UserID]string, error) {
	var ids []idv.UserID
	for _, v := range views {
		ids = append(ids, v.Review.By, idv.UserID(v.Review.DecidedBy))
	}
	return h.members.Names(ctx, ids...)
}
