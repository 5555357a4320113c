package jose_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

func TestJSONIsReadInOneWayOnly(t *testing.T) {
	for text, want := range map[string]refusal.Code{
		`{"a": 1, "b": {"a": [1.0, 12345678901234567890, null]}}`: "",
		`{"a": 1, "a": 2}`: jose.Repeated, `{"a": {"b": 1, "\u0062": 2}}`: jose.Repeated, `[{"a": 1, "a": 1}]`: jose.Repeated,
		`{"a": 1} 2`: jose.Malformed, `{"a": 1}}`: jose.Malformed, `{"a"`: jose.Malformed, `{"a": }`: jose.Malformed, ``: jose.Malformed,
		"\"\xff\"": jose.Malformed, `{'a': 1}`: jose.Malformed, `{1: 2}`: jose.Malformed,
		strings.Repeat("[", 25) + strings.Repeat("]", 25): "", strings.Repeat("[", 26) + strings.Repeat("]", 26): jose.TooLarge,
	} {
		_, err := jose.Decode([]byte(text))
		if got := codeOf(err); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	v, err := jose.Decode([]byte(`12345678901234567890.5`))
	if v != json.Number("12345678901234567890.5") || err != nil {
		t.Errorf("a large number is read as %v (%v)", v, err)
	}
}

func codeOf(err error) refusal.Code {
	if why := refusal.Of(err); why != nil {
		return why.Code
	}
	return ""
}

func TestTokensThatAreNotAsTheyShouldBeAreRefused(t *testing.T) {
	encode := base64.RawURLEncoding.EncodeToString
	token := func(header string) string { return encode([]byte(header)) + "." + encode([]byte("{}")) + ".AA" }
	for name, c := range map[string]struct {
		raw  string
		want refusal.Code
	}{
		"as it should be":           {token(`{"alg":"ES256"}`), ""},
		"two parts":                 {"e30.e30", jose.Malformed},
		"four parts":                {token(`{"alg":"ES256"}`) + ".AA", jose.Malformed},
		"padding":                   {token(`{"alg":"ES256"}`) + "=", jose.Malformed},
		"an end of line":            {token(`{"alg":"ES256"}`) + "\n", jose.Malformed},
		"bits that mean nothing":    {strings.TrimSuffix(token(`{"alg":"ES256"}`), "A") + "B", jose.Malformed},
		"a header that is no JSON":  {token(`x`), jose.Malformed},
		"a header that is a list":   {token(`[]`), jose.Malformed},
		"an algorithm twice":        {token(`{"alg":"ES256","alg":"none"}`), jose.Repeated},
		"no algorithm":              {token(`{}`), jose.Malformed},
		"nothing for an algorithm":  {token(`{"alg":"none"}`), jose.Algorithm},
		"a secret":                  {token(`{"alg":"HS256"}`), jose.Algorithm},
		"RSA":                       {token(`{"alg":"RS256"}`), jose.Algorithm},
		"an algorithm of a number":  {token(`{"alg":1}`), jose.Malformed},
		"a type of a number":        {token(`{"alg":"ES256","typ":1}`), jose.Malformed},
		"what has to be understood": {token(`{"alg":"ES256","crit":["x"],"x":1}`), jose.Critical},
		"too many bytes":            {strings.Repeat("A", 2000), jose.TooLarge},
	} {
		if _, err := jose.ParseToken(c.raw, 1000); codeOf(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// The key and its thumbprint are those of OpenID4VP 1.0 annex B.2.6.
func TestKeysAndTheirThumbprints(t *testing.T) {
	const text = `{"kty":"EC","crv":"P-256","x":"DxiH5Q4Yx3UrukE2lWCErq8N8bqC9CHLLrAwLz5BmE0","y":"XtLM4-3h5o3HUH0MHVJV0kyq0iBlrBwlh8qEDMZ4-Pc","kid":"1"}`
	o, err := jose.DecodeObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	key, err := jose.ParseKey(o)
	if err != nil {
		t.Fatal(err)
	}
	const want = "4283ec927ae0f208daaa2d026a814f2b22dca52cf85ffa8f3f8626c6bd669047"
	if got := hex.EncodeToString(jose.Thumbprint(key)); got != want {
		t.Errorf("the thumbprint is %s, want %s", got, want)
	}
	delete(o, "kid")
	if diff := cmp.Diff(o, jose.Key(key)); diff != "" {
		t.Errorf("the key written again (-want +got):\n%s", diff)
	}
	for name, change := range map[string]func(map[string]any){
		"a private one": func(o map[string]any) { o["d"] = "AA" }, "a secret": func(o map[string]any) { o["kty"] = "oct" },
		"another curve": func(o map[string]any) { o["crv"] = "secp256k1" }, "no curve": func(o map[string]any) { delete(o, "crv") },
		"half a point": func(o map[string]any) { delete(o, "y") }, "a short coordinate": func(o map[string]any) { o["y"] = "AA" },
		"off the curve": func(o map[string]any) { o["y"] = o["x"] }, "the other curve": func(o map[string]any) { o["crv"] = "P-384" },
	} {
		o, _ := jose.DecodeObject([]byte(text))
		change(o)
		if key, err := jose.ParseKey(o); refusal.Of(err) == nil {
			t.Errorf("%s: read as %v (%v)", name, key, err)
		}
	}
	if _, err := jose.ParseKey("text"); codeOf(err) != jose.Malformed {
		t.Errorf("text: %v", err)
	}
}

func TestATokenIsVerifiedByItsOwnKeyOnly(t *testing.T) {
	parsed, err := jose.ParseToken(wallettest.Token(emrtdtest.NewKey(wallettest.Sound, 1), map[string]any{"alg": "ES256"}, nil), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for number, want := range map[int]refusal.Code{1: "", 2: jose.Signature} {
		if err := parsed.Verify(emrtdtest.NewAuthority("UT", wallettest.Sound, number).Cert.Key); codeOf(err) != want {
			t.Errorf("key %d: %v, want %q", number, err, want)
		}
	}
	if err := parsed.Verify(emrtdtest.NewAuthority("UT", "ECDSA P-384 SHA-384", 1).Cert.Key); codeOf(err) != jose.KeyMismatch {
		t.Errorf("a key on another curve: %v", err)
	}
}

// FuzzDecode compares with the standard library: what is read here, it reads as well, and to the same.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"a": [1, "x", {"b": null}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := jose.Decode(raw)
		if err != nil {
			return
		}
		d := json.NewDecoder(strings.NewReader(string(raw)))
		d.UseNumber()
		var want any
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// FuzzParseToken reads anything; what is read says how it is signed.
func FuzzParseToken(f *testing.F) {
	f.Add("eyJhbGciOiJFUzI1NiJ9.e30.AA")
	f.Add("eyJhbGciOiJFUzI1NiIsIng1YyI6WyJBQSJdfQ.e30.AA")
	f.Fuzz(func(t *testing.T, raw string) {
		token, err := jose.ParseToken(raw, 1<<16)
		if err != nil {
			return
		}
		if _, err := token.Certificates(); err == nil && token.Header["x5c"] == nil {
			t.Error("certificates without a header")
		}
		if _, err := token.Claims(); err == nil && len(token.Payload) == 0 {
			t.Error("claims of nothing")
		}
	})
}
