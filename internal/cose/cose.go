// Package cose reads what is signed as CBOR: COSE_Sign1 and COSE_Mac0 (RFC 9052), COSE_Key, certificates in headers (RFC 9360), and
// strict CBOR (RFC 8949).
//
// What is hashed or signed is kept as the bytes that were received and never encoded again. Maps are read as maps: a key that is
// missing is seen as missing and never as a zero, one that occurs twice is refused, and so are lengths that are not stated.
package cose

import (
	"errors"

	"github.com/fxamacker/cbor/v2"

	"github.com/bonafide-id/bonafide/internal/refusal"
)

// The refusals of this package.
const (
	Malformed      refusal.Code = "cose.malformed"       // no CBOR, or not of the shape that was asked for
	Repeated       refusal.Code = "cose.key_repeated"    // map with a key twice
	Algorithm      refusal.Code = "cose.algorithm"       // algorithm that is missing or not accepted
	KeyMismatch    refusal.Code = "cose.key_mismatch"    // algorithm of another kind of key than the key is
	Critical       refusal.Code = "cose.critical"        // header that has to be understood and is not
	UnsupportedKey refusal.Code = "cose.key_unsupported" // key of a kind that is not verified with, or a private one
	Signature      refusal.Code = "cose.signature"       // signature that the key did not make
	NoCertificate  refusal.Code = "cose.no_certificate"  // message without the certificate of its signer
	Mac            refusal.Code = "cose.mac"             // authentication code of another key
)

// Raw is one data item as received.
type Raw = cbor.RawMessage

// limits are those of every decoder: no key twice, no open lengths, text in UTF-8, and bounds for nesting and sizes.
var limits = func() cbor.DecMode {
	mode, err := cbor.DecOptions{
		DupMapKey: cbor.DupMapKeyEnforcedAPF, IndefLength: cbor.IndefLengthForbidden, MaxNestedLevels: 16,
		MaxArrayElements: 4096, MaxMapPairs: 4096, UTF8: cbor.UTF8RejectInvalid,
	}.DecMode()
	if err != nil {
		panic(err)
	}
	return mode
}()

var encoder = func() cbor.EncMode {
	mode, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		panic(err)
	}
	return mode
}()

// Encode writes a value deterministically (RFC 8949 section 4.2). It panics on what CBOR cannot hold, which is a programming error.
func Encode(v any) []byte {
	raw, err := encoder.Marshal(v)
	if err != nil {
		panic("cose: " + err.Error())
	}
	return raw
}

// Decode reads one data item into what v points to. Nothing may follow it.
func Decode(raw []byte, v any) error {
	err := limits.Unmarshal(raw, v)
	if err == nil {
		return nil
	}
	if _, twice := errors.AsType[*cbor.DupMapKeyError](err); twice {
		return refusal.New(Repeated, "a map has a key twice")
	}
	return refusal.New(Malformed, "the CBOR is not of the shape that was expected")
}

// Map reads a map whose keys are text.
func Map(raw []byte) (map[string]Raw, error) {
	if !is(raw, mapType) {
		return nil, refusal.New(Malformed, "no map where one was expected")
	}
	var out map[string]Raw
	return out, Decode(raw, &out)
}

// Fields reads a map with just those keys of which the first needed must be there.
func Fields(raw []byte, needed int, keys ...string) (map[string]Raw, error) {
	m, err := Map(raw)
	if err != nil {
		return nil, err
	}
	left := len(m)
	for i, k := range keys {
		if _, there := m[k]; there {
			left--
		} else if i < needed {
			return nil, refusal.New(Malformed, "%q is missing", k)
		}
	}
	if left > 0 {
		return nil, refusal.New(Malformed, "there is a key that is not known")
	}
	return m, nil
}

// Integers reads a map whose keys are integers.
func Integers(raw []byte) (map[int64]Raw, error) {
	if !is(raw, mapType) {
		return nil, refusal.New(Malformed, "no map where one was expected")
	}
	var out map[int64]Raw
	return out, Decode(raw, &out)
}

// The major types that are told apart here (RFC 8949 section 3.1).
const (
	bytesType = 2
	textType  = 3
	arrayType = 4
	mapType   = 5
	tagType   = 6
)

// is reports whether a data item is of a major type: the decoder takes null for any of them.
func is(raw []byte, major byte) bool { return len(raw) > 0 && raw[0]>>5 == major }

// Text reads a text.
func Text(raw []byte) (string, error) {
	if !is(raw, textType) {
		return "", refusal.New(Malformed, "no text where one was expected")
	}
	var out string
	return out, Decode(raw, &out)
}

// Bytes reads a byte string.
func Bytes(raw []byte) ([]byte, error) {
	if !is(raw, bytesType) {
		return nil, refusal.New(Malformed, "no byte string where one was expected")
	}
	var out []byte
	return out, Decode(raw, &out)
}

// List reads an array.
func List(raw []byte) ([]Raw, error) {
	if !is(raw, arrayType) {
		return nil, refusal.New(Malformed, "no array where one was expected")
	}
	var out []Raw
	return out, Decode(raw, &out)
}

// Int reads an integer.
func Int(raw []byte) (int64, error) {
	if len(raw) == 0 || raw[0]>>5 > 1 {
		return 0, refusal.New(Malformed, "no integer where one was expected")
	}
	var out int64
	return out, Decode(raw, &out)
}

// embedded is the tag of CBOR within a byte string (RFC 8949 section 3.4.5.1).
const embedded = 24

// Embedded returns the data item within a byte string that is tagged as holding one.
func Embedded(raw []byte) ([]byte, error) {
	var tag cbor.RawTag
	if !is(raw, tagType) {
		return nil, refusal.New(Malformed, "no embedded CBOR where some was expected")
	}
	if err := Decode(raw, &tag); err != nil {
		return nil, err
	}
	if tag.Number != embedded {
		return nil, refusal.New(Malformed, "tag %d where embedded CBOR was expected", tag.Number)
	}
	return Bytes(tag.Content)
}

// Embed returns a data item within a tagged byte string.
func Embed(item []byte) []byte { return Encode(cbor.Tag{Number: embedded, Content: item}) }

// Value reads any data item as Go has it: text, []byte, uint64, int64, *big.Int, float64, bool, nil, []any, map[any]any, time.Time for dates and
// times. Tags that are not known keep their content.
func Value(raw []byte) (any, error) {
	var v any
	if err := Decode(raw, &v); err != nil {
		return nil, err
	}
	return untag(v), nil
}

func untag(v any) any {
	switch x := v.(type) {
	case cbor.Tag:
		return untag(x.Content)
	case []any:
		for i := range x {
			x[i] = untag(x[i])
		}
	case map[any]any:
		for k := range x {
			x[k] = untag(x[k])
		}
	}
	return v
}
