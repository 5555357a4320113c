package verifier

import (
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/config"
)

// written writes the files of a verifier that was made at a moment.
func written(t *testing.T, host string, at time.Time) (certificates, key string) {
	t.Helper()
	v, err := Make(host, at)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certificates, key = filepath.Join(dir, "wallet.pem"), filepath.Join(dir, "wallet.key")
	var chain []byte
	for _, c := range v.Chain {
		chain = append(chain, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})...)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(v.Key)
	if err != nil {
		t.Fatal(err)
	}
	for file, b := range map[string][]byte{certificates: chain, key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})} {
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificates, key
}

func TestAMadeVerifierSignsRequests(t *testing.T) {
	t.Parallel()
	o, made, err := Options(config.Wallets{}, "http://localhost:1234", true)
	if err != nil || !made || !o.Verifier.IsFor("localhost") {
		t.Fatalf("made %v for %+v: %v", made, o, err)
	}
	if none, made, err := Options(config.Wallets{}, "https://id.example", false); err != nil || made || none.Verifier != nil {
		t.Errorf("without --dev and without a certificate: %+v, %v", none, err)
	}
}

func TestWhatTheDoctorSays(t *testing.T) {
	t.Parallel()
	now := time.Now()
	good, goodKey := written(t, "id.example", now)
	old, oldKey := written(t, "id.example", now.Add(-Made-time.Hour))
	soon, soonKey := written(t, "id.example", now.Add(-Made+24*time.Hour))
	for name, tt := range map[string]struct {
		c      config.Wallets
		public string
		dev    bool
		says   string
		fails  string
		over   bool
		soon   bool
	}{
		"nothing":                  {says: "only browsers"},
		"nothing, for trying out":  {dev: true, says: "made at each start"},
		"a certificate":            {c: config.Wallets{WalletCertificate: good, WalletKey: goodKey}, public: "https://id.example", says: "CN=id.example, good until"},
		"another host":             {c: config.Wallets{WalletCertificate: good, WalletKey: goodKey}, public: "https://other.example", says: "not by other.example"},
		"one that ran out":         {c: config.Wallets{WalletCertificate: old, WalletKey: oldKey}, public: "https://id.example", says: "good until", over: true},
		"one that runs out soon":   {c: config.Wallets{WalletCertificate: soon, WalletKey: soonKey}, public: "https://id.example", says: "good until", soon: true},
		"another key":              {c: config.Wallets{WalletCertificate: good, WalletKey: oldKey}, fails: "of another key"},
		"a certificate alone":      {c: config.Wallets{WalletCertificate: good}, fails: "go together"},
		"a file that is not there": {c: config.Wallets{WalletCertificate: good + "x", WalletKey: goodKey}, fails: "read --wallet-certificate"},
		"HAIP in the clear":        {c: config.Wallets{WalletHAIP: true, WalletPlain: true}, fails: "encrypted"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Examine(tt.c, tt.public, tt.dev, 21*24*time.Hour, now)
			switch {
			case tt.fails != "":
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Errorf("fails with %v", err)
				}
			case err != nil || !strings.Contains(got.Says, tt.says) || got.Over != tt.over || got.Soon != tt.soon:
				t.Errorf("says %+v, %v", got, err)
			}
		})
	}
}
