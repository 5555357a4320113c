package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxDepth is how deep our JSON bodies may nest; no call needs more than 3.
const maxDepth = 16

// CleanJSON decodes a body and encodes it again with its texts in NFC. It refuses what no text may contain, naming the place and never
// the value. Problems: request.malformed.
func CleanJSON(raw []byte) ([]byte, error) {
	if !utf8.Valid(raw) {
		return nil, Malformed("", "The body is not UTF-8.")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, err := cleanValue(d, "", 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, Malformed("", "There is more after the JSON value.")
	}
	out, err := json.Marshal(v)
	if err != nil {
		return nil, Malformed("", "The body is not JSON.")
	}
	return out, nil
}

func cleanValue(d *json.Decoder, at string, depth int) (any, error) {
	if depth > maxDepth {
		return nil, Malformed("", "The body nests too deep.")
	}
	t, err := d.Token()
	if err != nil {
		return nil, Malformed("", "The body is not JSON.")
	}
	switch t := t.(type) {
	case string:
		return CleanText(t, at)
	case json.Delim:
		if t == '{' {
			return cleanObject(d, at, depth)
		}
		return cleanArray(d, at, depth)
	case json.Number:
		if _, err := t.Float64(); err != nil {
			return nil, Malformed(at, "The number is too large.")
		}
		return t, nil
	default:
		return t, nil
	}
}

func cleanObject(d *json.Decoder, at string, depth int) (any, error) {
	out := map[string]any{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, Malformed("", "The body is not JSON.")
		}
		key, ok := t.(string)
		if !ok {
			return nil, Malformed("", "The body is not JSON.")
		}
		key, err = CleanText(key, at)
		if err != nil {
			return nil, err
		}
		place := at + "/" + pointerToken(key)
		if _, twice := out[key]; twice {
			return nil, Malformed(place, "The name is given twice.")
		}
		if out[key], err = cleanValue(d, place, depth+1); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, Malformed("", "The body is not JSON.")
	}
	return out, nil
}

func cleanArray(d *json.Decoder, at string, depth int) (any, error) {
	out := []any{}
	for d.More() {
		v, err := cleanValue(d, at+"/"+strconv.Itoa(len(out)), depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	if _, err := d.Token(); err != nil {
		return nil, Malformed("", "The body is not JSON.")
	}
	return out, nil
}

// CleanText returns a text in NFC. It refuses control characters, and those that change the direction of text and could so make a
// reviewer read something else than what is there. Problems: request.malformed.
func CleanText(s, at string) (string, error) {
	for _, r := range s {
		if r == '\n' && isCondition(at) {
			continue
		}
		if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError {
			return "", Malformed(at, "Control characters are not allowed in texts.")
		}
	}
	return norm.NFC.String(s), nil
}

// isCondition reports whether a place is the condition of a workflow's rule: the one text of ours that has lines.
func isCondition(at string) bool {
	return strings.HasPrefix(at, "/spec/rules/") && strings.HasSuffix(at, "/when")
}

// pointerToken writes a name as a part of a JSON pointer (RFC 6901 §3).
func pointerToken(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(Shorten(name))
}
