package origin

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"time"

	"github.com/oschwald/maxminddb-golang/v2"
)

// Bounds of a file. A database of cities has some 100 MB; one of countries and systems, which is all that is asked, ten.
const (
	mostBytes = 512 << 20
	sampled   = 4096 // records from which it is told what a file answers
)

// The faults of a file, beside those of the operating system.
var (
	errTooLarge = fmt.Errorf("the file has more than %d MiB", mostBytes>>20)
	errNothing  = errors.New("no record of the file says a country, an autonomous system or a kind of network")
	errChanging = errors.New("the file is being written")
	errFormat   = errors.New("the file is damaged, or is no database in the MaxMind DB format")
)

// database is a file that was read.
type database struct {
	reader  *maxminddb.Reader
	answers answers
	built   time.Time
	title   string // as its maker names the type
}

// open reads a file and looks at the first records, to know what it answers and whether they can be read. info is of the file that was read;
// nil where it has to be read again, as it changed meanwhile.
func open(path string) (db *database, info os.FileInfo, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }()
	before, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	content, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err != nil || !sameFile(before, info) {
		return nil, nil, errors.Join(errChanging, err)
	}
	if len(content) > mostBytes {
		return nil, info, errTooLarge
	}
	db, err = parse(content)
	return db, info, err
}

// sameFile reports whether a file is as it was: of one size, and written at the same time.
func sameFile(a, b os.FileInfo) bool { return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) }

// parse reads the content of a file. A content that makes the library panic is damaged.
func parse(content []byte) (db *database, err error) {
	defer func() {
		if recover() != nil {
			db, err = nil, errFormat
		}
	}()
	reader, err := maxminddb.OpenBytes(content)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errFormat, err)
	}
	db = &database{reader: reader, built: reader.Metadata.BuildTime(), title: reader.Metadata.DatabaseType}
	n := 0
	for result := range reader.Networks(maxminddb.SkipEmptyValues()) {
		if n++; n > sampled {
			break
		}
		var record map[string]any
		if err := result.Decode(&record); err != nil {
			return nil, fmt.Errorf("%w: %w", errFormat, err)
		}
		db.answers = db.answers.and(read(record).answers)
	}
	if db.answers.none() {
		return nil, errNothing
	}
	return db, nil
}

// look reads what the file says of an address. An address that is not in it has an empty answer.
func (d *database) look(a netip.Addr) (out said, err error) {
	defer func() {
		if recover() != nil {
			out, err = said{}, errFormat
		}
	}()
	var record map[string]any
	result := d.reader.Lookup(a)
	if err := result.Err(); err != nil {
		return out, fmt.Errorf("%w: %w", errFormat, err)
	}
	if !result.Found() {
		return out, nil
	}
	if err := result.Decode(&record); err != nil {
		return out, fmt.Errorf("%w: %w", errFormat, err)
	}
	return read(record), nil
}
