package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/bonafide-id/bonafide/bench/server"
)

// callTime is how long a call may take before it counts as an error.
const callTime = 10 * time.Second

// client calls the server as many clients would: connections are kept, and there are as many as are needed.
type client struct {
	base, key string
	http      *http.Client
}

func newClient(s *server.Server) *client {
	return &client{base: s.Base, key: s.Key, http: &http.Client{Transport: &http.Transport{
		MaxIdleConns: 1024, MaxIdleConnsPerHost: 1024, IdleConnTimeout: time.Minute,
	}}}
}

// who signs a call.
type who struct{ name, value string }

func (c *client) integrator() who { return who{"Authorization", "Bearer " + c.key} }

// call sends a call and reads its whole answer. Anything but a 2xx is an error that names the status.
func (c *client) call(ctx context.Context, as who, method, path string, sent any, header ...string) (body []byte, h http.Header, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var in io.Reader
	if sent != nil {
		raw, err := json.Marshal(sent)
		if err != nil {
			return nil, nil, fmt.Errorf("encode a call: %w", err)
		}
		in = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, in)
	if err != nil {
		return nil, nil, fmt.Errorf("make a call: %w", err)
	}
	if as.name != "" {
		req.Header.Set(as.name, as.value)
	}
	if sent != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, nil, fmt.Errorf("call: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if body, err = io.ReadAll(res.Body); err != nil {
		return nil, nil, fmt.Errorf("read an answer: %w", err)
	}
	if res.StatusCode/100 != 2 {
		return nil, nil, refused(res.StatusCode)
	}
	return body, res.Header, nil
}

// refused is the status of an answer that is not the one that was wanted.
type refused int

// Error implements error.
func (r refused) Error() string { return "HTTP " + strconv.Itoa(int(r)) }

// wrong is an error in a word that can be counted.
func wrong(err error) string {
	if err == nil {
		return ""
	}
	if r, ok := errors.AsType[refused](err); ok {
		return r.Error()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "no answer in time"
	}
	return "connection"
}

// create makes a session as the quick start does: with a reference, one pair of metadata and an idempotency key.
func (c *client) create(ctx context.Context, n int64) error {
	ref := "order-" + strconv.FormatInt(n, 10)
	_, _, err := c.call(ctx, c.integrator(), http.MethodPost, "/v1/sessions",
		map[string]any{"external_reference": ref, "metadata": map[string]string{"shop": "main"}}, "Idempotency-Key", ref)
	return err
}

// enter makes the first owner and answers the cookie of the console.
func (c *client) enter(ctx context.Context, token string) (who, error) {
	_, h, err := c.call(ctx, who{}, http.MethodPost, "/v1/console/setup",
		map[string]string{"token": token, "name": "Load", "email": "load@example.com", "password": "a password for this run alone"})
	if err != nil {
		return who{}, fmt.Errorf("set up: %w", err)
	}
	res := http.Response{Header: h}
	for _, k := range res.Cookies() {
		return who{"Cookie", k.Name + "=" + k.Value}, nil
	}
	return who{}, errors.New("set up: no cookie came back")
}

// loadTime is how long a server may take until its models are there.
const loadTime = 3 * time.Minute

// loaded waits until the server has its models: loading them takes the processor for a while, once, and is not what is measured.
func (c *client) loaded(ctx context.Context) error {
	for until := time.Now().Add(loadTime); time.Now().Before(until); {
		raw, _, err := c.call(ctx, who{}, http.MethodGet, "/readyz", nil)
		if err != nil {
			return fmt.Errorf("ask whether the server is ready: %w", err)
		}
		var ready struct {
			Models string `json:"models"`
		}
		if err := json.Unmarshal(raw, &ready); err != nil {
			return fmt.Errorf("read whether the server is ready: %w", err)
		}
		if ready.Models != "loading" {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("the server does not come to the end of loading its models")
}
