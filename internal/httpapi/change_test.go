package httpapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestAnIntegratorChangesReferenceAndMetadata(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, _ := w.create(w.key, map[string]any{"external_reference": "order-17", "metadata": map[string]string{"desk": "harbour-side", "tier": "gold"}})
	at := "/v1/sessions/" + id
	got := w.do(ask{method: "PATCH", path: at, bearer: w.key, body: `{"external_reference":"order-18","metadata":{"tier":null,"room":"4"}}`}).want(t, 200, "")
	var x wire.Session
	must(t, json.Unmarshal([]byte(got.body), &x))
	diff := cmp.Diff(map[string]string{"desk": "harbour-side", "room": "4"}, x.Metadata)
	if diff != "" || x.ExternalReference != "order-18" || x.State != idv.Created {
		t.Errorf("changed: %s (-want +got):\n%s", got.body, diff)
	}
	for name, s := range map[string]scenario{
		"nothing to change": {ask: ask{body: `{}`}, status: 400, code: "request.malformed"},
		"no body":           {ask: ask{}, status: 400, code: "request.malformed"},
		"an unknown field":  {ask: ask{body: `{"state":"approved"}`}, status: 400, code: "request.unknown_field", field: "/state"},
		"a key that is long": {
			ask:    ask{body: map[string]any{"metadata": map[string]string{strings.Repeat("k", 41): "v"}}},
			status: 400, code: "request.malformed", field: "/metadata/" + strings.Repeat("k", 40) + "…",
		},
		"a value that is long": {
			ask:    ask{body: map[string]any{"metadata": map[string]string{"a/b": strings.Repeat("Quill", 101)}}},
			status: 400, code: "request.malformed", field: "/metadata/a~1b", lacks: []string{"Quill"},
		},
		"the other mode": {ask: ask{bearer: w.live, body: `{"external_reference":"x"}`}, status: 404, code: "not_found"},
	} {
		s.ask.method, s.ask.path = "PATCH", at
		if s.ask.bearer == "" {
			s.ask.bearer = w.key
		}
		w.run(t, name, func(t *testing.T) { s.run(t, w) })
	}
	_, narrow, err := w.accounts.Keys.Create(t.Context(), "only writes", idv.Test, account.SessionsWrite)
	must(t, err)
	a := w.do(ask{method: "PATCH", path: at, bearer: narrow, body: `{"metadata":{"room":"5"}}`}).want(t, 200, "")
	if strings.Contains(a.body, "order-18") || strings.Contains(a.body, "harbour") {
		t.Errorf("a key that may not read: %s", a.body)
	}
	w.do(ask{method: "POST", path: at + "/cancel", bearer: w.key}).want(t, 200, "")
	refused := w.do(ask{method: "POST", path: at + "/cancel", bearer: w.key}).want(t, 409, "session.conflict")
	if field(refused.body, "state") != "cancelled" || field(refused.body, "detail") != "The session is cancelled." {
		t.Errorf("a conflict: %s", refused.body)
	}
	w.do(ask{method: "PATCH", path: at, bearer: w.key, body: `{"external_reference":""}`}).want(t, 200, "")
	w.do(ask{method: "POST", path: at + "/erase", bearer: w.key}).want(t, 200, "")
	w.do(ask{method: "PATCH", path: at, bearer: w.key, body: `{"external_reference":"x"}`}).want(t, 410, "session.erased")
	for _, word := range []string{"order-17", "order-18", "harbour-side"} {
		if strings.Contains(w.log.String(), word) {
			t.Errorf("the log has %q", word)
		}
	}
}

func TestAListIsSortedCountedAndExpanded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	first, _ := w.decided("anna")
	second, _ := w.create(w.key, map[string]any{"metadata": map[string]string{"desk": "harbour-side"}})
	page := func(query, key string) (out wire.SessionPage, body string) {
		a := w.do(ask{method: "GET", path: "/v1/sessions?" + query, bearer: key}).want(t, 200, "")
		must(t, json.Unmarshal([]byte(a.body), &out))
		return out, a.body
	}
	got, body := page("sort=created_at&total=true&limit=1&expand=verified,decisions", w.key)
	if len(got.Items) != 1 || got.Items[0].ID != idv.SessionID(first) || got.Next == "" || got.Total == nil || *got.Total != 2 {
		t.Fatalf("oldest first: %s", body)
	}
	if x := got.Items[0]; x.Verified == nil || len(x.Decisions) != 1 || x.Decisions[0].Outcome != idv.DecideApprove {
		t.Errorf("expanded: %s", body)
	}
	got, body = page("sort=created_at&after="+got.Next, w.key)
	if len(got.Items) != 1 || got.Items[0].ID != idv.SessionID(second) || got.Next != "" || got.Total != nil {
		t.Errorf("the next page: %s", body)
	}
	if got, body = page("", w.key); got.Items[0].ID != idv.SessionID(second) || strings.Contains(body, "decisions") || strings.Contains(body, `"rule"`) {
		t.Errorf("newest first, as it was: %s", body)
	}
	_, narrow, err := w.accounts.Keys.Create(t.Context(), "no reports", idv.Test, account.SessionsRead, account.SessionsSearch)
	must(t, err)
	w.do(ask{method: "GET", path: "/v1/sessions?expand=verified", bearer: narrow}).want(t, 403, "auth.forbidden")
	w.do(ask{method: "GET", path: "/v1/sessions/" + first + "?expand=decisions", bearer: narrow}).want(t, 403, "auth.forbidden")
	w.do(ask{method: "GET", path: "/v1/sessions?expand=everything", bearer: w.key}).want(t, 400, "request.malformed")
	w.do(ask{method: "GET", path: "/v1/sessions?sort=name", bearer: w.key}).want(t, 400, "request.malformed")
	one := w.do(ask{method: "GET", path: "/v1/sessions/" + first + "?expand=decisions", bearer: w.key}).want(t, 200, "").body
	if !strings.Contains(one, `"decisions":[{`) || outputsOf(t, one) == nil {
		t.Errorf("one session: %s", one)
	}
	seek := map[string]any{"metadata": map[string]string{"key": "desk", "value": "harbour-side"}, "state": []string{"created"}, "total": true}
	found := w.do(ask{method: "POST", path: "/v1/sessions/search", bearer: w.key, body: seek}).want(t, 200, "").body
	if !strings.Contains(found, second) || strings.Contains(found, first) || !strings.Contains(found, `"total":1`) {
		t.Errorf("by metadata and state: %s", found)
	}
	seek["state"] = []string{"approved"}
	found = w.do(ask{method: "POST", path: "/v1/sessions/search", bearer: w.key, body: seek}).want(t, 200, "").body
	if !strings.Contains(found, `"items":[],"next":"","total":0`) {
		t.Errorf("by metadata and another state: %s", found)
	}
	seek["expand"] = []string{"verified"}
	w.do(ask{method: "POST", path: "/v1/sessions/search", bearer: narrow, body: seek}).want(t, 403, "auth.forbidden")
}

func TestAWebhookSaysAsMuchOfItsSessionAsTheEndpointAsksFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	bodies := map[string]chan string{}
	endpoint := func(content string) {
		got := make(chan string, 9)
		target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if raw, err := io.ReadAll(r.Body); err == nil {
				got <- string(raw)
			}
		}))
		t.Cleanup(target.Close)
		body := map[string]any{"url": target.URL, "events": []string{"session.created"}}
		if content != "" {
			body["content"] = content
		}
		w.do(ask{method: "POST", path: "/v1/webhook-endpoints", bearer: w.key, body: body}).want(t, 201, "")
		bodies[content] = got
	}
	for _, content := range []string{"", "ids", "reference", "session"} {
		endpoint(content)
	}
	id, link := w.create(w.key, map[string]any{
		"external_reference": "order-17", "metadata": map[string]string{"desk": "harbour-side"}, "claimed": map[string]string{"family_name": "Quillfeather"},
	})
	for content, c := range map[string]struct{ holds, lacks []string }{
		"":          {[]string{"order-17", "harbour-side"}, []string{"Quillfeather", "snapshot"}},
		"ids":       {nil, []string{"order-17", "harbour-side", "Quillfeather", "metadata"}},
		"reference": {[]string{`"external_reference":"order-17","metadata":{"desk":"harbour-side"}`}, []string{"Quillfeather"}},
		"session":   {[]string{`"snapshot":{"id":"` + id, "Quillfeather", `"verified":null`}, []string{link, `"url"`}},
	} {
		select {
		case got := <-bodies[content]:
			for _, h := range append(c.holds, id) {
				if !strings.Contains(got, h) {
					t.Errorf("%q lacks %s: %s", content, h, got)
				}
			}
			for _, l := range c.lacks {
				if strings.Contains(got, l) {
					t.Errorf("%q holds %s: %s", content, l, got)
				}
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%q: no webhook came", content)
		}
	}
	feed := w.do(ask{method: "GET", path: "/v1/events", bearer: w.key}).want(t, 200, "").body
	if strings.Contains(feed, "order-17") || strings.Contains(feed, "harbour") {
		t.Errorf("the feed holds what was stated: %s", feed)
	}
}

func TestWhoMayNotReadSessionsLetsNoWebhookTellThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, narrow, err := w.accounts.Keys.Create(t.Context(), "webhooks alone", idv.Test, account.WebhooksRead, account.WebhooksWrite)
	must(t, err)
	body := map[string]any{"url": "http://127.0.0.1:9/in"}
	made := w.do(ask{method: "POST", path: "/v1/webhook-endpoints", bearer: narrow, body: body}).want(t, 201, "")
	if field(made.body, "content") != "ids" {
		t.Errorf("without sessions.read: %s", made.body)
	}
	body["content"] = "session"
	w.do(ask{method: "POST", path: "/v1/webhook-endpoints", bearer: narrow, body: body}).want(t, 403, "auth.forbidden")
	told := field(w.do(ask{method: "POST", path: "/v1/webhook-endpoints", bearer: w.key, body: body}).want(t, 201, "").body, "id")
	at, own := "/v1/webhook-endpoints/"+told, "/v1/webhook-endpoints/"+field(made.body, "id")
	patch := func(path, key, body string) answer {
		return w.do(ask{method: "PATCH", path: path, bearer: key, body: body})
	}
	patch(at, narrow, `{"url":"http://127.0.0.1:9/mine"}`).want(t, 403, "auth.forbidden")
	patch(own, narrow, `{"content":"reference"}`).want(t, 403, "auth.forbidden")
	patch(own, narrow, `{"url":"http://127.0.0.1:9/mine","events":["session.approved"]}`).want(t, 200, "")
	patch(at, narrow, `{"url":"http://127.0.0.1:9/mine","content":"ids"}`).want(t, 200, "")
	patch(at, w.live, `{"paused":true}`).want(t, 404, "not_found")
	patch(at, w.key, `{"content":"everything"}`).want(t, 400, "request.malformed")
	paused := patch(at, narrow, `{"paused":true}`).want(t, 200, "")
	if field(paused.body, "paused_at") == "" || strings.Contains(paused.body, "whsec_") {
		t.Errorf("paused: %s", paused.body)
	}
	w.do(ask{method: "POST", path: at + "/test", bearer: w.key}).want(t, 409, "webhook.paused")
	resumed := w.do(ask{method: "PATCH", path: "/v1/console" + strings.TrimPrefix(at, "/v1"), cookie: w.signIn(), body: `{"paused":false}`}).want(t, 200, "")
	if field(resumed.body, "paused_at") != "" {
		t.Errorf("resumed: %s", resumed.body)
	}
}
