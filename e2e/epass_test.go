package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
)

// TestAChipOfOthersIsRead reads the ePass of vsmartcard, whose Basic Access Control and secure messaging are nobody's of ours. What of it
// had to be changed is said in epass/card.py.
func TestAChipOfOthersIsRead(t *testing.T) {
	t.Parallel()
	const python = "/usr/bin/python3"
	if _, err := os.Stat("/usr/lib/python3/site-packages/virtualsmartcard"); err != nil {
		t.Skip("needs Debian's vsmartcard-vpicc")
	}
	if err := exec.CommandContext(t.Context(), python, "-c", "import Cryptodome").Run(); err != nil {
		t.Skip("needs Debian's python3-pycryptodome")
	}
	const kind emrtdtest.Kind = "ECDSA P-256 SHA-256"
	dir, port := t.TempDir(), served.FreePort(t)
	state := emrtdtest.NewAuthority("UT", kind, 1)
	files := emrtdtest.Chip()
	files[lds.SOD] = state.Issue(emrtdtest.Template{}, emrtdtest.NewKey(kind, 2)).SOD(files, emrtdtest.Signing{Time: emrtdtest.Now})
	for name, raw := range files {
		must(t, os.WriteFile(filepath.Join(dir, string(name)), raw, 0o600))
	}
	must(t, os.WriteFile(filepath.Join(dir, "csca.cer"), state.Raw, 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "zone"), []byte(strings.Join(emrtdtest.Zone, "\n")), 0o600))
	go func() { // the card looks for its reader once
		for range 40 {
			time.Sleep(500 * time.Millisecond)
			if exec.CommandContext(t.Context(), python, "epass/card.py", dir, fmt.Sprint(port)).Run() == nil || t.Context().Err() != nil {
				return
			}
		}
	}()
	said, code := run(t, "chip", "read", "--listen", "--reader", fmt.Sprintf("127.0.0.1:%d", port), "--key", filepath.Join(dir, "zone"),
		"--csca", filepath.Join(dir, "csca.cer"), "--at", "2030-06-02")
	if code != 4 || !strings.Contains(said, "YES: a trusted state signed the data.") { // 4: nothing excludes a copy of a chip without a key
		t.Errorf("exit %d: %s", code, said)
	}
}
