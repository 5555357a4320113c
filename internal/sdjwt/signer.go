package sdjwt

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// checkSigner verifies the signature of the issuer and who made it. The key is that of the certificate that came along, once it leads
// to an anchor for this type of credential; no other header names a key.
func (r *Report) checkSigner(t *jose.Token, store *trust.Store, now time.Time) {
	chain, err := t.Certificates()
	if r.fail(err) {
		return
	}
	leaf := chain[0]
	r.Signer = leaf
	if leaf.Key == nil {
		r.fail(leaf.KeyFault)
		return
	}
	if err := t.Verify(leaf.Key); err != nil {
		if refusal.Of(err).Code == jose.Signature {
			err = refusal.New(IssuerSignature, "the key of %s did not sign the credential", leaf.Subject)
		}
		r.fail(err)
	}
	switch {
	case leaf.CA || (leaf.KeyUsage != 0 && !leaf.Allows(pki.DigitalSignature)) || forOthers(leaf.ExtendedUsages):
		r.refuse(SignerUsage, "%s may not sign credentials", leaf.Subject)
	case leaf.SelfIssued():
		r.refuse(SelfSigned, "%s vouches for itself", leaf.Subject)
	}
	r.checkIssuer(leaf)
	r.Trust = store.With(chain[1:]...).Explain(leaf, trust.Issuer, r.Type)
	if r.Trust.Chain == nil {
		r.Refusals = append(r.Refusals, r.Trust.Refusal)
		return
	}
	r.fail(r.Trust.Chain.CheckAt(now))
	r.Revocation, err = store.Revocation(r.Trust.Chain, now)
	if !r.fail(err) && r.Revocation == trust.NotChecked {
		r.note(RevocationUnchecked, "there is no revocation list of %s", leaf.Issuer)
	}
}

// otherUses are extended key usages that have nothing to do with credentials: servers and their clients, code, mail, stamps of time,
// answers about revocation, status lists, mobile documents, master lists.
var otherUses = []string{
	"1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2", "1.3.6.1.5.5.7.3.3", "1.3.6.1.5.5.7.3.4", "1.3.6.1.5.5.7.3.8", "1.3.6.1.5.5.7.3.9",
	"1.3.6.1.5.5.7.3.30", "1.0.18013.5.1.2", pki.MasterListSigning,
}

// forOthers reports whether all of the usages that a certificate states are for something else. No ecosystem of credentials has one
// of its own that all issuers state.
func forOthers(usages []string) bool {
	other := func(usage string) bool { return slices.Contains(otherUses, usage) }
	return len(usages) > 0 && !slices.ContainsFunc(usages, func(u string) bool { return !other(u) })
}

// checkIssuer compares the issuer, where the credential names one, with the names of the certificate: its address or its host.
func (r *Report) checkIssuer(leaf *pki.Certificate) {
	if r.Issuer == "" {
		return
	}
	if len(leaf.DNSNames) == 0 && len(leaf.URIs) == 0 {
		r.note(IssuerUnconfirmed, "the certificate has no names to compare the issuer with")
		return
	}
	u, err := url.Parse(r.Issuer)
	host := err == nil && u.Scheme == "https" && slices.Contains(leaf.DNSNames, strings.ToLower(u.Hostname()))
	if !host && !slices.Contains(leaf.URIs, r.Issuer) {
		r.refuse(IssuerName, "the certificate is not of the issuer that the credential names")
	}
}

// checkStatus looks the credential up in its status list. One that names a list and is not found there is not authentic; one whose list
// is missing is noted.
func (r *Report) checkStatus(payload map[string]any, store *trust.Store, o Options) {
	v, there := payload["status"]
	if !there {
		return
	}
	r.Revoked = statuslist.NotChecked
	var err error
	if r.Reference, err = statuslist.ReferenceIn(v); r.fail(err) || r.Trust.Chain == nil {
		return
	}
	list := o.Status.For(*r.Reference)
	if list == nil {
		r.note(statuslist.Unchecked, "there is no status list of the credential")
		return
	}
	err = list.Check(statuslist.Credential{Reference: *r.Reference, Chain: r.Trust.Chain}, store, o.Now)
	r.Revoked = statuslist.StateOf(err)
	r.fail(err)
}

// maxAge is how old a holder's signature may be: a presentation is made for one request.
const maxAge = 5 * time.Minute

// checkBinding checks that the holder's key signed this presentation for this request (RFC 9901 section 7.3).
func (r *Report) checkBinding(p *presentation, o Options) {
	if o.Binding == nil {
		r.note(BindingUnchecked, "whether the holder presented the credential was not asked")
		return
	}
	before := len(r.Refusals)
	switch {
	case r.noKey: // which was refused already
		return
	case p.binding == "" || r.holder == nil:
		r.refuse(BindingMissing, "the holder did not sign the presentation, or the credential has no key of the holder")
		return
	}
	t, err := jose.ParseToken(p.binding, maxSize)
	if r.fail(err) {
		return
	}
	if t.Type != "kb+jwt" {
		r.refuse(BindingType, "the holder's token is of another kind than kb+jwt")
	}
	if t.Verify(r.holder) != nil {
		r.refuse(BindingSignature, "the holder's key did not sign the presentation")
	}
	claims, err := t.Claims()
	if r.fail(err) {
		return
	}
	if claims["nonce"] != o.Binding.Nonce || o.Binding.Nonce == "" {
		r.refuse(BindingNonce, "the presentation was made for another request")
	}
	if claims["aud"] != o.Binding.Audience || o.Binding.Audience == "" {
		r.refuse(BindingAudience, "the presentation was made for another verifier")
	}
	hash := hashes[p.digest].New()
	hash.Write([]byte(p.signed))
	if claims["sd_hash"] != base64.RawURLEncoding.EncodeToString(hash.Sum(nil)) {
		r.refuse(BindingHash, "the holder signed other disclosures than were sent")
	}
	r.Presented, err = jose.Time(claims, "iat")
	if !r.fail(err) && (r.Presented.Before(o.Now.Add(-maxAge)) || r.Presented.After(o.Now.Add(skew))) {
		r.refuse(BindingTime, "the holder signed at %s", r.Presented.Format(time.DateTime))
	}
	r.Bound = r.Authentic && len(r.Refusals) == before
}
