package apdu

import (
	"bytes"
	"crypto/aes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestCommandsAreEncoded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		of   Command
		want string
	}{
		"nothing but a header":        {Command{0, 0xA4, 2, 0x0C, nil, 0}, "00A4020C"},
		"with data":                   {Command{0, 0xA4, 2, 0x0C, []byte{1, 0x1E}, 0}, "00A4020C02011E"},
		"with an expected length":     {Command{0, 0xB0, 0, 4, nil, 18}, "00B0000412"},
		"as much as there is":         {Command{0, 0xB0, 0, 0, nil, ShortLe}, "00B0000000"},
		"more than a short length":    {Command{0, 0xB0, 0, 0, nil, 257}, "00B00000000101"},
		"as much as there is, longer": {Command{0, 0xB0, 0, 0, nil, ExtendedLe}, "00B00000000000"},
		"long with data":              {Command{0, 0x86, 0, 0, []byte{7}, 1000}, "0086000000000107" + "03E8"},
	} {
		if got := fmt.Sprintf("%X", tt.of.Bytes()); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

// TestTheWorkedExampleOfSecureMessaging follows ICAO 9303-11 appendix D.4 byte for byte.
func TestTheWorkedExampleOfSecureMessaging(t *testing.T) {
	t.Parallel()
	// D.3: the keys of both sides give the seed of the session.
	seed := unhex(t, "0036D272F5C350ACAC50C3F572D23600")
	c := NewChannel(TripleDES, seed, unhex(t, "887022120C06C226"))
	if got := fmt.Sprintf("%X %X", c.enc, c.mac); got != "979EC13B1CBFE9DCD01AB0FED307EAE5 F1CB1F1FB5ADF208806B89DC579DC1F8" {
		t.Fatalf("session keys %s", got)
	}
	steps := []struct {
		command          Command
		sent, back, data string
	}{
		{Command{0, 0xA4, 2, 0x0C, []byte{1, 0x1E}, 0}, "0CA4020C158709016375432908C044F68E08BF8B92D635FF24F800", "990290008E08FA855A5D4C50A8ED9000", ""},
		{Command{0, 0xB0, 0, 0, nil, 4}, "0CB000000D9701048E08ED6705417E96BA5500", "8709019FF0EC34F9922651990290008E08AD55CC17140B2DED9000", "60145F01"},
		{
			Command{0, 0xB0, 0, 4, nil, 18}, "0CB000040D9701128E082EA28A70F3C7B53500",
			"871901FB9235F4E4037F2327DCC8964F1F9B8C30F42C8E2FFF224A990290008E08C8B2787EAEA07D749000", "04303130365F36063034303030305C026175",
		},
	}
	var commands []Command
	for _, s := range steps {
		commands = append(commands, s.command)
	}
	for i, sealed := range c.Seal(commands) { // all of them ahead of the first answer
		if got := fmt.Sprintf("%X", sealed.Bytes); got != steps[i].sent {
			t.Errorf("command %d: got %s, want %s", i, got, steps[i].sent)
		}
		a, err := c.Open(sealed, unhex(t, steps[i].back))
		if err != nil || a.Status != OK || fmt.Sprintf("%X", a.Data) != steps[i].data {
			t.Errorf("answer %d: %X %04X, %v", i, a.Data, uint16(a.Status), err)
		}
	}
	if got := fmt.Sprintf("%X", c.counter); got != "887022120C06C22C" {
		t.Errorf("counter %s", got)
	}
}

// TestKeysOfTheWorkedExamples are those of ICAO 9303-11 appendices D.2 and G.1.
func TestKeysOfTheWorkedExamples(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		suite  Suite
		secret string
		use    Use
		want   string
	}{
		{TripleDES, "239AB9CB282DAF66231DC5A4DF6BFBAE", ForEncryption, "AB94FDECF2674FDFB9B391F85D7F76F2"},
		{TripleDES, "239AB9CB282DAF66231DC5A4DF6BFBAE", ForMAC, "7962D9ECE03D1ACD4C76089DCE131543"},
		{AES128, "7E2D2A41C74EA0B38CD36F863939BFA8E9032AAD", ForPassword, "89DED1B26624EC1E634C1989302849DD"},
		{AES128, "28768D20701247DAE81804C9E780EDE582A9996DB4A315020B2733197DB84925", ForEncryption, "F5F0E35C0D7161EE6724EE513A0D9A7F"},
		{AES128, "28768D20701247DAE81804C9E780EDE582A9996DB4A315020B2733197DB84925", ForMAC, "FE251C7858B356B24514B3BD5F4297D1"},
	} {
		if got := fmt.Sprintf("%X", tt.suite.Derive(unhex(t, tt.secret), tt.use)); got != tt.want {
			t.Errorf("%v, use %d: got %s, want %s", tt.suite, tt.use, got, tt.want)
		}
	}
	if a, b := AES192.Derive([]byte("x"), 1), AES256.Derive([]byte("x"), 1); len(a) != 24 || len(b) != 32 || !bytes.Equal(a, b[:24]) {
		t.Error("AES-192 takes the first bytes of what AES-256 takes")
	}
}

// TestCMAC has the examples of NIST SP 800-38B appendix D.1.
func TestCMAC(t *testing.T) {
	t.Parallel()
	b, err := aes.NewCipher(unhex(t, "2b7e151628aed2a6abf7158809cf4f3c"))
	if err != nil {
		t.Fatal(err)
	}
	message := unhex(t, "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
	for n, want := range map[int]string{
		0: "bb1d6929e95937287fa37d129b756746", 16: "070a16b46b4d4144f79bdd9dd04a287c", 40: "dfa66747de9ae63030ca32611497c827",
		64: "51f0bebf7e3b9d92fc49741779363cfe",
	} {
		if got := hex.EncodeToString(cmac(b, message[:n])); got != want {
			t.Errorf("%d bytes: got %s, want %s", n, got, want)
		}
	}
}

// answerOf protects an answer as a chip does.
func answerOf(c *Channel, s Sealed, data []byte, status Status) []byte {
	var body []byte
	if len(data) > 0 {
		secret := c.suite.Encrypt(c.enc, c.vector(s.counter), Pad(data, c.suite.Block()))
		if s.odd {
			body = tlv.Encode(0x85, secret)
		} else {
			body = tlv.Encode(0x87, []byte{1}, secret)
		}
	}
	word := []byte{byte(status >> 8), byte(status)}
	body = append(body, tlv.Encode(0x99, word)...)
	body = append(body, tlv.Encode(0x8E, c.code(s.counter, nil, body))...)
	return append(body, word...)
}

func TestEveryChangedBitOfAnAnswerIsRefused(t *testing.T) {
	t.Parallel()
	for _, suite := range []Suite{TripleDES, AES128, AES192, AES256} {
		c := NewChannel(suite, []byte("a secret"), nil)
		s := c.Seal([]Command{{0, 0xB0, 0, 0, nil, 64}})[0]
		good := answerOf(c, s, []byte("what the chip holds"), OK)
		for bit := range (len(good) - 2) * 8 { // the last two bytes are protected along and not looked at
			bad := slices.Clone(good)
			bad[bit/8] ^= 1 << (bit % 8)
			if _, err := c.Open(s, bad); err == nil {
				t.Fatalf("%v: bit %d may be changed", suite, bit)
			}
		}
		if a, err := c.Open(s, good); err != nil || string(a.Data) != "what the chip holds" {
			t.Errorf("%v: %q, %v", suite, a.Data, err)
		}
		if _, err := c.Open(c.Seal([]Command{{0, 0xB0, 0, 0, nil, 64}})[0], good); refusal.Of(err) == nil || refusal.Of(err).Code != Forged {
			t.Errorf("%v: an answer is taken twice: %v", suite, err)
		}
	}
}

func TestWhatIsNoProtectedAnswerIsRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		raw  string
		want refusal.Code
	}{
		"nothing":                    {"", Short},
		"half a status":              {"90", Short},
		"an end of the session":      {"6988", Unprotected},
		"data in the clear":          {"0102039000", Malformed},
		"a status without a code":    {"990290009000", Malformed},
		"a code without a status":    {"8E0800000000000000009000", Malformed},
		"another part":               {"810100990290008E0800000000000000009000", Malformed},
		"something after the code":   {"990290008E080000000000000000990290009000", Malformed},
		"two statuses":               {"99029000990290008E0800000000000000009000", Malformed},
		"a code that is nobody's":    {"990290008E0800000000000000009000", Forged},
		"padding of an unknown kind": {"8709029FF0EC34F9922651990290008E08AD55CC17140B2DED9000", Malformed},
	} {
		c := NewChannel(TripleDES, []byte("s"), nil)
		_, err := c.Open(c.Seal([]Command{{0, 0xB0, 0, 0, nil, 4}})[0], unhex(t, tt.raw))
		if why := refusal.Of(err); why == nil || why.Code != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}

func TestAsMuchAsFitsIsAskedFor(t *testing.T) {
	t.Parallel()
	for _, suite := range []Suite{TripleDES, AES128, AES256} {
		for _, le := range []int{64, 100, 140, 141, 142, 143, 144, 145, 200, 256, 270, 300, 1000, 4096, 65536} {
			c := NewChannel(suite, []byte("a secret"), nil)
			s := c.Seal([]Command{{0, 0xB0, 0, 0, nil, le}})[0]
			n := c.MaxData(le)
			fits, over := len(answerOf(c, s, make([]byte, n), OK))-2, len(answerOf(c, s, make([]byte, n+1), OK))-2
			if fits > le || over <= le {
				t.Errorf("%v, %d: %d bytes make %d, and one more %d", suite, le, n, fits, over)
			}
		}
	}
}

func TestAFirstAnswerProvesTheSecret(t *testing.T) {
	t.Parallel()
	secret := []byte("agreed")
	c := NewChannel(AES128, secret, nil)
	both := c.Seal([]Command{{0, 0xB0, 0, 0, nil, 4}, {0, 0xB0, 0, 4, nil, 4}})
	first, second := answerOf(c, both[0], []byte("abcd"), OK), answerOf(c, both[1], []byte("abcd"), OK)
	if !Proves(AES128, secret, first) {
		t.Error("the first answer does not prove the secret")
	}
	if Proves(AES128, secret, second) || Proves(AES128, []byte("other"), first) || Proves(AES256, secret, first) || Proves(AES128, secret, nil) {
		t.Error("another answer or another secret proves it")
	}
}

// FuzzOpen opens anything as a protected answer.
func FuzzOpen(f *testing.F) {
	c := NewChannel(AES128, []byte("a secret"), nil)
	s := c.Seal([]Command{{0, 0xB0, 0, 0, nil, 64}})[0]
	f.Add(answerOf(c, s, []byte("data"), OK), false)
	f.Add([]byte{0x69, 0x88}, true)
	f.Fuzz(func(t *testing.T, raw []byte, odd bool) {
		s := s
		s.odd = odd
		a, err := c.Open(s, raw)
		if err != nil && refusal.Of(err) == nil {
			t.Fatalf("%v is no refusal", err)
		}
		if err == nil && len(a.Data) > len(raw) {
			t.Fatalf("%d bytes from %d", len(a.Data), len(raw))
		}
		// What has no right code has to be refused whatever else it is: the key is not in the input.
		if p, err := openParts(raw[:max(len(raw)-2, 0)]); err == nil {
			_, _ = c.decrypt(s, p)
		}
	})
}
