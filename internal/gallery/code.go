package gallery

import (
	"errors"
	"math"
)

// Code is a turned template, rounded to 8 bits a number. Its length means nothing: codes are compared by angle. Codes are personal data.
type Code [Length]int8

// Bytes returns the code as 512 bytes, each a signed number.
func (c *Code) Bytes() []byte {
	out := make([]byte, Length)
	for i, v := range c {
		out[i] = byte(v)
	}
	return out
}

// errNoCode is returned for bytes that are no code.
var errNoCode = errors.New("gallery: not a code of 512 bytes")

// CodeOf reads what Bytes returned.
func CodeOf(b []byte) (Code, error) {
	var c Code
	if len(b) != Length {
		return c, errNoCode
	}
	for i, v := range b {
		c[i] = int8(v)
	}
	if c == (Code{}) {
		return c, errNoCode
	}
	return c, nil
}

// words is how many words the signs of a code fill.
const words = Length / 64

// signsOf are the signs of a code, a bit each: 1 for a number that is not negative. Without a branch, which would be guessed wrongly half the time.
func signsOf(c *Code) (out [words]uint64) {
	for i, v := range c {
		out[i/64] |= uint64(^uint8(v)>>7) << (i % 64) //nolint:gosec // wraps on purpose: the highest bit of the byte is the sign of v
	}
	return out
}

// wide is a code whose numbers are as wide as their products, so that a scan widens one side only.
type wide [Length]int32

func wideOf(c *Code) (out wide) {
	for i, v := range c {
		out[i] = int32(v)
	}
	return out
}

// inverse is 1 over the length of a code.
func inverse(c *Code) float32 {
	w := wideOf(c)
	return float32(1 / math.Sqrt(float64(w.dot((*[Length]int8)(c)))))
}

// dot is the product with a code. At most 512·127² it does not overflow.
func (w *wide) dot(c *[Length]int8) int32 {
	var s0, s1, s2, s3 int32
	for i := 0; i < Length; i += 4 {
		s0 += w[i] * int32(c[i])
		s1 += w[i+1] * int32(c[i+1])
		s2 += w[i+2] * int32(c[i+2])
		s3 += w[i+3] * int32(c[i+3])
	}
	return s0 + s1 + s2 + s3
}
