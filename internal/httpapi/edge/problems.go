package edge

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Problems answers errors as problems of the catalogue, and logs those that are not in it.
type Problems struct {
	log    *slog.Logger
	outage func(error) bool // reports that what data is kept in does not work just now; nil: never
}

// Write answers a problem outside of the framework.
func (p *Problems) Write(w http.ResponseWriter, r *http.Request, err error) {
	out := p.Of(r.Context(), err)
	for k, values := range out.GetHeaders() {
		w.Header()[k] = values
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(out.Status)
	if err := json.NewEncoder(w).Encode(out); err != nil {
		p.log.DebugContext(r.Context(), "problem not delivered", "request_id", out.RequestID, "error", err)
	}
}

// Of returns the problem by which an error is answered: its own if it is in the catalogue, otherwise internal. What is not in the
// catalogue is logged here, once; the caller learns the request id.
func (p *Problems) Of(ctx context.Context, err error) *wire.Problem {
	q := requestOf(ctx)
	var told *wire.Problem
	if !errors.As(err, &told) {
		told = wire.NewProblem(p.rowOf(ctx, err), q.asked())
	}
	q.problem = told.Code
	return told
}

// rowOf returns the row of the catalogue for an error, and logs what has none.
func (p *Problems) rowOf(ctx context.Context, err error) *problem.Error {
	if known, ok := problem.As(err); ok {
		if known.Kind.Status == http.StatusInternalServerError && known.Kind.Code != problem.Internal.Code { // an operator has to act on it
			p.log.ErrorContext(ctx, "request failed", "request_id", RequestID(ctx), "error", err)
		}
		return known
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return problem.New(problem.RequestTooLarge)
	case errors.Is(err, context.Canceled) && ctx.Err() != nil: // the client went away
		return problem.New(problem.Unavailable)
	case errors.Is(err, context.DeadlineExceeded):
		p.log.WarnContext(ctx, "deadline exceeded", "request_id", RequestID(ctx), "error", err)
		return problem.New(problem.Unavailable)
	}
	if p.outage != nil && p.outage(err) {
		p.log.ErrorContext(ctx, "the storage does not work", "request_id", RequestID(ctx), "error", err)
		return problem.New(problem.Unavailable).Saying("What the server keeps its data in does not work just now.")
	}
	if errors.Is(ctx.Err(), context.Canceled) { // the client went away, and what was interrupted says so in words of its own
		p.log.InfoContext(ctx, "request given up", "request_id", RequestID(ctx), "error", err)
		return problem.New(problem.Unavailable)
	}
	p.log.ErrorContext(ctx, "request failed", "request_id", RequestID(ctx), "error", err)
	return problem.New(problem.Internal)
}

// Refusal returns the problem for what the framework found wrong with a request. Its messages can contain the rejected value, which
// may be personal data, so only the place is taken over.
func Refusal(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
	e := wire.RefusalOf(status, message, errs)
	if ctx == nil {
		return wire.NewProblem(e, wire.Asked{})
	}
	q := requestOf(ctx.Context())
	q.problem = e.Kind.Code
	return wire.NewProblem(e, q.asked())
}
