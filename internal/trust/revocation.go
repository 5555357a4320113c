package trust

import (
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

// AcceptCRL adds a revocation list that an anchor signed and that is valid at the moment. Lists are for all certificates with the
// issuer's name: after a change of keys the new one signs for the old one's certificates too.
func (s *Store) AcceptCRL(l *pki.RevocationList, at time.Time) error {
	if len(l.Unknown) > 0 {
		return refusal.New(NotUnderstood, "the revocation list has the critical extension %s, which is not understood", l.Unknown[0])
	}
	err := error(refusal.New(CRLIssuer, "no anchor is called %s", l.Issuer))
	for _, a := range s.Anchors(CSCA, l.Issuer.Country) {
		if !l.Issuer.Equal(a.Certificate.Subject) {
			continue
		}
		if err = l.CheckSignature(a.Certificate); err == nil && a.Certificate.Allows(pki.CRLSign) {
			break
		}
		err = refusal.New(CRLSignature, "no key of %s that may do so signed the revocation list", l.Issuer)
	}
	if err != nil {
		return err
	}
	next := l.NextUpdate
	if next.IsZero() {
		next = l.ThisUpdate.Add(freshness)
	}
	if at.Before(l.ThisUpdate) {
		return refusal.New(CRLNotYet, "the revocation list of %s is of %s", l.Issuer, l.ThisUpdate.Format(time.DateOnly))
	}
	if at.After(next) {
		return refusal.New(CRLExpired, "the revocation list of %s was good until %s", l.Issuer, next.Format(time.DateOnly))
	}
	s.lists = append(s.lists, l)
	return nil
}

// Revocation says whether all of a path but its anchor is on no revocation list. The error is a refusal with code Revoked.
func (s *Store) Revocation(path []*pki.Certificate) (Revocation, error) {
	out := Good
	for _, c := range path[:len(path)-1] {
		known := false
		for _, l := range s.lists {
			if !l.Issuer.Equal(c.Issuer) {
				continue
			}
			known = true
			if at, revoked := l.Revoked(c.Serial); revoked {
				return out, refusal.New(Revoked, "%s is revoked since %s", c.Subject, at.Format(time.DateOnly))
			}
		}
		if !known {
			out = NotChecked
		}
	}
	return out, nil
}
