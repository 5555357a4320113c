package policy

import (
	"slices"

	"cel.dev/cel-go/cel"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// walletPresented reports whether a wallet presented something that was looked at.
func (f Facts) walletPresented() bool {
	c, asked := f.find(idv.CheckWalletValid)
	missing := func(r idv.Reason) bool { return r.Code == problem.WalletMissing.Code }
	return asked && c.Answer != Skipped && c.Answer != NotRun && !slices.ContainsFunc(c.Reasons, missing)
}

// walletGood reports whether a credential is valid, presented by its holder and known not to be revoked.
func (f Facts) walletGood() bool {
	return f.passed(idv.CheckWalletValid) && f.passed(idv.CheckWalletHolder) && f.passed(idv.CheckWalletRevocation)
}

// walletAlone reports whether a good credential replaces the photographs of a document: none was judged.
func (f Facts) walletAlone() bool {
	readable, _ := f.find(idv.CheckDocumentReadable)
	return readable.Answer == Skipped && f.passed(idv.CheckWalletValid) && f.passed(idv.CheckWalletHolder)
}

// walletVariables are what a rule can ask about a wallet. Of a session without one all are false, and the revocation is not known.
func walletVariables() []Variable {
	fact := func(name, doc string, of func(Facts) bool) Variable {
		return Variable{Name: name, Type: "bool", Doc: doc, cel: cel.BoolType, value: func(f facts) (any, bool) { return of(f.Facts), true }}
	}
	passed := func(k idv.CheckKind) func(Facts) bool { return func(f Facts) bool { return f.passed(k) } }
	return []Variable{
		fact("wallet.present", "Whether a wallet presented a credential.", Facts.walletPresented),
		fact("wallet.valid", "Whether trusted issuers signed it and it is in force.", passed(idv.CheckWalletValid)),
		fact("wallet.holder_bound", "Whether the holder's key signed it for this request.", passed(idv.CheckWalletHolder)),
		{
			Name: "wallet.revocation", Type: "string", Doc: "What is known about the revocation of the credential.", Known: "wallet.present",
			cel: cel.StringType, Values: []string{string(idv.WalletGood), string(idv.WalletRevoked), string(idv.WalletUnknown)},
			value: func(f facts) (any, bool) { return string(f.walletRevocation()), f.walletPresented() },
		},
	}
}

func (f Facts) walletRevocation() idv.WalletRevocation {
	switch c, _ := f.find(idv.CheckWalletRevocation); c.Answer {
	case Passed:
		return idv.WalletGood
	case Failed:
		return idv.WalletRevoked
	default:
		return idv.WalletUnknown
	}
}

// reevaluateWallet answers the checks of a wallet again for another workflow. Nobody knows what a wallet would have presented that the
// workflow of the time did not ask, or asked for something else.
func reevaluateWallet(f *Facts, was, now idv.WorkflowVersion) Unknown {
	if f.walletAlone() && !(now.TakesWallet() && now.WalletInstead) {
		return UnknownCheck // the document that would be needed was never photographed
	}
	if !now.TakesWallet() || f.walletPresented() {
		return ""
	}
	return f.withoutEvidence(absence{
		main: idv.CheckWalletValid, checks: idv.WalletChecks(), changed: was.Wallet != now.Wallet, required: now.Wallet == idv.WalletRequired,
		missing: problem.WalletMissing,
	})
}
