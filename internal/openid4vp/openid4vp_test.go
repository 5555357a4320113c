package openid4vp_test

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/hpke"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/sdjwt"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// desk is a verifier that asks, and a wallet that answers.
type desk struct {
	request         *openid4vp.Request
	person, licence *wallettest.Issuer
	holder          *ecdsa.PrivateKey
	store           *trust.Store
	now             time.Time

	// What the wallet does instead of what is usual.
	sealing  openid4vp.Request // of the request that it encrypts for
	nonce    string
	audience string
	options  jose.EncrypterOptions
	enc      jose.ContentEncryption
	token    func(map[string]any)
	claims   func(*wallettest.Credential)
}

const both = `{"credentials": [
	{"id": "pid", "format": "dc+sd-jwt", "meta": {"vct_values": ["` + wallettest.VCT + `"]},
		"claims": [{"path": ["family_name"]}, {"path": ["address", "locality"]}, {"path": ["nationalities", null], "values": ["UT"]}]},
	{"id": "mdl", "format": "mso_mdoc", "meta": {"doctype_value": "` + wallettest.DocType + `"},
		"claims": [{"path": ["` + wallettest.Space + `", "family_name"]}, {"path": ["` + wallettest.Space + `", "age_over_18"], "values": [true]}]}]}`

const licenceOnly = `{"credentials": [{"id": "mdl", "format": "mso_mdoc", "meta": {"doctype_value": "` + wallettest.DocType + `"},
	"claims": [{"path": ["` + wallettest.Space + `", "family_name"]}]}]}`

func newDesk(t testing.TB, m openid4vp.Mode, query string) *desk {
	t.Helper()
	d := &desk{person: wallettest.NewIssuer(1), licence: wallettest.NewDocumentIssuer(1), holder: wallettest.NewHolder(), store: &trust.Store{}}
	for _, a := range []trust.Anchor{
		{Certificate: d.person.Root.Cert, Purpose: trust.Issuer, Scope: wallettest.VCT},
		{Certificate: d.licence.Root.Cert, Purpose: trust.IACA, Scope: wallettest.DocType},
	} {
		if err := d.store.Accept(a); err != nil {
			t.Fatal(err)
		}
	}
	q, err := openid4vp.ParseQuery([]byte(query))
	if err != nil {
		t.Fatal(err)
	}
	d.request = &openid4vp.Request{
		Mode: m, ClientID: wallettest.Audience, ResponseURI: "https://verifier.example/response", Origin: "https://verifier.example", Query: q,
	}
	d.now = wallettest.Now.Add(time.Minute)
	if err := d.request.Ask(wallettest.Now, 5*time.Minute); err != nil {
		t.Fatal(err)
	}
	d.usual(t)
	return d
}

// usual makes the wallet answer the request as it should.
func (d *desk) usual(t testing.TB) {
	t.Helper()
	d.sealing, d.nonce, d.audience, d.enc = *d.request, d.request.Nonce, d.request.ClientID, jose.A256GCM
	if d.request.Mode == openid4vp.DCAPI || d.request.Mode == openid4vp.DCAPIJWT {
		d.audience = "origin:" + d.request.Origin
	}
}

// token of the answer, by the wallet's own reading of the request.
func (d *desk) vpToken(t testing.TB) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, q := range d.request.Query.Credentials {
		if q.Format == openid4vp.SDJWT {
			c := d.person.Person(d.holder)
			if d.claims != nil {
				d.claims(c)
			}
			out[q.ID] = []any{wallettest.Present(c.Issue(), d.holder, nil, map[string]any{"nonce": d.nonce, "aud": d.audience})}
		} else {
			out[q.ID] = []any{base64.RawURLEncoding.EncodeToString(d.response(t))}
		}
	}
	if d.token != nil {
		d.token(out)
	}
	return out
}

func (d *desk) response(t testing.TB) []byte {
	t.Helper()
	transcript, err := d.sealing.Transcript()
	if err != nil {
		t.Fatal(err)
	}
	return d.licence.Licence(d.holder).Respond(wallettest.Device{Key: d.holder, Transcript: transcript}, nil)
}

// answer returns what the wallet sends, encrypted by somebody else's code.
func (d *desk) answer(t testing.TB) []byte {
	t.Helper()
	switch d.request.Mode {
	case openid4vp.DirectPost:
		return []byte(url.Values{"vp_token": {string(asJSON(t, d.vpToken(t)))}, "state": {d.request.State}}.Encode())
	case openid4vp.DirectPostJWT:
		sealed := d.seal(t, map[string]any{"vp_token": d.vpToken(t), "state": d.sealing.State})
		return []byte(url.Values{"response": {sealed}}.Encode())
	case openid4vp.DCAPI:
		return browser(t, "openid4vp-v1-unsigned", map[string]any{"vp_token": d.vpToken(t)})
	case openid4vp.DCAPIJWT:
		return browser(t, "openid4vp-v1-unsigned", map[string]any{"response": d.seal(t, map[string]any{"vp_token": d.vpToken(t)})})
	}
	return browser(t, "org-iso-mdoc", map[string]any{"response": base64.RawURLEncoding.EncodeToString(d.sealISO(t))})
}

func browser(t testing.TB, protocol string, data any) []byte {
	t.Helper()
	return asJSON(t, map[string]any{"protocol": protocol, "data": data})
}

func asJSON(t testing.TB, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func (d *desk) seal(t testing.TB, payload any) string {
	t.Helper()
	key := ecdsaKey(t, d.sealing.Private)
	e, err := jose.NewEncrypter(d.enc, jose.Recipient{Algorithm: jose.ECDH_ES, Key: &key.PublicKey, KeyID: d.sealing.KeyID}, &d.options)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := e.Encrypt(asJSON(t, payload))
	if err != nil {
		t.Fatal(err)
	}
	text, err := sealed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func ecdsaKey(t testing.TB, raw []byte) *ecdsa.PrivateKey {
	t.Helper()
	private, err := ecdh.P256().NewPrivateKey(raw)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdsa.ParseRawPrivateKey(wallettest.NewHolder().Curve, private.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (d *desk) sealISO(t testing.TB) []byte {
	t.Helper()
	transcript, err := d.sealing.Transcript()
	if err != nil {
		t.Fatal(err)
	}
	private, err := ecdh.P256().NewPrivateKey(d.sealing.Private)
	if err != nil {
		t.Fatal(err)
	}
	key, err := hpke.NewDHKEMPublicKey(private.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	enc, sender, err := hpke.NewSender(key, hpke.HKDFSHA256(), hpke.AES128GCM(), transcript)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := sender.Seal(nil, d.response(t))
	if err != nil {
		t.Fatal(err)
	}
	return cose.Encode([]any{"dcapi", map[string]any{"enc": enc, "cipherText": sealed}})
}

func (d *desk) verify(raw []byte) *openid4vp.Report {
	return d.request.Verify(raw, d.store, openid4vp.Options{Now: d.now})
}

func codes(all []*refusal.Refusal) []refusal.Code {
	var out []refusal.Code
	for _, r := range all {
		out = append(out, r.Code)
	}
	return out
}

var modes = map[openid4vp.Mode]string{
	openid4vp.DirectPost: both, openid4vp.DirectPostJWT: both, openid4vp.DCAPI: both, openid4vp.DCAPIJWT: both, openid4vp.ISOMDoc: licenceOnly,
}

func TestASoundAnswerIsTakenByEveryChannel(t *testing.T) {
	for mode, query := range modes {
		t.Run("V16-V21 "+string(mode), func(t *testing.T) {
			d := newDesk(t, mode, query)
			r := d.verify(d.answer(t))
			if !r.Satisfied || len(r.Credentials) != len(d.request.Query.Credentials) {
				t.Errorf("satisfied %t, %d credentials, refusals %v", r.Satisfied, len(r.Credentials), r.Refusals)
			}
		})
	}
}

// TestAnAnswerIsGoodForItsOwnRequestAndChannelOnly judges each channel's answer by the requests of the others and by one like its own.
func TestAnAnswerIsGoodForItsOwnRequestAndChannelOnly(t *testing.T) {
	t.Attr("case", "N52 openid.other_channel")
	t.Attr("case", "N67 openid.other_channel")
	for from, query := range modes {
		d := newDesk(t, from, licenceOnly)
		raw := d.answer(t)
		for to := range modes {
			other := newDesk(t, to, licenceOnly)
			other.licence, other.store = d.licence, d.store
			if r := other.verify(raw); r.Satisfied || len(r.Refusals) == 0 {
				t.Errorf("N52 N67: an answer by %s satisfies another request by %s", from, to)
			}
			again := *d.request
			again.Mode = to
			if r := again.Verify(raw, d.store, openid4vp.Options{Now: d.now}); to != from && r.Satisfied {
				t.Errorf("N52 N67: an answer by %s satisfies its own request by %s", from, to)
			}
		}
		_ = query
	}
}

func TestWhatIsWrongWithAnAnswerIsRefusedByItsOwnCode(t *testing.T) {
	change := func(f func(*openid4vp.Request)) func(*testing.T, *desk) []byte {
		return func(t *testing.T, d *desk) []byte { f(&d.sealing); return d.answer(t) }
	}
	edit := func(f func(map[string]any)) func(*testing.T, *desk) []byte {
		return func(t *testing.T, d *desk) []byte { d.token = f; return d.answer(t) }
	}
	for _, c := range []struct {
		name string
		mode openid4vp.Mode
		do   func(*testing.T, *desk) []byte
		want refusal.Code
	}{
		{"N30 the nonce is of another request", openid4vp.DirectPost, func(t *testing.T, d *desk) []byte {
			d.nonce = "another"
			return d.answer(t)
		}, sdjwt.BindingNonce},
		{"N32 the audience lacks its prefix", openid4vp.DCAPIJWT, func(t *testing.T, d *desk) []byte {
			d.audience = d.request.Origin
			return d.answer(t)
		}, sdjwt.BindingAudience},
		{"N51 the transcript has another nonce", openid4vp.DirectPost, change(func(r *openid4vp.Request) { r.Nonce = r.State }), "mdoc.device_signature"},
		{"N51 the transcript has another client_id", openid4vp.DirectPost, change(func(r *openid4vp.Request) { r.ClientID += "x" }), "mdoc.device_signature"},
		{"N51 the transcript has another response_uri", openid4vp.DirectPost, change(func(r *openid4vp.Request) { r.ResponseURI += "x" }), "mdoc.device_signature"},
		{"N51 the transcript has another origin", openid4vp.DCAPI, change(func(r *openid4vp.Request) { r.Origin += "x" }), "mdoc.device_signature"},
		{"N51 the transcript has no thumbprint", openid4vp.DirectPostJWT, func(t *testing.T, d *desk) []byte {
			sealed := d.sealing
			d.sealing.Mode = openid4vp.DirectPost
			token := d.vpToken(t)
			d.sealing = sealed
			return []byte(url.Values{"response": {d.seal(t, map[string]any{"vp_token": token, "state": sealed.State})}}.Encode())
		}, "mdoc.device_signature"},
		{"N62 the key is of another request", openid4vp.DirectPostJWT, change(func(r *openid4vp.Request) { r.KeyID = "another" }), openid4vp.OtherKey},
		{"N62 the key is another by the same name", openid4vp.DirectPostJWT, func(t *testing.T, d *desk) []byte {
			other := newDesk(t, d.request.Mode, both)
			d.sealing.Private = other.request.Private
			return d.answer(t)
		}, openid4vp.CannotDecrypt},
		{"N63 the answer is open", openid4vp.DirectPostJWT, func(t *testing.T, d *desk) []byte {
			return []byte(url.Values{"vp_token": {string(asJSON(t, d.vpToken(t)))}, "state": {d.request.State}}.Encode())
		}, openid4vp.NotEncrypted},
		{"N63 the answer is open in the browser", openid4vp.DCAPIJWT, func(t *testing.T, d *desk) []byte {
			return browser(t, "openid4vp-v1-unsigned", map[string]any{"vp_token": d.vpToken(t)})
		}, openid4vp.NotEncrypted},
		{"N64 the encryption was not offered", openid4vp.DirectPostJWT, func(t *testing.T, d *desk) []byte {
			d.enc = jose.A128CBC_HS256
			return d.answer(t)
		}, openid4vp.Encryption},
		{"N64 the answer is compressed", openid4vp.DirectPostJWT, func(t *testing.T, d *desk) []byte {
			d.options.Compression = jose.DEFLATE
			return d.answer(t)
		}, openid4vp.Encryption},
		{"N65 the state is of another request", openid4vp.DirectPostJWT, change(func(r *openid4vp.Request) { r.State = r.Nonce }), openid4vp.OtherState},
		{"N66 a credential was not asked for", openid4vp.DirectPost, edit(func(m map[string]any) { m["more"] = m["pid"] }), openid4vp.NotAsked},
		{"N66 a credential is missing", openid4vp.DirectPost, edit(func(m map[string]any) { delete(m, "mdl") }), openid4vp.Unanswered},
		{"N66 a credential is there twice", openid4vp.DirectPost, edit(func(m map[string]any) {
			m["pid"] = append(m["pid"].([]any), m["pid"].([]any)...)
		}), openid4vp.Several},
		{"N66 a credential is an empty list", openid4vp.DirectPost, edit(func(m map[string]any) { m["pid"] = []any{} }), openid4vp.Several},
		{"a presentation is no text", openid4vp.DirectPost, edit(func(m map[string]any) { m["pid"] = []any{1} }), openid4vp.Malformed},
		{"a presentation is in no list", openid4vp.DirectPost, edit(func(m map[string]any) { m["pid"] = "x" }), openid4vp.Malformed},
		{"N67 the answer was posted", openid4vp.DCAPI, func(t *testing.T, d *desk) []byte {
			return []byte(url.Values{"vp_token": {string(asJSON(t, d.vpToken(t)))}}.Encode())
		}, openid4vp.OtherChannel},
		{"N68 the request is over", openid4vp.DirectPost, func(t *testing.T, d *desk) []byte {
			d.now = wallettest.Now.Add(time.Hour)
			return d.answer(t)
		}, openid4vp.RequestExpired},
		{"N71 the protocol is another one", openid4vp.DCAPI, func(t *testing.T, d *desk) []byte {
			return browser(t, "openid4vp-v1-signed", map[string]any{"vp_token": d.vpToken(t)})
		}, openid4vp.OtherChannel},
		{"N71 the wallet answers with an error", openid4vp.DCAPIJWT, func(t *testing.T, _ *desk) []byte {
			return browser(t, "openid4vp-v1-unsigned", map[string]any{"error": "access_denied"})
		}, openid4vp.WalletError},
		{"N72 the wallet posts an error", openid4vp.DirectPostJWT, func(_ *testing.T, d *desk) []byte {
			return []byte("error=access_denied&state=" + d.request.State)
		}, openid4vp.WalletError},
		{"there are too many bytes", openid4vp.DirectPost, func(*testing.T, *desk) []byte { return make([]byte, 17<<20) }, openid4vp.TooLarge},
		{"a field is posted twice", openid4vp.DirectPost, func(*testing.T, *desk) []byte { return []byte("state=a&state=b") }, openid4vp.Malformed},
		{"N41 a claim is missing", openid4vp.DirectPost, func(t *testing.T, d *desk) []byte {
			d.claims = func(c *wallettest.Credential) { c.Disclosures = append(c.Disclosures[:4:4], c.Disclosures[5:]...) }
			return d.answer(t)
		}, openid4vp.ClaimMissing},
		{"a claim has another value", openid4vp.DirectPost, func(t *testing.T, d *desk) []byte {
			d.claims = func(c *wallettest.Credential) { c.Disclosures = c.Disclosures[:5] }
			return d.answer(t)
		}, openid4vp.ValueNotAllowed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Attr("code", string(c.want))
			d := newDesk(t, c.mode, both)
			raw := c.do(t, d)
			r := d.verify(raw)
			if got := codes(r.Refusals); r.Satisfied || len(got) == 0 || got[0] != c.want {
				t.Errorf("refusals %v, want %q first", r.Refusals, c.want)
			}
		})
	}
}

func TestAnAnswerIsJudgedByTheStatusLists(t *testing.T) {
	d := newDesk(t, openid4vp.DirectPost, both)
	d.claims = func(c *wallettest.Credential) {
		c.Payload["status"] = map[string]any{"status_list": map[string]any{"uri": wallettest.ListURI, "idx": 3}}
	}
	raw := d.answer(t)
	l := d.person.NewStatusList(1)
	l.Set[3] = 1
	list, err := statuslist.Parse(l.JWT())
	if err != nil {
		t.Fatal(err)
	}
	r := d.request.Verify(raw, d.store, openid4vp.Options{Now: d.now, Status: statuslist.Lists{list}})
	if diff := cmp.Diff([]refusal.Code{statuslist.Revoked}, codes(r.Refusals)); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
}

// TestAnAnswerOfNothingSatisfiesNoRequest answers a request in which each credential may be left out.
func TestAnAnswerOfNothingSatisfiesNoRequest(t *testing.T) {
	query := strings.TrimSuffix(licenceOnly, "}") + `, "credential_sets": [{"options": [["mdl"]], "required": false}]}`
	d := newDesk(t, openid4vp.DirectPost, query)
	raw := []byte(url.Values{"vp_token": {"{}"}, "state": {d.request.State}}.Encode())
	r := d.verify(raw)
	if diff := cmp.Diff([]refusal.Code{openid4vp.Unanswered}, codes(r.Refusals)); diff != "" || r.Satisfied {
		t.Errorf("satisfied %t, refusals (-want +got):\n%s", r.Satisfied, diff)
	}
}

// TestAnAnswerOfDotsCostsNoMoreThanItsOwnSize counts what is allocated for an answer that is all dots, of which each begins a part.
func TestAnAnswerOfDotsCostsNoMoreThanItsOwnSize(t *testing.T) {
	d := newDesk(t, openid4vp.DCAPIJWT, licenceOnly)
	raw := browser(t, "openid4vp-v1-unsigned", map[string]any{"response": strings.Repeat(".", 2<<20)})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := d.verify(raw)
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; r.Satisfied || grown > uint64(8*len(raw)) {
		t.Errorf("%d bytes were allocated for %d", grown, len(raw))
	}
}

// pin gives the request nonce, state and key that are the same in every process: fuzzing sends seeds of one to another.
func (d *desk) pin(t testing.TB) {
	t.Helper()
	d.request.Nonce, d.request.State = strings.Repeat("nonce", 8), strings.Repeat("state", 8)
	if len(d.request.Private) > 0 {
		d.request.Private, d.request.KeyID = bytes.Repeat([]byte{7}, 32), "pinned"
		private, err := ecdh.P256().NewPrivateKey(d.request.Private)
		if err != nil {
			t.Fatal(err)
		}
		d.request.Public = private.PublicKey().Bytes() // a wallet of ours seals to it, and the transcript names it once the private key is gone
	}
	d.usual(t)
}

// FuzzVerify sends anything by each channel: nothing crashes, and nothing satisfies the request but an answer to it.
func FuzzVerify(f *testing.F) {
	desks := map[openid4vp.Mode]*desk{}
	for mode, query := range modes {
		d := newDesk(f, mode, query)
		d.pin(f)
		desks[mode] = d
		f.Add(string(mode), d.answer(f))
	}
	f.Fuzz(func(t *testing.T, mode string, raw []byte) {
		d := desks[openid4vp.Mode(mode)]
		if d == nil {
			return
		}
		if r := d.verify(raw); r.Satisfied && len(r.Credentials) != len(d.request.Query.Credentials) {
			t.Errorf("%d credentials satisfy it", len(r.Credentials))
		}
	})
}

// BenchmarkVerify measures an encrypted answer with an SD-JWT and a mobile document.
func BenchmarkVerify(b *testing.B) {
	d := newDesk(b, openid4vp.DirectPostJWT, both)
	raw := d.answer(b)
	for b.Loop() {
		if r := d.verify(raw); !r.Satisfied {
			b.Fatal(r.Refusals)
		}
	}
}
