package lds

import (
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/apdu"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// Object identifiers of what a chip can do (ICAO 9303-11 section 9.2, BSI TR-03110-3 section A.1).
const (
	oidActiveAuthentication = "2.23.136.1.1.5"
	oidChipKey              = "0.4.0.127.0.7.2.2.1"    // and what kind of key
	oidChipKeyCurve         = "0.4.0.127.0.7.2.2.1.2"  // on an elliptic curve
	oidChipCurve            = "0.4.0.127.0.7.2.2.3.2"  // Chip Authentication on an elliptic curve, and the suite
	oidPACE                 = "0.4.0.127.0.7.2.2.4"    // and mapping, and the suite
	oidPACEGeneric          = "0.4.0.127.0.7.2.2.4.2." // generic mapping on an elliptic curve
	oidPACEWithChip         = "0.4.0.127.0.7.2.2.4.6." // the same with Chip Authentication in the mapping
	oidStandardCurve        = "0.4.0.127.0.7.1.2"      // key on a curve that a number names
)

// suites are the last arcs of protocols.
var suites = map[string]apdu.Suite{"1": apdu.TripleDES, "2": apdu.AES128, "3": apdu.AES192, "4": apdu.AES256}

// standardCurves are the curves by their number (ICAO 9303-11 section 9.5.1).
var standardCurves = map[int]string{
	8: "P-192", 9: "brainpoolP192r1", 10: "P-224", 11: "brainpoolP224r1", 12: "P-256", 13: "brainpoolP256r1", 14: "brainpoolP320r1",
	15: "P-384", 16: "brainpoolP384r1", 17: "brainpoolP512r1", 18: "P-521",
}

// PACE is one way to agree on a session with a chip by a password.
type PACE struct {
	Protocol string // object identifier
	Suite    apdu.Suite
	Curve    *pki.Curve
	Number   int // of the curve
}

// ChipKey is a key of Chip Authentication.
type ChipKey struct {
	ID  int            // by which several are told apart; -1 where there is one
	Key *pki.PublicKey // nil where it is no key that is supported, such as one of Diffie and Hellman over numbers
}

// ChipProtocol is one way to authenticate a chip by its key.
type ChipProtocol struct {
	Protocol string // object identifier
	Suite    apdu.Suite
	KeyID    int // -1 where there is one key
}

// Security is what a chip can do: EF.CardAccess or DG14.
type Security struct {
	Active        *pki.Algorithm // of Active Authentication with ECDSA; nil where it is not stated
	ChipKeys      []ChipKey
	ChipProtocols []ChipProtocol
	PACE          []PACE // those that are supported here
	OtherPACE     bool   // there are others
}

// ParseSecurity reads DG14 (ICAO 9303-11 section 9.2).
func ParseSecurity(raw []byte) (*Security, error) {
	e, err := open(raw, "DG14")
	if err != nil {
		return nil, err
	}
	r := tlv.Read(e, 0x6E)
	set := r.Take(tlv.Set)
	if err := r.End(); err != nil {
		return nil, err
	}
	return parseInfos(set)
}

// MaxAccess is the largest EF.CardAccess that is read, in bytes.
const MaxAccess = 4 << 10

// ParseAccess reads EF.CardAccess, which nobody signed.
func ParseAccess(raw []byte) (*Security, error) {
	if len(raw) > MaxAccess {
		return nil, refusal.New(FileTooLarge, "EF.CardAccess of %d bytes, at most %d are read", len(raw), MaxAccess)
	}
	set, err := tlv.Parse(raw)
	if err != nil {
		return nil, err
	}
	return parseInfos(set)
}

func parseInfos(set tlv.Element) (*Security, error) {
	if set.Tag != tlv.Set {
		return nil, refusal.New(Malformed, "what the chip can do is no set")
	}
	infos, err := set.Children()
	if err != nil {
		return nil, err
	}
	s := &Security{}
	for _, info := range infos {
		if err := s.read(info); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// read takes one entry. Entries of unknown kinds are none of ours.
func (s *Security) read(info tlv.Element) error {
	if info.Tag != tlv.Sequence {
		return refusal.New(Malformed, "an entry of what the chip can do is no sequence")
	}
	fields, err := info.Children()
	if err != nil {
		return err
	}
	if len(fields) < 2 || len(fields) > 3 {
		return refusal.New(Malformed, "an entry of what the chip can do has %d parts", len(fields))
	}
	oid, err := fields[0].OID()
	if err != nil {
		return err
	}
	switch {
	case oid == oidActiveAuthentication:
		return s.readActive(fields)
	case strings.HasPrefix(oid, oidChipKey+"."):
		return s.readKey(oid, fields)
	case strings.HasPrefix(oid, oidChipCurve+"."):
		return s.readChip(oid, fields)
	case strings.HasPrefix(oid, oidPACE+".") && strings.Count(oid, ".") == strings.Count(oidPACE, ".")+2: // not the parameters of a curve
		return s.readPACE(oid, fields)
	}
	return nil
}

func (s *Security) readActive(fields []tlv.Element) error {
	if len(fields) != 3 || s.Active != nil {
		return refusal.New(Malformed, "DG14 does not say once how Active Authentication signs")
	}
	name, err := fields[2].OID()
	if err != nil {
		return err
	}
	alg, err := pki.AlgorithmID{OID: name}.Signature(0)
	if err != nil {
		return err
	}
	s.Active = &alg
	return nil
}

// number returns the optional last part of an entry; -1 where there is none.
func number(fields []tlv.Element) (int, error) {
	if len(fields) < 3 {
		return -1, nil
	}
	return fields[2].Small()
}

func (s *Security) readKey(oid string, fields []tlv.Element) error {
	id, err := number(fields)
	if err != nil {
		return err
	}
	key := ChipKey{ID: id}
	if oid == oidChipKeyCurve {
		if key.Key, err = chipKey(fields[1]); refusal.Of(err) != nil && slices.Contains([]refusal.Code{pki.UnknownCurve, pki.UnsupportedKey}, refusal.Of(err).Code) {
			err = nil // of a kind that is not supported here
		}
	}
	if err != nil {
		return err
	}
	if slices.ContainsFunc(s.ChipKeys, func(o ChipKey) bool { return o.ID == id }) {
		return refusal.New(Malformed, "DG14 names one key of Chip Authentication twice")
	}
	s.ChipKeys = append(s.ChipKeys, key)
	return nil
}

// chipKey reads a key; its curve may be given by number.
func chipKey(e tlv.Element) (*pki.PublicKey, error) {
	r := tlv.Read(e, tlv.Sequence)
	alg, bits := r.Take(tlv.Sequence), r.Take(tlv.BitString)
	if err := r.End(); err != nil {
		return nil, err
	}
	a := tlv.Read(alg, tlv.Sequence)
	kind, params := a.Take(tlv.ObjectID), tlv.Element{}
	if oid, err := kind.OID(); err != nil || oid != oidStandardCurve {
		return pki.ParsePublicKey(e)
	}
	params = a.Take(tlv.Integer)
	if err := a.End(); err != nil {
		return nil, err
	}
	n, err := params.Small()
	if err != nil {
		return nil, err
	}
	raw, unused, err := bits.Bits()
	if err != nil || unused != 0 {
		return nil, refusal.New(Malformed, "a key of Chip Authentication is no whole bytes")
	}
	return pki.ParsePoint(standardCurves[n], raw)
}

func (s *Security) readChip(oid string, fields []tlv.Element) error {
	id, err := number(fields)
	if err != nil {
		return err
	}
	version, err := fields[1].Small()
	if err != nil {
		return err
	}
	if suite, known := suites[strings.TrimPrefix(oid, oidChipCurve+".")]; known && (version == 1 || version == 2) {
		s.ChipProtocols = append(s.ChipProtocols, ChipProtocol{Protocol: oid, Suite: suite, KeyID: id})
	}
	return nil
}

func (s *Security) readPACE(oid string, fields []tlv.Element) error {
	id, err := number(fields)
	if err != nil {
		return err
	}
	last := oid[strings.LastIndex(oid, ".")+1:]
	suite, known := suites[last]
	generic := strings.HasPrefix(oid, oidPACEGeneric) || strings.HasPrefix(oid, oidPACEWithChip)
	curve, err := pki.CurveNamed(standardCurves[id])
	if !known || !generic || err != nil {
		s.OtherPACE = true
		return nil //nolint:nilerr // a way that is not supported here
	}
	s.PACE = append(s.PACE, PACE{Protocol: oid, Suite: suite, Curve: curve, Number: id})
	return nil
}

// BestPACE returns the strongest way that is supported, generic mapping before the one with Chip Authentication.
func (s *Security) BestPACE() (PACE, bool) {
	better := func(a, b PACE) int {
		if a.Suite != b.Suite {
			return int(a.Suite) - int(b.Suite)
		}
		if ga, gb := strings.HasPrefix(a.Protocol, oidPACEGeneric), strings.HasPrefix(b.Protocol, oidPACEGeneric); ga != gb {
			if ga {
				return 1
			}
			return -1
		}
		return a.Curve.Size() - b.Curve.Size()
	}
	if len(s.PACE) == 0 {
		return PACE{}, false
	}
	return slices.MaxFunc(s.PACE, better), true
}

// ChipWays returns the ways to authenticate the chip with a key that is supported. A key without a way is used as the first chips do, with
// 3DES (ICAO 9303-11 section 9.2.5).
func (s *Security) ChipWays() []ChipProtocol {
	all := s.ChipProtocols
	if len(all) == 0 && len(s.ChipKeys) == 1 {
		all = []ChipProtocol{{Protocol: oidChipCurve + ".1", Suite: apdu.TripleDES, KeyID: s.ChipKeys[0].ID}}
	}
	return slices.DeleteFunc(slices.Clone(all), func(p ChipProtocol) bool { return s.chipKey(p.KeyID) == nil })
}

func (s *Security) chipKey(id int) *pki.PublicKey {
	at := slices.IndexFunc(s.ChipKeys, func(k ChipKey) bool { return k.ID == id })
	if at < 0 || s.ChipKeys[at].Key == nil || s.ChipKeys[at].Key.Curve == nil {
		return nil
	}
	return s.ChipKeys[at].Key
}

// BestChip returns the strongest of ChipWays, with its key.
func (s *Security) BestChip() (ChipProtocol, *pki.PublicKey, bool) {
	ways := s.ChipWays()
	if len(ways) == 0 {
		return ChipProtocol{}, nil, false
	}
	best := slices.MaxFunc(ways, func(a, b ChipProtocol) int { return int(a.Suite) - int(b.Suite) })
	return best, s.chipKey(best.KeyID), true
}

// Chip returns the suite and the key of one of ChipWays; 0 and nil if it is none of them.
func (s *Security) Chip(protocol string, keyID int) (apdu.Suite, *pki.PublicKey) {
	for _, p := range s.ChipWays() {
		if p.Protocol == protocol && p.KeyID == keyID {
			return p.Suite, s.chipKey(keyID)
		}
	}
	return 0, nil
}
