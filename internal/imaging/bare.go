package imaging

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
)

// Bare is a JPEG, PNG or WebP picture without what a camera or a program wrote beside its pixels: place, time, device, names,
// comments, thumbnails, pictures behind the picture. Its pixels, their colour profile and the turn by which they stand upright
// stay as they were, bit for bit. Problems: capture.not_an_image for anything else.
func Bare(b []byte) ([]byte, error) {
	h, err := readHeader(b)
	if err != nil {
		return nil, notAnImage(err.Error())
	}
	switch h.format {
	case "jpeg":
		return bareJPEG(b, h.orientation), nil
	case "png":
		return barePNG(b, h.orientation), nil
	default:
		return bareWebP(b, h.orientation), nil
	}
}

// sized is a length as a file writes it. What is longer than a field can say, which nothing is that came out of one, says as
// much as it can.
func sized[T uint16 | uint32](n int64) T {
	return T(min(max(n, 0), int64(^T(0))))
}

// turnOnly is an EXIF block that says by which turn a picture stands upright, and nothing else (TIFF 6.0 §2; CIPA DC-008 §4.6.4).
func turnOnly(orientation int) []byte {
	b := append([]byte("MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"), byte(orientation))
	return append(b, make([]byte, 6)...)
}

// bareJPEG copies the segments that are needed to show the pixels (ITU-T T.81 §B.1) and the data of the scans. What else there
// is between two segments, and behind the end of the picture, is left out.
func bareJPEG(b []byte, orientation int) []byte {
	out := append(make([]byte, 0, len(b)), b[:2]...)
	if orientation != 1 {
		out = appendSegment(out, 0xe1, append([]byte("Exif\x00\x00"), turnOnly(orientation)...))
	}
	scan := false // what comes next is the data of one
	for i := 2; ; {
		at := nextSegment(b, i)
		if scan {
			out = append(out, b[i:at]...)
		}
		if at+2 <= len(b) && b[at+1] == 0xd9 {
			return append(out, 0xff, 0xd9)
		}
		if at+4 > len(b) {
			return out
		}
		end := at + 2 + int(binary.BigEndian.Uint16(b[at+2:]))
		if end < at+4 || end > len(b) {
			return out
		}
		marker := b[at+1]
		if body := bareSegment(marker, b[at+4:end]); body != nil {
			out = appendSegment(out, marker, body)
		}
		i, scan = end, marker == 0xda
	}
}

// nextSegment is where the next marker stands that has a body or ends the picture; the length of the file where there is none.
func nextSegment(b []byte, i int) int {
	for ; i+2 <= len(b); i++ {
		if marker := b[i+1]; b[i] == 0xff && marker > 0x01 && marker < 0xff && (marker < 0xd0 || marker > 0xd8) {
			return i
		}
	}
	return len(b)
}

func appendSegment(to []byte, marker byte, body []byte) []byte {
	to = binary.BigEndian.AppendUint16(append(to, 0xff, marker), sized[uint16](int64(len(body))+2))
	return append(to, body...)
}

// bareSegment is what of a segment's body is needed to show the pixels; nil for a segment that is not.
func bareSegment(marker byte, body []byte) []byte {
	switch {
	case marker >= 0xc0 && marker <= 0xcf, marker >= 0xda && marker <= 0xdd: // frames, scans and their tables (§B.1.1.3)
		return body
	case marker == 0xe0 && bytes.HasPrefix(body, []byte("JFIF\x00")): // a thumbnail of 0 × 0 pixels (ITU-T T.871 §10.1)
		return append(append(make([]byte, 0, 14), body[:min(len(body), 12)]...), make([]byte, 14-min(len(body), 12))...)
	case marker == 0xe2 && bytes.HasPrefix(body, []byte("ICC_PROFILE\x00")):
		return body
	case marker == 0xee && bytes.HasPrefix(body, []byte("Adobe")) && len(body) >= 12: // versions, flags and the transform (ITU-T T.872 §6.5.3)
		return body[:12]
	}
	return nil
}

// shown are the chunks of a PNG that hold its pixels or by which these get their colours and their size, and how long each may
// be (PNG 3rd edition §11.2, §11.3).
var shown = map[string]int64{
	"IHDR": 13, "PLTE": 3 * 256, "IDAT": math.MaxInt32, "IEND": 0, "tRNS": 256, "cHRM": 32, "gAMA": 4, "iCCP": math.MaxInt32, "sBIT": 4, "sRGB": 1, "cICP": 4,
	"bKGD": 6, "hIST": 2 * 256, "pHYs": 9,
}

// barePNG leaves out every chunk that is not needed to show the pixels, and whatever stands behind the last.
func barePNG(b []byte, orientation int) []byte {
	out := append(make([]byte, 0, len(b)), b[:8]...)
	for i := 8; i+12 <= len(b); {
		n := int64(binary.BigEndian.Uint32(b[i:]))
		if n > int64(len(b)-i-12) {
			break
		}
		kind, end := string(b[i+4:i+8]), i+12+int(n)
		if most, ok := shown[kind]; ok && n <= most {
			out = append(out, b[i:end]...)
		}
		if kind == "IHDR" && orientation != 1 {
			out = appendChunk(out, "eXIf", turnOnly(orientation))
		}
		if kind == "IEND" {
			break
		}
		i = end
	}
	return out
}

func appendChunk(to []byte, kind string, body []byte) []byte {
	to = binary.BigEndian.AppendUint32(to, sized[uint32](int64(len(body))))
	typed := append([]byte(kind), body...)
	return binary.BigEndian.AppendUint32(append(to, typed...), crc32.ChecksumIEEE(typed))
}

// The flags of VP8X (RFC 9649 §2.7.1).
const (
	webpEXIF  = 0x08
	webpAlpha = 0x10
	webpICC   = 0x20
)

// bareWebP leaves out every chunk that is not needed to show the pixels, and whatever stands behind them.
func bareWebP(b []byte, orientation int) []byte {
	out := append(make([]byte, 0, len(b)), b[:12]...)
	missing, pixels := int64(0), false
	for i := 12; i+8 <= len(b) && !pixels; {
		claimed := int64(binary.LittleEndian.Uint32(b[i+4:]))
		n := min(claimed, int64(len(b)-i-8)) // decoders take a last chunk that is cut short
		end := min(i+8+int(n+n&1), len(b))
		kind := string(b[i : i+4])
		switch kind {
		case "VP8X", "ICCP", "ALPH", "VP8 ", "VP8L":
			at := len(out)
			out, missing = append(out, b[i:end]...), claimed-n
			if kind == "VP8X" && n >= 4 {
				bareFlags(out[at+8:at+12], orientation)
			}
		}
		i, pixels = end, kind == "VP8 " || kind == "VP8L"
	}
	if orientation != 1 {
		turn := turnOnly(orientation)
		out = binary.LittleEndian.AppendUint32(append(out, "EXIF"...), sized[uint32](int64(len(turn))))
		out = append(out, turn...)
	}
	binary.LittleEndian.PutUint32(out[4:], sized[uint32](int64(len(out))-8+missing))
	return out
}

// bareFlags announces the chunks that are left, and nothing in the bytes that are set aside.
func bareFlags(flags []byte, orientation int) {
	flags[0] &= webpICC | webpAlpha
	if orientation != 1 {
		flags[0] |= webpEXIF
	}
	clear(flags[1:])
}
