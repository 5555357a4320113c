package wallet

import (
	"bytes"
	"encoding/binary"
)

// Formats of portraits.
const (
	jpeg     = "jpeg"
	jpeg2000 = "jp2"
)

// codestream begins a JPEG 2000 codestream: SOC and SIZ (ISO/IEC 15444-1 annex A).
var codestream = []byte{0xFF, 0x4F, 0xFF, 0x51}

// formatOf returns the format of a portrait; empty if it is none that is opened.
func formatOf(raw []byte) string {
	switch {
	case bytes.HasPrefix(raw, []byte{0xFF, 0xD8, 0xFF}):
		return jpeg
	case bytes.HasPrefix(raw, codestream), bytes.HasPrefix(raw, []byte("\x00\x00\x00\x0CjP  ")):
		return jpeg2000
	}
	return ""
}

// sizeOf returns the size of a JPEG 2000 picture in pixels; 0 if it does not say.
func sizeOf(raw []byte) (width, height int) {
	at := bytes.Index(raw, codestream)
	if at < 0 || len(raw) < at+24 {
		return 0, 0
	}
	size := raw[at+8:] // after SOC, SIZ, Lsiz and Rsiz
	at32 := func(n int) int { return int(binary.BigEndian.Uint32(size[4*n:]) & 0xFFFFFF) }
	return at32(0) - at32(2), at32(1) - at32(3)
}
