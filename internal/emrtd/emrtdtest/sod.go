package emrtdtest

import (
	"bytes"
	"crypto"
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// Signing says how content is signed. What is zero is as states do it.
type Signing struct {
	Digest       crypto.Hash // of the content and the data groups; that of the signer's algorithm if it is 0
	Time         time.Time   // not signed along where it is zero
	NoAttributes bool        // the content is signed directly
	KeyID        bool        // the signer is named by key identifier
	Indefinite   bool        // BER of indefinite length, the content in pieces
	Unsorted     bool        // attributes signed in the order in which they are sent, which is not DER's
	Changed      []byte      // content instead of the one that was signed
	Twice        bool        // two signers
}

// CMS returns signed data of a type.
func (h *Holder) CMS(kind string, content []byte, s Signing) []byte {
	if s.Digest == 0 {
		s.Digest = h.Key.hash
	}
	digest := s.Digest.New()
	digest.Write(content)
	attributes := [][]byte{
		attribute("1.2.840.113549.1.9.3", OID(kind)),
		attribute("1.2.840.113549.1.9.4", Octets(digest.Sum(nil))),
	}
	if !s.Time.IsZero() {
		attributes = append(attributes, attribute("1.2.840.113549.1.9.5", when(s.Time)))
	}
	slices.SortFunc(attributes, bytes.Compare)
	if s.Unsorted {
		slices.Reverse(attributes)
	}
	version, sid := int64(1), tlv.Encode(tlv.Sequence, name(h.Cert.Issuer.Country, "CSCA "+h.Cert.Issuer.Country), Int(h.Cert.Serial))
	if s.KeyID {
		version, sid = 3, tlv.Encode(0x80, h.Cert.SubjectKeyID)
	}
	info := [][]byte{Int(big.NewInt(version)), sid, DigestID(s.Digest)}
	if s.NoAttributes {
		info = append(info, h.Key.Algorithm(), Octets(h.Key.Sign(content)))
	} else {
		signature := h.Key.Sign(tlv.Encode(tlv.Set, attributes...))
		info = append(info, tlv.Encode(0xA0, attributes...), h.Key.Algorithm(), Octets(signature))
	}
	if s.Changed != nil {
		content = s.Changed
	}
	signers := [][]byte{tlv.Encode(tlv.Sequence, info...)}
	if s.Twice {
		signers = append(signers, signers[0])
	}
	return wrap(kind, content, s, h.Raw, signers)
}

func wrap(kind string, content []byte, s Signing, certificate []byte, signers [][]byte) []byte {
	octets := Octets(content)
	if s.Indefinite {
		half := len(content) / 2
		octets = indefinite(0x24, Octets(content[:half]), Octets(content[half:]))
	}
	encode := tlv.Encode
	if s.Indefinite {
		encode = indefinite
	}
	signed := encode(tlv.Sequence, Int(big.NewInt(3)), tlv.Encode(tlv.Set, DigestID(s.Digest)),
		encode(tlv.Sequence, OID(kind), encode(0xA0, octets)), encode(0xA0, certificate), tlv.Encode(tlv.Set, signers...))
	return encode(tlv.Sequence, OID("1.2.840.113549.1.7.2"), encode(0xA0, signed))
}

func indefinite(tag tlv.Tag, parts ...[]byte) []byte {
	out := []byte{byte(tag), 0x80}
	for _, p := range parts {
		out = append(out, p...)
	}
	return append(out, 0, 0)
}

func attribute(oid string, value []byte) []byte {
	return tlv.Encode(tlv.Sequence, OID(oid), tlv.Encode(tlv.Set, value))
}

// numbers of the data groups.
var numbers = map[lds.File]int64{"DG1": 1, "DG2": 2, "DG3": 3, "DG11": 11, "DG12": 12, "DG14": 14, "DG15": 15}

// Object returns the list of digests that EF.SOD signs.
func Object(files map[lds.File][]byte, digest crypto.Hash) []byte {
	var all [][]byte
	order := slices.SortedFunc(maps.Keys(files), func(a, b lds.File) int { return int(numbers[a] - numbers[b]) })
	for _, f := range order {
		if n := numbers[f]; n > 0 {
			h := digest.New()
			h.Write(files[f])
			all = append(all, tlv.Encode(tlv.Sequence, Int(big.NewInt(n)), Octets(h.Sum(nil))))
		}
	}
	return tlv.Encode(tlv.Sequence, Int(new(big.Int)), DigestID(digest), tlv.Encode(tlv.Sequence, all...))
}

// SOD returns EF.SOD for the files, signed by the holder.
func (h *Holder) SOD(files map[lds.File][]byte, s Signing) []byte {
	if s.Digest == 0 {
		s.Digest = h.Key.hash
	}
	return tlv.Encode(0x77, h.CMS("2.23.136.1.1.1", Object(files, s.Digest), s))
}
