package pages

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
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
