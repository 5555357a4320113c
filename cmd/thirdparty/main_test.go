package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheNoticeIsCurrent(t *testing.T) {
	root := "../.."
	for _, source := range []string{"go.mod", "go.sum"} { // what go list reads is no input of a cached test unless it is opened here
		if _, err := os.ReadFile(filepath.Join(root, source)); err != nil {
			t.Fatal(err)
		}
	}
	all, err := collect(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	want, err := notice(all)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "THIRD_PARTY.md"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("THIRD_PARTY.md is not current, run make gen (-want +got):\n%s", diff)
	}
	for _, p := range all.modules {
		if len(p.texts) == 0 {
			t.Errorf("%s carries no text of its licence", p.name)
		}
	}
}

func TestWhatMayNotBeShippedIsRefused(t *testing.T) {
	for name, licence := range map[string]string{"no licence": "", "one that spreads": "AGPL-3.0"} {
		t.Run(name, func(t *testing.T) {
			if _, err := notice(parts{packages: []part{{name: "left", version: "1", licence: licence}}}); err == nil || !strings.Contains(err.Error(), "left 1") {
				t.Errorf("got %v, want an error that names the package", err)
			}
		})
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.json"), []byte(`{"name":"a","licence":"MIT"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := cards(dir); err == nil {
		t.Error("a model without provenance was listed")
	}
}

func TestEachLicenceTextIsThereOnce(t *testing.T) {
	dir := t.TempDir()
	var all parts
	for _, name := range []string{"a", "b", "c"} {
		text := "the same text\n"
		if name == "c" {
			text = "another text\r\n"
		}
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		all.modules = append(all.modules, part{name: name, texts: []string{file}})
	}
	got := string(licenceTexts(all))
	if strings.Count(got, "the same text") != 1 || strings.Count(got, "another text") != 1 || !strings.Contains(got, "a\nb\n\nthe same text") {
		t.Errorf("got:\n%s", got)
	}
}
