package httpapi

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

	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// field is one field of a multipart form.
type field struct {
	file     bool
	most     int64 // bytes, of all of them where it may stand several times
	times    int   // how often it may stand; 0 for once
	required bool
	pattern  *regexp.Regexp // of a text
}

var (
	stepFields = map[string]field{
		"attempt": {most: 64, required: true, pattern: regexp.MustCompile(attemptPattern)},
		"upload":  {most: 64},
		"size":    {most: 16, pattern: regexp.MustCompile("^[0-9]{1,9}$")},
		"picture": {file: true, most: MaxPictureBytes},
		"run":     {most: wire.MaxFrameRunBytes},
		"frame":   {file: true, most: idv.MostFrameBytes, times: idv.MostFrames},
	}
	logoFields   = map[string]field{"logo": {file: true, most: brand.MaxLogoBytes, required: true}}
	verifyFields = map[string]field{
		"document": {file: true, most: MaxPictureBytes, required: true},
		"back":     {file: true, most: MaxPictureBytes},
		"selfie":   {file: true, most: MaxPictureBytes},
		"claims":   {most: 4096},
		"workflow": {most: 64},
	}
)

// form is what a multipart body held.
type form struct {
	text  map[string]string
	files map[string][]byte
	lists map[string][][]byte // of fields that may stand several times, in their order
	types map[string]string   // media types as the client stated them: hints, no more
}

// readForm reads a multipart body part by part into memory. Pictures of people are never written to disk in
// the clear, which the standard library's form parser would do with anything large. Problems:
// request.unsupported_media, request.malformed, request.unknown_field, request.too_large.
func readForm(r *http.Request, fields map[string]field) (form, error) {
	out := form{text: map[string]string{}, files: map[string][]byte{}, lists: map[string][][]byte{}, types: map[string]string{}}
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
		if err := out.take(part, fields); err != nil {
			return out, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if fields[name].required && !out.has(name) {
			return out, wire.Malformed(name, "The field is missing.")
		}
	}
	return out, nil
}

func (f *form) has(name string) bool {
	_, text := f.text[name]
	_, file := f.files[name]
	return text || file || len(f.lists[name]) > 0
}

func (f *form) take(part *multipart.Part, fields map[string]field) error {
	name := part.FormName()
	want, ok := fields[name]
	if !ok {
		return problem.New(problem.RequestUnknownField).At(wire.Shorten(name))
	}
	if want.times > 0 {
		return f.takeOne(part, name, want)
	}
	if f.has(name) {
		return wire.Malformed(name, "The field stands twice.")
	}
	b, err := io.ReadAll(io.LimitReader(part, want.most+1))
	if err != nil {
		return brokenForm(err)
	}
	if int64(len(b)) > want.most {
		if want.file {
			return problem.New(problem.RequestTooLarge).At(name)
		}
		return wire.Malformed(name, "At most "+strconv.FormatInt(want.most, 10)+" bytes.")
	}
	if want.file {
		f.files[name], f.types[name] = b, mediaHint(part)
		return nil
	}
	return f.takeText(name, string(b), want)
}

// takeOne takes one of several files. What is read never exceeds what is left for all of them.
func (f *form) takeOne(part *multipart.Part, name string, want field) error {
	left := want.most
	for _, b := range f.lists[name] {
		left -= int64(len(b))
	}
	if len(f.lists[name]) == want.times {
		return problem.New(problem.RequestTooLarge).At(name)
	}
	b, err := io.ReadAll(io.LimitReader(part, left+1))
	if err != nil {
		return brokenForm(err)
	}
	if int64(len(b)) > left {
		return problem.New(problem.RequestTooLarge).At(name)
	}
	f.lists[name] = append(f.lists[name], b)
	return nil
}

func (f *form) takeText(name, raw string, want field) error {
	text, err := wire.CleanText(raw, name)
	if err != nil {
		return err
	}
	if want.pattern != nil && !want.pattern.MatchString(text) {
		return wire.Malformed(name, "The value does not have the form that the API reference states.")
	}
	f.text[name] = text
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
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return problem.New(problem.RequestTooLarge)
	}
	return wire.Malformed("", "The form is broken or ended early.")
}
