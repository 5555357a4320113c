// Package sandbox lets test personas take an applicant's steps in sessions of test mode.
package sandbox

import (
	"log/slog"

	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// Service lets personas act. It is safe for concurrent use.
type Service struct {
	life      *session.Lifecycle
	store     Store
	applicant *applicant.Service
	log       *slog.Logger
}

// New returns a Service whose personas act through the calls of an applicant's browser.
func New(life *session.Lifecycle, st Store, a *applicant.Service, log *slog.Logger) *Service {
	return &Service{life: life, store: st, applicant: a, log: log}
}
