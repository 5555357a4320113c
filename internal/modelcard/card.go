// Package modelcard holds what is known of each model: what it is for, which file it is (by digest), where it comes
// from and how often it errs. A threshold without measured error rates does not ship, so calibration is part of the
// card. The program refuses a file whose digest is not the card's.
//
// A deployment swaps a model by laying another card and file over the built-in ones.
package modelcard

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"runtime"
)

// Card describes one file of the pack. It is stored as JSON in models/cards.
type Card struct {
	Name    string `json:"name"` // what the program calls it, for example "face-template"
	Use     string `json:"use"`
	File    string `json:"file"`    // its name in the pack
	SHA256  string `json:"sha256"`  // of the file, 64 lower-case hex digits; empty while a model is not published
	Version string `json:"version"` // recorded with each finding that rests on the model
	Package string `json:"package"` // npm package and exact version; without an @version it is our own
	Source  string `json:"source"`  // path in that package; empty if it is our own
	// Arch replaces Source and SHA256 on other processors than x86-64, by GOARCH.
	Arch       map[string]ArchFile `json:"arch,omitempty"`
	Licence    string              `json:"licence"`    // as the package states it
	Provenance string              `json:"provenance"` // as far as known; "undocumented" where it is
	// Documented says that its makers state who they are and what it was trained on. Documents are where.
	Documented bool     `json:"documented"`
	Documents  []string `json:"documents,omitempty"`
	Evaluation string   `json:"evaluation"` // by whom, and for whom, its errors were measured; says so where nobody did
	Input      string   `json:"input,omitempty"`
	Output     string   `json:"output,omitempty"`
	// TFLite is the part of Source that was rewritten as ONNX (models/tflite.mjs); nil where Source is the file itself.
	TFLite *TFLite `json:"tflite,omitempty"`
	// Fused describes the source that models/fuse.mjs rewrote for speed; nil if the pack holds the source itself.
	Fused *Fused `json:"fused,omitempty"`
	// Compressed says that the pack holds the file gzipped, under File + ".gz". SHA256 is of the file itself.
	Compressed  bool         `json:"compressed,omitempty"`
	Calibration *Calibration `json:"calibration,omitempty"`
	Notes       []string     `json:"notes,omitempty"` // measured behaviour that has no curve, and limits
}

// ArchFile is the file of a card for one kind of processor.
type ArchFile struct {
	Source string `json:"source"`
	SHA256 string `json:"sha256"`
}

// TFLite is a TensorFlow Lite network within a file.
type TFLite struct {
	Offset  int64  `json:"offset"`
	Length  int64  `json:"length"`
	SHA256  string `json:"sha256"`            // of that part
	AnySize bool   `json:"anySize,omitempty"` // written so that it takes pictures of every size that its strides divide
}

// Fused is a network before it was rewritten for speed.
type Fused struct {
	SHA256 string `json:"sha256"`
}

var (
	digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
	fileForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)
)

func parseCard(b []byte) (Card, error) {
	var c Card
	if err := json.Unmarshal(b, &c); err != nil {
		return c, err
	}
	if of, ok := c.Arch[runtime.GOARCH]; ok {
		c.Source, c.SHA256 = of.Source, of.SHA256
	}
	switch {
	case c.Name == "":
		return c, errors.New("no name")
	case !fileForm.MatchString(c.File):
		return c, fmt.Errorf("card %s: file %q is not a plain file name", c.Name, c.File)
	case c.SHA256 != "" && !digestForm.MatchString(c.SHA256):
		return c, fmt.Errorf("card %s: sha256 is not 64 lower-case hex digits", c.Name)
	}
	if c.Calibration != nil {
		if err := c.Calibration.validate(); err != nil {
			return c, fmt.Errorf("card %s: %w", c.Name, err)
		}
	}
	return c, nil
}
