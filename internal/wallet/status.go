package wallet

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// lookUp completes what was found with the status of each credential that names a list. Only credentials that are valid are looked up:
// what a stranger made up is not fetched. Without a usable list the status is unknown, and a note says why.
func (x *Extractor) lookUp(ctx context.Context, mode idv.Mode, store *trust.Store, report *openid4vp.Report, found *idv.Wallet) {
	for i := range found.Credentials {
		c := &found.Credentials[i]
		reference, chain := referenceOf(report.Credentials[c.ID])
		if reference == nil || chain == nil || !found.Valid {
			continue
		}
		err := x.status(ctx, mode, store, statuslist.Credential{Reference: *reference, Chain: chain})
		switch statuslist.StateOf(err) {
		case statuslist.Valid:
			c.Revocation = idv.WalletGood
		case statuslist.Invalid, statuslist.OnHold:
			c.Revocation = idv.WalletRevoked
		}
		if why := refusal.Of(err); why != nil {
			found.Notes = append(found.Notes, idv.ChipReason{Code: string(why.Code), Says: why.Says})
		}
	}
	found.Revocation = worst(found.Credentials)
}

// status reports why a credential is not known to be good.
func (x *Extractor) status(ctx context.Context, mode idv.Mode, store *trust.Store, c statuslist.Credential) error {
	if x.options.Lists == nil {
		return refusal.New(statuslist.Unchecked, "no status list is fetched here")
	}
	list, err := x.options.Lists.List(ctx, mode, c.Reference.URI)
	if err != nil {
		if refusal.Of(err) == nil {
			err = refusal.New(statuslist.Unchecked, "the status list could not be fetched")
		}
		return err
	}
	return list.Check(c, store, x.options.Now())
}

func referenceOf(c openid4vp.Credential) (*statuslist.Reference, *trust.Chain) {
	switch {
	case c.SDJWT != nil:
		return c.SDJWT.Reference, c.SDJWT.Trust.Chain
	case c.MDoc != nil:
		return c.MDoc.Reference, c.MDoc.Trust.Chain
	}
	return nil, nil
}
