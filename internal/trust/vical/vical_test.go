package vical_test

import (
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/vical"
	"github.com/bonafide-id/bonafide/internal/trust/vical/vicaltest"
)

const sound emrtdtest.Kind = "ECDSA P-256 SHA-256"

const licence = "org.iso.18013.5.1.mDL"

var at = emrtdtest.Now.AddDate(0, 0, -3)

// publisher is who signs lists, and two authorities of documents.
type publisher struct{ root, signer, one, other *emrtdtest.Holder }

func newPublisher() publisher {
	root := emrtdtest.NewAuthority("UT", sound, 1)
	return publisher{
		root: root, signer: root.Issue(emrtdtest.Template{Name: "List Signer"}, emrtdtest.NewKey(sound, 2)),
		one: emrtdtest.NewAuthority("UT", sound, 3), other: emrtdtest.NewAuthority("FR", sound, 4),
	}
}

func (p publisher) list() vicaltest.List {
	return vicaltest.New(at, vicaltest.Entry{Of: p.one, DocTypes: []string{licence, "org.example.permit"}},
		vicaltest.Entry{Of: p.other, DocTypes: []string{licence}})
}

func verify(raw []byte, anchors ...*pki.Certificate) (*vical.Verified, error) {
	l, err := vical.Parse(raw)
	if err != nil {
		return nil, err
	}
	return l.Verify(anchors)
}

func TestAListBringsAuthoritiesForTheDocumentsThatItNames(t *testing.T) {
	p := newPublisher()
	v, err := verify(p.list().Sign(p.signer), p.root.Cert)
	if err != nil {
		t.Fatal(err)
	}
	if v.Provider != "Utopian Union of Motoring" || !v.Date.Equal(at) || len(v.Authorities) != 2 || len(v.Path) != 2 {
		t.Errorf("read as %+v", v.List)
	}
	s := &trust.Store{}
	if left := v.Accept(s, "list", "somebody", emrtdtest.Now); len(left) != 0 {
		t.Errorf("left out: %v", left)
	}
	for _, c := range []struct {
		name    string
		of      *emrtdtest.Holder
		purpose trust.Purpose
		scope   string
		trusted bool
	}{
		{"its document", p.one, trust.IACA, licence, true},
		{"its other document", p.one, trust.IACA, "org.example.permit", true},
		{"N26 a document that the list does not name for it", p.other, trust.IACA, "org.example.permit", false},
		{"N26 a chip", p.one, trust.CSCA, "UT", false},
		{"N26 a credential", p.one, trust.Issuer, licence, false},
		{"N26 somebody under the signer of lists", p.root, trust.IACA, licence, false},
	} {
		leaf := c.of.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 9)).Cert
		if _, err := s.Chain(leaf, c.purpose, c.scope); (err == nil) != c.trusted {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestListsThatAreRefused(t *testing.T) {
	p := newPublisher()
	stranger := emrtdtest.NewAuthority("UT", sound, 8)
	tampered := p.list().Sign(p.signer)
	tampered[len(tampered)-70] ^= 1
	entry := func(e vicaltest.Entry) []byte { return vicaltest.New(at, e).Sign(p.signer) }
	old, young := p.list(), p.list()
	old.Date, young.Version = at.AddDate(-20, 0, 0), "2.0"
	late := p.root.Issue(emrtdtest.Template{Name: "Late", From: at.AddDate(0, 0, 1), To: at.AddDate(1, 0, 0)}, emrtdtest.NewKey(sound, 2))
	nobody := p.list()
	nobody.Provider = ""
	for name, c := range map[string]struct {
		raw  []byte
		want refusal.Code
	}{
		"N14 changed":                      {tampered, cose.Signature},
		"N14 signed by a stranger":         {p.list().Sign(stranger.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 2))), trust.AnchorMissing},
		"N14 signed by the authority":      {p.list().Sign(p.root), vical.Signer},
		"signed before its signer's time":  {p.list().Sign(late), vical.Signer},
		"of a time before its signer":      {old.Sign(p.signer), vical.Signer},
		"of another version":               {young.Sign(p.signer), vical.NotAVICAL},
		"of nobody":                        {nobody.Sign(p.signer), vical.NotAVICAL},
		"an entry with another key":        {entry(vicaltest.Entry{Of: p.one, DocTypes: []string{licence}, SKI: []byte{1, 2}}), vical.Entry},
		"an entry with another serial":     {entry(vicaltest.Entry{Of: p.one, DocTypes: []string{licence}, Serial: []byte{9, 9}}), vical.Entry},
		"an entry for no type of document": {entry(vicaltest.Entry{Of: p.one}), vical.Entry},
		"an entry for an empty type":       {entry(vicaltest.Entry{Of: p.one, DocTypes: []string{""}}), vical.Entry},
		"something else":                   {[]byte("a letter"), cose.Malformed},
	} {
		_, err := verify(c.raw, p.root.Cert)
		if r := refusal.Of(err); r == nil || r.Code != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if _, err := verify(p.list().Sign(p.signer)); refusal.Of(err) == nil || refusal.Of(err).Code != trust.AnchorMissing {
		t.Errorf("without an anchor: %v", err)
	}
	l, err := vical.Parse(entry(vicaltest.Entry{Of: p.one, DocTypes: []string{licence}, Raw: []byte{0x30, 0}}))
	if err != nil || len(l.Authorities) != 0 || len(l.Unreadable) != 1 {
		t.Errorf("a certificate that cannot be read: %+v, %v", l, err)
	}
}

func FuzzParse(f *testing.F) {
	p := newPublisher()
	f.Add(p.list().Sign(p.signer))
	f.Add(vicaltest.New(time.Unix(0, 0)).Sign(p.signer, p.root))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		l, err := vical.Parse(raw)
		if err != nil {
			return
		}
		if v, err := l.Verify([]*pki.Certificate{p.root.Cert}); err == nil {
			v.Accept(&trust.Store{}, "", "", time.Time{})
		}
	})
}
