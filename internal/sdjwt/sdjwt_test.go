package sdjwt_test

import (
	"crypto/ecdsa"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/sdjwt"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// desk is an issuer, a holder, what is trusted, and what was asked.
type desk struct {
	issuer     *wallettest.Issuer
	holder     *ecdsa.PrivateKey
	store      *trust.Store
	options    sdjwt.Options
	credential *wallettest.Credential
	header     map[string]any // of the holder's token, instead of what is usual
	claims     map[string]any // likewise
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{issuer: wallettest.NewIssuer(1), holder: wallettest.NewHolder(), store: &trust.Store{}}
	d.accept(t, d.issuer.Root, trust.Issuer, wallettest.VCT)
	d.options = sdjwt.Options{
		Now: wallettest.Now, Types: []string{wallettest.VCT},
		Binding: &sdjwt.Binding{Nonce: wallettest.Nonce, Audience: wallettest.Audience},
	}
	d.credential = d.issuer.Person(d.holder)
	return d
}

func (d *desk) accept(t testing.TB, root *emrtdtest.Holder, p trust.Purpose, scope string) {
	t.Helper()
	if err := d.store.Accept(trust.Anchor{Certificate: root.Cert, Purpose: p, Scope: scope}); err != nil {
		t.Fatal(err)
	}
}

// present issues the credential and presents it.
func (d *desk) present() string {
	return wallettest.Present(d.credential.Issue(), d.holder, d.header, d.claims)
}

func (d *desk) verify(raw string) *sdjwt.Report { return sdjwt.Verify(raw, d.store, d.options) }

func codes(all []*refusal.Refusal) []refusal.Code {
	var out []refusal.Code
	for _, r := range all {
		out = append(out, r.Code)
	}
	return out
}

func TestASoundPresentationIsAccepted(t *testing.T) {
	t.Attr("case", "V25")
	d := newDesk(t)
	r := d.verify(d.present())
	if !r.Authentic || !r.Bound || len(r.Refusals) > 0 {
		t.Fatalf("authentic %t, bound %t, refusals %v", r.Authentic, r.Bound, r.Refusals)
	}
	if diff := cmp.Diff([]refusal.Code{sdjwt.RevocationUnchecked}, codes(r.Notes)); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	got := maps.Clone(r.Claims)
	for _, name := range []string{"cnf", "iat", "exp"} {
		delete(got, name)
	}
	if diff := cmp.Diff(map[string]any{
		"iss": "https://issuer.example/pid", "vct": wallettest.VCT, "given_name": "Erika", "family_name": "Mustermann", "birthdate": "1984-08-12",
		"address": map[string]any{"country": "UT", "locality": "Utopolis"}, "nationalities": []any{"UT", "XX"},
	}, got); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
	slices.Sort(r.Disclosed)
	if diff := cmp.Diff([]string{"address", "address.locality", "birthdate", "family_name", "given_name", "nationalities[0]"}, r.Disclosed); diff != "" {
		t.Errorf("disclosed (-want +got):\n%s", diff)
	}
}

// TestAHoldersKeyNeedsNoMoreThanItsCurveAndItsPoint: whatever else a key says of itself, "d" aside, changes nothing.
func TestAHoldersKeyNeedsNoMoreThanItsCurveAndItsPoint(t *testing.T) {
	for name, more := range map[string]map[string]any{
		"V23 kty, crv, x and y alone":             nil,
		"V23 what others add: kid, use and alg":   {"kid": "1", "use": "sig", "alg": "ES256"},
		"V23 members that nobody ever heard of":   {"example": map[string]any{"a": []any{1}}},
		"V23 operations, and a certificate's sum": {"key_ops": []any{"verify"}, "x5t#S256": "AA"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			jwk := wallettest.JWK(&d.holder.PublicKey)
			if len(jwk) != 4 {
				t.Fatalf("the test kit's key has more than the least members: %v", jwk)
			}
			maps.Copy(jwk, more)
			d.credential.Payload["cnf"] = map[string]any{"jwk": jwk}
			if r := d.verify(d.present()); !r.Authentic || !r.Bound {
				t.Errorf("authentic %t, bound %t: %v", r.Authentic, r.Bound, r.Refusals)
			}
		})
	}
	for _, member := range []string{"kty", "crv", "x", "y"} { // so that these are the least
		d := newDesk(t)
		jwk := wallettest.JWK(&d.holder.PublicKey)
		delete(jwk, member)
		d.credential.Payload["cnf"] = map[string]any{"jwk": jwk}
		if r := d.verify(d.present()); r.Bound {
			t.Errorf("a key without %s binds", member)
		}
	}
}

func TestWhatTheHolderKeepsBackIsNotAmongTheClaims(t *testing.T) {
	d := newDesk(t)
	issued := wallettest.Without(d.credential.Issue(), 2) // locality and nationality
	r := d.verify(wallettest.Present(issued, d.holder, nil, nil))
	if len(r.Refusals) > 0 {
		t.Fatal(r.Refusals)
	}
	if diff := cmp.Diff([]any{map[string]any{"country": "UT"}, []any{"XX"}}, []any{r.Claims["address"], r.Claims["nationalities"]}); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
}

func TestADisclosedElementIsNamedByItsPlaceAmongTheClaims(t *testing.T) {
	d := newDesk(t)
	kept, sent := wallettest.DiscloseElement("YY"), wallettest.DiscloseElement("ZZ")
	d.credential.Payload["nationalities"] = []any{map[string]any{"...": kept.Digest}, map[string]any{"...": sent.Digest}, "XX"}
	d.credential.Disclosures = []wallettest.Disclosure{sent}
	r := d.verify(d.present())
	if diff := cmp.Diff([]string{"nationalities[0]"}, r.Disclosed); diff != "" {
		t.Errorf("disclosed (-want +got):\n%s%v", diff, r.Refusals)
	}
	if diff := cmp.Diff([]any{"ZZ", "XX"}, r.Claims["nationalities"]); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
}

// flaw is one thing that is wrong with a presentation, and by which code it is refused.
type flaw struct {
	name string
	do   func(*desk) string // returns the presentation
	want refusal.Code
}

// usual changes something before the presentation is made as usual.
func usual(change func(*desk)) func(*desk) string {
	return func(d *desk) string { change(d); return d.present() }
}

func TestWhatIsWrongIsRefusedByItsOwnCode(t *testing.T) {
	for _, f := range append(append(issuerFlaws(t), disclosureFlaws()...), holderFlaws()...) {
		t.Run(f.name, func(t *testing.T) {
			t.Attr("code", string(f.want))
			d := newDesk(t)
			r := d.verify(f.do(d))
			if diff := cmp.Diff([]refusal.Code{f.want}, codes(r.Refusals)); diff != "" {
				t.Errorf("refusals (-want +got):\n%s%v", diff, r.Refusals)
			}
			if r.Bound || r.Claims != nil {
				t.Errorf("it is bound (%t), or its claims are handed out (%v)", r.Bound, r.Claims)
			}
		})
	}
}

func issuerFlaws(t *testing.T) []flaw {
	other := wallettest.NewIssuer(2)
	x5c := func(h ...*emrtdtest.Holder) []string {
		var out []string
		for _, one := range h {
			out = append(out, base64.StdEncoding.EncodeToString(one.Raw))
		}
		return out
	}
	set := func(name string, v any) func(*desk) string {
		return usual(func(d *desk) { d.credential.Payload[name] = v })
	}
	signedAs := func(tmpl emrtdtest.Template) func(*desk) string {
		return usual(func(d *desk) {
			tmpl.Extra = [][]byte{wallettest.HostName("issuer.example")}
			signer := d.issuer.Root.Issue(tmpl, emrtdtest.NewKey(wallettest.Sound, 60))
			d.credential.Header["x5c"], d.credential.Key = x5c(signer), signer.Key
		})
	}
	return []flaw{
		{"N23 a bit of the issuer's signature is flipped", func(d *desk) string {
			token, rest, _ := strings.Cut(d.credential.Issue(), "~")
			at := strings.LastIndex(token, ".") + 1
			other := "A"
			if token[at] == 'A' {
				other = "B"
			}
			return wallettest.Present(token[:at]+other+token[at+1:]+"~"+rest, d.holder, nil, nil)
		}, sdjwt.IssuerSignature},
		{"N24 nobody signed", usual(func(d *desk) { d.credential.Header["alg"] = "none" }), jose.Algorithm},
		{"N24 the public key is used as a secret", usual(func(d *desk) { d.credential.Header["alg"] = "HS256" }), jose.Algorithm},
		{"N25 the signer is of an authority that is not trusted", usual(func(d *desk) {
			d.credential.Header["x5c"], d.credential.Key = x5c(other.Signer), other.Signer.Key
		}), trust.AnchorMissing},
		{"N26 the authority is trusted for driving licences", func(d *desk) string {
			d.store = &trust.Store{}
			d.accept(t, d.issuer.Root, trust.IACA, wallettest.VCT)
			return d.present()
		}, trust.AnchorMissing},
		{"N26 the authority is trusted for another type", func(d *desk) string {
			d.store = &trust.Store{}
			d.accept(t, d.issuer.Root, trust.Issuer, "https://credentials.example/other")
			return d.present()
		}, trust.AnchorMissing},
		{"N27 the certificate is one of an authority", signedAs(emrtdtest.Template{Name: "CA", CA: true, Usage: 0x86}), sdjwt.SignerUsage},
		{"the signer may only encrypt", signedAs(emrtdtest.Template{Usage: 0x20}), sdjwt.SignerUsage},
		{"the signer is a server", signedAs(emrtdtest.Template{Extended: []string{"1.3.6.1.5.5.7.3.1"}}), sdjwt.SignerUsage},
		{"the signer signs mobile documents", signedAs(emrtdtest.Template{Extended: []string{wallettest.DocumentSigning}}), sdjwt.SignerUsage},
		{"the signer has expired", signedAs(emrtdtest.Template{To: wallettest.Now.AddDate(0, 0, -1)}), trust.OutOfDate},
		{"the signer's certificate is signed with SHA-1", usual(func(d *desk) {
			root := emrtdtest.NewAuthority("UT", "ECDSA P-256 SHA-1", 73)
			d.accept(t, root, trust.Issuer, wallettest.VCT)
			signer := root.Issue(emrtdtest.Template{Extra: [][]byte{wallettest.HostName("issuer.example")}}, emrtdtest.NewKey(wallettest.Sound, 60))
			d.credential.Header["x5c"], d.credential.Key = x5c(signer), signer.Key
		}), trust.WeakAlgorithm},
		{"the certificate is not in the token", usual(func(d *desk) {
			delete(d.credential.Header, "x5c")
			d.credential.Header["jwk"] = map[string]any{"kty": "EC"}
		}), jose.NoCertificate},
		{"a header has to be understood", usual(func(d *desk) { d.credential.Header["crit"] = []string{"b64"} }), jose.Critical},
		{"N43 the token is of the type before", usual(func(d *desk) { d.credential.Header["typ"] = "vc+sd-jwt" }), sdjwt.WrongType},
		{"N43 the token has no type", usual(func(d *desk) { delete(d.credential.Header, "typ") }), sdjwt.WrongType},
		{"the issuer is another host", set("iss", "https://other.example"), sdjwt.IssuerName},
		{"N38 it has expired", set("exp", wallettest.Now.Add(-2*time.Minute).Unix()), sdjwt.Expired},
		{"N38 it is good from tomorrow", set("nbf", wallettest.Now.AddDate(0, 0, 1).Unix()), sdjwt.NotYet},
		{"N38 it was issued tomorrow", set("iat", wallettest.Now.AddDate(0, 0, 1).Unix()), sdjwt.NotYet},
		{"a time is text", set("exp", "tomorrow"), jose.Malformed},
		{"it is good from a year far away that is written with an exponent", set("nbf", json.RawMessage("4.1e9")), sdjwt.NotYet},
		{"it expired long ago, which is written with an exponent", set("exp", json.RawMessage("4102444800.0e-5")), sdjwt.Expired},
		{"a time is before all calendars", set("exp", json.RawMessage("-0.5")), jose.Malformed},
		{"a time is beyond all calendars", set("nbf", 1e30), jose.Malformed},
		{"N40 the type was not asked for", func(d *desk) string { d.options.Types = []string{"another"}; return d.present() }, sdjwt.TypeNotAsked},
		{"its digests are by an unknown function", set("_sd_alg", "md5"), sdjwt.Digest},
		{"its digests are no list", set("_sd", "text"), sdjwt.Malformed},
		{"the holder's key is a private one", set("cnf", map[string]any{"jwk": map[string]any{"kty": "EC", "d": "AA"}}), jose.UnsupportedKey},
		{"the holder's key is on no curve", set("cnf", map[string]any{"jwk": map[string]any{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}}), pki.PointOffCurve},
	}
}
