package emrtd_test

import (
	"crypto"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// signedBy lets the authority issue a signer by a template, which signs.
func signedBy(template emrtdtest.Template, s emrtdtest.Signing) func(*testing.T, *utopia, *emrtd.Options) {
	return func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.signer = u.authority.Issue(template, emrtdtest.NewKey(sound, 2))
		u.sign(s)
	}
}

// versioned returns EF.SOD with a list of digests of version 1, which states the version of the logical data structure.
func versioned(u *utopia, version string) []byte {
	content, err := tlv.Parse(emrtdtest.Object(u.files, crypto.SHA256))
	if err != nil {
		panic(err)
	}
	parts, err := content.Children()
	if err != nil {
		panic(err)
	}
	info := tlv.Encode(tlv.Sequence, tlv.Encode(tlv.PrintableString, []byte(version)), tlv.Encode(tlv.PrintableString, []byte("040000")))
	return tlv.Encode(0x77, u.signer.CMS("2.23.136.1.1.1", tlv.Encode(tlv.Sequence, []byte{2, 1, 1}, parts[1].Raw, parts[2].Raw, info), usual))
}

// forgeries are what somebody might try who has a key under the right authority, or a document that is nearly right.
var forgeries = []refused{
	{"the signer of master lists signs a passport", signedBy(emrtdtest.Template{Extended: []string{pki.MasterListSigning}}, usual),
		[]refusal.Code{emrtd.SignerUsage}},
	{"a server under the authority signs a passport", signedBy(emrtdtest.Template{Extended: []string{"1.3.6.1.5.5.7.3.1"}}, usual),
		[]refusal.Code{emrtd.SignerUsage}},
	{"an extension of the signer occurs twice", signedBy(emrtdtest.Template{
		Extra: [][]byte{emrtdtest.Extension("2.5.29.15", true, tlv.Encode(tlv.BitString, []byte{7, 0x80}))}}, usual),
		[]refusal.Code{pki.RepeatedExtension}},
	{"signed before the signer's beginning", signedBy(emrtdtest.Template{From: emrtdtest.Now.AddDate(0, -1, 0)}, usual),
		[]refusal.Code{emrtd.SignedOutside}},
	{"signed before the beginning of the key's use", signedBy(emrtdtest.Template{
		KeyFrom: emrtdtest.Now.AddDate(0, -1, 0), KeyTo: emrtdtest.Now.AddDate(1, 0, 0)}, usual), []refusal.Code{emrtd.SignedOutside}},
	{"nothing says when it was signed, and the signer is not valid yet",
		signedBy(emrtdtest.Template{From: emrtdtest.Now.AddDate(0, 0, 1)}, emrtdtest.Signing{}), []refusal.Code{emrtd.SignerExpired}},
	{"there is no DG1", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		delete(u.files, "DG1")
	}, []refusal.Code{emrtd.GroupMissing}},
	{"the zone names a state that is none", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files["DG1"] = emrtdtest.DG1(strings.Replace(emrtdtest.Zone[0], "UTO", "UTX", 1), emrtdtest.Zone[1])
		u.sign(usual)
	}, []refusal.Code{emrtd.SignerCountry}},
	{"the page has another name", func(_ *testing.T, _ *utopia, o *emrtd.Options) {
		page, err := lds.ParseZone(emrtdtest.DG1(strings.Replace(emrtdtest.Zone[0], "ANNA", "ANNE", 1), emrtdtest.Zone[1]))
		if err != nil {
			panic(err)
		}
		o.Page = &page
	}, []refusal.Code{emrtd.ZoneDiffers}},
	{"DG2 is signed and cannot be read", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files["DG2"] = emrtdtest.DG2([]byte("GIF89a"))
		u.sign(usual)
	}, []refusal.Code{lds.UnknownPicture}},
	{"DG11 is signed and cannot be read", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files["DG11"] = tlv.Encode(0x6B, tlv.Encode(0x5F0E, []byte("A")))
		u.sign(usual)
	}, []refusal.Code{lds.Malformed}},
	{"DG14 is signed and cannot be read", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files["DG14"] = emrtdtest.DG14("1.2.3.4")
		u.sign(usual)
	}, []refusal.Code{pki.UnknownAlgorithm}},
	{"DG3 is of another document", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files["DG3"] = tlv.Encode(0x63, []byte{1})
		u.sign(usual)
		u.files["DG3"] = tlv.Encode(0x63, []byte{2})
	}, []refusal.Code{emrtd.DigestMismatch}},
	{"EF.COM cannot be read", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files[lds.COM] = tlv.Encode(0x60)
	}, []refusal.Code{lds.Malformed}},
	{"EF.COM lists a data group that is not signed", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		more := emrtdtest.Chip()
		more["DG3"] = tlv.Encode(0x63, []byte{1})
		u.files[lds.COM] = emrtdtest.COM(more)
	}, []refusal.Code{emrtd.CommonDisagrees}},
	{"EF.COM states another version than the signed one", func(_ *testing.T, u *utopia, _ *emrtd.Options) {
		u.files[lds.SOD] = versioned(u, "0108")
	}, []refusal.Code{emrtd.CommonDisagrees}},
	{"the link to the signer's authority is revoked", func(t *testing.T, u *utopia, _ *emrtd.Options) {
		root, link := u.authority.Renew(emrtdtest.NewKey(sound, 5), 500)
		u.store.Link(link.Cert)
		u.signer = root.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 2))
		u.sign(usual)
		if r := u.verify(emrtd.Options{}); !r.Authentic {
			t.Fatalf("refused before the link was revoked: %v", r.Refusals)
		}
		acceptCRL(t, u, u.authority.CRL(emrtdtest.Now.AddDate(0, 0, -1), emrtdtest.Now.AddDate(0, 1, 0), 500))
	}, []refusal.Code{trust.Revoked}},
}

func acceptCRL(t *testing.T, u *utopia, raw []byte) {
	t.Helper()
	list, err := pki.ParseRevocationList(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.store.AcceptCRL(list, emrtdtest.Now); err != nil {
		t.Fatal(err)
	}
}

func TestTheSignedVersionIsThatOfTheCommonFile(t *testing.T) {
	u := newUtopia(t, sound, usual)
	u.files[lds.SOD] = versioned(u, "0107")
	if r := u.verify(emrtd.Options{}); !r.Authentic {
		t.Errorf("refused: %v", r.Refusals)
	}
}

// TestN22OneWeakLinkIsEnough makes each part of what a state signs weak, and only that part.
func TestN22OneWeakLinkIsEnough(t *testing.T) {
	const weak emrtdtest.Kind = "ECDSA P-256 SHA-1"
	for _, c := range []struct {
		name              string
		authority, signer emrtdtest.Kind
		groups, list      crypto.Hash // that data groups are hashed with, and the list of their digests
		want              string
	}{
		{"nothing", sound, sound, crypto.SHA256, crypto.SHA256, ""},
		{"the signature of the signer's certificate", weak, sound, crypto.SHA256, crypto.SHA256, "SHA-1"},
		{"the signature", sound, weak, crypto.SHA256, crypto.SHA256, "SHA-1"},
		{"the digests of the data groups", sound, sound, crypto.SHA1, crypto.SHA256, "SHA-1"},
		{"the digest of the list", sound, sound, crypto.SHA256, crypto.SHA1, "SHA-1"},
		{"the signer's key", sound, "RSA-1024 PKCS1 SHA-256", crypto.SHA256, crypto.SHA256, "RSA of 1024 bits"},
		{"the authority's key", "RSA-1024 PKCS1 SHA-256", sound, crypto.SHA256, crypto.SHA256, "RSA of 1024 bits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := newUtopia(t, c.authority, usual)
			u.signer = u.authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(c.signer, 2))
			s := usual
			s.Digest = c.list
			u.files[lds.SOD] = tlv.Encode(0x77, u.signer.CMS("2.23.136.1.1.1", emrtdtest.Object(u.files, c.groups), s))
			r := u.verify(emrtd.Options{})
			says := ""
			for _, n := range r.Notes {
				if n.Code == emrtd.WeakAlgorithm {
					says += strings.TrimPrefix(n.Says, "signed with ")
				}
			}
			if !r.Authentic || says != c.want {
				t.Errorf("authentic %t, weak %q, want %q: %v", r.Authentic, says, c.want, r.Refusals)
			}
			r = u.verify(emrtd.Options{Strict: true})
			if refused := slices.Contains(codes(r.Refusals), emrtd.WeakAlgorithm); refused != (c.want != "") || r.Authentic == refused {
				t.Errorf("strictly: authentic %t, %v", r.Authentic, r.Refusals)
			}
		})
	}
}

func TestNoCopyIsExcludedOfWhatIsNotAuthentic(t *testing.T) {
	u, key := withActive(t, rsaKind)
	answer := &emrtd.Answer{Challenge: challenge, Signature: key.Answer(challenge)}
	u.files["DG1"] = emrtdtest.DG1(strings.Replace(emrtdtest.Zone[0], "ANNA", "ANNE", 1), emrtdtest.Zone[1])
	if r := u.verify(emrtd.Options{Active: answer}); r.Authentic || r.Copy != emrtd.MayBeCopy {
		t.Errorf("authentic %t, copy %s", r.Authentic, r.Copy)
	}
}

func TestAShortKeyOfActiveAuthenticationIsWeak(t *testing.T) {
	u, key := withActive(t, "RSA-1024 PKCS1 SHA-256")
	answer := &emrtd.Answer{Challenge: challenge, Signature: key.Answer(challenge)}
	for strict, want := range map[bool]emrtd.Copy{false: emrtd.CopyExcluded, true: emrtd.MayBeCopy} {
		r := u.verify(emrtd.Options{Active: answer, Strict: strict})
		if !r.Authentic || r.Copy != want || !slices.Contains(codes(r.Notes), emrtd.WeakAlgorithm) {
			t.Errorf("strict %t: authentic %t, copy %s, notes %v", strict, r.Authentic, r.Copy, r.Notes)
		}
	}
}

func TestACurveAnswersOnlyAsDG14Says(t *testing.T) {
	for name, c := range map[string]struct {
		algorithm string
		want      refusal.Code
	}{
		"r and s as a pair":       {"1.2.840.10045.4.3.2", emrtd.ActiveAlgorithm},
		"an RSA algorithm":        {"1.2.840.113549.1.1.11", emrtd.ActiveAlgorithm},
		"over another hash value": {"0.4.0.127.0.7.1.1.4.1.5", emrtd.ActiveSignature},
	} {
		u, key := withActive(t, sound)
		u.files["DG14"] = emrtdtest.DG14(c.algorithm)
		u.sign(usual)
		r := u.verify(emrtd.Options{Active: &emrtd.Answer{Challenge: challenge, Signature: key.Answer(challenge)}})
		if got := codes(r.Refusals); !slices.Equal(got, []refusal.Code{c.want}) || r.Copy != emrtd.MayBeCopy {
			t.Errorf("%s: got %v, copy %s", name, got, r.Copy)
		}
	}
}

func TestIssuersHaveTheCountriesOfTheirCertificates(t *testing.T) {
	for zone, country := range map[string]string{
		"D<<": "DE", "USA": "US", "GBR": "GB", "GBD": "GB", "CHN": "CN", "RKS": "KS", "EUE": "EU", "UNO": "UN", "XPO": "XP", "XOM": "XO", "TWN": "TW",
	} {
		t.Run(zone, func(t *testing.T) {
			u := newUtopia(t, sound, usual)
			u.authority = emrtdtest.NewAuthority(country, sound, 6)
			accept(t, u.store, u.authority)
			u.signer = u.authority.Issue(emrtdtest.Template{}, emrtdtest.NewKey(sound, 2))
			u.files["DG1"] = emrtdtest.DG1(strings.Replace(emrtdtest.Zone[0], "UTO", zone, 1), emrtdtest.Zone[1])
			u.sign(usual)
			if r := u.verify(emrtd.Options{}); !r.Authentic {
				t.Errorf("refused: %v", r.Refusals)
			}
		})
	}
}
