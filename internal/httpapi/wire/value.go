// Package wire is what goes over the wire: the JSON types of the API with their descriptions, how values of the services become such
// types, what inputs have in common, the cleaning of texts, problems, and the masking of personal data. It calls no service.
package wire

import (
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// NonNil returns l, or an empty list if it is nil.
func NonNil[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

// NonNilMap returns m, or an empty map for nil: the API never answers null for a table.
func NonNilMap[M ~map[K]V, K comparable, V any](m M) M {
	if m == nil {
		return M{}
	}
	return m
}

// OptionalText returns a pointer to v, or nil if it is empty.
func OptionalText[T ~string](v T) *T {
	if v == "" {
		return nil
	}
	return &v
}

// OptionalTime returns a pointer to t in UTC, or nil if it is zero.
func OptionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// None is the input of calls that take nothing, and the output of those that answer nothing.
type None struct{}

// Body is the input of calls that take JSON and nothing else.
type Body[T any] struct {
	Body T
}

// Answer is the output of calls that answer JSON.
type Answer[T any] struct {
	Body T
}

// Reply returns v as an answer, or err if there is one.
func Reply[T any](v T, err error) (*Answer[T], error) {
	if err != nil {
		return nil, err
	}
	return &Answer[T]{Body: v}, nil
}

// Empty is the body of calls that need no words: {} or nothing.
type Empty struct{}

// Optional is a parameter that may be absent: the framework takes no pointers there.
type Optional[T any] struct {
	Value *T // nil where it is absent
	read  T
}

// Schema implements huma.SchemaProvider.
func (Optional[T]) Schema(r huma.Registry) *huma.Schema {
	return huma.SchemaFromType(r, reflect.TypeFor[T]())
}

// Receiver implements huma.ParamWrapper.
func (o *Optional[T]) Receiver() reflect.Value { return reflect.ValueOf(&o.read).Elem() }

// OnParamSet implements huma.ParamReactor.
func (o *Optional[T]) OnParamSet(there bool, _ any) {
	if there {
		o.Value = &o.read
	}
}

// Picture is the output of calls that answer a picture.
type Picture struct {
	ContentType        string `header:"Content-Type"`
	CacheControl       string `header:"Cache-Control" hidden:"true"`
	ContentDisposition string `header:"Content-Disposition" hidden:"true"`
	Body               []byte `contentType:"image/jpeg"`
}

// Stream is the output of calls that write their answer themselves: live updates and archives.
type Stream = huma.StreamResponse

// veil masks the body of an answer.
func (a *Answer[T]) veil() (err error) {
	a.Body, err = masked(a.Body)
	return err
}
