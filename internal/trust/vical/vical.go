// Package vical reads lists of authorities of mobile documents: a VICAL, signed CBOR that somebody such as AAMVA publishes
// (ISO/IEC 18013-5:2021 annex C). Like a master list, it counts only where its signer leads to an anchor that was accepted by itself.
//
// The names of its fields are written from memory of the standard; no list of a publisher was at hand.
package vical

import (
	"bytes"
	"math/big"
	"time"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// The refusals of this package.
const (
	NotAVICAL refusal.Code = "trust.not_a_vical"  // signed data of another kind, or of an unknown version
	Signer    refusal.Code = "trust.vical_signer" // signed when its signer was not valid, or signed by an authority itself
	Entry     refusal.Code = "trust.vical_entry"  // entry that says something else than its certificate
)

// Limits of a list.
const (
	maxEntries  = 10_000
	maxDocTypes = 64 // of one entry
	maxText     = 200
)

// Authority is an entry: a certificate and the documents that it signs for.
type Authority struct {
	Certificate *pki.Certificate
	DocTypes    []string
}

// List is a VICAL. Nothing in it is verified.
type List struct {
	Provider    string
	Date        time.Time
	NextUpdate  time.Time // zero where it is not stated
	Issue       uint64    // 0 where it is not stated
	Authorities []Authority
	Unreadable  []error // one for each certificate that cannot be read

	signed *cose.Message
}

// Verified is a list whose signer leads to an anchor.
type Verified struct {
	List
	Path []*pki.Certificate // from the signer to the anchor
}

// Certificates returns the certificates of the list.
func (l *List) Certificates() []*pki.Certificate {
	out := make([]*pki.Certificate, 0, len(l.Authorities))
	for _, a := range l.Authorities {
		out = append(out, a.Certificate)
	}
	return out
}

// Parse reads a list (COSE_Sign1, tagged or not). Certificates that cannot be read are reported and do not keep the others out; an
// entry that contradicts its certificate is refused with the list.
func Parse(raw []byte) (*List, error) {
	signed, err := cose.ParseSign1(raw)
	if err != nil {
		return nil, err
	}
	m, err := cose.Map(signed.Payload)
	if err != nil {
		return nil, err
	}
	l := &List{signed: signed}
	if version, err := cose.Text(m["version"]); err != nil || version != "1.0" {
		return nil, refusal.New(NotAVICAL, "the list is of no version that is known")
	}
	if l.Provider, err = cose.Text(m["vicalProvider"]); err != nil || l.Provider == "" || len(l.Provider) > maxText {
		return nil, refusal.New(NotAVICAL, "the list does not say who provides it")
	}
	if l.Date, err = date(m["date"]); err != nil {
		return nil, err
	}
	if next, there := m["nextUpdate"]; there {
		if l.NextUpdate, err = date(next); err != nil {
			return nil, err
		}
	}
	if issue, there := m["vicalIssueID"]; there {
		n, err := cose.Int(issue)
		if err != nil || n < 0 {
			return nil, refusal.New(NotAVICAL, "the number of the issue cannot be read")
		}
		l.Issue = uint64(n)
	}
	return l, l.readEntries(m["certificateInfos"])
}

func (l *List) readEntries(raw []byte) error {
	entries, err := cose.List(raw)
	if err != nil {
		return err
	}
	if len(entries) > maxEntries {
		return refusal.New(NotAVICAL, "the list has %d entries, more than any", len(entries))
	}
	for _, e := range entries {
		a, err := l.readEntry(e)
		if err != nil {
			return err
		}
		if a.Certificate != nil {
			l.Authorities = append(l.Authorities, a)
		}
	}
	return nil
}

// readEntry reads one entry; without a certificate where that cannot be read.
func (l *List) readEntry(raw []byte) (Authority, error) {
	var a Authority
	m, err := cose.Map(raw)
	if err != nil {
		return a, err
	}
	der, err := cose.Bytes(m["certificate"])
	if err != nil {
		return a, err
	}
	types, err := cose.List(m["docType"])
	if err != nil {
		return a, err
	}
	if len(types) == 0 || len(types) > maxDocTypes {
		return a, refusal.New(Entry, "an entry is for %d types of document", len(types))
	}
	for _, t := range types {
		name, err := cose.Text(t)
		if err != nil || name == "" || len(name) > maxText {
			return a, refusal.New(Entry, "a type of document cannot be read")
		}
		a.DocTypes = append(a.DocTypes, name)
	}
	c, err := pki.ParseCertificate(der)
	if err != nil {
		l.Unreadable = append(l.Unreadable, err)
		return a, nil
	}
	a.Certificate = c
	return a, agrees(m, c)
}

// agrees compares what an entry says of its certificate with the certificate.
func agrees(m map[string]cose.Raw, c *pki.Certificate) error {
	if ski, there := m["ski"]; there {
		id, err := cose.Bytes(ski)
		if err != nil || !bytes.Equal(id, c.SubjectKeyID) {
			return refusal.New(Entry, "the entry of %s names another key", c.Subject)
		}
	}
	if serial, there := m["serialNumber"]; there {
		n, err := number(serial)
		if err != nil || n.Cmp(c.Serial) != 0 {
			return refusal.New(Entry, "the entry of %s has another serial number", c.Subject)
		}
	}
	return nil
}

// number reads a serial number: an integer, or a big one (tag 2).
func number(raw []byte) (*big.Int, error) {
	const tagBig = 0xC2
	if len(raw) > 0 && raw[0] == tagBig {
		b, err := cose.Bytes(raw[1:])
		return new(big.Int).SetBytes(b), err
	}
	n, err := cose.Int(raw)
	return big.NewInt(n), err
}

// date reads a date with its time as text (tag 0).
func date(raw []byte) (time.Time, error) {
	const tagDate = 0xC0
	if len(raw) > 0 && raw[0] == tagDate {
		if text, err := cose.Text(raw[1:]); err == nil {
			if at, err := time.Parse(time.RFC3339, text); err == nil {
				return at.UTC(), nil
			}
		}
	}
	return time.Time{}, refusal.New(NotAVICAL, "a date is missing or not written as one")
}

// Verify checks that the certificate that came along signed the list while it was valid, and that it leads to one of the anchors, which
// must come by another way than the list.
func (l *List) Verify(anchors []*pki.Certificate) (*Verified, error) {
	chain, err := l.signed.Certificates()
	if err != nil {
		return nil, err
	}
	signer := chain[0]
	if signer.Key == nil {
		return nil, signer.KeyFault
	}
	if err := l.signed.Verify(signer.Key, nil); err != nil {
		return nil, err
	}
	switch {
	case signer.CA || !signer.Allows(pki.DigitalSignature):
		return nil, refusal.New(Signer, "%s is no signer of lists", signer.Subject)
	case !signer.ValidAt(l.Date):
		return nil, refusal.New(Signer, "the list is of %s, when %s was not valid", l.Date.Format(time.DateOnly), signer.Subject)
	}
	own := &trust.Store{}
	for _, a := range anchors {
		if err := own.Accept(trust.Anchor{Certificate: a, Purpose: trust.VICAL, Scope: trust.VICALScope}); err != nil {
			return nil, err
		}
	}
	path, err := own.With(chain[1:]...).Chain(signer, trust.VICAL, trust.VICALScope)
	if err != nil {
		return nil, err
	}
	return &Verified{List: *l, Path: path.Path}, nil
}

// Accept adds the authorities of a list as anchors, each for its types of document, and returns why it left some out.
func (v *Verified) Accept(s *trust.Store, source, by string, at time.Time) []error {
	var out []error
	for _, a := range v.Authorities {
		for _, kind := range a.DocTypes {
			if err := s.Accept(trust.Anchor{
				Certificate: a.Certificate, Purpose: trust.IACA, Scope: kind, Source: source, Date: v.Date, AcceptedBy: by, AcceptedAt: at,
			}); err != nil {
				out = append(out, err)
			}
		}
	}
	return out
}
