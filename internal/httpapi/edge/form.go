package edge

import (
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strconv"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Field is one field of a multipart form.
type Field struct {
	File     bool
	Most     int64 // bytes, of all of them where it may stand several times
	Times    int   // how often it may stand; 0 for once
	Required bool
	Pattern  *regexp.Regexp // of a text
}

// Form is what a multipart body held.
type Form struct {
	Text  map[string]string
	Files map[string][]byte
	Lists map[string][][]byte // of fields that may stand several times, in their order
	Types map[string]string   // media types as the client stated them: hints, no more
}

// ReadForm reads a multipart body part by part into memory. Pictures of people are never written to disk in
// the clear, which the standard library's form parser would do with anything large. Problems:
// request.unsupported_media, request.malformed, request.unknown_field, request.too_large.
func ReadForm(r *http.Request, fields map[string]Field) (Form, error) {
	out := Form{Text: map[string]string{}, Files: map[string][]byte{}, Lists: map[string][][]byte{}, Types: map[string]string{}}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" || params["boundary"] == "" {
		return out, problem.New(problem.RequestUnsupportedMedia).Saying("Send multipart/form-data.")
	}
	parts := multipart.NewReader(r.Body, params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return out, brokenForm(err)
		}
		if err := out.accept(part, fields); err != nil {
			return out, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if fields[name].Required && !out.Has(name) {
			return out, wire.Malformed(name, "The field is missing.")
		}
	}
	return out, nil
}

// Has reports whether the form holds a field.
func (f *Form) Has(name string) bool {
	_, text := f.Text[name]
	_, file := f.Files[name]
	return text || file || len(f.Lists[name]) > 0
}

func (f *Form) accept(part *multipart.Part, fields map[string]Field) error {
	name := part.FormName()
	want, ok := fields[name]
	if !ok {
		return problem.New(problem.RequestUnknownField).At(wire.Shorten(name))
	}
	if want.Times > 0 {
		return f.acceptListed(part, name, want)
	}
	if f.Has(name) {
		return wire.Malformed(name, "The field is given twice.")
	}
	b, err := io.ReadAll(io.LimitReader(part, want.Most+1))
	if err != nil {
		return brokenForm(err)
	}
	if int64(len(b)) > want.Most {
		if want.File {
			return problem.New(problem.RequestTooLarge).At(name)
		}
		return wire.Malformed(name, "At most "+strconv.FormatInt(want.Most, 10)+" bytes.")
	}
	if want.File {
		f.Files[name], f.Types[name] = b, mediaHint(part)
		return nil
	}
	return f.acceptText(name, string(b), want)
}

// acceptListed takes one of several files. What is read never exceeds what is left for all of them.
func (f *Form) acceptListed(part *multipart.Part, name string, want Field) error {
	left := want.Most
	for _, b := range f.Lists[name] {
		left -= int64(len(b))
	}
	if len(f.Lists[name]) == want.Times {
		return problem.New(problem.RequestTooLarge).At(name)
	}
	b, err := io.ReadAll(io.LimitReader(part, left+1))
	if err != nil {
		return brokenForm(err)
	}
	if int64(len(b)) > left {
		return problem.New(problem.RequestTooLarge).At(name)
	}
	f.Lists[name] = append(f.Lists[name], b)
	return nil
}

func (f *Form) acceptText(name, raw string, want Field) error {
	text, err := wire.CleanText(raw, name)
	if err != nil {
		return err
	}
	if want.Pattern != nil && !want.Pattern.MatchString(text) {
		return wire.Malformed(name, "The value does not have the form that the API reference states.")
	}
	f.Text[name] = text
	return nil
}

// mediaHint is the media type that the client stated, if it is one at all.
func mediaHint(part *multipart.Part) string {
	media, _, err := mime.ParseMediaType(part.Header.Get("Content-Type"))
	if err != nil || len(media) > 64 {
		return ""
	}
	return media
}

func brokenForm(err error) error {
	if p, ok := problem.As(err); ok { // no room, or too slow
		return p
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return problem.New(problem.RequestTooLarge)
	}
	return wire.Malformed("", "The form is broken or ended early.")
}
