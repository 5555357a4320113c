package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Failure is one case in which a reader failed, kept so that a person can look. Only generated pictures may be kept.
type Failure struct {
	Name    string   `json:"name"`    // of the case; unique in its gallery
	Picture string   `json:"picture"` // file name beside the list
	What    string   `json:"what"`    // what went wrong, in words
	Want    []string `json:"want"`    // line by line
	Got     []string `json:"got"`     // line by line
	Notes   []string `json:"notes"`   // what was hard about the picture
}

// Gallery collects failures in a folder: JPEG pictures and failures.json.
type Gallery struct {
	dir  string
	most int
	kept []Failure
}

// The pictures of a gallery are for a page: this many, at most this large.
const (
	galleryMost    = 12
	galleryLongest = 900
	galleryQuality = 72
)

// NewGallery opens a folder, made if missing. An empty dir gives a gallery that keeps nothing.
func NewGallery(dir string) (*Gallery, error) {
	if dir == "" {
		return &Gallery{}, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // pictures of nobody
		return nil, fmt.Errorf("open the gallery: %w", err)
	}
	return &Gallery{dir: dir, most: galleryMost, kept: []Failure{}}, nil
}

// Add keeps a failure with a reduced copy of its picture, as long as there is room. It is not safe for concurrent use.
func (g *Gallery) Add(f Failure, picture *imaging.RGB) error {
	if len(g.kept) >= g.most {
		return nil
	}
	small, _ := picture.Fit(galleryLongest)
	raw, err := imaging.EncodeJPEG(small, galleryQuality)
	if err != nil {
		return fmt.Errorf("keep %s: %w", f.Name, err)
	}
	f.Picture = f.Name + ".jpg"
	if err := os.WriteFile(filepath.Join(g.dir, f.Picture), raw, 0o644); err != nil { //nolint:gosec // a picture of nobody
		return fmt.Errorf("keep %s: %w", f.Name, err)
	}
	g.kept = append(g.kept, f)
	return nil
}

// Close writes the list, and removes pictures of an earlier run that it does not name.
func (g *Gallery) Close() error {
	if g.dir == "" {
		return nil
	}
	named := map[string]bool{}
	for _, f := range g.kept {
		named[f.Picture] = true
	}
	old, err := filepath.Glob(filepath.Join(g.dir, "*.jpg"))
	if err != nil {
		return fmt.Errorf("close the gallery: %w", err)
	}
	for _, file := range old {
		if !named[filepath.Base(file)] {
			if err := os.Remove(file); err != nil {
				return fmt.Errorf("close the gallery: %w", err)
			}
		}
	}
	raw, err := json.MarshalIndent(g.kept, "", "  ")
	if err != nil {
		return fmt.Errorf("close the gallery: %w", err)
	}
	return os.WriteFile(filepath.Join(g.dir, galleryList), append(raw, '\n'), 0o644) //nolint:gosec // pictures of nobody
}

const galleryList = "failures.json"

// ReadGallery lists what a folder keeps; nothing where there is no gallery.
func ReadGallery(dir string) ([]Failure, error) {
	raw, err := os.ReadFile(filepath.Join(dir, galleryList))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the gallery: %w", err)
	}
	var out []Failure
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, fmt.Errorf("read the gallery: %w", err)
	}
	return out, nil
}
