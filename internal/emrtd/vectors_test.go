package emrtd_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// vector reads a published file, which the repository does not carry.
func vector(t testing.TB, name string) []byte {
	t.Helper()
	if os.Getenv("BONAFIDE_DATA") == "" {
		t.Skip("BONAFIDE_DATA is not set: no vectors/emrtd")
	}
	raw, err := os.ReadFile(filepath.Join(os.Getenv("BONAFIDE_DATA"), "vectors", "emrtd", name))
	if err != nil {
		t.Skip(err)
	}
	return raw
}

func TestPublishedSecurityObjectsAreSignedByTheirStates(t *testing.T) {
	for _, source := range []struct{ list, anchor string }{
		{"DE_ML_2026-05-28-08-28-45.ml", "DE_ROOT_CA_CSCA07.cer"}, {"NL_ML_2026-07-22.ml", "NL_ROOT_CA.cer"},
	} {
		anchor, err := pki.ParseCertificate(vector(t, "master_list/"+source.anchor))
		if err != nil {
			t.Fatal(err)
		}
		list, err := trust.ParseMasterList(vector(t, "master_list/"+source.list))
		if err != nil {
			t.Fatal(err)
		}
		verified, err := list.Verify([]*pki.Certificate{anchor})
		if err != nil {
			t.Fatal(err)
		}
		store := &trust.Store{}
		store.AcceptList(verified, source.list, "test", time.Now())
		for _, state := range []string{"AT", "DE", "FR", "US"} {
			t.Run(source.list+" "+state, func(t *testing.T) {
				files := emrtd.Files{lds.SOD: vector(t, "passive-auth/"+state+"/EF.SOD.bin")}
				r := emrtd.Verify(files, store, emrtd.Options{Now: time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)})
				if diff := cmp.Diff([]refusal.Code{emrtd.GroupMissing}, codes(r.Refusals)); diff != "" {
					t.Errorf("refusals (-want +got):\n%s", diff)
				}
			})
		}
	}
}
