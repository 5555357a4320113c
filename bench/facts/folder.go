package facts

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical"
)

// Folder reads the pictures that a list names, a line for each fact with tabs between file, fact, value and printed, then
// maybe its box in four columns, the kind of document and its issuer, as the generator of specimens writes them. Without
// the last two it is not counted how kind and issuer are told. An empty list means claims.tsv in dir.
func Folder(ctx context.Context, dir, list string, r *optical.Reader, withPeer bool, progress func(done, total int)) (*Result, error) {
	if list == "" {
		list = filepath.Join(dir, "claims.tsv")
	}
	all, err := readClaims(list)
	if err != nil {
		return nil, err
	}
	for i := range all {
		x := &all[i]
		raw, err := os.ReadFile(filepath.Join(dir, x.picture))
		if err != nil {
			return nil, fmt.Errorf("bench facts: %w", err)
		}
		if err := x.read(ctx, r, raw, looks{peer: withPeer}); err != nil {
			return nil, fmt.Errorf("bench facts: %w", err)
		}
		if progress != nil {
			progress(i+1, len(all))
		}
	}
	return summarize(all), nil
}

// The columns of a list of claims.
const (
	fileColumn = iota
	factColumn
	valueColumn
	printedColumn
	_ // the box: x, y, width and height
	_
	_
	_
	kindColumn
	issuerColumn
)

// readClaims gives a reading for each picture of the list, in its order, with what the picture shows.
func readClaims(path string) ([]reading, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("bench facts: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	var out []reading
	at := map[string]int{}
	s := bufio.NewScanner(f)
	for s.Scan() {
		row := strings.Split(s.Text(), "\t")
		if len(row) <= printedColumn {
			continue
		}
		file := row[fileColumn]
		if _, seen := at[file]; !seen {
			at[file] = len(out)
			group, _, _ := strings.Cut(file, "-")
			x := reading{picture: file, group: group}
			if len(row) > issuerColumn && !isBack(file) {
				x.wantKind, x.wantIssuer = idv.DocumentKind(row[kindColumn]), row[issuerColumn]
			}
			out = append(out, x)
		}
		x := &out[at[file]]
		x.truth = append(x.truth, Truth{idv.ClaimName(row[factColumn]), row[valueColumn], row[printedColumn]})
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("bench facts: %w", err)
	}
	if len(out) == 0 {
		return nil, errors.New("bench facts: the list names no pictures")
	}
	return out, nil
}

// isBack reports whether a generated picture is of a back: what it belongs to is told by its front.
func isBack(file string) bool {
	return strings.HasSuffix(strings.TrimSuffix(file, filepath.Ext(file)), "-back")
}
