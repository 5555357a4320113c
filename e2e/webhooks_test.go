package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
)

// posted is one webhook as it arrived.
type posted struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

// verdict asks the library that receivers use.
func (p posted) verdict(t *testing.T, secret string) string {
	t.Helper()
	p.Secret = secret
	raw, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	verify := exec.CommandContext(t.Context(), "node", "verify.mjs")
	verify.Dir, verify.Stdin = "webhooks", bytes.NewReader(raw)
	out, err := verify.CombinedOutput()
	if err != nil {
		t.Fatalf("verify: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestAReceiverVerifiesWebhooksWithTheLibraryOfTheStandard(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(filepath.Join("webhooks", "node_modules", "standardwebhooks")); err != nil {
		t.Skip("the receiver's library is missing (npm ci --prefix e2e/webhooks)")
	}
	arrived := make(chan posted, 20)
	target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		headers := map[string]string{}
		for name := range r.Header {
			headers[strings.ToLower(name)] = r.Header.Get(name)
		}
		arrived <- posted{Headers: headers, Body: string(raw)}
	}))
	t.Cleanup(target.Close)
	s := served.NewPlace(t).Serve(t)
	api := client{url: s.URL, bearer: s.Key}
	post := func(path, body string) map[string]any {
		t.Helper()
		a := api.do(t, http.MethodPost, path, "application/json", strings.NewReader(body))
		if a.status >= 300 {
			t.Fatalf("%s: %d %s", path, a.status, a.body)
		}
		var out map[string]any
		a.decode(t, &out)
		return out
	}
	next := func() posted {
		t.Helper()
		select {
		case p := <-arrived:
			return p
		case <-time.After(30 * time.Second):
			t.Fatal("no webhook came")
			return posted{}
		}
	}
	endpoint := post("/v1/webhook-endpoints", `{"url":"`+target.URL+`"}`)
	id, _ := endpoint["id"].(string)
	secret, _ := endpoint["secret"].(string)
	session := post("/v1/sessions", `{"external_reference":"Order-of-Anna","claimed":{"family_name":"ERIKSSON"}}`)
	first := next()
	if got := first.verdict(t, secret); got != "genuine" {
		t.Errorf("what was sent is %s", got)
	}
	sid, _ := session["id"].(string)
	if !strings.Contains(first.Body, sid) || !strings.Contains(first.Body, `"Order-of-Anna"`) || strings.Contains(first.Body, "ERIKSSON") {
		t.Errorf("body %s", first.Body)
	}
	changed := first
	changed.Body = strings.Replace(first.Body, "session.created", "session.approved", 1)
	if got := changed.verdict(t, secret); got != "refused" {
		t.Errorf("what was changed on the way is %s", got)
	}
	rotated, _ := post("/v1/webhook-endpoints/"+id+"/rotate", "{}")["secret"].(string)
	post("/v1/webhook-endpoints/"+id+"/test", "{}")
	both := next()
	for name, key := range map[string]string{"the old secret": secret, "the new secret": rotated} {
		if got := both.verdict(t, key); got != "genuine" {
			t.Errorf("during a rotation, by %s, it is %s", name, got)
		}
	}
}
