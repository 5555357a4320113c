package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/pki"
)

func TestTrustIsAddedToADeployment(t *testing.T) {
	const kind emrtdtest.Kind = "ECDSA P-256 SHA-256"
	dir := t.TempDir()
	write := func(name string, raw []byte) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	now := time.Now()
	utopia := emrtdtest.NewAuthority("UT", kind, 1)
	lister := utopia.Issue(emrtdtest.Template{
		Name: "Lister", Extended: []string{pki.MasterListSigning}, From: now.AddDate(-1, 0, 0), To: now.AddDate(1, 0, 0),
	}, emrtdtest.NewKey(kind, 3))
	anchor := write("csca.cer", utopia.Raw)
	older, newer := write("old.ml", lister.MasterList(now.AddDate(0, 0, -9), utopia)), write("new.ml", lister.MasterList(now.AddDate(0, 0, -1), utopia))
	data := []string{"--dev", "--data-dir", filepath.Join(dir, "data")}
	add := func(more ...string) (exit, string) {
		return runCommand(t, append(append([]string{"trust", "add"}, more...), data...)...)
	}
	mustTell(t, append([]string{"migrate"}, data...)...)
	for _, c := range []struct {
		name string
		args []string
		want exit
		says string
	}{
		{"a list before the anchor of its signer", []string{newer}, exitNoAnswer, "trust.anchor_missing"},
		{"the anchor, alone where two are wanted", []string{anchor, "--accept", "--trust-two-persons"}, exitNoAnswer, "trust.same_person"},
		{"the anchor", []string{anchor, "--accept"}, exitYes, "anchor of UT"},
		{"a list that waits", []string{newer}, exitYes, "is pending"},
		{"the list", []string{newer, "--accept"}, exitYes, "is in_force"},
		{"an older list", []string{older, "--accept"}, exitNoAnswer, "trust.rollback"},
		{"an authority of driving licences", []string{anchor, "--doctype", "org.iso.18013.5.1.mDL", "--accept"}, exitYes, "anchor (iaca) of org.iso.18013.5.1.mDL"},
		{"an issuer of two credentials", []string{anchor, "--vct", "urn:eudi:pid:1", "--vct", "urn:eudi:pid:de:1"}, exitYes, "of urn:eudi:pid:de:1"},
		{"an issuer without its credential", []string{anchor, "--purpose", "issuer"}, exitNoAnswer, "--vct"},
		{"one anchor for two purposes", []string{anchor, "--vct", "urn:eudi:pid:1", "--doctype", "org.iso.18013.5.1.mDL"}, exitNoAnswer, "one purpose"},
		{"a state's authority with a docType", []string{anchor, "--purpose", "csca", "--doctype", "org.iso.18013.5.1.mDL"}, exitNoAnswer, "--doctype"},
		{"a docType with spaces", []string{anchor, "--doctype", "driving licence"}, exitNoAnswer, "docType"},
		{"something else", []string{write("letter", []byte("a letter"))}, exitNoAnswer, "tlv.malformed"},
	} {
		if got, said := add(c.args...); got != c.want || !strings.Contains(said, c.says) {
			t.Errorf("%s: answers %d, want %d; want %q in:\n%s", c.name, got, c.want, c.says, said)
		}
	}
}
