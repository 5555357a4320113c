package attacks

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of attacks and outcomes into docs/")

// sessionsAtOnce is how many sessions run at the same time: each of them waits for most of its time. A challenge
// can be answered for three minutes, so that a slow machine has time to draw the frames of all of them.
const sessionsAtOnce = "8"

func TestMain(m *testing.M) {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen {
		if err := flag.Set("test.parallel", sessionsAtOnce); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	os.Exit(m.Run())
}

// outcome is a line of the table.
type outcome struct{ what, state, reasons string }

func line(what, state string, reasons []string) outcome {
	slices.Sort(reasons)
	reasons = slices.Compact(reasons)
	return outcome{what, strings.ReplaceAll(state, "_", " "), strings.Join(reasons, ", ")}
}

// table collects the outcomes of subtests that run at the same time. Its rows are in the order in which they were added.
type table struct{ rows []*outcome }

// newTable is a table that is written when the test has ended.
func newTable(t *testing.T) *table {
	t.Helper()
	b := &table{}
	t.Cleanup(func() { b.write(t) })
	return b
}

// row plays one session beside the others.
func (b *table) row(t *testing.T, what string, play func(t *testing.T) outcome) {
	t.Helper()
	row := &outcome{}
	b.rows = append(b.rows, row)
	t.Run(what, func(t *testing.T) {
		t.Parallel()
		*row = play(t)
	})
}

// write logs the table, and writes it into the docs where it was asked for and every row was played.
func (b *table) write(t *testing.T) {
	t.Helper()
	whole := true
	var page strings.Builder
	page.WriteString("# Attacks on the liveness challenge, and their outcome\n\n" +
		"<!-- Made by `go test ./e2e/attacks -update`. -->\n\n" +
		"Each line is one session against the real server, sent by a script. The runs are *synthetic*: pictures lifted onto a head that moves, " +
		"and photographs and videos of it. " +
		"How often each kind passes is measured by `bonafide bench liveness`. Not measured on people. " +
		"A live three-dimensional re-enactment of the right face is not among them: the challenge alone does not tell it from a person.\n\n" +
		"| what was sent | outcome | reasons kept for the reviewer |\n|---|---|---|\n")
	for _, o := range b.rows {
		if *o == (outcome{}) {
			whole = false
			continue
		}
		fmt.Fprintf(&page, "| %s | %s | %s |\n", o.what, o.state, o.reasons)
		t.Logf("%-45s %-16s %s", o.what, o.state, o.reasons)
	}
	if !*update || !whole || t.Failed() {
		return
	}
	writePage(t, "attacks.md", page.String())
}

// writePage writes a page of the docs.
func writePage(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join("..", "..", "docs", "reference", name), []byte(text), 0o644)) //nolint:gosec // it is no secret
}
