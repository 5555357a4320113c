package checker

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// judgesWallet is part of the checkers that judge what a wallet presented.
type judgesWallet struct{}

// Needs nothing: a wallet may not have been asked.
func (judgesWallet) Needs() []idv.ArtifactKind { return nil }

// Heeds the answer of a wallet.
func (judgesWallet) Heeds() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactWallet} }

// noWallet is the finding of a session without a wallet, for a check that judges one.
func noWallet() idv.Finding { return idv.DoesNotApply("No credential was presented.") }

// WalletValid asks whether trusted issuers signed what the wallet presented, whether it is in force, and whether it is what was asked for
// (OpenID4VP 1.0 section 8.6, SD-JWT VC section 3, ISO/IEC 18013-5 section 9.3). It fails for signs of a change or a forgery; if trust is
// missing it is undecided. If the workflow requires a wallet and none was presented it is undecided for wallet.missing.
type WalletValid struct{ judgesWallet }

// Kind is wallet.valid.
func (WalletValid) Kind() idv.CheckKind { return idv.CheckWalletValid }

// Check judges the refusals; the gravest severity decides.
func (WalletValid) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	w, ok, err := ev.Wallet()
	switch {
	case err != nil:
		return idv.Finding{}, err
	case !ok && ev.Workflow.Wallet == idv.WalletRequired:
		return idv.Undecided(idv.Reason{Code: problem.WalletMissing.Code}), nil
	case !ok:
		return noWallet(), nil
	case w.Valid:
		return ofWallet(ev, idv.Passed()), nil
	}
	reasons, suspect := reasonsOf(w.Refusals)
	if suspect {
		return ofWallet(ev, idv.Failed(reasons...)), nil
	}
	return ofWallet(ev, idv.Undecided(reasons...)), nil
}

// reasonsOf returns each code once, and whether one of them is suspect.
func reasonsOf(refusals []idv.ChipReason) (reasons []idv.Reason, suspect bool) {
	for _, r := range refusals {
		if slices.ContainsFunc(reasons, func(o idv.Reason) bool { return o.Code == r.Code }) {
			continue
		}
		k, _ := problem.Lookup(r.Code)
		suspect = suspect || k.Severity == problem.Suspect
		reasons = append(reasons, idv.Reason{Code: r.Code})
	}
	return reasons, suspect
}

// ofWallet completes a finding with what it rests on.
func ofWallet(ev idv.Evidence, f idv.Finding) idv.Finding {
	if a, ok := ev.Artifact(idv.ArtifactWallet, idv.NoSide); ok {
		f.Inputs = inputsOf(a)
	}
	return f
}

// WalletHolder asks whether the holder presented the credential: the key to which the issuer bound it signed the answer for this request.
// That the holder is the applicant is another question, which the live face answers.
type WalletHolder struct{ judgesWallet }

// Kind is wallet.holder.
func (WalletHolder) Kind() idv.CheckKind { return idv.CheckWalletHolder }

// Check is undecided for wallet.holder_unproved.
func (WalletHolder) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	w, ok, err := ev.Wallet()
	switch {
	case err != nil:
		return idv.Finding{}, err
	case !ok:
		return noWallet(), nil
	case w.HolderBound:
		f := ofWallet(ev, idv.Passed())
		if !w.SameDevice {
			f.Note = "A wallet on another device answered: nothing shows that it is the applicant's."
		}
		return f, nil
	}
	return ofWallet(ev, idv.Undecided(idv.Reason{Code: problem.WalletHolderUnproved.Code})), nil
}

// WalletRevocation asks whether the credential is known not to be revoked (Token Status List), or is too short-lived to be.
type WalletRevocation struct{ judgesWallet }

// Kind is wallet.revocation.
func (WalletRevocation) Kind() idv.CheckKind { return idv.CheckWalletRevocation }

// Check fails for wallet.revoked, and is undecided for wallet.revocation_unknown without a list that can be used.
func (WalletRevocation) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	w, ok, err := ev.Wallet()
	switch {
	case err != nil:
		return idv.Finding{}, err
	case !ok:
		return noWallet(), nil
	case w.Revocation == idv.WalletRevoked:
		return ofWallet(ev, idv.Failed(idv.Reason{Code: problem.WalletRevoked.Code})), nil
	case w.Revocation == idv.WalletGood:
		return ofWallet(ev, idv.Passed()), nil
	}
	return ofWallet(ev, idv.Undecided(idv.Reason{Code: problem.WalletRevocationUnknown.Code})), nil
}

// walletAge answers the question of the age by a wallet's own statement: good ones that it states, and bad ones.
func walletAge(ev idv.Evidence) (old, young bool, err error) {
	w, ok, err := ev.Wallet()
	if err != nil || !ok {
		return false, false, err
	}
	for _, a := range w.Ages {
		old = old || a.Is && a.Over >= ev.Workflow.MinimumAge
		young = young || !a.Is && a.Over <= ev.Workflow.MinimumAge
	}
	return old, young, nil
}

// OfWallet returns the checkers that judge what a wallet presented.
func OfWallet() []idv.Checker {
	return []idv.Checker{WalletValid{}, WalletHolder{}, WalletRevocation{}}
}
