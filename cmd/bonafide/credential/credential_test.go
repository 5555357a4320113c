package credential

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/pki"
)

const sound emrtdtest.Kind = "ECDSA P-256 SHA-256"

// desk is a folder with the files of a state and of a passport.
type desk struct {
	t         *testing.T
	dir       string
	challenge string
	portrait  string // what the word PORTRAIT stands for
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), challenge: "0102030405060708"}
	state, other := emrtdtest.NewAuthority("UT", sound, 1), emrtdtest.NewAuthority("DE", sound, 2)
	lister := state.Issue(emrtdtest.Template{Name: "Lister", Extended: []string{pki.MasterListSigning}}, emrtdtest.NewKey(sound, 3))
	d.write("csca.cer", state.Raw)
	d.write("other.cer", other.Raw)
	d.write("old.ml", lister.MasterList(emrtdtest.Now.AddDate(0, -1, 0), state))
	d.write("new.ml", lister.MasterList(emrtdtest.Now, state, other))
	d.write("state.crl", state.CRL(emrtdtest.Now.AddDate(0, 0, -1), emrtdtest.Now.AddDate(0, 1, 0)))
	d.write("forged.crl", emrtdtest.NewAuthority("UT", sound, 9).CRL(emrtdtest.Now.AddDate(0, 0, -1), emrtdtest.Now.AddDate(0, 1, 0)))
	active := emrtdtest.NewKey("RSA-2048 PKCS1 SHA-256", 4)
	files := emrtdtest.Chip()
	files["DG15"] = emrtdtest.DG15(active)
	files[lds.COM] = emrtdtest.COM(files)
	files[lds.SOD] = state.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 5)).SOD(files, emrtdtest.Signing{Time: emrtdtest.Now})
	for name, raw := range files {
		d.write(string(name), raw)
	}
	challenge, err := hex.DecodeString(d.challenge)
	if err != nil {
		t.Fatal(err)
	}
	d.write("response", active.Answer(challenge))
	d.write("DG1.forged", emrtdtest.DG1(strings.Replace(emrtdtest.Zone[0], "ANNA", "ANNE", 1), emrtdtest.Zone[1]))
	return d
}

func (d *desk) write(name string, raw []byte) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.dir, name), raw, 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// run runs a command line; words that name a file of the desk are that file.
func (d *desk) run(line string) (Answer, string) {
	d.t.Helper()
	var all struct {
		Trust  Trust  `cmd:""`
		Chip   Chip   `cmd:""`
		Wallet Wallet `cmd:""`
	}
	var out bytes.Buffer
	var args []string
	for word := range strings.FieldsSeq(line) {
		if file := filepath.Join(d.dir, word); fileThere(file) {
			word = file
		}
		if word == "PORTRAIT" {
			word = d.portrait
		}
		args = append(args, word)
	}
	parser, err := kong.New(&all, kong.BindTo(&out, (*io.Writer)(nil)), kong.BindTo(d.t.Context(), (*context.Context)(nil)))
	if err != nil {
		d.t.Fatal(err)
	}
	command, err := parser.Parse(args)
	if err != nil {
		d.t.Fatal(err)
	}
	err = command.Run()
	if a, ok := errors.AsType[Answer](err); ok {
		return a, out.String()
	}
	if err != nil {
		return -1, err.Error()
	}
	return Yes, out.String()
}

func fileThere(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func TestCommandsAnswerByTheirExitCodes(t *testing.T) {
	d := newDesk(t)
	const at, trust = " --at 2030-06-02", " --list new.ml --anchor csca.cer"
	const chip = "chip verify EF.COM EF.SOD DG1 DG2 DG11 DG12 DG15" + at + trust
	for _, c := range []struct {
		name, line string
		want       Answer
		says, not  string
	}{
		{"a list whose signer is known", "trust list new.ml --anchor csca.cer" + at, Yes, "verified.", "Not verified"},
		{"a list without an anchor", "trust list new.ml" + at, Undecided, "trust.anchor_missing", "verified."},
		{"a list of another signer", "trust list new.ml --anchor other.cer" + at, No, "trust.anchor_missing", "verified."},
		{"a newer list", "trust diff old.ml new.ml --anchor csca.cer", Yes, "1 added, 0 removed, 0 changed", "Refused"},
		{"an older list", "trust diff new.ml old.ml --anchor csca.cer", No, "trust.rollback", ""},
		{"why something is trusted", "trust why EF.SOD" + at + trust, Yes, "YES: it is trusted. Revocation: not_checked.", "Missing"},
		{"why something is not", "trust why EF.SOD --csca other.cer" + at, No, "Missing: the certificate of C=UT, CN=CSCA UT", "YES"},
		{"a chip that may be a copy", chip, Undecided, "chip.copy_not_excluded", "refused"},
		{"a chip that signed the challenge", chip + " --challenge " + d.challenge + " --response response", Yes, "Copy: excluded.", "refused"},
		{"a chip that signed another challenge", chip + " --challenge 0000000000000000 --response response", No, "chip.active_signature", "YES: a trusted state"},
		{"with a revocation list", chip + " --crl state.crl", Undecided, "Revocation: good.", "revocation_unchecked"},
		{"with a forged revocation list", chip + " --crl forged.crl", -1, "trust.crl_signature", "YES"},
		{"a forged DG1", strings.Replace(chip, "DG1 ", "DG1.forged ", 1), No, "chip.digest_mismatch", "YES: a trusted state"},
		{"EF.SOD alone", "chip verify EF.SOD" + at + trust, Undecided, "UNDECIDED", "YES: a trusted state"},
		{"EF.SOD alone, of nobody", "chip verify EF.SOD" + at, No, "trust.anchor_missing", "YES"},
		{"a file twice", "chip verify DG1 DG1.forged", -1, "lds.group_twice", "YES"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, said := d.run(c.line)
			if got != c.want || !strings.Contains(said, c.says) || (c.not != "" && strings.Contains(said, c.not)) {
				t.Errorf("answers %d, want %d; want %q and not %q in:\n%s", got, c.want, c.says, c.not, said)
			}
			if got < 0 {
				return
			}
			again, raw := d.run(c.line + " --json")
			if again != got || !json.Valid([]byte(raw)) {
				t.Errorf("as JSON it answers %d and prints %s", again, raw)
			}
		})
	}
}

func TestTheTextNamesNobody(t *testing.T) {
	d := newDesk(t)
	_, said := d.run("chip verify EF.COM EF.SOD DG1 DG2 DG11 DG12 DG15 --csca csca.cer --at 2030-06-02")
	for _, personal := range []string{"ERIKSSON", "ANNA", "L898902C", "7408"} {
		if strings.Contains(said, personal) {
			t.Errorf("the text says %q:\n%s", personal, said)
		}
	}
}

func TestThePortraitIsWrittenOnlyIfItWasSigned(t *testing.T) {
	d := newDesk(t)
	pattern, err := os.ReadFile("../../../internal/pdf/testdata/pattern.jp2")
	if err != nil {
		t.Fatal(err)
	}
	state := emrtdtest.NewAuthority("UT", sound, 1)
	files := emrtdtest.Chip()
	files["DG2"] = emrtdtest.DG2(pattern)
	d.write("DG2.pattern", files["DG2"])
	d.write("SOD.pattern", state.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 5)).SOD(files, emrtdtest.Signing{Time: emrtdtest.Now}))
	for _, c := range []struct {
		name, line string
		written    bool
	}{
		{"JPEG", "chip verify EF.SOD DG1 DG2", true},
		{"JPEG 2000", "chip verify SOD.pattern DG1 DG2.pattern", true},
		{"of another document", "chip verify EF.SOD DG1 DG2.pattern", false},
	} {
		file := filepath.Join(d.dir, "portrait "+c.name)
		d.portrait = file
		if got, said := d.run(c.line + " --csca csca.cer --at 2030-06-02 --portrait PORTRAIT"); (got == Undecided) != c.written {
			t.Errorf("%s: answers %d: %s", c.name, got, said)
		}
		raw, err := os.ReadFile(file)
		if (err == nil) != c.written {
			t.Errorf("%s: written %t, want %t", c.name, err == nil, c.written)
		}
		if _, err := jpeg.DecodeConfig(bytes.NewReader(raw)); c.written && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
