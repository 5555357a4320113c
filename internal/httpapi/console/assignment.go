package console

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// Assignments answers the calls on how cases are given out.
type Assignments struct {
	assignments *review.Assignments
	members     *team.Members
}

// Routes returns the calls, in the order of the reference.
func (h *Assignments) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/cases/assignment", ID: "getAssignment", Who: edge.Console, May: account.CasesDecide,
			Summary: "Read how cases are given out",
			Description: "Whether waiting cases are assigned to reviewers automatically, and whether the signed-in member is away. Members who may assign " +
				"cases to others also read how many cases each reviewer has.",
			Bind: edge.Call(h.read),
		},
		{
			Method: http.MethodPut, Path: "/v1/console/cases/assignment", ID: "setAssignment", Who: edge.Console, May: account.CasesOverrule, Sends: edge.JSON,
			Summary: "Set how cases are given out",
			Description: "Round robin among reviewers who are not away and have fewer than `most` cases. A case that was given so is the reviewer's until " +
				"its target; then it goes to the next. Off until somebody turns it on.",
			Bind: edge.Call(h.set),
		},
		{
			Method: http.MethodPut, Path: "/v1/console/cases/presence", ID: "setPresence", Who: edge.Console, May: account.CasesDecide, Sends: edge.JSON,
			Summary:     "Say that one is away, or back",
			Description: "Nobody gives cases to a reviewer who is away. The cases that one has are open for others at once.",
			Bind:        edge.Call(h.setPresence),
		},
	}
}

// assignmentInput says which mode's cases.
type assignmentInput struct {
	Mode idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's cases"`
}

func (h *Assignments) read(ctx context.Context, in *assignmentInput) (*wire.Answer[wire.Assigning], error) {
	if err := edge.CheckMay(ctx, account.CasesDecide, in.Mode); err != nil {
		return nil, err
	}
	return h.answer(ctx, in.Mode)
}

func (h *Assignments) answer(ctx context.Context, mode idv.Mode) (*wire.Answer[wire.Assigning], error) {
	r, err := h.assignments.Roster(ctx, mode)
	if err != nil {
		return nil, err
	}
	out := wire.AssigningOf(r, edge.Member(ctx).ID)
	if !edge.May(ctx, account.CasesOverrule, mode) {
		return wire.Reply(out, nil)
	}
	users, err := h.members.ListPermitted(ctx, account.CasesDecide, mode)
	for _, u := range users {
		out.Reviewers = append(out.Reviewers, wire.ReviewerLoad{
			Member: wire.Member{ID: u.ID, Name: u.Name}, Held: r.Held[u.ID], AwaySince: wire.OptionalTime(r.Away[u.ID]),
		})
	}
	return wire.Reply(out, err)
}

func (h *Assignments) set(ctx context.Context, in *wire.Body[wire.NewAssigning]) (*wire.Answer[wire.Assigning], error) {
	if err := edge.CheckMay(ctx, account.CasesOverrule, in.Body.Mode); err != nil {
		return nil, err
	}
	if err := h.assignments.Set(ctx, in.Body.Mode, in.Body.Enabled, in.Body.Most); err != nil {
		return nil, err
	}
	return h.answer(ctx, in.Body.Mode)
}

func (h *Assignments) setPresence(ctx context.Context, in *wire.Body[wire.Presence]) (*wire.Answer[wire.Presence], error) {
	err := h.assignments.SetAway(ctx, reviewer(ctx, idv.Live), in.Body.Away)
	return wire.Reply(in.Body, err)
}
