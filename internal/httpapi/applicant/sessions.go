package applicant

import (
	"context"
	"net/http"
	"slices"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// Sessions answers the calls that open a session and begin it.
type Sessions struct {
	sessions   *session.Service
	applicants *applicant.Service
	tasks      *tasks
	brand      string // who asks, where the workflow does not say
}

// Routes returns the calls, in the order of the reference.
func (h *Sessions) Routes() []edge.Route { return slices.Concat(h.firstRoutes(), h.laterRoutes()) }

func (h *Sessions) firstRoutes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/applicant/peek", ID: "peek", Who: edge.Anyone, Sends: edge.JSON,
			Summary:     "Look at a link",
			Description: "What the start screen shows. Changes nothing, so that link previews are harmless.",
			Bind:        edge.Call(h.peek),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/open", ID: "open", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Open a session",
			Description: "Starts the session and binds it to this browser. In another browser the link works again while no picture was sent: the " +
				"session continues there, and the first browser has it no longer. Once a picture was sent another browser gets `session.bound_elsewhere`, " +
				"and needs a new link, or the " +
				"code that was mailed (`one_time_code`). The link of a hand-off moves the session from the browser that made it; a second one gets `handoff.used`.",
			Bind: edge.Call(h.open),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/code", ID: "sendCode", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Mail a code",
			Description: "For a session that another browser has, once pictures were sent: mails six digits to the address that the integrator gave, with " +
				"which opening the link continues here. They work for ten minutes and five tries; one code in 30 seconds, three in an hour. Where nothing can " +
				"be mailed the answer is `session.bound_elsewhere`.",
			Bind: edge.Call(h.sendCode),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/resume", ID: "resume", Who: edge.Anyone, Sends: edge.JSON,
			Summary: "Continue in another tab",
			Description: "For the browser that has the session, by the key that it got when it opened the link. The tab that had the session before gets " +
				"`session.continued` from then on, its challenge is void, and tries that were used stay used. A browser that handed the session on goes on " +
				"watching it. At most ten times in ten minutes.",
			Bind: edge.Call(h.resume),
		},
		{
			Method: http.MethodGet, Path: "/v1/applicant/task", ID: "getTask", Who: edge.Applicant,
			Summary:     "What is next",
			Description: "The present task.",
			Bind:        edge.Call(h.task),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/consent", ID: "consent", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Answer the consent question",
			Description: "Declining ends the session where the workflow has no path without biometrics. Where it has one, the task asks for " +
				"consent to the check of the document, the session goes to review, and what was taken of the face is deleted; consent can be taken back " +
				"that way while the session is with the person.",
			Bind: edge.Call(h.consent),
		},
		{
			Method: http.MethodPut, Path: "/v1/applicant/steps/choose", ID: "chooseDocument", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Choose the document",
			Description: "Its kind settles which sides will be asked for. What is read of the document counts, whatever was chosen; where the " +
				"two differ the report says so.",
			Bind: edge.Call(h.choose),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/other-document", ID: "otherDocument", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Go back to the choice of the document",
			Description: "Pictures of the document that was sent stay as evidence and no longer count, nor does what was read of them. Tries are " +
				"not given back. Possible where the task says so, until everything was sent.",
			Bind: edge.Call(h.otherDocument),
		},
	}
}

// laterRoutes returns those of what a session leads to, and of the countries there are.
func (h *Sessions) laterRoutes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/applicant/another-document", ID: "anotherDocument", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Begin again with another document",
			Description: "After a decline, where the task offers it: once, in a session that follows the declined one. The same link and key lead to that " +
				"one from then on; the token is a new one. Nothing that was sent goes with it, and tries at the face count on. Where it is not offered the " +
				"answer is `session.finished`, whatever the cause.",
			Bind: edge.Call(h.anotherDocument),
		},
		{
			Method: http.MethodGet, Path: "/v1/applicant/countries", ID: "listIssuers", Who: edge.Applicant,
			Summary:     "Countries that issue documents",
			Description: "Every one that a person may look for, and whether its documents are accepted in this session.",
			Bind:        edge.Call(h.issuers),
		},
	}
}

func (h *Sessions) peek(ctx context.Context, in *wire.Body[wire.Link]) (*wire.Answer[wire.Peeked], error) {
	v, err := h.applicants.Peek(ctx, in.Body.Link)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.PeekedOf(v, h.brand), nil)
}

func (h *Sessions) open(ctx context.Context, in *wire.Body[wire.LinkToOpen]) (*wire.Answer[wire.Opened], error) {
	ctx = session.WithDevice(ctx, idv.DeviceOf(edge.HTTPRequest(ctx).UserAgent()))
	enter := h.applicants.Open
	if code := in.Body.Code; code != "" {
		enter = func(ctx context.Context, link string) (applicant.Opened, error) {
			return h.applicants.OpenByCode(ctx, link, code)
		}
	}
	opened, err := enter(ctx, in.Body.Link)
	if err != nil {
		return nil, err
	}
	t, err := h.tasks.task(ctx, opened.Session, opened.Task)
	return wire.Reply(wire.Opened{Token: opened.Token, Key: opened.Key, Task: t}, err)
}

func (h *Sessions) sendCode(ctx context.Context, in *wire.Body[wire.CodeRequest]) (*wire.Answer[wire.CodeSent], error) {
	sent, err := h.applicants.SendCode(ctx, in.Body.Link, in.Body.Locale)
	return wire.Reply(wire.CodeSent{Hint: sent.Hint, ExpiresAt: sent.ExpiresAt.UTC()}, err)
}

func (h *Sessions) resume(ctx context.Context, in *wire.Body[wire.BrowserKey]) (*wire.Answer[wire.Resumed], error) {
	ctx = session.WithDevice(ctx, idv.DeviceOf(edge.HTTPRequest(ctx).UserAgent()))
	r, err := h.applicants.Resume(ctx, in.Body.Key)
	return wire.Reply(wire.Resumed{Session: r.Session, Token: r.Token}, err)
}

func (h *Sessions) task(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Task], error) {
	t, err := h.applicants.Task(ctx, edge.ApplicantSession(ctx))
	return h.tasks.reply(ctx, t, err)
}

func (h *Sessions) consent(ctx context.Context, in *wire.Body[wire.ConsentAnswer]) (*wire.Answer[wire.Task], error) {
	c, err := in.Body.Consent(edge.ClientAddress(ctx))
	if err != nil {
		return nil, err
	}
	t, err := h.applicants.Consent(ctx, edge.ApplicantSession(ctx), c)
	return h.tasks.reply(ctx, t, err)
}

func (h *Sessions) choose(ctx context.Context, in *wire.Body[wire.Choice]) (*wire.Answer[wire.Task], error) {
	t, err := h.applicants.Choose(ctx, edge.ApplicantSession(ctx), applicant.Choice{Kind: in.Body.DocumentKind, Country: in.Body.Country})
	return h.tasks.reply(ctx, t, err)
}

func (h *Sessions) otherDocument(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Task], error) {
	t, err := h.applicants.OtherDocument(ctx, edge.ApplicantSession(ctx))
	return h.tasks.reply(ctx, t, err)
}

func (h *Sessions) anotherDocument(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Resumed], error) {
	r, err := h.applicants.AnotherDocument(ctx, edge.ApplicantSession(ctx))
	return wire.Reply(wire.Resumed{Session: r.Session, Token: r.Token}, err)
}

func (h *Sessions) issuers(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Issuers], error) {
	v, err := h.sessions.Get(ctx, "", edge.ApplicantSession(ctx))
	if err != nil {
		return nil, err
	}
	return &wire.Answer[wire.Issuers]{Body: wire.IssuersOf(v.Workflow)}, nil
}
