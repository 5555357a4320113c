package pki

import (
	"math/big"
	"time"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// RevocationList is a certificate revocation list (RFC 5280 section 5).
type RevocationList struct {
	Issuer                 Name
	ThisUpdate, NextUpdate time.Time // NextUpdate is zero where it is not stated
	AuthorityKeyID         []byte
	Number                 *big.Int           // grows from list to list of one key; nil where it is not stated
	Unknown                []string           // critical extensions that are not understood
	Faults                 []*refusal.Refusal // extensions that cannot be read

	revoked map[string]time.Time // when, by serial number
	signed
}

// ParseRevocationList reads one list.
func ParseRevocationList(raw []byte) (*RevocationList, error) {
	e, err := tlv.Parse(raw)
	if err != nil {
		return nil, err
	}
	tbs, s, err := openSigned(e)
	if err != nil {
		return nil, err
	}
	l := &RevocationList{signed: s, revoked: map[string]time.Time{}}
	r := tlv.Read(tbs, tlv.Sequence)
	r.Maybe(tlv.Integer) // version
	alg, issuer, this := r.Take(tlv.Sequence), r.Take(tlv.Sequence), r.Any()
	if r.Err() != nil {
		return nil, r.Err()
	}
	if l.inner, err = ParseAlgorithmID(alg); err != nil {
		return nil, err
	}
	if l.Issuer, err = ParseName(issuer); err != nil {
		return nil, err
	}
	if l.ThisUpdate, err = this.Time(); err != nil {
		return nil, err
	}
	return l, l.rest(r)
}

// rest reads the optional parts: next update, entries, extensions.
func (l *RevocationList) rest(r *tlv.Reader) (err error) {
	for _, tag := range []tlv.Tag{tlv.UTCTime, tlv.GeneralizedTime} {
		if next, ok := r.Maybe(tag); ok {
			if l.NextUpdate, err = next.Time(); err != nil {
				return err
			}
		}
	}
	if list, ok := r.Maybe(tlv.Sequence); ok {
		if err := l.entries(list); err != nil {
			return err
		}
	}
	if wrapped, ok := r.Maybe(0xA0); ok {
		var x Extensions
		if err := x.parse(wrapped); err != nil {
			return err
		}
		l.AuthorityKeyID, l.Number, l.Unknown, l.Faults = x.AuthorityKeyID, x.CRLNumber, x.Unknown, x.Faults
	}
	return r.End()
}

func (l *RevocationList) entries(list tlv.Element) error {
	all, err := list.Children()
	if err != nil {
		return err
	}
	for _, e := range all {
		r := tlv.Read(e, tlv.Sequence)
		serial, at := r.Take(tlv.Integer), r.Any()
		if r.Err() != nil {
			return r.Err()
		}
		n, err := serial.Int()
		if err != nil {
			return err
		}
		when, err := at.Time()
		if err != nil {
			return err
		}
		l.revoked[n.String()] = when
	}
	return nil
}

// Revoked returns since when a certificate of the list's issuer is revoked.
func (l *RevocationList) Revoked(serial *big.Int) (time.Time, bool) {
	at, ok := l.revoked[serial.String()]
	return at, ok
}

// Len returns the number of certificates that are revoked.
func (l *RevocationList) Len() int { return len(l.revoked) }
