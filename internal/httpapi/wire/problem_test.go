package wire

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestAFrameworkPlaceBecomesAPointer(t *testing.T) {
	for in, want := range map[string]string{
		"body": "", "body.items[3].name": "/items/3/name", "query.limit": "limit", "query.state[0]": "state", "path.id": "id",
		"header.Last-Event-ID": "Last-Event-ID", "": "", "elsewhere": "",
		"body.metadata.a.b[1]/c": "/metadata/a.b[1]~1c", "body.metadata": "/metadata", "body.claimed.name": "/claimed/name",
	} {
		if got := pointer(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestWhatTheFrameworkExpectedIsSaidInOurWords(t *testing.T) {
	for name, c := range map[string]struct{ at, message, field, detail string }{
		"a text that is too long":      {"body.name", "expected length <= 200", "/name", "It must have at most 200 characters."},
		"a text that is empty":         {"body.name", "expected length >= 1", "/name", "It is empty."},
		"a number that is too small":   {"query.limit", "expected number >= 1", "limit", "It must be at least 1."},
		"a number that is none":        {"query.limit", "invalid integer", "limit", "It must be a whole number."},
		"another type":                 {"body.name", "expected string", "/name", "It must be a text."},
		"a word that is none of those": {"body.mode", `expected value to be one of "live, test"`, "/mode", "It must be one of: live, test."},
		"a field that is missing":      {"body", "expected required property url to be present", "/url", "It is missing."},
		"one further in":               {"body.spec", "expected required property steps to be present", "/spec/steps", "It is missing."},
		"a parameter that is missing":  {"query.mode", "required query parameter is missing", "mode", "It is missing."},
		"a message with what was sent": {"body.email", `expected string to be RFC 5322 email: mail: no angle-addr "secret"`, "/email", "It must be a text."},
		"one that nobody knows":        {"body", "json: cannot unmarshal secret", "", ""},
		"a value in it":                {"body.at", "invalid value: secret", "/at", ""},
	} {
		got := RefusalOf(http.StatusUnprocessableEntity, "validation failed", []error{&huma.ErrorDetail{Message: c.message, Location: c.at}})
		if diff := cmp.Diff([]string{c.field, c.detail}, []string{got.Field, got.Detail}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got := RefusalOf(http.StatusBadRequest, "request body is required", nil); got.Detail == "" || got.Kind.Code != problem.RequestMalformed.Code {
		t.Errorf("no body: %v", got)
	}
	if got := RefusalOf(http.StatusBadRequest, "secret", []error{errors.New("secret")}); got.Detail != "" || got.Field != "" {
		t.Errorf("what nobody knows: %v", got)
	}
}

func TestAProblemIsAnsweredInTheVersionThatWasAskedFor(t *testing.T) {
	conflict := problem.New(problem.SessionConflict).In("approved")
	for version, c := range map[Version]struct{ holds, lacks []string }{
		"":               {[]string{`"type":"https://id.example/docs/errors#session.conflict"`, `"state":"approved"`}, []string{`"severity"`}},
		CurrentVersion(): {[]string{`"type":"https://id.example/docs/errors#session.conflict"`, `"state":"approved"`}, []string{`"severity"`}},
		firstVersion:     {[]string{`"type":"/docs/errors#session.conflict"`, `"severity":""`}, []string{`"state"`, "id.example"}},
	} {
		raw, err := json.Marshal(NewProblem(conflict, Asked{RequestID: "req_x", Base: "https://id.example", Version: version}))
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range append(c.holds, `"code":"session.conflict"`, `"request_id":"req_x"`) {
			if !strings.Contains(string(raw), h) {
				t.Errorf("%q lacks %s: %s", version, h, raw)
			}
		}
		for _, l := range c.lacks {
			if strings.Contains(string(raw), l) {
				t.Errorf("%q holds %s: %s", version, l, raw)
			}
		}
	}
}
