package jose

import (
	"bytes"
	"encoding/json"
	"io"
	"time"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/refusal"
)

// maxDepth is how deep JSON may be nested.
const maxDepth = 24

// Decode reads one JSON value strictly: valid UTF-8, no name twice in an object, nothing behind it. Numbers are kept as json.Number,
// so that large ones stay exact.
func Decode(raw []byte) (any, error) {
	if !utf8.Valid(raw) {
		return nil, refusal.New(Malformed, "the JSON is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, err := decode(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, refusal.New(Malformed, "something follows the JSON")
	}
	return v, nil
}

// DecodeObject reads one JSON object as Decode does.
func DecodeObject(raw []byte) (map[string]any, error) {
	v, err := Decode(raw)
	if err != nil {
		return nil, err
	}
	o, ok := v.(map[string]any)
	if !ok {
		return nil, refusal.New(Malformed, "the JSON is no object")
	}
	return o, nil
}

func decode(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, refusal.New(TooLarge, "the JSON is nested deeper than %d levels", maxDepth)
	}
	t, err := d.Token()
	if err != nil {
		return nil, refusal.New(Malformed, "the JSON ends early or cannot be read")
	}
	switch t {
	case json.Delim('{'):
		return decodeObject(d, depth)
	case json.Delim('['):
		out := []any{}
		for d.More() {
			v, err := decode(d, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, closing(d)
	}
	return t, nil
}

func decodeObject(d *json.Decoder, depth int) (any, error) {
	out := map[string]any{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, refusal.New(Malformed, "the JSON ends early or cannot be read")
		}
		key, ok := name.(string)
		if !ok {
			return nil, refusal.New(Malformed, "the JSON has a name that is no text")
		}
		if _, twice := out[key]; twice {
			return nil, refusal.New(Repeated, "an object has a name twice")
		}
		if out[key], err = decode(d, depth+1); err != nil {
			return nil, err
		}
	}
	return out, closing(d)
}

func closing(d *json.Decoder) error {
	if _, err := d.Token(); err != nil {
		return refusal.New(Malformed, "the JSON ends early or cannot be read")
	}
	return nil
}

// Text returns a member that must be text and not empty.
func Text(o map[string]any, name string) (string, error) {
	s, ok := o[name].(string)
	if !ok || s == "" {
		return "", refusal.New(Malformed, "%q is missing or no text", name)
	}
	return s, nil
}

// Time returns a member that is a NumericDate (RFC 7519 section 2), the zero time if it is absent.
func Time(o map[string]any, name string) (time.Time, error) {
	v, there := o[name]
	if !there {
		return time.Time{}, nil
	}
	n, ok := v.(json.Number)
	if !ok {
		return time.Time{}, refusal.New(Malformed, "%q is no number", name)
	}
	seconds, err := n.Float64() // exact to far less than a second up to the last one, and exponents are read too
	if err != nil || seconds < 0 || seconds > lastSecond {
		return time.Time{}, refusal.New(Malformed, "%q is no time", name)
	}
	return time.Unix(int64(seconds), 0).UTC(), nil
}

// lastSecond is the end of the year 9999.
const lastSecond = 253402300799
