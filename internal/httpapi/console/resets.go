package console

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/mail"
)

// Resets answers the calls by which members choose a new password when they forgot theirs.
type Resets struct {
	resets *signin.Resets
	office *mail.Office
	tries  *edge.Limiter
	now    func() time.Time
	log    *slog.Logger
}

// Routes returns the calls, in the order of the reference.
func (h *Resets) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/console/password/forgot", ID: "forgotPassword", Who: edge.Anyone, Sends: edge.JSON, Status: http.StatusAccepted,
			Summary: "Ask for a link to reset a password",
			Description: "Mails a link that works once, for an hour, to a member who has this address and a password. The answer is the same, " +
				"and takes as long, whether there is one or not. Three in an hour for an address. `mail.off` where the deployment sends no email.",
			Bind: edge.Call(h.forgot),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/password/peek", ID: "peekReset", Who: edge.Anyone, Sends: edge.JSON,
			Summary:     "Look at a link to reset a password",
			Description: "Whose password it resets. Changes nothing.",
			Bind:        edge.Call(h.peek),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/password/reset", ID: "resetPassword", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Reset a password",
			Description: "The link works once. Every console session of the member ends. The member then signs in with the new password and the " +
				"second factor, which does not change.",
			Bind: edge.Call(h.reset),
		},
	}
}

// forgot puts a mail to that address in the queue, also where nobody has it: whether somebody does is looked up when it is sent, so that
// neither the answer nor its time tells.
func (h *Resets) forgot(ctx context.Context, in *wire.Body[wire.ResetRequest]) (*wire.Answer[wire.ResetSent], error) {
	m, err := h.office.Draft(mail.PasswordReset, in.Body.Email)
	if err != nil {
		return nil, err
	}
	if mail.CheckAddress(in.Body.Email) != nil {
		return nil, wire.Malformed("/email", "An e-mail address.")
	}
	for _, key := range []string{account.NormalizeEmail(in.Body.Email), "from " + edge.ClientAddress(ctx)} {
		if err := h.tries.Take(ctx, key); err != nil {
			return nil, err
		}
	}
	m.Content.Unsaid, m.Content.Until = true, h.now().UTC().Add(signin.ResetLife)
	return wire.Reply(wire.ResetSent{ValidSeconds: int(signin.ResetLife / time.Second)}, h.office.Post(ctx, m))
}

func (h *Resets) peek(ctx context.Context, in *wire.Body[wire.ResetToken]) (*wire.Answer[wire.ResetOpened], error) {
	u, err := h.resets.Find(ctx, in.Body.Token)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.ResetOpened{Email: u.Email}, nil)
}

func (h *Resets) reset(ctx context.Context, in *wire.Body[wire.ResetAnswer]) (*wire.Answer[wire.ResetOpened], error) {
	u, err := h.resets.Reset(ctx, in.Body.Token, in.Body.Password)
	if err != nil {
		return nil, err
	}
	m, err := h.office.Draft(mail.PasswordChanged, u.Email)
	if err == nil { // otherwise mail was turned off meanwhile: the password is changed all the same
		m.Subject = string(u.ID)
		err = h.office.Post(ctx, m)
	}
	if err != nil {
		h.log.ErrorContext(ctx, "the mail to a member that their password was reset cannot be sent", "member", u.ID, "error", err)
	}
	return wire.Reply(wire.ResetOpened{Email: u.Email}, nil)
}

// PrepareResets has the office complete mails that reset a password: for a member who may get one it makes the link, for anybody else
// nothing is sent. The address is the member's own, as they typed it when they joined.
func PrepareResets(office *mail.Office, resets *signin.Resets) {
	office.Prepare(mail.PasswordReset, func(ctx context.Context, m *mail.Mail) (bool, error) {
		u, token, ok, err := resets.Issue(ctx, m.Content.To)
		if err != nil || !ok {
			return false, err
		}
		m.Content.To, m.Content.Link = u.Email, office.Address("/reset#token="+token) // behind #: it reaches no server and no log
		return true, nil
	})
}
