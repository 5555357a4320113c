package docsite

import (
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
)

// schema is what is read of a JSON schema.
type schema struct {
	Ref         string             `json:"$ref"`
	Type        string             `json:"type"`
	Format      string             `json:"format"`
	Description string             `json:"description"`
	Enum        []any              `json:"enum"`
	Examples    []any              `json:"examples"`
	Example     any                `json:"example"`
	Items       *schema            `json:"items"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	AnyOf       []*schema          `json:"anyOf"`
	Additional  json.RawMessage    `json:"additionalProperties"`
	Minimum     *float64           `json:"minimum"`
	Maximum     *float64           `json:"maximum"`
	MinLength   *int               `json:"minLength"`
	MaxLength   *int               `json:"maxLength"`
	MaxItems    *int               `json:"maxItems"`
}

// UnmarshalJSON implements json.Unmarshaler: a type may be a list with null in it.
func (s *schema) UnmarshalJSON(raw []byte) error {
	type plain schema
	var in struct {
		plain
		Type json.RawMessage `json:"type"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return fmt.Errorf("read a schema: %w", err)
	}
	*s = schema(in.plain)
	if len(in.Type) == 0 || in.Type[0] != '[' {
		_ = json.Unmarshal(in.Type, &s.Type) // no type at all is any type
		return nil
	}
	var list []string
	if err := json.Unmarshal(in.Type, &list); err != nil {
		return fmt.Errorf("read a schema: %w", err)
	}
	for _, t := range list {
		if t != "null" {
			s.Type = t
		}
	}
	if slices.Contains(list, "null") {
		one := schema(in.plain)
		one.Type = s.Type
		*s = schema{Description: one.Description, AnyOf: []*schema{&one, {Type: "null"}}}
	}
	return nil
}

// field is one line of a table of fields.
type field struct {
	Name, Type string
	Required   bool
	Text       template.HTML
	Values     []string
}

// deepest is how far fields of fields are listed; further in, the example shows them.
const deepest = 2

// look follows references and leaves out null. It answers the schema's name where it has one.
func (d description) look(s *schema) (found *schema, name string, nullable bool) {
	for range 8 {
		switch {
		case s == nil:
			return &schema{}, name, nullable
		case s.Ref != "":
			name = s.Ref[strings.LastIndex(s.Ref, "/")+1:]
			s = d.Components.Schemas[name]
		case len(s.AnyOf) > 0:
			var one *schema
			for _, o := range s.AnyOf {
				if o.Type == "null" {
					nullable = true
				} else if one == nil {
					one = o
				}
			}
			s = one
		default:
			return s, name, nullable
		}
	}
	return &schema{}, name, nullable
}

// typeOf is a type in words.
func (d description) typeOf(s *schema) string {
	found, name, nullable := d.look(s)
	out := found.Type
	switch {
	case found.Type == "array":
		out = "list of " + d.typeOf(found.Items)
	case found.Type == "object" && len(found.Properties) == 0:
		out = "map"
	case found.Type == "" && name != "":
		out = name
	case found.Type == "":
		out = "any"
	case found.Format != "":
		out = found.Format
	}
	out += bounds(found)
	if nullable {
		out += " or null"
	}
	return out
}

func bounds(s *schema) string {
	switch {
	case s.MaxLength != nil:
		return fmt.Sprintf(" ≤ %d", *s.MaxLength)
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf(" %g–%g", *s.Minimum, *s.Maximum)
	case s.MaxItems != nil:
		return fmt.Sprintf(" ≤ %d", *s.MaxItems)
	}
	return ""
}

// fields lists the fields of an object, and of the objects in it.
func (d description) fields(s *schema, prefix string, depth int, seen []string) []field {
	found, name, _ := d.look(s)
	if found.Type == "array" {
		return d.fields(found.Items, prefix+"[].", depth, seen)
	}
	if name != "" && slices.Contains(seen, name) {
		return nil
	}
	seen = append(slices.Clone(seen), name)
	var out []field
	for _, key := range d.sorted(found) {
		p := found.Properties[key]
		inner, _, _ := d.look(p)
		text := p.Description
		if text == "" {
			text = inner.Description
		}
		f := field{Name: prefix + key, Type: d.typeOf(p), Required: slices.Contains(found.Required, key), Text: prose(text)}
		values := inner.Enum
		if inner.Type == "array" {
			element, _, _ := d.look(inner.Items)
			values = element.Enum
		}
		f.Values = shownValues(values)
		out = append(out, f)
		if depth < deepest && (len(inner.Properties) > 0 || inner.Type == "array") {
			under := prefix + key + "."
			if inner.Type == "array" {
				under = prefix + key
			}
			out = append(out, d.fields(p, under, depth+1, seen)...)
		}
	}
	return out
}

// mostValues is how many values of an enum are listed; the problem codes have a page of their own.
const mostValues = 20

func shownValues(values []any) []string {
	if len(values) > mostValues {
		return nil
	}
	var out []string
	for _, v := range values {
		if s := fmt.Sprint(v); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// sorted lists an object's keys: id first, then as the alphabet has them.
func (d description) sorted(s *schema) []string {
	keys := slices.Sorted(maps.Keys(s.Properties))
	if i := slices.Index(keys, "id"); i > 0 {
		keys = append([]string{"id"}, slices.Delete(keys, i, i+1)...)
	}
	return slices.DeleteFunc(keys, func(k string) bool { return strings.HasPrefix(k, "$") })
}

// sample makes an example of a schema. essential: only what has to be sent, or has an example of its own.
func (d description) sample(s *schema, essential bool, depth int) any {
	if ex := exampleOf(s); ex != nil {
		return ex
	}
	found, _, nullable := d.look(s)
	if ex := exampleOf(found); ex != nil {
		return ex
	}
	if nullable && depth > 0 && len(found.Properties) > 0 || depth > deepest+2 {
		return nil
	}
	switch {
	case len(found.Enum) > 0:
		return firstWord(found.Enum)
	case found.Type == "array":
		if one := d.sample(found.Items, essential, depth+1); one != nil {
			return []any{one}
		}
		return []any{}
	case found.Type == "object":
		out := ordered{}
		for _, key := range d.sorted(found) {
			p := found.Properties[key]
			if essential && !slices.Contains(found.Required, key) && exampleOf(p) == nil {
				continue
			}
			out = append(out, pair{key, d.sample(p, essential, depth+1)})
		}
		return out
	case found.Type == "boolean":
		return false
	case found.Type == "integer", found.Type == "number":
		if found.Minimum != nil {
			return *found.Minimum
		}
		return 0
	case found.Format == "date-time":
		return "2026-05-04T09:30:00Z"
	}
	return ""
}

func firstWord(values []any) any {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return values[0]
}

func exampleOf(s *schema) any {
	switch {
	case s == nil:
		return nil
	case s.Example != nil:
		return s.Example
	case len(s.Examples) > 0:
		return s.Examples[0]
	}
	return nil
}

// ordered is an object whose keys stay in their order.
type ordered []pair

type pair struct {
	key   string
	value any
}

// MarshalJSON implements json.Marshaler.
func (o ordered) MarshalJSON() ([]byte, error) {
	parts := make([]string, len(o))
	for i, p := range o {
		k, err := json.Marshal(p.key)
		if err != nil {
			return nil, fmt.Errorf("write an example: %w", err)
		}
		v, err := json.Marshal(p.value)
		if err != nil {
			return nil, fmt.Errorf("write an example: %w", err)
		}
		parts[i] = string(k) + ":" + string(v)
	}
	return []byte("{" + strings.Join(parts, ",") + "}"), nil
}

func indented(v any) template.HTML {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return ""
	}
	//nolint:gosec // escaped right here
	return template.HTML(template.HTMLEscapeString(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(raw))))
}
