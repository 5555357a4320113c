package trust

import (
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/cms"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

const oidMasterList = "2.23.136.1.1.2"

// MasterList is a list of country signing authorities (ICAO 9303-12 section 9). Nothing in it is verified.
type MasterList struct {
	Certificates []*pki.Certificate
	Unreadable   []error // one for each certificate that cannot be read

	signed *cms.SignedData
}

// VerifiedList is a master list whose signer leads to an anchor.
type VerifiedList struct {
	MasterList
	Path []*pki.Certificate // from the signer to the anchor
	Time time.Time          // of signing; lists of one state are ordered by it
}

// Country returns the state that signed the list.
func (l *VerifiedList) Country() string { return l.Path[0].Subject.Country }

// Roots returns the authorities in the list of the state that signed it.
func (l *VerifiedList) Roots() []*pki.Certificate {
	var out []*pki.Certificate
	for _, c := range l.Certificates {
		if c.Subject.Country == l.Country() && c.SelfIssued() {
			out = append(out, c)
		}
	}
	return out
}

// ParseMasterList reads a list. Certificates that cannot be read are reported and do not keep the others out.
func ParseMasterList(raw []byte) (*MasterList, error) {
	signed, err := cms.Parse(raw)
	if err != nil {
		return nil, err
	}
	if signed.ContentType != oidMasterList {
		return nil, refusal.New(NotAMasterList, "signed content of type %s is no master list", signed.ContentType)
	}
	content, err := tlv.Parse(signed.Content)
	if err != nil {
		return nil, err
	}
	r := tlv.Read(content, tlv.Sequence)
	version, set := r.Take(tlv.Integer), r.Take(tlv.Set)
	if err := r.End(); err != nil {
		return nil, err
	}
	if n, err := version.Small(); err != nil || n != 0 {
		return nil, refusal.New(NotAMasterList, "a master list of an unknown version")
	}
	all, err := set.Children()
	if err != nil {
		return nil, err
	}
	list := &MasterList{signed: signed}
	for _, e := range all {
		c, err := pki.ParseCertificate(e.Raw)
		if err != nil {
			list.Unreadable = append(list.Unreadable, err)
			continue
		}
		list.Certificates = append(list.Certificates, c)
	}
	return list, nil
}

// Verify checks that one signer who may sign master lists signed the list within their validity, and that they lead to one of the
// anchors, which must come by another way than the list.
func (m *MasterList) Verify(anchors []*pki.Certificate) (*VerifiedList, error) {
	signatures, err := m.signed.Verify()
	if err != nil {
		return nil, err
	}
	signer, at := signatures[0].Signer, signatures[0].Time
	switch {
	case len(signatures) > 1:
		return nil, refusal.New(ListSigner, "the list has %d signers", len(signatures))
	case !slices.Contains(signer.ExtendedUsages, pki.MasterListSigning) || !signer.Allows(pki.DigitalSignature):
		return nil, refusal.New(ListSignerUsage, "%s may not sign master lists", signer.Subject)
	case signer.CA:
		return nil, refusal.New(ListSignerUsage, "%s is an authority and no signer of lists", signer.Subject)
	case at.IsZero():
		return nil, refusal.New(ListSigner, "the list does not say when it was signed")
	case !signer.ValidAt(at) || !signer.SignsAt(at):
		return nil, refusal.New(ListSignerExpired, "the list was signed on %s, when its signer might not sign", at.Format(time.DateOnly))
	}
	own := Store{links: m.signed.Certificates}
	for _, a := range anchors {
		if err := own.Accept(Anchor{Certificate: a, Purpose: CSCA, Scope: a.Subject.Country}); err != nil {
			return nil, err
		}
	}
	chain, err := own.Chain(signer, CSCA, signer.Subject.Country)
	if err != nil {
		return nil, err
	}
	return &VerifiedList{MasterList: *m, Path: chain.Path, Time: at}, nil
}

// Follows refuses a list that is older than the one before, or a different one of the same moment, where both are of one state.
func (l *VerifiedList) Follows(before *VerifiedList) error {
	if l.Country() != before.Country() || l.Time.After(before.Time) {
		return nil
	}
	if l.Time.Equal(before.Time) && len(Difference(before.Certificates, l.Certificates)) == 0 {
		return nil
	}
	return refusal.New(Rollback, "the list is of %s, the one before of %s", l.Time.Format(time.DateTime), before.Time.Format(time.DateTime))
}

// AcceptList adds the roots of a list as anchors and its other authorities as links, and returns why it left some out: all of them
// where somebody between the list's signer and its anchor was removed.
func (s *Store) AcceptList(l *VerifiedList, source, by string, at time.Time) []error {
	for _, c := range l.Path {
		if s.removed(c) {
			return []error{refusal.New(Distrusted, "%s, on whom the list rests, was removed", c.Subject)}
		}
	}
	var out []error
	for _, c := range l.Certificates {
		if !c.SelfIssued() {
			s.Link(c)
			continue
		}
		a := Anchor{Certificate: c, Purpose: CSCA, Scope: c.Subject.Country, Source: source, Date: l.Time, AcceptedBy: by, AcceptedAt: at}
		if err := s.acceptable(a); err != nil { // the list's signature speaks for the roots: their own are not checked once more
			out = append(out, err)
			continue
		}
		s.add(a)
	}
	return out
}
