package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
)

type loggedCalls struct {
	Items []struct {
		ID, Method, Route, Problem, Key string
		RequestID                       string `json:"request_id"`
		Status                          int
	}
	Next string
}

// loggedOf reads the log until it has as many calls.
func loggedOf(w *world, cookie, query string, want int) loggedCalls {
	w.t.Helper()
	var out loggedCalls
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		a := w.do(ask{method: "GET", path: "/v1/console/request-log?" + query, cookie: cookie}).want(w.t, 200, "")
		out = loggedCalls{}
		must(w.t, json.Unmarshal([]byte(a.body), &out))
		if len(out.Items) >= want {
			return out
		}
	}
	w.t.Fatalf("%d calls are in the log, want %d\n%s", len(out.Items), want, w.log.String())
	return out
}

func TestCallsByKeyAreLoggedWithoutWhatWasSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	id, _ := w.create(w.key, map[string]any{"external_reference": "order-of-somebody", "claimed": map[string]any{"family_name": "Unmistakable"}})
	w.do(ask{method: "GET", path: "/v1/sessions?q=order-of-somebody", bearer: w.key, header: map[string]string{"X-Request-Id": "walk-00000001"}}).want(t, 200, "")
	w.do(ask{method: "GET", path: "/v1/sessions/" + nobody, bearer: w.key}).want(t, 404, "not_found")
	w.do(ask{method: "GET", path: "/v1/sessions", bearer: w.live}).want(t, 200, "")

	all := loggedOf(w, cookie, "mode=test", 3)
	raw, err := json.Marshal(all)
	must(t, err)
	for _, told := range []string{id, nobody, "order-of-somebody", "Unmistakable", "?q="} {
		if strings.Contains(string(raw), told) {
			t.Errorf("the log tells %q: %s", told, raw)
		}
	}
	if got := all.Items[0]; got.Route != "/v1/sessions/{id}" || got.Status != 404 || got.Problem != "not_found" || got.Method != "GET" || got.Key == "" {
		t.Errorf("the newest call is %+v", got)
	}
	if failed := loggedOf(w, cookie, "mode=test&failed=true", 1); len(failed.Items) != 1 {
		t.Errorf("%d calls failed, want 1", len(failed.Items))
	}
	if one := loggedOf(w, cookie, "mode=test&request=walk-00000001", 1); len(one.Items) != 1 || one.Items[0].Route != "/v1/sessions" {
		t.Errorf("by request id: %+v", one.Items)
	}
	if live := loggedOf(w, cookie, "mode=live", 1); len(live.Items) != 1 {
		t.Errorf("%d live calls, want 1", len(live.Items))
	}
	first := loggedOf(w, cookie, "mode=test&limit=2", 2)
	rest := loggedOf(w, cookie, "mode=test&limit=2&after="+first.Next, 1)
	if len(rest.Items) != 1 || rest.Items[0].Route != "/v1/sessions" || rest.Items[0].Method != "POST" {
		t.Errorf("the second page is %+v", rest)
	}
}

func TestCallsAreForgottenAfterThirtyDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.do(ask{method: "GET", path: "/v1/sessions", bearer: w.key}).want(t, 200, "")
	cookie := w.signIn()
	loggedOf(w, cookie, "mode=test", 1)
	w.clock.move(account.CallLogLife + time.Hour)
	must(t, w.store.Tidy(t.Context()))
	left, err := w.store.Calls(t.Context(), account.CallFilter{Mode: idv.Test, Limit: 10})
	must(t, err)
	if len(left) != 0 {
		t.Errorf("%d calls are still there", len(left))
	}
}
