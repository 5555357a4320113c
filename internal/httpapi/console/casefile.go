package console

import (
	"context"
	"fmt"
	"slices"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// find returns a case of either mode, if the person who is signed in has the permission p in that mode; not_found otherwise.
func (h *Cases) find(ctx context.Context, p account.Permission, id idv.CaseID) (review.CaseView, error) {
	if _, ok := idv.ParseID[idv.CaseID](string(id)); !ok {
		return review.CaseView{}, problem.New(problem.NotFound)
	}
	v, err := h.queue.Case(ctx, id)
	if err == nil && !edge.May(ctx, p, v.Case.Mode) {
		return review.CaseView{}, problem.New(problem.NotFound)
	}
	return v, err
}

// reply answers the case that a use case returned.
func (h *Cases) reply(ctx context.Context, v review.CaseView, err error) (*wire.Answer[wire.Case], error) {
	if err != nil {
		return nil, err
	}
	c, err := h.toWire(ctx, v)
	return wire.Reply(c, err)
}

// toWire returns the wire form of a case, with the names of its members.
func (h *Cases) toWire(ctx context.Context, v review.CaseView) (wire.Case, error) {
	out, err := h.listToWire(ctx, []review.CaseView{v})
	if err != nil {
		return wire.Case{}, err
	}
	return out[0], nil
}

// listToWire returns the wire forms of cases, with the names of their members.
func (h *Cases) listToWire(ctx context.Context, views []review.CaseView) ([]wire.Case, error) {
	var ids []idv.UserID
	for _, v := range views {
		ids = append(ids, v.Case.Assignee, v.Case.ApprovedBy)
	}
	names, err := h.members.Names(ctx, ids...)
	if err != nil {
		return nil, err
	}
	persons, err := h.persons(ctx, views)
	out := make([]wire.Case, 0, len(views))
	for _, v := range views {
		out = append(out, wire.CaseOf(v, persons[v.Session.ID], names, h.now()))
	}
	return out, err
}

// persons reads the names of the persons of cases, for whoever may see reports.
func (h *Cases) persons(ctx context.Context, views []review.CaseView) (map[idv.SessionID]session.Name, error) {
	var of []idv.Session
	for _, v := range views {
		if edge.May(ctx, account.ReportsRead, v.Session.Mode) {
			of = append(of, v.Session)
		}
	}
	return h.sessions.Names(ctx, of)
}

// reviews returns what people said about the cases of a session, oldest first.
func (h *Cases) reviews(ctx context.Context, id idv.SessionID) ([]wire.Review, error) {
	reviews, err := h.queue.Reviews(ctx, id)
	if err != nil {
		return nil, err
	}
	var ids []idv.UserID
	for _, r := range reviews {
		ids = append(ids, r.By)
	}
	names, err := h.members.Names(ctx, ids...)
	out := []wire.Review{}
	for _, r := range reviews {
		out = append(out, wire.ReviewOf(r, names))
	}
	return out, err
}

// addTo adds to the file of a session its newest case and the reviews, as far as the person who is signed in may see them.
func (h *Cases) addTo(ctx context.Context, v session.View, file *wire.SessionFile) error {
	file.Reviews, file.Members = []wire.Review{}, []wire.Member{}
	if !edge.May(ctx, account.CasesRead, v.Session.Mode) {
		return nil
	}
	c, err := h.queue.CaseOf(ctx, v.Session.ID)
	if err != nil && !problem.Has(err, problem.NotFound) {
		return err
	}
	if err == nil {
		shown, err := h.toWire(ctx, review.CaseView{Case: c, View: v})
		if err != nil {
			return err
		}
		file.Case = &shown
	}
	if file.Reviews, err = h.reviews(ctx, v.Session.ID); err != nil {
		return err
	}
	return h.addMembers(ctx, file)
}

// addMembers adds to the file of a session the names of the members who decided.
func (h *Cases) addMembers(ctx context.Context, file *wire.SessionFile) error {
	var ids []idv.UserID
	for _, d := range file.Decisions {
		if id, ok := idv.ParseID[idv.UserID](d.By); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return h.nameMembers(ctx, ids, file)
}

// addAssignees adds to the file of a session the names of the members to whom its case was given.
func (h *Cases) addAssignees(ctx context.Context, events []session.Event, file *wire.SessionFile) error {
	var ids []idv.UserID
	for _, e := range events {
		if id, ok := idv.ParseID[idv.UserID](fmt.Sprint(e.Payload["assignee"])); ok {
			ids = append(ids, id)
		}
	}
	return h.nameMembers(ctx, ids, file)
}

// nameMembers adds members by name to the file of a session, each once.
func (h *Cases) nameMembers(ctx context.Context, ids []idv.UserID, file *wire.SessionFile) error {
	names, err := h.members.Names(ctx, ids...)
	for _, id := range ids {
		if !slices.ContainsFunc(file.Members, func(m wire.Member) bool { return m.ID == id }) {
			file.Members = append(file.Members, wire.Member{ID: id, Name: names[id]})
		}
	}
	return err
}
