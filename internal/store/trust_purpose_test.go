package store

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mdoc"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/sdjwt"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
)

// trustPurposes: N26. What is stored for one purpose and scope proves no credential of another; the same certificate has to be accepted
// for each.
func trustPurposes(t *testing.T, d *deployment) {
	ctx, r := as(t, senta), d.trusting(false)
	person, licence, holder := wallettest.NewIssuer(1), wallettest.NewDocumentIssuer(1), wallettest.NewHolder()
	presented := wallettest.Present(person.Person(holder).Issue(), holder, nil, nil)
	transcript := cose.Encode([]any{nil, nil, []any{"OpenID4VPHandover", []byte("of the tests")}})
	document := licence.Licence(holder).Respond(wallettest.Device{Key: holder, Transcript: transcript}, nil)
	personWith := func(s *trust.Store) []*refusal.Refusal {
		return sdjwt.Verify(presented, s, sdjwt.Options{
			Now: wallettest.Now, Types: []string{wallettest.VCT}, Binding: &sdjwt.Binding{Nonce: wallettest.Nonce, Audience: wallettest.Audience},
		}).Refusals
	}
	licenceWith := func(s *trust.Store) []*refusal.Refusal {
		return mdoc.Verify(document, s, mdoc.Options{
			Now: wallettest.Now, Types: []string{wallettest.DocType}, Session: &mdoc.Session{Transcript: transcript},
		}).Refusals
	}
	for _, c := range []struct {
		name    string
		file    []byte
		purpose trust.Purpose
		scope   string
		verify  func(*trust.Store) []*refusal.Refusal
		trusted bool
	}{
		{"a credential by the issuer of its vct", person.Root.Raw, trust.Issuer, wallettest.VCT, personWith, true},
		{"a credential by the issuer of another vct", person.Root.Raw, trust.Issuer, wallettest.VCT + "/other", personWith, false},
		{"a credential by an authority of mobile documents", person.Root.Raw, trust.IACA, wallettest.VCT, personWith, false},
		{"a credential by a state's authority", person.Root.Raw, trust.CSCA, "", personWith, false},
		{"a licence by the authority of its docType", licence.Root.Raw, trust.IACA, wallettest.DocType, licenceWith, true},
		{"a licence by the authority of another docType", licence.Root.Raw, trust.IACA, "org.iso.23220.photoid.1", licenceWith, false},
		{"a licence by an issuer of credentials", licence.Root.Raw, trust.Issuer, wallettest.DocType, licenceWith, false},
		{"a licence by a state's authority", licence.Root.Raw, trust.CSCA, "", licenceWith, false},
	} {
		u := inForce(t, ctx, r, register.Proposal{Mode: idv.Live, File: c.file, Purpose: c.purpose, Scope: c.scope})
		store, err := r.Load(ctx, idv.Live)
		must(t, err)
		got := c.verify(store)
		if c.trusted && len(got) > 0 {
			t.Errorf("%s: refused: %v", c.name, got)
		}
		if !c.trusted && (len(got) != 1 || got[0].Code != trust.AnchorMissing) {
			t.Errorf("%s: %v, want %s", c.name, got, trust.AnchorMissing)
		}
		if covered, err := r.Coverage(ctx, idv.Live); err != nil || (c.purpose == trust.CSCA) != (len(covered.Countries) == 1) {
			t.Errorf("%s: countries are %+v, %v", c.name, covered.Countries, err)
		}
		_, err = r.Undo(ctx, u.ID)
		must(t, err)
	}
	day := wallettest.Now
	inForce(t, ctx, r, register.Proposal{Mode: idv.Live, File: licence.Root.Raw, Purpose: trust.IACA, Scope: wallettest.DocType})
	revoked := licence.Root.CRL(day.AddDate(0, 0, -1), day.AddDate(0, 1, 0), licence.Signer.Cert.Serial.Int64())
	list := inForce(t, ctx, r, register.Proposal{Mode: idv.Live, File: revoked})
	if list.Purpose != trust.IACA || list.Scope != wallettest.DocType {
		t.Errorf("the revocation list is of %s %s", list.Purpose, list.Scope)
	}
	store, err := r.Load(ctx, idv.Live)
	must(t, err)
	if got := licenceWith(store); len(got) != 1 || got[0].Code != trust.Revoked {
		t.Errorf("a licence whose signer was revoked: %v", got)
	}
}
