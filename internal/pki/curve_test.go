package pki

import (
	"bytes"
	"crypto"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ProtonMail/go-crypto/brainpool"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

func TestTheCurvesAreThoseOfOtherLibraries(t *testing.T) {
	for _, other := range []elliptic.Curve{
		elliptic.P224(), elliptic.P256(), elliptic.P384(), elliptic.P521(), brainpool.P256r1(), brainpool.P256t1(),
		brainpool.P384r1(), brainpool.P384t1(), brainpool.P512r1(), brainpool.P512t1(),
	} {
		p := other.Params()
		for _, c := range named {
			if c.Name == p.Name && (c.P.Cmp(p.P) != 0 || c.N.Cmp(p.N) != 0 || c.X.Cmp(p.Gx) != 0 || c.Y.Cmp(p.Gy) != 0) {
				t.Errorf("%s differs", c.Name)
			}
		}
	}
}

// plainPoint is a point in affine coordinates; nil is infinity. The schoolbook arithmetic is the check on the fast one.
type plainPoint struct{ x, y *big.Int }

func (c *Curve) plainAdd(a, b *plainPoint) *plainPoint {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	var slope *big.Int
	if a.x.Cmp(b.x) == 0 {
		if a.y.Cmp(b.y) != 0 || a.y.Sign() == 0 {
			return nil
		}
		slope = new(big.Int).Mul(a.x, a.x)
		slope.Mul(slope, big.NewInt(3)).Add(slope, c.A)
		slope.Mul(slope, new(big.Int).ModInverse(new(big.Int).Lsh(a.y, 1), c.P))
	} else {
		run := new(big.Int).Sub(b.x, a.x)
		slope = new(big.Int).Sub(b.y, a.y)
		slope.Mul(slope, run.ModInverse(run.Mod(run, c.P), c.P))
	}
	x := new(big.Int).Mul(slope, slope)
	x.Sub(x, a.x).Sub(x, b.x).Mod(x, c.P)
	y := new(big.Int).Sub(a.x, x)
	y.Mul(y, slope).Sub(y, a.y).Mod(y, c.P)
	return &plainPoint{x, y}
}

func (c *Curve) plainTimes(k *big.Int, p *plainPoint) *plainPoint {
	var out *plainPoint
	for i := k.BitLen() - 1; i >= 0; i-- {
		if out = c.plainAdd(out, out); k.Bit(i) == 1 {
			out = c.plainAdd(out, p)
		}
	}
	return out
}

func TestEveryCurveVerifiesWhatSchoolbookArithmeticSigns(t *testing.T) {
	for _, c := range named {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			base := &plainPoint{c.X, c.Y}
			if c.plainTimes(c.N, base) != nil {
				t.Fatal("the base point has another order")
			}
			d, _ := rand.Int(rand.Reader, c.N)
			key := c.plainTimes(d, base)
			digest := sha256.Sum256([]byte(c.Name))
			e := new(big.Int).SetBytes(digest[:])
			if excess := 256 - c.N.BitLen(); excess > 0 {
				e.Rsh(e, uint(excess))
			}
			k, _ := rand.Int(rand.Reader, c.N)
			r := new(big.Int).Mod(c.plainTimes(k, base).x, c.N)
			s := new(big.Int).Mul(r, d)
			s.Add(s, e).Mul(s, new(big.Int).ModInverse(k, c.N)).Mod(s, c.N)
			if !c.verify(key.x, key.y, digest[:], r, s) {
				t.Error("a sound signature is refused")
			}
			for name, forged := range map[string][2]*big.Int{
				"r + 1": {new(big.Int).Add(r, big.NewInt(1)), s}, "s + 1": {r, new(big.Int).Add(s, big.NewInt(1))},
				"r + n": {new(big.Int).Add(r, c.N), s}, "0": {new(big.Int), s}, "s is 0": {r, new(big.Int)},
			} {
				if c.verify(key.x, key.y, digest[:], forged[0], forged[1]) {
					t.Errorf("%s is accepted", name)
				}
			}
			if digest[0] ^= 1; c.verify(key.x, key.y, digest[:], r, s) {
				t.Error("another digest is accepted")
			}
		})
	}
}

func TestOpenSSLsKeysOfEveryCurve(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed")
	}
	names := map[string]string{"P-192": "prime192v1", "P-224": "secp224r1", "P-256": "prime256v1", "P-384": "secp384r1", "P-521": "secp521r1"}
	message := []byte("what is signed")
	for _, c := range named {
		for _, encoding := range []string{"named_curve", "explicit"} {
			t.Run(c.Name+" "+encoding, func(t *testing.T) {
				t.Parallel()
				name, dir := names[c.Name], t.TempDir()
				if name == "" {
					name = c.Name
				}
				file := func(name string) string { return filepath.Join(dir, name) }
				run := func(args ...string) []byte {
					out, err := exec.CommandContext(t.Context(), "openssl", args...).Output()
					if err != nil {
						t.Skipf("openssl %v: %v", args, err)
					}
					return out
				}
				if err := os.WriteFile(file("message"), message, 0o600); err != nil {
					t.Fatal(err)
				}
				run("ecparam", "-name", name, "-genkey", "-noout", "-param_enc", encoding, "-out", file("key"))
				info, err := tlv.Parse(run("pkey", "-in", file("key"), "-pubout", "-outform", "DER"))
				if err != nil {
					t.Fatal(err)
				}
				key, err := ParsePublicKey(info)
				if err != nil {
					t.Fatal(err)
				}
				if key.Curve != c {
					t.Fatalf("the key is one of %s", key.Curve.Name)
				}
				signature := run("dgst", "-sha256", "-sign", file("key"), file("message"))
				alg := Algorithm{Scheme: ECDSA, Hash: crypto.SHA256}
				if err := key.Verify(alg, message, signature); err != nil {
					t.Error(err)
				}
				if key.Verify(alg, append(message, 0), signature) == nil {
					t.Error("another message is accepted")
				}
			})
		}
	}
}

// TestN12EachParameterIsCompared changes each value of explicit parameters.
func TestN12EachParameterIsCompared(t *testing.T) {
	c := named[2]
	point := func(x, y *big.Int) []byte { return append([]byte{4}, append(x.Bytes(), y.Bytes()...)...) }
	twice := c.plainAdd(&plainPoint{c.X, c.Y}, &plainPoint{c.X, c.Y})
	one := big.NewInt(1)
	next := func(n *big.Int) []byte { return new(big.Int).Add(n, one).Bytes() }
	sound := func() [][]byte {
		return [][]byte{c.P.Bytes(), c.A.Bytes(), c.B.Bytes(), point(c.X, c.Y), c.N.Bytes(), {1}}
	}
	for name, change := range map[string]func(v [][]byte){
		"the curve itself": func([][]byte) {},
		"p":                func(v [][]byte) { v[0] = next(c.P) },
		"a":                func(v [][]byte) { v[1] = next(c.A) },
		"b":                func(v [][]byte) { v[2] = next(c.B) },
		"G":                func(v [][]byte) { v[3] = point(twice.x, twice.y) },
		"-G":               func(v [][]byte) { v[3] = point(c.X, new(big.Int).Sub(c.P, c.Y)) },
		"n":                func(v [][]byte) { v[4] = next(c.N) },
		"h":                func(v [][]byte) { v[5] = []byte{2} },
	} {
		v := sound()
		change(v)
		unsigned := func(raw []byte) []byte { return tlv.Encode(tlv.Integer, append([]byte{0}, raw...)) }
		raw := tlv.Encode(tlv.Sequence, tlv.Encode(tlv.Integer, []byte{1}),
			tlv.Encode(tlv.Sequence, []byte{6, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 1, 1}, unsigned(v[0])),
			tlv.Encode(tlv.Sequence, tlv.Encode(tlv.OctetString, v[1]), tlv.Encode(tlv.OctetString, v[2])),
			tlv.Encode(tlv.OctetString, v[3]), unsigned(v[4]), unsigned(v[5]))
		e, err := tlv.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		found, err := curveOf(e)
		if name == "the curve itself" {
			if err != nil || found != c {
				t.Errorf("the curve itself: %v, %v", found, err)
			}
			continue
		}
		if r := refusal.Of(err); r == nil || r.Code != UnknownCurve {
			t.Errorf("with another %s: %v, %v", name, found, err)
		}
	}
	if bytes.Equal(c.X.Bytes(), twice.x.Bytes()) {
		t.Error("the test compares a point with itself")
	}
}

func TestAPointMustBeOnItsCurve(t *testing.T) {
	for _, c := range named {
		size := c.Size()
		whole := append([]byte{4}, append(c.X.FillBytes(make([]byte, size)), c.Y.FillBytes(make([]byte, size))...)...)
		short := append([]byte{2 + byte(c.Y.Bit(0))}, whole[1:1+size]...)
		for name, raw := range map[string][]byte{"whole": whole, "compressed": short} {
			if x, y, err := c.point(raw); err != nil || x.Cmp(c.X) != 0 || y.Cmp(c.Y) != 0 {
				t.Errorf("%s, %s: %v", c.Name, name, err)
			}
		}
		off, beyond := bytes.Clone(whole), bytes.Clone(whole)
		off[len(off)-1] ^= 1
		for i := range size {
			beyond[1+i] = 0xFF
		}
		for name, raw := range map[string][]byte{
			"off the curve": off, "beyond the prime": beyond, "too short": whole[:size], "nothing": nil, "infinity": {0},
		} {
			_, _, err := c.point(raw)
			if r := refusal.Of(err); r == nil || r.Code != PointOffCurve {
				t.Errorf("%s, %s: %v", c.Name, name, err)
			}
		}
	}
}
