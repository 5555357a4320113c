package emrtdtest

import (
	"crypto/elliptic"
	"math/big"

	"github.com/bonafide-id/bonafide/internal/tlv"
)

// ActiveInfo says how Active Authentication signs.
func ActiveInfo(algorithm string) []byte {
	return tlv.Encode(tlv.Sequence, OID("2.23.136.1.1.5"), Int(big.NewInt(1)), OID(algorithm))
}

// ChipKeyInfo is the key of Chip Authentication; id is left out where it is negative.
func ChipKeyInfo(k *Key, id int) []byte {
	return tlv.Encode(tlv.Sequence, append([][]byte{OID("0.4.0.127.0.7.2.2.1.2"), k.Info()}, optional(id)...)...)
}

// ChipInfo says how Chip Authentication agrees; suite is the last arc: 1 3DES, 2 AES-128, 3 AES-192, 4 AES-256.
func ChipInfo(suite string, id int) []byte {
	return tlv.Encode(tlv.Sequence, append([][]byte{OID("0.4.0.127.0.7.2.2.3.2." + suite), Int(big.NewInt(1))}, optional(id)...)...)
}

// PACEInfo says how PACE agrees, with a standardized curve.
func PACEInfo(protocol string, curve int) []byte {
	return tlv.Encode(tlv.Sequence, OID(protocol), Int(big.NewInt(2)), Int(big.NewInt(int64(curve))))
}

func optional(id int) [][]byte {
	if id < 0 {
		return nil
	}
	return [][]byte{Int(big.NewInt(int64(id)))}
}

// Security is DG14 with entries.
func Security(infos ...[]byte) []byte { return tlv.Encode(0x6E, Access(infos...)) }

// Access is EF.CardAccess with entries.
func Access(infos ...[]byte) []byte { return tlv.Encode(tlv.Set, infos...) }

// Private returns the private key of a key on a curve.
func (k *Key) Private() (elliptic.Curve, *big.Int) {
	return k.ecdsa.Curve, k.ecdsa.D //nolint:staticcheck // Bytes knows no curves but those of the standard library
}
