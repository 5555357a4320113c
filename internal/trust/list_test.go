package trust_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
	"github.com/bonafide-id/bonafide/internal/trust"
)

func TestN14AListIsForgedByThoseWhoAlmostMay(t *testing.T) {
	state := emrtdtest.NewAuthority("DE", sound, 1)
	signer := listSigner(state, emrtdtest.Template{})
	at := emrtdtest.Now.AddDate(0, 0, -1)
	signing := emrtdtest.Signing{Time: at}
	for name, c := range map[string]struct {
		raw  []byte
		want refusal.Code
	}{
		"somebody with another key": {(&emrtdtest.Holder{Key: emrtdtest.NewKey(sound, 41), Cert: signer.Cert, Raw: signer.Raw}).MasterList(at, state),
			pki.InvalidSignature},
		"a signer that was not valid yet": {listSigner(state, emrtdtest.Template{From: emrtdtest.Now}).MasterList(at, state), trust.ListSignerExpired},
		"a signer whose key was out of use": {listSigner(state, emrtdtest.Template{
			KeyFrom: at.AddDate(0, -2, 0), KeyTo: at.AddDate(0, -1, 0)}).MasterList(at, state), trust.ListSignerExpired},
		"a signer whose key is not for signatures": {listSigner(state, emrtdtest.Template{Usage: 0x40}).MasterList(at, state), trust.ListSignerUsage},
		"a list of another version": {signer.CMS("2.23.136.1.1.2",
			tlv.Encode(tlv.Sequence, []byte{2, 1, 1}, tlv.Encode(tlv.Set, state.Raw)), signing), trust.NotAMasterList},
		"a list with something behind it": {signer.CMS("2.23.136.1.1.2",
			append(tlv.Encode(tlv.Sequence, []byte{2, 1, 0}, tlv.Encode(tlv.Set, state.Raw)), 0), signing), tlv.Trailing},
	} {
		_, err := verifyList(t, c.raw, state)
		if got := codeOf(t, err); got != c.want {
			t.Errorf("%s: got %q (%v), want %q", name, got, err, c.want)
		}
	}
}

func TestWhatAListBringsIsSortedIntoRootsAndLinks(t *testing.T) {
	state, other := emrtdtest.NewAuthority("DE", sound, 1), emrtdtest.NewAuthority("UT", sound, 2)
	root, link := other.Renew(emrtdtest.NewKey(sound, 5), 500)
	unfit := emrtdtest.NewRoot(emrtdtest.Template{Country: "FR", Serial: 9}, emrtdtest.NewKey(sound, 8))
	broken := &emrtdtest.Holder{Raw: tlv.Encode(tlv.Sequence)}
	list, err := verifyList(t, listSigner(state, emrtdtest.Template{}).MasterList(emrtdtest.Now, state, other, root, link, unfit, broken), state)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Certificates) != 5 || len(list.Unreadable) != 1 {
		t.Errorf("%d certificates, %d unreadable", len(list.Certificates), len(list.Unreadable))
	}
	if roots := list.Roots(); len(roots) != 1 || roots[0].Fingerprint() != state.Cert.Fingerprint() {
		t.Errorf("roots of the state that signed: %v", roots)
	}
	s := &trust.Store{}
	left := s.AcceptList(list, "DE", "somebody", emrtdtest.Now)
	if len(left) != 1 || codeOf(t, left[0]) != trust.NotAnAuthority {
		t.Errorf("left out: %v", left)
	}
	s.AcceptList(list, "DE", "somebody", emrtdtest.Now)
	var got []string
	for _, a := range s.Anchors(trust.CSCA, "") {
		if a.Source != "DE" || a.AcceptedBy != "somebody" || !a.Date.Equal(list.Time) {
			t.Errorf("anchor %+v", a)
		}
		got = append(got, a.Scope+" "+a.Certificate.Serial.String())
	}
	if diff := cmp.Diff([]string{"DE 101", "UT 102", "UT 500"}, got); diff != "" {
		t.Errorf("anchors (-want +got):\n%s", diff)
	}
}

func TestAListThatRestsOnARemovedAuthorityBringsNothing(t *testing.T) {
	state, other := emrtdtest.NewAuthority("DE", sound, 1), emrtdtest.NewAuthority("UT", sound, 2)
	signer := listSigner(state, emrtdtest.Template{})
	list, err := verifyList(t, signer.MasterList(emrtdtest.Now, state, other), state)
	if err != nil {
		t.Fatal(err)
	}
	for name, h := range map[string]*emrtdtest.Holder{"the authority": state, "the signer": signer} {
		s := &trust.Store{}
		s.Distrust(h.Cert.Fingerprint())
		if left := s.AcceptList(list, "DE", "somebody", emrtdtest.Now); len(left) != 1 || codeOf(t, left[0]) != trust.Distrusted {
			t.Errorf("%s was removed: left out %v", name, left)
		}
		if anchors := s.Anchors(trust.CSCA, ""); len(anchors) > 0 {
			t.Errorf("%s was removed: %d anchors", name, len(anchors))
		}
	}
}

func TestListsOfOneStateFollowOneAnother(t *testing.T) {
	german, dutch := emrtdtest.NewAuthority("DE", sound, 1), emrtdtest.NewAuthority("NL", sound, 2)
	list := func(state *emrtdtest.Holder, at time.Time, all ...*emrtdtest.Holder) *trust.VerifiedList {
		t.Helper()
		l, err := verifyList(t, listSigner(state, emrtdtest.Template{}).MasterList(at, all...), state)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	today, before := emrtdtest.Now, emrtdtest.Now.AddDate(0, 0, -1)
	for _, c := range []struct {
		name          string
		after, before *trust.VerifiedList
		want          refusal.Code
	}{
		{"a day later", list(german, today, german), list(german, before, german), ""},
		{"a day earlier", list(german, before, german), list(german, today, german), trust.Rollback},
		{"the same", list(german, today, german), list(german, today, german), ""},
		{"another one of the same moment", list(german, today, german, dutch), list(german, today, german), trust.Rollback},
		{"an older one of another state", list(dutch, before, dutch), list(german, today, german), ""},
	} {
		if got := codeOf(t, c.after.Follows(c.before)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAnotherKeyUnderTheSameNameIsAnotherCertificate(t *testing.T) {
	one, two := emrtdtest.NewAuthority("UT", sound, 2), emrtdtest.NewAuthority("UT", sound, 3)
	root, link := one.Renew(emrtdtest.NewKey(sound, 5), 500)
	nameless := func(number int) *emrtdtest.Holder {
		return emrtdtest.NewRoot(emrtdtest.Template{Country: "UT", Serial: 9, CA: true, NoKeyIDs: true}, emrtdtest.NewKey(sound, number))
	}
	for name, c := range map[string]struct{ before, after *emrtdtest.Holder }{
		"another key": {one, two}, "another key without an identifier": {nameless(2), nameless(3)}, "a link in the root's place": {root, link},
	} {
		var got []trust.Kind
		for _, change := range trust.Difference([]*pki.Certificate{c.before.Cert}, []*pki.Certificate{c.after.Cert}) {
			got = append(got, change.Kind)
		}
		if diff := cmp.Diff([]trust.Kind{trust.Added, trust.Removed}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestRevocationListsThatVouchForNobody(t *testing.T) {
	authority := emrtdtest.NewAuthority("UT", sound, 2)
	silent := emrtdtest.NewRoot(emrtdtest.Template{Country: "UT", Serial: 9, CA: true, Usage: 0x04}, emrtdtest.NewKey(sound, 3))
	renamed := emrtdtest.NewRoot(emrtdtest.Template{Country: "UT", Name: "Another", Serial: 10, CA: true}, emrtdtest.NewKey(sound, 4))
	from, to := emrtdtest.Now.AddDate(0, 0, -1), emrtdtest.Now.AddDate(0, 1, 0)
	keyID := emrtdtest.Extension("2.5.29.35", false, tlv.Encode(tlv.Sequence))
	for _, c := range []struct {
		name string
		raw  []byte
		want refusal.Code
	}{
		{"with the extensions of every list", authority.CRLWith([][]byte{keyID, emrtdtest.Extension("2.5.29.20", false, []byte{2, 1, 1})}, from, to), ""},
		{"a part of a list", authority.CRLWith([][]byte{emrtdtest.Extension("2.5.29.27", true, []byte{2, 1, 1})}, from, to), trust.NotUnderstood},
		{"an extension twice", authority.CRLWith([][]byte{keyID, keyID}, from, to), pki.RepeatedExtension},
		{"signed by an authority that may sign certificates only", silent.CRL(from, to), trust.CRLSignature},
		{"signed by an authority of another name", renamed.CRL(from, to), trust.CRLSignature},
		{"without an end, of yesterday", authority.CRL(from, time.Time{}), ""},
		{"without an end, of half a year ago", authority.CRL(emrtdtest.Now.AddDate(0, -6, 0), time.Time{}), trust.CRLExpired},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &trust.Store{}
			accept(t, s, authority)
			accept(t, s, silent)
			accept(t, s, renamed)
			list, err := pki.ParseRevocationList(c.raw)
			if err != nil {
				t.Fatal(err)
			}
			if got := codeOf(t, s.AcceptCRL(list, emrtdtest.Now)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestN11AListThatGoesOutOfDateVouchesNoLonger keeps a store for longer than a list is good for.
func TestN11AListThatGoesOutOfDateVouchesNoLonger(t *testing.T) {
	authority, later := emrtdtest.NewAuthority("UT", sound, 2), emrtdtest.NewAuthority("UT", sound, 3)
	from, to := emrtdtest.Now.AddDate(0, 0, -1), emrtdtest.Now.AddDate(0, 1, 0)
	path := func(serial int64) *trust.Chain {
		return &trust.Chain{
			Path:   []*pki.Certificate{authority.Issue(emrtdtest.Template{Serial: serial}, emrtdtest.NewKey(sound, 6)).Cert, authority.Cert},
			Anchor: trust.Anchor{Certificate: authority.Cert, Purpose: trust.CSCA, Scope: "UT"},
		}
	}
	s := &trust.Store{}
	accept(t, s, authority)
	accept(t, s, later)
	list, err := pki.ParseRevocationList(later.CRL(from, to, 7, 8))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AcceptCRL(list, emrtdtest.Now); err != nil {
		t.Fatal(err)
	}
	check := func(name string, serial int64, at time.Time, want trust.Revocation, code refusal.Code) {
		t.Helper()
		got, err := s.Revocation(path(serial), at)
		if codeOf(t, err) != code || (err == nil && got != want) {
			t.Errorf("%s: got %s, %v, want %s %s", name, got, err, want, code)
		}
	}
	check("in date", 1, emrtdtest.Now, trust.Good, "")
	check("revoked", 7, emrtdtest.Now, "", trust.Revoked)
	check("revoked, as the second one", 8, emrtdtest.Now, "", trust.Revoked)
	check("on the last day", 1, to, trust.Good, "")
	check("out of date", 1, to.AddDate(0, 0, 1), trust.NotChecked, "")
	check("out of date and revoked", 7, to.AddDate(0, 0, 1), "", trust.Revoked)
	s.Distrust(later.Cert.Fingerprint())
	check("after its signer was removed", 1, emrtdtest.Now, trust.NotChecked, "")
	foreign := emrtdtest.NewAuthority("FR", sound, 4)
	got, err := s.Revocation(&trust.Chain{
		Path:   []*pki.Certificate{foreign.Issue(emrtdtest.Template{Serial: 7}, emrtdtest.NewKey(sound, 6)).Cert, foreign.Cert},
		Anchor: trust.Anchor{Certificate: foreign.Cert, Purpose: trust.CSCA, Scope: "FR"},
	}, emrtdtest.Now)
	if got != trust.NotChecked || err != nil {
		t.Errorf("the serial number under another authority: %s, %v", got, err)
	}
}

func TestARevocationListFollowsOnlyAnOlderOne(t *testing.T) {
	authority := emrtdtest.NewAuthority("UT", sound, 1)
	of := func(days int, key string, number int64) *pki.RevocationList {
		extensions := [][]byte{emrtdtest.Extension("2.5.29.35", false, tlv.Encode(tlv.Sequence, tlv.Encode(0x80, []byte(key))))}
		if number > 0 {
			extensions = append(extensions, emrtdtest.Extension("2.5.29.20", false, emrtdtest.Int(big.NewInt(number))))
		}
		l, err := pki.ParseRevocationList(authority.CRLWith(extensions, emrtdtest.Now.AddDate(0, 0, -days), emrtdtest.Now))
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Number; (got == nil) != (number == 0) || got != nil && got.Int64() != number {
			t.Fatalf("number %v, want %d", got, number)
		}
		return l
	}
	for _, c := range []struct {
		name        string
		now, before *pki.RevocationList
		want        refusal.Code
	}{
		{"a later one with the next number", of(1, "a", 8), of(2, "a", 7), ""},
		{"a later one with the same number", of(1, "a", 7), of(2, "a", 7), ""},
		{"a later one without a number", of(1, "a", 0), of(2, "a", 7), ""},
		{"a later one with a smaller number", of(1, "a", 6), of(2, "a", 7), trust.Rollback},
		{"a later one by another key that counts anew", of(1, "b", 1), of(2, "a", 7), ""},
		{"an older one with a larger number", of(3, "a", 8), of(2, "a", 7), trust.Rollback},
		{"one of the same moment", of(2, "a", 8), of(2, "a", 7), trust.Rollback},
	} {
		err := trust.FollowsCRL(c.now, c.before)
		var got refusal.Code
		if err != nil {
			got = codeOf(t, err)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
