package httpapi

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

func (s *Server) listCases(ctx context.Context, in *wire.CaseFilter) (*wire.Answer[wire.CasePage], error) {
	if err := edge.CheckMay(ctx, account.CasesRead, in.Mode); err != nil {
		return nil, err
	}
	views, next, counts, err := s.sessions.Queue.Cases(ctx, session.CaseFilter{
		Mode: in.Mode, Tab: in.Tab, Who: edge.Member(ctx).ID, Limit: in.Limit, After: in.After,
	})
	if err != nil {
		return nil, err
	}
	items, err := s.casesOf(ctx, views)
	return wire.Reply(wire.CasePage{Items: items, Next: next, Counts: wire.CaseCounts(counts)}, err)
}

func (s *Server) getCase(ctx context.Context, in *wire.ByCase) (*wire.Answer[wire.CaseFile], error) {
	v, err := s.seenCase(ctx, account.CasesRead, in.Case)
	if err != nil {
		return nil, err
	}
	c, err := s.caseOf(ctx, v)
	if err != nil {
		return nil, err
	}
	reviews, err := s.reviewsOf(ctx, v.Session.ID)
	if err != nil {
		return nil, err
	}
	captures, _, err := s.sessions.Sessions.Captures(ctx, v.Case.Mode, v.Session.ID)
	if problem.Has(err, problem.SessionErased) {
		captures, err = nil, nil // nothing of it can be asked for again
	}
	return wire.Reply(wire.CaseFile{Case: c, Reviews: reviews, Steps: review.RedoableSteps(v.Workflow, captures)}, err)
}

func (s *Server) nextCase(ctx context.Context, in *wire.Body[wire.NextAsk]) (*wire.Answer[wire.Case], error) {
	if err := edge.CheckMay(ctx, account.CasesDecide, in.Body.Mode); err != nil {
		return nil, err
	}
	v, err := s.sessions.Queue.NextCase(ctx, in.Body.Mode, reviewer(ctx, in.Body.Mode), in.Body.Skip)
	return s.replyCase(ctx, v, err)
}

func (s *Server) claimCase(ctx context.Context, in *wire.ByCasePosted) (*wire.Answer[wire.Case], error) {
	return s.act(ctx, in.Case, s.sessions.Queue.Claim)
}

func (s *Server) releaseCase(ctx context.Context, in *wire.ByCasePosted) (*wire.Answer[wire.Case], error) {
	return s.act(ctx, in.Case, s.sessions.Queue.Release)
}

func (s *Server) assignCase(ctx context.Context, in *wire.OnCase[wire.Assignment]) (*wire.Answer[wire.Case], error) {
	v, err := s.seenCase(ctx, account.CasesOverrule, in.Case)
	if err != nil {
		return nil, err
	}
	to, err := s.accounts.Members.FindActive(ctx, in.Body.To)
	if problem.Has(err, problem.AuthInvalid) || (err == nil && !account.May(to.Roles, account.CasesDecide, v.Case.Mode)) {
		return nil, problem.New(problem.RequestMalformed).At("/to").Saying("A member who may decide cases of this mode.")
	}
	if err != nil {
		return nil, err
	}
	v, err = s.sessions.Queue.Assign(ctx, in.Case, asReviewer(to, v.Case.Mode))
	return s.replyCase(ctx, v, err)
}

// deciders answers to whom a case can be given.
func (s *Server) deciders(ctx context.Context, in *wire.ByCase) (*wire.Answer[wire.Deciders], error) {
	v, err := s.seenCase(ctx, account.CasesOverrule, in.Case)
	if err != nil {
		return nil, err
	}
	users, err := s.accounts.Members.ListPermitted(ctx, account.CasesDecide, v.Case.Mode)
	out := wire.Deciders{Items: []wire.Member{}}
	for _, u := range users {
		if review.Decides(v, asReviewer(u, v.Case.Mode)) {
			out.Items = append(out.Items, wire.Member{ID: u.ID, Name: u.Name})
		}
	}
	return wire.Reply(out, err)
}

// asReviewer is a member, as cases of a mode know them.
func asReviewer(u account.User, mode idv.Mode) review.Reviewer {
	return review.Reviewer{ID: u.ID, Overrules: account.May(u.Roles, account.CasesOverrule, mode)}
}

func (s *Server) decideCase(ctx context.Context, in *wire.OnCase[wire.NewDecision]) (*wire.Answer[wire.Case], error) {
	n := in.Body
	return s.act(ctx, in.Case, func(ctx context.Context, id idv.CaseID, who review.Reviewer) (review.CaseView, error) {
		return s.sessions.Rulings.DecideCase(ctx, id, who, review.Ruling{
			Basis: review.Basis{Version: n.Version, Report: n.ReportDigest}, Outcome: n.Outcome, Reasons: n.Reasons, Note: n.Note,
		})
	})
}

func (s *Server) redoStep(ctx context.Context, in *wire.OnCase[wire.NewRedo]) (*wire.Answer[wire.Case], error) {
	n := in.Body
	return s.act(ctx, in.Case, func(ctx context.Context, id idv.CaseID, who review.Reviewer) (review.CaseView, error) {
		return s.sessions.Rulings.RedoStep(ctx, id, who, review.Redo{
			Basis: review.Basis{Version: n.Version, Report: n.ReportDigest}, Step: n.Step, Reason: n.Reason, Note: n.Note,
		})
	})
}

func (s *Server) noteCase(ctx context.Context, in *wire.OnCase[wire.NewNote]) (*wire.Answer[wire.Case], error) {
	return s.act(ctx, in.Case, func(ctx context.Context, id idv.CaseID, who review.Reviewer) (review.CaseView, error) {
		return s.sessions.Rulings.Note(ctx, id, who, in.Body.Note)
	})
}

func (s *Server) changeDecision(ctx context.Context, in *wire.OnSession[wire.ChangedDecision]) (*wire.Answer[wire.Session], error) {
	v, err := s.seen(ctx, account.CasesOverrule, in.ID)
	if err != nil {
		return nil, err
	}
	n := in.Body
	v, err = s.sessions.Rulings.ChangeDecision(ctx, in.ID, reviewer(ctx, v.Session.Mode), review.Appeal{
		Ruling: review.Ruling{Outcome: n.Outcome, Reasons: n.Reasons, Note: n.Note}, Decision: n.Decision,
	})
	return wire.Reply(wire.SessionOf(v), err)
}

// act does something to a case that the person who is signed in may decide.
func (s *Server) act(ctx context.Context, id idv.CaseID, do func(context.Context, idv.CaseID, review.Reviewer) (review.CaseView, error)) (*wire.Answer[wire.Case], error) {
	v, err := s.seenCase(ctx, account.CasesDecide, id)
	if err != nil {
		return nil, err
	}
	v, err = do(ctx, id, reviewer(ctx, v.Case.Mode))
	return s.replyCase(ctx, v, err)
}

// reviewer is the person who is signed in, as cases of a mode know them.
func reviewer(ctx context.Context, mode idv.Mode) review.Reviewer {
	return review.Reviewer{ID: edge.Member(ctx).ID, Overrules: edge.May(ctx, account.CasesOverrule, mode)}
}

// seenCase reads a case of either mode, if the person who is signed in may do p in that mode. To somebody who may not, it is
// not there.
func (s *Server) seenCase(ctx context.Context, p account.Permission, id idv.CaseID) (review.CaseView, error) {
	if _, ok := idv.ParseID[idv.CaseID](string(id)); !ok {
		return review.CaseView{}, problem.New(problem.NotFound)
	}
	v, err := s.sessions.Queue.Case(ctx, id)
	if err == nil && !edge.May(ctx, p, v.Case.Mode) {
		return review.CaseView{}, problem.New(problem.NotFound)
	}
	return v, err
}

func (s *Server) replyCase(ctx context.Context, v review.CaseView, err error) (*wire.Answer[wire.Case], error) {
	if err != nil {
		return nil, err
	}
	c, err := s.caseOf(ctx, v)
	return wire.Reply(c, err)
}

func (s *Server) caseOf(ctx context.Context, v review.CaseView) (wire.Case, error) {
	out, err := s.casesOf(ctx, []review.CaseView{v})
	if err != nil {
		return wire.Case{}, err
	}
	return out[0], nil
}

func (s *Server) casesOf(ctx context.Context, views []review.CaseView) ([]wire.Case, error) {
	var ids []idv.UserID
	for _, v := range views {
		ids = append(ids, v.Case.Assignee, v.Case.ApprovedBy)
	}
	names, err := s.accounts.Members.Names(ctx, ids...)
	if err != nil {
		return nil, err
	}
	out := make([]wire.Case, 0, len(views))
	for _, v := range views {
		out = append(out, wire.CaseOf(v, names, s.now()))
	}
	return out, nil
}

func (s *Server) reviewsOf(ctx context.Context, id idv.SessionID) ([]wire.Review, error) {
	reviews, err := s.sessions.Queue.Reviews(ctx, id)
	if err != nil {
		return nil, err
	}
	var ids []idv.UserID
	for _, r := range reviews {
		ids = append(ids, r.By)
	}
	names, err := s.accounts.Members.Names(ctx, ids...)
	out := []wire.Review{}
	for _, r := range reviews {
		out = append(out, wire.ReviewOf(r, names))
	}
	return out, err
}

// addCase adds a session's newest case and what was said, where there is one and as far as this person may see it.
func (s *Server) addCase(ctx context.Context, v session.View, file *wire.SessionFile) error {
	file.Reviews, file.Members = []wire.Review{}, []wire.Member{}
	if !edge.May(ctx, account.CasesRead, v.Session.Mode) {
		return nil
	}
	c, err := s.sessions.Queue.CaseOf(ctx, v.Session.ID)
	if err != nil && !problem.Has(err, problem.NotFound) {
		return err
	}
	if err == nil {
		shown, err := s.caseOf(ctx, review.CaseView{Case: c, View: v})
		if err != nil {
			return err
		}
		file.Case = &shown
	}
	if file.Reviews, err = s.reviewsOf(ctx, v.Session.ID); err != nil {
		return err
	}
	return s.addMembers(ctx, file)
}

// addMembers names whoever decided.
func (s *Server) addMembers(ctx context.Context, file *wire.SessionFile) error {
	var ids []idv.UserID
	for _, d := range file.Decisions {
		if id, ok := idv.ParseID[idv.UserID](d.By); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	names, err := s.accounts.Members.Names(ctx, ids...)
	for _, id := range ids {
		file.Members = append(file.Members, wire.Member{ID: id, Name: names[id]})
	}
	return err
}
