package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
)

const (
	trustAt                  = "/v1/console/trust"
	stateKind emrtdtest.Kind = "ECDSA P-256 SHA-256"
)

// trustUpdate is an update of a mode that waits.
func (w *world) trustUpdate(mode idv.Mode) string {
	w.t.Helper()
	u, err := register.New(w.store, register.Options{}).Propose(w.t.Context(),
		register.Proposal{Mode: mode, File: emrtdtest.NewAuthority("UT", stateKind, 1).Raw})
	must(w.t, err)
	return string(u.ID)
}

func TestTrustIsUploadedShownAcceptedAndUndone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	post := func(at string, body any) answer {
		return w.do(ask{method: "POST", path: trustAt + at, cookie: cookie, body: body})
	}
	held := func(mode string) wire.Trusted {
		return read[wire.Trusted](t, w.do(ask{method: "GET", path: trustAt + "?mode=" + mode, cookie: cookie}), 200)
	}
	utopia := emrtdtest.NewAuthority("UT", stateKind, 1)
	if first := held("live"); len(first.Countries) != 0 || len(first.Updates) != 0 || len(first.Gaps) < 190 {
		t.Errorf("before anything was uploaded: %d countries, %d updates, %d gaps", len(first.Countries), len(first.Updates), len(first.Gaps))
	}
	made := read[wire.TrustUpdate](t, post("/updates", form{"file": utopia.Raw, "mode": "live", "source": "by post"}), 201)
	if made.State != register.Pending || made.Difference.Added != 1 || made.Scope != "UT" || made.Proposed.Name == "" {
		t.Errorf("uploaded: %+v", made)
	}
	post("/updates/"+string(made.ID)+"/undo", nil).want(t, 409, "trust.conflict")
	accepted := post("/updates/"+string(made.ID)+"/accept", nil).want(t, 200, "")
	for _, inner := range []string{"MII", "raw", "slot", "BEGIN CERTIFICATE"} {
		if strings.Contains(accepted.body, inner) {
			t.Errorf("the answer holds %q", inner)
		}
	}
	if now := held("live"); len(now.Countries) != 1 || now.Countries[0].Country != "UT" || now.Updates[0].State != register.InForce {
		t.Errorf("after it was accepted: %+v", now.Countries)
	}
	post("/updates", form{"file": utopia.Raw, "mode": "live"}).want(t, 409, "trust.conflict")
	post("/removals", map[string]any{"mode": "live", "sha256": utopia.Cert.Fingerprint()}).want(t, 201, "")
	if now := held("live"); len(now.Countries) != 0 {
		t.Errorf("after it was removed: %+v", now.Countries)
	}
	post("/updates/"+string(made.ID)+"/decline", nil).want(t, 409, "trust.conflict")
	post("/updates/"+string(made.ID)+"/undo", nil).want(t, 200, "")
	post("/updates/tru_none/accept", nil).want(t, 404, "not_found")
	w.do(ask{method: "GET", path: trustAt + "/updates/" + string(made.ID), cookie: cookie}).want(t, 200, "")
	if log := w.log.String(); strings.Contains(log, "by post") || strings.Contains(log, "CSCA UT") {
		t.Error("the log says what was uploaded")
	}
}

func TestWhatCannotBeTrustedIsRefusedByItsOwnCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	utopia := emrtdtest.NewAuthority("UT", stateKind, 1)
	lister := utopia.Issue(emrtdtest.Template{Name: "Lister", Extended: []string{pki.MasterListSigning}}, emrtdtest.NewKey(stateKind, 3))
	for name, tt := range map[string]struct {
		body   form
		status int
		code   string
	}{
		"something else":                  {form{"file": []byte("a letter"), "mode": "live"}, 422, "tlv.malformed"},
		"a list before its anchor":        {form{"file": lister.MasterList(emrtdtest.Now, utopia), "mode": "live"}, 422, "trust.anchor_missing"},
		"a signer of lists as an anchor":  {form{"file": lister.Raw, "mode": "live"}, 422, "trust.link_is_no_anchor"},
		"no file":                         {form{"mode": "live"}, 400, "request.malformed"},
		"a mode that there is not":        {form{"file": utopia.Raw, "mode": "all"}, 400, "request.malformed"},
		"a field that there is not":       {form{"file": utopia.Raw, "mode": "live", "accept": "yes"}, 400, "request.unknown_field"},
		"more than a list can have bytes": {form{"file": make([]byte, register.MaxFile+1), "mode": "live"}, 413, "request.too_large"},
	} {
		w.run(t, name, func(t *testing.T) {
			w.do(ask{method: "POST", path: trustAt + "/updates", cookie: cookie, body: tt.body}).want(t, tt.status, tt.code)
		})
	}
}

func TestOnlyWhoMayChangesTrust(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	utopia := emrtdtest.NewAuthority("UT", stateKind, 1)
	propose := func(mode string) answer {
		return w.do(ask{method: "POST", path: trustAt + "/updates", cookie: cookie, body: form{"file": utopia.Raw, "mode": mode}})
	}
	live := read[wire.TrustUpdate](t, propose("live"), 201)
	accept := ask{method: "POST", path: trustAt + "/updates/" + string(live.ID) + "/accept", cookie: cookie}
	for role, want := range map[account.Role]struct{ read, live, test, accept int }{
		account.Reviewer:  {200, 403, 403, 403},
		account.Auditor:   {200, 403, 403, 403},
		account.Developer: {200, 403, 201, 404}, // in test mode alone, and what is in live mode is not there to act on
	} {
		w.roles.instead = []account.Role{role}
		w.do(ask{method: "GET", path: trustAt + "?mode=live", cookie: cookie}).want(t, want.read, "")
		if got := propose("live"); got.status != want.live {
			t.Errorf("%s uploads in live mode: %d, want %d", role, got.status, want.live)
		}
		if got := propose("test"); got.status != want.test {
			t.Errorf("%s uploads in test mode: %d, want %d", role, got.status, want.test)
		}
		if got := w.do(accept); got.status != want.accept {
			t.Errorf("%s accepts: %d, want %d", role, got.status, want.accept)
		}
	}
	w.roles.instead = nil
	w.do(ask{method: http.MethodGet, path: trustAt, bearer: w.key}).want(t, 401, "auth.missing")
	w.do(ask{method: http.MethodGet, path: trustAt}).want(t, 401, "auth.missing")
}

func TestWhereTwoPersonsAreWantedOneIsNotEnough(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	api, err := httpapi.New(w.sessions, w.accounts, w.verifier, httpapi.Stores{Web: w.gate, Idempotency: w.store.Replays(), Log: w.store}, httpapi.Options{
		PublicURL: "http://localhost", Now: w.clock.now, Trust: register.New(w.store, register.Options{TwoPersons: true}),
	})
	must(t, err)
	server := httptest.NewServer(api.Handler())
	t.Cleanup(func() { api.Stop(); server.Close() })
	w.url = server.URL
	cookie := w.signIn()
	utopia := emrtdtest.NewAuthority("UT", stateKind, 1)
	u := read[wire.TrustUpdate](t, w.do(ask{
		method: "POST", path: trustAt + "/updates", cookie: cookie, body: form{"file": utopia.Raw, "mode": "live"},
	}), 201)
	w.do(ask{method: "POST", path: trustAt + "/updates/" + string(u.ID) + "/accept", cookie: cookie}).want(t, 409, "trust.same_person")
	now := read[wire.Trusted](t, w.do(ask{method: "GET", path: trustAt + "?mode=live", cookie: cookie}), 200)
	if len(now.Countries) != 0 || !now.TwoPersons {
		t.Errorf("after one person: %+v", now)
	}
}

func TestWhyAFileIsNotTrustedIsAnsweredAndTheFileIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	explain := func(body form) answer {
		return w.do(ask{method: "POST", path: trustAt + "/explanations", cookie: cookie, body: body})
	}
	utopia, issuer := emrtdtest.NewAuthority("UT", stateKind, 1), wallettest.NewIssuer(1)
	sod := utopia.Issue(emrtdtest.Template{}, emrtdtest.NewKey(stateKind, 5)).SOD(emrtdtest.Chip(), emrtdtest.Signing{Time: emrtdtest.Now})
	credential := []byte(issuer.Person(wallettest.NewHolder()).Issue())
	trusted := register.New(w.store, register.Options{})
	before := read[wire.TrustAnswer](t, explain(form{"file": sod, "mode": "live"}), 200)
	if before.Trusted || before.Refusals[0].Code != trust.AnchorMissing || !strings.Contains(before.Missing, "CSCA UT") || before.Signer == nil {
		t.Errorf("an EF.SOD before its authority was accepted: %+v", before)
	}
	for _, p := range []register.Proposal{
		{Mode: idv.Live, File: utopia.Raw}, {Mode: idv.Live, File: issuer.Root.Raw, Purpose: trust.IACA, Scope: "org.example.permit", Source: "by post"},
	} {
		u, err := trusted.Propose(t.Context(), p)
		must(t, err)
		_, err = trusted.Accept(t.Context(), u.ID)
		must(t, err)
	}
	if after := read[wire.TrustAnswer](t, explain(form{"file": sod, "mode": "live"}), 200); !after.Trusted || len(after.Chain) != 2 || after.Anchor == nil {
		t.Errorf("an EF.SOD afterwards: %+v", after)
	}
	asked := explain(form{"file": credential, "mode": "live"})
	other := read[wire.TrustAnswer](t, asked, 200)
	if other.Trusted || len(other.Tried) != 2 || other.Tried[1].Code != trust.OtherPurpose || other.Tried[1].Anchor.Source != "by post" {
		t.Errorf("N26 a credential by an issuer that is trusted for documents: %+v", other)
	}
	for _, personal := range []string{"Mustermann", "Erika", "birthdate"} {
		if strings.Contains(asked.body, personal) || strings.Contains(w.log.String(), personal) {
			t.Errorf("the answer or the log says %q", personal)
		}
	}
	explain(form{"file": []byte("a letter"), "mode": "live"}).want(t, 422, "trust.nothing_signed")
	explain(form{"file": utopia.Raw, "mode": "live", "purpose": "issuer"}).want(t, 400, "request.malformed")
	explain(form{"file": utopia.Raw, "mode": "live", "purpose": "any"}).want(t, 400, "request.malformed")
	explain(form{"file": utopia.Raw, "mode": "all"}).want(t, 400, "request.malformed")
	w.roles.instead = []account.Role{account.Reviewer}
	explain(form{"file": sod, "mode": "live"}).want(t, 200, "")
	w.roles.instead = nil
	w.do(ask{method: "POST", path: trustAt + "/explanations", bearer: w.key, body: form{"file": sod, "mode": "live"}}).want(t, 401, "auth.missing")
	now := read[wire.Trusted](t, w.do(ask{method: "GET", path: trustAt + "?mode=live", cookie: cookie}), 200)
	if len(now.Updates) != 2 || len(now.Others) != 1 {
		t.Errorf("%d updates and %d other anchors are kept, want 2 and 1", len(now.Updates), len(now.Others))
	}
}
