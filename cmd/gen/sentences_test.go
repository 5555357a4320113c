package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestSentencesAreFoundWhereTheyAreWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "source.go")
	source := `package source

var words = map[string]string{"key": "a value"}

var other = "not one of them"

const Wide Sign = "the wide one"

func check(f *Finding) {
	f.Note = "One " + "sentence."
	f.Note += " Found: " + which + "."
	f.Other = "no sentence"
	say("/field", "At least %d of %q.", n, what)
	return Finding{Note: fmt.Sprintf("%.2f of %s", n, s), Name: "no sentence either"}
}
`
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []string
	keep := func(format string) {
		if text := placed(format); wordy(text) {
			got = append(got, text)
		}
	}
	if err := (teller{whole: []string{"words"}, calls: []string{"say"}, fields: []string{"Note"}, types: []string{"Sign"}}).read(path, keep); err != nil {
		t.Fatal(err)
	}
	want := []string{"a value", "the wide one", "One sentence.", " Found: {1}.", `At least {n} of "{1}".`, "{n} of {1}"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := sentencesJSON(t.TempDir()); err == nil {
		t.Error("files that are gone are no fault")
	}
}
