package tlv

import (
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/refusal"
)

// Reader takes the elements of a constructed element one after the other. The first fault is kept: what is taken after it is zero.
type Reader struct {
	rest []Element
	err  error
}

// Read returns a reader over the children of e, which must have the tag.
func Read(e Element, tag Tag) *Reader {
	if e.Tag != tag {
		return &Reader{err: refusal.New(Malformed, "element %X where %X was expected", uint32(e.Tag), uint32(tag))}
	}
	children, err := e.Children()
	return &Reader{rest: children, err: err}
}

// Take returns the next element, which must have the tag.
func (r *Reader) Take(tag Tag) Element {
	e := r.Any()
	if r.err == nil && e.Tag != tag {
		r.err = refusal.New(Malformed, "element %X where %X was expected", uint32(e.Tag), uint32(tag))
		return Element{}
	}
	return e
}

// Any returns the next element.
func (r *Reader) Any() Element {
	if r.err == nil && len(r.rest) == 0 {
		r.err = refusal.New(Malformed, "an element is missing")
	}
	if r.err != nil {
		return Element{}
	}
	e := r.rest[0]
	r.rest = r.rest[1:]
	return e
}

// Maybe returns the next element if it has the tag.
func (r *Reader) Maybe(tag Tag) (Element, bool) {
	if r.err != nil || len(r.rest) == 0 || r.rest[0].Tag != tag {
		return Element{}, false
	}
	return r.Any(), true
}

// End returns the first fault, or one if elements are left.
func (r *Reader) End() error {
	if r.err == nil && len(r.rest) > 0 {
		return refusal.New(Trailing, "%d elements follow the last one", len(r.rest))
	}
	return r.err
}

// Err returns the first fault.
func (r *Reader) Err() error { return r.err }

// Int returns the integer; negative ones are read as such.
func (e Element) Int() (*big.Int, error) {
	if e.Tag != Integer || len(e.Content) == 0 {
		return nil, refusal.New(Malformed, "element %v is no integer", e)
	}
	if len(e.Content) > MaxInteger {
		return nil, refusal.New(TooLarge, "integer of %d bytes, at most %d are read", len(e.Content), MaxInteger)
	}
	n := new(big.Int).SetBytes(e.Content)
	if e.Content[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(len(e.Content))*8))
	}
	return n, nil
}

// Small returns an integer from 0 to 1 000 000.
func (e Element) Small() (int, error) {
	n, err := e.Int()
	if err != nil {
		return 0, err
	}
	if !n.IsInt64() || n.Int64() < 0 || n.Int64() > 1_000_000 {
		return 0, refusal.New(Malformed, "integer out of range")
	}
	return int(n.Int64()), nil
}

// OID returns the object identifier in dots.
func (e Element) OID() (string, error) {
	if e.Tag != ObjectID || len(e.Content) == 0 || len(e.Content) > 64 || e.Content[len(e.Content)-1]&0x80 != 0 {
		return "", refusal.New(Malformed, "element %v is no object identifier", e)
	}
	var b strings.Builder
	var arc uint64
	first := true
	for _, c := range e.Content {
		if arc > 1<<56 {
			return "", refusal.New(Malformed, "arc of an object identifier is too large")
		}
		arc = arc<<7 | uint64(c&0x7F)
		if c&0x80 != 0 {
			continue
		}
		if first {
			top := min(arc/40, 2)
			b.WriteString(strconv.FormatUint(top, 10))
			arc -= top * 40
			first = false
		}
		b.WriteByte('.')
		b.WriteString(strconv.FormatUint(arc, 10))
		arc = 0
	}
	return b.String(), nil
}

// Bits returns the bytes of a bit string and how many of its last bits are unused.
func (e Element) Bits() ([]byte, int, error) {
	if e.Tag != BitString || len(e.Content) == 0 || e.Content[0] > 7 || (len(e.Content) == 1 && e.Content[0] != 0) {
		return nil, 0, refusal.New(Malformed, "element %v is no bit string", e)
	}
	return e.Content[1:], int(e.Content[0]), nil
}

// Bool returns a boolean. Any byte but 0 is true (BER).
func (e Element) Bool() (bool, error) {
	if e.Tag != Boolean || len(e.Content) != 1 {
		return false, refusal.New(Malformed, "element %v is no boolean", e)
	}
	return e.Content[0] != 0, nil
}

// layouts are the forms of time that certificates were seen with, besides those that X.509 asks for.
var layouts = map[Tag][]string{
	UTCTime:         {"060102150405Z0700", "0601021504Z0700", "060102150405", "0601021504"},
	GeneralizedTime: {"20060102150405Z0700", "20060102150405", "200601021504Z0700", "200601021504"},
}

// Time returns a UTCTime or GeneralizedTime. Years of two digits are 1950 to 2049 (RFC 5280 section 4.1.2.5.1).
func (e Element) Time() (time.Time, error) {
	s := string(e.Content)
	for _, layout := range layouts[e.Tag] {
		t, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		if e.Tag == UTCTime && t.Year() >= 2050 {
			t = t.AddDate(-100, 0, 0)
		}
		return t.UTC(), nil
	}
	return time.Time{}, refusal.New(Malformed, "element %v is no time", e)
}

// Text returns a string of any of ASN.1's string types as UTF-8. Bytes that are none become U+FFFD.
func (e Element) Text() string {
	switch e.Tag {
	case BMPString:
		return utf(e.Content, 2)
	case UniversalString:
		return utf(e.Content, 4)
	case T61String: // in practice Latin-1
		return utf(e.Content, 1)
	default:
		return strings.ToValidUTF8(string(e.Content), "\uFFFD")
	}
}

// utf reads big-endian code units of a width in bytes.
func utf(raw []byte, width int) string {
	var b strings.Builder
	for ; len(raw) >= width; raw = raw[width:] {
		var r rune
		for _, c := range raw[:width] {
			r = r<<8 | rune(c)
		}
		b.WriteRune(r)
	}
	return b.String()
}
