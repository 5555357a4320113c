package why_test

import (
	"encoding/hex"
	"encoding/pem"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/why"
)

const sound emrtdtest.Kind = "ECDSA P-256 SHA-256"

func anchor(t *testing.T, s *trust.Store, h *emrtdtest.Holder, p trust.Purpose, scope string) {
	t.Helper()
	if err := s.Accept(trust.Anchor{Certificate: h.Cert, Purpose: p, Scope: scope}); err != nil {
		t.Fatal(err)
	}
}

func inPEM(all ...*emrtdtest.Holder) []byte {
	var out []byte
	for _, h := range all {
		out = append(out, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.Raw})...)
	}
	return out
}

// presented is one of each kind of file, with those who may vouch for it.
type presented struct {
	state, between, lister  *emrtdtest.Holder
	person, licence         *wallettest.Issuer
	sod, credential, mobile []byte
}

func newPresented() presented {
	p := presented{state: emrtdtest.NewAuthority("UT", sound, 1), person: wallettest.NewIssuer(1), licence: wallettest.NewDocumentIssuer(1)}
	p.lister = p.state.Issue(emrtdtest.Template{Name: "Lister", Extended: []string{pki.MasterListSigning}}, emrtdtest.NewKey(sound, 3))
	p.between = p.state.Issue(emrtdtest.Template{Name: "CSCA UT", CA: true, Usage: 0x06}, emrtdtest.NewKey(sound, 4))
	holder := wallettest.NewHolder()
	p.sod = p.state.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 5)).SOD(emrtdtest.Chip(), emrtdtest.Signing{Time: emrtdtest.Now})
	p.credential = []byte(p.person.Person(holder).Issue())
	p.mobile = p.licence.Licence(holder).Respond(wallettest.Device{Key: holder}, nil)
	return p
}

func TestWhyAFileIsTrustedOrNot(t *testing.T) {
	p := newPresented()
	all, nobody := &trust.Store{}, &trust.Store{}
	anchor(t, all, p.state, trust.CSCA, "UT")
	anchor(t, all, p.person.Root, trust.Issuer, wallettest.VCT)
	anchor(t, all, p.licence.Root, trust.IACA, wallettest.DocType)
	other := &trust.Store{} // N26: each for another purpose or scope
	anchor(t, other, p.person.Root, trust.IACA, wallettest.VCT)
	anchor(t, other, p.licence.Root, trust.IACA, "org.example.other")
	leaf := p.between.Issue(emrtdtest.Template{Name: "Leaf"}, emrtdtest.NewKey(sound, 6))
	chained := why.Question{File: inPEM(leaf, p.between), Purpose: trust.Issuer, Scope: "permit"}
	permits := &trust.Store{}
	anchor(t, permits, p.state, trust.Issuer, "permit")
	for _, c := range []struct {
		name    string
		q       why.Question
		store   *trust.Store
		kind    why.Kind
		scope   string
		want    refusal.Code // empty if it is trusted
		tried   refusal.Code // of the first anchor that was tried
		missing string
	}{
		{"an EF.SOD", why.Question{File: p.sod}, all, why.SecurityObject, "UT", "", "", ""},
		{"an EF.SOD of nobody", why.Question{File: p.sod}, nobody, why.SecurityObject, "UT", trust.AnchorMissing, "", "C=UT, CN=CSCA UT"},
		{"a master list", why.Question{File: p.lister.MasterList(emrtdtest.Now, p.state)}, all, why.MasterList, "UT", "", "", ""},
		{"a signer in PEM", why.Question{File: inPEM(p.lister)}, all, why.Certificate, "UT", "", "", ""},
		{"a signer of licences", why.Question{File: p.licence.Signer.Raw}, all, why.Certificate, wallettest.DocType, "", "", ""},
		{"a chain with an authority between", chained, permits, why.Certificate, "permit", "", "", ""},
		{"the same without the anchor", chained, nobody, why.Certificate, "permit", trust.AnchorMissing, "", "C=UT, CN=CSCA UT"},
		{"a credential", why.Question{File: p.credential}, all, why.Credential, wallettest.VCT, "", "", ""},
		{"a credential of nobody", why.Question{File: p.credential}, nobody, why.Credential, wallettest.VCT, trust.AnchorMissing, "", "C=UT, CN=CSCA UT"},
		{"N26 a credential whose issuer is trusted for documents", why.Question{File: p.credential}, other, why.Credential, wallettest.VCT,
			trust.AnchorMissing, trust.OtherPurpose, "C=UT, CN=CSCA UT"},
		{"a licence", why.Question{File: p.mobile}, all, why.Document, wallettest.DocType, "", "", ""},
		{"a licence in hexadecimal", why.Question{File: []byte(hex.EncodeToString(p.mobile))}, all, why.Document, wallettest.DocType, "", "", ""},
		{"N26 a licence whose authority is trusted for another", why.Question{File: p.mobile}, other, why.Document, wallettest.DocType,
			trust.AnchorMissing, "", "C=UT, CN=CSCA UT"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.q.Now = emrtdtest.Now
			a, err := why.Ask(c.q, c.store)
			if err != nil {
				t.Fatal(err)
			}
			if a.Kind != c.kind || a.Scope != c.scope || a.Trusted() != (c.want == "") || a.Signer == nil {
				t.Errorf("kind %q, scope %q, trusted %v, refusals %v", a.Kind, a.Scope, a.Trusted(), a.Refusals)
			}
			named := func(r *refusal.Refusal) bool { return r.Code == c.want }
			if c.want != "" && !slices.ContainsFunc(a.Refusals, named) {
				t.Errorf("refused with %v, want %s", a.Refusals, c.want)
			}
			if c.tried != "" && !slices.ContainsFunc(a.Trust.Tried, func(x trust.Attempt) bool { return x.Refusal.Code == c.tried }) {
				t.Errorf("tried %+v, want one with %s", a.Trust.Tried, c.tried)
			}
			if got := a.Trust.Missing; len(got) < len(c.missing) || got[:len(c.missing)] != c.missing || (c.missing == "") != (got == "") {
				t.Errorf("missing %q, want %q", got, c.missing)
			}
		})
	}
}

func TestAFileWithNothingSignedIsRefused(t *testing.T) {
	for name, raw := range map[string][]byte{
		"nothing": nil, "a letter": []byte("Dear Sir"), "a key": []byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"), "an empty map": {0xa0},
	} {
		if _, err := why.Ask(why.Question{File: raw, Now: emrtdtest.Now}, &trust.Store{}); refusal.Of(err) == nil || refusal.Of(err).Code != trust.NothingSigned {
			t.Errorf("%s: %v, want %s", name, err, trust.NothingSigned)
		}
	}
}

func FuzzAsk(f *testing.F) {
	p := newPresented()
	store := &trust.Store{}
	if err := store.Accept(trust.Anchor{Certificate: p.state.Cert, Purpose: trust.CSCA, Scope: "UT"}); err != nil {
		f.Fatal(err)
	}
	for _, raw := range [][]byte{p.sod, p.credential, p.mobile, p.lister.Raw, inPEM(p.lister, p.between), []byte(hex.EncodeToString(p.mobile))} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := why.Ask(why.Question{File: raw, Now: emrtdtest.Now}, store)
		if err != nil && refusal.Of(err) == nil {
			t.Errorf("an error without a code: %v", err)
		}
		if err == nil && !a.Trusted() && len(a.Refusals) == 0 {
			t.Error("not trusted, and no refusal says why")
		}
	})
}
