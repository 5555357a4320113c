package httpapi

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

func (s *Server) listCases(ctx context.Context, in *caseFilter) (*answer[CasePage], error) {
	if err := mayInMode(ctx, account.CasesRead, in.Mode); err != nil {
		return nil, err
	}
	views, next, counts, err := s.sessions.Queue.Cases(ctx, session.CaseFilter{
		Mode: in.Mode, Tab: in.Tab, Who: userOf(ctx).ID, Limit: in.Limit, After: in.After,
	})
	if err != nil {
		return nil, err
	}
	items, err := s.casesOf(ctx, views)
	return reply(CasePage{Items: items, Next: next, Counts: CaseCounts(counts)}, err)
}

func (s *Server) getCase(ctx context.Context, in *ByCase) (*answer[CaseFile], error) {
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
	return reply(CaseFile{Case: c, Reviews: reviews, Steps: review.RedoableSteps(v.Workflow, captures)}, err)
}

func (s *Server) nextCase(ctx context.Context, in *body[NextAsk]) (*answer[Case], error) {
	if err := mayInMode(ctx, account.CasesDecide, in.Body.Mode); err != nil {
		return nil, err
	}
	v, err := s.sessions.Queue.NextCase(ctx, in.Body.Mode, reviewer(ctx, in.Body.Mode), in.Body.Skip)
	return s.replyCase(ctx, v, err)
}

func (s *Server) claimCase(ctx context.Context, in *byCasePosted) (*answer[Case], error) {
	return s.act(ctx, in.Case, s.sessions.Queue.Claim)
}

func (s *Server) releaseCase(ctx context.Context, in *byCasePosted) (*answer[Case], error) {
	return s.act(ctx, in.Case, s.sessions.Queue.Release)
}

func (s *Server) assignCase(ctx context.Context, in *onCase[Assignment]) (*answer[Case], error) {
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
func (s *Server) deciders(ctx context.Context, in *ByCase) (*answer[Deciders], error) {
	v, err := s.seenCase(ctx, account.CasesOverrule, in.Case)
	if err != nil {
		return nil, err
	}
	users, err := s.accounts.Members.ListPermitted(ctx, account.CasesDecide, v.Case.Mode)
	out := Deciders{Items: []Member{}}
	for _, u := range users {
		if review.Decides(v, asReviewer(u, v.Case.Mode)) {
			out.Items = append(out.Items, Member{ID: u.ID, Name: u.Name})
		}
	}
	return reply(out, err)
}

// asReviewer is a member, as cases of a mode know them.
func asReviewer(u account.User, mode idv.Mode) review.Reviewer {
	return review.Reviewer{ID: u.ID, Overrules: account.May(u.Roles, account.CasesOverrule, mode)}
}

func (s *Server) decideCase(ctx context.Context, in *onCase[NewDecision]) (*answer[Case], error) {
	n := in.Body
	return s.act(ctx, in.Case, func(ctx context.Context, id idv.CaseID, who review.Reviewer) (review.CaseView, error) {
		return s.sessions.Rulings.DecideCase(ctx, id, who, review.Ruling{
			Basis: review.Basis{Version: n.Version, Report: n.ReportDigest}, Outcome: n.Outcome, Reasons: n.Reasons, Note: n.Note,
		})
	})
}

func (s *Server) redoStep(ctx context.Context, in *onCase[NewRedo]) (*answer[Case], error) {
	n := in.Body
	return s.act(ctx, in.Case, func(ctx context.Context, id idv.CaseID, who review.Reviewer) (review.CaseView, error) {
		return s.sessions.Rulings.RedoStep(ctx, id, who, review.Redo{
			Basis: review.Basis{Version: n.Version, Report: n.ReportDigest}, Step: n.Step, Reason: n.Reason, Note: n.Note,
		})
	})
}

func (s *Server) noteCase(ctx context.Context, in *onCase[NewNote]) (*answer[Case], error) {
	return s.act(ctx, in.Case, func(ctx context.Context, id idv.CaseID, who review.Reviewer) (review.CaseView, error) {
		return s.sessions.Rulings.Note(ctx, id, who, in.Body.Note)
	})
}

func (s *Server) changeDecision(ctx context.Context, in *onSession[ChangedDecision]) (*answer[Session], error) {
	v, err := s.seen(ctx, account.CasesOverrule, in.ID)
	if err != nil {
		return nil, err
	}
	n := in.Body
	v, err = s.sessions.Rulings.ChangeDecision(ctx, in.ID, reviewer(ctx, v.Session.Mode), review.Appeal{
		Ruling: review.Ruling{Outcome: n.Outcome, Reasons: n.Reasons, Note: n.Note}, Decision: n.Decision,
	})
	return reply(sessionOf(v), err)
}

// act does something to a case that the person who is signed in may decide.
func (s *Server) act(ctx context.Context, id idv.CaseID, do func(context.Context, idv.CaseID, review.Reviewer) (review.CaseView, error)) (*answer[Case], error) {
	v, err := s.seenCase(ctx, account.CasesDecide, id)
	if err != nil {
		return nil, err
	}
	v, err = do(ctx, id, reviewer(ctx, v.Case.Mode))
	return s.replyCase(ctx, v, err)
}

// reviewer is the person who is signed in, as cases of a mode know them.
func reviewer(ctx context.Context, mode idv.Mode) review.Reviewer {
	return review.Reviewer{ID: userOf(ctx).ID, Overrules: may(ctx, account.CasesOverrule, mode)}
}

// seenCase reads a case of either mode, if the person who is signed in may do p in that mode. To somebody who may not, it is
// not there.
func (s *Server) seenCase(ctx context.Context, p account.Permission, id idv.CaseID) (review.CaseView, error) {
	if _, ok := idv.ParseID[idv.CaseID](string(id)); !ok {
		return review.CaseView{}, problem.New(problem.NotFound)
	}
	v, err := s.sessions.Queue.Case(ctx, id)
	if err == nil && !may(ctx, p, v.Case.Mode) {
		return review.CaseView{}, problem.New(problem.NotFound)
	}
	return v, err
}

func (s *Server) replyCase(ctx context.Context, v review.CaseView, err error) (*answer[Case], error) {
	if err != nil {
		return nil, err
	}
	c, err := s.caseOf(ctx, v)
	return reply(c, err)
}

func (s *Server) caseOf(ctx context.Context, v review.CaseView) (Case, error) {
	out, err := s.casesOf(ctx, []review.CaseView{v})
	if err != nil {
		return Case{}, err
	}
	return out[0], nil
}

func (s *Server) casesOf(ctx context.Context, views []review.CaseView) ([]Case, error) {
	var ids []idv.UserID
	for _, v := range views {
		ids = append(ids, v.Case.Assignee, v.Case.ApprovedBy)
	}
	names, err := s.accounts.Members.Names(ctx, ids...)
	if err != nil {
		return nil, err
	}
	out := make([]Case, 0, len(views))
	for _, v := range views {
		out = append(out, wireCase(v, names, s.now()))
	}
	return out, nil
}

func wireCase(v review.CaseView, names map[idv.UserID]string, now time.Time) Case {
	c := v.Case
	out := Case{
		ID: c.ID, Mode: c.Mode, State: c.StateAt(now), Workflow: workflowRef(v.Workflow), Reasons: list0(c.Reasons),
		Session: CaseSession{
			ID: v.Session.ID, State: v.Session.State, ExternalReference: v.Session.ExternalReference,
			DocumentKind: present(v.Session.DocumentKind), CreatedBy: v.Session.CreatedBy, CreatedAt: v.Session.CreatedAt.UTC(),
		},
		Version: c.Version, ReportDigest: c.Report, TwoPersons: v.Workflow.TwoPersons, NotByCreator: v.Workflow.NotByCreator,
		ApprovedBy: memberOf(c.ApprovedBy, names), OpenedAt: c.OpenedAt.UTC(), DueAt: c.DueAt.UTC(), ClosedAt: at(c.ClosedAt),
	}
	if holder := c.Holder(now); holder != "" {
		out.Assignee, out.ClaimedUntil = memberOf(holder, names), at(c.ClaimedUntil)
	}
	return out
}

// memberOf is nil for nobody.
func memberOf(id idv.UserID, names map[idv.UserID]string) *Member {
	if id == "" {
		return nil
	}
	return &Member{ID: id, Name: names[id]}
}

func (s *Server) reviewsOf(ctx context.Context, id idv.SessionID) ([]Review, error) {
	reviews, err := s.sessions.Queue.Reviews(ctx, id)
	if err != nil {
		return nil, err
	}
	var ids []idv.UserID
	for _, r := range reviews {
		ids = append(ids, r.By)
	}
	names, err := s.accounts.Members.Names(ctx, ids...)
	out := []Review{}
	for _, r := range reviews {
		out = append(out, reviewOf(r, names))
	}
	return out, err
}

func reviewOf(r idv.Review, names map[idv.UserID]string) Review {
	return Review{
		ID: r.ID, Case: r.Case, By: Member{ID: r.By, Name: names[r.By]}, Kind: r.Kind, Reasons: list0(r.Reasons), Step: r.Step,
		Note: r.Note, At: r.At.UTC(),
	}
}

// addCase adds a session's newest case and what was said, where there is one and as far as this person may see it.
func (s *Server) addCase(ctx context.Context, v session.View, file *SessionFile) error {
	file.Reviews, file.Members = []Review{}, []Member{}
	if !may(ctx, account.CasesRead, v.Session.Mode) {
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
func (s *Server) addMembers(ctx context.Context, file *SessionFile) error {
	var ids []idv.UserID
	for _, d := range file.Decisions {
		if id, ok := idv.ParseID[idv.UserID](d.By); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	names, err := s.accounts.Members.Names(ctx, ids...)
	for _, id := range ids {
		file.Members = append(file.Members, Member{ID: id, Name: names[id]})
	}
	return err
}
