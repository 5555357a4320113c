package trust_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/cms"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

const sound emrtdtest.Kind = "ECDSA P-256 SHA-256"

// codeOf returns the code of a refusal, and fails the test where the error is another one.
func codeOf(t *testing.T, err error) refusal.Code {
	t.Helper()
	if err == nil {
		return ""
	}
	r := refusal.Of(err)
	if r == nil {
		t.Fatalf("no refusal: %v", err)
	}
	return r.Code
}

func accept(t *testing.T, s *trust.Store, h *emrtdtest.Holder) {
	t.Helper()
	if err := s.Accept(trust.Anchor{Certificate: h.Cert, Purpose: trust.CSCA, Scope: h.Cert.Subject.Country}); err != nil {
		t.Fatal(err)
	}
}

func listSigner(by *emrtdtest.Holder, t emrtdtest.Template) *emrtdtest.Holder {
	t.Name, t.Extended = "Master List Signer", append(t.Extended, pki.MasterListSigning)
	return by.Issue(t, emrtdtest.NewKey(sound, 40))
}

func verifyList(t *testing.T, raw []byte, anchors ...*emrtdtest.Holder) (*trust.VerifiedList, error) {
	t.Helper()
	list, err := trust.ParseMasterList(raw)
	if err != nil {
		return nil, err
	}
	var certs []*pki.Certificate
	for _, a := range anchors {
		certs = append(certs, a.Cert)
	}
	return list.Verify(certs)
}

func TestAMasterListIsTrustedOnlyFromItsSigner(t *testing.T) {
	state, other := emrtdtest.NewAuthority("DE", sound, 1), emrtdtest.NewAuthority("UT", sound, 2)
	signer := listSigner(state, emrtdtest.Template{})
	at := emrtdtest.Now.AddDate(0, 0, -1)
	for _, c := range []struct {
		name   string
		raw    func() []byte
		anchor *emrtdtest.Holder
		want   refusal.Code
	}{
		{"signed as it must be", func() []byte { return signer.MasterList(at, state, other) }, state, ""},
		{"N14 tampered with", func() []byte {
			raw := signer.MasterList(at, state, other)
			raw[len(raw)/3] ^= 1
			return raw
		}, state, cms.DigestMismatch},
		{"N14 the anchor is another one", func() []byte { return signer.MasterList(at, state, other) }, other, trust.AnchorMissing},
		{"N14 the signer may not sign lists", func() []byte {
			return state.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 41)).MasterList(at, state, other)
		}, state, trust.ListSignerUsage},
		{"N14 an authority signed the list itself", func() []byte { return state.MasterList(at, state, other) }, state, trust.ListSignerUsage},
		{"N14 an authority that also may sign lists", func() []byte {
			return listSigner(state, emrtdtest.Template{CA: true, Usage: 0x86}).MasterList(at, state)
		}, state, trust.ListSignerUsage},
		{"the signer was out of date", func() []byte {
			return listSigner(state, emrtdtest.Template{To: at.AddDate(0, 0, -1)}).MasterList(at, state)
		}, state, trust.ListSignerExpired},
		{"nothing says when it was signed", func() []byte { return signer.MasterList(time.Time{}, state) }, state, trust.ListSigner},
		{"signed content of another kind", func() []byte {
			return signer.CMS("2.23.136.1.1.1", []byte{0x30, 0}, emrtdtest.Signing{Time: at})
		}, state, trust.NotAMasterList},
		{"two signers", func() []byte {
			return signer.CMS("2.23.136.1.1.2", []byte{0x30, 5, 2, 1, 0, 0x31, 0}, emrtdtest.Signing{Time: at, Twice: true})
		}, state, trust.ListSigner},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Attr("code", string(c.want))
			_, err := verifyList(t, c.raw(), c.anchor)
			if got := codeOf(t, err); got != c.want {
				t.Errorf("got %q (%v), want %q", got, err, c.want)
			}
		})
	}
}

func TestAnOlderListIsRefusedAndTheDifferenceIsShown(t *testing.T) {
	t.Attr("case", "N14 trust.rollback")
	state := emrtdtest.NewAuthority("DE", sound, 1)
	stays, goes, comes := emrtdtest.NewAuthority("UT", sound, 2), emrtdtest.NewAuthority("FR", sound, 3), emrtdtest.NewAuthority("AT", sound, 4)
	renewed, _ := stays.Renew(emrtdtest.NewKey(sound, 2), 900) // the same key in another certificate
	signer := listSigner(state, emrtdtest.Template{})
	before, err := verifyList(t, signer.MasterList(emrtdtest.Now.AddDate(0, -1, 0), state, stays, goes), state)
	if err != nil {
		t.Fatal(err)
	}
	after, err := verifyList(t, signer.MasterList(emrtdtest.Now, state, renewed, comes), state)
	if err != nil {
		t.Fatal(err)
	}
	if err := after.Follows(before); err != nil {
		t.Errorf("a newer list: %v", err)
	}
	if err := before.Follows(before); err != nil {
		t.Errorf("the same list again: %v", err)
	}
	if got := codeOf(t, before.Follows(after)); got != trust.Rollback {
		t.Errorf("N14 an older list: %q", got)
	}
	var got []string
	for _, c := range trust.Difference(before.Certificates, after.Certificates) {
		got = append(got, c.Country+" "+string(c.Kind))
	}
	if diff := cmp.Diff([]string{"AT added", "FR removed", "UT changed"}, got); diff != "" {
		t.Errorf("difference (-want +got):\n%s", diff)
	}
}

func TestALinkConnectsGenerationsAndBeginsNoTrust(t *testing.T) {
	t.Attr("case", "V27")
	old := emrtdtest.NewAuthority("UT", sound, 2)
	root, link := old.Renew(emrtdtest.NewKey(sound, 5), 500)
	signer := root.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 6))
	s := &trust.Store{}
	if got := codeOf(t, s.Accept(trust.Anchor{Certificate: link.Cert, Purpose: trust.CSCA, Scope: "UT"})); got != trust.LinkIsNoAnchor {
		t.Errorf("a link as an anchor: %q", got)
	}
	s.Link(link.Cert)
	if _, err := s.Chain(signer.Cert, trust.CSCA, "UT"); codeOf(t, err) != trust.AnchorMissing {
		t.Errorf("a link without an anchor: %v", err)
	}
	accept(t, s, old)
	chain, err := s.Chain(signer.Cert, trust.CSCA, "UT")
	if err != nil {
		t.Fatal(err)
	}
	if len(chain.Path) != 3 || chain.Anchor.Certificate != old.Cert {
		t.Errorf("path of %d, anchor %v", len(chain.Path), chain.Anchor.Certificate.Subject)
	}
	s.Distrust(link.Cert.Fingerprint())
	if _, err := s.Chain(signer.Cert, trust.CSCA, "UT"); codeOf(t, err) != trust.AnchorMissing {
		t.Errorf("a link that was removed: %v", err)
	}
}

func TestAnAnchorIsGoodForItsPurposeAndScopeOnly(t *testing.T) {
	authority := emrtdtest.NewAuthority("UT", sound, 2)
	signer := authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 6))
	s := &trust.Store{}
	accept(t, s, authority)
	for name, c := range map[string]struct {
		purpose trust.Purpose
		scope   string
		want    refusal.Code
	}{
		"its own":              {trust.CSCA, "UT", ""},
		"another state":        {trust.CSCA, "DE", trust.AnchorMissing},
		"no state":             {trust.CSCA, "", trust.AnchorMissing},
		"N26 a mobile licence": {trust.IACA, "UT", trust.AnchorMissing},
		"N26 a credential":     {trust.Issuer, "UT", trust.AnchorMissing},
	} {
		if _, err := s.Chain(signer.Cert, c.purpose, c.scope); codeOf(t, err) != c.want {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	foreign := authority.Issue(emrtdtest.Template{Country: "DE"}, emrtdtest.NewKey(sound, 6))
	if _, err := s.Chain(foreign.Cert, trust.CSCA, "UT"); codeOf(t, err) != trust.OtherCountry {
		t.Errorf("a signer of another state under this one's authority: %v", err)
	}
	if got := codeOf(t, s.Accept(trust.Anchor{Certificate: authority.Cert, Purpose: trust.CSCA, Scope: "DE"})); got != trust.OtherCountry {
		t.Errorf("an anchor for another state: %q", got)
	}
	leaf := trust.Anchor{Certificate: signer.Cert, Purpose: trust.CSCA, Scope: "UT"}
	if got := codeOf(t, s.Accept(leaf)); got != trust.LinkIsNoAnchor {
		t.Errorf("a document signer as an anchor: %q", got)
	}
	s.Distrust(strings.ToUpper(authority.Cert.Fingerprint()))
	if got := codeOf(t, s.Accept(trust.Anchor{Certificate: authority.Cert, Purpose: trust.CSCA, Scope: "UT"})); got != trust.Distrusted {
		t.Errorf("N15 an anchor that was removed comes back: %q", got)
	}
}

func TestWhyACertificateIsNotTrusted(t *testing.T) {
	known, unknown := emrtdtest.NewAuthority("UT", sound, 2), emrtdtest.NewAuthority("UT", sound, 7)
	signer := unknown.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 6))
	s := &trust.Store{}
	renamed := emrtdtest.NewRoot(emrtdtest.Template{Country: "UT", Name: "Another", Serial: 10, CA: true}, emrtdtest.NewKey(sound, 4))
	accept(t, s, known)
	accept(t, s, renamed)
	accept(t, s, emrtdtest.NewAuthority("DE", sound, 1))
	x := s.Explain(signer.Cert, trust.CSCA, "UT")
	if x.Refusal == nil || x.Refusal.Code != trust.AnchorMissing || !strings.Contains(x.Missing, "CSCA UT") {
		t.Errorf("refusal %v, missing %q", x.Refusal, x.Missing)
	}
	if len(x.Tried) != 2 || x.Tried[0].Anchor.Certificate != known.Cert || x.Tried[0].Refusal.Code != trust.OtherKey ||
		x.Tried[1].Refusal.Code != trust.OtherName {
		t.Errorf("tried %+v", x.Tried)
	}
	accept(t, s, unknown)
	if x := s.Explain(signer.Cert, trust.CSCA, "UT"); x.Chain == nil || x.Refusal != nil {
		t.Errorf("after its authority was accepted: %v", x.Refusal)
	}
}

func TestRevocationListsAreTheIssuersAndInDate(t *testing.T) {
	authority, forger := emrtdtest.NewAuthority("UT", sound, 2), emrtdtest.NewAuthority("UT", sound, 8)
	from, to := emrtdtest.Now.AddDate(0, 0, -1), emrtdtest.Now.AddDate(0, 1, 0)
	for _, c := range []struct {
		name string
		raw  []byte
		want refusal.Code
	}{
		{"in date", authority.CRL(from, to, 7), ""},
		{"N11 out of date", authority.CRL(from.AddDate(0, -2, 0), from, 7), trust.CRLExpired},
		{"N11 forged", forger.CRL(from, to), trust.CRLSignature},
		{"of nobody that is known", emrtdtest.NewAuthority("FR", sound, 3).CRL(from, to), trust.CRLIssuer},
		{"of the future", authority.CRL(to, to.AddDate(0, 1, 0)), trust.CRLNotYet},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Attr("code", string(c.want))
			s := &trust.Store{}
			accept(t, s, authority)
			list, err := pki.ParseRevocationList(c.raw)
			if err != nil {
				t.Fatal(err)
			}
			if got := codeOf(t, s.AcceptCRL(list, emrtdtest.Now)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			signer := authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 6)).Cert
			chain, err := s.Chain(signer, trust.CSCA, "UT")
			if err != nil {
				t.Fatal(err)
			}
			state, err := s.Revocation(chain, emrtdtest.Now)
			if c.want != "" && (state != trust.NotChecked || err != nil) {
				t.Errorf("a list that was refused says %s, %v", state, err)
			}
			if c.want == "" && codeOf(t, err) != trust.Revoked {
				t.Errorf("a revoked signer: %s, %v", state, err)
			}
		})
	}
}

// TestN26ARevocationListOfOnePurposeSaysNothingOfAnother has two authorities with one name, and one key that serves two credentials.
func TestN26ARevocationListOfOnePurposeSaysNothingOfAnother(t *testing.T) {
	state, other := emrtdtest.NewAuthority("UT", sound, 2), emrtdtest.NewAuthority("UT", sound, 3)
	from, to := emrtdtest.Now.AddDate(0, 0, -1), emrtdtest.Now.AddDate(0, 1, 0)
	leaf := other.Issue(emrtdtest.Template{Serial: 7}, emrtdtest.NewKey(sound, 6)).Cert
	for _, c := range []struct {
		name  string
		list  *emrtdtest.Holder
		scope string
		want  refusal.Code
	}{
		{"the state's list, which has the number of its own signer", state, "licence", ""},
		{"the list of the licences' authority", other, "licence", trust.Revoked},
		{"the same list, where the certificate is also trusted for other documents", other, "permit", trust.Revoked},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &trust.Store{}
			accept(t, s, state)
			for _, scope := range []string{"licence", "permit"} {
				if err := s.Accept(trust.Anchor{Certificate: other.Cert, Purpose: trust.IACA, Scope: scope}); err != nil {
					t.Fatal(err)
				}
			}
			list, err := pki.ParseRevocationList(c.list.CRL(from, to, 7))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.AcceptCRL(list, emrtdtest.Now); err != nil {
				t.Fatal(err)
			}
			chain, err := s.Chain(leaf, trust.IACA, c.scope)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Revocation(chain, emrtdtest.Now)
			if codeOf(t, err) != c.want || (c.want == "" && got != trust.NotChecked) {
				t.Errorf("got %s, %v, want %q", got, err, c.want)
			}
		})
	}
}
