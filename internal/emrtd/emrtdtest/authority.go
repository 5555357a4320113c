package emrtdtest

import (
	"crypto/sha1"
	"math/big"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// Now is the day of the tests.
var Now = time.Date(2030, 6, 1, 12, 0, 0, 0, time.UTC)

// Template says what a certificate holds. What is zero is as states have it.
type Template struct {
	Serial        int64
	Country, Name string // of the subject
	From, To      time.Time
	CA            bool
	Usage         byte // bits of keyUsage as they are written: 0x80 digitalSignature, 0x06 keyCertSign and cRLSign
	Extended      []string
	Types         []string // document types
	KeyFrom       time.Time
	KeyTo         time.Time
	Critical      string   // object identifier of a critical extension that nobody knows
	Info          []byte   // instead of the key's own SubjectPublicKeyInfo
	Extra         [][]byte // extensions that follow the others, as Extension returns them
	NoKeyIDs      bool     // neither the own key nor the issuer's is named
}

// Holder is somebody with a key and a certificate.
type Holder struct {
	Key  *Key
	Raw  []byte
	Cert *pki.Certificate
}

// NewAuthority returns a country signing authority with a certificate that it signed itself.
func NewAuthority(country string, kind Kind, number int) *Holder {
	return NewRoot(Template{Serial: int64(100 + number), Country: country, CA: true}, NewKey(kind, number))
}

// NewRoot returns a holder whose certificate it signed itself: that of a country signing authority unless the template says otherwise.
func NewRoot(t Template, key *Key) *Holder {
	if t.Usage == 0 {
		t.Usage = 0x06
	}
	if t.From.IsZero() {
		t.From, t.To = Now.AddDate(-5, 0, 0), Now.AddDate(10, 0, 0)
	}
	if t.Name == "" {
		t.Name = "CSCA " + t.Country
	}
	return issue(t, key, nil)
}

// Issue returns a holder whose certificate the authority signed; a document signer unless the template says otherwise.
func (h *Holder) Issue(t Template, key *Key) *Holder {
	if t.Country == "" {
		t.Country = h.Cert.Subject.Country
	}
	if t.Name == "" {
		t.Name = "Document Signer"
	}
	if t.Serial == 0 {
		t.Serial = 7
	}
	if t.Usage == 0 {
		t.Usage = 0x80
	}
	if t.From.IsZero() {
		t.From = Now.AddDate(-1, 0, 0)
	}
	if t.To.IsZero() {
		t.To = Now.AddDate(9, 0, 0)
	}
	return issue(t, key, h)
}

// Renew returns the authority's next generation: a root of its own, and the link that the old key signed.
func (h *Holder) Renew(key *Key, serial int64) (root, link *Holder) {
	t := Template{Serial: serial, Country: h.Cert.Subject.Country, Name: "CSCA " + h.Cert.Subject.Country, CA: true, Usage: 0x06}
	t.From, t.To = Now.AddDate(-2, 0, 0), Now.AddDate(13, 0, 0)
	return issue(t, key, nil), issue(t, key, h)
}

func issue(t Template, key *Key, by *Holder) *Holder {
	subject, info := name(t.Country, t.Name), key.Info()
	if t.Info != nil {
		info = t.Info
	}
	keyID := sha1.Sum(info)
	issuer, issuerID, signer := subject, keyID[:], key
	if by != nil {
		issuer, issuerID, signer = name(by.Cert.Subject.Country, "CSCA "+by.Cert.Subject.Country), by.Cert.SubjectKeyID, by.Key
	}
	tbs := tlv.Encode(tlv.Sequence,
		tlv.Encode(0xA0, Int(big.NewInt(2))), Int(big.NewInt(t.Serial)), signer.Algorithm(), issuer,
		tlv.Encode(tlv.Sequence, when(t.From), when(t.To)), subject, info,
		tlv.Encode(0xA3, tlv.Encode(tlv.Sequence, extensions(t, keyID[:], issuerID)...)))
	raw := tlv.Encode(tlv.Sequence, tbs, signer.Algorithm(), bits(signer.Sign(tbs)))
	cert, err := pki.ParseCertificate(raw)
	if err != nil {
		panic(err)
	}
	return &Holder{Key: key, Raw: raw, Cert: cert}
}

func extensions(t Template, keyID, issuerID []byte) [][]byte {
	out := [][]byte{Extension("2.5.29.15", true, tlv.Encode(tlv.BitString, []byte{1, t.Usage}))}
	if !t.NoKeyIDs {
		out = append(out, Extension("2.5.29.14", false, Octets(keyID)), Extension("2.5.29.35", false, authorityKeyID(issuerID)))
	}
	if t.CA {
		out = append(out, Extension("2.5.29.19", true, tlv.Encode(tlv.Sequence, tlv.Encode(tlv.Boolean, []byte{0xFF}), Int(new(big.Int)))))
	}
	if len(t.Extended) > 0 {
		var all [][]byte
		for _, oid := range t.Extended {
			all = append(all, OID(oid))
		}
		out = append(out, Extension("2.5.29.37", true, tlv.Encode(tlv.Sequence, all...)))
	}
	if len(t.Types) > 0 {
		var all [][]byte
		for _, kind := range t.Types {
			all = append(all, tlv.Encode(tlv.PrintableString, []byte(kind)))
		}
		out = append(out, Extension("2.23.136.1.1.6.2", false, tlv.Encode(tlv.Sequence, Int(new(big.Int)), tlv.Encode(tlv.Set, all...))))
	}
	if !t.KeyTo.IsZero() {
		stamp := func(at time.Time) []byte { return []byte(at.Format("20060102150405Z")) }
		period := tlv.Encode(tlv.Sequence, tlv.Encode(0x80, stamp(t.KeyFrom)), tlv.Encode(0x81, stamp(t.KeyTo)))
		out = append(out, Extension("2.5.29.16", false, period))
	}
	if t.Critical != "" {
		out = append(out, Extension(t.Critical, true, tlv.Encode(tlv.Null)))
	}
	return append(out, t.Extra...)
}

func authorityKeyID(id []byte) []byte { return tlv.Encode(tlv.Sequence, tlv.Encode(0x80, id)) }

// Extension returns an extension of a certificate or a revocation list.
func Extension(oid string, critical bool, value []byte) []byte {
	if critical {
		return tlv.Encode(tlv.Sequence, OID(oid), tlv.Encode(tlv.Boolean, []byte{0xFF}), Octets(value))
	}
	return tlv.Encode(tlv.Sequence, OID(oid), Octets(value))
}

func name(country, common string) []byte {
	attribute := func(oid string, tag tlv.Tag, value string) []byte {
		return tlv.Encode(tlv.Set, tlv.Encode(tlv.Sequence, OID(oid), tlv.Encode(tag, []byte(value))))
	}
	return tlv.Encode(tlv.Sequence, attribute("2.5.4.6", tlv.PrintableString, country), attribute("2.5.4.3", tlv.UTF8String, common))
}

func when(t time.Time) []byte {
	return tlv.Encode(tlv.GeneralizedTime, []byte(t.UTC().Format("20060102150405Z")))
}

// CRL returns a revocation list of the authority. When the next one comes is not stated where to is zero.
func (h *Holder) CRL(from, to time.Time, serials ...int64) []byte {
	return h.CRLWith([][]byte{Extension("2.5.29.35", false, authorityKeyID(h.Cert.SubjectKeyID))}, from, to, serials...)
}

// CRLWith returns a revocation list with extensions.
func (h *Holder) CRLWith(extensions [][]byte, from, to time.Time, serials ...int64) []byte {
	var entries [][]byte
	for _, s := range serials {
		entries = append(entries, tlv.Encode(tlv.Sequence, Int(big.NewInt(s)), when(from)))
	}
	parts := [][]byte{Int(big.NewInt(1)), h.Key.Algorithm(), name(h.Cert.Subject.Country, "CSCA "+h.Cert.Subject.Country), when(from)}
	if !to.IsZero() {
		parts = append(parts, when(to))
	}
	if len(entries) > 0 {
		parts = append(parts, tlv.Encode(tlv.Sequence, entries...))
	}
	parts = append(parts, tlv.Encode(0xA0, tlv.Encode(tlv.Sequence, extensions...)))
	tbs := tlv.Encode(tlv.Sequence, parts...)
	return tlv.Encode(tlv.Sequence, tbs, h.Key.Algorithm(), bits(h.Key.Sign(tbs)))
}

// MasterList returns a list of certificates that the holder signed at a time.
func (h *Holder) MasterList(at time.Time, certificates ...*Holder) []byte {
	var all [][]byte
	for _, c := range certificates {
		all = append(all, c.Raw)
	}
	content := tlv.Encode(tlv.Sequence, Int(new(big.Int)), tlv.Encode(tlv.Set, all...))
	return h.CMS("2.23.136.1.1.2", content, Signing{Time: at})
}
