package casefile

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Bounds of a file that is read: it comes from anywhere.
const (
	mostParts     = 5000
	mostPartBytes = 64 << 20
)

// Verify reads a case file and checks everything that can be checked without the log: that every part is the one that the
// manifest names and no other is there, that an entry of the log names the manifest, and that this entry and every other of the
// session stand under the signed checkpoint. audit.ErrTampered if it does not hold, audit.ErrNotReadable if it is something else.
func Verify(r io.ReaderAt, size int64) (audit.Held, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return audit.Held{}, fmt.Errorf("%w: it is no ZIP archive, or was cut off", audit.ErrNotReadable)
	}
	if len(z.File) > mostParts {
		return audit.Held{}, fmt.Errorf("%w: %d parts", audit.ErrNotReadable, len(z.File))
	}
	files := map[string]*zip.File{}
	for _, f := range z.File {
		if files[f.Name] != nil {
			return audit.Held{}, fmt.Errorf("%w: %q is there twice", audit.ErrTampered, f.Name)
		}
		files[f.Name] = f
	}
	var m Manifest
	raw, err := readJSON(files, manifestName, ManifestFormat, &m)
	if err != nil {
		return audit.Held{}, err
	}
	if err := m.covers(files); err != nil {
		return audit.Held{}, err
	}
	var list proofs
	if _, err := readJSON(files, proofName, ProofFormat, &list); err != nil {
		return audit.Held{}, err
	}
	held, err := list.check(m, DigestOf(raw))
	if err != nil {
		return held, err
	}
	lacks, err := unopened(files[contentName])
	held.Says = append(held.Says, lacks...)
	return held, err
}

// unopened says how many pictures case.json names that are not in the file. The file has to hold already.
func unopened(content *zip.File) ([]string, error) {
	if content == nil {
		return nil, nil
	}
	var raw bytes.Buffer
	if err := readPart(content, &raw); err != nil {
		return nil, err
	}
	var c struct {
		Pictures []Picture `json:"pictures"`
	}
	if err := json.Unmarshal(raw.Bytes(), &c); err != nil {
		return nil, fmt.Errorf("%w: %s is not JSON", audit.ErrTampered, contentName)
	}
	n := 0
	for _, p := range c.Pictures {
		if p.Unopened {
			n++
		}
	}
	if n == 0 {
		return nil, nil
	}
	return []string{
		fmt.Sprintf("Pictures that could not be opened when the file was made, and are not in it: %d. %s has the SHA-256 of what was sent.", n, contentName),
	}, nil
}

// readJSON reads a part of the archive that holds JSON of a format.
func readJSON(files map[string]*zip.File, name, format string, into any) ([]byte, error) {
	f := files[name]
	if f == nil {
		return nil, fmt.Errorf("%w: there is no %s", audit.ErrNotReadable, name)
	}
	var out bytes.Buffer
	if err := readPart(f, &out); err != nil {
		return nil, err
	}
	raw := out.Bytes()
	var head struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, fmt.Errorf("%w: %s is not JSON", audit.ErrTampered, name)
	}
	if head.Format != format {
		return nil, fmt.Errorf("%w: %s of format %.40q", audit.ErrNotReadable, name, head.Format)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", audit.ErrTampered, name, err)
	}
	return raw, nil
}

// readPart reads a part to its end, which also checks its length and sum. Too much of it is refused.
func readPart(f *zip.File, into io.Writer) error {
	body, err := f.Open()
	if err != nil {
		return fmt.Errorf("%w: %q cannot be read", audit.ErrTampered, f.Name)
	}
	n, err := io.Copy(into, io.LimitReader(body, mostPartBytes+1))
	if err = errors.Join(err, body.Close()); err != nil {
		return fmt.Errorf("%w: %q cannot be read to its end", audit.ErrTampered, f.Name)
	}
	if n > mostPartBytes {
		return fmt.Errorf("%w: %q is larger than %d bytes", audit.ErrNotReadable, f.Name, mostPartBytes)
	}
	return nil
}

// covers compares the archive with the manifest, both ways.
func (m Manifest) covers(files map[string]*zip.File) error {
	named := map[string]bool{manifestName: true, proofName: true}
	for _, p := range m.Parts {
		f := files[p.Name]
		if f == nil || named[p.Name] {
			return fmt.Errorf("%w: %q is missing", audit.ErrTampered, p.Name)
		}
		named[p.Name] = true
		sum := sha256.New()
		if err := readPart(f, sum); err != nil {
			return err
		}
		if hex.EncodeToString(sum.Sum(nil)) != p.SHA256 {
			return fmt.Errorf("%w: %q was altered", audit.ErrTampered, p.Name)
		}
	}
	for name := range files {
		if !named[name] {
			return fmt.Errorf("%w: %q was added", audit.ErrTampered, name)
		}
	}
	return nil
}

// check proves every entry, that one of them names the manifest, and that none that the manifest names is left out.
func (l proofs) check(m Manifest, digest string) (audit.Held, error) {
	out := audit.Held{What: "case file"}
	var seen []idv.AuditID
	var filed *audit.Entry
	for _, doc := range l.Entries {
		p, err := doc.Under(l.Checkpoint).Proof()
		if err == nil {
			err = p.Check()
		}
		if err != nil {
			return out, err
		}
		if p.Entry.Session != m.Session {
			return out, fmt.Errorf("%w: position %d is about another session", audit.ErrTampered, p.Entry.Position)
		}
		if p.Entry.Action == Action && p.Entry.Subject == digest {
			filed = &p.Entry
		}
		seen, out.Key = append(seen, p.Entry.ID), p.Key
		out.Says = append(out.Says, p.Entry.String())
	}
	if filed == nil {
		return out, fmt.Errorf("%w: no entry of the log names this manifest", audit.ErrTampered)
	}
	for _, id := range m.Entries {
		if !slices.Contains(seen, id) {
			return out, fmt.Errorf("%w: the entry %s was left out", audit.ErrTampered, id)
		}
	}
	out.Says = append(
		out.Says,
		fmt.Sprintf("All %d parts are as they were when position %d was written: %s is the file's manifest.", len(m.Parts), filed.Position, digest),
	)
	return out, nil
}
