package casefile

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Names of the parts that are always there.
const (
	contentName  = "case.json"
	pageName     = "case.html"
	manifestName = "manifest.json"
	proofName    = "proof.json"
)

// Manifest names every part but itself and the proof.
type Manifest struct {
	Format  string        `json:"format"`
	Session idv.SessionID `json:"session"`
	MadeAt  time.Time     `json:"made_at"`
	Entries []idv.AuditID `json:"entries"` // of the log, about the session, when the file was made
	Parts   []Part        `json:"parts"`
}

// Part is one file of the archive.
type Part struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // 64 hex characters
}

// proofs is proof.json.
type proofs struct {
	Format     string                   `json:"format"`
	Checkpoint audit.CheckpointDocument `json:"checkpoint"`
	Entries    []audit.PathDocument     `json:"entries"`
}

// Opener reads the bytes of a picture. They are asked for twice, one picture at a time, and have to be the same.
type Opener func(ctx context.Context) ([]byte, error)

// Draft is a file whose manifest is settled and whose proof is still to be had.
type Draft struct {
	Manifest []byte // as it is written
	Digest   string // of the manifest, as the audit entry names it

	madeAt   time.Time
	parts    map[string][]byte
	pictures []string
	open     map[string]Opener
}

// Prepare settles what is in a file. Digests of pictures are added to the content; those that could not
// be opened have no Opener.
func Prepare(ctx context.Context, c Content, entries []idv.AuditID, pictures map[string]Opener) (*Draft, error) {
	d := &Draft{madeAt: c.MadeAt, parts: map[string][]byte{}, open: pictures}
	m := Manifest{Format: ManifestFormat, Session: c.Session.ID, MadeAt: c.MadeAt, Entries: entries, Parts: []Part{}}
	for i := range c.Pictures {
		p := &c.Pictures[i]
		if p.Unopened {
			continue
		}
		raw, err := pictures[p.File](ctx)
		if err != nil {
			return nil, err
		}
		part := partOf(p.File, raw)
		p.SHA256 = idv.Digest(part.SHA256)
		m.Parts, d.pictures = append(m.Parts, part), append(d.pictures, p.File)
	}
	if err := d.addChips(ctx, &c, &m); err != nil {
		return nil, err
	}
	if err := d.addWallets(ctx, &c, &m); err != nil {
		return nil, err
	}
	var err error
	if d.parts[contentName], err = json.MarshalIndent(c, "", "  "); err != nil {
		return nil, fmt.Errorf("write a case file: %w", err)
	}
	if d.parts[pageName], err = page(c); err != nil {
		return nil, err
	}
	for _, name := range []string{contentName, pageName} {
		m.Parts = append(m.Parts, partOf(name, d.parts[name]))
	}
	slices.SortFunc(m.Parts, func(a, b Part) int { return strings.Compare(a.Name, b.Name) })
	if d.Manifest, err = json.MarshalIndent(m, "", "  "); err != nil {
		return nil, fmt.Errorf("write a case file: %w", err)
	}
	d.Digest = DigestOf(d.Manifest)
	return d, nil
}

// DigestOf is how an audit entry names a manifest, or a document: "sha256:" and 64 hex characters.
func DigestOf(made []byte) string {
	sum := sha256.Sum256(made)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func partOf(name string, raw []byte) Part {
	sum := sha256.Sum256(raw)
	return Part{Name: name, Size: int64(len(raw)), SHA256: hex.EncodeToString(sum[:])}
}

// Write writes the archive: the proofs have to have that of the entry that names the manifest. The same content gives the same
// bytes. An archive that was cut off has no table of contents and does not open.
func (d *Draft) Write(ctx context.Context, w io.Writer, entries []audit.Proof) error {
	if len(entries) == 0 {
		return errors.New("a case file without an audit entry")
	}
	list := proofs{Format: ProofFormat, Checkpoint: entries[0].Checkpoint.Document(entries[0].Key), Entries: []audit.PathDocument{}}
	for _, p := range entries {
		doc, err := p.Path()
		if err != nil {
			return err
		}
		list.Entries = append(list.Entries, doc)
	}
	proof, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return fmt.Errorf("write a case file: %w", err)
	}
	z := zip.NewWriter(w)
	for _, part := range []struct {
		name string
		raw  []byte
	}{{pageName, d.parts[pageName]}, {contentName, d.parts[contentName]}, {manifestName, d.Manifest}, {proofName, proof}} {
		if err := d.add(z, part.name, part.raw, zip.Deflate); err != nil {
			return err
		}
	}
	for _, name := range d.pictures {
		raw, err := d.open[name](ctx)
		if err != nil {
			return err
		}
		if err := d.add(z, name, raw, zip.Store); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("write a case file: %w", err)
	}
	return nil
}

func (d *Draft) add(z *zip.Writer, name string, raw []byte, method uint16) error {
	f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: d.madeAt})
	if err == nil {
		_, err = f.Write(raw)
	}
	if err != nil {
		return fmt.Errorf("write a case file: %w", err)
	}
	return nil
}
