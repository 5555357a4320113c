package testchip

import (
	"context"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// Loader returns whom a deployment trusts.
type Loader interface {
	Load(ctx context.Context, mode idv.Mode) (*trust.Store, error)
}

// Trust is whom a deployment trusts, and in test mode the state of these chips besides, with a revocation list of today that is empty.
type Trust struct {
	Loader

	Now func() time.Time // nil is time.Now
}

// trusted is made once in a process: signing takes randomness, and what is trusted should not change under those who look.
var trusted = sync.OnceValue(func() *emrtdtest.Holder { return authority(stateKey) })

// Load returns whom the deployment trusts for sessions of a mode. In live mode this state is trusted for nothing.
func (t Trust) Load(ctx context.Context, mode idv.Mode) (*trust.Store, error) {
	store, err := t.Loader.Load(ctx, mode)
	if err != nil || mode != idv.Test {
		return store, err
	}
	now := time.Now()
	if t.Now != nil {
		now = t.Now()
	}
	state, more := trusted(), store.With()
	if err := more.Accept(trust.Anchor{
		Certificate: state.Cert, Purpose: trust.CSCA, Scope: "UT", Source: "built in, for test mode", Date: founded, AcceptedAt: founded,
	}); err != nil {
		return nil, err
	}
	list, err := pki.ParseRevocationList(state.CRL(now.AddDate(0, 0, -1), now.AddDate(0, 1, 0)))
	if err != nil {
		return nil, err
	}
	return more, more.AcceptCRL(list, now)
}
