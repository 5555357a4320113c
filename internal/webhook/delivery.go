package webhook

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// State is where a delivery stands: due → delivered | due (backoff) | given_up.
type State string

// The states.
const (
	Waiting   State = "due"
	Delivered State = "delivered"
	GivenUp   State = "given_up"
)

// pauses are the times between one attempt and the next: 16 attempts over 3 days.
var pauses = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 4 * time.Hour, 6 * time.Hour, 8 * time.Hour, 10 * time.Hour, 12 * time.Hour, 14 * time.Hour, 14 * time.Hour,
}

// jitter is by how much of itself a pause is lengthened or shortened at most, so that deliveries that failed together
// do not come back together.
const jitter = 0.1

// MaxTries is how often a delivery is tried before it is given up.
func MaxTries() int { return len(pauses) + 1 }

// Span is the time between the first try and the last.
func Span() time.Duration {
	var sum time.Duration
	for _, p := range pauses {
		sum += p
	}
	return sum
}

// MaxRetryAfter is how long a pause that a target asks for (Retry-After) is heeded at most. It lengthens the tries of one
// delivery by some five hours at the very most.
const MaxRetryAfter = time.Hour

// LogLife is how long a delivery that is at its end stays in the log.
const LogLife = 30 * 24 * time.Hour

// Delivery is an event on its way to an endpoint.
type Delivery struct {
	ID        idv.DeliveryID
	Endpoint  idv.EndpointID
	Event     idv.EventID
	Type      string
	Session   idv.SessionID // empty for a test event
	State     State
	Attempt   int       // tries since it became due; resending starts over
	NextAt    time.Time // of the next try; zero when there is none
	CreatedAt time.Time
	EndedAt   time.Time // delivered or given up
	Tries     []Try     // oldest first, the last LogTries of them
}

// LogTries is how many tries of a delivery are shown.
const LogTries = 20

// DeliveryFilter narrows a list of deliveries. Zero fields do not narrow.
type DeliveryFilter struct {
	Endpoint idv.EndpointID
	State    State
	Limit    int            // 1 to 100; 0 for 25
	After    idv.DeliveryID // cursor of the page before
}

// Deliveries lists an endpoint's deliveries, newest first, and the cursor of the next page. Problems: not_found,
// request.malformed.
func (s *Service) Deliveries(ctx context.Context, mode idv.Mode, f DeliveryFilter) ([]Delivery, string, error) {
	if _, err := s.Endpoint(ctx, mode, f.Endpoint); err != nil {
		return nil, "", err
	}
	if _, ok := idv.ParseID[idv.DeliveryID](string(f.After)); f.After != "" && !ok {
		return nil, "", badCursor()
	}
	limit := pageSize(f.Limit)
	f.Limit = limit + 1
	found, err := s.store.Deliveries(ctx, f)
	if err != nil || len(found) <= limit {
		return found, "", err
	}
	return found[:limit], string(found[limit-1].ID), nil
}

// Resend makes a delivery due at once, with all its tries before it, also where the target asked for a pause. Problems:
// not_found, webhook.stopped.
func (s *Service) Resend(ctx context.Context, mode idv.Mode, id idv.EndpointID, d idv.DeliveryID) (Delivery, error) {
	e, err := s.Endpoint(ctx, mode, id)
	if err == nil {
		err = e.running()
	}
	if err != nil {
		return Delivery{}, err
	}
	return s.store.Resend(ctx, id, d)
}

// Test sends an event of type webhook.test to one endpoint, also where the target asked for a pause. Problems: not_found,
// webhook.stopped.
func (s *Service) Test(ctx context.Context, mode idv.Mode, id idv.EndpointID) (Delivery, error) {
	e, err := s.Endpoint(ctx, mode, id)
	if err == nil {
		err = e.running()
	}
	if err != nil {
		return Delivery{}, err
	}
	event, err := idv.NewID[idv.EventID](s.now(), s.random)
	if err != nil {
		return Delivery{}, err
	}
	return s.store.AddTest(ctx, e, Event{ID: event, Mode: e.Mode, Type: TestType, At: s.now(), Payload: map[string]any{}})
}

// FeedFilter narrows the feed of events. Zero fields do not narrow.
type FeedFilter struct {
	Mode    idv.Mode
	Types   []string
	Session idv.SessionID
	Limit   int         // 1 to 100; 0 for 25
	After   idv.EventID // cursor: the last event of the page before
	Newest  bool        // newest first, for people; else in the order in which they became visible, oldest first
}

// Feed lists events in the order in which they were committed. A reader that comes back with the last id it saw misses
// none, whatever was under way at the same time. Problems: request.malformed when the cursor is not an event of this mode.
func (s *Service) Feed(ctx context.Context, f FeedFilter) ([]Event, error) {
	if _, ok := idv.ParseID[idv.EventID](string(f.After)); f.After != "" && !ok {
		return nil, badCursor()
	}
	if f.Types == nil {
		f.Types = Types()
	}
	for _, typ := range f.Types {
		if !Told(typ) {
			return nil, problem.New(problem.RequestMalformed).At("type").Saying("There is no event of that type.")
		}
	}
	f.Limit = pageSize(f.Limit)
	return s.store.Feed(ctx, f)
}

func badCursor() error {
	return problem.New(problem.RequestMalformed).At("after").Saying("It is the id that the page before ended with.")
}

func pageSize(n int) int {
	if n <= 0 {
		return 25
	}
	return min(n, 100)
}
