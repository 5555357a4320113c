package httpapi_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

var update = flag.Bool("update", false, "write docs/reference/bad-input.md")

// badInput is a call with something wrong about it. What is sent holds "Quillfeather" where it would be somebody's.
type badInput struct {
	what string // is wrong, in words
	ask  ask
	sent string // as the table shows it; the body or the query if empty
}

func badBodies(key string) []badInput {
	post := func(body any, header ...string) ask {
		a := ask{method: "POST", path: "/v1/sessions", bearer: key, body: body, header: map[string]string{}}
		for i := 0; i+1 < len(header); i += 2 {
			a.header[header[i]] = header[i+1]
		}
		return a
	}
	many := map[string]string{}
	for i := range 51 {
		many[fmt.Sprint(i)] = "x"
	}
	long := func(n int) string { return strings.Repeat("Quillfeather", n/12+1)[:n] }
	return []badInput{
		{"no body", post(nil), "nothing"},
		{"a body that is not JSON", post(`{"external_reference":`), ""},
		{"a list in place of an object", post(`[]`), ""},
		{"null in place of an object", post(`null`), ""},
		{"another media type", post(`{}`, "Content-Type", "text/plain"), "`Content-Type: text/plain`"},
		{"a body that is too large", post(`{"external_reference":"` + long(257<<10) + `"}`), "257 KiB"},
		{"a body that nests too deep", post(strings.Repeat(`{"a":`, 20) + "1" + strings.Repeat("}", 20)), "20 objects in each other"},
		{"bytes that are not UTF-8", post("{\"external_reference\":\"\xff\"}"), "a byte FF"},
		{"more after the object", post(`{} {}`), ""},
		{"a field that there is not", post(`{"full_name":"Quillfeather"}`), ""},
		{"a field twice", post(`{"locale":"en","locale":"de"}`), ""},
		{"a number in place of a text", post(`{"external_reference":17}`), ""},
		{"a text that is too long", post(`{"external_reference":"` + long(201) + `"}`), "201 characters"},
		{"a control character", post(`{"external_reference":"Quillfeather\u0000"}`), ""},
		{"a character that turns the text round", post(`{"external_reference":"Quillfeather\u202e"}`), ""},
		{"metadata that is a list", post(`{"metadata":["gold"]}`), ""},
		{"a number in the metadata", post(`{"metadata":{"tier":1}}`), ""},
		{"an object in the metadata", post(`{"metadata":{"a.b":{"c":"d"}}}`), ""},
		{"null in new metadata", post(`{"metadata":{"tier":null}}`), ""},
		{"a key of the metadata that is too long", post(map[string]any{"metadata": map[string]string{strings.Repeat("k", 41): "x"}}), "a key of 41 characters"},
		{"an empty key in the metadata", post(`{"metadata":{"":"x"}}`), ""},
		{
			"a value of the metadata that is too long", post(map[string]any{"metadata": map[string]string{"tier/now": long(501)}}),
			"501 characters at the key `tier/now`",
		},
		{"too many keys in the metadata", post(map[string]any{"metadata": many}), "51 keys"},
		{"a fact that cannot be claimed", post(`{"claimed":{"shoe_size":"44"}}`), ""},
		{"a number in place of a claimed fact", post(`{"claimed":{"family_name":7}}`), ""},
		{"a claimed fact that is too long", post(map[string]any{"claimed": map[string]string{"family_name": long(301)}}), "301 characters"},
		{"a date in another form", post(`{"claimed":{"date_of_birth":"21.5.1980"}}`), ""},
		{"a date that there is not", post(`{"claimed":{"date_of_birth":"1980-02-31"}}`), ""},
		{"a date of birth in the future", post(`{"claimed":{"date_of_birth":"2999-01-01"}}`), ""},
		{"a test persona that there is not", post(`{"claimed":{"document_number":"persona:nobody"}}`), ""},
		{"a language that is none", post(`{"locale":"english please"}`), ""},
		{"a return address without TLS", post(`{"return_url":"http://shop.example/"}`), ""},
		{"a return address with a password", post(`{"return_url":"https://me:Quillfeather@shop.example/"}`), ""},
		{"a return address that is none", post(`{"return_url":"shop"}`), ""},
		{"a workflow that there is not", post(`{"workflow":"strictest"}`), ""},
		{"the mode that the key does not have", post(`{"mode":"live"}`), ""},
		{"a mode that there is not", post(`{"mode":"staging"}`), ""},
		{"a key for repeats that is too long", post(`{}`, "Idempotency-Key", strings.Repeat("k", 300)), "`Idempotency-Key` of 300 characters"},
		{"a version that there is not", post(`{}`, wire.VersionHeader, "2020-01-01"), "`" + wire.VersionHeader + ": 2020-01-01`"},
	}
}

func badQueries(key string) []badInput {
	var out []badInput
	for _, x := range [][2]string{
		{"a page of no rows", "limit=0"}, {"a page of too many rows", "limit=101"}, {"a number that is none", "limit=ten"},
		{"a state that there is not", "state=eaten"}, {"an outcome that there is not", "outcome=maybe"},
		{"a reason that the catalogue does not have", "reason=face.pretty"},
		{"a state that issues nothing", "country=XQX"}, {"a kind of document that there is not", "document_kind=library_card"},
		{"a workflow that there is not", "workflow=strictest"}, {"a time in words", "from=yesterday"},
		{"an end before the beginning", "from=2026-02-01&to=2026-01-01"}, {"a cursor that is none", "after=page2"}, {"an order that there is not", "sort=name"},
		{"something that cannot be expanded", "expand=everything"}, {"a flag that is neither", "total=perhaps"},
		{"a parameter that there is not", "name=Quillfeather"},
	} {
		out = append(out, badInput{x[0], ask{method: "GET", path: "/v1/sessions?" + x[1], bearer: key}, "`?" + x[1] + "`"})
	}
	return out
}

func badOthers(w *world, t *testing.T) []badInput {
	t.Helper()
	id, _ := w.create(w.key, map[string]any{"external_reference": "order-17"})
	w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/cancel", bearer: w.key}).want(t, 200, "")
	again := map[string]string{"Idempotency-Key": "order-17"}
	w.do(ask{method: "POST", path: "/v1/sessions", bearer: w.key, body: `{}`, header: again}).want(t, 201, "")
	_, narrow, err := w.accounts.Keys.Create(t.Context(), "reads alone", idv.Test, account.SessionsRead)
	must(t, err)
	hook := "/v1/webhook-endpoints"
	endpoint := field(w.do(ask{method: "POST", path: hook, bearer: w.key, body: `{"url":"http://127.0.0.1:9/in"}`}).want(t, 201, "").body, "id")
	call := func(method, path string, body any) ask {
		return ask{method: method, path: path, bearer: w.key, body: body}
	}
	return []badInput{
		{"no API key", ask{method: "GET", path: "/v1/sessions"}, "no `Authorization`"},
		{"an API key that there is not", ask{method: "GET", path: "/v1/sessions", bearer: "bf_test_Quillfeather"}, "an unknown key"},
		{"an API key that may not do that", ask{method: "POST", path: "/v1/sessions", bearer: narrow, body: `{}`}, "a key with `sessions.read` alone"},
		{
			"the same key for repeats with another body",
			ask{method: "POST", path: "/v1/sessions", bearer: w.key, body: `{"locale":"de"}`, header: again}, "`Idempotency-Key` again",
		},
		{"an id that is none", call("GET", "/v1/sessions/Quillfeather", nil), "an id that is none"},
		{"a session of the other mode", ask{method: "GET", path: "/v1/sessions/" + id, bearer: w.live}, "a live key"},
		{"a report before the first decision", call("GET", "/v1/sessions/"+id+"/report", nil), "nothing"},
		{"a session that is over", call("POST", "/v1/sessions/"+id+"/cancel", nil), "nothing"},
		{"nothing to change", call("PATCH", "/v1/sessions/"+id, `{}`), ""},
		{"a field that does not change", call("PATCH", "/v1/sessions/"+id, `{"state":"approved"}`), ""},
		{"a method that an address does not take", call("DELETE", "/v1/sessions/"+id, nil), "nothing"},
		{"another one", call("PUT", "/v1/sessions", `{}`), ""},
		{"an address that there is not", call("GET", "/v1/customers", nil), "nothing"},
		{"a search for nothing", call("POST", "/v1/sessions/search", `{}`), ""},
		{"a search for a key without its value", call("POST", "/v1/sessions/search", `{"metadata":{"key":"tier"}}`), ""},
		{"an endpoint without an address", call("POST", hook, `{}`), ""},
		{"an endpoint in a private network", call("POST", hook, `{"url":"https://10.0.0.1/in"}`), ""},
		{"an endpoint for an event that there is not", call("POST", hook, `{"url":"http://127.0.0.1:9/in","events":["session.eaten"]}`), ""},
		{"content that there is not", call("POST", hook, `{"url":"http://127.0.0.1:9/in","content":"everything"}`), ""},
		{"a word in place of true or false", call("PATCH", hook+"/"+endpoint, `{"paused":"yes"}`), ""},
		{"JSON in place of a form", call("POST", "/v1/verify", `{}`), "`Content-Type: application/json`"},
	}
}

// The table of bad inputs in the reference is made here: what is answered is what the table says.
func TestBadInputIsAnsweredAsTheReferenceSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := append(append(badBodies(w.key), badQueries(w.key)...), badOthers(w, t)...)
	var table strings.Builder
	for _, x := range all {
		a := w.do(x.ask)
		var p struct{ Type, Code, Field, Detail, Title, Remedy, State string }
		must(t, json.Unmarshal([]byte(a.body), &p))
		if _, known := problem.Lookup(p.Code); !known || a.status < 400 || p.Title == "" || p.Remedy == "" {
			t.Errorf("%s: got %d %s", x.what, a.status, a.body)
		}
		if p.Type != "http://localhost/docs/errors#"+p.Code {
			t.Errorf("%s: type %q", x.what, p.Type)
		}
		if p.Code == problem.RequestMalformed.Code && p.Detail == "" {
			t.Errorf("%s: it is not said what is wrong: %s", x.what, a.body)
		}
		for _, not := range []string{"Quillfeather", "expected", "schema", "unmarshal", "json:"} {
			if strings.Contains(a.body, not) {
				t.Errorf("%s: the answer holds %q: %s", x.what, not, a.body)
			}
		}
		if a.code() == "request.method_not_allowed" && a.header.Get("Allow") == "" {
			t.Errorf("%s: no Allow", x.what)
		}
		path, _, _ := strings.Cut(x.ask.path, "?")
		fmt.Fprintf(&table, "| `%s %s` | %s | %s | %d | [`%s`](errors.md#%s) | %s | %s |\n", x.ask.method, shown(path), x.what, shownBody(x), a.status, p.Code,
			p.Code, code(p.Field), strings.ReplaceAll(p.Detail, "|", "\\|"))
	}
	if len(all) < 40 {
		t.Errorf("only %d inputs", len(all))
	}
	want := badInputHead + table.String()
	file := filepath.Join("..", "..", "docs", "reference", "bad-input.md")
	if *update {
		must(t, os.WriteFile(file, []byte(want), 0o600))
	}
	got, err := os.ReadFile(file)
	must(t, err)
	if string(got) != want {
		t.Errorf("docs/reference/bad-input.md is not what is answered; go test ./internal/httpapi -run BadInput -update writes it. Answered:\n%s", table.String())
	}
}

const badInputHead = `<!-- Written by go test ./internal/httpapi -run BadInput -update. -->

# Bad input and what it is answered

Every row was sent to a running server by a test, and this is what came back. The answer never repeats what was sent. ` +
	"`field`" + ` is a JSON pointer (RFC 6901), or the name of a parameter or header.

| call | what is wrong | sent | status | code | field | detail |
|---|---|---|---|---|---|---|
`

// shown is a path with its ids as the reference has them.
func shown(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if i > 2 && (strings.Contains(p, "_") || p == "Quillfeather") {
			parts[i] = "{id}"
		}
	}
	return strings.Join(parts, "/")
}

func shownBody(x badInput) string {
	text, _ := x.ask.body.(string)
	return cmp.Or(x.sent, code(strings.ReplaceAll(text, "|", "\\|")))
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}
