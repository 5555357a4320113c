package sdjwt_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/sdjwt"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

func disclosureFlaws() []flaw {
	hide := func(d wallettest.Disclosure) func(*desk) string {
		return usual(func(k *desk) { k.credential.Hide(d) })
	}
	return []flaw{
		{"N34 a disclosure is of no digest", usual(func(d *desk) {
			d.credential.Disclosures = append(d.credential.Disclosures, wallettest.Disclose("age", 99))
		}), sdjwt.NotReferenced},
		{"N35 a disclosure is sent twice", usual(func(d *desk) {
			d.credential.Disclosures = append(d.credential.Disclosures, d.credential.Disclosures[0])
		}), sdjwt.DigestRepeated},
		{"N35 a digest occurs twice", usual(func(d *desk) {
			d.credential.Payload["other"] = map[string]any{"_sd": []string{d.credential.Disclosures[0].Digest}}
		}), sdjwt.DigestRepeated},
		{"N35 a digest that nothing was sent for occurs twice", usual(func(d *desk) {
			digest := wallettest.Disclose("decoy", 1).Digest
			d.credential.Payload["_sd"] = append(d.credential.Payload["_sd"].([]string), digest, digest)
		}), sdjwt.DigestRepeated},
		{"N36 the expiry is disclosed", hide(wallettest.Disclose("nbf", 1)), sdjwt.HiddenClaim},
		{"N36 the status is disclosed", hide(wallettest.Disclose("status", map[string]any{})), sdjwt.HiddenClaim},
		{"N37 a claim is disclosed that is there", hide(wallettest.Disclose("nationalities", "YY")), sdjwt.Collision},
		{"N37 a claim is disclosed twice", hide(wallettest.Disclose("given_name", "Eva")), sdjwt.Collision},
		{"N37 a claim that is null is disclosed again", usual(func(d *desk) {
			d.credential.Hide(wallettest.Disclose("middle_name", nil))
			d.credential.Hide(wallettest.Disclose("middle_name", "Eva"))
		}), sdjwt.Collision},
		{"N37 the hash function is disclosed", hide(wallettest.Disclose("_sd_alg", "sha-512")), sdjwt.Collision},
		{"a disclosure is of the name of digests", hide(wallettest.Disclose("_sd", []string{})), sdjwt.Disclosure},
		{"a disclosure is of the name of elements", hide(wallettest.Disclose("...", "x")), sdjwt.Disclosure},
		{"a disclosure is of an element where a claim was expected", hide(wallettest.DiscloseElement("x")), sdjwt.Disclosure},
		{"a disclosure is no list", hide(wallettest.DiscloseRaw(`{"a":1}`)), sdjwt.Disclosure},
		{"a disclosure has a number for a salt", hide(wallettest.DiscloseRaw(`[1,"a","b"]`)), sdjwt.Disclosure},
		{"a disclosure has something behind it", hide(wallettest.DiscloseRaw(`["s","a","b"] 1`)), jose.Malformed},
		{"a disclosure has a name twice", hide(wallettest.DiscloseRaw(`["s","a",{"b":1,"b":2}]`)), jose.Repeated},
		{"a disclosure is nested without end", hide(wallettest.DiscloseRaw(`["s","a",` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `]`)), jose.TooLarge},
		{"a disclosure hides digests of its own twice", usual(func(d *desk) {
			inner := d.credential.Disclosures[4].Digest // that of the locality, which the address has
			d.credential.Hide(wallettest.Disclose("home", map[string]any{"_sd": []string{inner}}))
		}), sdjwt.DigestRepeated},
		{"the hash function is named within a claim", usual(func(d *desk) {
			d.credential.Payload["other"] = map[string]any{"_sd_alg": "sha-256"}
		}), sdjwt.Malformed},
		{"there are disclosures without end", func(*desk) string { return "a.b.c" + strings.Repeat("~", 502) }, sdjwt.TooLarge},
		{"there is no tilde", func(*desk) string { return "a.b.c" }, sdjwt.Malformed},
	}
}

func holderFlaws() []flaw {
	header := func(name string, v any) func(*desk) string {
		return usual(func(d *desk) { d.header = map[string]any{name: v} })
	}
	claim := func(name string, v any) func(*desk) string {
		return usual(func(d *desk) { d.claims = map[string]any{name: v} })
	}
	return []flaw{
		{"N28 the holder did not sign", func(d *desk) string { return d.credential.Issue() }, sdjwt.BindingMissing},
		{"N28 the credential has no key of a holder", usual(func(d *desk) { delete(d.credential.Payload, "cnf") }), sdjwt.BindingMissing},
		{"N29 somebody else signed", func(d *desk) string {
			return wallettest.Present(d.credential.Issue(), wallettest.NewHolder(), nil, nil)
		}, sdjwt.BindingSignature},
		{"N30 it was made for another request", claim("nonce", "another"), sdjwt.BindingNonce},
		{"N30 it was made for no request", claim("nonce", nil), sdjwt.BindingNonce},
		{"N31 it was made for another verifier", claim("aud", "x509_san_dns:other.example"), sdjwt.BindingAudience},
		{"N31 it was made for several verifiers", claim("aud", []string{wallettest.Audience}), sdjwt.BindingAudience},
		{"N32 the origin lacks its prefix", func(d *desk) string {
			d.options.Binding.Audience = "origin:https://verifier.example"
			d.claims = map[string]any{"aud": "https://verifier.example"}
			return d.present()
		}, sdjwt.BindingAudience},
		{"N33 a disclosure was taken out", func(d *desk) string {
			parts := strings.Split(d.present(), "~")
			return strings.Join(append(parts[:3:3], parts[4:]...), "~")
		}, sdjwt.BindingHash},
		{"N33 disclosures changed places", func(d *desk) string {
			parts := strings.Split(d.present(), "~")
			parts[1], parts[2] = parts[2], parts[1]
			return strings.Join(parts, "~")
		}, sdjwt.BindingHash},
		{"N39 it was made a year ago", claim("iat", wallettest.Now.AddDate(-1, 0, 0).Unix()), sdjwt.BindingTime},
		{"N39 it was made in an hour", claim("iat", wallettest.Now.Add(time.Hour).Unix()), sdjwt.BindingTime},
		{"it does not say when it was made", claim("iat", nil), sdjwt.BindingTime},
		{"N43 the holder's token has no type", header("typ", nil), sdjwt.BindingType},
		{"N44 a token of the issuer stands for the holder's", func(d *desk) string {
			d.header = map[string]any{"typ": "dc+sd-jwt"}
			return d.present()
		}, sdjwt.BindingType},
		{"the holder signed with nothing", header("alg", "none"), jose.Algorithm},
		{"the holder's algorithm is of another curve", header("alg", "ES384"), sdjwt.BindingSignature},
	}
}

func TestASelfMadeIssuerIsRefused(t *testing.T) {
	t.Attr("case", "N27 sdjwt.self_signed")
	d := newDesk(t)
	self := emrtdtest.NewRoot(emrtdtest.Template{Country: "UT", Name: "Signer", Usage: 0x80, Extra: [][]byte{wallettest.HostName("issuer.example")}},
		emrtdtest.NewKey(wallettest.Sound, 70))
	d.issuer = &wallettest.Issuer{Root: d.issuer.Root, Signer: self}
	d.credential = d.issuer.Person(d.holder)
	r := d.verify(d.present())
	want := []refusal.Code{sdjwt.SelfSigned, trust.AnchorMissing}
	if got := codes(r.Refusals); len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("N27: refusals %v, want %v", got, want)
	}
}

func TestAnAuthorityBetweenIsFollowed(t *testing.T) {
	d := newDesk(t)
	between := d.issuer.Root.Issue(emrtdtest.Template{Name: "CSCA UT", Serial: 9, CA: true, Usage: 0x06}, emrtdtest.NewKey(wallettest.Sound, 71))
	signer := between.Issue(emrtdtest.Template{Extra: [][]byte{wallettest.HostName("issuer.example")}}, emrtdtest.NewKey(wallettest.Sound, 72))
	d.issuer = &wallettest.Issuer{Root: d.issuer.Root, Signer: signer}
	d.credential = d.issuer.Person(d.holder)
	if r := d.verify(d.present()); r.Authentic {
		t.Error("it is authentic without the authority between")
	}
	d.credential.Header["x5c"] = append(d.credential.Header["x5c"].([]string), b64(between.Raw), b64(d.issuer.Root.Raw))
	if r := d.verify(d.present()); !r.Authentic || len(r.Trust.Chain.Path) != 3 {
		t.Errorf("refusals %v", r.Refusals)
	}
}

func TestWhetherTheHolderIsProvedIsForUsToSay(t *testing.T) {
	d := newDesk(t)
	d.options.Binding = nil
	for _, raw := range []string{d.credential.Issue(), d.present()} {
		r := d.verify(raw)
		if !r.Authentic || r.Bound || codes(r.Notes)[len(r.Notes)-1] != sdjwt.BindingUnchecked {
			t.Errorf("authentic %t, bound %t, notes %v", r.Authentic, r.Bound, r.Notes)
		}
	}
}

func TestTheStatusOfACredential(t *testing.T) {
	other := wallettest.NewIssuer(3)
	for _, c := range []struct {
		name   string
		change func(*wallettest.StatusList)
		want   refusal.Code
		state  statuslist.State
	}{
		{"valid", func(*wallettest.StatusList) {}, "", statuslist.Valid},
		{"N42 revoked", func(l *wallettest.StatusList) { l.Set[7] = 1 }, statuslist.Revoked, statuslist.Invalid},
		{"N42 suspended", func(l *wallettest.StatusList) { l.Set[7] = 2 }, statuslist.Suspended, statuslist.OnHold},
		{"a status that nobody knows", func(l *wallettest.StatusList) { l.Set[7] = 3 }, statuslist.Unknown, statuslist.NotKnown},
		{"N42 an index behind the end", func(l *wallettest.StatusList) { l.Size = 4 }, statuslist.OutOfRange, statuslist.NotKnown},
		{"N42 the list of another address", func(l *wallettest.StatusList) { l.URI = "https://issuer.example/lists/2" }, statuslist.OtherList, statuslist.NotKnown},
		{"N42 a list that another issuer signed", func(l *wallettest.StatusList) { l.Signer = other.Signer }, statuslist.OtherIssuer, statuslist.NotKnown},
		{"N42 a list that is out of date", func(l *wallettest.StatusList) { l.Expires = wallettest.Now.Add(-time.Hour) }, statuslist.Expired, statuslist.NotKnown},
		{"a list of the future", func(l *wallettest.StatusList) { l.Issued = wallettest.Now.Add(time.Hour) }, statuslist.NotYet, statuslist.NotKnown},
		{"N42 a list that unpacks to too much", func(l *wallettest.StatusList) { l.Size = 160 << 20 }, statuslist.TooLarge, statuslist.NotKnown},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Attr("code", string(c.want))
			d := newDesk(t)
			d.credential.Payload["status"] = map[string]any{"status_list": map[string]any{"uri": wallettest.ListURI, "idx": 7}}
			list := d.issuer.NewStatusList(2)
			c.change(list)
			parsed, err := statuslist.Parse(list.JWT())
			if err != nil {
				t.Fatal(err)
			}
			d.options.Status = statuslist.Lists{parsed}
			r := d.verify(d.present())
			if got := codes(r.Refusals); r.Revoked != c.state || (c.want == "") != (len(got) == 0) || (len(got) > 0 && got[0] != c.want) {
				t.Errorf("refusals %v, want %q; state %s, want %s", got, c.want, r.Revoked, c.state)
			}
		})
	}
}

func TestAStatusThatCannotBeLookedUpIsNoted(t *testing.T) {
	d := newDesk(t)
	d.credential.Payload["status"] = map[string]any{"status_list": map[string]any{"uri": wallettest.ListURI, "idx": 7}}
	if r := d.verify(d.present()); r.Revoked != statuslist.NotChecked || !strings.Contains(r.Notes[len(r.Notes)-1].Error(), "status.unchecked") {
		t.Errorf("state %s, notes %v", r.Revoked, r.Notes)
	}
	d.credential.Payload["status"] = map[string]any{"identifier_list": map[string]any{}}
	if r := d.verify(d.present()); r.Authentic {
		t.Error("a status that cannot be understood passes")
	}
}

func TestWhatIsNotStatedIsNoted(t *testing.T) {
	d := newDesk(t)
	d.issuer.Signer = d.issuer.Root.Issue(emrtdtest.Template{}, emrtdtest.NewKey(wallettest.Sound, 74)) // for no host
	d.credential = d.issuer.Person(d.holder)
	delete(d.credential.Payload, "exp")
	r := d.verify(d.present())
	want := []refusal.Code{sdjwt.NoExpiry, sdjwt.IssuerUnconfirmed, sdjwt.RevocationUnchecked}
	if got := codes(r.Notes); !r.Bound || !slices.Equal(got, want) {
		t.Errorf("bound %t, refusals %v, notes %v, want %v", r.Bound, r.Refusals, got, want)
	}
}
