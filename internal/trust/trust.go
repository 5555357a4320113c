// Package trust answers whether a certificate leads to an anchor that somebody accepted, and if not, why.
//
// An anchor is good for one purpose and one scope: the country signing authority (CSCA) of one state, the authority (IACA) of one type
// of mobile document, the issuer of one type of credential. There is no common pool. Master lists bring many anchors at once; the
// list's own signer is verified against an anchor that came by another way, and the difference to the list before is for somebody to
// look at. Link certificates connect the generations of one authority and never begin trust.
//
// The package is pure: certificates and the time are given, nothing is fetched.
package trust

import (
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// The refusals of this package.
const (
	NotAMasterList    refusal.Code = "trust.not_a_master_list"   // signed data of another kind, or of an unknown version
	ListSigner        refusal.Code = "trust.list_signer"         // list signed by several, or at an unknown time
	ListSignerUsage   refusal.Code = "trust.list_signer_usage"   // signer that may not sign master lists
	ListSignerExpired refusal.Code = "trust.list_signer_expired" // list signed outside of its signer's validity or its key's use
	Rollback          refusal.Code = "trust.rollback"            // list older than the one before
	LinkIsNoAnchor    refusal.Code = "trust.link_is_no_anchor"   // link certificate offered as an anchor
	NotAnAuthority    refusal.Code = "trust.not_an_authority"    // certificate that may not sign certificates
	NotUnderstood     refusal.Code = "trust.not_understood"      // critical or broken extension, or unknown key
	Distrusted        refusal.Code = "trust.distrusted"          // certificate that the operator removed
	AnchorMissing     refusal.Code = "trust.anchor_missing"      // no anchor of that scope has the issuer's name and key
	OtherName         refusal.Code = "trust.other_name"          // anchor with another name than the issuer's
	OtherKey          refusal.Code = "trust.other_key"           // anchor with the issuer's name and another key identifier
	OtherCountry      refusal.Code = "trust.other_country"       // certificate of another state than its issuer
	OtherPurpose      refusal.Code = "trust.other_purpose"       // issuer that is trusted for something else
	NothingSigned     refusal.Code = "trust.nothing_signed"      // file that holds neither a certificate nor anything signed
	WrongSignature    refusal.Code = "trust.signature"           // issuer by name whose key did not make the signature
	NotValidAtIssue   refusal.Code = "trust.not_valid_at_issue"  // certificate issued outside of its issuer's validity
	OutOfDate         refusal.Code = "trust.out_of_date"         // certificate of the chain that is not valid at the moment
	WeakAlgorithm     refusal.Code = "trust.weak_algorithm"      // certificate of the chain that is signed with SHA-1 or a short key
	PathTooLong       refusal.Code = "trust.path_too_long"       // more authorities than are followed
	Revoked           refusal.Code = "trust.revoked"             // certificate on a revocation list
	CRLIssuer         refusal.Code = "trust.crl_issuer"          // revocation list of nobody that is an anchor
	CRLSignature      refusal.Code = "trust.crl_signature"       // revocation list that its issuer did not sign
	CRLExpired        refusal.Code = "trust.crl_expired"         // revocation list that is out of date
	CRLNotFetched     refusal.Code = "trust.crl_not_fetched"     // revocation list that did not come from its address
	CRLNotYet         refusal.Code = "trust.crl_not_yet"         // revocation list of the future
)

// Purpose is what an anchor is good for.
type Purpose string

// The purposes.
const (
	CSCA   Purpose = "csca"   // signs those who sign travel documents; the scope is the country
	IACA   Purpose = "iaca"   // signs those who sign mobile documents; the scope is the docType
	Issuer Purpose = "issuer" // signs credentials; the scope is the vct
	VICAL  Purpose = "vical"  // signs those who sign lists of IACAs; the scope is VICALScope
)

// VICALScope is the one scope of those who sign lists of authorities of mobile documents.
const VICALScope = "vical"

// Anchor is a certificate that somebody accepted for one purpose.
type Anchor struct {
	Certificate *pki.Certificate
	Purpose     Purpose
	Scope       string    // country with two letters, docType or vct
	Source      string    // list or file that it came from
	Date        time.Time // of the source
	AcceptedBy  string
	AcceptedAt  time.Time
}

// Store holds what is trusted. Its zero value trusts nobody.
type Store struct {
	anchors    []Anchor
	links      []*pki.Certificate
	lists      []revocations
	distrusted map[string]bool  // by fingerprint
	keys       []*pki.PublicKey // of authorities that were removed
}

// Accept adds an anchor, which must have signed itself. It refuses what may not sign certificates, link certificates, and what the
// operator removed.
func (s *Store) Accept(a Anchor) error {
	c := a.Certificate
	if !c.SelfIssued() {
		return refusal.New(LinkIsNoAnchor, "%s is signed by another key than its own", c.Subject)
	}
	if err := s.acceptable(a); err != nil {
		return err
	}
	if c.CheckSignature(c) != nil {
		return refusal.New(WrongSignature, "%s did not sign itself", c.Subject)
	}
	s.add(a)
	return nil
}

// acceptable reports why a root may not be an anchor.
func (s *Store) acceptable(a Anchor) error {
	c := a.Certificate
	s.meet(c)
	if s.removed(c) {
		return refusal.New(Distrusted, "%s was removed and stays so", c.Subject)
	}
	if err := authority(c); err != nil {
		return err
	}
	if a.Purpose == CSCA && c.Subject.Country != a.Scope {
		return refusal.New(OtherCountry, "%s is no authority of %s", c.Subject, a.Scope)
	}
	return nil
}

// add adds an anchor once.
func (s *Store) add(a Anchor) {
	if !slices.ContainsFunc(s.anchors, func(b Anchor) bool {
		return b.Purpose == a.Purpose && b.Scope == a.Scope && string(b.Certificate.Raw) == string(a.Certificate.Raw)
	}) {
		s.anchors = append(s.anchors, a)
	}
}

// Link adds a certificate that connects two generations of an authority. It is followed up to an anchor and begins no trust.
func (s *Store) Link(c *pki.Certificate) {
	if !s.removed(c) {
		s.links = append(s.links, c)
	}
}

// Distrust removes a certificate, by its fingerprint, and keeps it out from now on. Of a root the key is removed too: other
// certificates and links for it are no longer followed. What a document signer signed is kept out by a revocation list, because its
// certificate can be encoded in several ways.
func (s *Store) Distrust(fingerprint string) {
	if s.distrusted == nil {
		s.distrusted = map[string]bool{}
	}
	s.distrusted[strings.ToLower(fingerprint)] = true
	for _, a := range s.anchors {
		s.meet(a.Certificate)
	}
	s.anchors = slices.DeleteFunc(s.anchors, func(a Anchor) bool { return s.removed(a.Certificate) })
	s.links = slices.DeleteFunc(s.links, s.removed)
}

// removed reports whether a certificate, or its key, was removed.
func (s *Store) removed(c *pki.Certificate) bool {
	return len(s.distrusted) > 0 && (s.distrusted[c.Fingerprint()] || s.removedKey(c.Key))
}

func (s *Store) removedKey(k *pki.PublicKey) bool {
	return k != nil && slices.ContainsFunc(s.keys, k.Equal)
}

// meet notes the key of a root, which it must be, if that was removed.
func (s *Store) meet(root *pki.Certificate) {
	if len(s.distrusted) > 0 && s.distrusted[root.Fingerprint()] && root.Key != nil && !s.removedKey(root.Key) {
		s.keys = append(s.keys, root.Key)
	}
}

// Anchors returns the anchors of one purpose and scope; of every scope if it is empty.
func (s *Store) Anchors(p Purpose, scope string) []Anchor {
	var out []Anchor
	for _, a := range s.anchors {
		if a.Purpose == p && (scope == "" || a.Scope == scope) {
			out = append(out, a)
		}
	}
	return out
}

// authority reports why a certificate may not sign certificates.
func authority(c *pki.Certificate) error {
	if err := understood(c); err != nil {
		return err
	}
	if !c.CA || !c.Allows(pki.CertSign) {
		return refusal.New(NotAnAuthority, "%s may not sign certificates", c.Subject)
	}
	return nil
}

// understood reports what in a certificate cannot be judged.
func understood(c *pki.Certificate) error {
	switch {
	case c.KeyFault != nil:
		return c.KeyFault
	case len(c.Faults) > 0:
		return c.Faults[0]
	case len(c.Unknown) > 0:
		return refusal.New(NotUnderstood, "%s has the critical extension %s, which is not understood", c.Subject, c.Unknown[0])
	}
	return nil
}
