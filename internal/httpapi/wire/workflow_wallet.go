package wire

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
)

// WalletOther asks wallets for a credential that no preset has.
type WalletOther struct {
	Format string        `json:"format" enum:"dc+sd-jwt,mso_mdoc" doc:"SD-JWT or mobile document"`
	Type   string        `json:"type" maxLength:"500" example:"urn:example:membership:1" doc:"vct or docType"`
	Claims []WalletClaim `json:"claims" maxItems:"100" nullable:"false"`
}

// WalletClaim is a claim that is asked for.
type WalletClaim struct {
	Path     []string `json:"path" maxItems:"20" nullable:"false" doc:"Names from the outside in; of a mobile document name space and element"`
	Optional bool     `json:"optional" required:"false" doc:"A wallet without it answers, too"`
}

// WalletQueryAsked is a specification whose query is asked for.
type WalletQueryAsked struct {
	Spec WorkflowSpec `json:"spec"`
}

// WalletQuery is the query that wallets receive.
type WalletQuery struct {
	Query *openid4vp.Query `json:"query" doc:"DCQL (OpenID4VP 1.0 section 6); null if nothing can be asked yet"`
}

// WalletQueryOf returns what a version asks wallets for.
func WalletQueryOf(w idv.WorkflowVersion) WalletQuery {
	q := openid4vp.QueryOf(w)
	unnamed := func(o idv.WalletOther) bool { return !idv.IsWalletName(o.Type) || len(o.Claims) == 0 }
	if !w.TakesWallet() || slices.ContainsFunc(w.WalletOthers, unnamed) || q.Check() != nil {
		return WalletQuery{}
	}
	return WalletQuery{Query: q}
}

func walletOthersOf(all []idv.WalletOther) []WalletOther {
	out := []WalletOther{}
	for _, o := range all {
		one := WalletOther{Format: o.Format, Type: o.Type, Claims: []WalletClaim{}}
		for _, c := range o.Claims {
			one.Claims = append(one.Claims, WalletClaim{Path: NonNil(c.Path), Optional: c.Optional})
		}
		out = append(out, one)
	}
	return out
}

// walletOthersFrom is how a version keeps them: not at all where there are none, as in versions from before there was a choice.
func walletOthersFrom(all []WalletOther) (out []idv.WalletOther) {
	for _, o := range all {
		one := idv.WalletOther{Format: o.Format, Type: o.Type, Claims: []idv.WalletClaim{}}
		for _, c := range o.Claims {
			one.Claims = append(one.Claims, idv.WalletClaim{Path: c.Path, Optional: c.Optional})
		}
		out = append(out, one)
	}
	return out
}
