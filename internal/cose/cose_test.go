package cose_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/hex"
	"math/big"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

func codeOf(err error) refusal.Code {
	if why := refusal.Of(err); why != nil {
		return why.Code
	}
	return ""
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestMapsAreReadInOneWayOnly(t *testing.T) {
	for name, c := range map[string]struct {
		raw  string
		want refusal.Code
	}{
		"two keys":               {"a2 6161 01 6162 02", ""},
		"a key twice":            {"a2 6161 01 6161 02", cose.Repeated},
		"a length that is open":  {"bf 6161 01 ff", cose.Malformed},
		"something behind it":    {"a1 6161 01 00", cose.Malformed},
		"a key that is missing":  {"a1 6162 01", cose.Malformed},
		"a key that is unknown":  {"a2 6161 01 6163 02", cose.Malformed},
		"a key that is a number": {"a1 01 01", cose.Malformed},
		"null":                   {"f6", cose.Malformed},
		"nothing":                {"", cose.Malformed},
		"text that is no UTF-8":  {"a1 61ff 01", cose.Malformed},
		"a length that is a lie": {"ba ffffffff 6161 01", cose.Malformed},
	} {
		if _, err := cose.Fields(unhex(t, c.raw), 1, "a", "b"); codeOf(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestValuesAreReadAsGoHasThem(t *testing.T) {
	for raw, want := range map[string]any{
		"63616263": "abc", "4102": []byte{2}, "1864": uint64(100), "20": int64(-1), "f5": true, "f6": nil, "d903ec6a323032302d30312d3032": "2020-01-02",
		"82 01 d903ec 6161": []any{uint64(1), "a"}, "a1 6161 d903ec 6162": map[any]any{"a": "b"},
	} {
		got, err := cose.Value(unhex(t, raw))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s (-want +got):\n%s%v", raw, diff, err)
		}
	}
}

// sign returns a COSE_Sign1 by the standard library.
func sign(t testing.TB, key *ecdsa.PrivateKey, hash crypto.Hash, protected map[any]any, payload any) []byte {
	t.Helper()
	head := cose.Encode(protected)
	h := hash.New()
	h.Write(cose.Encode([]any{"Signature1", head, []byte{}, payload}))
	der, err := ecdsa.SignASN1(rand.Reader, key, h.Sum(nil))
	if err != nil {
		t.Fatal(err)
	}
	var halves struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(der, &halves); err != nil {
		t.Fatal(err)
	}
	size := (key.Params().BitSize + 7) / 8
	signature := append(halves.R.FillBytes(make([]byte, size)), halves.S.FillBytes(make([]byte, size))...)
	return cose.Encode([]any{head, map[int]any{}, payload, signature})
}

func publicOf(t testing.TB, key *ecdsa.PrivateKey) *pki.PublicKey {
	t.Helper()
	point, err := key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	k, err := pki.ParsePoint(key.Params().Name, point)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestSignaturesOfEachAlgorithm(t *testing.T) {
	keys := map[string]*ecdsa.PrivateKey{}
	for _, c := range []elliptic.Curve{elliptic.P256(), elliptic.P384(), elliptic.P521()} {
		key, err := ecdsa.GenerateKey(c, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		keys[c.Params().Name] = key
	}
	for alg, c := range map[int]struct {
		curve string
		hash  crypto.Hash
	}{
		-7: {"P-256", crypto.SHA256}, -35: {"P-384", crypto.SHA384}, -36: {"P-521", crypto.SHA512},
		-9: {"P-256", crypto.SHA256}, -51: {"P-384", crypto.SHA384}, -52: {"P-521", crypto.SHA512},
	} {
		raw := sign(t, keys[c.curve], c.hash, map[any]any{1: alg}, []byte("payload"))
		tagged := cose.Encode(cbor.Tag{Number: 18, Content: cbor.RawMessage(raw)})
		for _, raw := range [][]byte{raw, tagged} {
			m, err := cose.ParseSign1(raw)
			if err != nil {
				t.Fatal(err)
			}
			for name, key := range keys {
				want := refusal.Code("")
				if name != c.curve {
					want = cose.KeyMismatch
				}
				if err := m.Verify(publicOf(t, key), nil); codeOf(err) != want {
					t.Errorf("algorithm %d with a key on %s: %v, want %q", alg, name, err, want)
				}
			}
			m.Payload = []byte("another")
			if err := m.Verify(publicOf(t, keys[c.curve]), nil); codeOf(err) != cose.Signature {
				t.Errorf("algorithm %d over another payload: %v", alg, err)
			}
		}
	}
}

func TestMessagesThatAreNotAsTheyShouldBeAreRefused(t *testing.T) {
	message := func(protected map[any]any, more ...any) []byte {
		return cose.Encode(append([]any{cose.Encode(protected), map[int]any{}, []byte{}, []byte{}}, more...))
	}
	for name, c := range map[string]struct {
		raw  []byte
		want refusal.Code
	}{
		"as it should be":                 {message(map[any]any{1: -7}), ""},
		"with a header of text":           {message(map[any]any{1: -7, "x": 1}), ""},
		"with a header of a large number": {message(map[any]any{1: -7, uint64(1<<63 + 1): 5}), ""},
		"five parts":                      {message(map[any]any{1: -7}, 1), cose.Malformed},
		"no algorithm":                    {message(map[any]any{}), cose.Algorithm},
		"an algorithm that is null":       {message(map[any]any{1: nil}), cose.Algorithm},
		"an algorithm that is text":       {message(map[any]any{1: "ES256"}), cose.Algorithm},
		"a code":                          {message(map[any]any{1: 5}), cose.Algorithm},
		"Ed25519":                         {message(map[any]any{1: -8}), cose.Algorithm},
		"what has to be understood":       {message(map[any]any{1: -7, 2: []any{9}, 9: 1}), cose.Critical},
		"the tag of another message":      {cose.Encode(cbor.Tag{Number: 17, Content: cbor.RawMessage(message(map[any]any{1: -7}))}), cose.Malformed},
		"headers that are no map":         {cose.Encode([]any{[]byte{1}, map[int]any{}, []byte{}, []byte{}}), cose.Malformed},
		"a payload that is text":          {cose.Encode([]any{cose.Encode(map[any]any{1: -7}), map[int]any{}, "x", []byte{}}), cose.Malformed},
	} {
		if _, err := cose.ParseSign1(c.raw); codeOf(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := cose.ParseMac0(message(map[any]any{1: -7})); codeOf(err) != cose.Algorithm {
		t.Errorf("a signature where a code was expected: %v", err)
	}
}

func TestACodeIsOfItsOwnKeyAndMessageOnly(t *testing.T) {
	head := cose.Encode(map[int]any{1: 5})
	code := hmac.New(sha256.New, []byte("key"))
	code.Write(cose.Encode([]any{"MAC0", head, []byte{}, []byte("message")}))
	m, err := cose.ParseMac0(cose.Encode([]any{head, map[int]any{}, nil, code.Sum(nil)}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key, message string
		want         refusal.Code
	}{{"key", "message", ""}, {"another", "message", cose.Mac}, {"key", "another", cose.Mac}} {
		if err := m.VerifyMac([]byte(c.key), []byte(c.message)); codeOf(err) != c.want {
			t.Errorf("%q of %q: %v, want %q", c.key, c.message, err, c.want)
		}
	}
}

func TestKeysAreReadWithOneOrTwoCoordinates(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	want := publicOf(t, key)
	whole := cose.Key(want)
	again, err := cose.ParseKey(cose.Encode(whole))
	if err != nil || !again.Equal(want) {
		t.Errorf("the key written and read again is %v (%v)", again, err)
	}
	for odd, bit := range map[bool]uint{true: 1, false: 0} {
		whole[-3] = odd
		got, err := cose.ParseKey(cose.Encode(whole))
		if err != nil || got.X.Cmp(want.X) != 0 || got.Y.Bit(0) != bit {
			t.Errorf("with y odd %t it is %v (%v)", odd, got, err)
		}
	}
	for name, change := range map[string]func(map[int]any){
		"a private one": func(k map[int]any) { k[-4] = []byte{1} },
		"another kind":  func(k map[int]any) { k[1] = 1 }, "another curve": func(k map[int]any) { k[-1] = 8 },
		"no x": func(k map[int]any) { delete(k, -2) }, "no y": func(k map[int]any) { delete(k, -3) }, "y of null": func(k map[int]any) { k[-3] = nil },
		"a short y": func(k map[int]any) { k[-3] = []byte{1} },
	} {
		k := cose.Key(want)
		change(k)
		if got, err := cose.ParseKey(cose.Encode(k)); refusal.Of(err) == nil {
			t.Errorf("%s: read as %v (%v)", name, got, err)
		}
	}
}

// FuzzParseSign1 reads anything: nothing crashes.
func FuzzParseSign1(f *testing.F) {
	f.Add(cose.Encode([]any{cose.Encode(map[int]any{1: -7}), map[int]any{33: []byte{1}}, []byte{}, []byte{}}))
	key := cose.Encode(map[int]any{1: 2, -1: 1, -2: make([]byte, 32), -3: true})
	f.Add(key)
	f.Fuzz(func(t *testing.T, raw []byte) {
		if m, err := cose.ParseSign1(raw); err == nil {
			if chain, err := m.Certificates(); err == nil && len(chain) == 0 {
				t.Error("no certificates and no refusal")
			}
		}
		if k, err := cose.ParseKey(raw); err == nil && k.Curve == nil {
			t.Error("a key on no curve")
		}
		if v, err := cose.Value(raw); err == nil {
			_ = v
		}
	})
}
