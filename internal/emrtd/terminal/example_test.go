package terminal_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd/chiptest"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/emrtd/terminal"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// errEnd ends a script.
var errEnd = errors.New("end of the script")

// script answers commands by what is written down. Once it has ended, the read ends.
type script struct {
	t    *testing.T
	rows []row
}

type row struct{ command, answer string }

func (s *script) Exchange(_ context.Context, b terminal.Batch) ([][]byte, error) {
	if len(s.rows) == 0 {
		return nil, errEnd
	}
	var out [][]byte
	for _, cmd := range b.Commands {
		if len(s.rows) == 0 {
			s.t.Fatalf("one command too many: %X", cmd)
		}
		next := s.rows[0]
		s.rows = s.rows[1:]
		if got := fmt.Sprintf("%X", cmd); got != next.command {
			s.t.Fatalf("sent %s\nwant %s", got, next.command)
		}
		out = append(out, unhex(s.t, next.answer))
		if !strings.HasSuffix(next.answer, "9000") {
			break
		}
	}
	return out, nil
}

// TestTheWorkedExampleOfBasicAccessControl follows ICAO 9303-11 appendices D.2 and D.3 byte for byte; D.4 is in package apdu.
func TestTheWorkedExampleOfBasicAccessControl(t *testing.T) {
	t.Parallel()
	key, err := terminal.Zone("L898902C", "690806", "940623")
	if err != nil {
		t.Fatal(err)
	}
	random := unhex(t, "781723860C06C226 0B795240CB7049B01C19B33E32804F0B")
	const (
		challenge = "4608F91988702212"
		sent      = "72C29C2371CC9BDB65B779B8E8D37B29ECC154AA56A8799FAE2F498F76ED92F25F1448EEA8AD90A7"
		back      = "46B9342A41396CD7386BF5803104D7CEDC122B9132139BAF2EEDC94EE178534F2F2D235D074D7449"
	)
	s := &script{t: t, rows: []row{
		{"00A4000C023F00", "6A86"}, {"00A4020C02011C", "6A82"},
		{"00A4040C07A0000002471001", "9000"}, {"0084000008", challenge + "9000"},
		{"0082000028" + sent + "28", back + "9000"},
	}}
	if err := terminal.New(key, terminal.Options{Random: bytes.NewReader(random)}).Read(t.Context(), s); !errors.Is(err, errEnd) {
		t.Errorf("%v, want the end of the script after access", err)
	}
	// The chip of the tests, which is written apart, gives the same answer.
	chip := chiptest.New(chiptest.Config{
		Files: emrtdtest.Chip(), Number: "L898902C", Birth: "690806", Expiry: "940623",
		Challenge: unhex(t, challenge+"0B4F80323EB3191CB04970CB4052790B"),
	})
	chip.Transmit(unhex(t, "00A4040C07A0000002471001"))
	chip.Transmit(unhex(t, "0084000008"))
	if got := fmt.Sprintf("%X", chip.Transmit(unhex(t, "0082000028"+sent+"28"))); got != back+"9000" {
		t.Errorf("the chip answers %s", got)
	}
	if got := fmt.Sprintf("%X", chip.Transmit(unhex(t, "0CA4020C158709016375432908C044F68E08BF8B92D635FF24F800"))); got != "990290008E08FA855A5D4C50A8ED9000" {
		t.Errorf("the chip answers %s to the first protected command", got) // D.4
	}
}

// TestTheWorkedExampleOfPACE follows ICAO 9303-11 appendix G.1 byte for byte: generic mapping on brainpoolP256r1 with AES-128.
func TestTheWorkedExampleOfPACE(t *testing.T) {
	t.Parallel()
	key, err := terminal.Zone("T22000129", "640812", "101031")
	if err != nil {
		t.Fatal(err)
	}
	random := unhex(t, "7F4EF07B9EA82FD78AD689B38D0BC78CF21F249D953BC46F4C6E19259C010F99 A73FB703AC1436A18E0CFA5ABB3F7BEC7A070E7A6788486BEE230C4A22762595")
	const access = "31143012060A04007F0007020204020202010202010D"
	pace := []row{
		{"0022C1A40F800A04007F00070202040202830101", "9000"},
		{"10860000027C0000", "7C12801095A3A016522EE98D01E76CB6B98B42C39000"},
		{
			"10860000457C438141047ACF3EFC982EC45565A4B155129EFBC74650DCBFA6362D896FC70262E0C2CC5E544552DCB6725218799115B55C9BAA6D9F6BC3A9618E70C25AF71777A9C4922D00",
			"7C43824104824FBA91C9CBE26BEF53A0EBE7342A3BF178CEA9F45DE0B70AA601651FBA3F5730D8C879AAA9C9F73991E61B58F4D52EB87A0A0C709A49DC63719363CCD13C549000",
		},
		{
			"10860000457C438341042DB7A64C0355044EC9DF190514C625CBA2CEA48754887122F3A5EF0D5EDD301C3556F3B3B186DF10B857B58F6A7EB80F20BA5DC7BE1D43D9BF850149FBB3646200",
			"7C438441049E880F842905B8B3181F7AF7CAA9F0EFB743847F44A306D2D28C1D9EC65DF6DB7764B22277A2EDDC3C265A9F018F9CB852E111B768B326904B59A0193776F0949000",
		},
		{"008600000C7C0A8508C2B0BD78D94BA86600", "7C0A86083ABB9674BCE93C089000"},
	}
	start := []row{{"00A4000C023F00", "9000"}, {"00A4020C02011C", "9000"}, {"00B0000000", access + "9000"}, {"00A4020C022F01", "6A82"}}
	s := &script{t: t, rows: slices.Concat(start, pace)}
	if err := terminal.New(key, terminal.Options{Random: bytes.NewReader(random)}).Read(t.Context(), s); !errors.Is(err, errEnd) {
		t.Errorf("%v, want the end of the script after access", err)
	}
	scalar := func(s string) *big.Int { return new(big.Int).SetBytes(unhex(t, s)) }
	chip := chiptest.New(chiptest.Config{
		Number: "T22000129", Birth: "640812", Expiry: "101031", PACE: "0.4.0.127.0.7.2.2.4.2.2", Curve: 13,
		Nonce: unhex(t, "3F00C4D39D153F2B2A214A078D899B22"),
		Scalars: []*big.Int{
			scalar("498FF49756F2DC1587840041839A85982BE7761D14715FB091EFA7BCE9058560"), scalar("107CF58696EF6155053340FD633392BA81909DF7B9706F226F32086C7AFF974A"),
		},
	})
	for i, r := range pace {
		if got := fmt.Sprintf("%X", chip.Transmit(unhex(t, r.command))); got != r.answer {
			t.Errorf("step %d: the chip answers %s, want %s", i, got, r.answer)
		}
	}
}
