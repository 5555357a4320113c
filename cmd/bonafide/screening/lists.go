package screening

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// listsFolder is where the commands keep lists.
type listsFolder struct {
	Lists string `default:"lists" placeholder:"DIR" help:"The folder that lists are kept in."`
}

func (l listsFolder) index() string { return filepath.Join(l.Lists, "names.index") }

// Lists keeps watchlists in a folder.
type Lists struct {
	Add  listsAdd  `cmd:"" help:"Add a list, or a newer version of one, from a file: OFAC, UN, EU, UK, SECO, OpenSanctions, or your own."`
	Show listsShow `cmd:"" help:"Show the lists of the folder: versions, age, sizes, licences, and what is held."`
	Diff listsDiff `cmd:"" help:"Show who was added, removed and changed from one file of a list to another."`
}

// listsAdd is `bonafide lists add`.
type listsAdd struct {
	listsFolder
	File    string `arg:"" help:"The file. Its format is found from its content."`
	Name    string `default:"" placeholder:"NAME" help:"The list's name. Default: its format."`
	Aliases string `placeholder:"FILE" help:"ALT.CSV of OFAC, beside SDN.CSV."`
	Force   bool   `help:"Use the version although a guard would hold it. An empty one is never used."`
	JSON    bool   `name:"json" help:"Print one JSON object."`
}

// Run answers 0 where the version is active, 4 where it is held.
func (c *listsAdd) Run(out io.Writer) error {
	file, err := os.Open(c.File)
	if err != nil {
		return fmt.Errorf("open the list: %w", err)
	}
	defer func() { _ = file.Close() }()
	var o watchlist.Options
	if c.Aliases != "" {
		aliases, err := os.Open(c.Aliases)
		if err != nil {
			return fmt.Errorf("open the aliases: %w", err)
		}
		defer func() { _ = aliases.Close() }()
		o.Aliases = aliases
	}
	if c.Name == "" {
		if c.Name, err = formatName(c.File); err != nil {
			return err
		}
	}
	folder := watchlist.OpenFolder(c.Lists)
	v, err := folder.Add(c.Name, file, o, c.Force, time.Now().UTC())
	if err != nil {
		return err
	}
	if err := compile(folder, c.index()); err != nil {
		return err
	}
	if c.JSON {
		err = json.NewEncoder(out).Encode(v)
	} else {
		_, err = fmt.Fprintf(out, "%s: %s, %d entries, %d people, %d names, %d not readable%s%s\n", c.Name, v.State, v.Entities, v.Persons, v.Names,
			v.Rejected, atRows(v.RejectedRows), because(v))
	}
	if err == nil && v.State == watchlist.Held {
		return Undecided
	}
	return err
}

func because(v watchlist.Version) string {
	if len(v.Why) == 0 {
		return ""
	}
	var why []string
	for _, w := range v.Why {
		why = append(why, string(w))
	}
	return " (" + strings.Join(why, ", ") + ")"
}

// errDeltaNeedsName: a delta does not say which list it changes.
var errDeltaNeedsName = errors.New("a delta needs --name, the list that it changes")

// formatName reads what a file is.
func formatName(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("open the list: %w", err)
	}
	defer func() { _ = file.Close() }()
	enough := errors.New("enough")
	s, err := watchlist.Read(file, watchlist.Options{}, func(watchlist.Change, watchlist.Format) error { return enough })
	if err != nil && !errors.Is(err, enough) {
		return "", err
	}
	if s.Format == watchlist.FtMDelta {
		return "", errDeltaNeedsName
	}
	return string(s.Format), nil
}

// compile makes the index of all active versions anew. The index in use is replaced when the new one is whole.
func compile(folder watchlist.Folder, path string) error {
	lists, err := folder.Lists()
	if err != nil {
		return err
	}
	b, err := nameindex.NewBuilder(path)
	if err != nil {
		return err
	}
	for _, l := range lists {
		v, ok := l.Active()
		if !ok {
			continue
		}
		b.List(nameindex.List{Name: l.Name, Version: v.SHA256})
		if err := folder.Entities(l.Name, v, b.Add); err != nil {
			return err
		}
	}
	_, err = b.Close()
	return err
}

// listsShow is `bonafide lists show`.
type listsShow struct {
	listsFolder
	JSON bool `name:"json" help:"Print one JSON object."`
}

// Run prints the lists.
func (c *listsShow) Run(out io.Writer) error {
	lists, err := watchlist.OpenFolder(c.Lists).Lists()
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(out).Encode(lists)
	}
	if len(lists) == 0 {
		_, err = fmt.Fprintln(out, "There are no lists. Add one with: bonafide lists add FILE")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "LIST\tSTATE\tPUBLISHED\tADDED\tENTRIES\tPEOPLE\tNAMES\tDIGEST\tHELD BECAUSE")
	for _, l := range lists {
		for _, v := range l.Versions {
			_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%.12s\t%s\n", l.Name, v.State, day(v.Published), day(v.Added), v.Entities, v.Persons,
				v.Names, v.SHA256, strings.Trim(because(v), " ()"))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, l := range lists {
		o := watchlist.OriginOf(l.Versions[0].Format)
		if _, err := fmt.Fprintf(out, "\n%s: %s, %s\n  licence: %s\n", l.Name, o.Name, o.Source, o.Licence); err != nil {
			return err
		}
	}
	return nil
}

func day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format(time.DateOnly)
}

// listsDiff is `bonafide lists diff`.
type listsDiff struct {
	Old string `arg:"" help:"The file from before."`
	New string `arg:"" help:"The file of now."`
}

// Run prints the difference by name, and answers 0 where there is none, 1 where there is.
func (c *listsDiff) Run(out io.Writer) error {
	before, err := readAll(c.Old)
	if err != nil {
		return err
	}
	after, err := readAll(c.New)
	if err != nil {
		return err
	}
	d := watchlist.Diff(before, after)
	for _, e := range d.Added {
		line(out, "+", e)
	}
	for _, e := range d.Removed {
		line(out, "-", e)
	}
	for _, ch := range d.Changed {
		line(out, "~", ch.After)
	}
	_, err = fmt.Fprintf(out, "%d added, %d removed, %d changed\n", len(d.Added), len(d.Removed), len(d.Changed))
	if err == nil && len(d.Added)+len(d.Removed)+len(d.Changed) > 0 {
		return Changed
	}
	return err
}

func line(w io.Writer, sign string, e watchlist.Entity) {
	_, _ = fmt.Fprintf(w, "%s %s  %s  (%s)\n", sign, e.ID, e.Caption(), e.Kind)
}

func readAll(path string) ([]watchlist.Entity, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the list: %w", err)
	}
	defer func() { _ = file.Close() }()
	var out []watchlist.Entity
	_, err = watchlist.Read(file, watchlist.Options{}, func(c watchlist.Change, _ watchlist.Format) error {
		out = append(out, c.Entity)
		return nil
	})
	return out, err
}

// atRows names the first lines that could not be read.
func atRows(rows []int) string {
	if len(rows) == 0 {
		return ""
	}
	return " (lines " + strings.Trim(fmt.Sprint(rows), "[]") + ")"
}
