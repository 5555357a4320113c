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

// Documents reads the pictures that a truth.tsv names, which is in dir or in the folder above it: a line for each fact with tabs
// between file, kind of document, fact and value. Files are named from the folder of the list. Values that all count have " | "
// between them, and "-" says that the fact is not printed: stating it is an extra. The rows "kind" and "issuer" are what is to be
// told of the document, and no facts. Lines of a file are kept as Options.Lines says.
func Documents(ctx context.Context, dir string, r *optical.Reader, o Options) (*Result, error) {
	list := filepath.Join(dir, "truth.tsv")
	if _, err := os.Stat(list); errors.Is(err, os.ErrNotExist) {
		list = filepath.Join(filepath.Dir(filepath.Clean(dir)), "truth.tsv")
	}
	all, err := readDocuments(list)
	if err != nil {
		return nil, err
	}
	for i := range all {
		raw, err := os.ReadFile(filepath.Join(filepath.Dir(list), all[i].picture))
		if err != nil {
			return nil, fmt.Errorf("bench facts: %w", err)
		}
		if err := all[i].read(ctx, r, raw, looks{o.Peer, o.Lines != ""}); err != nil {
			return nil, fmt.Errorf("bench facts: %w", err)
		}
		if o.Progress != nil {
			o.Progress(i+1, len(all))
		}
	}
	if o.Lines != "" {
		if err := writeLines(o.Lines, all); err != nil {
			return nil, err
		}
	}
	return summarize(all), nil
}

// readDocuments returns a reading for each picture of a list, in its order, with what the picture shows.
func readDocuments(path string) ([]reading, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("bench facts: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	var out []reading
	at := map[string]int{}
	for s := bufio.NewScanner(f); s.Scan(); {
		row := strings.Split(s.Text(), "\t")
		if strings.HasPrefix(s.Text(), "#") || len(row) < 4 {
			continue
		}
		file, kind, fact, value := row[0], row[1], row[2], row[3]
		if _, seen := at[file]; !seen {
			at[file] = len(out)
			out = append(out, reading{picture: file, group: kind})
		}
		x := &out[at[file]]
		switch {
		case fact == "kind":
			x.wantKind = idv.DocumentKind(value)
		case fact == "issuer":
			x.wantIssuer = value
		case value != "-":
			for v := range strings.SplitSeq(value, " | ") {
				x.truth = append(x.truth, Truth{idv.ClaimName(fact), v, v})
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("bench facts: the list names no pictures")
	}
	return out, nil
}
