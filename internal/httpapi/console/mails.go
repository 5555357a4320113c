package console

import (
	"context"
	"errors"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
)

// Mails answers what became of mails, and sends one to try the server.
type Mails struct {
	office *mail.Office
	tries  *edge.Limiter
}

// Routes returns the calls, in the order of the reference.
func (h *Mails) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/settings/mails", ID: "listMails", Who: edge.Console, May: account.SystemRead,
			Summary: "List mails",
			Description: "What became of the mails of the last 30 days, newest first, and which server takes them. What they say and to whom they " +
				"went is not known any more once they were sent.",
			Bind: edge.Call(h.list),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/settings/mails/test", ID: "tryMail", Who: edge.Console, May: account.SystemRead, Sends: edge.JSON,
			Summary:     "Send a test mail",
			Description: "Sends one to the member who asks, at once, and answers what the server said. Ten in ten minutes.",
			Bind:        edge.Call(h.try),
		},
	}
}

type mailsInput struct {
	State mail.State `query:"status" enum:"due,sent,failed,dropped" doc:"Only these"`
	Limit int        `query:"limit" minimum:"1" maximum:"100" default:"25" doc:"Rows of a page"`
	After idv.MailID `query:"after" maxLength:"40" doc:"The next of the page before"`
}

func (h *Mails) list(ctx context.Context, in *mailsInput) (*wire.Answer[wire.MailPage], error) {
	found, next, err := h.office.List(ctx, mail.Filter{State: in.State, Limit: in.Limit, After: in.After})
	out := wire.MailPage{On: h.office.On(), Host: h.office.Host(), From: h.office.From(), Items: []wire.MailEntry{}, Next: next}
	for _, e := range found {
		out.Items = append(out.Items, wire.MailEntryOf(e))
	}
	return wire.Reply(out, err)
}

func (h *Mails) try(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.MailTried], error) {
	u := edge.Member(ctx)
	if err := h.tries.Take(ctx, "mail "+string(u.ID)); err != nil {
		return nil, err
	}
	if _, err := h.office.Draft(mail.Test, u.Email); err != nil {
		return nil, err
	}
	out := wire.MailTried{Sent: true, To: u.Email}
	if err := h.office.SendNow(ctx, u.Email); err != nil {
		wrong := &mail.FaultError{Fault: mail.FaultInternal}
		errors.As(err, &wrong)
		fault := wire.MailFault(wrong.Fault)
		out.Sent, out.Fault = false, &fault
		if wrong.Status != 0 {
			out.Status = &wrong.Status
		}
	}
	return wire.Reply(out, nil)
}
