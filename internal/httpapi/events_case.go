package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

// caseEvents tells the console that something happened in the queue. Claims that run out are no event, so that each
// heartbeat looks as well.
func (s *Server) caseEvents(ctx context.Context, in *wire.QueueInput) (*wire.Stream, error) {
	if err := edge.CheckMay(ctx, account.CasesRead, in.Mode); err != nil {
		return nil, err
	}
	who := edge.Member(ctx).ID
	var last *wire.CaseCounts
	return s.updates.Stream(s.sessions.Queue.WatchCases, func(ctx context.Context, why edge.Cause, out *edge.StreamWriter) (bool, error) {
		u, err := s.members.FindActive(ctx, who)
		if err != nil || !account.May(u.Roles, account.CasesRead, in.Mode) && !account.MayMasked(u.Roles, account.CasesRead) {
			return true, err // whoever lost the right watches no longer
		}
		n, err := s.sessions.Queue.CountCases(ctx, in.Mode, who)
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
