// Package archive is the form of a backup: a stream of rows and sealed blobs that says itself whether it is whole.
//
// An archive is a line that names the form and then frames: a head, for each table a frame with its columns and one for each
// row, for each blob a frame with its name and some with its bytes, a foot that counts them, and a seal. The seal is a keyed
// digest of everything before it. Its key is the deployment's, which the head carries wrapped by the master key: so nobody
// without the master key can make an archive that is accepted, cut one short, or change one. On disk the stream is encrypted
// by age to the operator (see Encrypt), so that the machine that makes backups cannot read them.
package archive

import (
	"errors"
	"fmt"
	"time"
)

// Format is the first line of an archive.
const Format = "bonafide-backup-1\n"

// Kind says what an archive holds.
type Kind string

// The kinds. A backup is one of each: data without the keys of its sessions is erased data.
const (
	Data Kind = "data" // everything but the keysets of sessions, and the blobs
	Keys Kind = "keys" // the keysets of sessions, and what was erased
	Dump Kind = "dump" // both, without blobs: a sample of a schema, for tests
)

// Head says what an archive is.
type Head struct {
	Kind       Kind      `cbor:"kind"`
	ID         string    `cbor:"id"`         // of the backup; the same in its two archives
	MadeAt     time.Time `cbor:"made_at"`    // everything that was committed before is in it
	Schema     int64     `cbor:"schema"`     // number of the newest migration
	Engine     string    `cbor:"engine"`     // sqlite or postgres
	Deployment []byte    `cbor:"deployment"` // the deployment's keyset, wrapped by the master key
}

// Table begins the rows of a table.
type Table struct {
	Name    string   `cbor:"name"`
	Columns []string `cbor:"columns"`
}

// Row is a row of the table that began last: nil, bool, int64, string, []byte or time.Time, one a column.
type Row []any

// Blob begins a blob. Its bytes are read from the Reader until the next call of Next.
type Blob struct {
	Name string `cbor:"name"`
	Size int64  `cbor:"size"`
}

// Foot counts what an archive holds.
type Foot struct {
	Rows    int64 `cbor:"rows"`
	Blobs   int64 `cbor:"blobs"`
	Bytes   int64 `cbor:"bytes"`   // of blobs
	Missing int64 `cbor:"missing"` // blobs that rows name and that were not there
}

// Mac is a keyed digest: vault.Keyset.Digest of the deployment's keyset, under a label of its own.
type Mac func(sum []byte) (string, error)

// MacLabel is the label of the keyed digest.
const MacLabel = "backup.seal"

// What an archive can be refused for.
var (
	ErrNotArchive = errors.New("this is not a backup of Bonafide, or of a version that this binary does not know")
	ErrBroken     = errors.New("the backup is damaged, cut short or was altered")
)

// Limits of what is read.
const (
	maxFrame  = 64 << 20
	maxBlob   = 1 << 30
	chunkSize = 256 << 10
)

// The types of frames.
const (
	frameHead  = 'H'
	frameTable = 'T'
	frameRow   = 'R'
	frameBlob  = 'B'
	frameChunk = 'C'
	frameFoot  = 'F'
	frameSeal  = 'S'
)

func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrBroken, fmt.Sprintf(format, args...))
}
