package edge

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/httprate"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Rates are how often a credential may call. Zero fields default to KeyRate, ApplicantRate, MemberRate, AddressRate,
// LoginRate and ResetRate. They are counted in this process, or with Grants by all processes together.
type Rates struct {
	Key       Rate // per API key; 300 a minute
	Applicant Rate // per session; 120 a minute
	Member    Rate // per person who is signed in; 600 a minute
	Address   Rate // per network address where there is no credential; 300 a minute
	Login     Rate // per account and address; 10 in 10 minutes
	Reset     Rate // of links to reset a password, per account and per address; 3 in an hour
}

// Rate is a number of calls in any window of that length.
type Rate struct {
	Calls  int
	Window time.Duration
}

// The default rates.
var (
	KeyRate       = Rate{300, time.Minute}
	ApplicantRate = Rate{120, time.Minute}
	MemberRate    = Rate{600, time.Minute}
	AddressRate   = Rate{300, time.Minute}
	LoginRate     = Rate{10, 10 * time.Minute}
	ResetRate     = Rate{3, time.Hour}
)

// Limits count calls by credential, and refuse those that are too many.
type Limits struct {
	byCaller map[Caller]*Limiter
	logins   *Limiter // of tries to sign in
	resets   *Limiter // of links to reset a password
}

func newLimits(o Options) *Limits {
	away := &outage{log: o.Log}
	return &Limits{
		byCaller: map[Caller]*Limiter{
			Integrator: newLimiter(o, "key", o.Rates.Key, KeyRate, away),
			Applicant:  newLimiter(o, "applicant", o.Rates.Applicant, ApplicantRate, away),
			Console:    newLimiter(o, "member", o.Rates.Member, MemberRate, away),
			Anyone:     newLimiter(o, "address", o.Rates.Address, AddressRate, away),
		},
		logins: newLimiter(o, "login", o.Rates.Login, LoginRate, away),
		resets: newLimiter(o, "reset", o.Rates.Reset, ResetRate, away),
	}
}

// Limiter counts calls in a sliding window.
type Limiter struct {
	rate    Rate
	now     func() time.Time
	shared  *shares // nil where this process is the only one
	mu      sync.Mutex
	counter httprate.LimitCounter
}

func newLimiter(o Options, name string, r, fallback Rate, away *outage) *Limiter {
	if r.Calls == 0 {
		r = fallback
	}
	l := &Limiter{rate: r, now: o.Now, counter: httprate.NewLocalLimitCounter(r.Window)}
	if o.Grants != nil {
		l.shared = &shares{grants: o.Grants, outage: away, name: name, within: o.GrantWait}
	}
	return l
}

// spent is the state of a limit after a call.
type spent struct {
	allowed          bool
	limit, remaining int
	reset            int // seconds until the window is over
}

// count counts a call. Where the processes' common count cannot be reached, this process counts alone.
func (l *Limiter) count(ctx context.Context, key string) (spent, error) {
	if l.shared == nil {
		return l.countHere(key)
	}
	got, err := l.shared.count(ctx, l.rate, l.now().UTC(), key)
	if err == nil || ctx.Err() != nil {
		return got, err
	}
	return l.countHere(key)
}

func (l *Limiter) countHere(key string) (spent, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now().UTC()
	window := now.Truncate(l.rate.Window)
	into := now.Sub(window)
	current, previous, err := l.counter.Get(key, window, window.Add(-l.rate.Window))
	if err != nil {
		return spent{}, fmt.Errorf("count calls: %w", err)
	}
	weight := float64(l.rate.Window-into) / float64(l.rate.Window)
	used := current + int(math.Round(float64(previous)*weight))
	out := spent{limit: l.rate.Calls, reset: int(math.Ceil((l.rate.Window - into).Seconds()))}
	if used >= l.rate.Calls {
		return out, nil
	}
	out.allowed, out.remaining = true, l.rate.Calls-used-1
	if err := l.counter.Increment(key, window); err != nil {
		return spent{}, fmt.Errorf("count calls: %w", err)
	}
	return out, nil
}

// Take counts a try that is limited by something other than the credential. Problems: rate.limited.
func (l *Limiter) Take(ctx context.Context, key string) error {
	got, err := l.count(ctx, key)
	if err != nil {
		return err
	}
	if got.allowed {
		return nil
	}
	return RetryAfter(ctx, problem.RateLimited, time.Duration(got.reset)*time.Second)
}

// RetryAfter returns a problem that says in how many seconds, rounded up, the call can be made again.
func RetryAfter(ctx context.Context, k problem.Kind, wait time.Duration) error {
	p := wire.NewProblem(problem.New(k), AskedBy(ctx))
	p.GetHeaders().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	return p
}

// spend counts a call and sets the RateLimit headers. Problems: rate.limited.
func (l *Limits) spend(ctx context.Context, w http.ResponseWriter, row Route, who Caller, q *request) error {
	if !strings.HasPrefix(row.Path, "/v1/") { // whoever watches our health may look as often as they like
		return nil
	}
	got, err := l.byCaller[who].count(ctx, rateKey(who, q))
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("RateLimit-Limit", strconv.Itoa(got.limit))
	h.Set("RateLimit-Remaining", strconv.Itoa(got.remaining))
	h.Set("RateLimit-Reset", strconv.Itoa(got.reset))
	if got.allowed {
		return nil
	}
	h.Set("Retry-After", strconv.Itoa(got.reset))
	return problem.New(problem.RateLimited)
}

func rateKey(who Caller, q *request) string {
	switch who {
	case Integrator:
		return string(q.key.ID)
	case Applicant:
		if q.watches { // who only watches cannot use up the calls of who has the session
			return string(q.applicant) + " watched"
		}
		return string(q.applicant)
	case Console:
		return string(q.user.ID)
	default:
		return audit.Subscriber(q.address)
	}
}
