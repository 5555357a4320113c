package cose

import (
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// Parameters of keys on curves (RFC 9053 section 7.1.1).
const (
	keyType    = 1
	keyCurve   = -1
	keyX       = -2
	keyY       = -3
	keyPrivate = -4
	typeEC2    = 2
)

// curves by their numbers (IANA, COSE Elliptic Curves).
var curves = map[int64]string{
	1: "P-256", 2: "P-384", 3: "P-521", 256: "brainpoolP256r1", 257: "brainpoolP320r1", 258: "brainpoolP384r1", 259: "brainpoolP512r1",
}

// ParseKey reads a public COSE_Key on a curve.
func ParseKey(raw []byte) (*pki.PublicKey, error) {
	m, err := Integers(raw)
	if err != nil {
		return nil, err
	}
	kind, err := Int(m[keyType])
	if err != nil {
		return nil, err
	}
	if _, private := m[keyPrivate]; private || kind != typeEC2 {
		return nil, refusal.New(UnsupportedKey, "the key is no public key on a curve")
	}
	number, err := Int(m[keyCurve])
	if err != nil {
		return nil, err
	}
	curve, known := curves[number]
	if !known {
		return nil, refusal.New(UnsupportedKey, "curve %d is not accepted", number)
	}
	x, err := Bytes(m[keyX])
	if err != nil {
		return nil, err
	}
	if is(m[keyY], bytesType) {
		y, err := Bytes(m[keyY])
		if err != nil || len(y) != len(x) {
			return nil, refusal.New(Malformed, "the coordinates of the key have different lengths")
		}
		return pki.ParsePoint(curve, append(append([]byte{4}, x...), y...))
	}
	switch string(m[keyY]) { // only whether y is odd
	case "\xF4":
		return pki.ParsePoint(curve, append([]byte{2}, x...))
	case "\xF5":
		return pki.ParsePoint(curve, append([]byte{3}, x...))
	}
	return nil, refusal.New(Malformed, "the key has no second coordinate")
}

// Key returns a public key as a COSE_Key.
func Key(k *pki.PublicKey) map[int]any {
	size, point := k.Curve.Size(), k.Point()
	out := map[int]any{keyType: typeEC2, keyX: point[1 : 1+size], keyY: point[1+size:]}
	for number, name := range curves {
		if name == k.Curve.Name {
			out[keyCurve] = number
		}
	}
	return out
}
