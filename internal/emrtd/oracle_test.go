package emrtd_test

import (
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// openssl runs the independent verifier on an EF.SOD and answers whether it accepts it.
func openssl(t *testing.T, u *utopia) (bool, string) {
	t.Helper()
	dir := t.TempDir()
	sod, err := tlv.Parse(u.files[lds.SOD])
	if err != nil {
		t.Fatal(err)
	}
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: u.authority.Raw})
	for name, raw := range map[string][]byte{"sod": sod.Content, "ca": ca} {
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), "openssl", "cms", "-verify", "-binary", "-inform", "DER", "-in", filepath.Join(dir, "sod"),
		"-CAfile", filepath.Join(dir, "ca"), "-purpose", "any", "-auth_level", "0", "-out", filepath.Join(dir, "content"),
		"-attime", strconv.FormatInt(emrtdtest.Now.Unix(), 10)).CombinedOutput()
	return err == nil, string(out)
}

func TestOpenSSLAgreesOnEverySecurityObject(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed")
	}
	for _, kind := range emrtdtest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			u := newUtopia(t, kind, usual)
			ok, said := openssl(t, u)
			if !ok && !strings.HasSuffix(string(kind), "explicit") { // chains with explicit parameters are against OpenSSL's policy
				t.Errorf("openssl refuses: %s", said)
			}
			if !ok && !strings.Contains(said, "explicit") {
				t.Errorf("openssl refuses for another reason than explicit parameters: %s", said)
			}
			u.signer = u.authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(kind, 2))
			s := usual
			s.Changed = emrtdtest.Object(map[lds.File][]byte{"DG1": {1}}, 5)
			u.sign(s)
			if ok, _ := openssl(t, u); ok || u.verify(emrtd.Options{}).Authentic {
				t.Errorf("changed content is accepted: openssl %t", ok)
			}
		})
	}
}
