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
	NotAMasterList    refusal.Code = "trust.not_a_master_list"   // signed data of another kind
	ListSigner        refusal.Code = "trust.list_signer"         // list signed by several, or at an unknown time
	ListSignerUsage   refusal.Code = "trust.list_signer_usage"   // signer that may not sign master lists
	ListSignerExpired refusal.Code = "trust.list_signer_expired" // list signed outside of its signer's validity
	Rollback          refusal.Code = "trust.rollback"            // list older than the one before
	LinkIsNoAnchor    refusal.Code = "trust.link_is_no_anchor"   // link certificate offered as an anchor
	NotAnAuthority    refusal.Code = "trust.not_an_authority"    // certificate that may not sign certificates
	NotUnderstood     refusal.Code = "trust.not_understood"      // critical or broken extension, or unknown key
	Distrusted        refusal.Code = "trust.distrusted"          // certificate that the operator removed
	AnchorMissing     refusal.Code = "trust.anchor_missing"      // no anchor of that scope has the issuer's name and key
	OtherName         refusal.Code = "trust.other_name"          // anchor with another name than the issuer's
	OtherKey          refusal.Code = "trust.other_key"           // anchor with the issuer's name and another key identifier
	OtherCountry      refusal.Code = "trust.other_country"       // certificate of another state than its issuer
	WrongSignature    refusal.Code = "trust.signature"           // issuer by name whose key did not make the signature
	NotValidAtIssue   refusal.Code = "trust.not_valid_at_issue"  // certificate issued outside of its issuer's validity
	PathTooLong       refusal.Code = "trust.path_too_long"       // more authorities in a row than are followed
	Revoked           refusal.Code = "trust.revoked"             // certificate on a revocation list
	CRLIssuer         refusal.Code = "trust.crl_issuer"          // revocation list of nobody that is an anchor
	CRLSignature      refusal.Code = "trust.crl_signature"       // revocation list that its issuer did not sign
	CRLExpired        refusal.Code = "trust.crl_expired"         // revocation list that is out of date
	CRLNotYet         refusal.Code = "trust.crl_not_yet"         // revocation list of the future
)

// Purpose is what an anchor is good for.
type Purpose string

// The purposes.
const (
	CSCA   Purpose = "csca"   // signs those who sign travel documents; the scope is the country
	IACA   Purpose = "iaca"   // signs those who sign mobile documents; the scope is the docType
	Issuer Purpose = "issuer" // signs credentials; the scope is the vct
)

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
	lists      []*pki.RevocationList
	distrusted map[string]bool
}

// Accept adds an anchor. It refuses what may not sign certificates, link certificates, and what the operator removed.
func (s *Store) Accept(a Anchor) error {
	if !a.Certificate.SelfIssued() {
		return refusal.New(LinkIsNoAnchor, "%s is signed by another key than its own", a.Certificate.Subject)
	}
	return s.acceptRoot(a)
}

// acceptRoot adds an anchor that is known to be no link: to find that out may cost a signature.
func (s *Store) acceptRoot(a Anchor) error {
	c := a.Certificate
	if s.distrusted[c.Fingerprint()] {
		return refusal.New(Distrusted, "%s was removed and stays so", c.Subject)
	}
	if err := authority(c); err != nil {
		return err
	}
	if a.Purpose == CSCA && c.Subject.Country != a.Scope {
		return refusal.New(OtherCountry, "%s is no authority of %s", c.Subject, a.Scope)
	}
	if !slices.ContainsFunc(s.anchors, func(b Anchor) bool {
		return b.Purpose == a.Purpose && b.Scope == a.Scope && string(b.Certificate.Raw) == string(c.Raw)
	}) {
		s.anchors = append(s.anchors, a)
	}
	return nil
}

// Link adds a certificate that connects two generations of an authority. It is followed up to an anchor and begins no trust.
func (s *Store) Link(c *pki.Certificate) { s.links = append(s.links, c) }

// Distrust removes a certificate, by its fingerprint, from anchors and links, and keeps it out from now on.
func (s *Store) Distrust(fingerprint string) {
	if s.distrusted == nil {
		s.distrusted = map[string]bool{}
	}
	fingerprint = strings.ToLower(fingerprint)
	s.distrusted[fingerprint] = true
	s.anchors = slices.DeleteFunc(s.anchors, func(a Anchor) bool { return a.Certificate.Fingerprint() == fingerprint })
	s.links = slices.DeleteFunc(s.links, func(c *pki.Certificate) bool { return c.Fingerprint() == fingerprint })
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
