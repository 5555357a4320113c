package statuslist_test

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// chainOf returns what is trusted and the chain of an issuer's signer.
func chainOf(t testing.TB, i *wallettest.Issuer) (*trust.Store, *trust.Chain) {
	t.Helper()
	store := &trust.Store{}
	if err := store.Accept(trust.Anchor{Certificate: i.Root.Cert, Purpose: trust.Issuer, Scope: wallettest.VCT}); err != nil {
		t.Fatal(err)
	}
	chain, err := store.Chain(i.Signer.Cert, trust.Issuer, wallettest.VCT)
	if err != nil {
		t.Fatal(err)
	}
	return store, chain
}

func TestAStatusIsFoundAtItsPlaceInListsOfEverySize(t *testing.T) {
	t.Attr("case", "V24")
	issuer := wallettest.NewIssuer(1)
	store, chain := chainOf(t, issuer)
	for _, bits := range []int{1, 2, 4, 8} {
		for format, write := range map[string]func(*wallettest.StatusList) []byte{"JWT": (*wallettest.StatusList).JWT, "CWT": (*wallettest.StatusList).CWT} {
			t.Run(strconv.Itoa(bits)+" bits as "+format, func(t *testing.T) {
				l := issuer.NewStatusList(bits)
				l.Set[0], l.Set[13], l.Set[999] = 1, 1, 1
				list, err := statuslist.Parse(write(l))
				if err != nil {
					t.Fatal(err)
				}
				for index := range int64(1000) {
					c := statuslist.Credential{Reference: statuslist.Reference{URI: wallettest.ListURI, Index: index}, Chain: chain}
					got := statuslist.StateOf(list.Check(c, store, wallettest.Now))
					if want := map[byte]statuslist.State{0: statuslist.Valid, 1: statuslist.Invalid}[l.Set[index]]; got != want {
						t.Fatalf("status %d is %s, want %s", index, got, want)
					}
				}
			})
		}
	}
}

func TestWhoMaySayWhatBecameOfACredential(t *testing.T) {
	issuer := wallettest.NewIssuer(1)
	store, chain := chainOf(t, issuer)
	key := emrtdtest.NewKey(wallettest.Sound, 80)
	for _, c := range []struct {
		name   string
		signer *emrtdtest.Holder
		want   statuslist.State
	}{
		{"the issuer", issuer.Signer, statuslist.Valid},
		{"another signer of the same authority", issuer.Root.Issue(emrtdtest.Template{}, key), statuslist.Valid},
		{"one for status lists", issuer.Root.Issue(emrtdtest.Template{Extended: []string{"1.3.6.1.5.5.7.3.30"}}, key), statuslist.Valid},
		{"one for servers", issuer.Root.Issue(emrtdtest.Template{Extended: []string{"1.3.6.1.5.5.7.3.1"}}, key), statuslist.NotKnown},
		{"one that has expired", issuer.Root.Issue(emrtdtest.Template{To: wallettest.Now.AddDate(0, 0, -1)}, key), statuslist.NotKnown},
		{"the authority", issuer.Root, statuslist.NotKnown},
		{"another issuer", wallettest.NewIssuer(2).Signer, statuslist.NotKnown},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := issuer.NewStatusList(1)
			l.Signer = c.signer
			list, err := statuslist.Parse(l.JWT())
			if err != nil {
				t.Fatal(err)
			}
			err = list.Check(statuslist.Credential{Reference: statuslist.Reference{URI: wallettest.ListURI}, Chain: chain}, store, wallettest.Now)
			if got := statuslist.StateOf(err); got != c.want {
				t.Errorf("the status is %s, want %s (%v)", got, c.want, err)
			}
		})
	}
}

func TestListsThatAreRefused(t *testing.T) {
	issuer := wallettest.NewIssuer(1)
	jwt := func(typ string, list any) []byte {
		return []byte(wallettest.Token(issuer.Signer.Key, map[string]any{"alg": "ES256", "typ": typ}, map[string]any{"sub": "x", "iat": 1, "status_list": list}))
	}
	cwt := func(typ string, claims map[int]any) []byte {
		return wallettest.Sign1(issuer.Signer.Key, map[int]any{1: -7, 16: typ}, map[int]any{}, cose.Encode(claims))
	}
	for _, c := range []struct {
		name string
		raw  []byte
		want refusal.Code
	}{
		{"a token of another kind", jwt("jwt", map[string]any{"bits": 1, "lst": "AA"}), statuslist.WrongType},
		{"a CWT of another kind", cwt("application/cwt", map[int]any{}), statuslist.WrongType},
		{"statuses of three bits", jwt("statuslist+jwt", map[string]any{"bits": 3, "lst": "AA"}), statuslist.Malformed},
		{"statuses of no bits", jwt("statuslist+jwt", map[string]any{"lst": "AA"}), statuslist.Malformed},
		{"no list", jwt("statuslist+jwt", nil), statuslist.Malformed},
		{"a CWT that does not say when it was issued", cwt("application/statuslist+cwt", map[int]any{
			2: "x", 65533: map[string]any{"bits": 1, "lst": []byte{}},
		}), statuslist.Malformed},
		{"a CWT issued after all calendars", cwt("application/statuslist+cwt", map[int]any{
			2: "x", 6: int64(math.MaxInt64), 65533: map[string]any{"bits": 1, "lst": []byte{}},
		}), statuslist.Malformed},
		{"too many bytes", bytes.Repeat([]byte{'e'}, 17<<20), statuslist.TooLarge},
		{"nothing", nil, cose.Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := statuslist.Parse(c.raw)
			if got := refusal.Of(err); got == nil || got.Code != c.want {
				t.Errorf("refused by %v, want %s", err, c.want)
			}
		})
	}
}

// TestABombIsNotUnpacked asks for a status in a list of zeros that packs to almost nothing.
func TestABombIsNotUnpacked(t *testing.T) {
	t.Attr("case", "N42 status.too_large")
	var packed bytes.Buffer
	z, _ := zlib.NewWriterLevel(&packed, zlib.BestSpeed)
	zeros := make([]byte, 1<<20)
	size := 1024
	if testing.Short() {
		size = 64 // nightly: a gigabyte; twice the limit is refused for the same reason
	}
	for range size {
		_, _ = z.Write(zeros)
	}
	_ = z.Close()
	issuer := wallettest.NewIssuer(1)
	payload := cose.Encode(map[int]any{2: "x", 6: 1, 65533: map[string]any{"bits": 1, "lst": packed.Bytes()}})
	list, err := statuslist.Parse(cose.Encode(cbor.Tag{Number: 18, Content: cbor.RawMessage(
		wallettest.Sign1(issuer.Signer.Key, map[int]any{1: -7, 16: "application/statuslist+cwt"}, map[int]any{}, payload))}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := list.At(0); refusal.Of(err) == nil || refusal.Of(err).Code != statuslist.TooLarge {
		t.Errorf("refused by %v", err)
	}
}

// TestPublishedLists reads the test vectors of the draft, in JSON and in CBOR: the statuses that are listed, and zeros elsewhere.
func TestPublishedLists(t *testing.T) {
	data := os.Getenv("BONAFIDE_DATA")
	if data == "" {
		t.Skip("BONAFIDE_DATA is not set: no vectors/status-list")
	}
	folder := filepath.Join(data, "vectors", "status-list")
	text, err := os.ReadFile(filepath.Join(folder, "test-vectors-section.md"))
	if err != nil {
		t.Skip(err)
	}
	sections := strings.Split(string(text), "\n## ")[1:]
	status := regexp.MustCompile(`status\[(\d+)\] ?= 0b([01]+)`)
	include := regexp.MustCompile(`include (examples/\S+)}`)
	for _, section := range sections {
		want := map[int64]byte{}
		for _, m := range status.FindAllStringSubmatch(section, -1) {
			index, _ := strconv.ParseInt(m[1], 10, 64)
			value, _ := strconv.ParseUint(m[2], 2, 8)
			want[index] = byte(value)
		}
		for _, m := range include.FindAllStringSubmatch(section, -1) {
			t.Run(m[1], func(t *testing.T) {
				raw, err := os.ReadFile(filepath.Join(folder, m[1]))
				if err != nil {
					t.Fatal(err)
				}
				list := published(t, string(raw))
				for index, status := range want {
					if got, err := list.At(index); err != nil || got != status {
						t.Errorf("status %d is %d (%v), want %d", index, got, err, status)
					}
				}
				if got, err := list.At(1<<20 - 3); err != nil || got != want[1<<20-3] {
					t.Errorf("a status that is not listed is %d (%v)", got, err)
				}
				if _, err := list.At(1 << 20); refusal.Of(err) == nil || refusal.Of(err).Code != statuslist.OutOfRange {
					t.Errorf("the status behind the last one: %v", err)
				}
			})
		}
	}
	if len(sections) != 4 {
		t.Errorf("%d sections, want 4", len(sections))
	}
}

// published wraps the list of a vector in a token and reads it.
func published(t *testing.T, text string) *statuslist.List {
	t.Helper()
	issuer := wallettest.NewIssuer(1)
	if at := strings.Index(text, "{"); at >= 0 {
		var list map[string]any
		if err := json.Unmarshal([]byte(strings.Join(strings.Fields(text[at:]), "")), &list); err != nil {
			t.Fatal(err)
		}
		return parsed(t, []byte(wallettest.Token(issuer.Signer.Key, map[string]any{"alg": "ES256", "typ": "statuslist+jwt"},
			map[string]any{"sub": "x", "iat": 1, "status_list": list})))
	}
	raw, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	payload := cose.Encode(map[int]any{2: "x", 6: 1, 65533: cbor.RawMessage(raw)})
	return parsed(t, wallettest.Sign1(issuer.Signer.Key, map[int]any{1: -7, 16: "application/statuslist+cwt"}, map[int]any{}, payload))
}

func parsed(t *testing.T, raw []byte) *statuslist.List {
	t.Helper()
	list, err := statuslist.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// FuzzParse sends anything: nothing crashes, and no status has more bits than the list says.
func FuzzParse(f *testing.F) {
	l := wallettest.NewIssuer(1).NewStatusList(2)
	f.Add(l.JWT(), int64(3))
	f.Add(l.CWT(), int64(999))
	f.Fuzz(func(t *testing.T, raw []byte, index int64) {
		list, err := statuslist.Parse(raw)
		if err != nil {
			return
		}
		if status, err := list.At(index); err == nil && int(status) >= 1<<list.Bits {
			t.Errorf("status %d of %d bits", status, list.Bits)
		}
	})
}
