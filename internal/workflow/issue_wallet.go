package workflow

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// walletAsks checks what wallets are asked for.
func (l *issues) walletAsks(w idv.WorkflowVersion) {
	for i, a := range w.WalletAsks {
		switch {
		case !slices.Contains(idv.WalletAsks(), a) || slices.Index(w.WalletAsks, a) != i:
			l.add(pointer("/wallet_asks", i), "One of pid, mdl, age, each once.")
		case a == idv.AskAge && len(w.WalletAsks) > 1:
			l.add(pointer("/wallet_asks", i), "An age can only be requested on its own.")
		case a == idv.AskAge && w.MinimumAge == 0:
			l.add(pointer("/wallet_asks", i), "It needs a minimum age.")
		}
	}
}

// walletOthers checks the credentials that no preset has.
func (l *issues) walletOthers(w idv.WorkflowVersion) {
	if len(w.WalletOthers) > idv.MostWalletOthers {
		l.add("/wallet_others", "At most %d.", idv.MostWalletOthers)
	}
	if len(w.WalletOthers) > 0 && slices.Contains(w.WalletAsks, idv.AskAge) {
		l.add("/wallet_others", "An age can only be requested on its own.")
	}
	for i, other := range w.WalletOthers {
		at := pointer("/wallet_others", i)
		same := func(o idv.WalletOther) bool { return o.Type == other.Type && o.Format == other.Format }
		switch {
		case !slices.Contains(idv.WalletFormats(), other.Format):
			l.add(at+"/format", "One of dc+sd-jwt, mso_mdoc.")
		case !idv.IsWalletName(other.Type):
			l.add(at+"/type", "The vct or docType of the credential, without spaces.")
		case idv.HasWalletPreset(other.Type):
			l.add(at+"/type", "Use the preset for this.")
		case slices.IndexFunc(w.WalletOthers, same) != i:
			l.add(at+"/type", "It is asked for twice.")
		}
		l.walletClaims(at+"/claims", other)
	}
}

// walletClaims checks what is asked of one credential.
func (l *issues) walletClaims(at string, other idv.WalletOther) {
	needed := func(c idv.WalletClaim) bool { return !c.Optional }
	if len(other.Claims) > idv.MostWalletClaims || !slices.ContainsFunc(other.Claims, needed) {
		l.add(at, "At most %d, and at least one that is not optional.", idv.MostWalletClaims)
	}
	for i, c := range other.Claims {
		same := func(o idv.WalletClaim) bool { return slices.Equal(o.Path, c.Path) }
		switch {
		case !c.IsPath(other.Format) && other.Format == idv.WalletMDoc:
			l.add(pointer(at, i), "Enter a name space and an element.")
		case !c.IsPath(other.Format):
			l.add(pointer(at, i), "One to %d names, without spaces.", idv.MostWalletSteps)
		case slices.IndexFunc(other.Claims, same) != i:
			l.add(pointer(at, i), "It is asked for twice.")
		}
	}
}
