package trust_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// published reads a published file, which the repository does not carry.
func published(t testing.TB, name string) []byte {
	t.Helper()
	if os.Getenv("BONAFIDE_DATA") == "" {
		t.Skip("BONAFIDE_DATA is not set: no vectors/emrtd")
	}
	raw, err := os.ReadFile(filepath.Join(os.Getenv("BONAFIDE_DATA"), "vectors", "emrtd", "master_list", name))
	if err != nil {
		t.Skip(err)
	}
	return raw
}

func publishedList(t testing.TB, name string, anchors []*pki.Certificate) *trust.VerifiedList {
	t.Helper()
	list, err := trust.ParseMasterList(published(t, name))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range list.Unreadable {
		t.Errorf("%s: %v", name, err)
	}
	for _, c := range list.Certificates {
		if c.KeyFault != nil || len(c.Faults) > 0 {
			t.Errorf("%s: %s: %v %v", name, c.Subject, c.KeyFault, c.Faults)
		}
	}
	verified, err := list.Verify(anchors)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return verified
}

func TestPublishedListsAreReadToTheLastCertificate(t *testing.T) {
	t.Attr("case", "V26")
	var anchors []*pki.Certificate
	for _, name := range []string{"DE_ROOT_CA_CSCA07.cer", "NL_ROOT_CA.cer"} {
		c, err := pki.ParseCertificate(published(t, name))
		if err != nil {
			t.Fatal(err)
		}
		anchors = append(anchors, c)
	}
	german := publishedList(t, "DE_ML_2026-05-28-08-28-45.ml", anchors)
	dutch := publishedList(t, "NL_ML_2026-07-22.ml", anchors)
	if len(german.Certificates) != 588 || len(dutch.Certificates) != 411 {
		t.Errorf("%d and %d certificates, want 588 and 411", len(german.Certificates), len(dutch.Certificates))
	}
	older := publishedList(t, "DE_ML_2024-08-07-07-38-24.ml", append(anchors, german.Roots()...))
	if got := codeOf(t, older.Follows(german)); got != trust.Rollback {
		t.Errorf("the list of 2024 after that of 2026: %q", got)
	}
	signed := 0
	for _, c := range german.Certificates {
		if c.SelfIssued() && c.CheckSignature(c) == nil {
			signed++
		}
	}
	if signed != 375 {
		t.Errorf("%d roots signed themselves, want 375", signed)
	}
	s := &trust.Store{}
	for _, err := range s.AcceptList(german, "DE", "test", time.Now()) {
		t.Logf("left out: %v", err)
	}
}

// BenchmarkMasterList reads, verifies and accepts a list of 600 authorities.
func BenchmarkMasterList(b *testing.B) {
	state := emrtdtest.NewAuthority("DE", sound, 1)
	var all []*emrtdtest.Holder
	for i := range 600 {
		root, _ := state.Renew(emrtdtest.NewKey(sound, 100+i), int64(i+1))
		all = append(all, root)
	}
	raw := listSigner(state, emrtdtest.Template{}).MasterList(emrtdtest.Now, all...)
	measureList(b, raw, state.Cert)
}

// BenchmarkPublishedList does the same with the published German list.
func BenchmarkPublishedList(b *testing.B) {
	anchor, err := pki.ParseCertificate(published(b, "DE_ROOT_CA_CSCA07.cer"))
	if err != nil {
		b.Fatal(err)
	}
	measureList(b, published(b, "DE_ML_2026-05-28-08-28-45.ml"), anchor)
}

func measureList(b *testing.B, raw []byte, anchor *pki.Certificate) {
	b.Helper()
	for b.Loop() {
		list, err := trust.ParseMasterList(raw)
		if err != nil {
			b.Fatal(err)
		}
		verified, err := list.Verify([]*pki.Certificate{anchor})
		if err != nil {
			b.Fatal(err)
		}
		(&trust.Store{}).AcceptList(verified, "bench", "bench", emrtdtest.Now)
	}
}

// FuzzParseMasterList reads changed lists: nothing crashes, and nothing that cannot be verified is.
func FuzzParseMasterList(f *testing.F) {
	state := emrtdtest.NewAuthority("DE", sound, 1)
	f.Add(listSigner(state, emrtdtest.Template{}).MasterList(emrtdtest.Now, state))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		list, err := trust.ParseMasterList(raw)
		if err != nil {
			return
		}
		_, _ = list.Verify([]*pki.Certificate{state.Cert})
	})
}
