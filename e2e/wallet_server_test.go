package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures"
)

// TestAWalletOfOtherMakersAndTheRunningServer is the whole way: the session of an integrator, the request as a wallet fetches it, the
// answer as other makers' packages make it, and the verdict.
func TestAWalletOfOtherMakersAndTheRunningServer(t *testing.T) {
	t.Parallel()
	c := newAsking(t)
	c.publish("wallet", false, map[string]any{"wallet_asks": []string{"pid", "mdl"}})
	c.publish("age", false, map[string]any{"wallet_asks": []string{"age"}, "minimum_age": 18})
	c.publish("face", true, map[string]any{"wallet_asks": []string{"pid", "mdl"}})
	run := func(name string, test func(*testing.T)) {
		t.Run(name, func(t *testing.T) {
			c.t, c.wallet.t, c.owner.t = t, t, t
			test(t)
		})
	}
	for name, tt := range map[string]struct{ workflow, holds, how string }{
		"V16 a person's data as SD-JWT":            {"wallet", "pid", "get"},
		"V16 the same, with the wallet's nonce":    {"wallet", "pid", "nonce"},
		"V18 a person's data as a mobile document": {"wallet", "pidDocument", "post"},
		"V18 a driving licence":                    {"wallet", "licence", "nonce"},
		"V16 an age alone, of a person's data":     {"age", "grown", "get"},
		"V18 an age alone, as a proof of age":      {"age", "age", "post"},
		"V18 an age alone, of a driving licence":   {"age", "licence", "post"},
	} {
		run(name, func(t *testing.T) { c.approves(t, tt.workflow, tt.holds, tt.how) })
	}
	for i, protocol := range []string{"openid4vp-v1-signed", "openid4vp-v1-unsigned"} {
		for _, holds := range []string{"pid", "licence"} {
			run("V17 V19 "+holds+" by the browser, "+protocol, func(t *testing.T) { c.approvesBrowser(t, i, protocol, holds) })
		}
	}
	run("N73 a request whose address was changed", func(t *testing.T) {
		link := c.visit("wallet").ask("cross_device").Link
		if said := c.wallet.do("changed", map[string]any{"link": link}).Body; said != "Error: Error during verification of jwt." {
			t.Errorf("the wallet says %q", said)
		}
	})
	run("the same device", c.sameDevice)
	run("a face", c.comparesFaces)
	for name, tt := range refusedAnswers {
		run(name, func(t *testing.T) { c.refuses(t, tt.fault, tt.status, tt.code) })
	}
	for name, tt := range refusedEvidence {
		run(name, func(t *testing.T) { c.disbelieves(t, tt) })
	}
	for name, tt := range refusedInBrowser {
		run(name, func(t *testing.T) { c.disbelievesBrowser(t, tt) })
	}
	run("N42 a reviewer sees that a credential was revoked", c.tellsRevoked)
}

// approves takes somebody whose wallet answers well to the end.
func (c *asking) approves(t *testing.T, workflow, holds, how string) {
	v := c.visit(workflow)
	link := v.ask("cross_device").Link
	t.Attr("case", "V22") // fetched twice
	c.wallet.do("redirect", map[string]any{"link": link, "how": "get", "holds": "pid", "fault": "fetch_only"})
	a := c.wallet.do("redirect", map[string]any{"link": link, "how": how, "holds": holds})
	if a.Status != http.StatusOK || a.ClientID != "x509_san_dns:localhost" || a.Mode != "direct_post.jwt" {
		t.Fatalf("the wallet is answered %+v", a)
	}
	if state := v.ends(); state != "approved" {
		t.Errorf("the session is %s for %v %v", state, v.found(), v.reasons())
	}
}

// approvesBrowser does the same by the browser's API.
func (c *asking) approvesBrowser(t *testing.T, at int, protocol, holds string) {
	v := c.visit("wallet")
	a := v.ask("browser")
	if a.Requests[at]["protocol"] != protocol {
		t.Fatalf("the requests are %v", a.Requests)
	}
	got := c.wallet.do("browser", map[string]any{"request": a.Requests[at], "origin": c.home, "holds": holds})
	if answered := v.answer(t, a, got); answered.status != http.StatusAccepted {
		t.Fatalf("the page is answered %d %s", answered.status, answered.body)
	}
	if answered := v.answer(t, a, got); codeOf(string(answered.body)) != "wallet.expired" {
		t.Errorf("N61: again it is answered %d %s", answered.status, answered.body)
	}
	if state := v.ends(); state != "approved" {
		t.Errorf("the session is %s for %v %v", state, v.found(), v.reasons())
	}
}

// answer posts what the browser handed to the page.
func (v *visit) answer(t *testing.T, a asked, d did) answer {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"protocol": d.Protocol, "data": d.Data})
	must(t, err)
	return v.do(t, "POST", "/v1/applicant/steps/wallet/"+a.ID+"/answer", "application/json", bytes.NewReader(raw))
}

// sameDevice shows that an answer counts for the browser that asked, once its code came back there.
func (c *asking) sameDevice(t *testing.T) {
	v, stranger := c.visit("wallet"), c.visit("wallet")
	a := c.wallet.do("redirect", map[string]any{"link": v.ask("same_device").Link, "how": "nonce", "holds": "pid"})
	code, err := responseCode(a.Body)
	must(t, err)
	complete := func(v *visit) answer {
		return v.post(t, "/v1/applicant/steps/wallet/complete", map[string]string{"response_code": code})
	}
	if got := complete(stranger); codeOf(string(got.body)) != "wallet.code_refused" {
		t.Errorf("N70: another browser is answered %d %s", got.status, got.body)
	}
	if got := complete(v); got.status != http.StatusAccepted {
		t.Fatalf("the browser that asked is answered %d %s", got.status, got.body)
	}
	if got := complete(v); got.status < 400 {
		t.Errorf("N70: the code is good twice: %s", got.body)
	}
	if state := v.ends(); state != "approved" {
		t.Errorf("the session is %s for %v %v", state, v.found(), v.reasons())
	}
}

// comparesFaces shows that the portrait in the credential is what the selfie is compared with.
func (c *asking) comparesFaces(t *testing.T) {
	for selfie, want := range map[string]string{"alder": "approved", "birch": "face.mismatch"} {
		v := c.visit("face")
		c.wallet.do("redirect", map[string]any{"link": v.ask("cross_device").Link, "how": "post", "holds": "face"})
		if got := v.counts(); got != "stands" {
			t.Fatalf("the credential counts for %q: %v", got, v.found())
		}
		p := &applicant{client: v.client}
		if a := p.send(t, "selfie", "attempt-1", selfieOf(t, selfie)); a.status != http.StatusOK {
			t.Fatalf("the selfie of %s is answered %d %s", selfie, a.status, a.body)
		}
		if got := v.endsOrReopens(); got != want {
			t.Errorf("with a selfie of %s it comes to %q for %v, want %q", selfie, got, v.reasons(), want)
		}
	}
}

// endsOrReopens waits for a verdict, or for the problem for which something has to be sent again.
func (v *visit) endsOrReopens() string {
	v.c.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		var now task
		v.get(v.c.t, "/v1/applicant/task").decode(v.c.t, &now)
		if now.Problem != nil {
			return now.Problem.Code
		}
		if state := v.c.api.session(v.c.t, v.id).State; state != "capturing" && state != "processing" {
			return state
		}
	}
	return ""
}

var refusedAnswers = map[string]struct {
	fault  string
	status int
	code   string
}{
	"N61 an answer that is posted twice":     {"posted_twice", 410, "wallet.expired"},
	"N62 the key of another request":         {"other_key", 422, "openid.other_key"},
	"N63 an answer in the clear":             {"in_the_clear", 422, "openid.not_encrypted"},
	"N64 an encryption that was not offered": {"other_cipher", 422, "openid.encryption"},
	"N65 the state of another request":       {"other_state", 422, "openid.state"},
	"N72 an error of the wallet":             {"wallet_error", 422, "wallet.failed"},
}

// refuses shows that an answer that cannot be opened is refused to the wallet, and that the person goes on.
func (c *asking) refuses(t *testing.T, fault string, status int, code string) {
	t.Attr("code", code)
	v := c.visit("wallet")
	a := c.wallet.do("redirect", map[string]any{"link": v.ask("cross_device").Link, "how": "get", "holds": "pid", "fault": fault})
	if a.Status != status || codeOf(a.Body) != code {
		t.Errorf("the wallet is answered %d %s, want %d %s", a.Status, a.Body, status, code)
	}
	if fault == "posted_twice" {
		return
	}
	if again := v.ask("cross_device"); !strings.HasPrefix(again.Link, "openid4vp://") {
		t.Errorf("the person cannot ask again: %+v", again)
	}
}

// evidence is a presentation that is opened and does not count.
type evidence struct {
	holds, fault string
	counts       string
	codes        []string
}

var refusedEvidence = map[string]evidence{
	"N25 a signer whom nobody trusts":              {"forged", "", "rejected", []string{"trust.anchor_missing"}},
	"N28 no signature of the holder":               {"pid", "no_binding", "rejected", []string{"sdjwt.binding_missing"}},
	"N29 another holder's key":                     {"pid", "other_holder", "rejected", []string{"sdjwt.binding_signature"}},
	"N30 the nonce of another request":             {"pid", "other_nonce", "rejected", []string{"sdjwt.binding_nonce"}},
	"N31 another verifier":                         {"pid", "other_verifier", "rejected", []string{"sdjwt.binding_audience"}},
	"N33 a disclosure is taken out afterwards":     {"pid", "disclosure_removed", "rejected", []string{"sdjwt.binding_hash"}},
	"N38 a credential that has expired":            {"expired", "", "rejected", []string{"sdjwt.expired"}},
	"N39 the holder signed a year ago":             {"pid", "old_binding", "rejected", []string{"sdjwt.binding_time"}},
	"N41 a claim is missing that was asked for":    {"pid", "withheld", "rejected", []string{"openid.claim_missing"}},
	"N42 a credential that was revoked":            {"revoked", "", "rejected", []string{"status.revoked"}},
	"N42 a list that cannot be fetched":            {"unlisted", "", "beside", []string{"status.unchecked"}},
	"N66 a credential that was not asked for":      {"pid", "not_asked", "rejected", []string{"openid.not_asked"}},
	"N66 two presentations where one is asked for": {"pid", "two_elements", "rejected", []string{"openid.several"}},
	"N66 no credential at all":                     {"pid", "nothing", "rejected", []string{"openid.unanswered"}},
	"N49 a licence of a stranger":                  {"forgedLicence", "", "rejected", []string{"trust.anchor_missing"}},
	"N51 the transcript of another request":        {"licence", "other_nonce", "rejected", []string{"mdoc.device_signature"}},
	"N51 the transcript of another verifier":       {"licence", "other_verifier", "rejected", []string{"mdoc.device_signature"}},
}

// disbelieves shows that a presentation does not count, and why.
func (c *asking) disbelieves(t *testing.T, e evidence) {
	v := c.visit("wallet")
	a := c.wallet.do("redirect", map[string]any{"link": v.ask("cross_device").Link, "how": "post", "holds": e.holds, "fault": e.fault})
	if a.Status != http.StatusOK || strings.TrimSpace(a.Body) != "{}" {
		t.Errorf("the wallet is told what it is worth: %d %s", a.Status, a.Body)
	}
	v.counted(t, e)
}

func (v *visit) counted(t *testing.T, e evidence) {
	t.Helper()
	t.Attr("code", e.codes[0])
	if got := v.counts(); got != e.counts {
		t.Errorf("it counts for %q, want %q", got, e.counts)
	}
	if d := cmp.Diff(e.codes, v.found()); d != "" {
		t.Errorf("codes (-want +got):\n%s", d)
	}
}

var refusedInBrowser = map[string]evidence{
	"N32 the audience of a redirect":         {"pid", "as_redirect", "rejected", []string{"sdjwt.binding_audience"}},
	"N31 a person's data for another origin": {"pid", "other_origin", "rejected", []string{"sdjwt.binding_audience"}},
	"N51 a licence for another origin":       {"licence", "other_origin", "rejected", []string{"mdoc.device_signature"}},
	"N52 the transcript of a redirect":       {"licence", "as_redirect", "rejected", []string{"mdoc.device_signature"}},
}

// disbelievesBrowser does the same by the browser's API.
func (c *asking) disbelievesBrowser(t *testing.T, e evidence) {
	v := c.visit("wallet")
	a := v.ask("browser")
	d := c.wallet.do("browser", map[string]any{"request": a.Requests[0], "origin": c.home, "holds": e.holds, "fault": e.fault})
	if got := v.answer(t, a, d); got.status != http.StatusAccepted {
		t.Fatalf("the page is answered %d %s", got.status, got.body)
	}
	v.counted(t, e)
}

// tellsRevoked takes somebody with a revoked credential on to photographs, and to a person's decision.
func (c *asking) tellsRevoked(t *testing.T) {
	pictures := picturesOf(t, "alder", "alder", 77, fixtures.Options{})
	v := c.visit("wallet")
	c.wallet.do("redirect", map[string]any{"link": v.ask("cross_device").Link, "how": "post", "holds": "revoked"})
	if got := v.counts(); got != "rejected" {
		t.Fatalf("it counts for %q", got)
	}
	p := &applicant{client: v.client}
	p.decodeTask(t, p.do(t, http.MethodPut, "/v1/applicant/steps/choose", "application/json", strings.NewReader(`{"document_kind":"passport"}`)))
	p.decodeTask(t, p.send(t, "document_front", "attempt-1", pictures.document))
	if state := v.ends(); state != "in_review" {
		t.Errorf("the session is %s", state)
	}
	if codes := v.reasons(); !slices.Contains(codes, "wallet.revoked") {
		t.Errorf("nobody is told that it was revoked: %v", codes)
	}
}
