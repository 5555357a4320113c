package watchlist

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// State is what a version of a list is.
type State string

// States of versions. One version of a list is active.
const (
	Active  State = "active"
	Held    State = "held"
	Retired State = "retired"
)

// Version is one version of a list in a folder.
type Version struct {
	Summary
	State State     `json:"state"`
	Why   []Reason  `json:"why,omitempty"` // it is held
	Added time.Time `json:"added"`
}

// List is a list of a folder with its versions, the newest first.
type List struct {
	Name     string    `json:"name"`
	Versions []Version `json:"versions"`
}

// Active returns the version in use.
func (l List) Active() (Version, bool) {
	for _, v := range l.Versions {
		if v.State == Active {
			return v, true
		}
	}
	return Version{}, false
}

// maxVersions is how many versions of a list are kept.
const maxVersions = 10

// Folder keeps lists as files: one folder for each list, with versions.json and the entries of each version.
type Folder struct{ dir string }

// OpenFolder returns the folder, which is made when the first list is added.
func OpenFolder(dir string) Folder { return Folder{dir} }

var listName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,40}$`)

// ErrName is a name that no list can have.
var ErrName = errors.New("watchlist: the name of a list has small letters, digits and hyphens")

// ErrNoBase is a delta for a list that is not there.
var ErrNoBase = errors.New("watchlist: a delta needs a list that it changes")

// Lists returns all lists in order of their names.
func (f Folder) Lists() ([]List, error) {
	entries, err := os.ReadDir(f.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the folder of lists: %w", err)
	}
	var out []List
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		l, err := f.list(e.Name())
		if err != nil {
			return nil, err
		}
		if len(l.Versions) > 0 {
			out = append(out, l)
		}
	}
	return out, nil
}

func (f Folder) list(name string) (List, error) {
	l := List{Name: name}
	raw, err := os.ReadFile(filepath.Join(f.dir, name, "versions.json"))
	if errors.Is(err, os.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return l, fmt.Errorf("read the versions of %s: %w", name, err)
	}
	if err := json.Unmarshal(raw, &l.Versions); err != nil {
		return l, fmt.Errorf("read the versions of %s: %w", name, err)
	}
	return l, nil
}

// Add reads a list and makes it the active version, or holds it where a guard says so and force is not set. A version that is
// empty is held in any case. What was active stays active until the new version is whole on disk.
func (f Folder) Add(name string, r io.Reader, o Options, force bool, now time.Time) (Version, error) {
	if !listName.MatchString(name) {
		return Version{}, ErrName
	}
	l, err := f.list(name)
	if err != nil {
		return Version{}, err
	}
	dir := filepath.Join(f.dir, name)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return Version{}, fmt.Errorf("make the folder of %s: %w", name, err)
	}
	active, _ := l.Active()
	s, tmp, err := f.write(dir, r, o, active)
	if err != nil {
		return Version{}, err
	}
	v := Version{Summary: s, State: Active, Why: Guard(active.Summary, s), Added: now}
	if len(v.Why) > 0 && (!force || slices.Contains(v.Why, HeldEmpty)) {
		v.State = Held
	}
	if err := os.Rename(tmp, f.entries(name, v)); err != nil {
		return Version{}, fmt.Errorf("keep the entries: %w", err)
	}
	return v, f.keep(l, v)
}

func (f Folder) entries(name string, v Version) string {
	return filepath.Join(f.dir, name, v.SHA256+".jsonl.gz")
}

// write reads a list into a file of entries beside the others and returns its path.
func (f Folder) write(dir string, r io.Reader, o Options, active Version) (Summary, string, error) {
	tmp, err := os.CreateTemp(dir, "new-*")
	if err != nil {
		return Summary{}, "", fmt.Errorf("make a file for the entries: %w", err)
	}
	packed := gzip.NewWriter(tmp)
	lines := json.NewEncoder(packed)
	var changes []Change // of a delta, which is small beside what it changes
	s, err := Read(r, o, func(c Change, format Format) error {
		if format == FtMDelta {
			changes = append(changes, c)
			return nil
		}
		return lines.Encode(c.Entity)
	})
	if err == nil && s.Format == FtMDelta {
		err = f.apply(lines, &s, filepath.Base(dir), active, changes)
	}
	err = errors.Join(err, packed.Close(), tmp.Sync(), tmp.Close())
	if err != nil {
		_ = os.Remove(tmp.Name())
		return s, "", err
	}
	return s, tmp.Name(), nil
}

// apply writes the active version with the changes of a delta, and counts what is then there.
func (f Folder) apply(lines *json.Encoder, s *Summary, name string, active Version, changes []Change) error {
	if active.SHA256 == "" {
		return ErrNoBase
	}
	changed := map[string]Change{}
	for _, c := range changes {
		changed[c.Entity.ID] = c
	}
	s.Entities, s.Persons, s.Names = 0, 0, 0
	put := func(e Entity) error {
		s.Count(e)
		return lines.Encode(e)
	}
	err := f.Entities(name, active, func(e Entity) error {
		if _, ok := changed[e.ID]; ok {
			return nil
		}
		return put(e)
	})
	for _, c := range changes {
		if err == nil && c.Op == Put && changed[c.Entity.ID].Op == Put {
			err = put(c.Entity)
		}
	}
	return err
}

// keep writes the versions with the new one, and removes what is too many. The file is replaced whole.
func (f Folder) keep(l List, v Version) error {
	versions := []Version{v}
	for _, old := range l.Versions {
		if old.SHA256 == v.SHA256 {
			if old.State == Active && v.State == Held {
				versions[0] = old // the same file again changes nothing
			}
			continue
		}
		if old.State == Active && v.State == Active {
			old.State = Retired
		}
		versions = append(versions, old)
	}
	var gone []Version
	for len(versions) > maxVersions {
		last := len(versions) - 1
		if versions[last].State == Active {
			last--
		}
		gone = append(gone, versions[last])
		versions = slices.Delete(versions, last, last+1)
	}
	raw, err := json.MarshalIndent(versions, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the versions: %w", err)
	}
	path := filepath.Join(f.dir, l.Name, "versions.json")
	if err := os.WriteFile(path+".new", raw, 0o600); err != nil {
		return fmt.Errorf("write the versions: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("write the versions: %w", err)
	}
	for _, g := range gone {
		_ = os.Remove(f.entries(l.Name, g))
	}
	return nil
}

// Entities calls each for every entry of a version.
func (f Folder) Entities(name string, v Version, each func(Entity) error) error {
	file, err := os.Open(f.entries(name, v))
	if err != nil {
		return fmt.Errorf("open the entries of %s: %w", name, err)
	}
	defer func() { _ = file.Close() }()
	packed, err := gzip.NewReader(bufio.NewReaderSize(file, peek))
	if err != nil {
		return fmt.Errorf("read the entries of %s: %w", name, err)
	}
	lines := json.NewDecoder(packed)
	for {
		var e Entity
		err := lines.Decode(&e)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the entries of %s: %w", name, err)
		}
		if err := each(e); err != nil {
			return err
		}
	}
}
