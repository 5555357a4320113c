package wire

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp/testwallet"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// WalletBegin says how a wallet is asked.
type WalletBegin struct {
	Channel session.WalletChannel `json:"channel" doc:"same_device: a link; cross_device: a code; browser: the Digital Credentials API"`
}

// WalletRequest is a request to a wallet.
type WalletRequest struct {
	ID        idv.WalletRequestID     `json:"id"`
	Channel   session.WalletChannel   `json:"channel"`
	Link      string                  `json:"link" doc:"Opens a wallet; show it as a code for another device. Empty for browser"`
	QR        *QRCode                 `json:"qr" doc:"The link as a QR code, for cross_device; null otherwise"`
	Requests  []map[string]any        `json:"requests" doc:"For browser: digital.requests of navigator.credentials.get. Empty otherwise"`
	Channels  []session.WalletChannel `json:"channels" doc:"The channels of this deployment"`
	ExpiresAt time.Time               `json:"expires_at"`
}

// WalletRequestOf returns the wire form of a request.
func WalletRequestOf(a applicant.WalletAsked) (WalletRequest, error) {
	out := WalletRequest{
		ID: a.Row.ID, Channel: a.Row.Channel, Link: a.Link, Requests: NonNil(a.Requests), Channels: a.Channels, ExpiresAt: a.Row.ExpiresAt.UTC(),
	}
	if a.Row.Channel != session.WalletCrossDevice {
		return out, nil
	}
	code, err := QRCodeOf(a.Link)
	out.QR = &code
	return out, err
}

// WalletRequestState is a request to a wallet as it is now.
type WalletRequestState struct {
	ID        idv.WalletRequestID `json:"id"`
	State     session.WalletState `json:"state"`
	Problem   *TaskProblem        `json:"problem" doc:"Why it failed or ended; null otherwise"`
	ExpiresAt time.Time           `json:"expires_at"`
}

// WalletRequestStateOf returns the wire form of the state of a request.
func WalletRequestStateOf(r session.WalletRequestRow) WalletRequestState {
	out := WalletRequestState{ID: r.ID, State: r.State, ExpiresAt: r.ExpiresAt.UTC()}
	if r.Problem != "" {
		out.Problem = TaskProblemOf(&idv.StepProblem{Code: r.Problem, Step: idv.StepWallet}, nil)
	}
	return out
}

// WalletCode is what a wallet put into the address that it opened.
type WalletCode struct {
	ResponseCode string `json:"response_code" minLength:"40" maxLength:"64" doc:"The part after #wallet= in the address; good once"`
}

// WalletTest says what the wallet of test mode answers.
type WalletTest struct {
	Choice testwallet.Choice `json:"choice" enum:"share,other_name,other_face,no_portrait,expired,revoked,decline"`
}

// WalletNext tells a wallet where to send the person (OpenID4VP 1.0 section 8.2).
type WalletNext struct {
	RedirectURI string `json:"redirect_uri,omitempty"`
}

// RequestObject is the output of the calls that answer a signed request (RFC 9101).
type RequestObject struct {
	ContentType  string `header:"Content-Type"`
	CacheControl string `header:"Cache-Control" hidden:"true"`
	Body         []byte `contentType:"application/oauth-authz-req+jwt"`
}
