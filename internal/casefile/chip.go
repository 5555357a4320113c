package casefile

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Chip is what was read from the chip of a document, each file as it was read, and what was found about it then. With both, whoever has
// the file proves it again.
type Chip struct {
	At    time.Time  `json:"at"`
	Files []ChipFile `json:"files"`
	Found *idv.Chip  `json:"found"` // null where nobody could look at it
}

// ChipFile is a file of a chip in the archive.
type ChipFile struct {
	File   string     `json:"file"` // of the archive
	Name   string     `json:"name"` // EF.COM, EF.SOD, DG1 to DG16; challenge and response of Active Authentication; agreement of Chip Authentication
	SHA256 idv.Digest `json:"sha256"`
}

// Names of what a chip was asked, and what it answered.
const (
	ChipAsked    = "challenge"
	ChipAnswered = "response"
	ChipAgreed   = "agreement" // JSON of idv.ChipAgreement: Chip Authentication that the server led
)

// ReadChip is a chip of a case file, with the bytes of its files.
type ReadChip struct {
	idv.ChipRead
	Found idv.Chip
}

// readContent reads the content of a file for which Verify holds, and returns the parts of the archive.
func readContent(r io.ReaderAt, size int64, into any) (map[string]*zip.File, error) {
	files, err := partsOf(r, size)
	if err != nil {
		return nil, err
	}
	raw, err := partBytes(files, contentName)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return nil, fmt.Errorf("%w: %s is not JSON", audit.ErrTampered, contentName)
	}
	return files, nil
}

// Chips reads the chips that were looked at from a file for which Verify holds.
func Chips(r io.ReaderAt, size int64) ([]ReadChip, error) {
	var content struct {
		Chips []Chip `json:"chips"`
	}
	files, err := readContent(r, size, &content)
	if err != nil {
		return nil, err
	}
	var out []ReadChip
	for _, c := range content.Chips {
		if c.Found == nil {
			continue
		}
		read := ReadChip{ChipRead: idv.ChipRead{ReceivedAt: c.Found.CheckedAt, Relayed: c.Found.Relayed}, Found: *c.Found}
		for _, f := range c.Files {
			b, err := partBytes(files, f.File)
			if err != nil {
				return nil, err
			}
			switch f.Name {
			case ChipAsked:
				read.Challenge = b
			case ChipAnswered:
				read.Response = b
			case ChipAgreed:
				if err := json.Unmarshal(b, &read.Agreement); err != nil {
					return nil, fmt.Errorf("%w: %s is not JSON", audit.ErrTampered, f.File)
				}
			default:
				read.Files = append(read.Files, idv.ChipFile{Name: f.Name, Bytes: b})
			}
		}
		out = append(out, read)
	}
	return out, nil
}

// partsOf returns the parts of a case file by their names.
func partsOf(r io.ReaderAt, size int64) (map[string]*zip.File, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("%w: it is no ZIP archive, or was cut off", audit.ErrNotReadable)
	}
	files := map[string]*zip.File{}
	for _, f := range z.File {
		files[f.Name] = f
	}
	return files, nil
}

func partBytes(files map[string]*zip.File, name string) ([]byte, error) {
	f := files[name]
	if f == nil {
		return nil, fmt.Errorf("%w: %q is missing", audit.ErrTampered, name)
	}
	var b bytes.Buffer
	err := readPart(f, &b)
	return b.Bytes(), err
}

// NameOfChipFile is the name of a file of a chip by its place in the archive.
func NameOfChipFile(file string) string {
	return strings.TrimSuffix(file[strings.LastIndexByte(file, '/')+1:], ".bin")
}

// addChips adds the files of chips to the manifest, and their digests to the content.
func (d *Draft) addChips(ctx context.Context, c *Content, m *Manifest) error {
	for _, chip := range c.Chips {
		for i := range chip.Files {
			f := &chip.Files[i]
			raw, err := d.open[f.File](ctx)
			if err != nil {
				return err
			}
			part := partOf(f.File, raw)
			f.SHA256 = idv.Digest(part.SHA256)
			m.Parts, d.pictures = append(m.Parts, part), append(d.pictures, f.File)
		}
	}
	return nil
}
