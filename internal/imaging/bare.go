package imaging

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"
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

// turnOnly is an EXIF block that says by which turn a picture stands upright, and nothing else (TIFF 6.0 §2; CIPA DC-008 §4.6.4).
func turnOnly(orientation int) []byte {
	b := append([]byte("MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"), byte(orientation))
	return append(b, make([]byte, 6)...)
}

// bareJPEG leaves out application segments and comments (ITU-T T.81 §B.2.4), but for those without which the colours are
// others, and whatever stands behind the end of the picture.
func bareJPEG(b []byte, orientation int) []byte {
	out := append(make([]byte, 0, len(b)), b[:2]...)
	if orientation != 1 {
		body := append([]byte("Exif\x00\x00"), turnOnly(orientation)...)
		out = binary.BigEndian.AppendUint16(append(out, 0xff, 0xe1), uint16(len(body)+2)) //nolint:gosec // 34 bytes
		out = append(out, body...)
	}
	copied := 2
	for i := 2; i+2 <= len(b); {
		next := bytes.IndexByte(b[i:], 0xff)
		if next < 0 || i+next+2 > len(b) {
			break
		}
		i += next
		marker := b[i+1]
		switch {
		case marker == 0xd9:
			return append(out, b[copied:i+2]...)
		case marker == 0xff:
			i++
			continue
		case marker <= 0x01 || marker >= 0xd0 && marker <= 0xd8 || i+4 > len(b):
			i += 2
			continue
		}
		end := i + 2 + max(2, int(binary.BigEndian.Uint16(b[i+2:])))
		if end > len(b) {
			break
		}
		if !pixels(marker, b[i+4:end]) {
			out, copied = append(out, b[copied:i]...), end
		}
		i = end
	}
	return append(out, b[copied:]...)
}

// pixels reports whether a segment of a JPEG is needed to show its pixels.
func pixels(marker byte, body []byte) bool {
	switch {
	case marker == 0xe0:
		return bytes.HasPrefix(body, []byte("JFIF\x00"))
	case marker == 0xe2:
		return bytes.HasPrefix(body, []byte("ICC_PROFILE\x00"))
	case marker == 0xee:
		return bytes.HasPrefix(body, []byte("Adobe"))
	default:
		return (marker < 0xe0 || marker > 0xef) && marker != 0xfe
	}
}

// shown are the ancillary chunks of a PNG by which its pixels get their colours and their size (PNG 3rd edition §11.3).
const shown = "tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD hIST pHYs"

// barePNG leaves out every chunk that is not needed to show the pixels, and whatever stands behind the last.
func barePNG(b []byte, orientation int) []byte {
	out := append(make([]byte, 0, len(b)), b[:8]...)
	for i := 8; i+12 <= len(b); {
		n := int64(binary.BigEndian.Uint32(b[i:]))
		if n > int64(len(b)-i-12) {
			break
		}
		kind, end := string(b[i+4:i+8]), i+12+int(n)
		if kind[0]&0x20 == 0 || strings.Contains(shown, kind) {
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
	to = binary.BigEndian.AppendUint32(to, uint32(len(body))) //nolint:gosec // 26 bytes
	typed := append([]byte(kind), body...)
	return binary.BigEndian.AppendUint32(append(to, typed...), crc32.ChecksumIEEE(typed))
}

// The flags of VP8X that announce chunks which are left out (RFC 9649 §2.7.1).
const (
	webpXMP  = 0x04
	webpEXIF = 0x08
)

// bareWebP leaves out every chunk that is not needed to show the pixels, and whatever stands behind the last.
func bareWebP(b []byte, orientation int) []byte {
	out := append(make([]byte, 0, len(b)), b[:12]...)
	missing := int64(0)
	for i := 12; i+8 <= len(b); {
		claimed := int64(binary.LittleEndian.Uint32(b[i+4:]))
		n := min(claimed, int64(len(b)-i-8)) // decoders take a last chunk that is cut short
		end := min(i+8+int(n+n&1), len(b))
		switch kind := string(b[i : i+4]); kind {
		case "VP8X", "ICCP", "ALPH", "VP8 ", "VP8L":
			at := len(out)
			out, missing = append(out, b[i:end]...), claimed-n
			if kind == "VP8X" && n > 0 {
				out[at+8] &^= webpXMP | webpEXIF
				if orientation != 1 {
					out[at+8] |= webpEXIF
				}
			}
		}
		i = end
	}
	if orientation != 1 {
		turn := turnOnly(orientation)
		out = binary.LittleEndian.AppendUint32(append(out, "EXIF"...), uint32(len(turn))) //nolint:gosec // 26 bytes
		out = append(out, turn...)
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(int64(len(out))-8+missing)) //nolint:gosec // at most what came in, or what it claimed to be
	return out
}
