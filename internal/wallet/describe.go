package wallet

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/chip"
	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// shortLived is for how long a credential is good, at most, that need not name a status list (PID Rulebook, VCR_01: it expires before a
// revocation would take effect).
const shortLived = 24 * time.Hour

// Describe says what a report found, as the checks and reviewers need it. Revocation is not looked up: it is good of credentials alone
// that are too short-lived to be revoked.
func Describe(answer idv.WalletAnswer, r *openid4vp.Request, report *openid4vp.Report) idv.Wallet {
	sum := sha256.Sum256(report.Transcript)
	out := idv.Wallet{
		Valid: report.Satisfied, HolderBound: len(report.Credentials) > 0, Revocation: idv.WalletGood, Refusals: chip.Reasons(report.Refusals),
		Notes: []idv.ChipReason{}, Channel: string(r.Mode), Verifier: r.Verifier(), SameDevice: answer.SameDevice, Asked: []idv.WalletAsked{},
		Credentials: []idv.WalletCredential{}, Transcript: idv.Digest(hex.EncodeToString(sum[:])), Ages: []idv.WalletAge{}, CheckedAt: answer.ReceivedAt,
	}
	for _, q := range r.Query.Credentials {
		types := q.Meta.Types
		if q.Meta.DocType != "" {
			types = []string{q.Meta.DocType}
		}
		out.Asked = append(out.Asked, idv.WalletAsked{ID: q.ID, Format: string(q.Format), Types: types, Claims: q.Asked()})
	}
	for _, id := range slices.Sorted(maps.Keys(report.Credentials)) {
		c := report.Credentials[id]
		credential, bound, notes := describe(id, c)
		out.HolderBound = out.HolderBound && bound
		out.Credentials = append(out.Credentials, credential)
		out.Notes = append(out.Notes, chip.Reasons(notes)...)
	}
	out.Revocation = worst(out.Credentials)
	return out
}

// describe says what was found about one credential.
func describe(id string, c openid4vp.Credential) (idv.WalletCredential, bool, []*refusal.Refusal) {
	var out idv.WalletCredential
	var reference *statuslist.Reference
	var bound bool
	var notes []*refusal.Refusal
	if r := c.SDJWT; r != nil {
		out = idv.WalletCredential{
			ID: id, Format: string(openid4vp.SDJWT), Type: r.Type, Issuer: r.Issuer, Algorithm: r.Algorithm, Disclosed: r.Disclosed,
			Signed: r.IssuedAt, ValidFrom: r.NotBefore, ValidUntil: r.Expires, Presented: r.Presented,
		}
		trusted(&out, r.Signer, r.Trust)
		reference, bound, notes = r.Reference, r.Bound, r.Notes
	} else if r := c.MDoc; r != nil {
		out = idv.WalletCredential{
			ID: id, Format: string(openid4vp.MDoc), Type: r.Type, Algorithm: cose.AlgorithmName(r.Algorithm), Disclosed: r.Disclosed,
			Signed: r.Signed, ValidFrom: r.ValidFrom, ValidUntil: r.ValidUntil,
		}
		trusted(&out, r.Signer, r.Trust)
		reference, bound, notes = r.Reference, r.Bound, r.Notes
	}
	out.Revocation = idv.WalletUnknown
	switch {
	case reference != nil:
		out.StatusList, out.StatusAt = reference.URI, reference.Index
	case !out.Signed.IsZero() && !out.ValidUntil.IsZero() && out.ValidUntil.Sub(out.Signed) <= shortLived:
		out.Revocation = idv.WalletGood
	}
	notes = slices.DeleteFunc(slices.Clone(notes), func(n *refusal.Refusal) bool { return n.Code == statuslist.Unchecked }) // it is looked up after
	return out, bound, notes
}

func trusted(out *idv.WalletCredential, signer *pki.Certificate, why trust.Explanation) {
	out.Missing, out.Path = why.Missing, []idv.ChipIssuer{}
	if signer == nil {
		return
	}
	out.Path = chip.Issuers([]*pki.Certificate{signer})
	if chain := why.Chain; chain != nil {
		out.Path = chip.Issuers(chain.Path)
		out.Anchor = &idv.ChipAnchor{Country: chain.Anchor.Scope, Source: chain.Anchor.Source, AcceptedAt: chain.Anchor.AcceptedAt}
	}
}

// worst is what is known about the revocation of all credentials together.
func worst(all []idv.WalletCredential) idv.WalletRevocation {
	is := func(state idv.WalletRevocation) func(idv.WalletCredential) bool {
		return func(c idv.WalletCredential) bool { return c.Revocation == state }
	}
	switch {
	case slices.ContainsFunc(all, is(idv.WalletRevoked)):
		return idv.WalletRevoked
	case len(all) == 0 || slices.ContainsFunc(all, is(idv.WalletUnknown)):
		return idv.WalletUnknown
	}
	return idv.WalletGood
}
