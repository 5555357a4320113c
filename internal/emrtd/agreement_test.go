package emrtd_test

import (
	"crypto/rand"
	"maps"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/apdu"
	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// firstAnswer protects a status as a chip does that shares the secret (AES-128, counter 2).
func firstAnswer(t *testing.T, secret []byte) []byte {
	t.Helper()
	suite := apdu.AES128
	body := []byte{0x99, 2, 0x90, 0}
	counter := append(make([]byte, 15), 2)
	code := suite.MAC(suite.Derive(secret, apdu.ForMAC), apdu.Pad(append(counter, body...), 16))
	return slices.Concat(body, []byte{0x8E, 8}, code, []byte{0x90, 0})
}

// TestChipAuthenticationCountsByTheSignedKeyAlone goes through what can be wrong with a run that the server led (N19 of a live chip).
func TestChipAuthenticationCountsByTheSignedKeyAlone(t *testing.T) {
	t.Parallel()
	const kind emrtdtest.Kind = "ECDSA P-256 SHA-256"
	authority, key, other := emrtdtest.NewAuthority("UT", kind, 1), emrtdtest.NewKey(kind, 40), emrtdtest.NewKey(kind, 41)
	store := new(trust.Store)
	if err := store.Accept(trust.Anchor{Certificate: authority.Cert, Purpose: trust.CSCA, Scope: "UT"}); err != nil {
		t.Fatal(err)
	}
	files := emrtdtest.Chip()
	files["DG14"] = emrtdtest.Security(emrtdtest.ChipKeyInfo(key, 3), emrtdtest.ChipInfo("2", 3))
	files[lds.COM] = emrtdtest.COM(files)
	files[lds.SOD] = authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(kind, 2)).SOD(files, emrtdtest.Signing{Time: emrtdtest.Now.AddDate(0, -1, 0)})
	curve, err := pki.CurveNamed("P-256")
	if err != nil {
		t.Fatal(err)
	}
	secret, err := curve.Secret(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	shared := func(k *emrtdtest.Key) []byte {
		_, d := k.Private()
		point, err := curve.Base().Times(secret)
		if err != nil {
			t.Fatal(err)
		}
		if point, err = point.Times(d); err != nil {
			t.Fatal(err)
		}
		return point.Coordinate()
	}
	good := emrtd.Agreement{Protocol: "0.4.0.127.0.7.2.2.3.2.2", KeyID: 3, Secret: secret.Bytes(), Answer: firstAnswer(t, shared(key))}
	for name, tt := range map[string]struct {
		files  func(map[lds.File][]byte)
		run    func(*emrtd.Agreement)
		proved bool
		fails  bool
	}{
		"the signed key":            {proved: true},
		"the key of another chip":   {run: func(a *emrtd.Agreement) { a.Answer = firstAnswer(t, shared(other)) }, fails: true},
		"no answer":                 {run: func(a *emrtd.Agreement) { a.Answer = nil }, fails: true},
		"an end of the session":     {run: func(a *emrtd.Agreement) { a.Answer = []byte{0x69, 0x88} }, fails: true},
		"another number of a key":   {run: func(a *emrtd.Agreement) { a.KeyID = -1 }, fails: true},
		"another protocol":          {run: func(a *emrtd.Agreement) { a.Protocol = "0.4.0.127.0.7.2.2.3.2.4" }, fails: true},
		"a secret of zero":          {run: func(a *emrtd.Agreement) { a.Secret = nil }, fails: true},
		"a secret beyond the curve": {run: func(a *emrtd.Agreement) { a.Secret = curve.N.Bytes() }, fails: true},
		"a key that nobody signed": {
			files: func(f map[lds.File][]byte) {
				f["DG14"] = emrtdtest.Security(emrtdtest.ChipKeyInfo(other, 3), emrtdtest.ChipInfo("2", 3))
			},
			run: func(a *emrtd.Agreement) { a.Answer = firstAnswer(t, shared(other)) }, fails: true,
		},
		"no DG14": {files: func(f map[lds.File][]byte) { delete(f, "DG14") }, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			f, run := maps.Clone(files), good
			if tt.files != nil {
				tt.files(f)
			}
			if tt.run != nil {
				tt.run(&run)
			}
			r := emrtd.Verify(f, store, emrtd.Options{Now: emrtdtest.Now, Agreement: &run})
			failed := false
			for _, why := range r.Refusals {
				failed = failed || why.Code == emrtd.AgreementFailed
			}
			if (r.Copy == emrtd.CopyExcluded) != tt.proved || r.Authentic != tt.proved || failed != tt.fails {
				t.Errorf("copy %v, authentic %v: %v", r.Copy, r.Authentic, r.Refusals)
			}
		})
	}
	if r := emrtd.Verify(files, store, emrtd.Options{Now: emrtdtest.Now}); r.Copy != emrtd.MayBeCopy || !r.Authentic {
		t.Errorf("a key alone excludes a copy: %v, %v", r.Copy, r.Refusals)
	}
}
