package lds_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/apdu"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// standard is a key whose curve is given by number.
func standard(k *emrtdtest.Key, number int64) []byte {
	info, err := tlv.Parse(k.Info())
	if err != nil {
		panic(err)
	}
	parts, err := info.Children()
	if err != nil {
		panic(err)
	}
	alg := tlv.Encode(tlv.Sequence, emrtdtest.OID("0.4.0.127.0.7.1.2"), emrtdtest.Int(big.NewInt(number)))
	return tlv.Encode(tlv.Sequence, emrtdtest.OID("0.4.0.127.0.7.2.2.1.2"), tlv.Encode(tlv.Sequence, alg, parts[1].Raw))
}

func TestTheStrongestWayThatIsSupportedIsTaken(t *testing.T) {
	t.Parallel()
	const generic, withChip, numbers = "0.4.0.127.0.7.2.2.4.2.", "0.4.0.127.0.7.2.2.4.6.", "0.4.0.127.0.7.2.2.4.1."
	for name, tt := range map[string]struct {
		infos [][]byte
		suite apdu.Suite
		curve string
		other bool
	}{
		"one":                   {[][]byte{emrtdtest.PACEInfo(generic+"2", 13)}, apdu.AES128, "brainpoolP256r1", false},
		"the longer key":        {[][]byte{emrtdtest.PACEInfo(generic+"4", 12), emrtdtest.PACEInfo(generic+"2", 18)}, apdu.AES256, "P-256", false},
		"the longer curve":      {[][]byte{emrtdtest.PACEInfo(generic+"2", 12), emrtdtest.PACEInfo(generic+"2", 16)}, apdu.AES128, "brainpoolP384r1", false},
		"the plain one":         {[][]byte{emrtdtest.PACEInfo(withChip+"2", 16), emrtdtest.PACEInfo(generic+"2", 12)}, apdu.AES128, "P-256", false},
		"none, but others":      {[][]byte{emrtdtest.PACEInfo(numbers+"2", 0), emrtdtest.PACEInfo(generic+"2", 31)}, 0, "", true},
		"none at all":           {[][]byte{emrtdtest.ActiveInfo("0.4.0.127.0.7.1.1.4.1.3")}, 0, "", false},
		"parameters of a curve": {[][]byte{emrtdtest.PACEInfo("0.4.0.127.0.7.2.2.4.2", 13)}, 0, "", false},
	} {
		s, err := lds.ParseAccess(emrtdtest.Access(tt.infos...))
		if err != nil {
			t.Fatal(err)
		}
		best, ok := s.BestPACE()
		if ok != (tt.suite != 0) || best.Suite != tt.suite || ok && best.Curve.Name != tt.curve || s.OtherPACE != tt.other {
			t.Errorf("%s: %+v, others %v", name, best, s.OtherPACE)
		}
	}
}

func TestKeysOfChipAuthentication(t *testing.T) {
	t.Parallel()
	a, b := emrtdtest.NewKey("ECDSA P-256 SHA-256", 40), emrtdtest.NewKey("ECDSA brainpoolP384r1 SHA-384", 41)
	rsa := tlv.Encode(tlv.Sequence, emrtdtest.OID("0.4.0.127.0.7.2.2.1.1"), emrtdtest.NewKey("RSA-2048 PKCS1 SHA-256", 2).Info())
	one := emrtdtest.Int(big.NewInt(1))
	for name, tt := range map[string]struct {
		infos    [][]byte
		protocol string
		key      *emrtdtest.Key
		fails    bool
	}{
		"a key and its way": {[][]byte{emrtdtest.ChipKeyInfo(a, -1), emrtdtest.ChipInfo("2", -1)}, "0.4.0.127.0.7.2.2.3.2.2", a, false},
		"two keys, the stronger way": {
			[][]byte{emrtdtest.ChipKeyInfo(a, 1), emrtdtest.ChipKeyInfo(b, 2), emrtdtest.ChipInfo("2", 1), emrtdtest.ChipInfo("4", 2)},
			"0.4.0.127.0.7.2.2.3.2.4", b, false,
		},
		"a way without its key":           {[][]byte{emrtdtest.ChipKeyInfo(a, 1), emrtdtest.ChipInfo("2", 9)}, "", nil, false},
		"a key alone, as the first chips": {[][]byte{emrtdtest.ChipKeyInfo(a, -1)}, "0.4.0.127.0.7.2.2.3.2.1", a, false},
		"a curve by number":               {[][]byte{standard(b, 16), emrtdtest.ChipInfo("2", -1)}, "0.4.0.127.0.7.2.2.3.2.2", b, false},
		"a number of no curve":            {[][]byte{standard(b, 99), emrtdtest.ChipInfo("2", -1)}, "", nil, false},
		"a key over numbers":              {[][]byte{rsa}, "", nil, false},
		"one number twice":                {[][]byte{emrtdtest.ChipKeyInfo(a, 1), emrtdtest.ChipKeyInfo(b, 1)}, "", nil, true},
		"a point of another curve":        {[][]byte{standard(b, 12)}, "", nil, true},
		"an entry with too many parts":    {[][]byte{tlv.Encode(tlv.Sequence, emrtdtest.OID("2.23.136.1.1.5"), one, one, one)}, "", nil, true},
	} {
		s, err := lds.ParseSecurity(emrtdtest.Security(tt.infos...))
		if (err != nil) != tt.fails {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		way, key, ok := s.BestChip()
		if ok != (tt.key != nil) || way.Protocol != tt.protocol {
			t.Errorf("%s: %+v %v", name, way, ok)
		}
		if ok {
			if _, d := tt.key.Private(); !slices.Equal(mustTimes(t, key.Curve.Base().Times, d), key.Point()) {
				t.Errorf("%s: another key", name)
			}
		}
	}
}

func mustTimes[K interface{ Point() []byte }](t *testing.T, times func(*big.Int) (K, error), d *big.Int) []byte {
	t.Helper()
	k, err := times(d)
	if err != nil {
		t.Fatal(err)
	}
	return k.Point()
}

// FuzzAccess reads anything as EF.CardAccess.
func FuzzAccess(f *testing.F) {
	f.Add(emrtdtest.Access(emrtdtest.PACEInfo("0.4.0.127.0.7.2.2.4.2.2", 13)))
	key := emrtdtest.NewKey("ECDSA P-256 SHA-256", 40)
	f.Add(emrtdtest.Access(emrtdtest.ChipKeyInfo(key, 2), emrtdtest.ChipInfo("2", 2), emrtdtest.ActiveInfo("0.4.0.127.0.7.1.1.4.1.3")))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := lds.ParseAccess(raw)
		if err != nil {
			if refusal.Of(err) == nil {
				t.Fatalf("%v is no refusal", err)
			}
			return
		}
		if best, ok := s.BestPACE(); ok && (best.Curve == nil || best.Suite == 0) {
			t.Fatalf("a way without a curve or a suite: %+v", best)
		}
		if way, key, ok := s.BestChip(); ok && (key == nil || key.Curve == nil || way.Suite == 0) {
			t.Fatalf("a way without a key: %+v", way)
		}
	})
}
