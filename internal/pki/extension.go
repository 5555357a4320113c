package pki

import (
	"math/big"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// KeyUsage is a set of uses, bit i as RFC 5280 section 4.2.1.3 numbers them.
type KeyUsage uint16

// The uses that are asked for.
const (
	DigitalSignature KeyUsage = 1 << 0
	CertSign         KeyUsage = 1 << 5
	CRLSign          KeyUsage = 1 << 6
)

// MasterListSigning is the extended key usage of those who sign master lists (ICAO 9303-12 table 8).
const MasterListSigning = "2.23.136.1.1.3"

// Extensions are the extensions of a certificate that are understood.
type Extensions struct {
	KeyUsage       KeyUsage // 0 where it is not stated
	CA             bool
	SubjectKeyID   []byte
	AuthorityKeyID []byte
	ExtendedUsages []string
	KeyFrom, KeyTo time.Time // when the private key is used; zero where it is not stated
	DocumentTypes  []string  // document codes that a document signer signs; empty where they are not stated
	DNSNames, URIs []string  // alternative names of the subject, in small letters where case does not count
	CRLNumber      *big.Int  // of a revocation list; nil where it is not stated
	PathLen        int       // how many authorities may follow; -1 where it is not stated

	// Unknown lists critical extensions that are not understood.
	Unknown []string
	// Faults lists extensions that cannot be read: a certificate with any is not built on.
	Faults []*refusal.Refusal
}

// known reads each extension that is understood.
var known = map[string]func(*Extensions, tlv.Element) error{
	"2.5.29.14":        (*Extensions).subjectKeyID,
	"2.5.29.15":        (*Extensions).keyUsage,
	"2.5.29.16":        (*Extensions).keyPeriod,
	"2.5.29.19":        (*Extensions).basicConstraints,
	"2.5.29.20":        (*Extensions).crlNumber,
	"2.5.29.35":        (*Extensions).authorityKeyID,
	"2.5.29.37":        (*Extensions).extendedUsage,
	"2.23.136.1.1.6.2": (*Extensions).documentTypes,
	"2.5.29.17":        (*Extensions).alternativeNames,
	"2.5.29.18":        nil, // alternative names of the issuer, policies, distribution points: nothing here depends on them
	"2.5.29.31":        nil,
	"2.5.29.32":        nil,
	"2.23.136.1.1.6.1": nil, // name change
}

func (x *Extensions) parse(wrapped tlv.Element) error {
	list, err := tlv.Parse(wrapped.Content)
	if err != nil {
		return err
	}
	all, err := list.Children()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, e := range all {
		oid, critical, value, err := extension(e)
		if err != nil {
			return err
		}
		if seen[oid] {
			x.Faults = append(x.Faults, refusal.New(RepeatedExtension, "extension %s occurs twice", oid))
			continue
		}
		seen[oid] = true
		read, understood := known[oid]
		if !understood && critical {
			x.Unknown = append(x.Unknown, oid)
		}
		if read == nil {
			continue
		}
		inner, err := tlv.Parse(value)
		if err == nil {
			err = read(x, inner)
		}
		if err != nil {
			x.Faults = append(x.Faults, refusal.New(MalformedExtension, "extension %s cannot be read", oid))
		}
	}
	return nil
}

func extension(e tlv.Element) (oid string, critical bool, value []byte, err error) {
	r := tlv.Read(e, tlv.Sequence)
	id := r.Take(tlv.ObjectID)
	flag, flagged := r.Maybe(tlv.Boolean)
	content := r.Take(tlv.OctetString)
	if err := r.End(); err != nil {
		return "", false, nil, err
	}
	if flagged {
		if critical, err = flag.Bool(); err != nil {
			return "", false, nil, err
		}
	}
	oid, err = id.OID()
	return oid, critical, content.Content, err
}

func (x *Extensions) subjectKeyID(e tlv.Element) error {
	if e.Tag != tlv.OctetString {
		return refusal.New(tlv.Malformed, "no octet string")
	}
	x.SubjectKeyID = e.Content
	return nil
}

func (x *Extensions) authorityKeyID(e tlv.Element) error {
	r := tlv.Read(e, tlv.Sequence)
	if id, ok := r.Maybe(0x80); ok {
		x.AuthorityKeyID = id.Content
	}
	return r.Err()
}

// crlNumber reads the number of a revocation list, which grows from list to list (RFC 5280 section 5.2.3).
func (x *Extensions) crlNumber(e tlv.Element) (err error) {
	x.CRLNumber, err = e.Int()
	return err
}

func (x *Extensions) keyUsage(e tlv.Element) error {
	bits, _, err := e.Bits()
	for i := range min(len(bits)*8, 9) {
		if bits[i/8]&(0x80>>(i%8)) != 0 {
			x.KeyUsage |= 1 << i
		}
	}
	return err
}

func (x *Extensions) basicConstraints(e tlv.Element) error {
	r := tlv.Read(e, tlv.Sequence)
	if ca, ok := r.Maybe(tlv.Boolean); ok {
		var err error
		if x.CA, err = ca.Bool(); err != nil {
			return err
		}
	}
	if follow, ok := r.Maybe(tlv.Integer); ok {
		x.PathLen = 0 // also where the number makes no sense
		if n, err := follow.Small(); err == nil && n > 0 {
			x.PathLen = n
		}
	}
	return r.End()
}

// alternativeNames reads names of hosts and addresses (RFC 5280 section 4.2.1.6); nothing depends on the other kinds.
func (x *Extensions) alternativeNames(e tlv.Element) error {
	all, err := e.Children()
	for _, name := range all {
		switch name.Tag {
		case 0x82:
			x.DNSNames = append(x.DNSNames, strings.ToLower(string(name.Content)))
		case 0x86:
			x.URIs = append(x.URIs, string(name.Content))
		}
	}
	return err
}

func (x *Extensions) extendedUsage(e tlv.Element) error {
	all, err := e.Children()
	if err != nil {
		return err
	}
	for _, id := range all {
		oid, err := id.OID()
		if err != nil {
			return err
		}
		x.ExtendedUsages = append(x.ExtendedUsages, oid)
	}
	return nil
}

func (x *Extensions) keyPeriod(e tlv.Element) (err error) {
	r := tlv.Read(e, tlv.Sequence)
	if from, ok := r.Maybe(0x80); ok {
		if x.KeyFrom, err = implicitTime(from); err != nil {
			return err
		}
	}
	if to, ok := r.Maybe(0x81); ok {
		if x.KeyTo, err = implicitTime(to); err != nil {
			return err
		}
	}
	return r.End()
}

// implicitTime reads a GeneralizedTime under another tag; some certificates put a UTCTime there.
func implicitTime(e tlv.Element) (time.Time, error) {
	e.Tag = tlv.GeneralizedTime
	if len(e.Content) == len("060102150405Z") {
		e.Tag = tlv.UTCTime
	}
	return e.Time()
}

// documentTypes reads DocumentTypeList (ICAO 9303-12 section 7.1.1.6): version and a set of codes.
func (x *Extensions) documentTypes(e tlv.Element) error {
	r := tlv.Read(e, tlv.Sequence)
	r.Take(tlv.Integer)
	codes, err := r.Take(tlv.Set).Children()
	if r.End() != nil {
		return r.End()
	}
	for _, c := range codes {
		x.DocumentTypes = append(x.DocumentTypes, printable(c.Text()))
	}
	return err
}

// Allows reports whether the key may be used so, as far as the certificate says.
func (x *Extensions) Allows(u KeyUsage) bool { return x.KeyUsage&u == u }
