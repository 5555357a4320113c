package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// nearly returns how many slips make a variable of a setting, by its length: short names of different things are alike by chance.
func nearly(name string) int { return max(1, len(strings.TrimPrefix(name, "BONAFIDE_"))/6) }

// CheckEnvironment returns an error for each variable that is no setting and almost one: it would be ignored without a word. Other
// variables that begin with BONAFIDE_ may hold what a setting names, such as a key of env:NAME in the environment or the arguments.
func CheckEnvironment(environ, args []string, known map[string]bool) error {
	var errs []error
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "BONAFIDE_") || known[name] || named(environ, name) || named(args, name) {
			continue
		}
		if near := nearest(name, known); near != "" {
			errs = append(errs, fmt.Errorf("%s is no setting: did you mean %s?", name, near))
		}
	}
	return errors.Join(errs...)
}

// named reports whether a setting says env: and the name.
func named(settings []string, name string) bool {
	return slices.ContainsFunc(settings, func(entry string) bool { return strings.HasSuffix(entry, "env:"+name) })
}

// nearest returns the setting that differs least from a name, the first in order; empty where none is near.
func nearest(name string, known map[string]bool) string {
	best, least := "", nearly(name)+1
	for k := range known {
		if d := distance(name, k); d < least || (d == least && best != "" && k < best) {
			best, least = k, d
		}
	}
	return best
}

// distance returns how many letters have to be inserted, left out or replaced, or neighbours swapped, to make a of b.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
