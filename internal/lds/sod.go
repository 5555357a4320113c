package lds

import (
	"crypto"

	"github.com/bonafide-id/bonafide/internal/cms"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// oidSecurityObject is the type of what EF.SOD signs.
const oidSecurityObject = "2.23.136.1.1.1"

// SecurityObject is EF.SOD. Its signature is not verified by reading it.
type SecurityObject struct {
	Signed  *cms.SignedData
	Digest  crypto.Hash
	Digests map[File][]byte // of data groups
	Version string          // of the logical data structure; empty where it is not signed along
}

// ParseSecurityObject reads EF.SOD (ICAO 9303-10 section 4.6.2).
func ParseSecurityObject(raw []byte) (*SecurityObject, error) {
	e, err := open(raw, SOD)
	if err != nil {
		return nil, err
	}
	signed, err := cms.Parse(e.Content)
	if err != nil {
		return nil, err
	}
	if signed.ContentType != oidSecurityObject {
		return nil, refusal.New(SODStructure, "EF.SOD signs content of type %s", signed.ContentType)
	}
	s := &SecurityObject{Signed: signed, Digests: map[File][]byte{}}
	content, err := tlv.Parse(signed.Content)
	if err != nil {
		return nil, err
	}
	return s, s.read(content)
}

func (s *SecurityObject) read(content tlv.Element) error {
	r := tlv.Read(content, tlv.Sequence)
	version, alg, list := r.Take(tlv.Integer), r.Take(tlv.Sequence), r.Take(tlv.Sequence)
	info, informed := r.Maybe(tlv.Sequence)
	if err := r.End(); err != nil {
		return err
	}
	if n, err := version.Small(); err != nil || n > 1 || informed != (n == 1) {
		return refusal.New(SODVersion, "a list of digests of an unknown version")
	}
	id, err := pki.ParseAlgorithmID(alg)
	if err != nil {
		return err
	}
	if s.Digest, err = id.Digest(); err != nil {
		return err
	}
	if informed {
		v := tlv.Read(info, tlv.Sequence)
		s.Version = v.Take(tlv.PrintableString).Text()
		v.Take(tlv.PrintableString)
		if err := v.End(); err != nil {
			return err
		}
	}
	all, err := list.Children()
	if err != nil {
		return err
	}
	for _, one := range all {
		if err := s.digest(one); err != nil {
			return err
		}
	}
	return nil
}

func (s *SecurityObject) digest(e tlv.Element) error {
	r := tlv.Read(e, tlv.Sequence)
	number, sum := r.Take(tlv.Integer), r.Take(tlv.OctetString)
	if err := r.End(); err != nil {
		return err
	}
	n, err := number.Small()
	if err != nil || n < 1 || n > len(groupTags) || len(sum.Content) != s.Digest.Size() {
		return refusal.New(SODStructure, "a digest of no data group, or of another length than %s has", s.Digest)
	}
	if _, twice := s.Digests[Group(n)]; twice {
		return refusal.New(GroupTwice, "EF.SOD lists %s twice", Group(n))
	}
	s.Digests[Group(n)] = sum.Content
	return nil
}
