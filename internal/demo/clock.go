package demo

import (
	"sync"
	"time"
)

// Clock is a clock that is set by whoever tells a story. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
	at  time.Time
}

// NewClock makes a clock that stands at now, beyond which no story goes.
func NewClock(now time.Time) *Clock {
	now = now.UTC().Truncate(time.Microsecond)
	return &Clock{now: now, at: now}
}

// Now is what the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Set sets the clock.
func (c *Clock) Set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at.UTC().Truncate(time.Microsecond)
}

// pass lets time go by; false, and nothing happens, where that would go beyond now.
func (c *Clock) pass(d time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at.Add(d).After(c.now) {
		return false
	}
	c.at = c.at.Add(d).Truncate(time.Microsecond)
	return true
}
