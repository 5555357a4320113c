package httpapi

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func (s *Server) listAudit(ctx context.Context, in *auditInput) (*wire.Answer[wire.AuditPage], error) {
	f, err := in.filter()
	if err != nil {
		return nil, err
	}
	found, err := s.trail.AuditPage(ctx, f)
	if err != nil {
		return nil, err
	}
	out := wire.AuditPage{}
	if len(found) == f.Limit {
		found = found[:in.Limit]
		out.Next = found[in.Limit-1].ID
	}
	if out.Items, err = s.auditEntriesOf(ctx, found); err != nil {
		return nil, err
	}
	out.Actions, err = s.trail.AuditActions(ctx)
	return wire.Reply(out, err)
}

// filter asks for one row more than a page has, which tells whether there is another page.
func (in *auditInput) filter() (audit.Filter, error) {
	f := audit.Filter{Action: in.Action, About: in.About, Limit: in.Limit + 1, After: in.After}
	if k := audit.ActorKind(in.Actor); slices.Contains(audit.ActorKinds(), k) {
		f.Actor = k
	} else {
		f.ActorID = in.Actor
	}
	if _, ok := idv.ParseID[idv.AuditID](string(in.After)); in.After != "" && !ok {
		return f, problem.New(problem.RequestMalformed).At("after").Saying("It is the cursor of the page before.")
	}
	var err error
	if f.From, err = wire.ParseTime("from", in.From); err != nil {
		return f, err
	}
	f.To, err = wire.ParseTime("to", in.To)
	return f, err
}

func (s *Server) auditEntriesOf(ctx context.Context, found []audit.Entry) ([]wire.AuditEntry, error) {
	var ids []idv.UserID
	for _, e := range found {
		if id, ok := idv.ParseID[idv.UserID](e.ActorID); ok {
			ids = append(ids, id)
		}
	}
	names, err := s.accounts.Members.Names(ctx, ids...)
	out := []wire.AuditEntry{}
	for _, e := range found {
		out = append(out, wire.AuditEntryOf(e, names))
	}
	return out, err
}

func (s *Server) proveAudit(ctx context.Context, in *byAudit) (*wire.Answer[audit.EntryDocument], error) {
	if _, ok := idv.ParseID[idv.AuditID](string(in.Entry)); !ok {
		return nil, problem.New(problem.NotFound)
	}
	p, err := s.trail.AuditProof(ctx, in.Entry)
	if err != nil {
		return nil, err
	}
	return wire.Reply(p.Document())
}

func (s *Server) getCheckpoint(ctx context.Context, _ *wire.None) (*wire.Answer[audit.CheckpointDocument], error) {
	c, key, err := s.trail.AuditCheckpoint(ctx)
	return wire.Reply(c.Document(key), err)
}

func (s *Server) proveGrowth(ctx context.Context, in *growthInput) (*wire.Answer[audit.ConsistencyDocument], error) {
	g, err := s.trail.AuditGrowth(ctx, in.From)
	return wire.Reply(g.Document(), err)
}
