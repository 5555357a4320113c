package trust

import (
	"encoding/hex"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

const (
	maxAuthorities = 6   // in a row that are followed, links included
	maxTried       = 200 // that are tried for one certificate: links can come with a list that nobody has verified yet
)

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
		return nil, refusal.New(AnchorMissing, "%s does not say what it is for", leaf.Subject)
	}
	if s.removed(leaf) {
		return nil, refusal.New(Distrusted, "%s was removed", leaf.Subject)
	}
	return s.climb(leaf, p, scope).from(leaf)
}

func (s *Store) climb(leaf *pki.Certificate, p Purpose, scope string) *climb {
	return &climb{store: s, purpose: p, anchors: s.Anchors(p, scope), seen: map[string]bool{string(leaf.Raw): true}}
}

// With returns a store that also follows authorities that came with a credential. They begin no trust.
func (s *Store) With(between ...*pki.Certificate) *Store {
	more := *s
	more.links = slices.Clone(s.links)
	for _, c := range between {
		more.Link(c)
	}
	return &more
}

// CheckAt reports which certificate of the path is out of date at the moment, or was signed with a weak algorithm. Chain checks neither:
// what a state signed outlives its signer, and its weakness is noted.
func (c *Chain) CheckAt(at time.Time) error {
	for i, cert := range c.Path {
		if !cert.ValidAt(at) {
			return refusal.New(OutOfDate, "%s is valid from %s to %s", cert.Subject, cert.NotBefore.Format(time.DateOnly), cert.NotAfter.Format(time.DateOnly))
		}
		if i == len(c.Path)-1 { // what the anchor says of itself is not built on
			break
		}
		alg, err := cert.Algorithm()
		if err != nil {
			return err
		}
		if weak := pki.Weaknesses(alg, c.Path[i+1].Key); len(weak) > 0 {
			return refusal.New(WeakAlgorithm, "%s is signed with %s", cert.Subject, weak[0])
		}
	}
	return nil
}

// climb is one search for a path. It takes the shortest one and looks at each link once, so that links that name one another in a
// circle cost no more than others.
type climb struct {
	store   *Store
	purpose Purpose
	anchors []Anchor
	seen    map[string]bool  // certificates on paths, as received
	tried   int              // issuers whose signature was checked
	orphan  *pki.Certificate // the last one whose issuer nobody knows
}

func (w *climb) from(leaf *pki.Certificate) (*Chain, error) {
	var nearest error
	for paths := [][]*pki.Certificate{{leaf}}; len(paths) > 0; paths = paths[1:] {
		path := paths[0]
		last := path[len(path)-1]
		if len(path) > maxAuthorities { // only links can be between a certificate and its anchor, so a limit of their number is ours
			return nil, refusal.New(PathTooLong, "more than %d authorities in a row", maxAuthorities)
		}
		anchor, err := w.anchor(path)
		if anchor != nil {
			return &Chain{Path: append(path, anchor.Certificate), Anchor: *anchor}, nil
		}
		links, linkErr := w.links(path)
		for _, link := range links {
			paths = append(paths, append(path[:len(path):len(path)], link))
		}
		switch {
		case w.tried > maxTried:
			return nil, refusal.New(PathTooLong, "more than %d authorities were tried", maxTried)
		case linkErr != nil:
			nearest = linkErr
		case err != nil:
			nearest = err
		case len(links) == 0:
			w.orphan = last
			nearest = refusal.New(AnchorMissing, "no anchor is called %s%s", last.Issuer, keyed(last.AuthorityKeyID))
		}
	}
	return nil, nearest
}

// anchor returns the anchor that issued the last certificate of a path, or why one that it names did not.
func (w *climb) anchor(path []*pki.Certificate) (found *Anchor, nearest error) {
	c := path[len(path)-1]
	for _, a := range w.anchors {
		if !c.Names(a.Certificate) {
			continue
		}
		w.tried++
		if nearest = w.issued(path, a.Certificate); nearest == nil {
			return &a, nil
		}
	}
	return nil, nearest
}

// issued reports why an authority did not issue the last certificate of a path.
func (w *climb) issued(path []*pki.Certificate, issuer *pki.Certificate) error {
	if err := w.store.issued(path[len(path)-1], issuer, w.purpose); err != nil {
		return err
	}
	if w.purpose == CSCA { // only generations of one authority are between, whose names may have changed
		return nil
	}
	between := 0
	for _, c := range path[1:] {
		if !c.Issuer.Equal(c.Subject) { // RFC 5280 section 4.2.1.9
			between++
		}
	}
	if issuer.PathLen >= 0 && between > issuer.PathLen {
		return refusal.New(PathTooLong, "%s lets %d authorities follow, and %d do", issuer.Subject, issuer.PathLen, between)
	}
	return nil
}

// links returns the links that issued the last certificate of a path and were not followed yet, or why one that it names did not.
func (w *climb) links(path []*pki.Certificate) (found []*pki.Certificate, nearest error) {
	c := path[len(path)-1]
	for _, link := range w.store.links {
		if w.seen[string(link.Raw)] || !c.Names(link) || w.tried > maxTried {
			continue
		}
		w.tried++
		if link.SelfIssued() {
			w.seen[string(link.Raw)] = true
		} else if err := w.issued(path, link); err != nil {
			nearest = err
		} else {
			w.seen[string(link.Raw)] = true
			found = append(found, link)
		}
	}
	return found, nearest
}

func keyed(id []byte) string {
	if len(id) == 0 {
		return ""
	}
	return " with the key " + hex.EncodeToString(id)
}

// issued reports why an authority did not issue a certificate. Issuers of credentials and signers of their lists need not be of
// their authority's state.
func (s *Store) issued(c, issuer *pki.Certificate, p Purpose) error {
	if s.removed(issuer) {
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
	if p != Issuer && p != VICAL && c.Subject.Country != issuer.Subject.Country {
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
	Tried   []Attempt        // every anchor of that scope, or of another one with the issuer's name, and why it is not the issuer
	Missing string           // the certificate that would be needed; empty if it is trusted
}

// whyNot says why an anchor is not the issuer that is needed.
func (s *Store) whyNot(c *pki.Certificate, a Anchor, p Purpose, scope string) *refusal.Refusal {
	if err := s.issued(c, a.Certificate, p); err != nil {
		return refusal.Of(err)
	}
	if a.Purpose == CSCA && p == CSCA {
		return refusal.New(OtherCountry, "it is trusted for %q and not for %q", a.Scope, scope)
	}
	return refusal.New(OtherPurpose, "it is trusted for %s %q and not for %s %q", a.Purpose, a.Scope, p, scope)
}

// Explain finds a path as Chain does and says what was tried.
func (s *Store) Explain(c *pki.Certificate, p Purpose, scope string) Explanation {
	chain, err := s.Chain(c, p, scope)
	if err == nil {
		return Explanation{Chain: chain}
	}
	x := Explanation{Refusal: refusal.Of(err)}
	orphan := c
	if x.Refusal.Code == AnchorMissing && scope != "" {
		w := s.climb(c, p, scope)
		_, _ = w.from(c)
		orphan = w.orphan
	}
	for _, a := range s.anchors {
		if (a.Purpose == p && a.Scope == scope) || a.Certificate.Subject.Equal(orphan.Issuer) {
			x.Tried = append(x.Tried, Attempt{Anchor: a, Refusal: s.whyNot(orphan, a, p, scope)})
		}
	}
	if x.Refusal.Code == AnchorMissing {
		x.Missing = orphan.Issuer.String() + keyed(orphan.AuthorityKeyID)
	}
	return x
}
