package mdoc_test

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/rand"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/mdoc"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// desk is an issuer, a device, what is trusted, and the session that is answered.
type desk struct {
	issuer   *wallettest.Issuer
	store    *trust.Store
	options  mdoc.Options
	document *wallettest.Document
	device   wallettest.Device
	holder   *ecdsa.PrivateKey
	change   func(response, document map[string]any)
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{issuer: wallettest.NewDocumentIssuer(1), holder: wallettest.NewHolder(), store: &trust.Store{}}
	d.accept(t, trust.IACA, wallettest.DocType)
	d.document = d.issuer.Licence(d.holder)
	transcript := cose.Encode([]any{nil, nil, []any{"OpenID4VPHandover", []byte("of this session")}})
	d.device = wallettest.Device{Key: d.holder, Transcript: transcript}
	d.options = mdoc.Options{Now: wallettest.Now, Types: []string{wallettest.DocType}, Session: &mdoc.Session{Transcript: transcript}}
	return d
}

func (d *desk) accept(t testing.TB, p trust.Purpose, scope string) {
	t.Helper()
	if err := d.store.Accept(trust.Anchor{Certificate: d.issuer.Root.Cert, Purpose: p, Scope: scope}); err != nil {
		t.Fatal(err)
	}
}

func (d *desk) respond() []byte { return d.document.Respond(d.device, d.change) }

func (d *desk) verify(raw []byte) *mdoc.Report { return mdoc.Verify(raw, d.store, d.options) }

func codes(all []*refusal.Refusal) []refusal.Code {
	var out []refusal.Code
	for _, r := range all {
		out = append(out, r.Code)
	}
	return out
}

// claims are what the licence of the tests discloses.
var claims = mdoc.Elements{wallettest.Space: {
	"family_name": "Mustermann", "given_name": "Erika", "birth_date": "1984-08-12", "issuing_country": "UT", "portrait": []byte{0xFF, 0xD8},
	"age_over_18": true, "driving_privileges": []any{map[any]any{"vehicle_category_code": "B", "issue_date": "2018-08-09"}},
}}

func TestASoundResponseIsAccepted(t *testing.T) {
	d := newDesk(t)
	r := d.verify(d.respond())
	if !r.Authentic || !r.Bound || len(r.Refusals) > 0 {
		t.Fatalf("authentic %t, bound %t, refusals %v", r.Authentic, r.Bound, r.Refusals)
	}
	if diff := cmp.Diff([]refusal.Code{mdoc.RevocationUnchecked}, codes(r.Notes)); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(claims, r.Claims); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
}

func TestAnAuthenticationCodeIsTakenWhereTheReaderHasAKey(t *testing.T) {
	t.Attr("case", "V14")
	t.Attr("case", "N59 mdoc.device_mac")
	t.Attr("case", "N51 mdoc.device_mac")
	d := newDesk(t)
	reader, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	d.device.Reader = reader.PublicKey()
	if r := d.verify(d.respond()); r.Bound || codes(r.Refusals)[0] != mdoc.DeviceMac {
		t.Errorf("N59: bound %t, refusals %v", r.Bound, r.Refusals)
	}
	d.options.Session.Reader = reader
	if r := d.verify(d.respond()); !r.Bound || !r.ByMac {
		t.Errorf("V14: bound %t, by code %t, refusals %v", r.Bound, r.ByMac, r.Refusals)
	}
	d.options.Session.Transcript = cose.Encode([]any{nil, nil, "another"})
	if r := d.verify(d.respond()); r.Bound || codes(r.Refusals)[0] != mdoc.DeviceMac {
		t.Errorf("N51: bound %t, refusals %v", r.Bound, r.Refusals)
	}
	other, _ := ecdh.P384().GenerateKey(rand.Reader)
	d.options.Session.Reader = other
	if r := d.verify(d.respond()); r.Bound || codes(r.Refusals)[0] != cose.KeyMismatch {
		t.Errorf("bound %t, refusals %v", r.Bound, r.Refusals)
	}
}

func TestWhatADeviceSaysItselfIsNotWhatTheIssuerSigned(t *testing.T) {
	t.Attr("case", "N60 mdoc.not_authorised")
	d := newDesk(t)
	d.device.Says = map[string]any{wallettest.Space: map[string]any{"family_name": "Somebody"}}
	if r := d.verify(d.respond()); r.Bound || codes(r.Refusals)[0] != mdoc.NotAuthorised {
		t.Errorf("N60: bound %t, refusals %v", r.Bound, r.Refusals)
	}
	for name, may := range map[string]map[string]any{
		"a name space": {"nameSpaces": []string{wallettest.Space}},
		"an element":   {"dataElements": map[string]any{wallettest.Space: []string{"family_name"}}},
	} {
		d.document.Object["deviceKeyInfo"] = map[string]any{"deviceKey": wallettest.COSEKey(&d.holder.PublicKey), "keyAuthorizations": may}
		r := d.verify(d.respond())
		if !r.Bound || r.Claims[wallettest.Space]["family_name"] != "Mustermann" || r.OfDevice[wallettest.Space]["family_name"] != "Somebody" {
			t.Errorf("N60: %s: bound %t, refusals %v, claims %v", name, r.Bound, r.Refusals, r.Claims)
		}
	}
}

func TestAnIssuedDocumentIsAuthenticAndNotBound(t *testing.T) {
	d := newDesk(t)
	raw := cose.Encode(d.document.Issue())
	if r := d.verify(raw); r.Bound || codes(r.Refusals)[0] != mdoc.DeviceMissing {
		t.Errorf("bound %t, refusals %v", r.Bound, r.Refusals)
	}
	d.options.Session = nil
	for _, raw := range [][]byte{raw, d.respond()} {
		if r := d.verify(raw); !r.Authentic || r.Bound || r.Notes[len(r.Notes)-1].Code != mdoc.DeviceUnchecked {
			t.Errorf("authentic %t, bound %t, notes %v", r.Authentic, r.Bound, r.Notes)
		}
	}
}

func TestTheStatusOfADocument(t *testing.T) {
	for name, c := range map[string]struct {
		status byte
		want   statuslist.State
	}{"valid": {0, statuslist.Valid}, "N42 revoked": {1, statuslist.Invalid}, "N42 suspended": {2, statuslist.OnHold}} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.document.Object["status"] = map[string]any{"status_list": map[string]any{"idx": 9, "uri": wallettest.ListURI}}
			if r := d.verify(d.respond()); r.Revoked != statuslist.NotChecked || !r.Bound {
				t.Errorf("without a list: %s, refusals %v", r.Revoked, r.Refusals)
			}
			l := d.issuer.NewStatusList(4)
			l.Set[9] = c.status
			parsed, err := statuslist.Parse(l.CWT())
			if err != nil {
				t.Fatal(err)
			}
			d.options.Status = statuslist.Lists{parsed}
			if r := d.verify(d.respond()); r.Revoked != c.want || r.Authentic != (c.status == 0) {
				t.Errorf("%s, want %s; refusals %v", r.Revoked, c.want, r.Refusals)
			}
		})
	}
	d := newDesk(t)
	d.document.Object["status"] = map[string]any{"identifier_list": map[string]any{}}
	if r := d.verify(d.respond()); r.Authentic {
		t.Error("a status that cannot be understood passes")
	}
}

// FuzzVerify sends anything: nothing crashes, and nothing is bound but what the device signed.
func FuzzVerify(f *testing.F) {
	d := newDesk(f)
	f.Add(d.respond())
	f.Add(cose.Encode(d.document.Issue()))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if r := d.verify(raw); r.Bound {
			if diff := cmp.Diff(claims, r.Claims); diff != "" {
				t.Errorf("other claims are bound (-want +got):\n%s", diff)
			}
		}
	})
}

// BenchmarkVerify measures one response with seven elements.
func BenchmarkVerify(b *testing.B) {
	d := newDesk(b)
	raw := d.respond()
	for b.Loop() {
		if r := d.verify(raw); !r.Bound {
			b.Fatal(r.Refusals)
		}
	}
}
