package wallet

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
)

// mostValue is how much of a value is kept, in bytes.
const mostValue = 1000

// names reports whether the facts say who the person is.
func (f *facts) names() bool {
	for _, name := range []idv.ClaimName{idv.FamilyName, idv.GivenNames, idv.DateOfBirth} {
		if !slices.ContainsFunc(f.claims, func(c idv.Claim) bool { return c.Name == name && c.Value != "" }) {
			return false
		}
	}
	return true
}

// valuesOf returns what was asked and disclosed of credentials that no preset has.
func valuesOf(r *openid4vp.Request, report *openid4vp.Report) []idv.WalletValue {
	var out []idv.WalletValue
	for _, q := range r.Query.Credentials {
		c, there := report.Credentials[q.ID]
		if !there || presetID(q) {
			continue
		}
		for _, asked := range q.Claims {
			if v, there := valueAt(c, asked.Path); there {
				out = append(out, idv.WalletValue{Credential: q.ID, Path: joined(asked.Path), Value: textOf(v)})
			}
		}
	}
	return out
}

// presetID reports whether a preset asks for the credential.
func presetID(q openid4vp.CredentialQuery) bool {
	return slices.ContainsFunc(append(slices.Clone(q.Meta.Types), q.Meta.DocType), idv.HasWalletPreset)
}

// valueAt returns the value at a path of names.
func valueAt(c openid4vp.Credential, path []any) (any, bool) {
	var at any
	switch {
	case c.SDJWT != nil:
		at = c.SDJWT.Claims
	case c.MDoc != nil && len(path) == 2:
		space, _ := path[0].(string)
		name, _ := path[1].(string)
		v, there := c.MDoc.Claims[space][name]
		return v, there
	}
	for _, step := range path {
		name, named := step.(string)
		in, inside := at.(map[string]any)
		if !named || !inside {
			return nil, false
		}
		v, there := in[name]
		if !there {
			return nil, false
		}
		at = v
	}
	return at, true
}

func joined(path []any) string {
	var steps []string
	for _, step := range path {
		name, _ := step.(string)
		steps = append(steps, name)
	}
	return strings.Join(steps, "/")
}

// textOf writes a value: text as it is, anything else as JSON. Pictures and other bytes are named by their kind alone, wherever they are in it.
func textOf(v any) string {
	v = withoutBytes(v)
	text, isText := v.(string)
	if !isText {
		raw, err := json.Marshal(v)
		if err != nil {
			return "" // no value of JSON, such as a map of CBOR with numbers as keys
		}
		text = string(raw)
	}
	return strings.ToValidUTF8(text[:min(len(text), mostValue)], "")
}

// withoutBytes is a value with the kind of bytes in place of the bytes, and of pictures that are written as text.
func withoutBytes(v any) any {
	switch v := v.(type) {
	case []byte:
		return kindOfBytes(v)
	case string:
		if kind, _, found := strings.Cut(v, ";"); found && strings.HasPrefix(kind, "data:") {
			return "(" + kind + ")"
		}
		text := strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(v), "=")
		if raw, err := base64.RawStdEncoding.DecodeString(text); err == nil && formatOf(raw) != "" {
			return kindOfBytes(raw)
		}
	case map[string]any:
		out := map[string]any{}
		for name, in := range v {
			out[name] = withoutBytes(in)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, in := range v {
			out[i] = withoutBytes(in)
		}
		return out
	}
	return v
}

func kindOfBytes(raw []byte) string { return "(" + strings.TrimSpace(formatOf(raw)+" bytes") + ")" }
