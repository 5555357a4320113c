package cms_test

import (
	"bytes"
	"crypto"
	"math/big"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/cms"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// parts are those of signed data. Each case changes one; attributes are signed as they are then.
type parts struct {
	version      int64
	content      []byte // what stands where the octet string does
	certificates [][]byte
	attributes   [][]byte
	sid          []byte
	signers      func(one []byte) [][]byte
	signature    func(raw []byte) []byte
}

var signedContent = []byte("what is signed")

func attribute(oid string, values ...[]byte) []byte {
	return tlv.Encode(tlv.Sequence, emrtdtest.OID(oid), tlv.Encode(tlv.Set, values...))
}

func digestOf(raw []byte) []byte {
	h := crypto.SHA256.New()
	h.Write(raw)
	return h.Sum(nil)
}

func usualParts(h *emrtdtest.Holder) *parts {
	return &parts{
		version: 3, content: emrtdtest.Octets(signedContent), certificates: [][]byte{h.Raw},
		attributes: [][]byte{
			attribute("1.2.840.113549.1.9.3", emrtdtest.OID(data)),
			attribute("1.2.840.113549.1.9.4", emrtdtest.Octets(digestOf(signedContent))),
		},
		sid:       tlv.Encode(0x80, h.Cert.SubjectKeyID),
		signers:   func(one []byte) [][]byte { return [][]byte{one} },
		signature: emrtdtest.Octets,
	}
}

func (p *parts) encode(h *emrtdtest.Holder) []byte {
	integer := func(n int64) []byte { return emrtdtest.Int(big.NewInt(n)) }
	slices.SortFunc(p.attributes, bytes.Compare)
	algorithm := emrtdtest.DigestID(crypto.SHA256)
	one := tlv.Encode(tlv.Sequence, integer(3), p.sid, algorithm, tlv.Encode(0xA0, p.attributes...), h.Key.Algorithm(),
		p.signature(h.Key.Sign(tlv.Encode(tlv.Set, p.attributes...))))
	info := tlv.Encode(tlv.Sequence, emrtdtest.OID(data))
	if p.content != nil {
		info = tlv.Encode(tlv.Sequence, emrtdtest.OID(data), tlv.Encode(0xA0, p.content))
	}
	return tlv.Encode(tlv.Sequence, emrtdtest.OID("1.2.840.113549.1.7.2"), tlv.Encode(0xA0, tlv.Encode(tlv.Sequence,
		integer(p.version), tlv.Encode(tlv.Set, algorithm), info, tlv.Encode(0xA0, p.certificates...), tlv.Encode(tlv.Set, p.signers(one)...))))
}

func TestSignedDataIsTakenApartStrictly(t *testing.T) {
	h := signer()
	other := emrtdtest.NewAuthority("DE", sound, 3).Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 4)) // the same serial number
	nameless := emrtdtest.NewAuthority("UT", sound, 1).Issue(emrtdtest.Template{NoKeyIDs: true}, emrtdtest.NewKey(sound, 2))
	unusable := emrtdtest.NewAuthority("UT", sound, 1).Issue(emrtdtest.Template{Info: h.Key.InfoWithGenerator()}, h.Key)
	byNumber := tlv.Encode(tlv.Sequence, issuerOf(t, h), emrtdtest.Int(h.Cert.Serial))
	for _, c := range []struct {
		name  string
		spoil func(p *parts)
		want  refusal.Code
	}{
		{"as it must be", func(*parts) {}, ""},
		{"a signature in pieces", func(p *parts) {
			p.signature = func(raw []byte) []byte { return tlv.Encode(0x24, emrtdtest.Octets(raw[:9]), emrtdtest.Octets(raw[9:])) }
		}, ""},
		{"version 0", func(p *parts) { p.version = 0 }, cms.WrongVersion},
		{"version 6", func(p *parts) { p.version = 6 }, cms.WrongVersion},
		{"no content", func(p *parts) { p.content = nil }, cms.ContentMissing},
		{"content that is no octet string", func(p *parts) { p.content = tlv.Encode(tlv.UTF8String, signedContent) }, tlv.Malformed},
		{"content in two octet strings", func(p *parts) {
			p.content = slices.Concat(emrtdtest.Octets(signedContent), emrtdtest.Octets([]byte("and this")))
		}, tlv.Trailing},
		{"pieces of content that are no octet strings", func(p *parts) {
			p.content = tlv.Encode(0x24, tlv.Encode(tlv.UTF8String, signedContent))
		}, tlv.Malformed},
		{"nobody signed", func(p *parts) { p.signers = func([]byte) [][]byte { return nil } }, cms.SignerMissing},
		{"nine signers", func(p *parts) { p.signers = func(one []byte) [][]byte { return slices.Repeat([][]byte{one}, 9) } }, cms.TooManySigners},
		{"the second of two signatures is another one", func(p *parts) {
			p.signers = func(one []byte) [][]byte {
				forged := bytes.Clone(one)
				forged[len(forged)-1] ^= 1
				return [][]byte{one, forged}
			}
		}, pki.InvalidSignature},
		{"65 certificates", func(p *parts) { p.certificates = slices.Repeat(p.certificates, 65) }, cms.TooManySigners},
		{"another certificate with the same serial number", func(p *parts) {
			p.sid, p.certificates = byNumber, [][]byte{other.Raw}
		}, cms.CertificateMissing},
		{"another certificate beside the right one", func(p *parts) { p.sid, p.certificates = byNumber, [][]byte{other.Raw, h.Raw} }, ""},
		{"another certificate where a key is named", func(p *parts) { p.certificates = [][]byte{other.Raw} }, cms.CertificateMissing},
		{"an empty name of a key and a certificate without one", func(p *parts) {
			p.sid, p.certificates = tlv.Encode(0x80), [][]byte{nameless.Raw}
		}, cms.CertificateMissing},
		{"a signer's key that cannot be used", func(p *parts) {
			p.sid, p.certificates = tlv.Encode(0x80, unusable.Cert.SubjectKeyID), [][]byte{unusable.Raw}
		}, pki.UnknownCurve},
		{"no content type among the attributes", func(p *parts) { p.attributes = p.attributes[1:] }, cms.AttributesMissing},
		{"no digest among the attributes", func(p *parts) { p.attributes = p.attributes[:1] }, cms.AttributesMissing},
		{"no attributes but the list of them", func(p *parts) { p.attributes = nil }, cms.AttributesMissing},
		{"two digests, the first of which is right", func(p *parts) {
			p.attributes[1] = attribute("1.2.840.113549.1.9.4", emrtdtest.Octets(digestOf(signedContent)), emrtdtest.Octets(digestOf(nil)))
		}, cms.AttributeRepeated},
		{"an attribute without a value", func(p *parts) { p.attributes = append(p.attributes, attribute("1.2.3")) }, cms.AttributeRepeated},
		{"the digest of other content, signed", func(p *parts) {
			p.attributes[1] = attribute("1.2.840.113549.1.9.4", emrtdtest.Octets(digestOf([]byte("what was signed"))))
		}, cms.DigestMismatch},
		{"a digest that is no octet string", func(p *parts) {
			p.attributes[1] = attribute("1.2.840.113549.1.9.4", tlv.Encode(tlv.UTF8String, digestOf(signedContent)))
		}, cms.DigestMismatch},
		{"the start of the digest", func(p *parts) {
			p.attributes[1] = attribute("1.2.840.113549.1.9.4", emrtdtest.Octets(digestOf(signedContent)[:20]))
		}, cms.DigestMismatch},
		{"a time that is none", func(p *parts) {
			p.attributes = append(p.attributes, attribute("1.2.840.113549.1.9.5", tlv.Encode(tlv.UTCTime, []byte("noon"))))
		}, tlv.Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := usualParts(h)
			c.spoil(p)
			s, err := cms.Parse(p.encode(h))
			if err == nil {
				_, err = s.Verify()
			}
			r := refusal.Of(err)
			if (err == nil) != (c.want == "") || (r != nil && r.Code != c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// issuerOf returns the issuer of a certificate, as it is encoded.
func issuerOf(t *testing.T, h *emrtdtest.Holder) []byte {
	t.Helper()
	e, err := tlv.Parse(h.Raw)
	if err != nil {
		t.Fatal(err)
	}
	r := tlv.Read(tlv.Read(e, tlv.Sequence).Take(tlv.Sequence), tlv.Sequence)
	r.Take(0xA0) // version
	r.Take(tlv.Integer)
	r.Take(tlv.Sequence)
	issuer := r.Take(tlv.Sequence)
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return issuer.Raw
}
