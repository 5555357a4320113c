package credential

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd/chiptest"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/vpcd"
)

// serve puts a chip on a virtual reader and returns its address.
func serve(t *testing.T, config chiptest.Config) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = vpcd.Serve(conn, chiptest.New(config))
			_ = conn.Close()
		}
	}()
	return l.Addr().String()
}

func TestAChipInAReaderIsReadAndVerified(t *testing.T) {
	d := newDesk(t)
	state, key := emrtdtest.NewAuthority("UT", sound, 1), emrtdtest.NewKey(sound, 40)
	files := emrtdtest.Chip()
	files["DG14"] = emrtdtest.Security(emrtdtest.ChipKeyInfo(key, -1), emrtdtest.ChipInfo("4", -1))
	files[lds.COM] = emrtdtest.COM(files)
	files[lds.SOD] = state.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 5)).SOD(files, emrtdtest.Signing{Time: emrtdtest.Now})
	config := chiptest.Config{
		Files: files, Number: "L898902C3", Birth: "740812", Expiry: "120415", CAN: "123456", PACE: "0.4.0.127.0.7.2.2.4.2.4", Curve: 16, ChipKey: key, ChipSuite: 4,
		Longest: 1500,
	}
	copied := config
	copied.ChipKey = emrtdtest.NewKey(sound, 41)
	d.write("zone", []byte(strings.Join(emrtdtest.Zone, "\n")+"\n"))
	d.write("can", []byte("123456\n"))
	d.write("wrong", []byte("654321"))
	d.write("none", []byte("open sesame"))
	for name, tt := range map[string]struct {
		config chiptest.Config
		line   string
		want   Answer
		says   string
	}{
		"by the zone":                     {config, "--key zone --csca csca.cer", Yes, "Copy: excluded"},
		"by the access number":            {config, "--key can --csca csca.cer", Yes, "Copy: excluded"},
		"of a state that nobody trusts":   {config, "--key can --csca other.cer", No, "trust.anchor_missing"},
		"a copy":                          {copied, "--key can --csca csca.cer", No, "chip.agreement_failed"},
		"by a wrong access number":        {config, "--key wrong --csca csca.cer", -1, "chip.access_refused"},
		"by something that opens nothing": {config, "--key none", -1, "neither the lines of a zone nor six digits"},
	} {
		got, said := d.run("chip read --reader " + serve(t, tt.config) + " --at 2030-06-02 --out " + filepath.Join(d.dir, "out") + " " + tt.line)
		if got != tt.want || !strings.Contains(said, tt.says) {
			t.Errorf("%s: answers %d: %s", name, got, said)
		}
		for _, personal := range []string{"ERIKSSON", "L898902C", "123456", "654321"} {
			if strings.Contains(said, personal) {
				t.Errorf("%s: the text says %q", name, personal)
			}
		}
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(d.dir, "out", string(name))); name != lds.COM && (err != nil || !bytes.Equal(got, want)) {
			t.Errorf("%s: the file differs from what the chip returned: %v", name, err)
		}
	}
}
