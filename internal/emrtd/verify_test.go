package emrtd_test

import (
	"crypto"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/cms"
	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

const sound emrtdtest.Kind = "ECDSA P-256 SHA-256"

// utopia is a state: an authority, a document signer, and a passport.
type utopia struct {
	authority, signer *emrtdtest.Holder
	files             map[lds.File][]byte
	store             *trust.Store
}

func newUtopia(t testing.TB, kind emrtdtest.Kind, s emrtdtest.Signing) *utopia {
	t.Helper()
	u := &utopia{authority: emrtdtest.NewAuthority("UT", kind, 1), files: emrtdtest.Chip(), store: &trust.Store{}}
	u.signer = u.authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(kind, 2))
	accept(t, u.store, u.authority)
	u.sign(s)
	return u
}

func accept(t testing.TB, s *trust.Store, authorities ...*emrtdtest.Holder) {
	t.Helper()
	for _, a := range authorities {
		if err := s.Accept(trust.Anchor{Certificate: a.Cert, Purpose: trust.CSCA, Scope: a.Cert.Subject.Country}); err != nil {
			t.Fatal(err)
		}
	}
}

// usual is how the tests sign where it does not matter.
var usual = emrtdtest.Signing{Time: emrtdtest.Now.AddDate(0, -2, 0)}

func (u *utopia) sign(s emrtdtest.Signing) {
	u.files[lds.COM] = emrtdtest.COM(u.files)
	u.files[lds.SOD] = u.signer.SOD(u.files, s)
}

func (u *utopia) verify(o emrtd.Options) *emrtd.Report {
	if o.Now.IsZero() {
		o.Now = emrtdtest.Now
	}
	return emrtd.Verify(u.files, u.store, o)
}

func codes(all []*refusal.Refusal) []refusal.Code {
	out := []refusal.Code{}
	for _, r := range all {
		out = append(out, r.Code)
	}
	return out
}

func TestEverySignatureAlgorithmIsVerified(t *testing.T) {
	t.Attr("case", "V1")
	t.Attr("case", "N22 chip.weak_algorithm")
	for _, kind := range emrtdtest.Kinds {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			u := newUtopia(t, kind, usual)
			r := u.verify(emrtd.Options{})
			if !r.Authentic {
				t.Fatalf("refused: %v", r.Refusals)
			}
			sha1 := strings.HasSuffix(string(kind), "SHA-1")
			if weak := slices.Contains(codes(r.Notes), emrtd.WeakAlgorithm); weak != sha1 {
				t.Errorf("weak: got %t, want %t", weak, sha1)
			}
			r = u.verify(emrtd.Options{Strict: true})
			if weak := slices.Contains(codes(r.Refusals), emrtd.WeakAlgorithm); r.Authentic == sha1 || weak != sha1 {
				t.Errorf("N22: strictly authentic %t: %v", r.Authentic, r.Refusals)
			}
		})
	}
}

func TestWaysOfSigningThatStatesUse(t *testing.T) {
	t.Attr("case", "V1")
	for name, s := range map[string]emrtdtest.Signing{
		"without a time of signing":                     {},
		"in BER of indefinite length":                   {Time: usual.Time, Indefinite: true},
		"the signer is named by its key":                {Time: usual.Time, KeyID: true},
		"attributes are signed in the order of sending": {Time: usual.Time, Unsorted: true},
		"digests by SHA-512":                            {Time: usual.Time, Digest: crypto.SHA512},
	} {
		t.Run(name, func(t *testing.T) {
			r := newUtopia(t, sound, s).verify(emrtd.Options{})
			if !r.Authentic {
				t.Fatalf("refused: %v", r.Refusals)
			}
			want := []refusal.Code{emrtd.NotChecked, emrtd.CopyNotExcluded}
			if s.Time.IsZero() {
				want = append([]refusal.Code{emrtd.SigningTimeAbsent}, want...)
			}
			if diff := cmp.Diff(want, codes(r.Notes)); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

// refused is a way to spoil a sound passport, and the codes of the refusals.
type refused struct {
	name  string
	spoil func(t *testing.T, u *utopia, o *emrtd.Options)
	want  []refusal.Code
}

// refusals are the cases of offline refusal, N1 to N22 where the network has no part in them.
var refusals = []refused{
	{"N1 one byte of DG1 is changed", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		lines := []string{strings.Replace(emrtdtest.Zone[0], "ANNA", "ANNE", 1), emrtdtest.Zone[1]}
		u.files["DG1"] = emrtdtest.DG1(lines...)
	}, []refusal.Code{emrtd.DigestMismatch}},
	{"N2 DG2 is of another document", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files["DG2"] = emrtdtest.DG2Block(emrtdtest.Portrait())
	}, []refusal.Code{emrtd.DigestMismatch}},
	{"N3 a data group is added that EF.SOD does not list", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files["DG14"] = emrtdtest.DG14("0.4.0.127.0.7.1.1.4.1.3")
	}, []refusal.Code{emrtd.GroupNotSigned}},
	{"N4 EF.SOD is signed under an authority that somebody made", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		forger := emrtdtest.NewAuthority("UT", sound, 9)
		u.signer = forger.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
	}, []refusal.Code{trust.AnchorMissing}},
	{"N4 and the forger's authority has the true one's key identifier", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		forger := &emrtdtest.Holder{Key: emrtdtest.NewKey(sound, 9), Cert: u.authority.Cert}
		u.signer = forger.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
	}, []refusal.Code{trust.WrongSignature}},
	{"N5 a document signer of another state", func(t *testing.T, u *utopia, _ *emrtd.Options) {
		other := emrtdtest.NewAuthority("DE", sound, 5)
		accept(t, u.store, other)
		u.signer = other.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
	}, []refusal.Code{emrtd.SignerCountry}},
	{"N5 a signer that says it is of this state, under another's authority", func(t *testing.T, u *utopia, _ *emrtd.Options) {
		other := emrtdtest.NewAuthority("DE", sound, 5)
		accept(t, u.store, other)
		u.signer = other.Issue(emrtdtest.Template{Country: "UT"}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
	}, []refusal.Code{trust.AnchorMissing}},
	{"N6 the content is changed and the digest is the old one", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files["DG1"] = emrtdtest.DG1(strings.Replace(emrtdtest.Zone[0], "ANNA", "ANNE", 1), emrtdtest.Zone[1])
		s := usual
		s.Changed = emrtdtest.Object(u.files, crypto.SHA256)
		u.files[lds.SOD] = u.signer.SOD(emrtdtest.Chip(), s)
	}, []refusal.Code{cms.DigestMismatch}},
	{"N7 the signed attributes are missing", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.sign(emrtdtest.Signing{NoAttributes: true})
	}, []refusal.Code{cms.AttributesMissing}},
	{"N8 the signer's key is not for signatures", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.signer = u.authority.Issue(emrtdtest.Template{Usage: 0x40}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
	}, []refusal.Code{emrtd.SignerUsage}},
	{"N8 the signer is an authority", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.signer = u.authority.Issue(emrtdtest.Template{Usage: 0x86, CA: true}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
	}, []refusal.Code{emrtd.SignerUsage}},
	{"N8 the authority itself signed", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.signer = u.authority
		u.sign(usual)
	}, []refusal.Code{emrtd.SignerUsage}},
	{"the signer has a critical extension that nobody knows", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.signer = u.authority.Issue(emrtdtest.Template{Critical: "1.2.3.4"}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
	}, []refusal.Code{trust.NotUnderstood}},
	{"the signer signs identity cards", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.signer = u.authority.Issue(emrtdtest.Template{Types: []string{"ID", "AR"}}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
	}, []refusal.Code{emrtd.SignerKind}},
	{"N9 signed after the signer's end", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.signer = u.authority.Issue(emrtdtest.Template{To: emrtdtest.Now.AddDate(0, -3, 0)}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
	}, []refusal.Code{emrtd.SignedOutside}},
	{"N9 signed after the end of the key's use", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.signer = u.authority.Issue(emrtdtest.Template{
			KeyFrom: emrtdtest.Now.AddDate(0, -9, 0), KeyTo: emrtdtest.Now.AddDate(0, -6, 0),
		}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
	}, []refusal.Code{emrtd.SignedOutside}},
	{"signed in the future", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.sign(emrtdtest.Signing{Time: emrtdtest.Now.AddDate(0, 0, 3)})
	}, []refusal.Code{emrtd.SignedInFuture}},
	{"nothing says when it was signed, and the signer is out of date", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.signer = u.authority.Issue(emrtdtest.Template{To: emrtdtest.Now.AddDate(0, -3, 0)}, emrtdtest.NewKey(sound, 2))
		u.sign(emrtdtest.Signing{})
	}, []refusal.Code{emrtd.SignerExpired}},
	{"the signer was issued when its authority was not valid yet", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.signer = u.authority.Issue(emrtdtest.Template{From: emrtdtest.Now.AddDate(-6, 0, 0)}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
	}, []refusal.Code{trust.NotValidAtIssue}},
	{"N10 the signer is revoked", func(t *testing.T, u *utopia, _ *emrtd.Options) {
		list, err := pki.ParseRevocationList(u.authority.CRL(emrtdtest.Now.AddDate(0, 0, -1), emrtdtest.Now.AddDate(0, 1, 0), 3, 7))
		if err != nil {
			t.Fatal(err)
		}
		if err := u.store.AcceptCRL(list, emrtdtest.Now); err != nil {
			t.Fatal(err)
		}
	}, []refusal.Code{trust.Revoked}},
	{"N12 explicit parameters with another base point", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		key := emrtdtest.NewKey(sound, 2)
		u.signer = u.authority.Issue(emrtdtest.Template{Info: key.InfoWithGenerator()}, key)
		u.sign(usual)
	}, []refusal.Code{pki.UnknownCurve}},
	{"N15 the operator removed the authority", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.store.Distrust(u.authority.Cert.Fingerprint())
	}, []refusal.Code{trust.AnchorMissing}},
	{"N21 chip and page say different things", func(t *testing.T, _ *utopia, o *emrtd.Options) {
		page, err := mrz.Parse([]string{emrtdtest.Zone[0], "L898902C<3UTO6908061F9406236ZE184226B<<<<<14"})
		if err != nil {
			t.Fatal(err)
		}
		o.Page = &page
	}, []refusal.Code{emrtd.ZoneDiffers}},
	{"there is no DG2", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		delete(u.files, "DG2")
	}, []refusal.Code{emrtd.GroupMissing}},
	{"there is no EF.SOD", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		delete(u.files, lds.SOD)
	}, []refusal.Code{emrtd.SODMissing}},
	{"EF.COM lists other data groups", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files[lds.COM] = emrtdtest.COM(map[lds.File][]byte{"DG1": u.files["DG1"], "DG2": u.files["DG2"]})
	}, []refusal.Code{emrtd.CommonDisagrees}},
	{"there are two signers", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		s := usual
		s.Twice = true
		u.sign(s)
	}, []refusal.Code{emrtd.SeveralSigners}},
	{"N20 bytes follow EF.SOD", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files[lds.SOD] = append(u.files[lds.SOD], 0)
	}, []refusal.Code{"tlv.trailing"}},
	{"N20 EF.SOD of 300 kB", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files[lds.SOD] = append([]byte{0x77, 0x83, 4, 0x93, 0xE0}, make([]byte, 300_000)...)
	}, []refusal.Code{lds.FileTooLarge}},
}

func TestWhatIsNotAuthenticIsRefusedByItsOwnCode(t *testing.T) {
	for _, c := range slices.Concat(refusals, forgeries) {
		t.Run(c.name, func(t *testing.T) {
			t.Attr("code", string(c.want[0]))
			u, o := newUtopia(t, sound, usual), emrtd.Options{}
			if r := u.verify(o); !r.Authentic {
				t.Fatalf("refused before anything was spoilt: %v", r.Refusals)
			}
			c.spoil(t, u, &o)
			r := u.verify(o)
			if diff := cmp.Diff(c.want, codes(r.Refusals)); diff != "" || r.Authentic {
				t.Errorf("authentic: %t, refusals (-want +got):\n%s", r.Authentic, diff)
			}
		})
	}
}

func TestAChipTellsAllThatItHolds(t *testing.T) {
	t.Attr("case", "V13")
	u := newUtopia(t, sound, usual)
	r := u.verify(emrtd.Options{})
	if !r.Authentic || r.Copy != emrtd.MayBeCopy || r.Revocation != trust.NotChecked {
		t.Fatalf("authentic %t, copy %s, revocation %s: %v", r.Authentic, r.Copy, r.Revocation, r.Refusals)
	}
	want := &lds.Person{
		Name: "ERIKSSON, ÅNNA MARIA", OtherNames: []string{"SMITH, ANNA"}, Birth: "19740812", BirthPlace: []string{"ZENITH", "UTOPIA"},
	}
	if diff := cmp.Diff(want, r.Person); diff != "" {
		t.Errorf("DG11 (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(&lds.Issue{Authority: "PASSPORT OFFICE", Date: "20300401"}, r.Issue); diff != "" {
		t.Errorf("DG12 (-want +got):\n%s", diff)
	}
	if r.Zone.Number != "L898902C3" || len(r.Portraits) != 1 || r.Portraits[0].Width != 48 {
		t.Errorf("zone %v, portraits %v", r.Zone, r.Portraits)
	}
	list, err := pki.ParseRevocationList(u.authority.CRL(emrtdtest.Now.AddDate(0, 0, -1), emrtdtest.Now.AddDate(0, 1, 0)))
	if err != nil {
		t.Fatal(err)
	}
	if err := u.store.AcceptCRL(list, emrtdtest.Now); err != nil {
		t.Fatal(err)
	}
	if r := u.verify(emrtd.Options{}); r.Revocation != trust.Good {
		t.Errorf("revocation %s after a list was accepted", r.Revocation)
	}
}

func TestASignerThatIsOutOfDateMayHaveSignedInTime(t *testing.T) {
	u := newUtopia(t, sound, usual)
	u.signer = u.authority.Issue(emrtdtest.Template{To: emrtdtest.Now.AddDate(0, -1, 0)}, emrtdtest.NewKey(sound, 2))
	u.sign(usual)
	r := u.verify(emrtd.Options{})
	if !r.Authentic || !slices.Contains(codes(r.Notes), emrtd.SignerOutOfDate) {
		t.Errorf("authentic %t, notes %v, refusals %v", r.Authentic, r.Notes, r.Refusals)
	}
}

func TestASignerMaySignTheKindsThatItLists(t *testing.T) {
	for kind, want := range map[string]bool{"P": true, "P<": true, "PD": false, "ID": false, "": false} {
		u := newUtopia(t, sound, usual)
		u.signer = u.authority.Issue(emrtdtest.Template{Types: []string{"AR", kind}}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
		if r := u.verify(emrtd.Options{}); r.Authentic != want {
			t.Errorf("%q: authentic %t, want %t: %v", kind, r.Authentic, want, r.Refusals)
		}
	}
}

func TestNoFileIsTakenTwice(t *testing.T) {
	f := emrtd.Files{}
	for i, want := range []refusal.Code{"", lds.GroupTwice} {
		_, err := f.Add(emrtdtest.DG1(emrtdtest.Zone...))
		if got := refusal.Of(err); (got != nil || want != "") && (got == nil || got.Code != want) {
			t.Errorf("time %d: got %v, want %q", i, err, want)
		}
	}
}

// BenchmarkVerify measures Passive Authentication of a whole chip under the algorithms that states use most.
func BenchmarkVerify(b *testing.B) {
	for _, kind := range []emrtdtest.Kind{"RSA-2048 PKCS1 SHA-256", sound, "ECDSA brainpoolP256r1 SHA-256", "ECDSA brainpoolP384r1 SHA-384",
		"ECDSA brainpoolP512r1 SHA-512"} {
		b.Run(string(kind), func(b *testing.B) {
			u := newUtopia(b, kind, usual)
			for b.Loop() {
				if r := u.verify(emrtd.Options{}); !r.Authentic {
					b.Fatal(r.Refusals)
				}
			}
		})
	}
}
