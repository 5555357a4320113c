package store

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/tlv"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// crlServer is a state's https server of revocation lists, and who may fetch from it.
type crlServer struct {
	*httptest.Server
	list  atomic.Pointer[[]byte] // nil for 404
	asked atomic.Int32
	get   *webhook.Fetcher
}

func newCRLServer(t *testing.T) *crlServer {
	t.Helper()
	p := &crlServer{}
	p.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.asked.Add(1)
		switch raw := p.list.Load(); {
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/crl", http.StatusFound)
		case raw == nil:
			http.NotFound(w, r)
		default:
			_, _ = w.Write(*raw)
		}
	}))
	t.Cleanup(p.Close)
	roots := x509.NewCertPool()
	roots.AddCert(p.Certificate())
	p.get = webhook.NewFetcher(webhook.FetchOptions{Roots: roots, Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	return p
}

// publish serves a file and fetches it.
func (p *crlServer) publish(ctx context.Context, r *register.Register, raw []byte) (register.Update, bool, error) {
	p.list.Store(&raw)
	return r.FetchCRL(ctx, p.get, idv.Live, p.URL+"/crl?key=secret")
}

// numbered is a revocation list of Utopia with a number.
func (s states) numbered(number int64, days int, serials ...int64) []byte {
	keyID := tlv.Encode(tlv.Sequence, tlv.Encode(0x80, s.utopia.Cert.SubjectKeyID))
	day := emrtdtest.Now
	return s.utopia.CRLWith([][]byte{
		emrtdtest.Extension("2.5.29.35", false, keyID), emrtdtest.Extension("2.5.29.20", false, emrtdtest.Int(big.NewInt(number))),
	}, day.AddDate(0, 0, -days), day.AddDate(0, 1, 0), serials...)
}

// revocationsFetched: what an authority signed is in force once it was fetched, and nothing else is; what somebody undid is not fetched again.
func revocationsFetched(t *testing.T, d *deployment) {
	ctx, s, r, p := as(t, senta), newStates(), d.trusting(true), newCRLServer(t)
	program := t.Context()
	u, err := r.Propose(ctx, s.anchor())
	must(t, err)
	_, err = r.Accept(as(t, tilda), u.ID)
	must(t, err)

	fetched, changed, err := p.publish(program, r, s.numbered(7, 9, 4))
	must(t, err)
	if !changed || fetched.State != register.InForce || fetched.Count != 1 || fetched.Source != p.URL+"/crl" || fetched.ProposedBy != "" {
		t.Errorf("the first list: changed %t, %+v", changed, fetched)
	}
	signer := s.utopia.Issue(emrtdtest.Template{Serial: 4}, emrtdtest.NewKey(sound, 5))
	wantRevocation(t, r, signer, true, "")
	_, _, err = p.publish(program, r, s.numbered(7, 9))
	wantRefusedAs(t, "another list of the same moment", err, "trust.rollback")
	if _, changed, err = p.publish(program, r, fetched.Raw); err != nil || changed {
		t.Errorf("the very list in force: changed %t, %v", changed, err)
	}
	refusedLists(t, r, p, s)

	newer, changed, err := p.publish(program, r, s.numbered(8, 5))
	must(t, err)
	if !changed || newer.Replaces != fetched.ID {
		t.Errorf("a newer list: changed %t, replaces %q", changed, newer.Replaces)
	}
	wantRevocation(t, r, signer, false, trust.Good)
	undone(t, r, newer.ID)
	wantRevocation(t, r, signer, true, "")
	if _, changed, err = p.publish(program, r, newer.Raw); err != nil || changed {
		t.Errorf("a list that two people undid is back: changed %t, %v", changed, err)
	}
	if _, changed, err = p.publish(program, r, s.numbered(9, 2)); err != nil || !changed {
		t.Errorf("a list after that which was undone: changed %t, %v", changed, err)
	}
	later := register.New(d.store, register.Options{Now: func() time.Time { return emrtdtest.Now.AddDate(0, 2, 0) }})
	wantRevocation(t, later, signer, false, trust.NotChecked)
	wantTrustAudited(t, d, "trust.proposed", "trust.accepted", "trust.fetched", "trust.fetched", "trust.undo_asked", "trust.undone", "trust.fetched")
}

func undone(t *testing.T, r *register.Register, id idv.TrustUpdateID) {
	t.Helper()
	_, err := r.Undo(as(t, senta), id)
	must(t, err)
	_, err = r.Undo(as(t, tilda), id)
	must(t, err)
}

// wantRevocation: what is known of a signer.
func wantRevocation(t *testing.T, r *register.Register, signer *emrtdtest.Holder, revoked bool, want trust.Revocation) {
	t.Helper()
	store, err := r.Load(t.Context(), idv.Live)
	must(t, err)
	chain, err := store.Chain(signer.Cert, trust.CSCA, "UT")
	must(t, err)
	got, err := store.Revocation(chain, emrtdtest.Now.AddDate(0, 0, 1))
	if (err != nil) != revoked || !revoked && got != want {
		t.Errorf("revocation %q, %v; want %q, revoked %t", got, err, want, revoked)
	}
}

// refusedLists: what an address serves is taken only where it is a newer list of an authority that is trusted.
func refusedLists(t *testing.T, r *register.Register, p *crlServer, s states) {
	t.Helper()
	day := emrtdtest.Now
	from, to := day.AddDate(0, 0, -1), day.AddDate(0, 1, 0)
	forged := s.numbered(8, 1)
	forged[len(forged)-3] ^= 1
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"an older list":                               {s.numbered(8, 20), "trust.rollback"},
		"a newer list with a smaller number":          {s.numbered(6, 1), "trust.rollback"},
		"a list that is out of date":                  {s.utopia.CRL(day.AddDate(0, -2, 0), day.AddDate(0, -1, 0)), "trust.crl_expired"},
		"a list of the future":                        {s.utopia.CRL(day.AddDate(0, 1, 0), day.AddDate(0, 2, 0)), "trust.crl_not_yet"},
		"a list of a state that is not trusted":       {s.germany.CRL(from, to), "trust.crl_issuer"},
		"a list of another key with the state's name": {emrtdtest.NewAuthority("UT", sound, 8).CRL(from, to), "trust.crl_signature"},
		"a list whose signature is not whole":         {forged, "trust.crl_signature"},
		"a certificate, to be trusted":                {s.germany.Raw, "tlv.malformed"},
		"a master list":                               {s.list(1, s.germany).File, "tlv.malformed"},
		"a page that asks to sign in":                 {[]byte("<html>"), "tlv.malformed"},
		"nothing":                                     {[]byte{}, "tlv.malformed"},
		"more than the largest file":                  {make([]byte, register.MaxFile+1), "trust.crl_not_fetched"},
	} {
		_, changed, err := p.publish(t.Context(), r, c.file)
		wantRefusedAs(t, name, err, c.want)
		if changed {
			t.Errorf("%s is in force", name)
		}
	}
	p.list.Store(nil)
	_, _, err := r.FetchCRL(t.Context(), p.get, idv.Live, p.URL+"/crl")
	wantRefusedAs(t, "an address without a file", err, "trust.crl_not_fetched")
	_, _, err = r.FetchCRL(t.Context(), p.get, idv.Live, p.URL+"/moved")
	wantRefusedAs(t, "an address that leads elsewhere", err, "trust.crl_not_fetched")
	wantCountries(t, r, idv.Live, "UT")

	before, public := p.asked.Load(), webhook.NewFetcher(webhook.FetchOptions{})
	for _, address := range []string{p.URL + "/crl", "https://169.254.169.254/crl", "https://10.0.0.1/crl", "https://[::1]/crl", "http://93.184.215.14/crl"} {
		_, _, err := r.FetchCRL(t.Context(), public, idv.Live, address)
		wantRefused(t, address, err, problem.WebhookTargetRefused)
	}
	if asked := p.asked.Load() - before; asked > 0 {
		t.Errorf("a private address was asked %d times", asked)
	}
}

// oneAddressFails: an address that fails keeps no other waiting, and the log says which code it was, and no secret.
func oneAddressFails(t *testing.T, d *deployment) {
	s, r, p := newStates(), d.trusting(false), newCRLServer(t)
	inForce(t, as(t, senta), r, s.anchor())
	raw := s.numbered(1, 1)
	p.list.Store(&raw)
	var log bytes.Buffer
	addresses := []string{"https://10.0.0.1/crl", p.URL + "/moved", p.URL + "/crl?key=secret"}
	f, err := register.NewFetching(r, p.get, addresses, slog.New(slog.NewTextHandler(&log, nil)))
	must(t, err)
	must(t, f.Handlers(job.Handlers{}).FetchRevocations(t.Context()))
	for _, want := range []string{"webhook.target_refused", "trust.crl_not_fetched", "revocation list fetched"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not say %s:\n%s", want, &log)
		}
	}
	if strings.Contains(log.String(), "secret") {
		t.Errorf("the log tells a secret:\n%s", &log)
	}
	all, err := r.Coverage(t.Context(), idv.Live)
	if err != nil || len(all.Revocations) != 1 || !all.Revocations[0].Usable {
		t.Errorf("in force: %+v, %v", all.Revocations, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Run(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	for _, address := range []string{"http://crl.example/a", "https://", "https://u:p@crl.example/a", "file:///etc/passwd", "crl.example"} {
		if _, err := register.NewFetching(r, p.get, []string{address}, nil); err == nil {
			t.Errorf("%q is taken for an address", address)
		}
	}
}
