package console

import (
	"context"
	"net/http"
	"strconv"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// CallLog answers the log of the calls made with API keys.
type CallLog struct {
	log  edge.CallLog // nil where none is written
	keys *apikey.Service
}

// Routes returns the calls, in the order of the reference.
func (h *CallLog) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/request-log", ID: "listCalls", Who: edge.Console, May: account.LogsRead,
			Summary: "Read the log of calls",
			Description: "Calls made with API keys in the last 30 days, newest first: when, which route, how it ended. Never what was sent or " +
				"answered.",
			Bind: edge.Call(h.list),
		},
	}
}

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

// check refuses a filter that no call can match. Problems: request.malformed, at the query parameter.
func (h *CallLog) check(ctx context.Context, in *CallLogInput) error {
	if _, ok := problem.Lookup(in.Problem); in.Problem != "" && !ok {
		return wire.Malformed("problem", "The catalogue has no such code.")
	}
	if in.Key == "" {
		return nil
	}
	k, err := h.keys.Find(ctx, in.Key)
	if err != nil && !problem.Has(err, problem.NotFound) {
		return err
	}
	if err != nil || k.Mode != in.Mode {
		return wire.Malformed("key", "This mode has no key of that id.")
	}
	return nil
}

func (h *CallLog) list(ctx context.Context, in *CallLogInput) (*wire.Answer[wire.LoggedCallPage], error) {
	if err := edge.CheckMay(ctx, account.LogsRead, in.Mode); err != nil {
		return nil, err
	}
	if h.log == nil {
		return &wire.Answer[wire.LoggedCallPage]{Body: wire.LoggedCallPage{Items: []wire.LoggedCall{}}}, nil
	}
	if err := h.check(ctx, in); err != nil {
		return nil, err
	}
	before, err := strconv.ParseInt("0"+in.After, 10, 64)
	if err != nil {
		return nil, wire.Malformed("after", "It is not one of ours.")
	}
	found, err := h.log.Calls(ctx, account.CallFilter{
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
