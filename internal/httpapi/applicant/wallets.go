package applicant

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// Wallets answers the calls about wallets: those of the page, and those of wallets themselves.
type Wallets struct {
	wallets *applicant.Wallets
	tasks   *tasks
	room    *edge.Room
}

// Routes returns the calls, in the order of the reference.
func (h *Wallets) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/applicant/steps/wallet", ID: "askWallet", Who: edge.Applicant, Sends: edge.JSON,
			Status: http.StatusCreated, Summary: "Ask a wallet",
			Description: "Where the task says `wallet`, at any time before its last step, and again. The request is good once, for five minutes; the one " +
				"before it is void. By link or code, the wallet answers this server. By the browser's API, hand `requests` to " +
				"`navigator.credentials.get` and send back what it returns.",
			Bind: edge.Call(h.ask),
		},
		{
			Method: http.MethodGet, Path: "/v1/applicant/steps/wallet/{request}", ID: "getWalletRequest", Who: edge.Applicant,
			Summary:     "How is a request to a wallet?",
			Description: "Poll it while a code is shown. `taken` means that the wallet answered; the task says what comes next.",
			Bind:        edge.Call(h.look),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/steps/wallet/{request}/answer", ID: "answerWallet", Who: edge.Applicant, Sends: edge.WalletAnswer,
			Status: http.StatusAccepted, Summary: "Send what the browser's API returned",
			Description: "JSON with `protocol` and `data`, as the browser returned them. A request is answered once, whatever the answer. The answer of this call is " +
				"the task; whether the credential is good is verified next, and told to reviewers alone.",
			Bind: edge.Call(h.answer),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/steps/wallet/complete", ID: "completeWallet", Who: edge.Applicant, Sends: edge.JSON,
			Status: http.StatusAccepted, Summary: "Come back from a wallet on the same device",
			Description: "What the wallet presented counts once the browser that asked sends the code that the wallet was given. The code is good once, and " +
				"for no other session.",
			Bind: edge.Call(h.complete),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/steps/wallet/cancel", ID: "cancelWallet", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Go on without a wallet", Description: "The open request, if there is one, is void.",
			Bind: edge.Call(h.cancel),
		},
		{
			Method: http.MethodGet, Path: "/v1/wallet/{handle}", ID: "getWalletRequestObject", Who: edge.Anyone,
			Summary: "Fetch a request, as a wallet", Description: "The signed request object (OpenID4VP 1.0, RFC 9101). It can be fetched again until it is answered.",
			Bind: edge.Call(h.object),
		},
		{
			Method: http.MethodPost, Path: "/v1/wallet/{handle}", ID: "postWalletRequestObject", Who: edge.Anyone, Sends: edge.WalletForm,
			Summary:     "Fetch a request with a nonce, as a wallet",
			Description: "The same, with the `wallet_nonce` of the form in the signed object (OpenID4VP 1.0 section 5.10).",
			Bind:        edge.Call(h.objectFor),
		},
		{
			Method: http.MethodPost, Path: "/v1/wallet/{handle}/response", ID: "postWalletResponse", Who: edge.Anyone, Sends: edge.WalletAnswer,
			Summary:     "Answer a request, as a wallet",
			Description: "The form of `direct_post.jwt` or `direct_post` (OpenID4VP 1.0 section 8.2), once. The answer says where to send the person, if anywhere.",
			Bind:        edge.Call(h.respond),
		},
	}
}

// walletPath is the path of the calls about one request.
type walletPath struct {
	Request idv.WalletRequestID `path:"request" maxLength:"64" doc:"Id of the request"`
}

// handlePath is the path of the calls of wallets.
type handlePath struct {
	Handle string `path:"handle" doc:"Secret in the addresses of the request" minLength:"43" maxLength:"43" pattern:"^[A-Za-z0-9_-]+$"`
}

// askIn is the input of ask.
type askIn struct{ Body wire.WalletBegin }

func (h *Wallets) ask(ctx context.Context, in *askIn) (*wire.Answer[wire.WalletRequest], error) {
	a, err := h.wallets.Begin(ctx, edge.ApplicantSession(ctx), in.Body.Channel)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.WalletRequestOf(a))
}

func (h *Wallets) look(ctx context.Context, in *walletPath) (*wire.Answer[wire.WalletRequestState], error) {
	row, err := h.wallets.Look(ctx, edge.ApplicantSession(ctx), in.Request)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.WalletRequestStateOf(row), nil)
}

func (h *Wallets) answer(ctx context.Context, in *walletPath) (*wire.Answer[wire.Task], error) {
	id := edge.ApplicantSession(ctx)
	raw, leave, err := h.body(ctx, string(id), "application/json")
	if err != nil {
		return nil, err
	}
	defer leave()
	t, err := h.wallets.AnswerBrowser(ctx, id, in.Request, raw)
	return h.tasks.reply(ctx, t, err)
}

// completeIn is the input of complete.
type completeIn struct{ Body wire.WalletCode }

func (h *Wallets) complete(ctx context.Context, in *completeIn) (*wire.Answer[wire.Task], error) {
	t, err := h.wallets.Complete(ctx, edge.ApplicantSession(ctx), in.Body.ResponseCode)
	return h.tasks.reply(ctx, t, err)
}

func (h *Wallets) cancel(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Task], error) {
	t, err := h.wallets.Cancel(ctx, edge.ApplicantSession(ctx))
	return h.tasks.reply(ctx, t, err)
}

func (h *Wallets) object(ctx context.Context, in *handlePath) (*wire.RequestObject, error) {
	return h.signed(ctx, in.Handle, "")
}

func (h *Wallets) objectFor(ctx context.Context, in *handlePath) (*wire.RequestObject, error) {
	raw, leave, err := h.body(ctx, in.Handle, formType)
	if err != nil {
		return nil, err
	}
	defer leave()
	form, err := url.ParseQuery(string(raw))
	if err != nil || len(form["wallet_nonce"]) > 1 {
		return nil, wire.Malformed("wallet_nonce", "A form with the nonce once, or without it.")
	}
	return h.signed(ctx, in.Handle, form.Get("wallet_nonce"))
}

func (h *Wallets) signed(ctx context.Context, handle, nonce string) (*wire.RequestObject, error) {
	object, err := h.wallets.Object(ctx, handle, nonce)
	if err != nil {
		return nil, err
	}
	return &wire.RequestObject{ContentType: "application/oauth-authz-req+jwt", CacheControl: "no-store", Body: []byte(object)}, nil
}

func (h *Wallets) respond(ctx context.Context, in *handlePath) (*wire.Answer[wire.WalletNext], error) {
	raw, leave, err := h.body(ctx, in.Handle, formType)
	if err != nil {
		return nil, err
	}
	defer leave()
	next, err := h.wallets.Answer(ctx, in.Handle, raw)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.WalletNext{RedirectURI: next}, nil)
}

const formType = "application/x-www-form-urlencoded"

// body reads the body of a call, which takes room while it is in memory. Problems: request.unsupported_media, request.too_large,
// unavailable.
func (h *Wallets) body(ctx context.Context, sender, media string) ([]byte, func(), error) {
	r := edge.HTTPRequest(ctx)
	got, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || got != media {
		return nil, nil, problem.New(problem.RequestUnsupportedMedia).Saying("Send %s.", media)
	}
	leave, err := h.room.Enter(ctx, r, sender, edge.WalletAnswer.MaxBytes())
	if err != nil {
		return nil, nil, err
	}
	raw, err := io.ReadAll(r.Body)
	if err == nil {
		return raw, leave, nil
	}
	leave()
	var large *http.MaxBytesError
	switch _, known := problem.As(err); {
	case known: // no room, or too slow
		return nil, nil, err
	case errors.As(err, &large):
		return nil, nil, problem.New(problem.RequestTooLarge)
	}
	return nil, nil, wire.Malformed("", "The body ended early.")
}
