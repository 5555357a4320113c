package trust_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
	"github.com/bonafide-id/bonafide/internal/trust"
)

func anchorOf(h *emrtdtest.Holder) trust.Anchor {
	return trust.Anchor{Certificate: h.Cert, Purpose: trust.CSCA, Scope: h.Cert.Subject.Country}
}

func TestWhatMayNotBeAnAnchor(t *testing.T) {
	key := emrtdtest.NewKey(sound, 1)
	root := func(t emrtdtest.Template) *emrtdtest.Holder {
		t.Country, t.Serial = "UT", 1
		return emrtdtest.NewRoot(t, key)
	}
	twice := emrtdtest.Extension("2.5.29.15", true, tlv.Encode(tlv.BitString, []byte{1, 6}))
	impostor := emrtdtest.NewRoot(emrtdtest.Template{Country: "UT", Serial: 1, CA: true, Info: key.Info()}, emrtdtest.NewKey(sound, 2))
	for _, c := range []struct {
		name string
		h    *emrtdtest.Holder
		want refusal.Code
	}{
		{"an authority", root(emrtdtest.Template{CA: true}), ""},
		{"what is no authority", root(emrtdtest.Template{}), trust.NotAnAuthority},
		{"an authority that may not sign certificates", root(emrtdtest.Template{CA: true, Usage: 0x80}), trust.NotAnAuthority},
		{"an authority with an unknown critical extension", root(emrtdtest.Template{CA: true, Critical: "1.2.3.4"}), trust.NotUnderstood},
		{"an authority with an extension twice", root(emrtdtest.Template{CA: true, Extra: [][]byte{twice}}), pki.RepeatedExtension},
		{"an authority that names its own key and is signed by another", impostor, trust.WrongSignature},
		{"an authority without key identifiers, signed by itself", root(emrtdtest.Template{CA: true, NoKeyIDs: true}), ""},
		{"an authority with a curve of its own", root(emrtdtest.Template{CA: true, Info: key.InfoWithGenerator()}), pki.UnknownCurve},
	} {
		if got := codeOf(t, (&trust.Store{}).Accept(anchorOf(c.h))); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	twin := emrtdtest.NewRoot(emrtdtest.Template{Country: "UT", Serial: 1, CA: true, NoKeyIDs: true, Info: key.Info()}, emrtdtest.NewKey(sound, 2))
	if got := codeOf(t, (&trust.Store{}).Accept(anchorOf(twin))); got != trust.LinkIsNoAnchor {
		t.Errorf("an authority without key identifiers, signed by another: %q", got)
	}
}

func TestAnIssuerMustHaveBeenValid(t *testing.T) {
	authority := emrtdtest.NewAuthority("UT", sound, 2)
	s := &trust.Store{}
	accept(t, s, authority)
	from, to := authority.Cert.NotBefore, authority.Cert.NotAfter
	for name, c := range map[string]struct {
		at   time.Time
		want refusal.Code
	}{
		"on its first day":    {from, ""},
		"a day before it":     {from.AddDate(0, 0, -1), trust.NotValidAtIssue},
		"on its last day":     {to, ""},
		"a day after its end": {to.AddDate(0, 0, 1), trust.NotValidAtIssue},
	} {
		signer := authority.Issue(emrtdtest.Template{From: c.at, To: to.AddDate(20, 0, 0)}, emrtdtest.NewKey(sound, 6))
		if _, err := s.Chain(signer.Cert, trust.CSCA, "UT"); codeOf(t, err) != c.want {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestAnAuthorityOfAnotherKindIssuesNothing(t *testing.T) {
	authority := emrtdtest.NewAuthority("UT", sound, 2)
	s := &trust.Store{}
	accept(t, s, authority)
	for name, c := range map[string]struct {
		link emrtdtest.Template
		want refusal.Code
	}{
		"a link":                               {emrtdtest.Template{CA: true, Usage: 0x06}, ""},
		"a document signer":                    {emrtdtest.Template{}, trust.NotAnAuthority},
		"an authority that may not sign them":  {emrtdtest.Template{CA: true, Usage: 0x80}, trust.NotAnAuthority},
		"a link with a critical extension":     {emrtdtest.Template{CA: true, Usage: 0x06, Critical: "1.2.3.4"}, trust.NotUnderstood},
		"a link of another state":              {emrtdtest.Template{CA: true, Usage: 0x06, Country: "DE"}, trust.OtherCountry},
		"a link with a curve that has no name": {emrtdtest.Template{CA: true, Usage: 0x06, Info: emrtdtest.NewKey(sound, 7).InfoWithGenerator()}, pki.UnknownCurve},
		"a link that is not valid yet":         {emrtdtest.Template{CA: true, Usage: 0x06, From: emrtdtest.Now.AddDate(1, 0, 0)}, trust.NotValidAtIssue},
		"a link that is no longer valid":       {emrtdtest.Template{CA: true, Usage: 0x06, To: emrtdtest.Now.AddDate(0, -6, 0)}, trust.NotValidAtIssue},
	} {
		c.link.Name, c.link.Serial = "CSCA UT", 300
		if c.link.Country == "DE" {
			c.link.Name = "CSCA DE"
		}
		next := authority.Issue(c.link, emrtdtest.NewKey(sound, 7))
		signer := next.Issue(emrtdtest.Template{From: emrtdtest.Now, Country: "UT"}, emrtdtest.NewKey(sound, 6))
		links := *s
		links.Link(next.Cert)
		if _, err := links.Chain(signer.Cert, trust.CSCA, "UT"); codeOf(t, err) != c.want {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

func TestLinksAreFollowedUpToALimit(t *testing.T) {
	for links, want := range map[int]refusal.Code{5: "", 6: trust.PathTooLong} {
		last := emrtdtest.NewAuthority("UT", sound, 2)
		s := &trust.Store{}
		accept(t, s, last)
		for i := range links {
			root, link := last.Renew(emrtdtest.NewKey(sound, 50+i), int64(500+i))
			s.Link(link.Cert)
			last = root
		}
		signer := last.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 6))
		chain, err := s.Chain(signer.Cert, trust.CSCA, "UT")
		if codeOf(t, err) != want {
			t.Errorf("%d links: got %v, want %q", links, err, want)
		}
		if want == "" && len(chain.Path) != links+2 {
			t.Errorf("%d links: a path of %d", links, len(chain.Path))
		}
	}
}

// TestLinksInCirclesEndTheSearch gives many links that name one another and lead nowhere, as a forged list can have them: what is tried
// grows with their number, not with the number of paths through them.
func TestLinksInCirclesEndTheSearch(t *testing.T) {
	one, two := emrtdtest.NewAuthority("UT", sound, 60), emrtdtest.NewAuthority("UT", sound, 61)
	s := &trust.Store{}
	accept(t, s, emrtdtest.NewAuthority("UT", sound, 2))
	serial := 0
	nameless := func(by, of *emrtdtest.Holder, serial int) *pki.Certificate {
		return by.Issue(emrtdtest.Template{Name: "CSCA UT", Serial: int64(serial), CA: true, Usage: 6, NoKeyIDs: true}, of.Key).Cert
	}
	leaf := one.Issue(emrtdtest.Template{NoKeyIDs: true}, emrtdtest.NewKey(sound, 6))
	for _, c := range []struct {
		more int
		want refusal.Code
	}{{10, trust.WrongSignature}, {60, trust.PathTooLong}} {
		for range c.more {
			serial++
			s.Link(nameless(one, two, 1000+serial))
			s.Link(nameless(two, one, 2000+serial))
		}
		if _, err := s.Chain(leaf.Cert, trust.CSCA, "UT"); codeOf(t, err) != c.want {
			t.Errorf("%d more links: got %v, want %q", 2*c.more, err, c.want)
		}
	}
}

// TestARootIsNoLink renews the certificate of a key after the anchor's end: what the key signs then needs the new one as an anchor.
func TestARootIsNoLink(t *testing.T) {
	key := emrtdtest.NewKey(sound, 5)
	root := func(serial int64, from, to int) *emrtdtest.Holder {
		return emrtdtest.NewRoot(emrtdtest.Template{
			Country: "UT", Serial: serial, CA: true, From: emrtdtest.Now.AddDate(from, 0, 0), To: emrtdtest.Now.AddDate(to, 0, 0)}, key)
	}
	past, present := root(1, -6, -2), root(2, -3, 5)
	s := &trust.Store{}
	accept(t, s, past)
	s.Link(present.Cert)
	signer := present.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 6))
	if _, err := s.Chain(signer.Cert, trust.CSCA, "UT"); codeOf(t, err) != trust.NotValidAtIssue {
		t.Errorf("got %v", err)
	}
}

func TestASignatureThatCannotBeJudgedIsNone(t *testing.T) {
	authority := emrtdtest.NewAuthority("UT", sound, 2)
	s := &trust.Store{}
	accept(t, s, authority)
	raw := bytes.Clone(authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 6)).Raw)
	algorithm := emrtdtest.OID("1.2.840.10045.4.3.2")
	copy(raw[bytes.LastIndex(raw, algorithm):], emrtdtest.OID("1.2.840.10045.4.3.9"))
	cert, err := pki.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Chain(cert, trust.CSCA, "UT"); codeOf(t, err) != pki.AlgorithmMismatch {
		t.Errorf("got %v", err)
	}
}

// TestN15AKeyThatWasRemovedDoesNotComeBack removes a root of which the store also has a link and a second certificate.
func TestN15AKeyThatWasRemovedDoesNotComeBack(t *testing.T) {
	old := emrtdtest.NewAuthority("UT", sound, 2)
	key := emrtdtest.NewKey(sound, 5)
	root, link := old.Renew(key, 500)
	again, _ := old.Renew(key, 501)
	signer := root.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 6))
	sooner := old.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 7))
	fill := func(t *testing.T, s *trust.Store) {
		t.Helper()
		accept(t, s, old)
		s.Link(link.Cert)
		for _, h := range []*emrtdtest.Holder{root, again} {
			if err := s.Accept(anchorOf(h)); codeOf(t, err) != "" && codeOf(t, err) != trust.Distrusted {
				t.Fatal(err)
			}
		}
	}
	for name, prepare := range map[string]func(t *testing.T, s *trust.Store){
		"after it was accepted":  func(t *testing.T, s *trust.Store) { fill(t, s); s.Distrust(root.Cert.Fingerprint()) },
		"before it was accepted": func(t *testing.T, s *trust.Store) { s.Distrust(root.Cert.Fingerprint()); fill(t, s) },
	} {
		t.Run(name, func(t *testing.T) {
			s := &trust.Store{}
			prepare(t, s)
			if _, err := s.Chain(signer.Cert, trust.CSCA, "UT"); err == nil {
				t.Error("its key is still followed")
			}
			if _, err := s.Chain(sooner.Cert, trust.CSCA, "UT"); err != nil {
				t.Errorf("the generation before is no longer trusted: %v", err)
			}
			if got := codeOf(t, s.Accept(anchorOf(again))); got != trust.Distrusted {
				t.Errorf("another certificate for the key: %q", got)
			}
		})
	}
}

func TestALinkIsRemovedWithoutTheKeyThatItNames(t *testing.T) {
	old := emrtdtest.NewAuthority("UT", sound, 2)
	root, link := old.Renew(emrtdtest.NewKey(sound, 5), 500)
	s := &trust.Store{}
	s.Link(link.Cert)
	s.Distrust(link.Cert.Fingerprint())
	s.Link(link.Cert)
	accept(t, s, old)
	signer := root.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 6))
	if _, err := s.Chain(signer.Cert, trust.CSCA, "UT"); codeOf(t, err) != trust.AnchorMissing {
		t.Errorf("the link is followed: %v", err)
	}
	accept(t, s, root)
	if _, err := s.Chain(signer.Cert, trust.CSCA, "UT"); err != nil {
		t.Errorf("the root itself: %v", err)
	}
}

func TestASignerThatWasRemovedIsNotTrusted(t *testing.T) {
	authority := emrtdtest.NewAuthority("UT", sound, 2)
	signer := authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 6))
	s := &trust.Store{}
	accept(t, s, authority)
	s.Distrust(signer.Cert.Fingerprint())
	if _, err := s.Chain(signer.Cert, trust.CSCA, "UT"); codeOf(t, err) != trust.Distrusted {
		t.Errorf("got %v", err)
	}
}

func TestAnAnchorForAnotherScopeIsNamedWithItsReason(t *testing.T) {
	authority := emrtdtest.NewAuthority("UT", sound, 2)
	signer := authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 6))
	s := &trust.Store{}
	if err := s.Accept(trust.Anchor{Certificate: authority.Cert, Purpose: trust.IACA, Scope: "one"}); err != nil {
		t.Fatal(err)
	}
	x := s.Explain(signer.Cert, trust.IACA, "another")
	if x.Chain != nil || len(x.Tried) != 1 || x.Tried[0].Refusal.Code != trust.OtherPurpose {
		t.Errorf("chain %v, tried %+v", x.Chain, x.Tried)
	}
}
