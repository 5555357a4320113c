package emrtd

import (
	"bytes"
	"crypto"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/cms"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// compare hashes every data group and compares it with what EF.SOD lists.
func (r *Report) compare(f Files, object *lds.SecurityObject) {
	r.Digest = object.Digest.String()
	for group := range object.Digests {
		r.Groups[group] = NotRead
	}
	for _, file := range slices.Sorted(maps.Keys(f)) {
		if file == lds.COM || file == lds.SOD {
			continue
		}
		want, signed := object.Digests[file]
		h := object.Digest.New()
		h.Write(f[file])
		switch {
		case !signed:
			r.Groups[file] = NotSigned
			r.refuse(GroupNotSigned, "%s is not among the signed data groups", file)
		case !bytes.Equal(want, h.Sum(nil)):
			r.Groups[file] = Differs
			r.refuse(DigestMismatch, "%s is not the one that was signed", file)
		default:
			r.Groups[file] = Matches
		}
	}
	r.compareCommon(f[lds.COM], object)
}

// compareCommon checks that EF.COM, which nobody signed, lists the signed data groups and states the signed version.
func (r *Report) compareCommon(raw []byte, object *lds.SecurityObject) {
	if raw == nil {
		return
	}
	common, err := lds.ParseCommon(raw)
	if err != nil {
		r.fail(err)
		return
	}
	if object.Version != "" && object.Version != common.Version {
		r.refuse(CommonDisagrees, "EF.COM states another version than EF.SOD")
		return
	}
	signed := slices.Sorted(maps.Keys(object.Digests))
	if listed := slices.Sorted(slices.Values(common.Groups)); !slices.Equal(listed, signed) {
		r.refuse(CommonDisagrees, "EF.COM lists other data groups than EF.SOD")
	}
}

// checkSigner verifies the signature of EF.SOD and who made it.
func (r *Report) checkSigner(object *lds.SecurityObject, store *trust.Store, o Options) {
	signatures, err := object.Signed.Verify()
	if err != nil {
		r.fail(err)
		return
	}
	if len(signatures) > 1 {
		r.refuse(SeveralSigners, "%d signers where one was expected", len(signatures))
		return
	}
	s := signatures[0]
	r.Signer, r.Algorithm, r.SignedAt = s.Signer, s.Algorithm, s.Time
	if !signsDocuments(s.Signer) {
		r.refuse(SignerUsage, "%s may not sign documents", s.Signer.Subject)
	}
	r.checkTime(s.Signer, s.Time, o.Now)
	r.checkScope(s.Signer)
	r.checkStrength(weaknesses(object, s), o.Strict)
	r.checkTrust(store, s.Signer, o)
}

// signsDocuments reports whether a certificate is for signing documents. An extended key usage says that it is for something else: under
// the same authorities are signers of master lists and of printed seals, and servers (ICAO 9303-12 section 7.1).
func signsDocuments(c *pki.Certificate) bool {
	return !c.CA && c.Allows(pki.DigitalSignature) && len(c.ExtendedUsages) == 0
}

// weaknesses looks at each hash function between a data group and the signature: that of the data groups, that of the list of digests
// and that of the signed attributes.
func weaknesses(object *lds.SecurityObject, s cms.Signature) []string {
	out := pki.Weaknesses(s.Algorithm, s.Signer.Key)
	for _, hash := range []crypto.Hash{object.Digest, s.Digest} {
		out = append(out, pki.Weaknesses(pki.Algorithm{Hash: hash}, s.Signer.Key)...)
	}
	return out
}

// checkStrength notes weak algorithms, each once, or refuses them.
func (r *Report) checkStrength(weak []string, strict bool) {
	slices.Sort(weak)
	if weak = slices.Compact(weak); len(weak) == 0 {
		return
	}
	if says := strings.Join(weak, ", "); strict {
		r.refuse(WeakAlgorithm, "signed with %s", says)
	} else {
		r.note(WeakAlgorithm, "signed with %s", says)
	}
}

// checkTime compares the time of signing with the signer's validity and the use of its key. Where it is not stated, the signer must
// be valid now: nothing else would bound when it signed.
func (r *Report) checkTime(signer *pki.Certificate, at, now time.Time) {
	day := time.DateOnly
	switch {
	case at.IsZero() && !signer.ValidAt(now):
		r.refuse(SignerExpired, "%s was valid %s to %s, and nothing says when it signed", signer.Subject,
			signer.NotBefore.Format(day), signer.NotAfter.Format(day))
	case at.IsZero():
		r.note(SigningTimeAbsent, "nothing says when it was signed; the signer is valid now")
	case at.After(now.Add(24 * time.Hour)): // clocks of signers and time zones
		r.refuse(SignedInFuture, "signed on %s", at.Format(day))
	case !signer.ValidAt(at) || !signer.SignsAt(at):
		r.refuse(SignedOutside, "signed on %s, when %s might not sign", at.Format(day), signer.Subject)
	case !signer.ValidAt(now):
		r.note(SignerOutOfDate, "%s was valid until %s, and signed before that", signer.Subject, signer.NotAfter.Format(day))
	}
}

// checkScope checks that the signer signs for the state and kind of the document.
func (r *Report) checkScope(signer *pki.Certificate) {
	if r.Zone == nil {
		return
	}
	if !slices.Contains(countries(r.Zone.Issuer), signer.Subject.Country) {
		r.refuse(SignerCountry, "a document of %s, signed by %q", r.Zone.Issuer, signer.Subject.Country)
	}
	signs := func(kind string) bool { // one letter stands for every kind that begins with it
		kind = strings.TrimRight(kind, "<")
		return kind == r.Zone.Code || (len(kind) == 1 && strings.HasPrefix(r.Zone.Code, kind))
	}
	if len(signer.DocumentTypes) > 0 && !slices.ContainsFunc(signer.DocumentTypes, signs) {
		r.refuse(SignerKind, "a document of kind %s, the signer signs %s", r.Zone.Code, strings.Join(signer.DocumentTypes, ", "))
	}
}

// checkTrust finds the anchor and looks for revocations.
func (r *Report) checkTrust(store *trust.Store, signer *pki.Certificate, o Options) {
	r.Trust = store.Explain(signer, trust.CSCA, signer.Subject.Country)
	if r.Trust.Chain == nil {
		r.Refusals = append(r.Refusals, r.Trust.Refusal)
		return
	}
	path := r.Trust.Chain.Path
	for i, c := range path[:len(path)-1] {
		if alg, err := c.Algorithm(); err == nil {
			r.checkStrength(pki.Weaknesses(alg, path[i+1].Key), o.Strict)
		}
	}
	var err error
	if r.Revocation, err = store.Revocation(r.Trust.Chain, o.Now); err != nil {
		r.fail(err)
		return
	}
	if r.Revocation == trust.NotChecked {
		r.note(NotChecked, "there is no revocation list of %s", signer.Issuer)
	}
}
