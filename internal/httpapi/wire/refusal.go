package wire

import (
	"errors"
	"net/http"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// RefusalOf returns the problem for what the framework found wrong with a request, of which message is the summary.
func RefusalOf(status int, message string, errs []error) *problem.Error {
	kind := problem.RequestMalformed
	switch status {
	case http.StatusRequestEntityTooLarge:
		kind = problem.RequestTooLarge
	case http.StatusUnsupportedMediaType, http.StatusNotAcceptable:
		kind = problem.RequestUnsupportedMedia
	case http.StatusInternalServerError:
		kind = problem.Internal
	}
	e := problem.New(kind)
	if message == "request body is required" {
		return e.Saying("The body is empty; the call takes a JSON object.")
	}
	for _, err := range errs {
		var d huma.ErrorDetailer
		if !errors.As(err, &d) {
			continue
		}
		detail := d.ErrorDetail()
		if detail.Message == "unexpected property" || detail.Message == "unknown query parameter" {
			e = problem.New(problem.RequestUnknownField).At(pointer(detail.Location))
			break
		}
		if e.Field == "" && e.Detail == "" {
			e = expected(e, pointer(detail.Location), detail.Message)
		}
	}
	return e
}

// openObjects are the objects whose names the caller chooses: what follows is one name, whatever is in it.
var openObjects = []string{"body.metadata.", "body.claimed."}

// pointer turns the framework's place ("body.items[3].name") into a JSON pointer ("/items/3/name"), and a parameter's ("query.limit")
// into its name.
func pointer(location string) string {
	for _, part := range []string{"query.", "path.", "header."} {
		if name, ok := strings.CutPrefix(location, part); ok {
			name, _, _ = strings.Cut(name, "[") // one of a list of values has the parameter's name
			return name
		}
	}
	for _, open := range openObjects {
		if name, ok := strings.CutPrefix(location, open); ok {
			return strings.ReplaceAll(strings.TrimPrefix(strings.TrimSuffix(open, "."), "body"), ".", "/") + "/" + pointerToken(name)
		}
	}
	rest, ok := strings.CutPrefix(location, "body")
	if !ok || rest == "" {
		return ""
	}
	return strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(rest)
}

// missing matches the messages for a field or parameter that is not there.
var missing = regexp.MustCompile(`^(?:expected required property (\S+) to be present|required \w+ parameter is missing)$`)

// expectations are the framework's messages that say what was expected and cannot hold what was sent, with our words for them.
var expectations = []struct {
	message *regexp.Regexp
	says    string
}{
	{regexp.MustCompile(`^expected number >= (\S+)$`), "It must be at least $1."},
	{regexp.MustCompile(`^expected number <= (\S+)$`), "It must be at most $1."},
	{regexp.MustCompile(`^expected length >= 1$`), "It is empty."},
	{regexp.MustCompile(`^expected length >= (\d+)$`), "It must have at least $1 characters."},
	{regexp.MustCompile(`^expected length <= (\d+)$`), "It must have at most $1 characters."},
	{regexp.MustCompile(`^expected array length >= 1$`), "The list is empty."},
	{regexp.MustCompile(`^expected array length >= (\d+)$`), "It must have at least $1 items."},
	{regexp.MustCompile(`^expected array length <= (\d+)$`), "It must have at most $1 items."},
	{regexp.MustCompile(`^expected value to be one of "([^"]*)"$`), "It must be one of: $1."},
	{regexp.MustCompile(`^expected string to match pattern`), "It does not have the form that the API reference states."},
	{regexp.MustCompile(`^(?:expected integer|invalid integer)$`), "It must be a whole number."},
	{regexp.MustCompile(`^(?:expected number|invalid float(?:ing value)?)$`), "It must be a number."},
	{regexp.MustCompile(`^(?:expected boolean|invalid boolean)$`), "It must be true or false."},
	{regexp.MustCompile(`^expected string`), "It must be a text."},
	{regexp.MustCompile(`^expected array`), "It must be a list."},
	{regexp.MustCompile(`^expected object`), "It must be an object."},
}

// expected adds to a problem where something else was expected and what, in our words. A message that none of ours stands for may hold
// what was sent, and says nothing.
func expected(e *problem.Error, at, message string) *problem.Error {
	if m := missing.FindStringSubmatch(message); m != nil {
		if m[1] != "" {
			at += "/" + m[1]
		}
		return e.At(at).Saying("It is missing.")
	}
	for _, x := range expectations {
		if m := x.message.FindStringSubmatchIndex(message); m != nil {
			return e.At(at).Saying("%s", x.message.ExpandString(nil, x.says, message, m))
		}
	}
	return e.At(at)
}
