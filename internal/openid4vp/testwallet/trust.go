package testwallet

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// Loader returns whom a deployment trusts.
type Loader interface {
	Load(ctx context.Context, mode idv.Mode) (*trust.Store, error)
}

// Trust is whom a deployment trusts, and in test mode this wallet's issuer besides.
type Trust struct {
	Loader

	Now func() time.Time // nil is time.Now
}

// scopes are the types of credentials that the issuer is trusted for.
var scopes = map[string]trust.Purpose{
	openid4vp.PIDType: trust.Issuer, openid4vp.PIDDoc: trust.IACA, openid4vp.MDLDoc: trust.IACA, openid4vp.AgeDoc: trust.IACA,
}

// Load returns whom the deployment trusts for sessions of a mode. In live mode the issuer of this wallet is trusted for nothing.
func (t Trust) Load(ctx context.Context, mode idv.Mode) (*trust.Store, error) {
	store, err := t.Loader.Load(ctx, mode)
	if err != nil || mode != idv.Test {
		return store, err
	}
	by, err := newIssuer(clock(t.Now))
	if err != nil {
		return nil, err
	}
	more := store.With()
	for scope, purpose := range scopes {
		if err := more.Accept(trust.Anchor{
			Certificate: by.root, Purpose: purpose, Scope: scope, Source: "built in, for test mode", Date: founded, AcceptedAt: founded,
		}); err != nil {
			return nil, err
		}
	}
	return more, nil
}

// Getter gets status lists.
type Getter interface {
	List(ctx context.Context, mode idv.Mode, address string) (*statuslist.List, error)
}

// Lists gets status lists, and in test mode this wallet's own, which no address has.
type Lists struct {
	Getter

	Now func() time.Time // nil is time.Now
}

// List returns the status list at an address.
func (l Lists) List(ctx context.Context, mode idv.Mode, address string) (*statuslist.List, error) {
	if mode != idv.Test || address != listURL {
		return l.Getter.List(ctx, mode, address)
	}
	by, err := newIssuer(clock(l.Now))
	if err != nil {
		return nil, err
	}
	raw, err := by.statusList(clock(l.Now))
	if err != nil {
		return nil, err
	}
	return statuslist.Parse([]byte(raw))
}

func clock(now func() time.Time) time.Time {
	if now == nil {
		return time.Now()
	}
	return now()
}
