package screening

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// desk is a folder with files of lists, and the folder that the commands keep lists in.
type desk struct {
	t   *testing.T
	dir string
}

func newDesk(t *testing.T) desk {
	t.Helper()
	d := desk{t, t.TempDir()}
	var many strings.Builder
	many.WriteString("id,name,birth,nationality,document_number\n")
	for i := range 100 {
		fmt.Fprintf(&many, "p%d,Namesake%c%c Invented,19%02d,,\n", i, 'a'+i/26, 'a'+i%26, i)
	}
	many.WriteString("w,Zoltan Querbaum,1965-03-04,AT,UX123456\n")
	d.write("many.csv", many.String())
	d.write("more.csv", many.String()+"v,Ottokar Vielweg,1970-01-02,DE,\n")
	d.write("few.csv", "id,name\n1,Only One\n")
	return d
}

func (d desk) write(name, text string) {
	d.t.Helper()
	if err := os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// run runs a command with the desk's folder of lists. Words that name a file of the desk are that file.
func (d desk) run(words ...string) (said string, err error) {
	d.t.Helper()
	var all struct {
		Screen Screen `cmd:""`
		Lists  Lists  `cmd:""`
	}
	for i, word := range words {
		if file := filepath.Join(d.dir, word); strings.HasSuffix(word, ".csv") {
			words[i] = file
		}
	}
	if words[0] == "screen" || words[1] != "diff" {
		words = append(words, "--lists", filepath.Join(d.dir, "kept"))
	}
	var out bytes.Buffer
	parser, err := kong.New(&all, kong.BindTo(&out, (*io.Writer)(nil)))
	if err != nil {
		d.t.Fatal(err)
	}
	command, err := parser.Parse(words)
	if err != nil {
		d.t.Fatal(err)
	}
	err = command.Run()
	return out.String(), err
}

func TestAScreeningAnswersWhoMayBeMeant(t *testing.T) {
	d := newDesk(t)
	if said, err := d.run("lists", "add", "many.csv", "--name", "mine"); err != nil {
		t.Fatal(said, err)
	}
	for name, c := range map[string]struct {
		words     []string
		want      error
		says, not string
	}{
		"name and date of birth":         {[]string{"Querbaum Zoltan", "--born", "1965-03-04"}, Undecided, strongMatch, "Namesake"},
		"the number of a document":       {[]string{"Zoltan Querbaum", "--number", "ux 123456"}, Undecided, strongMatch, "Namesake"},
		"the name alone":                 {[]string{"Zoltán Querbaum"}, Undecided, possibleMatch, strongMatch},
		"nobody":                         {[]string{"Brunhilde Wasserfall"}, nil, "", "screening."},
		"a namesake of another age":      {[]string{"Zoltan Querbaum", "--born", "1999-12-31"}, nil, "", possibleMatch},
		"a name that nobody is found by": {[]string{"Dr"}, Undecided, nameUnusable, ""},
		"somebody whose name is alike":   {[]string{"Zoltan Qurbeumer", "--alike", "90"}, nil, "Zoltan Querbaum", "Namesake"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, form := range [][]string{nil, {"--json"}} {
				said, err := d.run(append(append([]string{"screen"}, c.words...), form...)...)
				if !errors.Is(err, c.want) {
					t.Errorf("got %v, want %v: %s", err, c.want, said)
				}
				if !strings.Contains(said, c.says) || c.not != "" && strings.Contains(said, c.not) {
					t.Errorf("says %s", said)
				}
			}
		})
	}
}

func TestWhatIsAskedIsCheckedAndNotRepeated(t *testing.T) {
	d := newDesk(t)
	for name, words := range map[string][]string{
		"a name without letters":        {"+++"},
		"a name that is too long":       {strings.Repeat("Zoltan ", 50)},
		"a control character":           {"Zoltan\x1bQuerbaum"},
		"a country that there is not":   {"Zoltan Querbaum", "--country", "XQ"},
		"a date of birth that is none":  {"Zoltan Querbaum", "--born", "1965-13-04"},
		"a date of birth of the future": {"Zoltan Querbaum", "--born", "2999-01-01"},
		"alike from too little":         {"Zoltan Querbaum", "--alike", "69"},
	} {
		t.Run(name, func(t *testing.T) {
			said, err := d.run(append([]string{"screen"}, words...)...)
			if err == nil || errors.Is(err, Undecided) {
				t.Fatalf("got %v: %s", err, said)
			}
			for _, word := range words {
				if !strings.HasPrefix(word, "--") && strings.Contains(err.Error()+said, word) {
					t.Errorf("%v names what was asked", err)
				}
			}
		})
	}
}

func TestAScreeningWithoutListsRefers(t *testing.T) {
	said, err := newDesk(t).run("screen", "Zoltan Querbaum")
	if !errors.Is(err, Undecided) || !strings.Contains(said, listsMissing) {
		t.Errorf("got %v: %s", err, said)
	}
}

func TestAListThatShrinksIsHeldAndScreeningSaysSo(t *testing.T) {
	d := newDesk(t)
	if said, err := d.run("lists", "add", "many.csv", "--name", "mine"); err != nil {
		t.Fatal(said, err)
	}
	if said, err := d.run("lists", "add", "few.csv", "--name", "mine"); !errors.Is(err, Undecided) || !strings.Contains(said, "held") {
		t.Fatalf("a list of one entry after one of 101: %v: %s", err, said)
	}
	if said, err := d.run("screen", "Brunhilde Wasserfall"); !errors.Is(err, Undecided) || !strings.Contains(said, listHeld) {
		t.Errorf("screening beside a held version: %v: %s", err, said)
	}
	if said, err := d.run("lists", "show"); err != nil || !strings.Contains(said, "held") || !strings.Contains(said, "active") {
		t.Errorf("lists show: %v: %s", err, said)
	}
	if said, err := d.run("lists", "add", "few.csv", "--name", "mine", "--force"); err != nil {
		t.Fatal(said, err)
	}
	if said, err := d.run("screen", "Zoltan Querbaum"); err != nil {
		t.Errorf("somebody who is no longer on the list: %v: %s", err, said)
	}
}

func TestADifferenceNamesWhoCameAndWent(t *testing.T) {
	d := newDesk(t)
	said, err := d.run("lists", "diff", "many.csv", "more.csv")
	if !errors.Is(err, Changed) || !strings.Contains(said, "Ottokar Vielweg") || !strings.Contains(said, "1 added, 0 removed, 0 changed") {
		t.Errorf("got %v: %s", err, said)
	}
	if said, err := d.run("lists", "diff", "many.csv", "many.csv"); err != nil {
		t.Errorf("a list and itself: %v: %s", err, said)
	}
}
