package webhook

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Reach is how the deployment reaches addresses that an operator typed: the same ones that webhooks may be sent to, in live mode.
type Reach struct {
	Client *http.Client // follows no redirect, and refuses private addresses as it connects
	Check  func(ctx context.Context, url string) error
}

// Reach returns how the deployment fetches from addresses that an operator typed. Problems of Check: webhook.target_refused.
func (s *Service) Reach() Reach {
	return Reach{Client: s.client, Check: func(ctx context.Context, url string) error { return s.guard.check(ctx, url, idv.Live) }}
}
