package lds_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// faces returns DG2 that says a number of faces and has those of other files.
func faces(says byte, files ...[]byte) []byte {
	all := [][]byte{{2, 1, says}}
	for _, raw := range files {
		e, err := tlv.Parse(raw)
		if err != nil {
			panic(err)
		}
		r := tlv.Read(tlv.Read(e, 0x75).Take(0x7F61), 0x7F61)
		r.Take(tlv.Integer)
		all = append(all, r.Take(0x7F60).Raw)
	}
	return tlv.Encode(0x75, tlv.Encode(0x7F61, all...))
}

// face returns one face of a facial record: it has points, and says a length that differs from the true one.
func face(points int, longer int) []byte {
	picture := emrtdtest.Portrait()
	raw := make([]byte, 20+8*points+12, 20+8*points+12+len(picture))
	binary.BigEndian.PutUint32(raw, uint32(len(raw)+len(picture)+longer))
	binary.BigEndian.PutUint16(raw[4:], uint16(points))
	return append(raw, picture...)
}

// facialRecord returns DG2 with a record that says a number of faces and a length that differs from the true one.
func facialRecord(kind string, says, longer int, all ...[]byte) []byte {
	record := append([]byte(kind), 0, 0, 0, 0, 0, 0)
	for _, f := range all {
		record = append(record, f...)
	}
	binary.BigEndian.PutUint32(record[8:], uint32(len(record)+longer))
	binary.BigEndian.PutUint16(record[12:], uint16(says))
	return recorded(0x5F2E, record)
}

func recorded(tag tlv.Tag, data []byte) []byte {
	template := tlv.Encode(0x7F60, tlv.Encode(0xA1, tlv.Encode(0x87, []byte{1, 1})), tlv.Encode(tag, data))
	return tlv.Encode(0x75, tlv.Encode(0x7F61, []byte{2, 1, 1}, template))
}

func TestLengthsInARecordOfAFaceAreNotBelieved(t *testing.T) {
	const kind = "FAC\x00010\x00"
	tiny := make([]byte, 32)
	binary.BigEndian.PutUint32(tiny, 31)
	nothing := make([]byte, 32)
	for name, c := range map[string]struct {
		raw  []byte
		want refusal.Code
	}{
		"one face":                          {facialRecord(kind, 1, 0, face(0, 0)), ""},
		"one face with three points":        {facialRecord(kind, 1, 0, face(3, 0)), ""},
		"two faces":                         {facialRecord(kind, 2, 0, face(0, 0), face(1, 0)), ""},
		"a record that says a byte more":    {facialRecord(kind, 1, 1, face(0, 0)), lds.Malformed},
		"a record that says a byte less":    {facialRecord(kind, 1, -1, face(0, 0)), lds.Malformed},
		"a face that says a byte more":      {facialRecord(kind, 1, 0, face(0, 1)), lds.Malformed},
		"a face that says a byte less":      {facialRecord(kind, 1, 0, face(0, -1)), tlv.Trailing},
		"a face that is shorter than said":  {facialRecord(kind, 1, 0, tiny), lds.Malformed},
		"a face of length 0":                {facialRecord(kind, 1, 0, nothing), lds.Malformed},
		"a face less than said":             {facialRecord(kind, 2, 0, face(0, 0)), lds.Malformed},
		"a face more than said":             {facialRecord(kind, 1, 0, face(0, 0), face(0, 0)), tlv.Trailing},
		"no face":                           {facialRecord(kind, 0, 0), lds.NoPortrait},
		"ten faces":                         {facialRecord(kind, 10, 0, slices.Repeat([][]byte{face(0, 0)}, 10)...), lds.Malformed},
		"a record of another version":       {facialRecord("FAC\x00030\x00", 1, 0, face(0, 0)), lds.NoPortrait},
		"a record of a finger":              {facialRecord("FIR\x00010\x00", 1, 0, face(0, 0)), lds.NoPortrait},
		"a record that ends in its header":  {recorded(0x5F2E, []byte(kind)), lds.Malformed},
		"a block of something else":         {recorded(0x7F2E, tlv.Encode(0x66, tlv.Encode(0xA1))), lds.NoPortrait},
		"a block without a representation":  {recorded(0x7F2E, tlv.Encode(0x65, tlv.Encode(0xA0))), lds.Malformed},
		"a block that says nothing":         {recorded(0x7F2E, tlv.Encode(0x65, tlv.Encode(0xA1))), lds.NoPortrait},
		"a block with an empty picture":     {emrtdtest.DG2Block(nil), lds.UnknownPicture},
		"data that is neither of both":      {recorded(0x5F2F, []byte("x")), lds.NoPortrait},
		"a template with something behind":  {tlv.Encode(0x75, tlv.Encode(0x7F61, []byte{2, 1, 0}), []byte{2, 1, 0}), tlv.Trailing},
		"a face with 65535 points and none": {facialRecord(kind, 1, 0, append([]byte{0, 0, 0, 40, 0xFF, 0xFF}, make([]byte, 34)...)), lds.Malformed},
	} {
		_, err := lds.ParsePortraits(c.raw)
		if r := refusal.Of(err); (err == nil) != (c.want == "") || (r != nil && r.Code != c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestDetailsHoldNothingThatActs(t *testing.T) {
	raw := tlv.Encode(0x6B, tlv.Encode(0x5C, []byte{0x5F, 0x0E, 0x5F, 0x2B, 0x5F, 0x42}),
		tlv.Encode(0x5F0E, []byte("ERIKSSON<<A\x00N\x1b[2JN\u202eA\t\u200cB\xff")), tlv.Encode(0x5F2B, []byte("197408<2")),
		tlv.Encode(0x5F42, []byte("1 STREET<\x00<ZENITH")))
	got, err := lds.ParsePerson(raw)
	if err != nil {
		t.Fatal(err)
	}
	want := &lds.Person{Name: "ERIKSSON, AN[2JNA \u200cB\uFFFD", Address: []string{"1 STREET", "ZENITH"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("DG11 (-want +got):\n%s", diff)
	}
}
