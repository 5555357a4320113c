package pki_test

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"math/big"
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// TestN13CubesThatOnlyLookLikeASignature forges for an RSA key with exponent 3 without its private key: a cube that begins or ends as a
// padded digest does. Verifiers that do not compare every byte accept one of them.
func TestN13CubesThatOnlyLookLikeASignature(t *testing.T) {
	t.Attr("case", "N13 pki.signature_invalid")
	n := new(big.Int).Lsh(big.NewInt(1), 3071)
	n.SetBit(n, 0, 1)
	key := &pki.PublicKey{RSA: &rsa.PublicKey{N: n, E: 3}}
	message := []byte("a passport")
	sum := sha256.Sum256(message)
	info := append([]byte{0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 0x20}, sum[:]...)

	begins := append([]byte{0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0}, info...)
	target := new(big.Int).SetBytes(append(begins, make([]byte, 384-len(begins))...))
	prefix := cubeRoot(target)
	prefix.Add(prefix, big.NewInt(1))

	ends := new(big.Int).SetBytes(append([]byte{0xFF, 0}, info...))
	ends.SetBit(ends, 0, 1) // a cube root modulo a power of two needs an odd number
	suffix := big.NewInt(1)
	for bit := 1; bit < 424; bit++ {
		modulus := new(big.Int).Lsh(big.NewInt(1), uint(bit+1))
		cube := new(big.Int).Exp(suffix, big.NewInt(3), modulus)
		if cube.Cmp(new(big.Int).Mod(ends, modulus)) != 0 {
			suffix.SetBit(suffix, bit, 1)
		}
	}
	if cube := new(big.Int).Exp(prefix, big.NewInt(3), nil).FillBytes(make([]byte, 384)); string(cube[:len(begins)]) != string(begins) {
		t.Fatal("the forgery does not even begin as it should")
	}
	for name, forged := range map[string]*big.Int{"begins as a signature": prefix, "ends as a signature": suffix} {
		err := key.Verify(pki.Algorithm{Scheme: pki.PKCS1, Hash: crypto.SHA256}, message, forged.FillBytes(make([]byte, 384)))
		if r := refusal.Of(err); r == nil || r.Code != pki.InvalidSignature {
			t.Errorf("what %s: %v", name, err)
		}
	}
}

func cubeRoot(n *big.Int) *big.Int {
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(n.BitLen()/3+1))
	for new(big.Int).Sub(high, low).Cmp(big.NewInt(1)) > 0 {
		middle := new(big.Int).Add(low, high)
		middle.Rsh(middle, 1)
		if new(big.Int).Exp(middle, big.NewInt(3), nil).Cmp(n) > 0 {
			high = middle
		} else {
			low = middle
		}
	}
	return low
}

func TestAlgorithmsAndKeysMustFit(t *testing.T) {
	for name, c := range map[string]struct {
		kind emrtdtest.Kind
		alg  pki.Algorithm
		want refusal.Code
	}{
		"a curve's key and RSA":           {"ECDSA P-256 SHA-256", pki.Algorithm{Scheme: pki.PKCS1, Hash: crypto.SHA256}, pki.KeyMismatch},
		"an RSA key and a curve":          {"RSA-2048 PKCS1 SHA-256", pki.Algorithm{Scheme: pki.ECDSA, Hash: crypto.SHA256}, pki.KeyMismatch},
		"RSA-PSS with two hash functions": {"RSA-2048 PKCS1 SHA-256", pki.Algorithm{Scheme: pki.PSS, Hash: crypto.SHA256, Mask: crypto.SHA1}, pki.UnknownAlgorithm},
		"a signature that is no pair":     {"ECDSA P-256 SHA-256", pki.Algorithm{Scheme: pki.ECDSA, Hash: crypto.SHA256}, pki.InvalidSignature},
		"a pair of another length":        {"ECDSA P-256 SHA-256", pki.Algorithm{Scheme: pki.Plain, Hash: crypto.SHA256}, pki.InvalidSignature},
	} {
		info, err := tlv.Parse(emrtdtest.NewKey(c.kind, 1).Info())
		if err != nil {
			t.Fatal(err)
		}
		key, err := pki.ParsePublicKey(info)
		if err != nil {
			t.Fatal(err)
		}
		if r := refusal.Of(key.Verify(c.alg, []byte("m"), []byte{1, 2, 3})); r == nil || r.Code != c.want {
			t.Errorf("%s: got %v, want %s", name, r, c.want)
		}
	}
}

func TestNamesAreComparedAsPeopleReadThem(t *testing.T) {
	name := func(tag tlv.Tag, country, common string) pki.Name {
		attribute := func(last byte, tag tlv.Tag, value string) []byte {
			return tlv.Encode(tlv.Set, tlv.Encode(tlv.Sequence, []byte{6, 3, 0x55, 4, last}, tlv.Encode(tag, []byte(value))))
		}
		e, err := tlv.Parse(tlv.Encode(tlv.Sequence, attribute(6, tlv.PrintableString, country), attribute(3, tag, common)))
		if err != nil {
			t.Fatal(err)
		}
		n, err := pki.ParseName(e)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	a := name(tlv.UTF8String, "de", "CSCA  Germany")
	if b := name(tlv.PrintableString, "DE", "csca germany"); !a.Equal(b) || a.Country != "DE" {
		t.Errorf("%v and %v differ", a, b)
	}
	if b := name(tlv.UTF8String, "DE", "CSCA Germany 2"); a.Equal(b) {
		t.Errorf("%v and %v are the same", a, b)
	}
	if got := name(tlv.UTF8String, "DE", "a\x1b[31m\u202eb").String(); got != "C=DE, CN=a[31mb" {
		t.Errorf("what moves a cursor is printed: %q", got)
	}
}

// FuzzParseCertificate reads changed certificates and lists: nothing crashes or hangs.
func FuzzParseCertificate(f *testing.F) {
	for _, kind := range []emrtdtest.Kind{"ECDSA P-256 SHA-256", "ECDSA brainpoolP256r1 SHA-256 explicit", "RSA-2048 PSS SHA-256"} {
		a := emrtdtest.NewAuthority("UT", kind, 1)
		f.Add(a.Raw)
		f.Add(a.Issue(emrtdtest.Template{Types: []string{"P"}, KeyFrom: emrtdtest.Now, KeyTo: emrtdtest.Now}, a.Key).Raw)
		f.Add(a.CRL(emrtdtest.Now, emrtdtest.Now, 1, 2))
		number := emrtdtest.Extension("2.5.29.20", false, emrtdtest.Int(big.NewInt(7)))
		f.Add(a.CRLWith([][]byte{number}, emrtdtest.Now, emrtdtest.Now, 1))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if c, err := pki.ParseCertificate(raw); err == nil {
			_ = c.SelfIssued()
			if (c.Key == nil) == (c.KeyFault == nil) {
				t.Error("neither a key nor why there is none")
			}
		}
		if l, err := pki.ParseRevocationList(raw); err == nil {
			_, _ = l.Revoked(big.NewInt(1))
		}
	})
}
