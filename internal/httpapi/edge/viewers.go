package edge

import (
	"sync"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// How many live updates may be open at a time.
const (
	StreamsPerBrowser = 4  // of the applicant
	StreamsPerSession = 16 // beyond which a browser that only watches gets none
)

// Viewers counts the open live updates of applicants. The zero value is ready.
type Viewers struct {
	mu      sync.Mutex
	browser map[string]int
	session map[idv.SessionID]int
}

// Add counts one more of a browser, unless it has too many. Call done when it has ended. Those who only watch cannot keep
// out the browser that has the session.
func (s *Viewers) Add(id idv.SessionID, browser string, watches bool) (done func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser == nil {
		s.browser, s.session = map[string]int{}, map[idv.SessionID]int{}
	}
	if s.browser[browser] >= StreamsPerBrowser || watches && s.session[id] >= StreamsPerSession {
		return nil, false
	}
	s.browser[browser]++
	s.session[id]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.browser[browser]--; s.browser[browser] == 0 {
			delete(s.browser, browser)
		}
		if s.session[id]--; s.session[id] == 0 {
			delete(s.session, id)
		}
	}, true
}
