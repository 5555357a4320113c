package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// paperKinds are the kinds of codes that a case as a document names as the console does.
var paperKinds = []string{
	"fact", "facts", "kind", "step", "state", "decision", "review", "event", "actor", "check", "checks", "hit.state", "hit.reason", "link.state",
	"link.reason", "notice", "assurance",
}

// paperWordsJSON returns the texts of the console that a case as a document has, by language and key.
func paperWordsJSON(root string) ([]byte, error) {
	from := filepath.Join(root, "web/src/i18n/console")
	english, err := textsOf(from)
	if err != nil {
		return nil, err
	}
	german, err := textsOf(filepath.Join(from, "de"))
	if err != nil {
		return nil, err
	}
	out := map[string]map[string]string{"en": {}, "de": {}}
	take := func(language string, texts map[string]string, key string) {
		if text := texts[key]; text != "" {
			out[language][key] = text
		}
	}
	for key := range english {
		for _, kind := range paperKinds {
			if strings.HasPrefix(key, kind+".") {
				take("en", english, key)
				take("de", german, key)
			}
		}
	}
	for _, k := range problem.All() {
		take("de", german, "problem."+k.Code+".reviewer")
		take("de", german, "problem."+k.Code+".title")
	}
	for _, row := range policy.RowNames() {
		take("de", german, "said."+row)
	}
	paper, err := textsIn(filepath.Join(from, "de/paper.json"))
	if err != nil {
		return nil, err
	}
	for key, text := range paper {
		out["de"]["paper."+key] = text
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return nil, fmt.Errorf("the words of a case as a document: %w", err)
	}
	return b.Bytes(), nil
}

// textsOf reads the texts of the files of a folder.
func textsOf(folder string) (map[string]string, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, path := range paths {
		texts, err := textsIn(path)
		if err != nil {
			return nil, err
		}
		maps.Copy(out, texts)
	}
	return out, nil
}

// textsIn reads the texts of a file, without those that have plural forms.
func textsIn(path string) (map[string]string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := map[string]any{}
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	out := map[string]string{}
	for key, text := range all {
		if one, ok := text.(string); ok {
			out[key] = one
		}
	}
	return out, nil
}
