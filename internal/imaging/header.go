package imaging

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image/jpeg"
	"image/png"
	"iter"

	"golang.org/x/image/webp"
)

// header is what can be known of a file without decoding it.
type header struct {
	format      string
	w, h        int
	orientation int
	heavy       bool // takes twice the memory to decode
	tables      tables
}

var (
	errFormat   = errors.New("not a JPEG, PNG or WebP picture")
	errAnimated = errors.New("an animation, not a still picture")
	errHeader   = errors.New("the header is damaged or cut short")
	errHEIC     = errors.New("a HEIC or AVIF picture")
	errScans    = errors.New("more scans than any camera writes")
)

// readHeader tells the format by content and reads size, orientation and traps. It allocates nothing of note.
func readHeader(b []byte) (header, error) {
	switch {
	case len(b) == 0:
		return header{}, errors.New("the file is empty")
	case bytes.HasPrefix(b, []byte{0xff, 0xd8, 0xff}):
		return readJPEG(b)
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return readPNG(b)
	case len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		return readWebP(b)
	case isHEIC(b):
		return header{}, errHEIC
	}
	return header{}, errFormat
}

// isHEIC reports whether b begins as a picture in the High Efficiency Image File Format does (ISO/IEC 23008-12 §10.2; AVIF 1.1 §6): those
// of phones.
func isHEIC(b []byte) bool {
	if len(b) < 12 || string(b[4:8]) != "ftyp" {
		return false
	}
	switch string(b[8:12]) {
	case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis":
		return true
	}
	return false
}

// mostScans is far beyond what encoders write (about 10 in a progressive JPEG). Every scan visits every pixel and takes a
// few bytes, so that without a limit a small file could keep a processor busy for an hour.
const mostScans = 64

// readJPEG walks the marker segments (ITU-T T.81 §B.1).
func readJPEG(b []byte) (header, error) {
	c, err := jpeg.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return header{}, errHeader
	}
	h := header{format: "jpeg", w: c.Width, h: c.Height, orientation: 1}
	scans := 0
	for marker, body := range segments(b) {
		switch {
		case marker == 0xc0 || marker == 0xc1 || marker == 0xc2:
			h.heavy = h.heavy || marker == 0xc2
			h.tables.frame(body)
		case marker == 0xdb && scans == 0:
			h.tables.define(body)
		case marker == 0xda:
			scans++
		case marker == 0xe1 && scans == 0 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) && h.orientation == 1:
			h.orientation = exifOrientation(body[6:])
		}
		if scans > mostScans {
			return h, errScans
		}
	}
	return h, nil
}

// segments yields each marker of a JPEG that has a body, up to the end of the picture, with the body. What lies between
// two segments is passed over, as decoders do: the data of a scan, fill bytes and markers that stand alone.
func segments(b []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		for i := 2; i+4 <= len(b); {
			next := bytes.IndexByte(b[i:], 0xff)
			if next < 0 || i+next+4 > len(b) {
				return
			}
			i += next
			marker := b[i+1]
			switch {
			case marker == 0xd9:
				return
			case marker == 0xff:
				i++
				continue
			case marker <= 0x01 || marker >= 0xd0 && marker <= 0xd8:
				i += 2
				continue
			}
			n := int(binary.BigEndian.Uint16(b[i+2:]))
			if n < 2 || i+2+n > len(b) || !yield(marker, b[i+4:i+2+n]) {
				return
			}
			i += 2 + n
		}
	}
}

// readPNG walks all chunks by their stated lengths (PNG 3rd edition §5.3; acTL §11.3.5.1, eXIf §11.3.4.5).
func readPNG(b []byte) (header, error) {
	c, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil || len(b) < 33 {
		return header{}, errHeader
	}
	h := header{format: "png", w: c.Width, h: c.Height, orientation: 1, heavy: b[24] == 16}
	for i := 8; i+12 <= len(b); {
		n := int64(binary.BigEndian.Uint32(b[i:]))
		if n > int64(len(b)-i-12) {
			break
		}
		body := b[i+8 : i+8+int(n)]
		switch string(b[i+4 : i+8]) {
		case "acTL":
			return h, errAnimated
		case "eXIf":
			h.orientation = exifOrientation(body)
		}
		i += 12 + int(n)
	}
	return h, nil
}

// readWebP walks the RIFF chunks (RFC 9649 §2). The size of the canvas and of the picture in it must be the same, since
// the decoder allocates by either.
func readWebP(b []byte) (header, error) {
	c, err := webp.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return header{}, errHeader
	}
	h := header{format: "webp", w: c.Width, h: c.Height, orientation: 1}
	for i := 12; i+8 <= len(b); {
		n := int64(binary.LittleEndian.Uint32(b[i+4:]))
		if n > int64(len(b)-i-8) {
			break
		}
		body := b[i+8 : i+8+int(n)]
		w, ht := h.w, h.h
		switch string(b[i : i+4]) {
		case "ANIM", "ANMF":
			return h, errAnimated
		case "VP8X":
			if len(body) > 0 && body[0]&0x02 != 0 {
				return h, errAnimated
			}
		case "VP8 ":
			w, ht, err = vp8Size(body)
		case "VP8L":
			w, ht, err = vp8lSize(body)
		case "EXIF":
			h.orientation = exifOrientation(bytes.TrimPrefix(body, []byte("Exif\x00\x00")))
		}
		if err != nil || w != h.w || ht != h.h {
			return h, fmt.Errorf("%w: sizes differ", errHeader)
		}
		i += 8 + int(n+n&1)
	}
	return h, nil
}

// vp8Size reads the size of a key frame (RFC 6386 §9.1).
func vp8Size(b []byte) (w, h int, err error) {
	if len(b) < 10 {
		return 0, 0, errHeader
	}
	return int(binary.LittleEndian.Uint16(b[6:])) & 0x3fff, int(binary.LittleEndian.Uint16(b[8:])) & 0x3fff, nil
}

// vp8lSize reads the size of a lossless frame (RFC 9649 §3.4).
func vp8lSize(b []byte) (w, h int, err error) {
	if len(b) < 5 {
		return 0, 0, errHeader
	}
	v := binary.LittleEndian.Uint32(b[1:])
	return int(v&0x3fff) + 1, int(v>>14&0x3fff) + 1, nil
}

// exifOrientation reads tag 0x0112 of the first directory of a TIFF block and answers 1 for whatever is not as it should
// be (CIPA DC-008 §4.5, §4.6.4). It follows no link but the first, so that it always ends.
func exifOrientation(t []byte) int {
	if len(t) < 8 {
		return 1
	}
	var order binary.ByteOrder
	switch string(t[:2]) {
	case "II":
		order = binary.LittleEndian
	case "MM":
		order = binary.BigEndian
	default:
		return 1
	}
	at := int64(order.Uint32(t[4:]))
	if order.Uint16(t[2:]) != 42 || at < 8 || at+2 > int64(len(t)) {
		return 1
	}
	entries := int64(order.Uint16(t[at:]))
	for i := at + 2; entries > 0 && i+12 <= int64(len(t)); i, entries = i+12, entries-1 {
		e := t[i : i+12]
		if order.Uint16(e) != 0x0112 {
			continue
		}
		v := 0
		switch order.Uint16(e[2:]) {
		case 1:
			v = int(e[8])
		case 3:
			v = int(order.Uint16(e[8:]))
		case 4:
			v = int(order.Uint32(e[8:]))
		}
		if v >= 1 && v <= 8 && order.Uint32(e[4:]) == 1 {
			return v
		}
		return 1
	}
	return 1
}

// Pixels returns how many pixels a file claims to have, counted twice where they take twice the memory to decode (see Limits). It is 0
// for what is not a picture, and allocates nothing of note.
func Pixels(b []byte) int64 {
	h, err := readHeader(b)
	if err != nil {
		return 0
	}
	n := int64(h.w) * int64(h.h)
	if h.heavy {
		n *= 2
	}
	return n
}
