package openid4vp

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// Format is a format of credentials.
type Format string

// The formats that are asked for.
const (
	SDJWT Format = "dc+sd-jwt"
	MDoc  Format = "mso_mdoc"
)

// Query is what is asked for, in the Digital Credentials Query Language (OpenID4VP 1.0 section 6). Several presentations for one
// credential, presentations without a holder and trust that the wallet names are not asked for and refused in a query.
type Query struct {
	Credentials []CredentialQuery `json:"credentials"`
	Sets        []SetQuery        `json:"credential_sets,omitempty"`
}

// CredentialQuery asks for one credential.
type CredentialQuery struct {
	ID        string       `json:"id"`
	Format    Format       `json:"format"`
	Meta      Meta         `json:"meta"`
	Claims    []ClaimQuery `json:"claims,omitempty"`
	ClaimSets [][]string   `json:"claim_sets,omitempty"` // alternatives, the preferred one first
}

// Meta says of which types a credential may be.
type Meta struct {
	Types   []string `json:"vct_values,omitempty"`    // SD-JWT
	DocType string   `json:"doctype_value,omitempty"` // mobile document
}

// types returns the accepted types.
func (m Meta) types() []string {
	if m.DocType != "" {
		return []string{m.DocType}
	}
	return m.Types
}

// ClaimQuery asks for one claim. Steps of its path are names, indices (json.Number) and nil for all elements of an array.
type ClaimQuery struct {
	ID     string `json:"id,omitempty"`
	Path   []any  `json:"path"`
	Values []any  `json:"values,omitempty"`
	Retain *bool  `json:"intent_to_retain,omitempty"` // mobile documents: whether the element is kept
}

// SetQuery says which credentials answer together: one of the alternatives, unless the set is not required.
type SetQuery struct {
	Options  [][]string `json:"options"`
	Required *bool      `json:"required,omitempty"` // nil is true
}

func (s SetQuery) required() bool { return s.Required == nil || *s.Required }

// ParseQuery reads a query. One that cannot be asked, or not be judged afterwards, is refused.
func ParseQuery(raw []byte) (*Query, error) {
	if _, err := jose.DecodeObject(raw); err != nil {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.DisallowUnknownFields()
	d.UseNumber()
	q := &Query{}
	if err := d.Decode(q); err != nil {
		return nil, refusal.New(BadQuery, "the query has a part that is not known, or of another kind")
	}
	return q, q.Check()
}

// UnmarshalJSON reads a query as ParseQuery does.
func (q *Query) UnmarshalJSON(raw []byte) error {
	type plain Query
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode((*plain)(q)); err != nil {
		return refusal.New(BadQuery, "the query has a part that is not known, or of another kind")
	}
	return q.Check()
}

var identifier = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// Check returns why a query cannot be asked, or not be judged afterwards; nil if it can.
func (q *Query) Check() error {
	ids := map[string]bool{}
	for _, c := range q.Credentials {
		if !identifier.MatchString(c.ID) || ids[c.ID] {
			return refusal.New(BadQuery, "credential %q needs an identifier of its own", c.ID)
		}
		ids[c.ID] = true
		if err := c.check(); err != nil {
			return err
		}
	}
	if len(ids) == 0 {
		return refusal.New(BadQuery, "no credential is asked for")
	}
	for _, s := range q.Sets {
		if !alternatives(s.Options, ids) {
			return refusal.New(BadQuery, "a set of credentials has no options, or names one that is not asked for")
		}
	}
	return nil
}

func (c CredentialQuery) check() error {
	types := c.Format == SDJWT && len(c.Meta.Types) > 0 && c.Meta.DocType == ""
	kind := c.Format == MDoc && c.Meta.DocType != "" && len(c.Meta.Types) == 0
	if !types && !kind {
		return refusal.New(BadQuery, "credential %q needs its format, and the types for it", c.ID)
	}
	ids := map[string]bool{}
	for _, claim := range c.Claims {
		if claim.ID != "" && (!identifier.MatchString(claim.ID) || ids[claim.ID]) || claim.ID == "" && len(c.ClaimSets) > 0 {
			return refusal.New(BadQuery, "each claim of %q needs an identifier of its own", c.ID)
		}
		ids[claim.ID] = true
		if !claim.path(c.Format) {
			return refusal.New(BadQuery, "a claim of %q has a path that leads nowhere", c.ID)
		}
	}
	if len(c.ClaimSets) > 0 && !alternatives(c.ClaimSets, ids) {
		return refusal.New(BadQuery, "a set of claims of %q is empty, or names a claim that is not asked for", c.ID)
	}
	return nil
}

// path reports whether the path is one of the format (section 7): of a mobile document name space and element.
func (q ClaimQuery) path(f Format) bool {
	for _, step := range q.Path {
		switch s := step.(type) {
		case string:
		case nil:
			if f == MDoc {
				return false
			}
		case json.Number:
			if n, err := s.Int64(); err != nil || n < 0 || f == MDoc {
				return false
			}
		default:
			return false
		}
	}
	if f == MDoc {
		return len(q.Path) == 2
	}
	return len(q.Path) > 0
}

func alternatives(options [][]string, ids map[string]bool) bool {
	for _, o := range options {
		if len(o) == 0 || slices.ContainsFunc(o, func(id string) bool { return !ids[id] }) {
			return false
		}
	}
	return len(options) > 0
}

// answered reports which credential is missing, by the identifiers of those that were answered (section 6.4.2).
func (q *Query) answered(there map[string]bool) error {
	missing := func(id string) bool { return !there[id] }
	if len(q.Sets) == 0 {
		for _, c := range q.Credentials {
			if missing(c.ID) {
				return refusal.New(Unanswered, "the credential %q was asked for and is missing", c.ID)
			}
		}
	}
	for i, s := range q.Sets {
		if s.required() && !slices.ContainsFunc(s.Options, func(o []string) bool { return !slices.ContainsFunc(o, missing) }) {
			return refusal.New(Unanswered, "no option of the set %d of credentials was answered", i+1)
		}
	}
	return nil
}

// satisfied reports which claim is missing or has another value, among claims that were verified (section 6.4.1).
func (c CredentialQuery) satisfied(claims any) error {
	if len(c.ClaimSets) == 0 {
		for _, q := range c.Claims {
			if err := q.satisfied(claims, c.ID); err != nil {
				return err
			}
		}
		return nil
	}
	named := map[string]ClaimQuery{}
	for _, q := range c.Claims {
		named[q.ID] = q
	}
	var first error
	for _, set := range c.ClaimSets {
		var err error
		for _, id := range set {
			if err = named[id].satisfied(claims, c.ID); err != nil {
				break
			}
		}
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func (q ClaimQuery) satisfied(claims any, id string) error {
	found := follow([]any{claims}, q.Path)
	if len(found) == 0 {
		return refusal.New(ClaimMissing, "the claim %s of %q was asked for and not disclosed", q.text(), id)
	}
	if len(q.Values) == 0 {
		return nil
	}
	for _, v := range found {
		if slices.ContainsFunc(q.Values, func(want any) bool { return equal(want, v) }) {
			return nil
		}
	}
	return refusal.New(ValueNotAllowed, "the claim %s of %q has another value than was asked for", q.text(), id)
}

func (q ClaimQuery) text() string {
	raw, err := json.Marshal(q.Path)
	if err != nil {
		return "?"
	}
	return string(raw)
}

// follow returns what a path selects (section 7.1).
func follow(at []any, path []any) []any {
	for _, step := range path {
		var next []any
		for _, v := range at {
			next = append(next, select1(v, step)...)
		}
		at = next
	}
	return at
}

func select1(v, step any) []any {
	switch s := step.(type) {
	case string:
		if o, ok := v.(map[string]any); ok {
			if inner, there := o[s]; there {
				return []any{inner}
			}
		}
	case nil:
		list, _ := v.([]any)
		return list
	case json.Number:
		list, _ := v.([]any)
		if n, err := s.Int64(); err == nil && n >= 0 && n < int64(len(list)) {
			return []any{list[n]}
		}
	}
	return nil
}

// equal compares a value of a query, text, number or truth value, with a claim.
func equal(want, got any) bool {
	switch w := want.(type) {
	case string:
		return got == w
	case bool:
		return got == w
	case json.Number:
		n, ok := got.(json.Number)
		return ok && n == w
	}
	return false
}

// spaces returns the elements of a mobile document as follow reads them.
func spaces[M ~map[string]map[string]any](elements M) map[string]any {
	out := map[string]any{}
	for space, all := range elements {
		inner := maps.Clone(all)
		for name, v := range inner {
			inner[name] = numbers(v)
		}
		out[space] = inner
	}
	return out
}

// numbers returns integers as JSON has them.
func numbers(v any) any {
	switch v.(type) {
	case uint64, int64:
		raw, _ := json.Marshal(v) // an integer never fails
		return json.Number(raw)
	}
	return v
}
