package workflow

import "github.com/bonafide-id/bonafide/internal/idv"

// membership asks wallets for one claim of a credential that no preset has.
func membership(format string, path ...string) func(*idv.WorkflowVersion) {
	return func(w *idv.WorkflowVersion) {
		w.WalletOthers = []idv.WalletOther{{Format: format, Type: "x", Claims: []idv.WalletClaim{{Path: path}}}}
	}
}
