// Package lds reads the files of a travel document's chip (ICAO 9303-10, logical data structure 1): EF.COM, EF.SOD and the data groups
// that are used here. What they say is proved by nobody until package emrtd has compared their digests with those that EF.SOD has
// signed.
//
// Each file has one outer tag, no bytes after it, and a limit of its size.
package lds

import (
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// The refusals of this package.
const (
	WrongFile      refusal.Code = "lds.wrong_file"      // outer tag of another file, or of none
	FileTooLarge   refusal.Code = "lds.too_large"       // more bytes than such a file has
	Malformed      refusal.Code = "lds.malformed"       // a part is missing or cannot be read
	NoZone         refusal.Code = "lds.no_zone"         // DG1 without a machine-readable zone
	NoPortrait     refusal.Code = "lds.no_portrait"     // DG2 without a picture of a face
	UnknownPicture refusal.Code = "lds.picture_unknown" // picture that is neither JPEG nor JPEG 2000
	SODStructure   refusal.Code = "lds.sod_structure"   // list of digests that cannot be read
	SODVersion     refusal.Code = "lds.sod_version"     // list of digests of an unknown version
	GroupTwice     refusal.Code = "lds.group_twice"     // data group that EF.SOD or the upload has twice
)

// File names a file of the chip.
type File string

// The files.
const (
	COM File = "EF.COM"
	SOD File = "EF.SOD"
)

// Group returns the file of a data group, 1 to 16.
func Group(n int) File { return files[groupTags[n-1]] }

// groupTags are the outer tags of the data groups in order (ICAO 9303-10 section 4.6).
var groupTags = []tlv.Tag{0x61, 0x75, 0x63, 0x76, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F, 0x70}

var files = map[tlv.Tag]File{
	0x60: COM, 0x77: SOD,
	0x61: "DG1", 0x75: "DG2", 0x63: "DG3", 0x76: "DG4", 0x65: "DG5", 0x66: "DG6", 0x67: "DG7", 0x68: "DG8",
	0x69: "DG9", 0x6A: "DG10", 0x6B: "DG11", 0x6C: "DG12", 0x6D: "DG13", 0x6E: "DG14", 0x6F: "DG15", 0x70: "DG16",
}

// limits are the largest sizes in bytes; other files have at most maxFile.
var limits = map[File]int{COM: 1 << 10, "DG1": 1 << 10, SOD: 256 << 10, "DG14": 64 << 10, "DG15": 16 << 10}

const maxFile = 2 << 20

// Open finds out which file raw is and returns its outer element.
func Open(raw []byte) (File, tlv.Element, error) {
	if len(raw) > maxFile {
		return "", tlv.Element{}, refusal.New(FileTooLarge, "a file of %d bytes, at most %d are read", len(raw), maxFile)
	}
	e, err := tlv.Parse(raw)
	if err != nil {
		return "", e, err
	}
	f, known := files[e.Tag]
	if !known {
		return "", e, refusal.New(WrongFile, "no file of a chip begins with %X", uint32(e.Tag))
	}
	if most, ok := limits[f]; ok && len(raw) > most {
		return "", e, refusal.New(FileTooLarge, "%s of %d bytes, at most %d are read", f, len(raw), most)
	}
	return f, e, nil
}

// open returns the outer element of one file.
func open(raw []byte, want File) (tlv.Element, error) {
	f, e, err := Open(raw)
	if err == nil && f != want {
		err = refusal.New(WrongFile, "%s where %s was expected", f, want)
	}
	return e, err
}

// Common is EF.COM. It is not signed.
type Common struct {
	Version string // of the logical data structure: "0107"
	Unicode string
	Groups  []File
}

// ParseCommon reads EF.COM.
func ParseCommon(raw []byte) (*Common, error) {
	e, err := open(raw, COM)
	if err != nil {
		return nil, err
	}
	parts, err := partsOf(e)
	if err != nil {
		return nil, err
	}
	c := &Common{Version: string(parts[0x5F01]), Unicode: string(parts[0x5F36])}
	if len(c.Version) != 4 || len(parts[0x5C]) == 0 {
		return nil, refusal.New(Malformed, "EF.COM lacks its version or its list of data groups")
	}
	for _, tag := range parts[0x5C] {
		f, known := files[tlv.Tag(tag)]
		if !known {
			return nil, refusal.New(Malformed, "EF.COM lists the unknown tag %X", tag)
		}
		c.Groups = append(c.Groups, f)
	}
	return c, nil
}

// partsOf returns the content of each child by its tag; the first one where there are several.
func partsOf(e tlv.Element) (map[tlv.Tag][]byte, error) {
	children, err := e.Children()
	if err != nil {
		return nil, err
	}
	out := map[tlv.Tag][]byte{}
	for _, c := range children {
		if _, twice := out[c.Tag]; !twice {
			out[c.Tag] = c.Content
		}
	}
	return out, nil
}

// widths are the lines of a zone by the number of its characters.
var widths = map[int]int{90: 30, 72: 36, 88: 44}

// ParseZone reads DG1.
func ParseZone(raw []byte) (mrz.Document, error) {
	e, err := open(raw, "DG1")
	if err != nil {
		return mrz.Document{}, err
	}
	r := tlv.Read(e, 0x61)
	zone := r.Take(0x5F1F)
	if err := r.End(); err != nil {
		return mrz.Document{}, err
	}
	width, known := widths[len(zone.Content)]
	if !known {
		return mrz.Document{}, refusal.New(NoZone, "a zone of %d characters", len(zone.Content))
	}
	var lines []string
	for s := string(zone.Content); s != ""; s = s[width:] {
		lines = append(lines, s[:width])
	}
	d, err := mrz.Parse(lines)
	if err != nil {
		return mrz.Document{}, refusal.New(NoZone, "the zone has the lines of no format")
	}
	return d, nil
}

// text returns UTF-8 without fillers: the chip writes names as the zone does, with << between surname and given names. Characters that
// are not printed are left out, but for the joiners that some scripts need: no store or screen should act on them.
func text(raw []byte) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsPrint(r) || r == '\u200C' || r == '\u200D':
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return -1
	}, strings.ToValidUTF8(string(raw), "\uFFFD"))
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(s, "<<", ", "), "<", " "))
}
