package openid4vp

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// vector reads a published file, which the repository does not carry.
func vector(t testing.TB, name string) []byte {
	t.Helper()
	if os.Getenv("BONAFIDE_DATA") == "" {
		t.Skip("BONAFIDE_DATA is not set: no vectors/openid4vp")
	}
	raw, err := os.ReadFile(filepath.Join(os.Getenv("BONAFIDE_DATA"), "vectors", name))
	if err != nil {
		t.Skip(err)
	}
	return raw
}

func TestPublishedQueriesAreRead(t *testing.T) {
	for name, works := range map[string]bool{
		"claims_alternatives": true, "complex_mdoc": true, "credentials_alternatives": true, "multi_credentials": true, "simple": true,
		"simple_mdoc": true, "value_matching_simple": true,
	} {
		if _, err := ParseQuery(vector(t, "openid4vp/examples/query_lang/"+name+".json")); (err == nil) != works {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// exchange is what another maker's wallet answered, with throw-away keys.
type exchange struct {
	Created time.Time
	Request struct {
		ClientID    string `json:"client_id"`
		ResponseURI string `json:"response_uri"`
		Nonce       string
		State       string
		Origin      string
	}
	Key           struct{ D string }        `json:"verifierEncPrivateJwk"`
	IACA          string                    `json:"iacaRootPem"`
	PID           string                    `json:"pidRootPem"`
	DirectPostJWT struct{ Response string } `json:"direct_post_jwt"`
	DirectPost    struct {
		VPToken string `json:"vp_token"`
		State   string
	} `json:"direct_post"`
	DCAPI struct {
		VPToken json.RawMessage `json:"vp_token"`
	} `json:"dc_api"`
	DCAPIJWT    struct{ Response string } `json:"dc_api_jwt"`
	Transcripts struct {
		Redirect string
		DCAPI    string `json:"dc_api"`
	} `json:"sessionTranscripts"`
}

func (x *exchange) request(t *testing.T, m Mode) *Request {
	t.Helper()
	q, err := ParseQuery([]byte(`{"credentials": [
		{"id": "pid", "format": "dc+sd-jwt", "meta": {"vct_values": ["urn:eudi:pid:1"]}, "claims": [{"path": ["family_name"]}]},
		{"id": "mdl", "format": "mso_mdoc", "meta": {"doctype_value": "org.iso.18013.5.1.mDL"}, "claims": [{"path": ["org.iso.18013.5.1", "family_name"]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	private, err := base64.RawURLEncoding.DecodeString(x.Key.D)
	if err != nil {
		t.Fatal(err)
	}
	return &Request{
		Mode: m, ClientID: x.Request.ClientID, ResponseURI: x.Request.ResponseURI, Origin: x.Request.Origin, Nonce: x.Request.Nonce,
		State: x.Request.State, Query: q, Private: private, KeyID: "e1", Made: x.Created, Until: x.Created.Add(5 * time.Minute),
	}
}

func (x *exchange) trusted(t *testing.T) *trust.Store {
	t.Helper()
	store := &trust.Store{}
	for _, a := range []struct {
		text, scope string
		purpose     trust.Purpose
	}{{x.PID, "urn:eudi:pid:1", trust.Issuer}, {x.IACA, "org.iso.18013.5.1.mDL", trust.IACA}} {
		block, _ := pem.Decode([]byte(a.text))
		root, err := pki.ParseCertificate(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Accept(trust.Anchor{Certificate: root, Purpose: a.purpose, Scope: a.scope}); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

func asJSON(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestAnswersOfAnotherMakersWalletAreWhatWasAskedFor(t *testing.T) {
	var x exchange
	if err := json.Unmarshal(vector(t, "wallet/wallet.json"), &x); err != nil {
		t.Fatal(err)
	}
	store := x.trusted(t)
	browser := func(data any) []byte { return asJSON(t, map[string]any{"protocol": protocolUnsigned, "data": data}) }
	posted := url.Values{"vp_token": {x.DirectPost.VPToken}, "state": {x.DirectPost.State}}.Encode()
	for _, c := range []struct {
		name string
		mode Mode
		raw  []byte
		want refusal.Code // of the first refusal
	}{
		{"V16 V18 V21 direct_post.jwt", DirectPostJWT, []byte(url.Values{"response": {x.DirectPostJWT.Response}}.Encode()), ""},
		{"V20 direct_post", DirectPost, []byte(posted), "mdoc.device_signature"}, // its device signed for the encrypted channel
		{"V17 V19 dc_api.jwt", DCAPIJWT, browser(map[string]any{"response": x.DCAPIJWT.Response}), ""},
		{"dc_api", DCAPI, browser(map[string]any{"vp_token": x.DCAPI.VPToken}), "mdoc.device_signature"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := x.request(t, c.mode)
			out := r.Verify(c.raw, store, Options{Now: x.Created.Add(time.Minute)})
			if len(out.Refusals) == 0 {
				out.Refusals = []*refusal.Refusal{{}}
			}
			if out.Refusals[0].Code != c.want || len(out.Credentials) != 2 {
				t.Errorf("refusals %v, want %q first; %d credentials", out.Refusals, c.want, len(out.Credentials))
			}
		})
	}
	for m, want := range map[Mode]string{DirectPostJWT: x.Transcripts.Redirect, DCAPIJWT: x.Transcripts.DCAPI} {
		if got, err := x.request(t, m).Transcript(); err != nil || hex.EncodeToString(got) != want {
			t.Errorf("the transcript of %s is %x (%v), want %s", m, got, err, want)
		}
	}
}

func TestPublishedTranscriptsAreMadeByteForByte(t *testing.T) {
	var published map[string]json.RawMessage
	if err := json.Unmarshal(vector(t, "openid4vp/session-transcript-vectors.json"), &published); err != nil {
		t.Fatal(err)
	}
	text := func(name string) string {
		var s string
		if err := json.Unmarshal(published[name], &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	var key any
	if err := json.Unmarshal(published["jwk"], &key); err != nil {
		t.Fatal(err)
	}
	public, err := jose.ParseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	thumbprint := jose.Thumbprint(public)
	for name, c := range map[string]struct {
		kind string
		info []any
	}{
		"#0": {"OpenID4VPHandover", []any{"x509_san_dns:example.com", "exc7gBkxjx1rdc9udRrveKvSsJIq80avlXeLHhGwqtA", thumbprint, "https://example.com/response"}},
		"#1": {"OpenID4VPDCAPIHandover", []any{"https://example.com", "exc7gBkxjx1rdc9udRrveKvSsJIq80avlXeLHhGwqtA", thumbprint}},
	} {
		if info := hex.EncodeToString(cose.Encode(c.info)); info != text(c.kind+"Info#0") {
			t.Errorf("%s: the information is %s, want %s", c.kind, info, text(c.kind+"Info#0"))
		}
		if got := hex.EncodeToString(handover(c.kind, c.info)); got != text("SessionTranscript"+name) {
			t.Errorf("%s: the transcript is %s, want %s", c.kind, got, text("SessionTranscript"+name))
		}
	}
}
