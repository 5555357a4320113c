package store

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
)

// attemptsCounted: attempts are counted one after the other, for each known network and for all others together.
func attemptsCounted(t *testing.T, d *deployment) {
	const ada, home, away = "ada@example.org", "198.51.100.7", "203.0.113.5"
	ctx := t.Context()
	now := d.clock.now().UTC().Truncate(time.Microsecond)
	expires := now.Add(account.MemberAttemptsLife)
	take := func(normal, network string) (wait time.Duration) {
		t.Helper()
		err := d.store.ChangeAttempts(ctx, normal, network, expires, func(a *account.Attempts) error {
			if wait = a.TakePassword(now); wait > 0 {
				return errors.New("too early")
			}
			return nil
		})
		if (err != nil) != (wait > 0) {
			t.Errorf("%s from %s: %v", normal, network, err)
		}
		return wait
	}
	var checked atomic.Int32
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			if take(ada, away) == 0 {
				checked.Add(1)
			}
		})
	}
	all.Wait()
	if checked.Load() != 5 {
		t.Errorf("of twelve at once %d were checked", checked.Load())
	}
	if wait := take(ada, home); wait != time.Second {
		t.Errorf("a network that is not known yet waits %v", wait)
	}
	f, err := d.store.SettleAttempts(ctx, ada, home, expires)
	if want := (account.Failures{Passwords: 5, Since: now}); err != nil || f != want {
		t.Errorf("failures %+v, %v, want %+v", f, err, want)
	}
	if wait := take(ada, home); wait != 0 {
		t.Errorf("a known network waits %v", wait)
	}
	if wait := take(ada, away); wait != time.Second {
		t.Errorf("after the member signed in, others wait %v", wait)
	}
	if f, err = d.store.SettleAttempts(ctx, ada, "", expires); err != nil || f.Passwords != 1 {
		t.Errorf("failures since then %+v, %v", f, err)
	}
	if wait := take("eve@example.org", home); wait != 0 {
		t.Errorf("another account waits %v", wait)
	}
	attemptsExpire(t, d)
}

// attemptsExpire: neither an address nor a network lies in the clear, and everything goes when its time is over.
func attemptsExpire(t *testing.T, d *deployment) {
	t.Helper()
	ctx := t.Context()
	var clear, left int
	must(t, d.store.Read.NewRaw("SELECT COUNT(*) FROM sign_in_attempts WHERE account LIKE '%@%' OR network LIKE '%.%'").Scan(ctx, &clear))
	if clear != 0 {
		t.Errorf("%d rows in the clear", clear)
	}
	d.clock.advance(account.MemberAttemptsLife)
	err := d.store.ChangeAttempts(ctx, "ada@example.org", "198.51.100.7", d.clock.now(), func(a *account.Attempts) error {
		if *a != (account.Attempts{}) {
			t.Errorf("after its time: %+v", *a)
		}
		return errors.New("looked only")
	})
	if err == nil {
		t.Error("an error of the callback was lost")
	}
	must(t, d.store.dropExpired(ctx))
	must(t, d.store.Read.NewRaw("SELECT COUNT(*) FROM sign_in_attempts").Scan(ctx, &left))
	if left != 0 {
		t.Errorf("%d rows are left", left)
	}
}

// beforeAttempts undoes the migration of attempts.
var beforeAttempts = []string{"DROP TABLE sign_in_attempts", "DELETE FROM schema_versions WHERE version_id = 25"}
