package checker

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// withWallet is the evidence of a passport with a good credential.
func withWallet(t *testing.T, change func(*idv.Wallet)) *scene {
	e := clean(t)
	w := idv.Wallet{Valid: true, HolderBound: true, Revocation: idv.WalletGood, SameDevice: true}
	if change != nil {
		change(&w)
	}
	return e.present(idv.ArtifactWallet, idv.NoSide, w)
}

// withAge is the evidence of a credential that states an age alone, where nothing else was asked for.
func withAge(t *testing.T, asks ...idv.WalletAsk) *scene {
	e := withWallet(t, func(w *idv.Wallet) { w.Ages = []idv.WalletAge{{Over: 18, Is: true}} })
	e.Artifacts = slices.DeleteFunc(e.Artifacts, func(a idv.Artifact) bool { return a.Kind != idv.ArtifactWallet })
	e.Claims, e.Workflow.WalletAsks = nil, asks
	return e
}

func TestAWalletIsJudged(t *testing.T) {
	refusedFor := func(codes ...string) func(*idv.Wallet) {
		return func(w *idv.Wallet) {
			w.Valid, w.HolderBound = false, false
			for _, code := range codes {
				w.Refusals = append(w.Refusals, idv.ChipReason{Code: code})
			}
		}
	}
	requiring := func(e *scene) *scene { e.Workflow.Wallet = idv.WalletRequired; return e }
	for name, tt := range map[string]struct {
		of      idv.Checker
		on      *scene
		skipped bool
		outcome idv.Outcome
		reasons []string
	}{
		"a good credential":        {of: WalletValid{}, on: withWallet(t, nil), outcome: idv.Pass},
		"none, if one is offered":  {of: WalletValid{}, on: clean(t), skipped: true},
		"none, if one is required": {of: WalletValid{}, on: requiring(clean(t)), outcome: idv.Inconclusive, reasons: []string{"wallet.missing"}},
		"one that nobody trusts": {
			of: WalletValid{}, on: withWallet(t, refusedFor("trust.anchor_missing")),
			outcome: idv.Inconclusive, reasons: []string{"trust.anchor_missing"},
		},
		"one that was changed": {
			of: WalletValid{}, on: withWallet(t, refusedFor("sdjwt.not_referenced", "sdjwt.not_referenced")),
			outcome: idv.Fail, reasons: []string{"sdjwt.not_referenced"},
		},
		"its holder": {of: WalletHolder{}, on: withWallet(t, nil), outcome: idv.Pass},
		"a holder who did not sign": {
			of: WalletHolder{}, on: withWallet(t, func(w *idv.Wallet) { w.HolderBound = false }),
			outcome: idv.Inconclusive, reasons: []string{"wallet.holder_unproved"},
		},
		"no holder without a wallet": {of: WalletHolder{}, on: clean(t), skipped: true},
		"a status that is good":      {of: WalletRevocation{}, on: withWallet(t, nil), outcome: idv.Pass},
		"a status that is revoked": {
			of: WalletRevocation{}, on: withWallet(t, func(w *idv.Wallet) { w.Revocation = idv.WalletRevoked }),
			outcome: idv.Fail, reasons: []string{"wallet.revoked"},
		},
		"a status that is unknown": {
			of: WalletRevocation{}, on: withWallet(t, func(w *idv.Wallet) { w.Revocation = idv.WalletUnknown }),
			outcome: idv.Inconclusive, reasons: []string{"wallet.revocation_unknown"},
		},
		"a status that nobody wrote down": {
			of: WalletRevocation{}, on: withWallet(t, func(w *idv.Wallet) { w.Revocation = "" }),
			outcome: idv.Inconclusive, reasons: []string{"wallet.revocation_unknown"},
		},
		"the facts of an age alone": {of: FactsAgree{}, on: withAge(t, idv.AskAge), skipped: true},
		"an age alone where more was asked for, too": {
			of: FactsAgree{}, on: withAge(t, idv.AskAge, idv.AskPID), outcome: idv.Inconclusive, reasons: []string{"document.unconfirmed"},
		},
		"no revocation without a wallet": {of: WalletRevocation{}, on: clean(t), skipped: true},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := tt.of.Check(context.Background(), tt.on.Evidence)
			if err != nil {
				t.Fatal(err)
			}
			if f.NotApply != tt.skipped || !tt.skipped && f.Outcome != tt.outcome {
				t.Errorf("finding %+v", f)
			}
			var got []string
			for _, r := range f.Reasons {
				got = append(got, r.Code)
			}
			if diff := cmp.Diff(tt.reasons, got); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAWalletsStatementOfAnAge(t *testing.T) {
	for name, tt := range map[string]struct {
		limit   int
		ages    []idv.WalletAge
		outcome idv.Outcome
		reason  string
	}{
		"old enough":                 {18, []idv.WalletAge{{Over: 18, Is: true}}, idv.Pass, ""},
		"older than is asked for":    {18, []idv.WalletAge{{Over: 21, Is: true}}, idv.Pass, ""},
		"too young":                  {18, []idv.WalletAge{{Over: 18, Is: false}}, idv.Fail, "person.under_age"},
		"too young for less":         {18, []idv.WalletAge{{Over: 16, Is: false}}, idv.Fail, "person.under_age"},
		"old enough for less":        {18, []idv.WalletAge{{Over: 16, Is: true}}, idv.Inconclusive, "document.readers_disagree"},
		"not old enough for more":    {18, []idv.WalletAge{{Over: 21, Is: false}}, idv.Inconclusive, "document.readers_disagree"},
		"statements that contradict": {18, []idv.WalletAge{{Over: 18, Is: true}, {Over: 16, Is: false}}, idv.Inconclusive, "document.facts_disagree"},
	} {
		t.Run(name, func(t *testing.T) {
			e := withWallet(t, func(w *idv.Wallet) { w.Ages = tt.ages })
			e.Claims, e.Workflow.MinimumAge = nil, tt.limit
			f, err := AgeLimit{}.Check(context.Background(), e.Evidence)
			if err != nil || f.Outcome != tt.outcome || tt.reason != "" && f.Reasons[0].Code != tt.reason {
				t.Errorf("finding %+v, %v", f, err)
			}
			if tt.outcome == idv.Fail && f.Reasons[0].Confirmed != idv.BySignature {
				t.Errorf("an age that an issuer signed is confirmed by %q", f.Reasons[0].Confirmed)
			}
		})
	}
}

func TestAWalletAndThePageAreCompared(t *testing.T) {
	e := withWallet(t, nil)
	e.Claims = append(e.Claims, idv.Claim{Name: idv.DateOfBirth, Value: "1901-01-01", Source: idv.FromWallet, Confidence: 1})
	f, err := FactsAgree{}.Check(context.Background(), e.Evidence)
	if err != nil || f.Outcome != idv.Fail {
		t.Errorf("a wallet that says another day: %+v, %v", f, err)
	}
}
