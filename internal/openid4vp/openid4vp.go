// Package openid4vp asks wallets for credentials and judges what they answer: OpenID for Verifiable Presentations 1.0 by redirect and by
// the browser's Digital Credentials API, and the same API as ISO/IEC 18013-7 annex C has it.
//
// A request is kept as it was made, and an answer is judged against what was kept: channel, nonce, verifier, key and query all come from
// there and none of them from the answer. An answer is good only if each credential in it is, on its own, authentic and presented by
// its holder for this request, and if together they satisfy the query by what was verified.
package openid4vp

import (
	"crypto/ecdh"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// The refusals of this package.
const (
	BadQuery        refusal.Code = "openid.query"          // query that cannot be asked
	BadRequest      refusal.Code = "openid.request"        // request that no wallet would take
	Malformed       refusal.Code = "openid.malformed"      // answer that is not written as its channel asks for
	TooLarge        refusal.Code = "openid.too_large"      // answer of more bytes than are read
	OtherChannel    refusal.Code = "openid.other_channel"  // answer by another channel or protocol than the request's
	RequestExpired  refusal.Code = "openid.expired"        // answer to a request that is over
	OtherState      refusal.Code = "openid.state"          // answer with the state of another request
	WalletError     refusal.Code = "openid.wallet_error"   // wallet that answered with an error: nothing suitable, or declined
	NotEncrypted    refusal.Code = "openid.not_encrypted"  // open answer where an encrypted one was asked for
	Encryption      refusal.Code = "openid.encryption"     // encryption in a way that was not offered
	OtherKey        refusal.Code = "openid.other_key"      // answer encrypted to the key of another request
	CannotDecrypt   refusal.Code = "openid.cannot_decrypt" // answer that the key does not open
	NotAsked        refusal.Code = "openid.not_asked"      // credential that was not asked for
	Several         refusal.Code = "openid.several"        // none or several presentations where one was asked for
	Unanswered      refusal.Code = "openid.unanswered"     // credential that was asked for and is missing
	ClaimMissing    refusal.Code = "openid.claim_missing"  // claim that was asked for and not disclosed
	Excessive       refusal.Code = "openid.excessive"      // answer that discloses more than an age where nothing else was asked for
	ValueNotAllowed refusal.Code = "openid.value"          // claim with another value than was asked for
)

// Mode is a channel with the form of its answers.
type Mode string

// The modes: OpenID4VP 1.0 section 8.2 and annex A, ISO/IEC 18013-7 annex C.
const (
	DirectPost    Mode = "direct_post"
	DirectPostJWT Mode = "direct_post.jwt"
	DCAPI         Mode = "dc_api"
	DCAPIJWT      Mode = "dc_api.jwt"
	ISOMDoc       Mode = "org-iso-mdoc"
)

func (m Mode) encrypted() bool { return m != DirectPost && m != DCAPI }
func (m Mode) browser() bool   { return m != DirectPost && m != DirectPostJWT }

// protocols are those of requests through the browser.
const (
	protocolUnsigned = "openid4vp-v1-unsigned"
	protocolSigned   = "openid4vp-v1-signed"
)

// Request is a request as it is kept. Until its answer was opened it holds the private key of the answer's encryption.
type Request struct {
	Mode        Mode      `json:"mode"`
	Signed      bool      `json:"signed"`       // by the browser: whether the request was signed; others always are
	ClientID    string    `json:"client_id"`    // with its prefix; empty in unsigned requests by the browser
	ResponseURI string    `json:"response_uri"` // by redirect: where the answer is posted
	Origin      string    `json:"origin"`       // by the browser: of the page that asks
	Nonce       string    `json:"nonce"`
	State       string    `json:"state"`
	Query       *Query    `json:"query"`
	Private     []byte    `json:"private_key,omitempty"` // P-256; empty if the answer is not encrypted, and once it was opened
	Public      []byte    `json:"public_key,omitempty"`  // its uncompressed point, which outlives it: transcripts name it
	KeyID       string    `json:"key_id"`                // its name, by which an answer to another request is told apart
	Made        time.Time `json:"made"`
	Until       time.Time `json:"until"`
}

// audience returns whom holders have to name (annex B.3.3.1 and A.4): the verifier, by the browser the page's origin.
func (r *Request) audience() string {
	if r.Mode.browser() {
		return "origin:" + r.Origin
	}
	return r.ClientID
}

// key returns the key of the answer's encryption.
func (r *Request) key() (*ecdh.PrivateKey, error) { return ecdh.P256().NewPrivateKey(r.Private) }

// public returns the public key of the answer's encryption, nil where there is none.
func (r *Request) public() (*pki.PublicKey, error) {
	if !r.Mode.encrypted() {
		return nil, nil //nolint:nilnil // an answer that is not encrypted has no key
	}
	if len(r.Private) == 0 && len(r.Public) > 0 {
		return pki.ParsePoint("P-256", r.Public)
	}
	key, err := r.key()
	if err != nil {
		return nil, err
	}
	return pki.ParsePoint("P-256", key.PublicKey().Bytes())
}

// WithoutKey returns the request as it is kept once its answer was opened: an answer in the clear can be judged by it again, and no other
// one can be opened.
func (r *Request) WithoutKey() *Request {
	kept := *r
	kept.Private = nil
	return &kept
}

// check reports what keeps a request from being asked or answered.
func (r *Request) check() error {
	switch {
	case !slices.Contains([]Mode{DirectPost, DirectPostJWT, DCAPI, DCAPIJWT, ISOMDoc}, r.Mode):
		return refusal.New(BadRequest, "the mode is not known")
	case len(r.Nonce) < 22 || len(r.State) < 22:
		return refusal.New(BadRequest, "nonce and state need 128 bits each")
	case r.Query == nil:
		return refusal.New(BadRequest, "there is no query")
	case r.Mode.browser() && r.Origin == "":
		return refusal.New(BadRequest, "a request by the browser needs an origin")
	case (!r.Mode.browser() || r.Signed) && r.ClientID == "":
		return refusal.New(BadRequest, "a signed request needs a client_id")
	case !r.Mode.browser() && r.ResponseURI == "":
		return refusal.New(BadRequest, "a request by redirect needs a response_uri")
	case r.Mode == ISOMDoc && (len(r.Query.Credentials) != 1 || r.Query.Credentials[0].Format != MDoc):
		return refusal.New(BadRequest, "this protocol asks for one mobile document")
	case r.Mode.encrypted():
		_, err := r.public()
		return err
	}
	return nil
}
