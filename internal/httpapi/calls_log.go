package httpapi

import (
	"context"
	"strconv"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// CallLogInput narrows the log. Exported because the framework reads its fields.
type CallLogInput struct {
	Mode      idv.Mode  `query:"mode" enum:"live,test" default:"test" doc:"Which mode's"`
	Key       idv.KeyID `query:"key" maxLength:"40" doc:"Only calls with this key"`
	Problem   string    `query:"problem" maxLength:"64" doc:"Only calls that were answered with this code"`
	Failed    bool      `query:"failed" doc:"Only calls that were answered with 400 or more"`
	RequestID string    `query:"request" maxLength:"64" doc:"Only the call with this request id"`
	Limit     int       `query:"limit" minimum:"1" maximum:"100" default:"50" doc:"Most items in the answer"`
	After     string    `query:"after" maxLength:"20" pattern:"^[0-9]*$" doc:"next of the page before"`
}

func (s *Server) listCalls(ctx context.Context, in *CallLogInput) (*wire.Answer[wire.LoggedCallPage], error) {
	if err := edge.CheckMay(ctx, account.LogsRead, in.Mode); err != nil {
		return nil, err
	}
	if s.callLog == nil {
		return &wire.Answer[wire.LoggedCallPage]{Body: wire.LoggedCallPage{Items: []wire.LoggedCall{}}}, nil
	}
	before, err := strconv.ParseInt("0"+in.After, 10, 64)
	if err != nil {
		return nil, wire.Malformed("after", "It is not one of ours.")
	}
	found, err := s.callLog.Calls(ctx, account.CallFilter{
		Mode: in.Mode, Key: in.Key, Problem: in.Problem, Failed: in.Failed, RequestID: in.RequestID, Before: before, Limit: in.Limit,
	})
	out := wire.LoggedCallPage{Items: []wire.LoggedCall{}}
	for _, c := range found {
		out.Items = append(out.Items, wire.LoggedCallOf(c))
	}
	if len(found) == in.Limit {
		out.Next = out.Items[len(out.Items)-1].ID
	}
	return wire.Reply(out, err)
}
