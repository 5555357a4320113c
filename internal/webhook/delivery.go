package webhook

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// State is the state of a delivery: due → delivered | due (after a pause) | given_up.
type State string

// The states.
const (
	Pending   State = "due"
	Delivered State = "delivered"
	GivenUp   State = "given_up"
)

// pauses are the times between one attempt and the next: 16 attempts over 3 days.
var pauses = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 4 * time.Hour, 6 * time.Hour, 8 * time.Hour, 10 * time.Hour, 12 * time.Hour, 14 * time.Hour, 14 * time.Hour,
}

// jitter is the largest share by which a pause is lengthened or shortened, so that deliveries that failed together are not
// repeated together.
const jitter = 0.1

// MaxAttempts returns how many attempts are made at a delivery before it is given up.
func MaxAttempts() int { return len(pauses) + 1 }

// Span returns the time between the first attempt and the last.
func Span() time.Duration {
	var sum time.Duration
	for _, p := range pauses {
		sum += p
	}
	return sum
}

// MaxRetryAfter is the longest pause that a target can ask for (Retry-After). It delays the last attempt at a delivery by
// some five hours at most.
const MaxRetryAfter = time.Hour

// LogLife is how long a delivery stays in the log after it was delivered or given up.
const LogLife = 30 * 24 * time.Hour

// Delivery is an event on its way to an endpoint.
type Delivery struct {
	ID           idv.DeliveryID
	Endpoint     idv.EndpointID
	Event        idv.EventID
	Type         string
	Session      idv.SessionID // empty for a test event
	State        State
	AttemptCount int       // attempts since it became due; resending starts over
	NextAt       time.Time // of the next attempt; zero for none
	CreatedAt    time.Time
	EndedAt      time.Time // delivered or given up
	Attempts     []Attempt // the last LogAttempts, oldest first
}

// LogAttempts is how many attempts at a delivery are shown.
const LogAttempts = 20

// DeliveryFilter narrows a list of deliveries. Zero fields match all.
type DeliveryFilter struct {
	Endpoint idv.EndpointID
	State    State
	Limit    int            // 1 to 100; 0 for 25
	After    idv.DeliveryID // cursor: the last delivery of the page before
}

// Deliveries returns an endpoint's deliveries, newest first, and the cursor of the next page, empty for the last. Problems: not_found,
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

// Resend makes a delivery due at once, with a full set of attempts, even during a pause that the target asked for. Problems:
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

// Test sends an event of type TestType to one endpoint, even during a pause that the target asked for. Problems: not_found,
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

// FeedFilter narrows the feed of events. Zero fields match all.
type FeedFilter struct {
	Mode    idv.Mode
	Types   []string
	Session idv.SessionID
	Limit   int         // 1 to 100; 0 for 25
	After   idv.EventID // cursor: the last event of the page before
	Newest  bool        // newest first; otherwise in the order in which they were committed
}

// Feed returns events in the order in which they were committed. A reader that continues after the last id it has seen
// misses none, even of transactions that were open at the time. Problems: request.malformed when the cursor is not an event of this mode.
func (s *Service) Feed(ctx context.Context, f FeedFilter) ([]Event, error) {
	if _, ok := idv.ParseID[idv.EventID](string(f.After)); f.After != "" && !ok {
		return nil, badCursor()
	}
	if f.Types == nil {
		f.Types = Types()
	}
	for _, typ := range f.Types {
		if !Published(typ) {
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
