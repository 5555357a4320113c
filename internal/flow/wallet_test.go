package flow

import (
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestACredentialTakesTheDocumentOutOfThePlan(t *testing.T) {
	w := idv.PictureWorkflow(idv.Test)
	w.Wallet, w.WalletAsks, w.WalletInstead = idv.WalletOffered, []idv.WalletAsk{idv.AskPID}, true
	for standing, want := range map[idv.WalletStanding]struct {
		step    idv.Step
		total   int
		problem string
	}{
		idv.NoWallet:     {idv.StepChoose, 4, ""},
		idv.WalletBeside: {idv.StepChoose, 4, ""},
		idv.WalletNoGood: {idv.StepChoose, 4, "wallet.not_usable"},
		idv.WalletStands: {idv.StepSelfie, 2, ""},
	} {
		t.Run("counts for "+string(standing), func(t *testing.T) {
			s := idv.Session{State: idv.Capturing, Consented: true, Wallet: standing}
			task := Plan(s, w.For(s), []idv.Capture{{Step: idv.StepWallet, Kind: idv.WalletData}})
			code := ""
			if task.Problem != nil {
				code = task.Problem.Code
			}
			if task.Step != want.step || task.Total != want.total || code != want.problem || task.Wallet != idv.WalletOffered || task.WalletHas != standing {
				t.Errorf("planned %+v, problem %q", task, code)
			}
		})
	}
	if s := (idv.Session{Wallet: idv.WalletStands}); slices.Contains(w.For(s).Steps, idv.StepDocumentFront) || !slices.Contains(w.Steps, idv.StepDocumentFront) {
		t.Error("the workflow of a session with a credential asks for a document, or the version was changed")
	}
}
