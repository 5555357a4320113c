package lds_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

func TestPortraitsInBothContainersAndFormats(t *testing.T) {
	codestream := append([]byte{0xFF, 0x4F, 0xFF, 0x51, 0, 47, 0, 0}, []byte{0, 0, 1, 0x40, 0, 0, 1, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0}...)
	boxed := append([]byte("\x00\x00\x00\x0CjP  \r\n\x87\n\x00\x00\x00\x00jp2c"), codestream...)
	for name, c := range map[string]struct {
		raw  []byte
		want lds.Picture
	}{
		"JPEG in a record":           {emrtdtest.DG2(emrtdtest.Portrait()), lds.Picture{Format: lds.JPEG, Container: lds.ISO19794, Width: 48, Height: 64}},
		"JPEG in a block":            {emrtdtest.DG2Block(emrtdtest.Portrait()), lds.Picture{Format: lds.JPEG, Container: lds.ISO39794, Width: 48, Height: 64}},
		"a JPEG 2000 codestream":     {emrtdtest.DG2(codestream), lds.Picture{Format: lds.JPEG2000, Container: lds.ISO19794, Width: 320, Height: 480}},
		"a JPEG 2000 file, in boxes": {emrtdtest.DG2Block(boxed), lds.Picture{Format: lds.JPEG2000, Container: lds.ISO39794, Width: 320, Height: 480}},
	} {
		got, err := lds.ParsePortraits(c.raw)
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %d pictures, %v", name, len(got), err)
			continue
		}
		if len(got[0].Bytes) == 0 {
			t.Errorf("%s: no bytes", name)
		}
		got[0].Bytes = nil
		if diff := cmp.Diff(c.want, got[0]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestFilesAreRefusedByTheirOwnCode(t *testing.T) {
	portrait := func(raw []byte) error { _, err := lds.ParsePortraits(raw); return err }
	zone := func(raw []byte) error { _, err := lds.ParseZone(raw); return err }
	common := func(raw []byte) error { _, err := lds.ParseCommon(raw); return err }
	sod := func(raw []byte) error { _, err := lds.ParseSecurityObject(raw); return err }
	security := func(raw []byte) error { _, err := lds.ParseSecurity(raw); return err }
	h := emrtdtest.NewAuthority("UT", "ECDSA P-256 SHA-256", 1)
	object := func(content ...[]byte) []byte {
		return tlv.Encode(0x77, h.CMS("2.23.136.1.1.1", tlv.Encode(tlv.Sequence, content...), emrtdtest.Signing{}))
	}
	version, digest := []byte{2, 1, 0}, emrtdtest.DigestID(5) // SHA-256
	one := tlv.Encode(tlv.Sequence, []byte{2, 1, 1}, emrtdtest.Octets(make([]byte, 32)))
	short := tlv.Encode(tlv.Sequence, []byte{2, 1, 1}, emrtdtest.Octets(make([]byte, 20)))
	unknown := tlv.Encode(tlv.Sequence, []byte{2, 1, 17}, emrtdtest.Octets(make([]byte, 32)))
	zeroth := tlv.Encode(tlv.Sequence, []byte{2, 1, 0}, emrtdtest.Octets(make([]byte, 32)))
	stated := tlv.Encode(tlv.Sequence, tlv.Encode(tlv.PrintableString, []byte("0108")), tlv.Encode(tlv.PrintableString, []byte("040000")))
	active := tlv.Encode(tlv.Sequence, emrtdtest.OID("2.23.136.1.1.5"), []byte{2, 1, 1}, emrtdtest.OID("0.4.0.127.0.7.1.1.4.1.3"))
	key := func(raw []byte) error { _, err := lds.ParseActiveKey(raw); return err }
	person := func(group, more []byte) error {
		if group != nil {
			e, err := tlv.Parse(group)
			if err != nil {
				return err
			}
			group = e.Content
		}
		_, err := lds.ParsePerson(tlv.Encode(0x6B, group, more))
		return err
	}
	record := emrtdtest.DG2(emrtdtest.Portrait())
	for _, c := range []struct {
		name string
		err  error
		want refusal.Code
	}{
		{"another file", portrait(emrtdtest.DG1(emrtdtest.Zone...)), lds.WrongFile},
		{"no file of a chip", zone([]byte{0x30, 0}), lds.WrongFile},
		{"N20 DG1 of 2 kB", zone(tlv.Encode(0x61, make([]byte, 2000))), lds.FileTooLarge},
		{"N20 a file of 3 MB", portrait(make([]byte, 3<<20)), lds.FileTooLarge},
		{"a zone of 80 characters", zone(tlv.Encode(0x61, tlv.Encode(0x5F1F, make([]byte, 80)))), lds.NoZone},
		{"a picture of no known kind", portrait(emrtdtest.DG2([]byte("GIF89a"))), lds.UnknownPicture},
		{"a record that ends early", portrait(append(record[:len(record):len(record)], 0)), tlv.Trailing},
		{"EF.COM without data groups", common(tlv.Encode(0x60, tlv.Encode(0x5F01, []byte("0107")))), lds.Malformed},
		{"EF.SOD of two digests for DG1", sod(object(version, digest, tlv.Encode(tlv.Sequence, one, one))), lds.GroupTwice},
		{"a digest that is too short", sod(object(version, digest, tlv.Encode(tlv.Sequence, short))), lds.SODStructure},
		{"a digest of no data group", sod(object(version, digest, tlv.Encode(tlv.Sequence, unknown))), lds.SODStructure},
		{"a version that nobody knows", sod(object([]byte{2, 1, 7}, digest, tlv.Encode(tlv.Sequence, one))), lds.SODVersion},
		{"signed data that is no EF.SOD", sod(tlv.Encode(0x77, h.CMS("1.2.840.113549.1.7.1", []byte{1}, emrtdtest.Signing{}))), lds.SODStructure},
		{"DG14 with an unknown way to sign", security(emrtdtest.DG14("1.2.3.4")), "pki.algorithm_unknown"},
		{"DG14 that says twice how the chip signs", security(tlv.Encode(0x6E, tlv.Encode(tlv.Set, active, active))), lds.Malformed},
		{"a digest of data group 0", sod(object(version, digest, tlv.Encode(tlv.Sequence, zeroth))), lds.SODStructure},
		{"a version that lacks what it announces", sod(object([]byte{2, 1, 1}, digest, tlv.Encode(tlv.Sequence, one))), lds.SODVersion},
		{"a version that has what it does not announce", sod(object(version, digest, tlv.Encode(tlv.Sequence, one), stated)), lds.SODVersion},
		{"version 2 with all of version 1", sod(object([]byte{2, 1, 2}, digest, tlv.Encode(tlv.Sequence, one), stated)), lds.SODVersion},
		{"a list with something behind it", sod(object(version, digest, tlv.Encode(tlv.Sequence, one), version)), tlv.Trailing},
		{"EF.COM of an unknown data group", common(tlv.Encode(0x60, tlv.Encode(0x5F01, []byte("0107")), tlv.Encode(0x5C, []byte{0x99}))), lds.Malformed},
		{"EF.COM with a long version", common(tlv.Encode(0x60, tlv.Encode(0x5F01, []byte("01070")), tlv.Encode(0x5C, []byte{0x61}))), lds.Malformed},
		{"EF.COM without a version", common(tlv.Encode(0x60, tlv.Encode(0x5C, []byte{0x61}))), lds.Malformed},
		{"a zone of no characters", zone(tlv.Encode(0x61, tlv.Encode(0x5F1F))), lds.NoZone},
		{"DG11 with a name twice", person(emrtdtest.DG11(), tlv.Encode(0x5F0E, []byte("B"))), lds.Malformed},
		{"DG11 without its list of tags", person(nil, tlv.Encode(0x5F0E, []byte("B"))), lds.Malformed},
		{"DG15 with a second key", key(tlv.Encode(0x6F, h.Key.Info(), h.Key.Info())), tlv.Trailing},
		{"a list of 2 faces that has one", portrait(faces(2, record)), lds.Malformed},
		{"a list of no faces", portrait(faces(0)), lds.NoPortrait},
		{"a list of 10 faces", portrait(faces(10, slices.Repeat([][]byte{record}, 10)...)), lds.Malformed},
	} {
		if r := refusal.Of(c.err); r == nil || r.Code != c.want {
			t.Errorf("%s: got %v, want %s", c.name, c.err, c.want)
		}
	}
}

// FuzzFiles reads every kind of file: nothing crashes.
func FuzzFiles(f *testing.F) {
	for _, raw := range emrtdtest.Chip() {
		f.Add(raw)
	}
	f.Add(emrtdtest.DG2Block(emrtdtest.Portrait()))
	f.Add(emrtdtest.DG14("0.4.0.127.0.7.1.1.4.1.3"))
	f.Add(emrtdtest.DG15(emrtdtest.NewKey("ECDSA P-256 SHA-256", 1)))
	f.Add(emrtdtest.NewAuthority("UT", "ECDSA P-256 SHA-256", 1).SOD(emrtdtest.Chip(), emrtdtest.Signing{}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		pictures, err := lds.ParsePortraits(raw)
		if err == nil && len(pictures) == 0 {
			t.Error("neither a picture nor why there is none")
		}
		_, _ = lds.ParseZone(raw)
		_, _ = lds.ParseCommon(raw)
		_, _ = lds.ParsePerson(raw)
		_, _ = lds.ParseIssue(raw)
		_, _ = lds.ParseSecurity(raw)
		_, _ = lds.ParseActiveKey(raw)
		_, _ = lds.ParseSecurityObject(raw)
	})
}

func TestAGroupOfFacesWithoutAFaceIsRefused(t *testing.T) {
	t.Parallel()
	none := tlv.Encode(0x75, tlv.Encode(0x7F61, tlv.Encode(tlv.Integer, []byte{0})))
	if _, err := lds.ParsePortraits(none); refusal.Of(err) == nil || refusal.Of(err).Code != lds.NoPortrait {
		t.Errorf("got %v, want %s", err, lds.NoPortrait)
	}
}
