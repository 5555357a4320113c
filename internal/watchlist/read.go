package watchlist

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Format is how a list is written.
type Format string

// Formats that are read.
const (
	OFACXML      Format = "ofac-xml"      // SDN.XML, CONSOLIDATED.XML
	OFACAdvanced Format = "ofac-advanced" // SDN_ADVANCED.XML
	OFACCSV      Format = "ofac-csv"      // SDN.CSV, with ALT.CSV beside it
	UN           Format = "un"            // consolidated.xml
	EU           Format = "eu"            // xmlFullSanctionsList_1_1
	UK           Format = "uk"            // UK-Sanctions-List.xml
	SECO         Format = "seco"          // the whole Swiss list
	FtM          Format = "ftm"           // OpenSanctions, entities.ftm.json
	FtMDelta     Format = "ftm-delta"     // OpenSanctions, entities.delta.json
	OwnCSV       Format = "own-csv"
	OwnJSON      Format = "own-json"
)

// Errors of a file as a whole.
var (
	ErrNotAList = errors.New("watchlist: not a list of a known format")
	ErrHostile  = errors.New("watchlist: a document type definition, an entry or a depth beyond the limits")
	ErrBroken   = errors.New("watchlist: the file ends or breaks off in the middle")
	ErrTooLarge = errors.New("watchlist: the file is larger than 2 GiB")
)

// Limits of a file.
const (
	maxFile  = 2 << 30
	maxEntry = 8 << 20 // bytes of one entry
	maxDepth = 64
	peek     = 64 << 10
)

// Op is what a line of a delta does.
type Op string

// Ops of a delta; Put is all that other formats have.
const (
	Put    Op = "put"
	Delete Op = "delete"
)

// Change is one entry as read.
type Change struct {
	Op     Op
	Entity Entity
}

// Summary is what was read.
type Summary struct {
	Format    Format    `json:"format"`
	SHA256    string    `json:"sha256"` // of the whole file
	Bytes     int64     `json:"bytes"`
	Published time.Time `json:"published,omitzero"` // as the file says
	Entities  int       `json:"entities"`
	Persons   int       `json:"persons"`
	Names     int       `json:"names"`
	Rejected  int       `json:"rejected"` // entries that could not be read
	// RejectedRows are the lines of the first of them, from 1 on, where the format has an entry a line.
	RejectedRows []int `json:"rejected_rows,omitempty"`
}

// mostRejectedRows is how many lines that could not be read are named.
const mostRejectedRows = 20

// Options are what some formats need beside the list.
type Options struct {
	Aliases io.Reader // ALT.CSV beside SDN.CSV
}

// reading is a file while it is read.
type reading struct {
	Summary
	in      *bufio.Reader
	row     int // the line that is read, from 1 on; 0 where the format has none
	counted *counter
	each    func(Change, Format) error
	options Options
}

// counter counts and digests what passes, and ends what is too large.
type counter struct {
	r     io.Reader
	sum   interface{ Write([]byte) (int, error) }
	n     int64
	since int64 // bytes since the last entry ended
}

func (c *counter) Read(p []byte) (int, error) {
	if c.n >= maxFile {
		return 0, ErrTooLarge
	}
	if c.since > maxEntry+peek {
		return 0, ErrHostile
	}
	n, err := c.r.Read(p)
	_, _ = c.sum.Write(p[:n])
	c.n += int64(n)
	c.since += int64(n)
	return n, err
}

// Read reads a list and calls each for every entry, in the order of the file. The format is found from the content, whatever the
// file is called. It returns [ErrNotAList], [ErrHostile], [ErrBroken] or [ErrTooLarge] for the file as a whole, and the error
// of each, which ends it.
func Read(r io.Reader, o Options, each func(Change, Format) error) (Summary, error) {
	sum := sha256.New()
	c := &counter{r: r, sum: sum}
	f := &reading{in: bufio.NewReaderSize(c, peek), counted: c, each: each, options: o}
	read, err := f.reader()
	if err != nil {
		return f.Summary, err
	}
	if err = read(f); err == nil {
		c.since = 0
		_, err = io.Copy(io.Discard, resetting{f})
	}
	f.SHA256, f.Bytes = hex.EncodeToString(sum.Sum(nil)), c.n
	return f.Summary, err
}

// resetting reads what follows the last entry.
type resetting struct{ f *reading }

func (r resetting) Read(p []byte) (int, error) {
	r.f.counted.since = 0
	return r.f.in.Read(p)
}

// reader finds the format from the beginning of the file.
func (f *reading) reader() (func(*reading) error, error) {
	head, err := f.in.Peek(peek)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, fmt.Errorf("read the list: %w", err)
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		_, _ = f.in.Discard(3)
		head = head[3:]
	}
	text := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case len(text) == 0 || bytes.IndexByte(text[:min(len(text), 512)], 0) >= 0:
		return nil, ErrNotAList
	case text[0] == '<':
		return f.xmlReader(text)
	case text[0] == '{':
		return f.jsonReader(text), nil
	}
	line, _, _ := strings.Cut(string(text), "\n")
	switch fields := strings.Split(strings.ToLower(line), ","); {
	case isSDN(line):
		f.Format = OFACCSV
		return readSDN, nil
	case len(fields) > 1 && hasColumn(fields, "name"):
		f.Format = OwnCSV
		return readOwnCSV, nil
	}
	return nil, ErrNotAList
}

func (f *reading) jsonReader(text []byte) func(*reading) error {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case bytes.Contains(line, []byte(`"op"`)) && bytes.Contains(line, []byte(`"entity"`)):
		f.Format = FtMDelta
	case bytes.Contains(line, []byte(`"schema"`)) && bytes.Contains(line, []byte(`"properties"`)):
		f.Format = FtM
	default:
		f.Format = OwnJSON
	}
	return readLines
}

// put counts an entry and hands it on; one that cannot be used is counted as rejected.
func (f *reading) put(c Change) error {
	f.counted.since = 0
	if c.Op == Delete {
		if c.Entity.ID == "" {
			f.reject()
			return nil
		}
		return f.each(c, f.Format)
	}
	if !c.Entity.tidy() {
		f.reject()
		return nil
	}
	f.Count(c.Entity)
	return f.each(c, f.Format)
}

// reject counts an entry that cannot be read.
func (f *reading) reject() {
	f.Rejected++
	if f.row > 0 && len(f.RejectedRows) < mostRejectedRows {
		f.RejectedRows = append(f.RejectedRows, f.row)
	}
}

// Count adds an entry to the summary.
func (s *Summary) Count(e Entity) {
	s.Entities++
	if e.Kind == Person {
		s.Persons++
	}
	s.Names += len(e.Names)
}
