package archive

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// Writer writes an archive. What was written counts only after Close.
type Writer struct {
	w    *bufio.Writer
	sum  hash.Hash
	mac  Mac
	enc  cbor.EncMode
	foot Foot
	wide int // columns of the table that is being written
}

// NewWriter begins an archive.
func NewWriter(w io.Writer, h Head, mac Mac) (*Writer, error) {
	enc, err := cbor.EncOptions{Sort: cbor.SortCoreDeterministic, Time: cbor.TimeRFC3339NanoUTC, TimeTag: cbor.EncTagRequired}.EncMode()
	if err != nil {
		return nil, fmt.Errorf("write a backup: %w", err)
	}
	out := &Writer{w: bufio.NewWriterSize(w, chunkSize), sum: sha256.New(), mac: mac, enc: enc}
	if err := out.write([]byte(Format)); err != nil {
		return nil, err
	}
	return out, out.encode(frameHead, h)
}

// Table begins a table.
func (w *Writer) Table(t Table) error {
	w.wide = len(t.Columns)
	return w.encode(frameTable, t)
}

// Row writes a row of the table that began last.
func (w *Writer) Row(r Row) error {
	if len(r) != w.wide {
		return fmt.Errorf("write a backup: a row of %d values in a table of %d columns", len(r), w.wide)
	}
	out := make([]any, len(r))
	for i, v := range r {
		if t, ok := v.(time.Time); ok { // the encoder makes nothing of the zero time
			v = cbor.Tag{Number: tagTime, Content: t.UTC().Format(time.RFC3339Nano)}
		}
		out[i] = v
	}
	w.foot.Rows++
	return w.encode(frameRow, out)
}

// tagTime marks a text as a time (RFC 8949 §3.4.1).
const tagTime = 0

// Blob writes a blob of exactly that many bytes.
func (w *Writer) Blob(b Blob, r io.Reader) error {
	if err := w.encode(frameBlob, b); err != nil {
		return err
	}
	buf := make([]byte, min(chunkSize, max(b.Size, 1)))
	for left := b.Size; left > 0; {
		n := min(left, int64(len(buf)))
		if _, err := io.ReadFull(r, buf[:n]); err != nil {
			return fmt.Errorf("write a backup: blob %s: %w", b.Name, err)
		}
		if err := w.frame(frameChunk, buf[:n]); err != nil {
			return err
		}
		left -= n
	}
	w.foot.Blobs++
	w.foot.Bytes += b.Size
	return nil
}

// Missing counts a blob that a row names and that is not there.
func (w *Writer) Missing() { w.foot.Missing++ }

// Close ends the archive with its foot and seal. It does not close what it writes to.
func (w *Writer) Close() (Foot, error) {
	if err := w.encode(frameFoot, w.foot); err != nil {
		return Foot{}, err
	}
	mac, err := w.mac(w.sum.Sum(nil))
	if err != nil {
		return Foot{}, fmt.Errorf("seal a backup: %w", err)
	}
	if err := errors.Join(w.frame(frameSeal, []byte(mac)), w.w.Flush()); err != nil {
		return Foot{}, fmt.Errorf("write a backup: %w", err)
	}
	return w.foot, nil
}

func (w *Writer) encode(typ byte, v any) error {
	raw, err := w.enc.Marshal(v)
	if err != nil {
		return fmt.Errorf("write a backup: %w", err)
	}
	return w.frame(typ, raw)
}

func (w *Writer) frame(typ byte, payload []byte) error {
	if len(payload) > maxFrame {
		return fmt.Errorf("write a backup: a frame of %d bytes", len(payload))
	}
	head := [5]byte{typ}
	binary.BigEndian.PutUint32(head[1:], uint32(len(payload))) //nolint:gosec // bounded above
	if err := w.write(head[:]); err != nil {
		return err
	}
	return w.write(payload)
}

func (w *Writer) write(b []byte) error {
	_, _ = w.sum.Write(b)
	if _, err := w.w.Write(b); err != nil {
		return fmt.Errorf("write a backup: %w", err)
	}
	return nil
}
