package lds

import (
	"bytes"
	"encoding/binary"
	"image/jpeg"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// PictureFormat is how a picture is encoded.
type PictureFormat string

// The formats that chips use.
const (
	JPEG     PictureFormat = "jpeg"
	JPEG2000 PictureFormat = "jpeg2000"
)

// Container is how a picture is wrapped.
type Container string

// The containers.
const (
	ISO19794 Container = "ISO/IEC 19794-5"
	ISO39794 Container = "ISO/IEC 39794-5"
)

// Picture is one encoded picture. Its size is what the encoding says, 0 where it does not.
type Picture struct {
	Format        PictureFormat
	Container     Container
	Width, Height int
	Bytes         []byte
}

// maxPictures is how many pictures are read; documents have one.
const maxPictures = 9

// ParsePortraits reads the pictures of a face in DG2 (ICAO 9303-10 section 4.7.2); there is at least one.
func ParsePortraits(raw []byte) ([]Picture, error) {
	e, err := open(raw, "DG2")
	if err != nil {
		return nil, err
	}
	outer := tlv.Read(e, 0x75)
	group := outer.Take(0x7F61)
	if err := outer.End(); err != nil {
		return nil, err
	}
	members, err := group.Children()
	if err != nil {
		return nil, err
	}
	if len(members) == 0 || members[0].Tag != tlv.Integer || len(members) > 1+maxPictures {
		return nil, refusal.New(Malformed, "DG2 does not say how many faces it has, or has more than %d", maxPictures)
	}
	if n, err := members[0].Small(); err != nil || n != len(members)-1 {
		return nil, refusal.New(Malformed, "DG2 has %d faces and says another number", len(members)-1)
	}
	var out []Picture
	for _, m := range members[1:] {
		found, err := template(m)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	if len(out) == 0 || len(out) > maxPictures {
		return nil, refusal.New(NoPortrait, "DG2 has %d pictures", len(out))
	}
	return out, nil
}

// template reads one biometric information template: a header and the data, in one of two containers.
func template(e tlv.Element) ([]Picture, error) {
	r := tlv.Read(e, 0x7F60)
	r.Take(0xA1)
	data := r.Any()
	if err := r.End(); err != nil {
		return nil, err
	}
	switch data.Tag {
	case 0x5F2E:
		return facialRecord(data.Content)
	case 0x7F2E:
		return faceBlock(data.Content)
	}
	return nil, refusal.New(NoPortrait, "DG2 holds %v where a face was expected", data)
}

// Sizes of the parts of a facial record in bytes (ISO/IEC 19794-5:2005 section 5).
const (
	recordHeader  = 14
	faceHeader    = 20
	featurePoint  = 8
	pictureHeader = 12
)

// facialRecord reads a record of ISO/IEC 19794-5:2005: header, then for each face its features and the picture.
func facialRecord(raw []byte) ([]Picture, error) {
	short := refusal.New(Malformed, "the record of the face ends early")
	if len(raw) < recordHeader {
		return nil, short
	}
	if string(raw[:8]) != "FAC\x00010\x00" {
		return nil, refusal.New(NoPortrait, "the record of the face is of an unknown kind")
	}
	if binary.BigEndian.Uint32(raw[8:]) != uint32(len(raw)) {
		return nil, refusal.New(Malformed, "the record of the face has another length than it says")
	}
	faces := int(binary.BigEndian.Uint16(raw[12:]))
	if faces > maxPictures {
		return nil, refusal.New(Malformed, "the record has %d faces, at most %d are read", faces, maxPictures)
	}
	var out []Picture
	for raw = raw[recordHeader:]; len(out) < faces; {
		if len(raw) < faceHeader {
			return nil, short
		}
		length := int(binary.BigEndian.Uint32(raw))
		start := faceHeader + featurePoint*int(binary.BigEndian.Uint16(raw[4:])) + pictureHeader
		if length < start || length > len(raw) {
			return nil, short
		}
		p, err := picture(raw[start:length], ISO19794)
		if err != nil {
			return nil, err
		}
		out, raw = append(out, p), raw[length:]
	}
	if len(raw) > 0 {
		return nil, refusal.New(tlv.Trailing, "%d bytes follow the faces", len(raw))
	}
	return out, nil
}

// faceBlock reads a FaceImageDataBlock of ISO/IEC 39794-5: version, then representations, each with a picture in two choices of one.
func faceBlock(raw []byte) ([]Picture, error) {
	e, err := tlv.Parse(raw)
	if err == nil && e.Tag == 0xA1 { // ICAO's profile wraps the block once more
		e, err = tlv.Parse(e.Content)
	}
	if err != nil {
		return nil, err
	}
	if e.Tag != 0x65 {
		return nil, refusal.New(NoPortrait, "the block of the face is of an unknown kind")
	}
	representations, err := child(e, 0xA1)
	if err != nil {
		return nil, err
	}
	all, err := representations.Children()
	if err != nil {
		return nil, err
	}
	var out []Picture
	for _, one := range all {
		for _, tag := range []tlv.Tag{0xA1, 0xA0, 0xA0, 0x80} { // representation, base, two dimensions, data
			if one, err = child(one, tag); err != nil {
				return nil, err
			}
		}
		p, err := picture(one.Content, ISO39794)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// child returns the one child with a tag.
func child(e tlv.Element, tag tlv.Tag) (tlv.Element, error) {
	children, err := e.Children()
	if err != nil {
		return tlv.Element{}, err
	}
	for _, c := range children {
		if c.Tag == tag {
			return c, nil
		}
	}
	return tlv.Element{}, refusal.New(Malformed, "the block of the face lacks %X", uint32(tag))
}

// picture says what a picture is, from its first bytes.
func picture(raw []byte, c Container) (Picture, error) {
	p := Picture{Container: c, Bytes: raw}
	switch {
	case bytes.HasPrefix(raw, []byte{0xFF, 0xD8, 0xFF}):
		p.Format = JPEG
		if config, err := jpeg.DecodeConfig(bytes.NewReader(raw)); err == nil {
			p.Width, p.Height = config.Width, config.Height
		}
	case bytes.HasPrefix(raw, []byte("\x00\x00\x00\x0CjP  \r\n\x87\n")):
		p.Format = JPEG2000
		if at := bytes.Index(raw, []byte("\xFF\x4F\xFF\x51")); at >= 0 {
			p.Width, p.Height = codestreamSize(raw[at:])
		}
	case bytes.HasPrefix(raw, []byte("\xFF\x4F\xFF\x51")):
		p.Format = JPEG2000
		p.Width, p.Height = codestreamSize(raw)
	default:
		return p, refusal.New(UnknownPicture, "the picture is neither JPEG nor JPEG 2000")
	}
	return p, nil
}

// codestreamSize reads the size of the picture from the SIZ marker (ISO/IEC 15444-1 section A.5.1).
func codestreamSize(raw []byte) (width, height int) {
	if len(raw) < 24 {
		return 0, 0
	}
	at := func(i int) int { return int(binary.BigEndian.Uint32(raw[i:])) }
	return max(at(8)-at(16), 0), max(at(12)-at(20), 0)
}
