// Package screening measures how people are found on watchlists: on labelled pairs of names, on the aliases of a public list, on
// invented customers who are on no list, and on an index of full size.
package screening

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// Result is all that is measured.
type Result struct {
	Pairs     []PairResult  `json:"pairs"`
	Aliases   []AliasResult `json:"aliases"`
	Customers []Customers   `json:"customers"`
	Parity    Parity        `json:"ofac_tool"`
	Threshold float64       `json:"threshold"`
	People    int           `json:"people"` // of the lists that are searched
	Names     int           `json:"names"`
}

// people are the entries of the folder's lists.
type people struct {
	un, ofac []watchlist.Entity
}

// load reads the lists of the folder.
func load(dir string) (people, error) {
	var p people
	var err error
	if p.un, err = read(filepath.Join(dir, "un_consolidated.xml"), ""); err != nil {
		return p, err
	}
	p.ofac, err = read(filepath.Join(dir, "ofac_sdn.csv"), filepath.Join(dir, "ofac_alt.csv"))
	return p, err
}

func read(path, aliases string) ([]watchlist.Entity, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open a list: %w", err)
	}
	defer func() { _ = file.Close() }()
	var o watchlist.Options
	if aliases != "" {
		more, err := os.Open(aliases)
		if err != nil {
			return nil, fmt.Errorf("open a list: %w", err)
		}
		defer func() { _ = more.Close() }()
		o.Aliases = more
	}
	var out []watchlist.Entity
	_, err = watchlist.Read(file, o, func(c watchlist.Change, _ watchlist.Format) error {
		if c.Entity.Kind == watchlist.Person {
			out = append(out, c.Entity)
		}
		return nil
	})
	return out, err
}

// index compiles entries into a temporary file and opens it.
func index(p people) (x *nameindex.Index, done func(), err error) {
	dir, err := os.MkdirTemp("", "screening-*")
	if err != nil {
		return nil, nil, fmt.Errorf("make a folder: %w", err)
	}
	path := filepath.Join(dir, "names.index")
	b, err := nameindex.NewBuilder(path)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range []struct {
		name    string
		entries []watchlist.Entity
	}{{"un", p.un}, {"ofac", p.ofac}} {
		b.List(nameindex.List{Name: l.name})
		for _, e := range l.entries {
			if err := b.Add(e); err != nil {
				return nil, nil, err
			}
		}
	}
	if _, err := b.Close(); err != nil {
		return nil, nil, err
	}
	if x, err = nameindex.Open(path); err != nil {
		return nil, nil, err
	}
	return x, func() { _ = x.Close(); _ = os.RemoveAll(dir) }, nil
}

// corpus learns from the lists.
func corpus(p people) *names.Corpus {
	c := names.NewCorpus()
	for _, list := range [][]watchlist.Entity{p.un, p.ofac} {
		for _, e := range list {
			var all []names.Name
			for _, n := range e.Names {
				if n.Strength != watchlist.Weak {
					all = append(all, n.Parsed())
				}
			}
			c.Add(all)
		}
	}
	return c
}

// Run measures on a folder with the public sets.
func Run(dir string) (*Result, error) {
	p, err := load(dir)
	if err != nil {
		return nil, err
	}
	r := &Result{Threshold: names.Threshold}
	if r.Pairs, err = pairs(filepath.Join(dir, "name_pairs.csv"), corpus(p)); err != nil {
		return nil, err
	}
	x, done, err := index(p)
	if err != nil {
		return nil, err
	}
	defer done()
	r.People, r.Names = x.Size()
	if r.Aliases, err = aliases(p, x); err != nil {
		return nil, err
	}
	for _, set := range []string{"us", "global"} {
		c, err := customers(filepath.Join(dir, "negatives_"+set+".csv"), set, x)
		if err != nil {
			return nil, err
		}
		r.Customers = append(r.Customers, c)
	}
	r.Customers = append(r.Customers, recombined(p, x))
	r.Parity, err = parity(filepath.Join(dir, "ofac_tool_170.csv"), corpus(p))
	return r, err
}

// table reads a CSV file with a header, row by row.
func table(path string, each func(map[string]string)) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open a table: %w", err)
	}
	defer func() { _ = file.Close() }()
	in := csv.NewReader(file)
	header, err := in.Read()
	if err != nil {
		return fmt.Errorf("read a table: %w", err)
	}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a table: %w", err)
		}
		values := map[string]string{}
		for i, h := range header {
			values[h] = row[i]
		}
		each(values)
	}
}

// AliasResult is how often an alias of somebody on the list finds that person, by name alone.
type AliasResult struct {
	What   string     `json:"what"`
	Alarm  bench.Rate `json:"alarm"`   // strong or possible
	TopTen bench.Rate `json:"top_ten"` // among the first ten hits, distant ones included
}
