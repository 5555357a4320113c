package wire

import (
	"encoding/json"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// Problem is what went wrong and what to do about it (RFC 9457). It never repeats what was sent.
type Problem struct {
	Type      string           `json:"type" format:"uri-reference" doc:"Address of the page that explains this problem"`
	Title     string           `json:"title" doc:"What happened"`
	Status    int              `json:"status" doc:"The HTTP status"`
	Code      string           `json:"code" doc:"Stable code; a row of the catalogue"`
	Detail    string           `json:"detail,omitempty" doc:"One more sentence"`
	Remedy    string           `json:"remedy" doc:"What to do about it"`
	Field     string           `json:"field,omitempty" example:"/metadata/tier" doc:"The input that is wrong: a JSON pointer, parameter or step"`
	State     string           `json:"state,omitempty" example:"approved" doc:"With session.conflict: the present state of the session"`
	RequestID string           `json:"request_id" doc:"Names this request in the server's log"`
	Severity  problem.Severity `json:"severity,omitempty" doc:"What it means for a verdict; left out where that is nothing"`

	header http.Header
	older  bool // answered in the form of the first version, which has a severity for all and no state
}

// MarshalJSON implements json.Marshaler.
func (p *Problem) MarshalJSON() ([]byte, error) {
	type plain Problem
	if !p.older {
		return json.Marshal((*plain)(p))
	}
	out := struct {
		plain
		State    string           `json:"state,omitempty"`
		Severity problem.Severity `json:"severity"`
	}{plain: plain(*p), Severity: p.Severity}
	return json.Marshal(out)
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

// Asked is what an answer needs to know of its request.
type Asked struct {
	RequestID string
	Base      string  // scheme, host and port of the server; empty where they are not known
	Version   Version // of the API that was asked for; empty for the current one
}

// NewProblem returns the answer to a problem of the catalogue.
func NewProblem(e *problem.Error, a Asked) *Problem {
	p := &Problem{
		Type: a.Base + "/docs/errors#" + e.Kind.Code, Title: e.Kind.Title, Status: e.Kind.Status, Code: e.Kind.Code,
		Detail: e.Detail, Remedy: e.Kind.Remedy, Field: e.Field, State: e.State, RequestID: a.RequestID, Severity: e.Kind.Severity,
		header: http.Header{},
	}
	if a.Version == firstVersion {
		p.Type, p.older = "/docs/errors#"+e.Kind.Code, true
	}
	switch e.Kind.Code {
	case problem.AuthMissing.Code, problem.AuthInvalid.Code:
		p.header.Set("WWW-Authenticate", `Bearer realm="bonafide"`)
	case problem.Unavailable.Code, problem.ScreeningNotReady.Code:
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
