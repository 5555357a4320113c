package httpapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

func TestAnIntegratorMakesAnEndpointAndGetsSignedEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	got := make(chan *http.Request, 50)
	bodies := make(chan string, 50)
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err == nil {
			got <- r
			bodies <- string(raw)
		}
	}))
	t.Cleanup(target.Close)
	made := w.do(ask{
		method: "POST", path: "/v1/webhook-endpoints", bearer: w.key,
		body: map[string]any{"url": target.URL, "events": []string{"session.approved"}},
	}).want(t, 201, "")
	id, secret := field(made.body, "id"), field(made.body, "secret")
	if !strings.HasPrefix(secret, "whsec_") {
		t.Fatalf("made: %s", made.body)
	}
	for name, a := range map[string]answer{
		"the list":     w.do(ask{method: "GET", path: "/v1/webhook-endpoints", bearer: w.key}).want(t, 200, ""),
		"the endpoint": w.do(ask{method: "GET", path: "/v1/webhook-endpoints/" + id, bearer: w.key}).want(t, 200, ""),
	} {
		if strings.Contains(a.body, "whsec_") || !strings.Contains(a.body, id) {
			t.Errorf("%s: %s", name, a.body)
		}
	}
	session, _ := w.decided("anna")
	select {
	case r := <-got:
		if body := <-bodies; !strings.Contains(body, session) || !strings.Contains(body, `"outcome":"approved"`) ||
			!strings.HasPrefix(r.Header.Get(webhook.HeaderSignature), "v1,") {
			t.Errorf("%v: %s", r.Header, body)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("no webhook came")
	}
	waitSettled(t, w, id)
	log := w.do(ask{method: "GET", path: "/v1/webhook-endpoints/" + id + "/deliveries?status=delivered", bearer: w.key}).want(t, 200, "")
	var page struct {
		Items []struct {
			ID    string
			Tries []struct{ Status int }
		}
	}
	must(t, json.Unmarshal([]byte(log.body), &page))
	if len(page.Items) != 1 || len(page.Items[0].Tries) != 1 || page.Items[0].Tries[0].Status != 200 {
		t.Fatalf("log: %s", log.body)
	}
	w.do(ask{method: "POST", path: "/v1/webhook-endpoints/" + id + "/deliveries/" + page.Items[0].ID + "/resend", bearer: w.key}).want(t, 200, "")
	w.do(ask{method: "POST", path: "/v1/webhook-endpoints/" + id + "/test", bearer: w.key}).want(t, 200, "")
	for range 2 {
		select {
		case <-got:
			<-bodies
		case <-time.After(20 * time.Second):
			t.Fatal("what was asked for did not come")
		}
	}
	rotated := w.do(ask{method: "POST", path: "/v1/webhook-endpoints/" + id + "/rotate", bearer: w.key}).want(t, 200, "")
	if field(rotated.body, "secret") == secret || field(rotated.body, "old_secret_until") == "" {
		t.Errorf("rotated: %s", rotated.body)
	}
	w.do(ask{method: "DELETE", path: "/v1/webhook-endpoints/" + id, bearer: w.key}).want(t, 204, "")
	w.do(ask{method: "GET", path: "/v1/webhook-endpoints/" + id, bearer: w.key}).want(t, 404, "not_found")
	for _, l := range []string{secret, target.URL} {
		if strings.Contains(w.log.String(), l) {
			t.Errorf("%q reached the log", l)
		}
	}
}

func TestAnEndpointThatIsGoneIsStartedAgainByHand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made := w.do(ask{method: "POST", path: "/v1/webhook-endpoints", bearer: w.key, body: map[string]any{"url": "http://127.0.0.1:9/in"}}).want(t, 201, "")
	id := field(made.body, "id")
	at := "/v1/webhook-endpoints/" + id
	d := field(w.do(ask{method: "POST", path: at + "/test", bearer: w.key}).want(t, 200, "").body, "id")
	must(t, w.store.SaveResults(t.Context(), idv.EndpointID(id), []webhook.Result{{
		Delivery: idv.DeliveryID(d), State: webhook.GivenUp, Attempt: webhook.Attempt{At: w.clock.now(), Status: 410, Fault: webhook.FaultStatus},
	}}, true))
	if a := w.do(ask{method: "GET", path: at, bearer: w.key}).want(t, 200, ""); field(a.body, "stopped_at") == "" {
		t.Errorf("it does not say that it is stopped: %s", a.body)
	}
	w.do(ask{method: "POST", path: at + "/test", bearer: w.key}).want(t, 409, "webhook.stopped")
	w.do(ask{method: "POST", path: at + "/deliveries/" + d + "/resend", bearer: w.key}).want(t, 409, "webhook.stopped")
	w.do(ask{method: "POST", path: at + "/start", bearer: w.live}).want(t, 404, "not_found")
	started := w.do(ask{method: "POST", path: "/v1/console/webhook-endpoints/" + id + "/start", cookie: w.signIn()}).want(t, 200, "")
	if field(started.body, "stopped_at") != "" || strings.Contains(started.body, "whsec_") {
		t.Errorf("started: %s", started.body)
	}
	w.do(ask{method: "POST", path: at + "/test", bearer: w.key}).want(t, 200, "")
}

// waitSettled waits until nothing is due at an endpoint.
func waitSettled(t *testing.T, w *world, id string) {
	t.Helper()
	late := time.Now().Add(20 * time.Second)
	for time.Now().Before(late) {
		if a := w.do(ask{method: "GET", path: "/v1/webhook-endpoints/" + id + "/deliveries?status=due", bearer: w.key}); a.body == "{\"items\":[],\"next\":\"\"}\n" {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("something stays due")
}

func TestATargetInsideIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, tt := range map[string]struct{ url, code string }{
		"a private address":      {"https://10.0.0.1/in", "webhook.target_refused"},
		"the metadata service":   {"https://169.254.169.254/latest", "webhook.target_refused"},
		"credentials":            {"https://user:word@93.184.215.14/", "webhook.target_refused"},
		"http":                   {"http://93.184.215.14/", "webhook.target_refused"},
		"nothing":                {"", "request.malformed"},
		"too much":               {"https://93.184.215.14/" + strings.Repeat("a", 2000), "request.malformed"},
		"a text of two lines":    {"https://93.184.215.14/\nx", "request.malformed"},
		"an address inside IPv6": {"https://[::ffff:10.0.0.1]/", "webhook.target_refused"},
	} {
		w.run(t, name, func(t *testing.T) {
			a := w.do(ask{method: "POST", path: "/v1/webhook-endpoints", bearer: w.live, body: map[string]any{"url": tt.url}})
			if a.code() != tt.code || field(a.body, "field") != "/url" || strings.Contains(a.body, "word") {
				t.Errorf("got %d %s", a.status, a.body)
			}
		})
	}
	w.do(ask{
		method: "POST", path: "/v1/webhook-endpoints", bearer: w.key,
		body: map[string]any{"url": "https://93.184.215.14/", "events": []string{"session.nothing"}},
	}).want(t, 400, "request.malformed")
	w.do(ask{
		method: "POST", path: "/v1/webhook-endpoints", bearer: w.key, body: map[string]any{"url": "https://93.184.215.14/", "mode": "live"},
	}).want(t, 400, "request.malformed")
}

func TestTheFeedHoldsWhatWebhooksTellAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	_, link := w.create(w.key, map[string]any{"external_reference": "Order-of-Anna", "claimed": map[string]any{"family_name": "ERIKSSON"}})
	w.open(link)
	w.create(w.live, nil)
	w.decided("anna")
	var types []string
	after := ""
	for {
		a := w.do(ask{method: "GET", path: "/v1/events?limit=2&after=" + after, bearer: w.key}).want(t, 200, "")
		var page struct {
			Items []struct{ ID, Type, Mode string }
			Next  string
		}
		must(t, json.Unmarshal([]byte(a.body), &page))
		for _, l := range []string{"Anna", "ERIKSSON", "L898902C3", link, "live"} {
			if strings.Contains(a.body, l) {
				t.Errorf("%q is told: %s", l, a.body)
			}
		}
		if len(page.Items) == 0 {
			if page.Next != after {
				t.Errorf("the cursor is lost at the end: %q, not %q", page.Next, after)
			}
			break
		}
		for _, i := range page.Items {
			types = append(types, i.Type)
		}
		after = page.Next
	}
	for _, typ := range types {
		if !slices.Contains(webhook.Types(), typ) {
			t.Errorf("%s is told", typ)
		}
	}
	if n := len(types); n != 6 || types[0] != "session.created" || types[5] != "session.approved" {
		t.Errorf("got %v", types)
	}
	w.do(ask{method: "GET", path: "/v1/events?after=evt_06c1q2m3n4p5r6s7t8v9w0x1y2", bearer: w.key}).want(t, 400, "request.malformed")
	w.do(ask{method: "GET", path: "/v1/events?type=session.captured", bearer: w.key}).want(t, 400, "request.malformed")
	cookie := w.signIn()
	if a := w.do(ask{method: "GET", path: "/v1/console/event-log?limit=1", cookie: cookie}).want(t, 200, ""); !strings.Contains(a.body, "session.approved") {
		t.Errorf("the console's newest: %s", a.body)
	}
}

func TestAKeyIsMadeRotatedAndRevokedInTheConsole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	post := func(path string, body map[string]any) answer {
		t.Helper()
		return w.do(ask{method: "POST", path: "/v1/console/keys" + path, cookie: cookie, body: body})
	}
	use := func(key string) answer { return w.do(ask{method: "GET", path: "/v1/sessions", bearer: key}) }
	made := post("", map[string]any{"name": " shop ", "scopes": []string{"sessions.read"}, "expires_at": time.Now().Add(48 * time.Hour)}).want(t, 201, "")
	key, id := field(made.body, "secret"), field(made.body, "id")
	if field(made.body, "name") != "shop" || !strings.HasPrefix(key, "bf_test_") || !strings.HasPrefix(key, field(made.body, "prefix")) {
		t.Fatalf("made: %s", made.body)
	}
	use(key).want(t, 200, "")
	w.do(ask{method: "POST", path: "/v1/sessions", bearer: key, body: map[string]any{}}).want(t, 403, "auth.forbidden")
	list := w.do(ask{method: "GET", path: "/v1/console/keys", cookie: cookie}).want(t, 200, "")
	if strings.Contains(list.body, key) || strings.Contains(list.body, `"secret"`) || strings.Contains(list.body, `"hash"`) ||
		!strings.Contains(list.body, `"last_used_at":"20`) {
		t.Errorf("list: %s", list.body)
	}
	rotated := post("/"+id+"/rotate", map[string]any{"grace_hours": 2}).want(t, 201, "")
	next := field(rotated.body, "secret")
	use(key).want(t, 200, "")
	use(next).want(t, 200, "")
	w.clock.move(2*time.Hour + time.Minute)
	use(key).want(t, 401, "auth.invalid")
	use(next).want(t, 200, "")
	w.clock.move(-2*time.Hour - time.Minute) // nobody is signed in any more by then
	revoked := post("/"+field(rotated.body, "id")+"/revoke", map[string]any{}).want(t, 200, "")
	if field(revoked.body, "status") != "revoked" || field(revoked.body, "secret") != "" {
		t.Errorf("revoked: %s", revoked.body)
	}
	use(next).want(t, 401, "auth.invalid")
	post("/"+field(rotated.body, "id")+"/rotate", map[string]any{"grace_hours": 2}).want(t, 400, "request.malformed")
	for name, tt := range map[string]struct {
		body  map[string]any
		field string
	}{
		"no name":                    {map[string]any{"name": " ", "scopes": []string{"sessions.read"}}, "/name"},
		"no scope":                   {map[string]any{"name": "x", "scopes": []string{}}, "/scopes"},
		"a scope that there is not":  {map[string]any{"name": "x", "scopes": []string{"everything"}}, "/scopes"},
		"a scope that keys have not": {map[string]any{"name": "x", "scopes": []string{"keys.write"}}, "/scopes"},
		"an end in the past":         {map[string]any{"name": "x", "scopes": []string{"sessions.read"}, "expires_at": "2020-01-01T00:00:00Z"}, "/expires_at"},
		"more than is asked":         {map[string]any{"name": "x", "scopes": []string{"sessions.read"}, "hash": "00"}, "/hash"},
	} {
		w.run(t, name, func(t *testing.T) {
			if a := post("", tt.body); a.status != 400 || field(a.body, "field") != tt.field {
				t.Errorf("got %d %s, want field %s", a.status, a.body, tt.field)
			}
		})
	}
	post("/key_06c1q2m3n4p5r6s7t8v9w0x1y2/revoke", map[string]any{}).want(t, 404, "not_found")
	if strings.Contains(w.log.String(), key) || strings.Contains(w.log.String(), next) {
		t.Error("a key reached the log")
	}
}

func TestAKeyIsNeverMoreThanWhoeverMadeIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	live, _, err := w.accounts.Keys.Create(t.Context(), "an owner's", idv.Live)
	must(t, err)
	w.roles.instead = []account.Role{account.Developer}
	give := func(mode, scope string) answer {
		t.Helper()
		return w.do(ask{method: "POST", path: "/v1/console/keys", cookie: cookie, body: map[string]any{"name": "x", "mode": mode, "scopes": []string{scope}}})
	}
	for _, rule := range account.Rules() {
		for _, mode := range []idv.Mode{idv.Live, idv.Test} {
			if !rule.Key {
				continue
			}
			a := give(string(mode), string(rule.Permission))
			want := account.May([]account.Role{account.Developer}, rule.Permission, mode)
			if (a.status == 201) != want {
				t.Errorf("a developer makes a %s key for %s: got %d %s", mode, rule.Permission, a.status, a.code())
			}
		}
	}
	w.do(ask{
		method: "POST", path: "/v1/console/keys/" + string(live.ID) + "/rotate", cookie: cookie, body: map[string]any{"grace_hours": 0},
	}).want(t, 403, "auth.forbidden")
	list := w.do(ask{method: "GET", path: "/v1/console/keys?mode=live", cookie: cookie}).want(t, 200, "")
	_, scopes, _ := strings.Cut(list.body, `"scopes":[{`)
	if strings.Contains(scopes, "reports.read") || !strings.Contains(scopes, "sessions.write") {
		t.Errorf("what a developer may give: %s", scopes)
	}
	w.roles.instead = []account.Role{account.Auditor}
	seen := w.do(ask{method: "GET", path: "/v1/console/keys", cookie: cookie}).want(t, 200, "")
	if !strings.Contains(seen.body, `"scopes":[]}`) {
		t.Errorf("an auditor may give nothing: %s", seen.body)
	}
	give("test", "sessions.read").want(t, 403, "auth.forbidden")
}
