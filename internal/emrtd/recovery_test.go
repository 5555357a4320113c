package emrtd

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"math/big"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// recoveryKey returns a key whose modulus leaves room above it for numbers of the same length.
func recoveryKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	for {
		key, err := rsa.GenerateKey(rand.Reader, 1024)
		if err != nil {
			t.Fatal(err)
		}
		if key.N.Bytes()[0] < 0xE0 {
			return key
		}
	}
}

// recovery is a message of ISO/IEC 9796-2 before it is signed.
type recovery struct {
	header, trailer []byte
	hash            crypto.Hash
	hashed          func(own, challenge []byte) []byte // what the digest covers, if not both
	spoil           byte                               // is added to the last byte of the digest
}

func (m recovery) sign(key *rsa.PrivateKey, challenge []byte) *big.Int {
	own := make([]byte, key.Size()-len(m.header)-m.hash.Size()-len(m.trailer))
	_, _ = rand.Read(own)
	covered := slices.Concat(own, challenge)
	if m.hashed != nil {
		covered = m.hashed(own, challenge)
	}
	h := m.hash.New()
	h.Write(covered)
	digest := h.Sum(nil)
	digest[len(digest)-1] += m.spoil
	raw := slices.Concat(m.header, own, digest, m.trailer)
	return new(big.Int).Exp(new(big.Int).SetBytes(raw), key.D, key.N)
}

func TestAllThatAnAnswerRecoversIsAccountedFor(t *testing.T) {
	key, challenge := recoveryKey(t), []byte{1, 2, 3, 4, 5, 6, 7, 8}
	header, bc, sha256 := []byte{0x6A}, []byte{0xBC}, []byte{0x34, 0xCC}
	onlyOwn := func(own, _ []byte) []byte { return own }
	for _, c := range []struct {
		name string
		m    recovery
		want bool
	}{
		{"with the trailer of SHA-1", recovery{header: header, trailer: bc, hash: crypto.SHA1}, true},
		{"with a trailer that names SHA-1", recovery{header: header, trailer: []byte{0x33, 0xCC}, hash: crypto.SHA1}, true},
		{"with a trailer that names SHA-256", recovery{header: header, trailer: sha256, hash: crypto.SHA256}, true},
		{"with another header", recovery{header: []byte{0x4A}, trailer: bc, hash: crypto.SHA1}, false},
		{"with a header of a longer message", recovery{header: []byte{0x6B}, trailer: bc, hash: crypto.SHA1}, false},
		{"with another trailer", recovery{header: header, trailer: []byte{0xAC}, hash: crypto.SHA1}, false},
		{"with a trailer of an unknown hash function", recovery{header: header, trailer: []byte{0x31, 0xCC}, hash: crypto.SHA1}, false},
		{"with the trailer of another hash function", recovery{header: header, trailer: []byte{0x35, 0xCC}, hash: crypto.SHA256}, false},
		{"whose digest leaves the challenge out", recovery{header: header, trailer: bc, hash: crypto.SHA1, hashed: onlyOwn}, false},
		{"whose digest is another one", recovery{header: header, trailer: sha256, hash: crypto.SHA256, spoil: 1}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.m.sign(key, challenge)
			for which, sent := range map[string]*big.Int{"as computed": s, "its mirror image": new(big.Int).Sub(key.N, s)} {
				err := verifyActive(&pki.PublicKey{RSA: &key.PublicKey}, nil, Answer{challenge, sent.FillBytes(make([]byte, key.Size()))})
				if r := refusal.Of(err); (err == nil) != c.want || (r != nil && r.Code != ActiveSignature) {
					t.Errorf("%s: %v", which, err)
				}
			}
		})
	}
}

func TestAnAnswerHasTheLengthAndRangeOfTheKey(t *testing.T) {
	key, challenge := recoveryKey(t), []byte{1, 2, 3, 4, 5, 6, 7, 8}
	room := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(key.N.BitLen())), key.N)
	m := recovery{header: []byte{0x6A}, trailer: []byte{0xBC}, hash: crypto.SHA1}
	s := m.sign(key, challenge)
	for s.Cmp(room) >= 0 {
		s = m.sign(key, challenge)
	}
	sound := s.FillBytes(make([]byte, key.Size()))
	if err := verifyActive(&pki.PublicKey{RSA: &key.PublicKey}, nil, Answer{challenge, sound}); err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{
		"a zero in front": append([]byte{0}, sound...), "beyond the modulus": new(big.Int).Add(s, key.N).Bytes(),
		"too short": bytes.Clone(sound[:len(sound)-1]), "nothing": nil, "zero": make([]byte, key.Size()),
	} {
		if err := verifyActive(&pki.PublicKey{RSA: &key.PublicKey}, nil, Answer{challenge, raw}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
