package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licenceFile matches the names of files with a licence or a notice.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|notice|patents)([.-].*)?$`)

// modules returns the Go modules that are compiled into the program.
func modules(ctx context.Context, root string) ([]part, error) {
	const what = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-f", what, "./cmd/bonafide")
	list.Dir, list.Stderr = root, os.Stderr
	raw, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	lines := strings.Fields(strings.ReplaceAll(string(raw), "\t", "\x00"))
	slices.Sort(lines)
	var out []part
	for _, line := range slices.Compact(lines) {
		p := strings.Split(line, "\x00")
		one := part{name: p[0], version: p[1]}
		if one.texts, err = licencesIn(p[2]); err != nil {
			return nil, err
		}
		one.licence = licenceOf(one.texts)
		out = append(out, one)
	}
	return out, nil
}

func licencesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if licenceFile.MatchString(e.Name()) && !strings.HasSuffix(e.Name(), ".go") {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}

// marks are sentences by which a licence is known; the first that is found counts.
var marks = []struct{ mark, licence string }{
	{"Mozilla Public License Version 2.0", "MPL-2.0"},
	{"Apache License Version 2.0", "Apache-2.0"},
	{"http://www.apache.org/licenses/LICENSE-2.0", "Apache-2.0"},
	{"Neither the name", "BSD-3-Clause"},
	{"names of its contributors may be used to endorse", "BSD-3-Clause"},
	{"Redistribution and use in source and binary forms", "BSD-2-Clause"},
	{"Permission is hereby granted, free of charge", "MIT"},
	{"Permission to use, copy, modify, and/or distribute this software", "ISC"},
	{"Permission to use, copy, modify, and distribute this software", "ISC"},
	{"released into the public domain", "Unlicense"},
}

// licenceOf returns the licence of a module by the text of its own licence file; empty where none is known.
func licenceOf(files []string) string {
	for _, file := range files {
		if base := strings.ToLower(filepath.Base(file)); strings.HasPrefix(base, "notice") || strings.HasPrefix(base, "patents") || strings.Contains(base, "-") {
			continue
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			return ""
		}
		text := strings.Join(strings.Fields(string(raw)), " ")
		for _, m := range marks {
			if strings.Contains(text, m.mark) {
				return m.licence
			}
		}
	}
	return ""
}

// packages returns the npm packages that the web app is made from: what its dependencies need, tools apart.
func packages(web string) ([]part, error) {
	raw, err := os.ReadFile(filepath.Join(web, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version  string `json:"version"`
			Licence  string `json:"license"`
			Dev      bool   `json:"dev"`
			Optional bool   `json:"optional"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(raw, &lock); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	var out []part
	for dir, p := range lock.Packages {
		if dir == "" { // the app itself
			continue
		}
		name := dir[strings.LastIndex(dir, "node_modules/")+len("node_modules/"):]
		if p.Dev || p.Optional || strings.HasPrefix(name, "@types/") { // types leave no trace in the app
			continue
		}
		texts, err := licencesIn(filepath.Join(web, dir))
		if err != nil && !os.IsNotExist(err) { // the list needs no packages, only a release does
			return nil, err
		}
		out = append(out, part{name: name, version: p.Version, licence: p.Licence, texts: texts})
	}
	slices.SortFunc(out, func(a, b part) int { return strings.Compare(a.name+" "+a.version, b.name+" "+b.version) })
	return out, nil
}

// card is what a model's card says of where it comes from.
type card struct {
	Name       string `json:"name"`
	Use        string `json:"use"`
	Package    string `json:"package"`
	Licence    string `json:"licence"`
	Provenance string `json:"provenance"`
	Documented bool   `json:"documented"`
}

func cards(dir string) ([]card, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var out []card
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var c card
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if c.Licence == "" || c.Provenance == "" {
			return nil, fmt.Errorf("%s: a card names licence and provenance", file)
		}
		out = append(out, c)
	}
	return out, nil
}
