package httpapi

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

// caseEvents tells the console that something happened in the queue. Claims that run out are no event, so that each
// heartbeat looks as well.
func (s *Server) caseEvents(ctx context.Context, in *wire.QueueInput) (*wire.Stream, error) {
	if err := mayInMode(ctx, account.CasesRead, in.Mode); err != nil {
		return nil, err
	}
	who := userOf(ctx).ID
	return &wire.Stream{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		ctx, cancel := context.WithTimeout(r.Context(), streamLife)
		defer cancel()
		wake, stop := s.sessions.Queue.WatchCases()
		defer stop()
		tick := time.NewTicker(s.heartbeat)
		defer tick.Stop()
		out := newStreamWriter(w)
		var told *wire.CaseCounts
		for news := true; ; {
			u, err := s.accounts.Members.FindActive(ctx, who)
			if err != nil || !account.May(u.Roles, account.CasesRead, in.Mode) && !account.MayMasked(u.Roles, account.CasesRead) { // whoever lost the right watches no longer
				s.sayStreamEnd(ctx, err)
				return
			}
			n, err := s.sessions.Queue.CountCases(ctx, in.Mode, who)
			counts := wire.CaseCounts(n)
			if err == nil && (news || *told != counts) {
				told = &counts
				err = out.send(update{name: "queue", data: counts})
			} else if err == nil {
				err = out.comment("heartbeat")
			}
			if err != nil {
				s.sayStreamEnd(ctx, err)
				return
			}
			select {
			case <-wake:
				news = true
			case <-tick.C:
				news = false
			case <-ctx.Done():
				return
			case <-s.stopping:
				return
			}
		}
	}}, nil
}
