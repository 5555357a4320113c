package httpapi

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// LoggedCall is a call that was made with an API key. What was sent and answered is not kept.
type LoggedCall struct {
	ID        string    `json:"id" doc:"Place in the log"`
	RequestID string    `json:"request_id" doc:"As in X-Request-Id"`
	Key       idv.KeyID `json:"key"`
	Method    string    `json:"method" example:"POST"`
	Route     string    `json:"route" example:"/v1/sessions/{id}" doc:"The pattern; ids are not kept"`
	Status    int       `json:"status"`
	Problem   string    `json:"problem" doc:"Code that was answered; empty for none"`
	TookUS    int64     `json:"took_us" doc:"Microseconds"`
	At        time.Time `json:"at"`
}

// LoggedCallPage is a page of the log.
type LoggedCallPage struct {
	Items []LoggedCall `json:"items" doc:"Newest first"`
	Next  string       `json:"next" doc:"Send as after to get the next page; empty at the end"`
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

func (s *Server) listCalls(ctx context.Context, in *CallLogInput) (*answer[LoggedCallPage], error) {
	if err := mayInMode(ctx, account.LogsRead, in.Mode); err != nil {
		return nil, err
	}
	if s.calls.log == nil {
		return &answer[LoggedCallPage]{Body: LoggedCallPage{Items: []LoggedCall{}}}, nil
	}
	before, err := strconv.ParseInt("0"+in.After, 10, 64)
	if err != nil {
		return nil, malformed("after", "It is not one of ours.")
	}
	found, err := s.calls.log.Calls(ctx, account.CallFilter{
		Mode: in.Mode, Key: in.Key, Problem: in.Problem, Failed: in.Failed, RequestID: in.RequestID, Before: before, Limit: in.Limit,
	})
	out := LoggedCallPage{Items: []LoggedCall{}}
	for _, c := range found {
		out.Items = append(out.Items, loggedCallOf(c))
	}
	if len(found) == in.Limit {
		out.Next = out.Items[len(out.Items)-1].ID
	}
	return reply(out, err)
}

func loggedCallOf(c account.Call) LoggedCall {
	return LoggedCall{
		ID: strconv.FormatInt(c.Seq, 10), RequestID: c.RequestID, Key: c.Key, Method: c.Method, Route: c.Route, Status: c.Status,
		Problem: c.Problem, TookUS: c.Took.Microseconds(), At: c.At.UTC(),
	}
}

// routeOf is the path of a pattern.
func routeOf(pattern string) string {
	if _, path, ok := strings.Cut(pattern, " "); ok {
		return path
	}
	return pattern
}
