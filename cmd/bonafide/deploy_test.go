package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func TestTheFilesOfADeploymentNameSettingsAndFilesThatThereAre(t *testing.T) {
	parser, err := kong.New(&commands{}, kong.DefaultEnvars("BONAFIDE"), kong.Vars{"version": "", "claims": claimNames(), "settlings": settlingHelp})
	if err != nil {
		t.Fatal(err)
	}
	known := variables(parser)
	variable, command := regexp.MustCompile(`\bBONAFIDE_[A-Z_]+\b`), regexp.MustCompile(`(?m)^Exec\w+=/usr/local/bin/bonafide (.*)$`)
	dir := filepath.Join("..", "..", "deploy")
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) < 6 {
		t.Fatalf("%v, %v", files, err)
	}
	pages := []string{"../../docs/operate/install.md", "../../docs/operate/keys.md", "../../docs/operate/troubleshooting.md", "../../docs/operate/mail.md"}
	commands := 0
	for _, file := range append(files, pages...) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range variable.FindAllString(string(raw), -1) {
			if !known[name] {
				t.Errorf("%s sets %s, which is no setting", file, name)
			}
		}
		for _, m := range command.FindAllStringSubmatch(string(raw), -1) {
			commands++
			if !slices.ContainsFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == strings.Fields(m[1])[0] }) {
				t.Errorf("%s runs bonafide %s, which is no command", file, m[1])
			}
		}
	}
	if commands != 3 {
		t.Errorf("%d commands in units, want 3", commands)
	}
	// Whatever is written beside the data goes to a folder that the unit and the compose file make: a container's root cannot be written.
	for _, name := range []string{"Containerfile", "bonafide.service", "bonafide-worker.service"} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, setting := range []string{"BONAFIDE_RUNTIME_DIR=/var/cache/bonafide", "BONAFIDE_WATCHLIST_DIR=/var/cache/bonafide/"} {
			if !strings.Contains(string(raw), setting) {
				t.Errorf("%s does not say %s", name, setting)
			}
		}
	}
	composed, err := os.ReadFile(filepath.Join(dir, "compose.yaml"))
	if err != nil || !strings.Contains(string(composed), `"/var/cache/bonafide:exec,uid=10001,mode=0700"`) {
		t.Errorf("the compose file mounts no cache that can be written: %v", err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	recipe, err := os.ReadFile(filepath.Join(dir, "Containerfile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^COPY (.*) \S+$`).FindAllStringSubmatch(string(recipe), -1) {
		for _, name := range strings.Fields(m[1]) {
			if !strings.Contains(string(makefile), name) {
				t.Errorf("the image copies %s, which no release holds", name)
			}
		}
	}
}

func TestTheComposeFileRunsCommandsThatThereAreAndWaitsForADatabaseThatAnswers(t *testing.T) {
	parser, err := kong.New(&commands{}, kong.DefaultEnvars("BONAFIDE"), kong.Vars{"version": "", "claims": claimNames(), "settlings": settlingHelp})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("../../deploy/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	composed := string(raw)
	ran := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^    command: \[("[a-z].*)\]$`).FindAllStringSubmatch(composed, -1) {
		var words []string
		for _, word := range strings.Split(m[1], ", ") {
			words = append(words, strings.Trim(word, `"`))
		}
		ran[words[0]] = true
		at := slices.IndexFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == words[0] })
		if at < 0 {
			t.Errorf("the compose file runs bonafide %s, which is no command", words[0])
			continue
		}
		for _, word := range words[1:] {
			known := slices.ContainsFunc(parser.Model.Children[at].Flags, func(f *kong.Flag) bool { return "--"+f.Name == word })
			if strings.HasPrefix(word, "--") && !known {
				t.Errorf("the compose file runs bonafide %s with %s, which is no flag", words[0], word)
			}
		}
	}
	if want := map[string]bool{"migrate": true, "serve": true, "worker": true}; !maps.Equal(ran, want) {
		t.Errorf("the compose file runs %v, want %v", ran, want)
	}
	// The image of PostgreSQL makes the database with a server that only its socket reaches, and then stops it: who asks there migrates too early.
	if !strings.Contains(composed, `["CMD", "pg_isready", "-h", "127.0.0.1"`) {
		t.Error("the database is asked at its socket, or not at all")
	}
	tools, err := os.ReadFile("../../tools/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	image := regexp.MustCompile(`image: \S+/versitygw:(\S+)`).FindStringSubmatch(composed)
	if image == nil || !strings.Contains(string(tools), "github.com/versity/versitygw "+image[1]+" ") {
		t.Errorf("the S3 server of the compose file, %v, is not the one of tools/go.mod, which the tests use", image)
	}
}
