package terminal

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"maps"
	"slices"

	"github.com/bonafide-id/bonafide/internal/apdu"
	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// Options are those of a Reader. What is zero is as said.
type Options struct {
	Random    io.Reader // crypto/rand
	MaxAnswer int       // bytes of data that the reader can take in one answer, 256 to 65536; 256
	MaxBytes  int       // of all files together; 3 MiB
}

// Result is what was read from a chip.
type Result struct {
	Files     map[lds.File][]byte
	Challenge []byte // of Active Authentication; empty where the chip has no key for it, or gave no answer
	Response  []byte
	Agreement *emrtd.Agreement // nil where the chip has no key for it, or does not agree by it
}

// Reader reads one chip, over one contact or several.
type Reader struct {
	key     Key
	random  io.Reader
	longest int // answer of the chip; 0 where it is not known
	limit   int // bytes that the chip gives at a time; 0 where it gives what it is asked for
	accepts int // longest answer of the reader
	most    int

	files    map[lds.File]*file
	listed   []lds.File // by EF.SOD, of those that are taken; nil before it was read
	result   Result
	asked    bool // Active Authentication is done with
	agreed   bool // Chip Authentication is done with
	cautious bool // the chip answers no command that asks for more than a file has
	attempts int  // of Chip Authentication
}

// New returns a Reader that opens chips with a key.
func New(key Key, o Options) *Reader {
	r := &Reader{key: key, random: o.Random, accepts: max(o.MaxAnswer, apdu.ShortLe), most: o.MaxBytes}
	if r.random == nil {
		r.random = rand.Reader
	}
	if r.most == 0 {
		r.most = 3 << 20
	}
	r.forget()
	return r
}

// SetKey sets another key. What was read stays.
func (r *Reader) SetKey(k Key) { r.key = k }

// SetMaxAnswer sets what the reader can take; see Options.
func (r *Reader) SetMaxAnswer(n int) { r.accepts = min(max(n, apdu.ShortLe), apdu.ExtendedLe) }

// ForgetKey drops the key.
func (r *Reader) ForgetKey() {
	clear(r.key.secret)
	r.key = Key{}
}

// forget drops what was read: the chip is another one than before.
func (r *Reader) forget() {
	r.files = map[lds.File]*file{}
	r.listed, r.result, r.asked, r.agreed, r.attempts = nil, Result{}, false, false, 0
}

// Result returns what was read, once Read has returned nil.
func (r *Reader) Result() Result {
	out := r.result
	out.Files = map[lds.File][]byte{}
	for name, f := range r.files {
		if f.whole() {
			out.Files[name] = f.data
		}
	}
	return out
}

// Whole returns the files that were read to their end, in the order of their names.
func (r *Reader) Whole() []lds.File {
	var out []lds.File
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		if r.files[name].whole() {
			out = append(out, name)
		}
	}
	return out
}

// progress returns how many bytes were read, and of how many; of is 0 before it is known.
func (r *Reader) progress() (done, of int) {
	known := r.listed != nil
	for _, name := range r.listed {
		known = known && r.files[name] != nil && r.files[name].total > 0
	}
	for _, f := range r.files {
		done, of = done+len(f.data), of+f.total
	}
	if !known {
		of = 0
	}
	return done, of
}

// Read reads the chip within reach: to its end, or until contact is lost. It goes on where an earlier call was interrupted, if it is the same
// chip. The error is a refusal of this package, or one of the Link.
func (r *Reader) Read(ctx context.Context, link Link) error {
	c := &contact{Reader: r, link: link}
	if err := c.open(ctx); err != nil {
		return err
	}
	if err := c.readObject(ctx); err != nil {
		return err
	}
	if err := c.readKeys(ctx); err != nil {
		return err
	}
	if !r.agreed {
		if err := c.agreeWithChip(ctx); err != nil {
			return err
		}
	}
	if !r.asked {
		if err := c.askChip(ctx); err != nil {
			return err
		}
	}
	return c.fetch(ctx, r.listed...)
}

// readObject reads EF.SOD, which lists the others. If its beginning is not what was read over an earlier contact, the chip is another one.
func (c *contact) readObject(ctx context.Context) error {
	if before := c.files[lds.SOD]; before != nil && len(before.data) > 0 {
		same, err := c.sameObject(ctx, before.data[:min(len(before.data), compared)])
		if err != nil {
			return err
		}
		if !same {
			c.forget()
		}
	}
	if err := c.fetch(ctx, lds.SOD); err != nil {
		return err
	}
	if c.listed != nil {
		return nil
	}
	object, err := lds.ParseSecurityObject(c.files[lds.SOD].data)
	if err != nil {
		return broken(err)
	}
	for _, group := range wanted {
		if _, ok := object.Digests[group]; ok {
			c.listed = append(c.listed, group)
		}
	}
	if !slices.Contains(c.listed, lds.Group(1)) || !slices.Contains(c.listed, lds.Group(2)) {
		return refusal.New(NoDocument, "the chip has no zone or no portrait")
	}
	return nil
}

// compared is how much of EF.SOD tells documents apart, in bytes: the digests of the first data groups are among them.
const compared = 256

// sameObject reports whether EF.SOD begins as it did over an earlier contact.
func (c *contact) sameObject(ctx context.Context, before []byte) (bool, error) {
	commands := []apdu.Command{selectFile(fileIDs[lds.SOD])}
	for at := 0; at < len(before); at += c.chunk() {
		commands = append(commands, read(at, min(c.chunk(), len(before)-at)))
	}
	answers, err := c.send(ctx, lds.SOD, commands...)
	if err != nil {
		return false, err
	}
	var now []byte
	for _, a := range answers[1:] {
		now = append(now, a.Data...)
	}
	c.selected = ""
	return bytes.Equal(now, before), nil
}

// readKeys reads what the chip can prove itself by, and the beginnings of the others on the way.
func (c *contact) readKeys(ctx context.Context) error {
	var keys []lds.File
	for _, name := range c.listed {
		if name == lds.Group(14) || name == lds.Group(15) {
			keys = append(keys, name)
		}
	}
	return c.fetch(ctx, keys...)
}
