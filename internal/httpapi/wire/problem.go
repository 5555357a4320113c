package wire

import (
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// Problem is what went wrong and what to do about it (RFC 9457). It never repeats what was sent.
type Problem struct {
	Type      string           `json:"type" format:"uri-reference" example:"/docs/errors#request.malformed" doc:"Where this problem is explained"`
	Title     string           `json:"title" doc:"What happened"`
	Status    int              `json:"status" doc:"The HTTP status"`
	Code      string           `json:"code" doc:"Stable code; a row of the catalogue"`
	Detail    string           `json:"detail,omitempty" doc:"One more sentence"`
	Remedy    string           `json:"remedy" doc:"What to do about it"`
	Field     string           `json:"field,omitempty" example:"/metadata" doc:"The input that is wrong: a JSON pointer, parameter or step"`
	State     string           `json:"state,omitempty" example:"approved" doc:"With session.conflict: the present state of the session"`
	RequestID string           `json:"request_id" doc:"Names this request in the server's log"`
	Severity  problem.Severity `json:"severity" doc:"What it means for a verdict; empty if nothing"`

	header http.Header
}

// Health is what the liveness and readiness calls answer.
type Health struct {
	Status string `json:"status" enum:"ok,starting,unavailable"`
	Models string `json:"models,omitempty" enum:"loading,ready,broken"`
	Detail string `json:"detail,omitempty" doc:"What keeps the server from taking requests"`
}

// longestName is as much of a name that was sent to us as we repeat.
const longestName = 40

// Error implements error.
func (p *Problem) Error() string { return p.Code }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements huma.ContentTypeFilter.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// GetHeaders implements huma.HeadersError.
func (p *Problem) GetHeaders() http.Header { return p.header }

// NewProblem returns the answer to a problem of the catalogue.
func NewProblem(e *problem.Error, requestID string) *Problem {
	p := &Problem{
		Type: "/docs/errors#" + e.Kind.Code, Title: e.Kind.Title, Status: e.Kind.Status, Code: e.Kind.Code,
		Detail: e.Detail, Remedy: e.Kind.Remedy, Field: e.Field, State: e.State, RequestID: requestID, Severity: e.Kind.Severity,
		header: http.Header{},
	}
	switch e.Kind.Code {
	case problem.AuthMissing.Code, problem.AuthInvalid.Code:
		p.header.Set("WWW-Authenticate", `Bearer realm="bonafide"`)
	case problem.Unavailable.Code:
		p.header.Set("Retry-After", "5")
	case problem.RequestTooSlow.Code:
		p.header.Set("Connection", "close") // what is left of the body may still arrive
	}
	return p
}

// ProblemRowOf returns the wire form of a row of the catalogue.
func ProblemRowOf(k problem.Kind) ProblemRow {
	return ProblemRow{
		Code: k.Code, Status: k.Status, Severity: string(k.Severity), Reader: string(k.Reader),
		Title: k.Title, Remedy: k.Remedy, Reviewer: k.Reviewer,
	}
}

// Malformed returns the problem request.malformed at a field.
func Malformed(field, detail string) error {
	return problem.New(problem.RequestMalformed).At(field).Saying("%s", detail)
}

// Shorten returns at most the first 40 characters of a name that was sent, so that it does not fill an answer.
func Shorten(name string) string {
	runes := []rune(name)
	if len(runes) > longestName {
		return string(runes[:longestName]) + "…"
	}
	return name
}

// RefusalOf returns the problem for what the framework found wrong with a request.
func RefusalOf(status int, errs []error) *problem.Error {
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
		if e.Field == "" {
			e = e.At(pointer(detail.Location)).Saying("%s", expectation(detail.Message))
		}
	}
	return e
}

// pointer turns the framework's place ("body.items[3].name") into a JSON pointer ("/items/3/name"), and a
// parameter's ("query.limit") into its name.
func pointer(location string) string {
	if name, ok := strings.CutPrefix(location, "query."); ok {
		return name
	}
	if name, ok := strings.CutPrefix(location, "path."); ok {
		return name
	}
	if name, ok := strings.CutPrefix(location, "header."); ok {
		return name
	}
	rest, ok := strings.CutPrefix(location, "body")
	if !ok || rest == "" {
		return ""
	}
	return strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(rest)
}

// expectation keeps a framework message only if it is one of those that state what was expected and cannot
// hold what was sent.
func expectation(msg string) string {
	for _, safe := range []string{
		"expected length", "expected value to be one of", "expected required property", "expected string", "expected object",
		"expected array", "expected boolean", "expected integer", "expected number",
	} {
		if strings.HasPrefix(msg, safe) && !strings.Contains(msg, ": ") {
			return "The API " + msg + "."
		}
	}
	if strings.HasPrefix(msg, "required ") {
		return "A " + msg + "."
	}
	return ""
}
