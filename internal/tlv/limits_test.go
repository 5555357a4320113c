package tlv_test

import (
	"bytes"
	"testing"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

func wrapped(tag byte, levels int) []byte {
	raw := []byte{4, 1, 1}
	for range levels {
		raw = tlv.Encode(tlv.Tag(tag), raw)
	}
	return raw
}

func TestValuesAreReadOrRefused(t *testing.T) {
	integer := func(content ...byte) tlv.Element { return tlv.Element{Tag: tlv.Integer, Content: content} }
	small := func(e tlv.Element) error { _, err := e.Small(); return err }
	whole := func(e tlv.Element) error { _, err := e.Int(); return err }
	oid := func(content ...byte) error {
		_, err := (tlv.Element{Tag: tlv.ObjectID, Content: content}).OID()
		return err
	}
	bits := func(content ...byte) error {
		_, _, err := (tlv.Element{Tag: tlv.BitString, Content: content}).Bits()
		return err
	}
	boolean := func(content ...byte) error {
		_, err := (tlv.Element{Tag: tlv.Boolean, Content: content}).Bool()
		return err
	}
	next := func(raw []byte) error { _, err := tlv.Parse(raw); return err }
	der := func(raw []byte) error {
		e, err := tlv.Parse(raw)
		if err == nil {
			_, err = e.DER()
		}
		return err
	}
	end := func(taken, of int) error {
		r := tlv.Read(tlv.Element{Tag: tlv.Sequence, Content: bytes.Repeat([]byte{5, 0}, of)}, tlv.Sequence)
		for range taken {
			r.Any()
		}
		return r.End()
	}
	for _, c := range []struct {
		name string
		err  error
		want refusal.Code
	}{
		{"a million", small(integer(0x0F, 0x42, 0x40)), ""},
		{"a million and one", small(integer(0x0F, 0x42, 0x41)), tlv.Malformed},
		{"-1", small(integer(0xFF)), tlv.Malformed},
		{"2^64 + 1", small(integer(1, 0, 0, 0, 0, 0, 0, 0, 1)), tlv.Malformed},
		{"no number", whole(integer()), tlv.Malformed},
		{"a number of 4 kB", whole(integer(make([]byte, tlv.MaxInteger)...)), ""},
		{"N20 a number of more", whole(integer(make([]byte, tlv.MaxInteger+1)...)), tlv.TooLarge},
		{"an object identifier", oid(0x55, 4, 6), ""},
		{"no object identifier", oid(), tlv.Malformed},
		{"an object identifier that ends within an arc", oid(0x55, 0x84), tlv.Malformed},
		{"an object identifier of 65 bytes", oid(make([]byte, 65)...), tlv.Malformed},
		{"an arc of 70 bits", oid(0x55, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F), tlv.Malformed},
		{"no bit string", bits(), tlv.Malformed},
		{"a bit string of no bits, five unused", bits(5), tlv.Malformed},
		{"eight unused bits", bits(8, 0), tlv.Malformed},
		{"seven unused bits", bits(7, 0x80), ""},
		{"no truth", boolean(), tlv.Malformed},
		{"two truths", boolean(1, 0), tlv.Malformed},
		{"40 levels", der(wrapped(0x30, tlv.MaxDepth)), ""},
		{"N20 41 levels", der(wrapped(0x30, tlv.MaxDepth+1)), tlv.TooDeep},
		{"pieces of an octet string in 40 levels", der(wrapped(0x24, tlv.MaxDepth)), ""},
		{"N20 pieces in 41 levels", der(wrapped(0x24, tlv.MaxDepth+1)), tlv.TooDeep},
		{"a number among the pieces", der([]byte{0x24, 3, 2, 1, 1}), tlv.Malformed},
		{"a length that is not there", next([]byte{4}), tlv.Malformed},
		{"a length of which half is there", next([]byte{4, 0x82, 1}), tlv.Malformed},
		{"a byte less than said", next([]byte{4, 2, 1}), tlv.Malformed},
		{"two bytes less than said", next([]byte{4, 3, 1}), tlv.Malformed},
		{"N20 a length of 2^31", next([]byte{4, 0x84, 0x80, 0, 0, 0}), tlv.TooLarge},
		{"N20 a length of 2^32 - 1", next([]byte{4, 0x84, 0xFF, 0xFF, 0xFF, 0xFF}), tlv.TooLarge},
		{"the end where an element was expected", end(2, 1), tlv.Malformed},
		{"elements that nobody took", end(1, 2), tlv.Trailing},
		{"N20 more elements than are read", func() error {
			_, err := tlv.All(bytes.Repeat([]byte{5, 0}, tlv.MaxElements+1))
			return err
		}(), tlv.TooLarge},
		{"a time under a tag that only ends like one", func() error {
			_, err := tlv.Element{Tag: 0x5F17, Content: []byte("300101000000Z")}.Time()
			return err
		}(), tlv.Malformed},
	} {
		r := refusal.Of(c.err)
		if (c.err == nil) != (c.want == "") || (r != nil && r.Code != c.want) {
			t.Errorf("%s: got %v, want %q", c.name, c.err, c.want)
		}
	}
}

func TestNumbersAndNamesAsTheyAreWritten(t *testing.T) {
	for want, content := range map[string][]byte{"-1": {0xFF}, "255": {0, 0xFF}, "-128": {0x80}, "128": {0, 0x80}, "0": {0}} {
		if n, err := (tlv.Element{Tag: tlv.Integer, Content: content}).Int(); err != nil || n.String() != want {
			t.Errorf("% X: got %v, %v, want %s", content, n, err, want)
		}
	}
	for want, content := range map[string][]byte{
		"2.999": {0x88, 0x37}, "1.2.840.113549": {0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D}, "0.4.0": {4, 0}, "2.5.4.6": {0x55, 4, 6},
	} {
		if s, err := (tlv.Element{Tag: tlv.ObjectID, Content: content}).OID(); err != nil || s != want {
			t.Errorf("% X: got %s, %v, want %s", content, s, err, want)
		}
	}
	for want, e := range map[string]tlv.Element{
		"Ä":  {Tag: tlv.T61String, Content: []byte{0xC4}},
		"ÄB": {Tag: tlv.BMPString, Content: []byte{0, 0xC4, 0, 'B', 0}},
		"😀":  {Tag: tlv.UniversalString, Content: []byte{0, 1, 0xF6, 0}},
		"�x": {Tag: tlv.UTF8String, Content: []byte{0xC4, 'x'}},
	} {
		if got := e.Text(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
