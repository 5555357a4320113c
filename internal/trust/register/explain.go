package register

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/why"
)

// Explain says why a file is trusted in a mode or not. Nothing of it is kept. Problems: request.malformed, trust.nothing_signed.
func (r *Register) Explain(ctx context.Context, mode idv.Mode, q why.Question) (why.Answer, error) {
	switch {
	case mode != idv.Live && mode != idv.Test:
		return why.Answer{}, malformed("mode", "live or test")
	case q.Purpose != "" && q.Purpose != trust.CSCA && q.Purpose != trust.IACA && q.Purpose != trust.Issuer:
		return why.Answer{}, malformed("purpose", "csca, iaca or issuer")
	case (q.Purpose == trust.IACA || q.Purpose == trust.Issuer) && !scopeForm.MatchString(q.Scope):
		return why.Answer{}, malformed("scope", "the docType of an iaca, the vct of an issuer")
	}
	store, err := r.Load(ctx, mode)
	if err != nil {
		return why.Answer{}, err
	}
	q.Now = r.now()
	a, err := why.Ask(q, store)
	return a, asProblem(err)
}
