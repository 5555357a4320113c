package trust

import (
	"bytes"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// freshness is how long a revocation list that does not say when the next one comes is used: states issue one at least every 90 days
// (ICAO 9303-12 section 7.1.4).
const freshness = 90 * 24 * time.Hour

// Revocation is what is known of a path.
type Revocation string

// The states of revocation. What was not checked is not good.
const (
	Good       Revocation = "good"
	NotChecked Revocation = "not_checked" // there is no list of an issuer
)

// revocations are a list that was accepted.
type revocations struct {
	list    *pki.RevocationList
	signers []Anchor // one certificate can be an anchor of several scopes
}

// of reports whether the list is of an authority that counts for a chain: one of the chain's purpose, and for credentials of its scope.
// An authority of another purpose with the same name says nothing.
func (r revocations) of(c *Chain) bool {
	return slices.ContainsFunc(r.signers, func(a Anchor) bool {
		return a.Purpose == c.Anchor.Purpose && (a.Purpose == CSCA || a.Scope == c.Anchor.Scope)
	})
}

// AcceptCRL adds a revocation list that an anchor signed and that is valid at the moment. Lists are for all certificates with the
// issuer's name: after a change of keys the new one signs for the old one's certificates too.
func (s *Store) AcceptCRL(l *pki.RevocationList, at time.Time) error {
	switch {
	case len(l.Faults) > 0:
		return l.Faults[0]
	case len(l.Unknown) > 0:
		return refusal.New(NotUnderstood, "the revocation list has the critical extension %s, which is not understood", l.Unknown[0])
	}
	signers, err := s.CRLSigners(l)
	if err != nil {
		return err
	}
	if at.Before(l.ThisUpdate) {
		return refusal.New(CRLNotYet, "the revocation list of %s is of %s", l.Issuer, l.ThisUpdate.Format(time.DateOnly))
	}
	if at.After(goodUntil(l)) {
		return refusal.New(CRLExpired, "the revocation list of %s was good until %s", l.Issuer, goodUntil(l).Format(time.DateOnly))
	}
	s.lists = append(s.lists, revocations{l, signers})
	return nil
}

// CRLSigners returns the anchors whose key signed a revocation list, at least one; CRLIssuer or CRLSignature if there is none.
func (s *Store) CRLSigners(l *pki.RevocationList) ([]Anchor, error) {
	var out []Anchor
	why := refusal.New(CRLIssuer, "no anchor is called %s", l.Issuer)
	for _, a := range s.anchors {
		if !l.Issuer.Equal(a.Certificate.Subject) {
			continue
		}
		if a.Certificate.Allows(pki.CRLSign) && l.CheckSignature(a.Certificate) == nil {
			out = append(out, a)
			continue
		}
		why = refusal.New(CRLSignature, "no key of %s that may do so signed the revocation list", l.Issuer)
	}
	if len(out) == 0 {
		return nil, why
	}
	return out, nil
}

// FollowsCRL refuses a revocation list that is not newer than the one before of the same issuer: one of the same moment or of an earlier one,
// or with a smaller number by the same key. Numbers of different keys are not compared: some authorities count anew.
func FollowsCRL(l, before *pki.RevocationList) error {
	if !l.ThisUpdate.After(before.ThisUpdate) {
		return refusal.New(Rollback, "the list is of %s, the one in force of %s", l.ThisUpdate.Format(time.DateTime), before.ThisUpdate.Format(time.DateTime))
	}
	sameKey := len(l.AuthorityKeyID) > 0 && bytes.Equal(l.AuthorityKeyID, before.AuthorityKeyID)
	if sameKey && l.Number != nil && before.Number != nil && l.Number.Cmp(before.Number) < 0 {
		return refusal.New(Rollback, "the list has the number %s, the one in force %s", l.Number, before.Number)
	}
	return nil
}

// goodUntil returns the moment after which a list is out of date.
func goodUntil(l *pki.RevocationList) time.Time {
	if l.NextUpdate.IsZero() {
		return l.ThisUpdate.Add(freshness)
	}
	return l.NextUpdate
}

// Revocation says whether all of a chain but its anchor is on no revocation list. The error is a refusal with code Revoked. A list that
// is out of date at the moment, or whose signer was removed since, still revokes, and vouches for nobody.
func (s *Store) Revocation(chain *Chain, at time.Time) (Revocation, error) {
	out := Good
	for _, c := range chain.Path[:len(chain.Path)-1] {
		known := false
		for _, l := range s.lists {
			if !l.list.Issuer.Equal(c.Issuer) || !l.of(chain) {
				continue
			}
			known = known || (!at.After(goodUntil(l.list)) && !s.removed(l.signers[0].Certificate))
			if since, revoked := l.list.Revoked(c.Serial); revoked {
				return out, refusal.New(Revoked, "%s is revoked since %s", c.Subject, since.Format(time.DateOnly))
			}
		}
		if !known {
			out = NotChecked
		}
	}
	return out, nil
}
