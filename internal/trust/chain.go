package trust

import (
	"bytes"
	"encoding/hex"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// maxAuthorities is how many authorities in a row are followed, links included.
const maxAuthorities = 6

// Chain is a path from a certificate to an anchor.
type Chain struct {
	Path   []*pki.Certificate // the certificate first, the anchor last
	Anchor Anchor
}

// Chain finds a path from a certificate to an anchor of the purpose and scope. At each step names, key identifiers and the signature
// must agree, the issuer must be an authority of the same state, and have been valid when it issued. The refusal tells what came
// nearest: AnchorMissing if no anchor has the name and key identifier.
func (s *Store) Chain(leaf *pki.Certificate, p Purpose, scope string) (*Chain, error) {
	if err := understood(leaf); err != nil {
		return nil, err
	}
	if scope == "" {
		return nil, refusal.New(AnchorMissing, "%s does not say for which state it is", leaf.Subject)
	}
	path, anchor, err := s.climb([]*pki.Certificate{leaf}, s.Anchors(p, scope))
	if err != nil {
		return nil, err
	}
	return &Chain{Path: path, Anchor: *anchor}, nil
}

// climb extends a path by one issuer, an anchor if there is one, else by each link that fits.
func (s *Store) climb(path []*pki.Certificate, anchors []Anchor) ([]*pki.Certificate, *Anchor, error) {
	if len(path) > maxAuthorities { // only links can be between a certificate and its anchor, so a limit of their number is ours
		return nil, nil, refusal.New(PathTooLong, "more than %d authorities in a row", maxAuthorities)
	}
	last := path[len(path)-1]
	var nearest error
	for _, a := range anchors {
		switch err := s.issued(last, a.Certificate); {
		case err == nil:
			return append(path[:len(path):len(path)], a.Certificate), &a, nil
		case last.Names(a.Certificate):
			nearest = err
		}
	}
	for _, link := range s.links {
		if !last.Names(link) || contains(path, link) || link.SelfIssued() {
			continue
		}
		if err := s.issued(last, link); err != nil {
			nearest = err
			continue
		}
		found, anchor, err := s.climb(append(path[:len(path):len(path)], link), anchors)
		if err == nil {
			return found, anchor, nil
		}
		nearest = err
	}
	if nearest == nil {
		nearest = refusal.New(AnchorMissing, "no anchor is called %s%s", last.Issuer, keyed(last.AuthorityKeyID))
	}
	return nil, nil, nearest
}

func keyed(id []byte) string {
	if len(id) == 0 {
		return ""
	}
	return " with the key " + hex.EncodeToString(id)
}

func contains(path []*pki.Certificate, c *pki.Certificate) bool {
	for _, p := range path {
		if bytes.Equal(p.Raw, c.Raw) {
			return true
		}
	}
	return false
}

// issued reports why an authority did not issue a certificate.
func (s *Store) issued(c, issuer *pki.Certificate) error {
	if s.distrusted[issuer.Fingerprint()] {
		return refusal.New(Distrusted, "%s was removed", issuer.Subject)
	}
	if !c.Issuer.Equal(issuer.Subject) {
		return refusal.New(OtherName, "%s is not %s", issuer.Subject, c.Issuer)
	}
	if !c.Names(issuer) {
		return refusal.New(OtherKey, "%s has the key %x, the certificate names %x", issuer.Subject, issuer.SubjectKeyID, c.AuthorityKeyID)
	}
	if err := authority(issuer); err != nil {
		return err
	}
	if c.Subject.Country != issuer.Subject.Country {
		return refusal.New(OtherCountry, "a certificate of %q, issued by %q", c.Subject.Country, issuer.Subject.Country)
	}
	if err := c.CheckSignature(issuer); err != nil {
		if r := refusal.Of(err); r != nil && r.Code != pki.InvalidSignature {
			return err
		}
		return refusal.New(WrongSignature, "the key of %s did not sign the certificate", issuer.Subject)
	}
	if !issuer.ValidAt(c.NotBefore) {
		return refusal.New(NotValidAtIssue, "issued on %s, when %s was not valid", c.NotBefore.Format(time.DateOnly), issuer.Subject)
	}
	return nil
}

// Attempt is an anchor that was tried.
type Attempt struct {
	Anchor  Anchor
	Refusal *refusal.Refusal
}

// Explanation says why a certificate is trusted or not.
type Explanation struct {
	Chain   *Chain           // nil if it is not trusted
	Refusal *refusal.Refusal // nil if it is trusted
	Tried   []Attempt        // every anchor of the same state, or with the issuer's name, and why it is not the issuer
	Missing string           // the certificate that would be needed; empty if it is trusted
}

// Explain finds a path as Chain does and says what was tried.
func (s *Store) Explain(c *pki.Certificate, p Purpose, scope string) Explanation {
	chain, err := s.Chain(c, p, scope)
	if err == nil {
		return Explanation{Chain: chain}
	}
	x := Explanation{Refusal: refusal.Of(err)}
	for _, a := range s.Anchors(p, "") {
		if a.Scope != scope && !a.Certificate.Subject.Equal(c.Issuer) {
			continue
		}
		why := refusal.Of(s.issued(c, a.Certificate))
		if why == nil {
			why = refusal.New(OtherCountry, "it is trusted for %q and not for %q", a.Scope, scope)
		}
		x.Tried = append(x.Tried, Attempt{Anchor: a, Refusal: why})
	}
	if x.Refusal.Code == AnchorMissing {
		x.Missing = c.Issuer.String() + keyed(c.AuthorityKeyID)
	}
	return x
}
