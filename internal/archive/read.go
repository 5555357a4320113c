package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"reflect"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// Reader reads an archive, item by item. Whatever it hands out is to be believed only after Next answered io.EOF: then
// the seal was right and nothing follows it.
type Reader struct {
	r    *bufio.Reader
	sum  hash.Hash
	dec  cbor.DecMode
	mac  Mac
	head Head
	seen Foot
	wide int
	left int64 // bytes of the blob that is being read
	rest []byte
	err  error
}

// NewReader reads the head of an archive. Trust has to be called before the end.
func NewReader(r io.Reader) (*Reader, error) {
	dec, err := cbor.DecOptions{
		DupMapKey: cbor.DupMapKeyEnforcedAPF, MaxNestedLevels: 4, MaxArrayElements: 1024, MaxMapPairs: 16, IndefLength: cbor.IndefLengthForbidden,
		ExtraReturnErrors: cbor.ExtraDecErrorUnknownField, IntDec: cbor.IntDecConvertSignedOrFail, UTF8: cbor.UTF8RejectInvalid,
		DefaultMapType: reflect.TypeFor[map[string]any](),
	}.DecMode()
	if err != nil {
		return nil, fmt.Errorf("read a backup: %w", err)
	}
	out := &Reader{r: bufio.NewReaderSize(r, chunkSize), sum: sha256.New(), dec: dec}
	line := make([]byte, len(Format))
	_, err = io.ReadFull(out.r, line)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, cut(err)
	}
	if string(line) != Format {
		return nil, ErrNotArchive
	}
	_, _ = out.sum.Write(line)
	typ, payload, err := out.frame()
	if err != nil {
		return nil, err
	}
	if typ != frameHead {
		return nil, broken("it does not begin with its head")
	}
	return out, out.decode(payload, &out.head)
}

// Head says what the archive is. It is not to be believed before the end was read.
func (r *Reader) Head() Head { return r.head }

// Trust says by which keyed digest the seal is checked.
func (r *Reader) Trust(m Mac) { r.mac = m }

// Foot counts what was read.
func (r *Reader) Foot() Foot { return r.seen }

// Next answers the next Table, Row or Blob; io.EOF after the seal. What is left of a blob is skipped.
func (r *Reader) Next() (any, error) {
	if r.err != nil {
		return nil, r.err
	}
	item, err := r.next()
	r.err = err
	return item, err
}

func (r *Reader) next() (any, error) {
	if _, err := io.Copy(io.Discard, r); err != nil {
		return nil, err
	}
	typ, payload, err := r.frame()
	if err != nil {
		return nil, err
	}
	switch typ {
	case frameTable:
		var t Table
		err := r.decode(payload, &t)
		r.wide = len(t.Columns)
		return t, err
	case frameRow:
		return r.row(payload)
	case frameBlob:
		return r.blob(payload)
	case frameFoot:
		return nil, r.end(payload)
	default:
		return nil, broken("a part of kind %q is where it does not belong", typ)
	}
}

func (r *Reader) row(payload []byte) (Row, error) {
	var row []any
	if err := r.decode(payload, &row); err != nil {
		return nil, err
	}
	if r.wide == 0 || len(row) != r.wide {
		return nil, broken("a row of %d values in a table of %d columns", len(row), r.wide)
	}
	for _, v := range row {
		if !plain(v) {
			return nil, broken("a row holds a value of another kind")
		}
	}
	r.seen.Rows++
	return row, nil
}

func (r *Reader) blob(payload []byte) (Blob, error) {
	var b Blob
	if err := r.decode(payload, &b); err != nil {
		return b, err
	}
	if b.Size < 0 || b.Size > maxBlob || b.Name == "." || !fs.ValidPath(b.Name) {
		return b, broken("a blob has no fitting name or size")
	}
	r.left = b.Size
	r.seen.Blobs++
	r.seen.Bytes += b.Size
	return b, nil
}

// Read reads from the blob that began last.
func (r *Reader) Read(p []byte) (int, error) {
	if r.left == 0 && len(r.rest) == 0 {
		return 0, io.EOF
	}
	if len(r.rest) == 0 {
		typ, payload, err := r.frame()
		if err != nil {
			return 0, err
		}
		if typ != frameChunk || len(payload) == 0 || int64(len(payload)) > r.left {
			return 0, broken("a blob is not as long as it says")
		}
		r.rest = payload
		r.left -= int64(len(payload))
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// end checks foot and seal, and that nothing follows.
func (r *Reader) end(payload []byte) error {
	var foot Foot
	if err := r.decode(payload, &foot); err != nil {
		return err
	}
	r.seen.Missing = foot.Missing
	if foot != r.seen {
		return broken("it does not hold as much as it says")
	}
	if r.mac == nil {
		return errors.New("read a backup: nobody said how its seal is checked")
	}
	want, err := r.mac(r.sum.Sum(nil))
	if err != nil {
		return fmt.Errorf("check the seal of a backup: %w", err)
	}
	typ, seal, err := r.frame()
	if err != nil {
		return err
	}
	if typ != frameSeal || subtle.ConstantTimeCompare(seal, []byte(want)) != 1 {
		return broken("its seal is not right")
	}
	if _, err := r.r.ReadByte(); !errors.Is(err, io.EOF) {
		return broken("something follows its end")
	}
	return io.EOF
}

func plain(v any) bool {
	switch v.(type) {
	case nil, bool, int64, string, []byte, time.Time:
		return true
	default:
		return false
	}
}

func (r *Reader) decode(payload []byte, v any) error {
	if err := r.dec.Unmarshal(payload, v); err != nil {
		return broken("a part of it cannot be read")
	}
	return nil
}

// frame reads the next frame. Memory is taken as bytes arrive, not as a length promises them.
func (r *Reader) frame() (byte, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(r.r, head[:]); err != nil {
		return 0, nil, cut(err)
	}
	size := binary.BigEndian.Uint32(head[1:])
	if size > maxFrame {
		return 0, nil, broken("a part of %d bytes", size)
	}
	_, _ = r.sum.Write(head[:])
	var buf bytes.Buffer
	if _, err := io.CopyN(&buf, r.r, int64(size)); err != nil {
		return 0, nil, cut(err)
	}
	_, _ = r.sum.Write(buf.Bytes())
	return head[0], buf.Bytes(), nil
}

// cut tells an archive that ends too early, or whose encryption does not hold, from a disk that fails.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return broken("it ends before its end")
	}
	return fmt.Errorf("%w: %w", ErrBroken, err)
}

// Verify reads a whole archive and answers what it holds, if it is whole.
func Verify(r *Reader) (Foot, error) {
	for {
		_, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r.Foot(), nil
		}
		if err != nil {
			return Foot{}, err
		}
	}
}
