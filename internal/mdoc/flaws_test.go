package mdoc_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/mdoc"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// flaw is one thing that is wrong with a response, and by which code it is refused.
type flaw struct {
	name string
	do   func(*desk)
	want refusal.Code
}

func TestWhatIsWrongIsRefusedByItsOwnCode(t *testing.T) {
	for _, f := range append(append(signedFlaws(t), elementFlaws()...), frameFlaws()...) {
		t.Run(f.name, func(t *testing.T) {
			t.Attr("code", string(f.want))
			d := newDesk(t)
			f.do(d)
			r := d.verify(d.respond())
			if diff := cmp.Diff([]refusal.Code{f.want}, codes(r.Refusals)); diff != "" {
				t.Errorf("refusals (-want +got):\n%s%v", diff, r.Refusals)
			}
			if r.Bound || r.Claims != nil {
				t.Errorf("it is bound (%t), or its claims are handed out (%v)", r.Bound, r.Claims)
			}
		})
	}
}

func signedFlaws(t *testing.T) []flaw {
	other := wallettest.NewDocumentIssuer(2)
	object := func(name string, v any) func(*desk) {
		return func(d *desk) { d.document.Object[name] = v }
	}
	dates := func(signed, from, until time.Time) func(*desk) {
		return object("validityInfo", map[string]any{"signed": wallettest.Date(signed), "validFrom": wallettest.Date(from), "validUntil": wallettest.Date(until)})
	}
	signedAs := func(tmpl emrtdtest.Template) func(*desk) {
		return func(d *desk) {
			signer := d.issuer.Root.Issue(tmpl, emrtdtest.NewKey(wallettest.Sound, 90))
			d.document.Open[33], d.document.Key = signer.Raw, signer.Key
		}
	}
	usage := []string{wallettest.DocumentSigning}
	now := wallettest.Now
	soon, late := now.AddDate(0, 10, 0), now.AddDate(0, 0, -1)
	return []flaw{
		{"N48 the document is of another type than was signed", func(d *desk) { d.document.Kind = "org.iso.23220.photoid.1" }, mdoc.TypeDiffers},
		{"N49 the signer is of an authority that is not trusted", func(d *desk) {
			d.document.Open[33], d.document.Key = other.Signer.Raw, other.Signer.Key
		}, trust.AnchorMissing},
		{"N49 the authority is trusted for other documents", func(d *desk) {
			d.store = &trust.Store{}
			d.accept(t, trust.IACA, "org.iso.23220.photoid.1")
		}, trust.AnchorMissing},
		{"N49 the authority is trusted for credentials", func(d *desk) {
			d.store = &trust.Store{}
			d.accept(t, trust.Issuer, wallettest.DocType)
		}, trust.AnchorMissing},
		{"N49 the signer's certificate does not say what it is for", signedAs(emrtdtest.Template{To: soon}), mdoc.SignerUsage},
		{"N49 the signer is a server", signedAs(emrtdtest.Template{To: soon, Extended: []string{"1.3.6.1.5.5.7.3.1"}}), mdoc.SignerUsage},
		{"N49 the signer is an authority", signedAs(emrtdtest.Template{To: soon, Extended: usage, CA: true, Usage: 0x86}), mdoc.SignerUsage},
		{"N49 the signer was not valid yet when it signed", signedAs(emrtdtest.Template{From: now.Add(-time.Hour), To: soon, Extended: usage}), mdoc.SignedOutside},
		{"the signer has expired since", signedAs(emrtdtest.Template{From: now.AddDate(0, -1, 0), To: now.Add(-time.Hour), Extended: usage}), trust.OutOfDate},
		{"the signer is of another state than the document", func(d *desk) {
			d.document.Sent[wallettest.Space][3].Value = "XX"
			d.document.Object["valueDigests"] = wallettest.Digests(d.document.Sent)
		}, mdoc.SignerCountry},
		{"the signer is of the state that one name space names, and not of another's", func(d *desk) {
			item := d.document.Sent[wallettest.Space][3]
			item.Value = "XX"
			d.document.Sent["space.of.others"] = []wallettest.Item{item}
			d.document.Object["valueDigests"] = wallettest.Digests(d.document.Sent)
		}, mdoc.SignerCountry},
		{"the state of the document is no text", func(d *desk) {
			d.document.Sent[wallettest.Space][3].Value = []byte("UT")
			d.document.Object["valueDigests"] = wallettest.Digests(d.document.Sent)
		}, mdoc.SignerCountry},
		{"N50 it has expired", dates(late.AddDate(0, 0, -1), late.AddDate(0, 0, -1), late), mdoc.Expired},
		{"N50 it is good from tomorrow", dates(late, now.AddDate(0, 0, 1), soon), mdoc.NotYet},
		{"it ends before it begins", dates(late, now, late), mdoc.Dates},
		{"it is good before it was signed", dates(late, late.Add(-time.Hour), soon), mdoc.Dates},
		{"a date is text", object("validityInfo", map[string]any{"signed": "2030-01-01T00:00:00Z"}), mdoc.Malformed},
		{"the digests are by an unknown function", object("digestAlgorithm", "SHA-1"), mdoc.Digest},
		{"the signed document is of another version", object("version", "2.0"), mdoc.Version},
		{"the device's key is on an unknown curve", object("deviceKeyInfo", map[string]any{
			"deviceKey": map[int]any{1: 2, -1: 8, -2: []byte{1}, -3: []byte{1}},
		}), cose.UnsupportedKey},
		{"the device's key is a private one", func(d *desk) {
			key := wallettest.COSEKey(&d.holder.PublicKey)
			key[-4] = []byte{1}
			d.document.Object["deviceKeyInfo"] = map[string]any{"deviceKey": key}
		}, cose.UnsupportedKey},
		{"there is no key of a device", object("deviceKeyInfo", map[string]any{}), cose.Malformed},
		{"N57 the issuer's algorithm is of another curve", func(d *desk) { d.document.Protected[1] = -35 }, cose.KeyMismatch},
		{"the issuer's algorithm is not signed along", func(d *desk) {
			d.document.Protected, d.document.Open[1] = map[int]any{}, -7
		}, cose.Algorithm},
		{"the issuer's algorithm is a code", func(d *desk) { d.document.Protected[1] = 5 }, cose.Algorithm},
		{"a header has to be understood", func(d *desk) { d.document.Protected[2] = []any{99}; d.document.Protected[99] = 1 }, cose.Critical},
		{"the certificate is missing", func(d *desk) { delete(d.document.Open, 33) }, cose.NoCertificate},
		{"another key signed", func(d *desk) { d.document.Key = other.Signer.Key }, mdoc.IssuerSignature},
		{"N40 the type was not asked for", func(d *desk) { d.options.Types = []string{"another"} }, mdoc.TypeNotAsked},
	}
}

func elementFlaws() []flaw {
	element := func(change func(*wallettest.Item)) func(*desk) {
		return func(d *desk) { change(&d.document.Sent[wallettest.Space][0]) }
	}
	signed := func(change func(*wallettest.Item)) func(*desk) { // the issuer signs what was changed
		return func(d *desk) {
			change(&d.document.Sent[wallettest.Space][0])
			d.document.Object["valueDigests"] = wallettest.Digests(d.document.Sent)
		}
	}
	return []flaw{
		{"N45 the value of an element is another", element(func(i *wallettest.Item) { i.Value = "Somebody" }), mdoc.DigestMismatch},
		{"N46 two elements changed digests", func(d *desk) {
			items := d.document.Sent[wallettest.Space]
			items[0].ID = 99
		}, mdoc.NotSigned},
		{"N46 an element takes the digest of one that was kept back", func(d *desk) {
			d.document.Sent[wallettest.Space] = d.document.Sent[wallettest.Space][1:]
			d.document.Sent[wallettest.Space][0].ID = 0
		}, mdoc.DigestMismatch},
		{"an element is sent twice", func(d *desk) {
			items := d.document.Sent[wallettest.Space]
			d.document.Sent[wallettest.Space] = append(items, items[0])
		}, mdoc.ElementRepeated},
		{"the issuer signed an element twice", func(d *desk) {
			items := d.document.Sent[wallettest.Space]
			again := items[0]
			again.ID, again.Value = 50, "Somebody"
			d.document.Sent[wallettest.Space] = append(items, again)
			d.document.Object["valueDigests"] = wallettest.Digests(d.document.Sent)
		}, mdoc.ElementRepeated},
		{"N47 an element is of another name space", func(d *desk) {
			items := d.document.Sent[wallettest.Space]
			d.document.Sent = map[string][]wallettest.Item{wallettest.Space: items[1:], "org.iso.18013.5.1.UT": items[:1]}
		}, mdoc.NotSigned},
		{"a digest could be guessed", signed(func(i *wallettest.Item) { i.Random = i.Random[:15] }), mdoc.ShortRandom},
		{"nothing is disclosed", func(d *desk) { d.document.Sent[wallettest.Space] = []wallettest.Item{} }, mdoc.NothingDisclosed},
		{"there is no name space", func(d *desk) { d.document.Sent = nil }, mdoc.NothingDisclosed},
	}
}

func frameFlaws() []flaw {
	response := func(name string, v any) func(*desk) {
		return func(d *desk) {
			d.change = func(response, _ map[string]any) {
				response[name] = v
				if v == nil {
					delete(response, name)
				}
			}
		}
	}
	proof := func(v map[string]any) func(*desk) {
		return func(d *desk) {
			d.change = func(_, document map[string]any) { document["deviceSigned"].(map[string]any)["deviceAuth"] = v }
		}
	}
	transcript := func(handover ...any) func(*desk) {
		return func(d *desk) { d.device.Transcript = cose.Encode([]any{nil, nil, handover}) }
	}
	return []flaw{
		{"N51 the transcript is of another session", transcript("OpenID4VPHandover", []byte("of another session")), mdoc.DeviceSignature},
		{"N52 the transcript is of another channel", transcript("OpenID4VPDCAPIHandover", []byte("of this session")), mdoc.DeviceSignature},
		{"N53 the name of the name spaces was changed", func(d *desk) {
			d.change = func(_, document map[string]any) {
				issued := document["issuerSigned"].(map[string]any)
				issued["nameSpacer"] = issued["nameSpaces"]
				delete(issued, "nameSpaces")
			}
		}, cose.Malformed},
		{"N53 there are no name spaces", func(d *desk) {
			d.change = func(_, document map[string]any) { delete(document["issuerSigned"].(map[string]any), "nameSpaces") }
		}, mdoc.NothingDisclosed},
		{"N54 the wallet says that something went wrong", response("status", 10), mdoc.NotOK},
		{"N54 the wallet does not say how it went", response("status", nil), cose.Malformed},
		{"N54 the response is of another version", response("version", "2.0"), mdoc.Version},
		{"N56 the device's algorithm is undefined", func(d *desk) { d.device.Algorithm = cbor.SimpleValue(23) }, cose.Algorithm},
		{"N58 there are two documents", func(d *desk) {
			d.change = func(response, document map[string]any) { response["documents"] = []any{document, document} }
		}, mdoc.DocumentCount},
		{"there is no document", response("documents", []any{}), mdoc.DocumentCount},
		{"there is a key that nobody knows", response("more", 1), cose.Malformed},
		{"another device signed", func(d *desk) { d.device.Key = wallettest.NewHolder() }, mdoc.DeviceSignature},
		{"the device proves nothing", proof(map[string]any{}), mdoc.DeviceMissing},
		{"the device proves it in two ways", proof(map[string]any{"deviceSignature": 1, "deviceMac": 2}), mdoc.DeviceMissing},
		{"the device's signature brings a payload", proof(map[string]any{
			"deviceSignature": []any{[]byte{0xA1, 1, 0x26}, map[int]any{}, []byte{1}, []byte{}},
		}), mdoc.Malformed},
	}
}

func TestKeysThatOccurTwiceAreRefused(t *testing.T) {
	t.Attr("case", "N55 cose.key_repeated")
	t.Attr("case", "N20 mdoc.too_large")
	d := newDesk(t)
	raw := d.respond()
	twice := append([]byte{raw[0] + 1}, raw[1:]...) // one entry more
	twice = append(twice, cose.Encode("status")...)
	twice = append(twice, 0)
	if got := codes(d.verify(twice).Refusals); len(got) != 1 || got[0] != cose.Repeated {
		t.Errorf("N55: refusals %v", got)
	}
	if got := codes(d.verify(append(raw, 0)).Refusals); len(got) != 1 || got[0] != cose.Malformed {
		t.Errorf("something behind the response: refusals %v", got)
	}
	if got := codes(d.verify(make([]byte, 9<<20)).Refusals); len(got) != 1 || got[0] != mdoc.TooLarge {
		t.Errorf("N20: too many bytes: refusals %v", got)
	}
	if got := codes(d.verify(bytes.Repeat([]byte{0x81}, 1000)).Refusals); len(got) != 1 || got[0] != cose.Malformed {
		t.Errorf("nested without end: refusals %v", got)
	}
}

func TestOddSignersAreTakenWhereTheOperatorWantsThem(t *testing.T) {
	t.Attr("case", "V15")
	d := newDesk(t)
	silent := emrtdtest.Template{From: wallettest.Now.AddDate(0, -1, 0), To: wallettest.Now.AddDate(1, 0, 0)}
	signer := d.issuer.Root.Issue(silent, emrtdtest.NewKey(wallettest.Sound, 91))
	d.document.Open[33], d.document.Key = signer.Raw, signer.Key
	d.options.AnyProfile = true
	r := d.verify(d.respond())
	if diff := cmp.Diff([]refusal.Code{mdoc.SignerProfile, mdoc.RevocationUnchecked}, codes(r.Notes)); diff != "" || !r.Bound {
		t.Errorf("V15: bound %t, refusals %v, notes (-want +got):\n%s", r.Bound, r.Refusals, diff)
	}
}
