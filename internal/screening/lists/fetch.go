package lists

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of a fetch.
const (
	FetchTime     = 15 * time.Minute
	mostRedirects = 3
	retryLeast    = 10 * time.Minute
	userAgent     = "Bonafide-Watchlists/1"
)

// errNotHTTPS is a redirect that would leave https, or more than three of them.
var errNotHTTPS = errors.New("a redirect that is not followed")

// Fetch asks the publisher of a list for a newer version and imports it. What goes wrong on the way is noted with the list and tried
// again; an error means that it could not be noted. Problems: not_found.
func (k *Keeper) Fetch(ctx context.Context, id idv.WatchlistID) error {
	l, err := k.store.Watchlist(ctx, id)
	if err != nil || l.Source == "" || l.Disabled || k.client == nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, FetchTime)
	defer cancel()
	answer, fault := k.request(ctx, l)
	if fault != FaultNone {
		return k.note(ctx, id, fault, nil)
	}
	defer func() { _ = answer.Body.Close() }()
	switch {
	case answer.StatusCode == http.StatusNotModified:
		return k.note(ctx, id, FaultNone, answer)
	case answer.StatusCode != http.StatusOK:
		return k.note(ctx, id, FaultStatus, nil)
	}
	v, err := k.Import(ctx, id, Fetched, answer.Body)
	switch {
	case problem.Has(err, problem.WatchlistBusy):
		return nil // somebody uploads one at this moment
	case err != nil && ctx.Err() != nil, err != nil && !isProblem(err):
		return errors.Join(k.note(context.WithoutCancel(ctx), id, FaultConnection, nil), ignoreBody(err))
	case err != nil, v.Summary.Entities == 0:
		return k.note(ctx, id, FaultFile, nil)
	}
	return k.note(ctx, id, FaultNone, answer)
}

func isProblem(err error) bool { _, ok := problem.As(err); return ok }

// ignoreBody leaves out that the publisher's body broke off: it is noted with the list.
func ignoreBody(err error) error {
	var netErr interface{ Timeout() bool }
	if errors.As(err, &netErr) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// request asks for a list, unless it has not changed since it was fetched last, and follows at most three redirects.
func (k *Keeper) request(ctx context.Context, l List) (*http.Response, Fault) {
	target := l.Source
	for range mostRedirects + 1 {
		if err := k.check(ctx, target); err != nil {
			return nil, FaultTarget
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
		if err != nil {
			return nil, FaultTarget
		}
		r.Header.Set("User-Agent", userAgent)
		if l.ETag != "" {
			r.Header.Set("If-None-Match", l.ETag)
		}
		if l.LastModified != "" {
			r.Header.Set("If-Modified-Since", l.LastModified)
		}
		answer, err := k.client.Do(r)
		if err != nil {
			if problem.Has(err, problem.WebhookTargetRefused) {
				return nil, FaultTarget
			}
			return nil, FaultConnection
		}
		if answer.StatusCode < 300 || answer.StatusCode > 399 || answer.StatusCode == http.StatusNotModified {
			return answer, FaultNone
		}
		_ = answer.Body.Close()
		if target, err = redirected(target, answer.Header.Get("Location")); err != nil {
			return nil, FaultRedirect
		}
	}
	return nil, FaultRedirect
}

// redirected returns where an answer leads.
func redirected(from, location string) (string, error) {
	base, err := url.Parse(from)
	if err != nil {
		return "", fmt.Errorf("follow a redirect: %w", err)
	}
	to, err := base.Parse(location)
	if err != nil || to.Scheme != "https" || location == "" {
		return "", errNotHTTPS
	}
	return to.String(), nil
}

// note writes how a fetch went.
func (k *Keeper) note(ctx context.Context, id idv.WatchlistID, fault Fault, answer *http.Response) error {
	k.log.InfoContext(ctx, "watchlist fetched", "list", id, "fault", string(fault))
	return k.store.ChangeWatchlists(context.WithoutCancel(ctx), func(ctx context.Context, tx Tx) error {
		l, err := tx.Watchlist(ctx, id)
		if err != nil {
			return err
		}
		l.TriedAt, l.Fault = k.now(), fault
		if fault != FaultNone {
			l.Fails++
			l.NextAt = k.now().Add(jittered(min(l.Every, retryLeast<<min(l.Fails-1, 8))))
			return tx.SaveWatchlist(ctx, l)
		}
		l.Fails, l.CheckedAt = 0, k.now()
		if answer != nil && answer.StatusCode == http.StatusOK {
			l.ETag, l.LastModified = bounded(answer.Header.Get("ETag")), bounded(answer.Header.Get("Last-Modified"))
		}
		return tx.SaveWatchlist(ctx, l)
	})
}

// bounded is a validator of the publisher's, if it is one that can be sent back.
func bounded(s string) string {
	if len(s) > 200 || !line(s, 200) {
		return ""
	}
	return s
}
