package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// problemOf is the one place where an error becomes an answer. A catalogue problem is told; anything else is
// a bug or an outage: it is logged here, once, and the caller learns the request id.
func problemOf(ctx context.Context, log *slog.Logger, err error) *wire.Problem {
	q := known(ctx)
	var told *wire.Problem
	if !errors.As(err, &told) {
		told = wire.NewProblem(rowOf(ctx, log, err), q.id)
	}
	q.problem = told.Code
	return told
}

// rowOf finds the catalogue's row for an error, and logs what has none.
func rowOf(ctx context.Context, log *slog.Logger, err error) *problem.Error {
	if p, ok := problem.As(err); ok {
		return p
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return problem.New(problem.RequestTooLarge)
	case errors.Is(err, context.Canceled) && ctx.Err() != nil: // the client went away
		return problem.New(problem.Unavailable)
	case errors.Is(err, context.DeadlineExceeded):
		log.WarnContext(ctx, "deadline exceeded", "request_id", requestID(ctx), "error", err)
		return problem.New(problem.Unavailable)
	}
	log.ErrorContext(ctx, "request failed", "request_id", requestID(ctx), "error", err)
	return problem.New(problem.Internal)
}

// refusal turns what the framework found wrong with a request into a catalogue problem. Its messages can hold
// the rejected value, which may be personal data, so only the place is taken over.
func refusal(ctx huma.Context, status int, _ string, errs ...error) huma.StatusError {
	e := wire.RefusalOf(status, errs)
	if ctx == nil {
		return wire.NewProblem(e, "")
	}
	q := known(ctx.Context())
	q.problem = e.Kind.Code
	return wire.NewProblem(e, q.id)
}
