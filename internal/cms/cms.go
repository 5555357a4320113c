// Package cms reads signed data (RFC 5652) and checks its signatures, as travel documents and lists of certificates carry it
// (ICAO 9303-10 section 4.6.2, 9303-12 section 9): with signed attributes, in DER or in BER of indefinite length, with every signature
// algorithm that package pki knows.
//
// What is verified are the signed attributes, and through their digest the content. Who signed is the certificate that the signer names
// by issuer and serial number or by key identifier, and no other: whether that certificate is trusted is for others to decide.
package cms

import (
	"bytes"
	"crypto"
	"math/big"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// The refusals of this package.
const (
	NotSignedData       refusal.Code = "cms.not_signed_data"       // content type is another one
	ContentMissing      refusal.Code = "cms.content_missing"       // nothing is signed
	WrongVersion        refusal.Code = "cms.version"               // version that signed data does not have
	SignerMissing       refusal.Code = "cms.signer_missing"        // nobody signed
	TooManySigners      refusal.Code = "cms.too_many"              // more signers or certificates than are read
	CertificateMissing  refusal.Code = "cms.certificate_missing"   // the certificate that the signer names is not there
	AttributesMissing   refusal.Code = "cms.attributes_missing"    // no signed attributes, or one that is needed is missing
	AttributeRepeated   refusal.Code = "cms.attribute_repeated"    // signed attribute with several values
	ContentTypeMismatch refusal.Code = "cms.content_type_mismatch" // signed content type is not that of the content
	DigestMismatch      refusal.Code = "cms.digest_mismatch"       // signed digest is not that of the content
)

const (
	oidSignedData    = "1.2.840.113549.1.7.2"
	oidContentType   = "1.2.840.113549.1.9.3"
	oidMessageDigest = "1.2.840.113549.1.9.4"
	oidSigningTime   = "1.2.840.113549.1.9.5"

	maxSigners      = 8
	maxCertificates = 64
)

// SignedData is signed data as received.
type SignedData struct {
	ContentType  string
	Content      []byte
	Certificates []*pki.Certificate
	Signers      []SignerInfo
}

// SignerInfo is one signer's statement.
type SignerInfo struct {
	serial     *big.Int // with issuer, or key identifier
	issuer     tlv.Element
	keyID      []byte
	digest     pki.AlgorithmID
	attributes tlv.Element // zero where there are none
	algorithm  pki.AlgorithmID
	signature  []byte
}

// Signature is one that holds.
type Signature struct {
	Signer    *pki.Certificate
	Algorithm pki.Algorithm
	Digest    crypto.Hash // of the content
	Time      time.Time   // as the signer says; zero where it does not
}

// Parse reads a ContentInfo that must hold signed data.
func Parse(raw []byte) (*SignedData, error) {
	e, err := tlv.Parse(raw)
	if err != nil {
		return nil, err
	}
	r := tlv.Read(e, tlv.Sequence)
	kind, wrapped := r.Take(tlv.ObjectID), r.Take(0xA0)
	if err := r.End(); err != nil {
		return nil, err
	}
	if oid, err := kind.OID(); err != nil || oid != oidSignedData {
		return nil, refusal.New(NotSignedData, "the content is no signed data")
	}
	inner, err := tlv.Parse(wrapped.Content)
	if err != nil {
		return nil, err
	}
	return parseSignedData(inner)
}

func parseSignedData(e tlv.Element) (*SignedData, error) {
	r := tlv.Read(e, tlv.Sequence)
	version, _, content := r.Take(tlv.Integer), r.Take(tlv.Set), r.Take(tlv.Sequence)
	certificates, _ := r.Maybe(0xA0)
	r.Maybe(0xA1) // revocation lists come by other ways
	signers := r.Take(tlv.Set)
	if err := r.End(); err != nil {
		return nil, err
	}
	if n, err := version.Small(); err != nil || n < 1 || n > 5 {
		return nil, refusal.New(WrongVersion, "signed data of an unknown version")
	}
	s := &SignedData{}
	if err := s.readContent(content); err != nil {
		return nil, err
	}
	if err := s.readCertificates(certificates); err != nil {
		return nil, err
	}
	all, err := signers.Children()
	if err != nil {
		return nil, err
	}
	if len(all) > maxSigners {
		return nil, refusal.New(TooManySigners, "%d signers, at most %d are read", len(all), maxSigners)
	}
	for _, one := range all {
		info, err := parseSigner(one)
		if err != nil {
			return nil, err
		}
		s.Signers = append(s.Signers, info)
	}
	return s, nil
}

func (s *SignedData) readContent(e tlv.Element) error {
	r := tlv.Read(e, tlv.Sequence)
	kind := r.Take(tlv.ObjectID)
	wrapped, ok := r.Maybe(0xA0)
	if err := r.End(); err != nil {
		return err
	}
	if !ok {
		return refusal.New(ContentMissing, "the signed content is not there")
	}
	var err error
	if s.ContentType, err = kind.OID(); err != nil {
		return err
	}
	inner, err := tlv.Parse(wrapped.Content)
	if err != nil {
		return err
	}
	if inner.Tag&^0x20 != tlv.OctetString {
		return refusal.New(tlv.Malformed, "the signed content is %v, no octet string", inner)
	}
	s.Content, err = inner.Octets()
	return err
}

func (s *SignedData) readCertificates(e tlv.Element) error {
	if e.Tag == 0 {
		return nil
	}
	all, err := e.Children()
	if err != nil {
		return err
	}
	if len(all) > maxCertificates {
		return refusal.New(TooManySigners, "%d certificates, at most %d are read", len(all), maxCertificates)
	}
	for _, one := range all {
		if one.Tag != tlv.Sequence { // attribute certificates and other forms
			continue
		}
		c, err := pki.ParseCertificate(one.Raw)
		if err != nil {
			return err
		}
		s.Certificates = append(s.Certificates, c)
	}
	return nil
}

func parseSigner(e tlv.Element) (SignerInfo, error) {
	var s SignerInfo
	r := tlv.Read(e, tlv.Sequence)
	r.Take(tlv.Integer)
	sid, digest := r.Any(), r.Take(tlv.Sequence)
	s.attributes, _ = r.Maybe(0xA0)
	algorithm, signature := r.Take(tlv.Sequence), r.Any()
	r.Maybe(0xA1) // unsigned attributes
	if err := r.End(); err != nil {
		return s, err
	}
	var err error
	if s.signature, err = signature.Octets(); err != nil || signature.Tag&^0x20 != tlv.OctetString {
		return s, refusal.New(tlv.Malformed, "the signature is no octet string")
	}
	if s.digest, err = pki.ParseAlgorithmID(digest); err != nil {
		return s, err
	}
	if s.algorithm, err = pki.ParseAlgorithmID(algorithm); err != nil {
		return s, err
	}
	if sid.Tag == 0x80 || sid.Tag == 0xA0 {
		s.keyID = sid.Content
		return s, nil
	}
	id := tlv.Read(sid, tlv.Sequence)
	issuer, serial := id.Take(tlv.Sequence), id.Take(tlv.Integer)
	if err := id.End(); err != nil {
		return s, err
	}
	s.issuer = issuer
	s.serial, err = serial.Int()
	return s, err
}

// Verify checks every signer's signature and returns them; there is at least one.
func (s *SignedData) Verify() ([]Signature, error) {
	if len(s.Signers) == 0 {
		return nil, refusal.New(SignerMissing, "nobody signed the content")
	}
	var out []Signature
	for _, info := range s.Signers {
		one, err := s.verify(info)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

func (s *SignedData) verify(info SignerInfo) (Signature, error) {
	signer, err := s.certificateOf(info)
	if err != nil {
		return Signature{}, err
	}
	sig := Signature{Signer: signer}
	if sig.Digest, err = info.digest.Digest(); err != nil {
		return sig, err
	}
	if sig.Algorithm, err = info.algorithm.Signature(sig.Digest); err != nil {
		return sig, err
	}
	if sig.Time, err = s.checkAttributes(info, sig.Digest); err != nil {
		return sig, err
	}
	if signer.Key == nil {
		return sig, signer.KeyFault
	}
	return sig, info.checkSignature(sig.Algorithm, signer.Key)
}

// certificateOf finds the certificate that the signer names.
func (s *SignedData) certificateOf(info SignerInfo) (*pki.Certificate, error) {
	for _, c := range s.Certificates {
		if info.serial == nil && len(info.keyID) > 0 && bytes.Equal(c.SubjectKeyID, info.keyID) {
			return c, nil
		}
		if info.serial != nil && c.Serial.Cmp(info.serial) == 0 {
			if name, err := pki.ParseName(info.issuer); err == nil && name.Equal(c.Issuer) {
				return c, nil
			}
		}
	}
	return nil, refusal.New(CertificateMissing, "the certificate that the signer names is not there")
}

// checkSignature verifies over the attributes as a SET in DER (RFC 5652 section 5.4). Some signers sign them in the order in which they
// send them; what is signed is the same set, so that is accepted.
func (s SignerInfo) checkSignature(alg pki.Algorithm, key *pki.PublicKey) error {
	set := s.attributes
	set.Tag = tlv.Set
	sorted, err := set.DER()
	if err != nil {
		return err
	}
	err = key.Verify(alg, sorted, s.signature)
	if sent := tlv.Encode(tlv.Set, set.Content); err != nil && !bytes.Equal(sent, sorted) {
		return key.Verify(alg, sent, s.signature)
	}
	return err
}

// checkAttributes checks that the signed attributes speak of the content, and returns the time of signing.
func (s *SignedData) checkAttributes(info SignerInfo, digest crypto.Hash) (time.Time, error) {
	values, err := info.values()
	if err != nil {
		return time.Time{}, err
	}
	kind, stated := values[oidContentType]
	sum, summed := values[oidMessageDigest]
	if !stated || !summed {
		return time.Time{}, refusal.New(AttributesMissing, "content type or digest is not among the signed attributes")
	}
	if oid, err := kind.OID(); err != nil || oid != s.ContentType {
		return time.Time{}, refusal.New(ContentTypeMismatch, "the signed content type is not that of the content")
	}
	h := digest.New()
	h.Write(s.Content)
	if sum.Tag != tlv.OctetString || !bytes.Equal(sum.Content, h.Sum(nil)) {
		return time.Time{}, refusal.New(DigestMismatch, "the signed digest is not that of the content")
	}
	if at, ok := values[oidSigningTime]; ok {
		return at.Time()
	}
	return time.Time{}, nil
}

// values returns the one value of each signed attribute.
func (s SignerInfo) values() (map[string]tlv.Element, error) {
	if s.attributes.Tag == 0 {
		return nil, refusal.New(AttributesMissing, "there are no signed attributes")
	}
	all, err := s.attributes.Children()
	if err != nil {
		return nil, err
	}
	out := map[string]tlv.Element{}
	for _, e := range all {
		r := tlv.Read(e, tlv.Sequence)
		kind, set := r.Take(tlv.ObjectID), r.Take(tlv.Set)
		if err := r.End(); err != nil {
			return nil, err
		}
		oid, err := kind.OID()
		if err != nil {
			return nil, err
		}
		members, err := set.Children()
		if err != nil {
			return nil, err
		}
		if _, twice := out[oid]; twice || len(members) != 1 {
			return nil, refusal.New(AttributeRepeated, "signed attribute %s has not one value", oid)
		}
		out[oid] = members[0]
	}
	return out, nil
}
