package e2e

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
	"github.com/bonafide-id/bonafide/fixtures"
)

// liveWallet is a wallet of other makers' packages that answers a running server.
type liveWallet struct {
	t     *testing.T
	lines *bufio.Scanner
	in    io.Writer
}

// newLiveWallet starts it. It trusts the certificates of a file for https.
func newLiveWallet(t *testing.T, authorities string) *liveWallet {
	t.Helper()
	if _, err := os.Stat(filepath.Join("wallet", "node_modules", "@owf", "mdoc")); err != nil {
		t.Skip("the wallet is missing (npm install --no-save --prefix e2e/wallet)")
	}
	cmd := exec.CommandContext(t.Context(), "node", "wallet.mjs", "live")
	cmd.Dir, cmd.Stderr = "wallet", os.Stderr
	cmd.Env = append(os.Environ(), "NODE_EXTRA_CA_CERTS="+authorities)
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 4<<20)
	return &liveWallet{t, lines, in}
}

// did is what came of an act.
type did struct {
	Error    string
	ClientID string `json:"client_id"`
	Mode     string `json:"response_mode"`
	Status   int
	Body     string
	Protocol string
	Data     json.RawMessage
}

func (w *liveWallet) do(act string, input map[string]any) (out did) {
	w.t.Helper()
	input["act"] = act
	raw, err := json.Marshal(input)
	must(w.t, err)
	_, err = w.in.Write(append(raw, '\n'))
	must(w.t, err)
	if !w.lines.Scan() {
		w.t.Fatal("the wallet ended")
	}
	must(w.t, json.Unmarshal(w.lines.Bytes(), &out))
	if out.Error != "" {
		w.t.Fatalf("%s %v: %s", act, input, out.Error)
	}
	return out
}

// asking is a server that asks wallets over https, somebody at its console, and a wallet that can reach it.
type asking struct {
	t      *testing.T
	wallet *liveWallet
	api    client  // as an integrator
	owner  *person // at the console
	home   string  // where wallets and browsers reach the server
}

// front answers https on a port for what listens at another address.
func front(t *testing.T, port int, cert, key, behind string) {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(cert, key)
	must(t, err)
	to, err := url.Parse(behind)
	must(t, err)
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	must(t, err)
	s := &httptest.Server{Listener: l, Config: &http.Server{ //nolint:gosec // loopback, for a test
		Handler: &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }},
	}, TLS: &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}}
	s.StartTLS()
	t.Cleanup(s.Close)
}

var setupToken = regexp.MustCompile(`/setup#token=([\w-]+)`)

// newAsking starts the server and everything around it. The issuers of the wallet are trusted in test mode.
func newAsking(t *testing.T) *asking {
	t.Helper()
	cert, key, roots := certificate(t)
	dir, port := t.TempDir(), served.FreePort(t)
	status := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/status" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/statuslist+jwt")
		http.ServeFile(w, r, filepath.Join(dir, "status.jwt"))
	}))
	t.Cleanup(status.Close)
	c := &asking{t: t, wallet: newLiveWallet(t, cert), home: fmt.Sprintf("https://localhost:%d", port)}
	c.wallet.do("make", map[string]any{"dir": dir, "host": "localhost", "lists": status.URL, "portrait": write(t, "portrait.jpg", faceOf(t, "alder", 3))})
	server := served.NewPlace(t, "--public-url", c.home, "--wallet-certificate", filepath.Join(dir, "verifier.pem"),
		"--wallet-key", filepath.Join(dir, "verifier.key")).Serve(t)
	front(t, port, cert, key, server.URL)
	c.api = client{url: server.URL, bearer: server.Key}
	c.owner = newPerson(t, c.home)
	c.owner.http.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
	c.call("POST", "/v1/console/setup", map[string]any{
		"token": setupToken.FindStringSubmatch(server.Printed())[1], "name": "Ada", "email": "ada@example.org", "password": "correct horse battery staple",
	}, http.StatusOK, nil)
	for scope, anchor := range map[string][2]string{
		"urn:eudi:pid:1": {"issuer", "pid.pem"}, "eu.europa.ec.eudi.pid.1": {"iaca", "iaca.pem"}, "org.iso.18013.5.1.mDL": {"iaca", "iaca.pem"},
		"eu.europa.ec.av.1": {"iaca", "iaca.pem"},
	} {
		c.trusts(scope, anchor[0], filepath.Join(dir, anchor[1]))
	}
	return c
}

// faceOf is a small portrait of somebody, as an authority keeps it.
func faceOf(t *testing.T, person string, seed int64) []byte {
	t.Helper()
	shot, err := fixtures.Selfie(person, fixtures.Portrait, fixtures.Camera{Seed: seed, Width: 480, Height: 600})
	must(t, err)
	raw, err := fixtures.JPEG(shot, 85, 1)
	must(t, err)
	return raw
}

// call does what the console does.
func (c *asking) call(method, path string, body any, status int, into any) {
	c.t.Helper()
	raw, err := json.Marshal(body)
	must(c.t, err)
	c.send(method, path, "application/json", bytes.NewReader(raw), status, into)
}

func (c *asking) send(method, path, media string, body io.Reader, status int, into any) {
	c.t.Helper()
	q, err := http.NewRequestWithContext(c.t.Context(), method, c.home+path, body)
	must(c.t, err)
	q.Header.Set("Content-Type", media)
	r, err := c.owner.http.Do(q)
	must(c.t, err)
	defer func() { _ = r.Body.Close() }()
	answered, err := io.ReadAll(r.Body)
	must(c.t, err)
	if r.StatusCode != status {
		c.t.Fatalf("%s %s: %d %s", method, path, r.StatusCode, answered)
	}
	if into != nil {
		must(c.t, json.Unmarshal(answered, into))
	}
}

// trusts uploads an authority's certificate and accepts it.
func (c *asking) trusts(scope, purpose, file string) {
	c.t.Helper()
	raw, err := os.ReadFile(file)
	must(c.t, err)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{"mode": "test", "purpose": purpose, "scope": scope, "source": "by post"} {
		must(c.t, form.WriteField(name, value))
	}
	part, err := form.CreateFormFile("file", "anchor.pem")
	must(c.t, err)
	_, err = part.Write(raw)
	must(c.t, err)
	must(c.t, form.Close())
	var made struct{ ID string }
	c.send("POST", "/v1/console/trust/updates", form.FormDataContentType(), &body, http.StatusCreated, &made)
	c.call("POST", "/v1/console/trust/updates/"+made.ID+"/accept", map[string]any{}, http.StatusOK, nil)
}

// publish publishes a workflow that asks wallets.
func (c *asking) publish(name string, selfie bool, change map[string]any) {
	c.t.Helper()
	var list struct {
		Items []struct {
			Name      string
			Published struct{ ID string }
		}
	}
	c.call("GET", "/v1/console/workflows?mode=test", nil, http.StatusOK, &list)
	from := ""
	for _, w := range list.Items {
		if w.Name == "no_liveness" {
			from = w.Published.ID
		}
	}
	var file struct {
		ID    string
		Draft struct{ ID string }
	}
	c.call("POST", "/v1/console/workflows", map[string]any{"mode": "test", "name": name, "from": from}, http.StatusCreated, &file)
	var draft struct {
		Revision int64
		Spec     map[string]any
	}
	c.call("GET", "/v1/console/workflows/"+file.ID+"/versions/"+file.Draft.ID, nil, http.StatusOK, &draft)
	unasked := func(prefixes ...string) func(any) bool {
		return func(v any) bool {
			return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(v.(string), p) })
		}
	}
	required, steps := draft.Spec["required"].([]any), draft.Spec["steps"].([]any)
	if !selfie {
		required, steps = slices.DeleteFunc(required, unasked("face.", "liveness.")), slices.DeleteFunc(steps, unasked("selfie"))
	}
	draft.Spec["steps"], draft.Spec["required"] = steps, append(required, "wallet.valid", "wallet.holder", "wallet.revocation")
	draft.Spec["wallet"], draft.Spec["wallet_instead"] = "offered", true
	for field, v := range change {
		draft.Spec[field] = v
	}
	var saved struct{ Revision int64 }
	c.call("PUT", "/v1/console/workflows/"+file.ID+"/draft", map[string]any{"revision": draft.Revision, "spec": draft.Spec}, http.StatusOK, &saved)
	c.call("POST", "/v1/console/workflows/"+file.ID+"/publish", map[string]any{"revision": saved.Revision}, http.StatusOK, nil)
}

// visit is somebody who opened a session and consented.
type visit struct {
	client
	c  *asking
	id string
}

func (c *asking) visit(workflow string) *visit {
	c.t.Helper()
	var s session
	c.api.post(c.t, "/v1/sessions", map[string]any{"workflow": workflow}).decode(c.t, &s)
	_, secret, _ := strings.Cut(s.URL, "/v/")
	var opened struct{ Token string }
	client{url: c.api.url}.post(c.t, "/v1/applicant/open", map[string]string{"link": secret}).decode(c.t, &opened)
	v := &visit{client: client{url: c.api.url, bearer: opened.Token}, c: c, id: s.ID}
	if a := v.post(c.t, "/v1/applicant/consent", map[string]string{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"}); a.status != 200 {
		c.t.Fatalf("consent: %d %s", a.status, a.body)
	}
	return v
}

// asked is a request to a wallet.
type asked struct {
	ID, Link string
	Requests []map[string]any
}

func (v *visit) ask(channel string) (out asked) {
	v.c.t.Helper()
	v.post(v.c.t, "/v1/applicant/steps/wallet", map[string]string{"channel": channel}).decode(v.c.t, &out)
	return out
}

// ends waits until the session has a verdict, and returns its state.
func (v *visit) ends() (state string) {
	v.c.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if state = v.c.api.session(v.c.t, v.id).State; state != "capturing" && state != "processing" {
			return state
		}
	}
	return state
}

// counts waits until what was presented was looked at, and returns what it counts for, or the task's state after the last step.
func (v *visit) counts() string {
	v.c.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		var task struct {
			State  string
			Counts string `json:"wallet_counts"`
		}
		v.get(v.c.t, "/v1/applicant/task").decode(v.c.t, &task)
		if task.Counts != "" || task.State != "step" {
			return cmp.Or(task.Counts, task.State)
		}
	}
	v.c.t.Fatal("nobody looked at what the wallet presented")
	return ""
}

// found returns the codes of what was found wrong with a credential, and with its status list.
func (v *visit) found() (codes []string) {
	v.c.t.Helper()
	var file struct {
		Artifacts []struct {
			Kind string
			Data json.RawMessage
		}
	}
	v.c.call("GET", "/v1/console/sessions/"+v.id, nil, http.StatusOK, &file)
	for _, a := range file.Artifacts {
		if a.Kind != "wallet" {
			continue
		}
		var w struct{ Refusals, Notes []struct{ Code string } }
		must(v.c.t, json.Unmarshal(a.Data, &w))
		for _, r := range w.Refusals {
			codes = append(codes, r.Code)
		}
		for _, n := range w.Notes {
			if strings.HasPrefix(n.Code, "status.") {
				codes = append(codes, n.Code)
			}
		}
	}
	return codes
}

// reasons returns the codes for which a session was decided.
func (v *visit) reasons() (codes []string) {
	v.c.t.Helper()
	var report struct {
		Decisions []struct{ Reasons []struct{ Code string } }
	}
	v.c.api.get(v.c.t, "/v1/sessions/"+v.id+"/report").decode(v.c.t, &report)
	for _, d := range report.Decisions {
		for _, r := range d.Reasons {
			codes = append(codes, r.Code)
		}
	}
	return codes
}

// codeOf is the code of a problem.
func codeOf(body string) string {
	var p struct{ Code string }
	_ = json.Unmarshal([]byte(body), &p)
	return p.Code
}

var errNoCode = errors.New("the wallet was not told where to send the person")

// responseCode is the code in the address where the wallet sends the person.
func responseCode(body string) (string, error) {
	var next struct {
		RedirectURI string `json:"redirect_uri"`
	}
	if err := json.Unmarshal([]byte(body), &next); err != nil {
		return "", err
	}
	_, code, there := strings.Cut(next.RedirectURI, "#wallet=")
	if !there {
		return "", errNoCode
	}
	return code, nil
}
