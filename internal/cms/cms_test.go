package cms_test

import (
	"bytes"
	"testing"

	"github.com/bonafide-id/bonafide/internal/cms"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

const (
	sound emrtdtest.Kind = "ECDSA P-256 SHA-256"
	data  string         = "1.2.840.113549.1.7.1"
)

func signer() *emrtdtest.Holder {
	return emrtdtest.NewAuthority("UT", sound, 1).Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 2))
}

func TestSignedDataIsRefusedByItsOwnCode(t *testing.T) {
	h, content := signer(), []byte("what is signed")
	signing := emrtdtest.Signing{Time: emrtdtest.Now}
	whole, stranger := h.CMS(data, content, signing), emrtdtest.NewAuthority("UT", sound, 2)
	replace := func(old, fresh []byte) []byte { return bytes.Replace(whole, old, fresh, 1) }
	for _, c := range []struct {
		name string
		raw  []byte
		want refusal.Code
	}{
		{"as it must be", whole, ""},
		{"other content", replace(content, []byte("what is forged")), cms.DigestMismatch},
		{"another content type outside", replace(emrtdtest.OID(data), emrtdtest.OID("1.2.840.113549.1.7.6")), cms.ContentTypeMismatch},
		{"no signed data", replace(emrtdtest.OID("1.2.840.113549.1.7.2"), emrtdtest.OID("1.2.840.113549.1.7.3")), cms.NotSignedData},
		{"no signed attributes", h.CMS(data, content, emrtdtest.Signing{NoAttributes: true}), cms.AttributesMissing},
		{"the signer's certificate is not there", (&emrtdtest.Holder{Key: h.Key, Cert: h.Cert, Raw: stranger.Raw}).CMS(data, content, signing),
			cms.CertificateMissing},
		{"an attribute is missing", replace(emrtdtest.OID("1.2.840.113549.1.9.4"), emrtdtest.OID("1.2.840.113549.1.9.7")), cms.AttributesMissing},
		{"an attribute is there twice", replace(emrtdtest.OID("1.2.840.113549.1.9.5"), emrtdtest.OID("1.2.840.113549.1.9.4")), cms.AttributeRepeated},
		{"an unknown digest", bytes.ReplaceAll(whole, emrtdtest.OID("2.16.840.1.101.3.4.2.1"), emrtdtest.OID("2.16.840.1.101.3.4.2.9")), "pki.algorithm_unknown"},
		{"bytes follow", append(bytes.Clone(whole), 0), tlv.Trailing},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := cms.Parse(c.raw)
			if err == nil {
				_, err = s.Verify()
			}
			r := refusal.Of(err)
			if (r == nil) != (c.want == "") || (r != nil && r.Code != c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// FuzzParse reads changed signed data: nothing crashes, and what verifies has a signer.
func FuzzParse(f *testing.F) {
	h := signer()
	for _, s := range []emrtdtest.Signing{{Time: emrtdtest.Now}, {Indefinite: true}, {KeyID: true, Twice: true}, {NoAttributes: true}} {
		f.Add(h.CMS(data, []byte("what is signed"), s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := cms.Parse(raw)
		if err != nil {
			return
		}
		if signatures, err := s.Verify(); err == nil && (len(signatures) == 0 || signatures[0].Signer == nil) {
			t.Error("verified without a signer")
		}
	})
}
