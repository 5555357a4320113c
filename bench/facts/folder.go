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

// Folder reads the pictures that a list names: lines "file<tab>fact<tab>value<tab>printed", as the generator of specimens
// writes them. An empty list means claims.tsv in dir.
func Folder(ctx context.Context, dir, list string, r *optical.Reader, withPeer bool, progress func(done, total int)) (*Result, error) {
	if list == "" {
		list = filepath.Join(dir, "claims.tsv")
	}
	order, truth, err := readClaims(list)
	if err != nil {
		return nil, err
	}
	var all []reading
	for i, file := range order {
		raw, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return nil, fmt.Errorf("bench facts: %w", err)
		}
		kind, _, _ := strings.Cut(file, "-")
		x := reading{picture: file, group: kind, truth: truth[file]}
		if err := x.read(ctx, r, raw, withPeer); err != nil {
			return nil, fmt.Errorf("bench facts: %w", err)
		}
		x.wantKind, x.wantIssuer = string(x.kind), x.issuer // the list does not say
		all = append(all, x)
		if progress != nil {
			progress(i+1, len(order))
		}
	}
	return settle(all), nil
}

func readClaims(path string) (order []string, truth map[string][]Truth, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("bench facts: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	truth = map[string][]Truth{}
	s := bufio.NewScanner(f)
	for s.Scan() {
		parts := strings.Split(s.Text(), "\t")
		if len(parts) < 3 {
			continue
		}
		if _, seen := truth[parts[0]]; !seen {
			order = append(order, parts[0])
		}
		truth[parts[0]] = append(truth[parts[0]], Truth{idv.ClaimName(parts[1]), parts[2], parts[len(parts)-1]})
	}
	if err := s.Err(); err != nil {
		return nil, nil, fmt.Errorf("bench facts: %w", err)
	}
	if len(order) == 0 {
		return nil, nil, errors.New("bench facts: the list names no pictures")
	}
	return order, truth, nil
}
