package webhook

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// Change is what somebody changes about an endpoint. Nil fields stay as they are.
type Change struct {
	URL     *string
	Events  *[]string // empty for all
	Content *Content
	Paused  *bool // while it is paused nothing is sent; what becomes due waits
}

// Change changes an endpoint as it was read. What waits is sent with the new address and content. Problems: webhook.target_refused,
// request.malformed, unavailable when the endpoint was changed since.
func (s *Service) Change(ctx context.Context, e Endpoint, c Change) (Endpoint, error) {
	var err error
	if c.Events != nil {
		if e.Events, err = checkEvents(*c.Events); err != nil {
			return Endpoint{}, err
		}
	}
	if c.Content != nil {
		if e.Content, err = checkContent(*c.Content); err != nil {
			return Endpoint{}, err
		}
	}
	if c.URL != nil {
		if err := s.guard.check(ctx, *c.URL, e.Mode); err != nil {
			return Endpoint{}, err
		}
		e.URL = *c.URL
	}
	resumed := false
	if c.Paused != nil {
		switch held := !e.HeldAt.IsZero(); {
		case *c.Paused && !held:
			e.HeldAt = s.now()
		case !*c.Paused:
			e.HeldAt, resumed = time.Time{}, held
		}
	}
	if err := s.store.ChangeEndpoint(ctx, e, resumed); err != nil {
		return Endpoint{}, err
	}
	return s.Endpoint(ctx, e.Mode, e.ID)
}

// checkContent returns a content, ContentIDs for none. Problems: request.malformed.
func checkContent(c Content) (Content, error) {
	if c == "" {
		return ContentIDs, nil
	}
	for _, known := range Contents() {
		if c == known {
			return c, nil
		}
	}
	return "", problem.New(problem.RequestMalformed).At("/content").Saying("It is ids, reference or session.")
}
