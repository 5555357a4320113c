package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
)

// openIDProvider starts a provider that sends people back to an address, and answers its own. move puts Grace into another group.
func openIDProvider(t *testing.T, back string) (issuer string, move, stop func()) {
	t.Helper()
	if _, err := os.Stat(filepath.Join("oidc", "node_modules", "oidc-provider")); err != nil {
		t.Skip("the provider is missing (npm ci --prefix e2e/oidc)")
	}
	cmd := exec.CommandContext(t.Context(), "node", "provider.mjs", back)
	cmd.Dir = "oidc"
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	t.Cleanup(stop)
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the provider did not start")
	}
	issuer = lines.Text()
	return issuer, func() {
		if _, err := io.WriteString(in, "move\n"); err != nil || !lines.Scan() {
			t.Fatalf("the provider does not listen: %v", err)
		}
	}, stop
}

// person is somebody with a browser.
type person struct {
	t    *testing.T
	home string // of the deployment
	http *http.Client
}

func newPerson(t *testing.T, home string) *person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &person{t: t, home: home, http: &http.Client{Jar: jar, Timeout: time.Minute, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == "/login/sso" { // a page that reads its own address
			return http.ErrUseLastResponse
		}
		return nil
	}}}
}

// post calls the API as the pages do.
func (p *person) post(path string, body map[string]any) (int, map[string]any) {
	p.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := p.http.Post(p.home+path, "application/json", strings.NewReader(string(raw)))
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	var out map[string]any
	_ = json.NewDecoder(r.Body).Decode(&out)
	return r.StatusCode, out
}

var action = regexp.MustCompile(`action="([^"]+)"`)

// comesBack goes to the provider, answers its pages by that name, and answers what the provider sent back.
func (p *person) comesBack(to, login string) url.Values {
	p.t.Helper()
	r, err := p.http.Get(to)
	for range 6 {
		if err != nil {
			p.t.Fatal(err)
		}
		raw, _ := io.ReadAll(r.Body)
		_ = r.Body.Close()
		if back, err := r.Location(); err == nil {
			return back.Query()
		}
		form := action.FindSubmatch(raw)
		if form == nil {
			p.t.Fatalf("the provider's page has no form: %d %s", r.StatusCode, raw)
		}
		fields := url.Values{"prompt": {"consent"}}
		if strings.Contains(string(raw), `value="login"`) {
			fields = url.Values{"prompt": {"login"}, "login": {login}, "password": {"any"}}
		}
		r, err = p.http.PostForm(string(form[1]), fields)
	}
	p.t.Fatal("the provider does not come to an end")
	return nil
}

// signIn signs in by single sign-on.
func (p *person) signIn(login, next string) (int, map[string]any) {
	p.t.Helper()
	status, begun := p.post("/v1/console/sso/begin", map[string]any{"next": next})
	if status != http.StatusOK {
		return status, begun
	}
	back := p.comesBack(begun["url"].(string), login)
	return p.post("/v1/console/sso/finish", map[string]any{"state": back.Get("state"), "authorization": back.Get("code"), "iss": back.Get("iss")})
}

func TestARealOpenIDProviderLetsPeopleIn(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("a secret of the test\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	place := served.NewPlace(t)
	issuer, move, stop := openIDProvider(t, place.PublicURL()+"/login/sso")
	s := place.With("--sso-issuer", issuer, "--sso-client-id", "bonafide", "--sso-client-secret-file", secret, "--sso-name", "The bank",
		"--sso-role", "groups=kyc:reviewer", "--sso-role", "groups=audit:auditor", "--sso-domain", "example.org").Serve(t)
	home := place.PublicURL()
	token := regexp.MustCompile(`/setup#token=(\S+)`).FindStringSubmatch(s.Printed())
	owner := newPerson(t, home)
	if status, got := owner.post("/v1/console/setup", map[string]any{
		"token": token[1], "name": "Ada", "email": "ada@example.org", "password": "a long sentence to sign in with",
	}); status != http.StatusOK {
		t.Fatalf("setup: %d %v", status, got)
	}
	status, got := newPerson(t, home).signIn("grace", "/console/cases")
	me, _ := got["me"].(map[string]any)
	if status != http.StatusOK || got["next"] != "/console/cases" || me["email"] != "grace@example.org" || me["name"] != "Grace" {
		t.Fatalf("grace: %d %v", status, got)
	}
	if roles, ok := me["roles"].([]any); !ok || len(roles) != 1 || roles[0] != "reviewer" {
		t.Errorf("grace is %v", me["roles"])
	}
	move()
	status, got = newPerson(t, home).signIn("grace", "https://elsewhere.example")
	again, _ := got["me"].(map[string]any)
	if status != http.StatusOK || again["id"] != me["id"] || got["next"] != "/console/sessions" {
		t.Fatalf("grace in another group: %d %v", status, got)
	}
	if roles, ok := again["roles"].([]any); !ok || len(roles) != 1 || roles[0] != "auditor" {
		t.Errorf("grace is %v after she was moved", again["roles"])
	}
	for _, login := range []string{"newcomer", "unverified"} {
		if status, got := newPerson(t, home).signIn(login, ""); status != http.StatusForbidden || got["code"] != "auth.sso_refused" {
			t.Errorf("%s: %d %v", login, status, got)
		}
	}
	thief := newPerson(t, home)
	_, begun := newPerson(t, home).post("/v1/console/sso/begin", map[string]any{})
	back := thief.comesBack(begun["url"].(string), "grace")
	if status, got := thief.post("/v1/console/sso/finish", map[string]any{
		"state": back.Get("state"), "authorization": back.Get("code"),
	}); status != http.StatusForbidden {
		t.Errorf("a sign-in that another browser began: %d %v", status, got)
	}
	late := newPerson(t, home)
	_, begun = late.post("/v1/console/sso/begin", map[string]any{})
	back = late.comesBack(begun["url"].(string), "grace")
	stop()
	status, got = late.post("/v1/console/sso/finish", map[string]any{"state": back.Get("state"), "authorization": back.Get("code")})
	if status != http.StatusServiceUnavailable || got["code"] != "auth.sso_unavailable" {
		t.Errorf("without the provider: %d %v", status, got)
	}
	if status, got := owner.post("/v1/console/login", map[string]any{
		"email": "ada@example.org", "password": "a long sentence to sign in with",
	}); status != http.StatusOK {
		t.Errorf("the other ways do not go on: %d %v", status, got)
	}
}
