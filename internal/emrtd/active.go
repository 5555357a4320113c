package emrtd

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"math/big"
	"strings"

	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// checkActive verifies the chip's answer to a challenge with the key in DG15, which counts only if EF.SOD lists it. A short key is noted,
// and strictly excludes no copy. The hash function is not judged: what it covers ends with a challenge that nobody foresees.
func (r *Report) checkActive(f Files, a Answer, strict bool) {
	if r.Groups["DG15"] != Matches {
		r.refuse(ActiveKeyMissing, "there is no signed key of Active Authentication")
		return
	}
	key, err := lds.ParseActiveKey(f["DG15"])
	if err != nil {
		r.fail(err)
		return
	}
	var alg *pki.Algorithm
	if r.Security != nil && r.Groups["DG14"] == Matches {
		alg = r.Security.Active
	}
	if err := verifyActive(key, alg, a); err != nil {
		r.fail(err)
		return
	}
	if weak := pki.Weaknesses(pki.Algorithm{}, key); len(weak) > 0 {
		r.note(WeakAlgorithm, "the chip answers with %s", strings.Join(weak, ", "))
		if strict {
			return
		}
	}
	r.ByAnswer = true
}

// verifyActive verifies an answer (ICAO 9303-11 section 6.1): RSA with message recovery, or ECDSA as DG14 says.
func verifyActive(key *pki.PublicKey, alg *pki.Algorithm, a Answer) error {
	if len(a.Challenge) != 8 {
		return refusal.New(ActiveSignature, "the challenge has %d bytes, not 8", len(a.Challenge))
	}
	if key.RSA != nil {
		return verifyRecovery(key.RSA, a)
	}
	if alg == nil || alg.Scheme != pki.Plain {
		return refusal.New(ActiveAlgorithm, "DG14 does not say how the key signs")
	}
	if err := key.Verify(*alg, a.Challenge, a.Signature); err != nil {
		return refusal.New(ActiveSignature, "the chip's key did not sign the challenge")
	}
	return nil
}

// trailers are the hash functions by the last two bytes of a recovered message (ISO/IEC 10118-3). One that ends in BC is SHA-1's.
var trailers = map[byte]crypto.Hash{
	0x33: crypto.SHA1, 0x34: crypto.SHA256, 0x35: crypto.SHA512, 0x36: crypto.SHA384, 0x38: crypto.SHA224,
}

// verifyRecovery verifies a signature of ISO/IEC 9796-2, scheme 1 with partial recovery: 6A, bytes of the chip's choice, the digest of
// these and the challenge, trailer. All of the recovered bytes are accounted for.
func verifyRecovery(key *rsa.PublicKey, a Answer) error {
	wrong := refusal.New(ActiveSignature, "the chip's key did not sign the challenge")
	size := key.Size()
	s := new(big.Int).SetBytes(a.Signature)
	if len(a.Signature) != size || s.Cmp(key.N) >= 0 {
		return wrong
	}
	m := s.Exp(s, big.NewInt(int64(key.E)), key.N)
	if m.Bit(0)|m.Bit(1)<<1|m.Bit(2)<<2|m.Bit(3)<<3 != 0xC {
		m.Sub(key.N, m)
	}
	raw := m.FillBytes(make([]byte, size))
	hash, end := crypto.SHA1, size-1
	if raw[size-1] == 0xCC {
		hash, end = trailers[raw[size-2]], size-2
	} else if raw[size-1] != 0xBC {
		return wrong
	}
	if hash == 0 || raw[0] != 0x6A || end-hash.Size() < 1 {
		return wrong
	}
	h := hash.New()
	h.Write(raw[1 : end-hash.Size()])
	h.Write(a.Challenge)
	if !bytes.Equal(h.Sum(nil), raw[end-hash.Size():end]) {
		return wrong
	}
	return nil
}
