package load

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// readers look at the console while sessions are made: each holds one event stream open and asks for a page every pause, the
// list, a session, the queue and the figures by turns. Pages, too, count from the moment at which they were meant to be asked for.
type readers struct {
	c       *client
	cookie  who
	session string // that the streams and the session page are of
	events  atomic.Int64

	mu     sync.Mutex
	took   []time.Duration
	errors map[string]int
}

// pages are what a reader asks for by turns.
func (r *readers) pages() []string {
	return []string{
		"/v1/console/sessions?mode=test&limit=50", "/v1/console/sessions/" + r.session, "/v1/console/cases?mode=test",
		"/v1/console/sessions?mode=test&state=created&limit=50",
	}
}

// run reads with n readers until the context ends.
func (r *readers) run(ctx context.Context, n int, pause time.Duration) {
	r.errors = map[string]int{}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { r.read(ctx, i, pause/time.Duration(n)*time.Duration(i), pause) })
		all.Go(func() { r.watch(ctx, i) })
	}
	all.Wait()
}

func (r *readers) read(ctx context.Context, turn int, first, pause time.Duration) {
	pages := r.pages()
	for next := time.Now().Add(first); ; next = next.Add(pause) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(next)):
		}
		_, _, err := r.c.call(context.WithoutCancel(ctx), r.cookie, http.MethodGet, pages[turn%len(pages)], nil)
		turn++
		r.note(time.Since(next), wrong(err))
	}
}

func (r *readers) note(took time.Duration, wrong string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if wrong != "" {
		r.errors[wrong]++
		return
	}
	r.took = append(r.took, took)
}

// watch holds an event stream open. One that ends by itself is an error.
func (r *readers) watch(ctx context.Context, turn int) {
	path := "/v1/console/cases/events?mode=test"
	if turn%2 == 1 {
		path = "/v1/console/events?session=" + r.session
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.c.base+path, nil)
	if err != nil {
		r.note(0, "stream")
		return
	}
	req.Header.Set(r.cookie.name, r.cookie.value)
	res, err := r.c.http.Do(req)
	if err != nil {
		if ctx.Err() == nil {
			r.note(0, "stream")
		}
		return
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		r.note(0, "stream "+refused(res.StatusCode).Error())
		return
	}
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "event:") {
			r.events.Add(1)
		}
	}
	if ctx.Err() == nil {
		r.note(0, "stream ended")
	}
}

// anySession answers the id of the newest session.
func (c *client) anySession(ctx context.Context, cookie who) (string, error) {
	raw, _, err := c.call(ctx, cookie, http.MethodGet, "/v1/console/sessions?mode=test&limit=1", nil)
	if err != nil {
		return "", err
	}
	var page struct {
		Items []struct {
			ID string `json:"id"`
		} `json:"items"`
	}
	if err := json.Unmarshal(raw, &page); err != nil || len(page.Items) == 0 {
		return "", refused(http.StatusNotFound)
	}
	return page.Items[0].ID, nil
}
