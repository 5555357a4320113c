package gallery

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Length is how many numbers a template has.
const Length = 512

// SecretSize is how many bytes the secret of a gallery has.
const SecretSize = 32

// turns is how often a template is flipped and mixed: after three each number depends on all others in a way that no statistics of the
// model shows through.
const turns = 3

// Rotation is a secret orthogonal map: flips of signs and a Walsh-Hadamard transform, three times, then a permutation. It keeps angles, so
// that turned templates compare as the templates do. It is safe for concurrent use.
type Rotation struct {
	flips [turns][Length]float32 // 1 or -1
	order [Length]uint16
}

// NewRotation derives the rotation of a gallery from its secret, which has SecretSize bytes.
func NewRotation(secret []byte) (*Rotation, error) {
	if len(secret) != SecretSize {
		return nil, fmt.Errorf("rotation: a secret of %d bytes, want %d", len(secret), SecretSize)
	}
	raw, err := hkdf.Expand(sha256.New, secret, "bonafide gallery rotation 1", turns*Length/8+8*Length)
	if err != nil {
		return nil, fmt.Errorf("rotation: %w", err)
	}
	defer clear(raw)
	r := &Rotation{}
	for t := range turns {
		for i := range Length {
			r.flips[t][i] = 1
			if raw[0]>>(i%8)&1 == 1 {
				r.flips[t][i] = -1
			}
			if i%8 == 7 {
				raw = raw[1:]
			}
		}
	}
	for i := range r.order {
		r.order[i] = uint16(i)
	}
	for i := Length - 1; i > 0; i-- { // 64 bits for a choice among 512: the bias is below 2^-54
		j := binary.LittleEndian.Uint64(raw) % uint64(i+1)
		raw = raw[8:]
		r.order[i], r.order[j] = r.order[j], r.order[i]
	}
	return r, nil
}

// errNoTemplate is returned for what is no template.
var errNoTemplate = errors.New("gallery: not a template of 512 finite numbers")

// Code turns a template and rounds it.
func (r *Rotation) Code(template []float32) (Code, error) {
	var c Code
	if len(template) != Length {
		return c, errNoTemplate
	}
	v := [Length]float32(template)
	defer clear(v[:])
	for t := range turns {
		for i := range v {
			v[i] *= r.flips[t][i]
		}
		hadamard(&v)
	}
	top := 0.0
	for _, x := range v {
		if math.IsNaN(float64(x)) {
			return c, errNoTemplate
		}
		top = math.Max(top, math.Abs(float64(x)))
	}
	if top == 0 || math.IsInf(top, 1) {
		return c, errNoTemplate
	}
	for i, at := range r.order {
		c[i] = int8(math.Round(float64(v[at]) / top * math.MaxInt8))
	}
	return c, nil
}

// hadamard is the Walsh-Hadamard transform, which leaves lengths as they are.
func hadamard(v *[Length]float32) {
	for half := 1; half < Length; half *= 2 {
		for block := 0; block < Length; block += 2 * half {
			for i := block; i < block+half; i++ {
				a, b := v[i], v[i+half]
				v[i], v[i+half] = a+b, a-b
			}
		}
	}
	scale := float32(1 / math.Sqrt(Length))
	for i := range v {
		v[i] *= scale
	}
}
