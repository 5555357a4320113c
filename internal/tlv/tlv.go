// Package tlv reads and writes the tag-length-value encodings of ASN.1: BER as chips and certificates send it, DER where bytes are
// hashed. Every element keeps the bytes it was read from, so that what a signature covers is hashed as received and never encoded
// again by accident.
//
// Reading is limited: MaxSize bytes, MaxDepth levels, MaxElements elements and integers of MaxInteger bytes. Slices that are returned
// share memory with the input.
package tlv

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/bonafide-id/bonafide/internal/refusal"
)

// Limits of what is read.
const (
	MaxSize     = 16 << 20 // bytes of one input
	MaxDepth    = 40       // levels of constructed elements
	MaxElements = 200_000  // children of one element
	MaxInteger  = 4096     // bytes of one integer
)

// The refusals of this package.
const (
	Malformed refusal.Code = "tlv.malformed" // the encoding is broken, or another element was expected
	Trailing  refusal.Code = "tlv.trailing"  // bytes follow the element
	TooLarge  refusal.Code = "tlv.too_large" // more bytes or elements than the limits allow
	TooDeep   refusal.Code = "tlv.too_deep"  // more levels than MaxDepth
)

// Tag is a tag as it is written: one byte, or more with the first one highest (0x30, 0x5F1F, 0x7F61).
type Tag uint32

// Universal tags.
const (
	Boolean         Tag = 0x01
	Integer         Tag = 0x02
	BitString       Tag = 0x03
	OctetString     Tag = 0x04
	Null            Tag = 0x05
	ObjectID        Tag = 0x06
	Enumerated      Tag = 0x0A
	UTF8String      Tag = 0x0C
	PrintableString Tag = 0x13
	T61String       Tag = 0x14
	IA5String       Tag = 0x16
	UTCTime         Tag = 0x17
	GeneralizedTime Tag = 0x18
	UniversalString Tag = 0x1C
	BMPString       Tag = 0x1E
	Sequence        Tag = 0x30
	Set             Tag = 0x31
)

// Element is one tag-length-value.
type Element struct {
	Tag     Tag
	Content []byte // without tag and length, and without the end of an indefinite length
	Raw     []byte // all bytes as received
}

// Constructed reports whether the content is a sequence of elements.
func (e Element) Constructed() bool { return leading(e.Tag)&0x20 != 0 }

// leading returns the first byte of a tag.
func leading(t Tag) byte {
	for t > 0xFF {
		t >>= 8
	}
	return byte(t)
}

// Parse reads the one element that raw must be.
func Parse(raw []byte) (Element, error) {
	e, rest, err := Next(raw)
	if err != nil {
		return Element{}, err
	}
	if len(rest) > 0 {
		return Element{}, refusal.New(Trailing, "%d bytes follow the element %X", len(rest), uint32(e.Tag))
	}
	return e, nil
}

// Next reads the first element of raw and returns what follows it.
func Next(raw []byte) (Element, []byte, error) {
	if len(raw) > MaxSize {
		return Element{}, nil, refusal.New(TooLarge, "%d bytes, at most %d are read", len(raw), MaxSize)
	}
	return next(raw, 0)
}

func next(raw []byte, depth int) (Element, []byte, error) {
	if depth > MaxDepth {
		return Element{}, nil, refusal.New(TooDeep, "more than %d levels", MaxDepth)
	}
	tag, at, err := readTag(raw)
	if err != nil {
		return Element{}, nil, err
	}
	length, used, err := readLength(raw[at:])
	if err != nil {
		return Element{}, nil, err
	}
	at += used
	if length == indefinite {
		return nextIndefinite(raw, tag, at, depth)
	}
	if length > len(raw)-at {
		return Element{}, nil, refusal.New(Malformed, "element %X says %d bytes, %d are left", uint32(tag), length, len(raw)-at)
	}
	end := at + length
	return Element{Tag: tag, Content: raw[at:end:end], Raw: raw[:end:end]}, raw[end:], nil
}

// nextIndefinite reads an element up to its end-of-contents octets.
func nextIndefinite(raw []byte, tag Tag, at, depth int) (Element, []byte, error) {
	e := Element{Tag: tag}
	if !e.Constructed() {
		return Element{}, nil, refusal.New(Malformed, "primitive element %X without a length", uint32(tag))
	}
	for rest := raw[at:]; ; {
		if len(rest) >= 2 && rest[0] == 0 && rest[1] == 0 {
			end := len(raw) - len(rest)
			e.Content, e.Raw = raw[at:end:end], raw[:end+2:end+2]
			return e, rest[2:], nil
		}
		var err error
		if _, rest, err = next(rest, depth+1); err != nil {
			return Element{}, nil, err
		}
	}
}

func readTag(raw []byte) (Tag, int, error) {
	if len(raw) == 0 {
		return 0, 0, refusal.New(Malformed, "an element is missing")
	}
	tag := Tag(raw[0])
	if raw[0] == 0 {
		return 0, 0, refusal.New(Malformed, "tag 0")
	}
	if raw[0]&0x1F != 0x1F {
		return tag, 1, nil
	}
	for i := 1; i < min(len(raw), 4); i++ {
		tag = tag<<8 | Tag(raw[i])
		if raw[i]&0x80 == 0 {
			return tag, i + 1, nil
		}
	}
	return 0, 0, refusal.New(Malformed, "tag of more than four bytes")
}

// indefinite is the length of an element that ends by end-of-contents octets.
const indefinite = -1

func readLength(raw []byte) (length, used int, err error) {
	if len(raw) == 0 {
		return 0, 0, refusal.New(Malformed, "a length is missing")
	}
	first := raw[0]
	switch {
	case first < 0x80:
		return int(first), 1, nil
	case first == 0x80:
		return indefinite, 1, nil
	}
	n := int(first & 0x7F)
	if n > 4 || n >= len(raw) {
		return 0, 0, refusal.New(Malformed, "length of %d bytes", n)
	}
	for _, b := range raw[1 : 1+n] {
		if length = length<<8 | int(b); length > MaxSize { // before it overflows an int of 32 bits
			return 0, 0, refusal.New(TooLarge, "element of more than %d bytes", MaxSize)
		}
	}
	return length, 1 + n, nil
}

// Children reads the elements inside a constructed element.
func (e Element) Children() ([]Element, error) {
	if !e.Constructed() {
		return nil, refusal.New(Malformed, "element %X has no children", uint32(e.Tag))
	}
	return All(e.Content)
}

// All reads elements to the end of raw.
func All(raw []byte) ([]Element, error) {
	var out []Element
	for len(raw) > 0 {
		if len(out) == MaxElements {
			return nil, refusal.New(TooLarge, "more than %d elements", MaxElements)
		}
		e, rest, err := Next(raw)
		if err != nil {
			return nil, err
		}
		out, raw = append(out, e), rest
	}
	return out, nil
}

// DER returns the element in distinguished encoding: definite, shortest lengths, the members of a SET in order, an octet string in
// one piece. Values of primitive elements stay as they are.
func (e Element) DER() ([]byte, error) { return e.der(0) }

func (e Element) der(depth int) ([]byte, error) {
	if depth > MaxDepth {
		return nil, refusal.New(TooDeep, "more than %d levels", MaxDepth)
	}
	if !e.Constructed() {
		return Encode(e.Tag, e.Content), nil
	}
	if e.Tag == OctetString|0x20 {
		content, err := e.Octets()
		return Encode(OctetString, content), err
	}
	children, err := e.Children()
	if err != nil {
		return nil, err
	}
	parts := make([][]byte, len(children))
	for i, c := range children {
		if parts[i], err = c.der(depth + 1); err != nil {
			return nil, err
		}
	}
	if e.Tag == Set {
		slices.SortFunc(parts, bytes.Compare)
	}
	return Encode(e.Tag, parts...), nil
}

// Octets returns the bytes of an octet string, also of one in pieces (BER).
func (e Element) Octets() ([]byte, error) { return e.octets(0) }

func (e Element) octets(depth int) ([]byte, error) {
	if depth > MaxDepth {
		return nil, refusal.New(TooDeep, "more than %d levels", MaxDepth)
	}
	if !e.Constructed() {
		return e.Content, nil
	}
	pieces, err := e.Children()
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, p := range pieces {
		if p.Tag&^0x20 != OctetString {
			return nil, refusal.New(Malformed, "element %X inside an octet string", uint32(p.Tag))
		}
		part, err := p.octets(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
	}
	return out, nil
}

// Encode returns an element with a definite, shortest length.
func Encode(tag Tag, parts ...[]byte) []byte {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	out := make([]byte, 0, n+8)
	for shift := 24; shift >= 0; shift -= 8 {
		if b := byte(tag >> shift); b != 0 || len(out) > 0 {
			out = append(out, b)
		}
	}
	switch {
	case n < 0x80:
		out = append(out, byte(n))
	case n < 0x100:
		out = append(out, 0x81, byte(n))
	case n < 0x1_0000:
		out = append(out, 0x82, byte(n>>8), byte(n))
	case n < 0x100_0000:
		out = append(out, 0x83, byte(n>>16), byte(n>>8), byte(n))
	default:
		out = append(out, 0x84, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// String implements fmt.Stringer: the tag and the number of bytes, never the content.
func (e Element) String() string { return fmt.Sprintf("%X (%d bytes)", uint32(e.Tag), len(e.Content)) }
