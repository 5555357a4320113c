package emrtd_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

const rsaKind emrtdtest.Kind = "RSA-2048 PKCS1 SHA-256"

var challenge = []byte{1, 2, 3, 4, 5, 6, 7, 8}

// withActive gives the passport a key of Active Authentication.
func withActive(t *testing.T, kind emrtdtest.Kind) (*utopia, *emrtdtest.Key) {
	t.Helper()
	u, key := newUtopia(t, sound, usual), emrtdtest.NewKey(kind, 30)
	u.files["DG15"] = emrtdtest.DG15(key)
	u.files["DG14"] = emrtdtest.DG14("0.4.0.127.0.7.1.1.4.1.3")
	u.sign(usual)
	return u, key
}

func TestAFreshAnswerExcludesACopy(t *testing.T) {
	for _, kind := range []emrtdtest.Kind{
		rsaKind, "RSA-2048 PKCS1 SHA-1", "RSA-2048 PKCS1 SHA-224", "RSA-2048 PKCS1 SHA-384", "RSA-3072 PKCS1 SHA-512",
		sound, "ECDSA brainpoolP256r1 SHA-256",
	} {
		t.Run(string(kind), func(t *testing.T) {
			u, key := withActive(t, kind)
			r := u.verify(emrtd.Options{Active: &emrtd.Answer{Challenge: challenge, Signature: key.Answer(challenge)}})
			if !r.Authentic || r.Copy != emrtd.CopyExcluded {
				t.Errorf("authentic %t, copy %s: %v", r.Authentic, r.Copy, r.Refusals)
			}
		})
	}
}

func TestWhatDoesNotExcludeACopy(t *testing.T) {
	other := []byte{8, 7, 6, 5, 4, 3, 2, 1}
	for _, c := range []struct {
		name  string
		kind  emrtdtest.Kind
		spoil func(u *utopia, key *emrtdtest.Key) *emrtd.Answer
		want  refusal.Code // none where the data stays authentic
	}{
		{"N16 an answer to another challenge, RSA", rsaKind, func(_ *utopia, key *emrtdtest.Key) *emrtd.Answer {
			return &emrtd.Answer{Challenge: challenge, Signature: key.Answer(other)}
		}, emrtd.ActiveSignature},
		{"N16 an answer to another challenge, curve", sound, func(_ *utopia, key *emrtdtest.Key) *emrtd.Answer {
			return &emrtd.Answer{Challenge: challenge, Signature: key.Answer(other)}
		}, emrtd.ActiveSignature},
		{"a challenge that is too short", sound, func(_ *utopia, key *emrtdtest.Key) *emrtd.Answer {
			return &emrtd.Answer{Challenge: challenge[:4], Signature: key.Answer(challenge[:4])}
		}, emrtd.ActiveSignature},
		{"N17 the key is not in EF.SOD", sound, func(u *utopia, _ *emrtdtest.Key) *emrtd.Answer {
			key := emrtdtest.NewKey(sound, 31)
			u.files["DG15"] = emrtdtest.DG15(key)
			return &emrtd.Answer{Challenge: challenge, Signature: key.Answer(challenge)}
		}, emrtd.ActiveKeyMissing},
		{"N17 there is no key", sound, func(u *utopia, key *emrtdtest.Key) *emrtd.Answer {
			delete(u.files, "DG15")
			return &emrtd.Answer{Challenge: challenge, Signature: key.Answer(challenge)}
		}, emrtd.ActiveKeyMissing},
		{"nothing says how the curve signs", sound, func(u *utopia, key *emrtdtest.Key) *emrtd.Answer {
			delete(u.files, "DG14")
			u.sign(usual)
			return &emrtd.Answer{Challenge: challenge, Signature: key.Answer(challenge)}
		}, emrtd.ActiveAlgorithm},
		{"N18 the key is there and was not used", sound, func(*utopia, *emrtdtest.Key) *emrtd.Answer { return nil }, ""},
		{"N18 the key is listed and was not even read", sound, func(u *utopia, _ *emrtdtest.Key) *emrtd.Answer {
			delete(u.files, "DG15")
			return nil
		}, ""},
		{"N19 a key of Chip Authentication proves nothing by itself", sound, func(u *utopia, _ *emrtdtest.Key) *emrtd.Answer {
			delete(u.files, "DG15")
			u.files["DG14"] = emrtdtest.DG14("0.4.0.127.0.7.1.1.4.1.3")
			u.sign(usual)
			return nil
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Attr("code", string(cmp.Or(c.want, emrtd.CopyNotExcluded)))
			u, key := withActive(t, c.kind)
			answer := c.spoil(u, key)
			r := u.verify(emrtd.Options{Active: answer})
			if r.Copy != emrtd.MayBeCopy || !slices.Contains(codes(r.Notes), emrtd.CopyNotExcluded) {
				t.Errorf("copy %s, notes %v", r.Copy, r.Notes)
			}
			if c.want == "" && !r.Authentic {
				t.Errorf("refused: %v", r.Refusals)
			}
			if c.want != "" && !slices.Contains(codes(r.Refusals), c.want) {
				t.Errorf("refusals %v, want %s", r.Refusals, c.want)
			}
		})
	}
}
