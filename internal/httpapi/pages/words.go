package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// wordFiles finds the file of each language of the applicant's pages in the manifest of the build. Without a manifest there are none, and
// the page finds its words by itself.
func wordFiles(files fs.FS) (map[string]string, error) {
	list, err := fs.ReadFile(files, "assets/applicant/manifest.json")
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	var built map[string]struct {
		File string `json:"file"`
	}
	if err := json.Unmarshal(list, &built); err != nil {
		return nil, fmt.Errorf("read the list of the web app's files: %w", err)
	}
	words := map[string]string{}
	for source, chunk := range built {
		if dir, name := path.Split(source); dir == "src/i18n/applicant/" {
			words[strings.TrimSuffix(name, ".json")] = chunk.File
		}
	}
	return words, nil
}

// ahead preloads in a page the file of the words that its browser is going to ask for. The page decides on its language itself: a
// wrong guess costs a few kilobytes.
func (s *site) ahead(page []byte, wanted string, offered []string) []byte {
	tags, _, err := language.ParseAcceptLanguage(wanted)
	if err != nil {
		return page
	}
	for _, tag := range append(tags, language.English) {
		base, _ := tag.Base()
		file, spoken := s.words[base.String()]
		if !spoken || len(offered) > 0 && !slices.Contains(offered, base.String()) {
			continue
		}
		link := `<link rel="modulepreload" crossorigin href="/` + file + `"></head>`
		return bytes.Replace(page, []byte("</head>"), []byte(link), 1)
	}
	return page
}
