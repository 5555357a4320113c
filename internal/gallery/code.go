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

// signsOf are the signs of a code, a bit each.
func signsOf(c *Code) (out [words]uint64) {
	for i, v := range c {
		if v >= 0 {
			out[i/64] |= 1 << (i % 64)
		}
	}
	return out
}

// inverse is 1 over the length of a code.
func inverse(c *Code) float32 { return float32(1 / math.Sqrt(float64(dot(c[:], c[:])))) }

// dot is the product of two codes. At most 512·127² it does not overflow.
func dot(a, b []int8) int32 {
	a, b = a[:Length], b[:Length]
	var s0, s1, s2, s3 int32
	for i := 0; i < Length; i += 8 {
		x, y := a[i:i+8:i+8], b[i:i+8:i+8]
		s0 += int32(x[0])*int32(y[0]) + int32(x[4])*int32(y[4])
		s1 += int32(x[1])*int32(y[1]) + int32(x[5])*int32(y[5])
		s2 += int32(x[2])*int32(y[2]) + int32(x[6])*int32(y[6])
		s3 += int32(x[3])*int32(y[3]) + int32(x[7])*int32(y[7])
	}
	return s0 + s1 + s2 + s3
}
