package signin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/accounttest"
	"github.com/bonafide-id/bonafide/internal/audit"
)

// from returns a context of a request from that address.
func from(t *testing.T, address string) context.Context {
	t.Helper()
	return audit.WithActor(t.Context(), audit.Actor{Kind: audit.System, Address: address})
}

// try signs in to an account and returns the code of the problem, "" for none.
func (w *world) try(ctx context.Context, email, pass, code string) string {
	_, err := w.Passwords.SignIn(ctx, email, pass, code)
	return accounttest.Code(err)
}

func TestAnAttackFromManyAddressesIsSlowedDownAndItsMemberIsNot(t *testing.T) {
	for name, email := range map[string]string{"a member": "ada@example.org", "nobody": "eve@example.org"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			home := from(t, "198.51.100.7")
			if got := w.try(home, w.ada.Email, goodPhrase, ""); got != "" {
				t.Fatal(got)
			}
			checked := 0
			for n := range 200 {
				if w.try(from(t, fmt.Sprintf("203.0.113.%d", n%20)), email, "something else", "") == "auth.invalid" {
					checked++
				}
			}
			if checked != 5 {
				t.Errorf("%d of 200 passwords were checked", checked)
			}
			if got := w.try(from(t, "203.0.113.99"), email, goodPhrase, ""); got != "auth.too_many_failures" {
				t.Errorf("the right password from elsewhere: %q", got)
			}
			if got := w.try(home, w.ada.Email, goodPhrase, ""); got != "" {
				t.Errorf("the member at home: %q", got)
			}
		})
	}
}

func TestManyPasswordsAtTheSameTimeAreNotCheckedAtOnce(t *testing.T) {
	w := newWorld(t)
	var all sync.WaitGroup
	var mu sync.Mutex
	got := map[string]int{}
	for range 40 {
		all.Go(func() {
			code := w.try(t.Context(), w.ada.Email, "something else", "")
			mu.Lock()
			got[code]++
			mu.Unlock()
		})
	}
	all.Wait()
	if got["auth.invalid"] != 5 || got["auth.too_many_failures"] != 35 {
		t.Errorf("answers %v", got)
	}
}

func TestFiveWrongCodesAreCheckedInAnHour(t *testing.T) {
	w := newWorld(t)
	recovery, code := w.app(t)
	home := from(t, "198.51.100.7")
	w.clock.Advance(codePeriod)
	if got := w.try(home, w.ada.Email, goodPhrase, code()); got != "" {
		t.Fatal(got)
	}
	checked := 0
	for n := range 60 {
		if w.try(from(t, fmt.Sprintf("203.0.113.%d", n)), w.ada.Email, goodPhrase, "000000") == "auth.second_factor" {
			checked++
		}
	}
	if checked != 5 {
		t.Errorf("%d of 60 codes were checked", checked)
	}
	_, err := w.Passwords.SignIn(from(t, "203.0.113.99"), w.ada.Email, goodPhrase, recovery[0])
	slow, ok := errors.AsType[TooManyFailuresError](err)
	if !ok || slow.User != w.ada.ID || slow.Wait != time.Hour {
		t.Errorf("a recovery code from elsewhere: %v, %+v", err, slow)
	}
	w.clock.Advance(codePeriod)
	if got := w.try(home, w.ada.Email, goodPhrase, code()); got != "" {
		t.Errorf("the member at home: %q", got)
	}
	w.clock.Advance(time.Hour)
	if got := w.try(from(t, "203.0.113.99"), w.ada.Email, goodPhrase, recovery[0]); got != "" {
		t.Errorf("an hour later: %q", got)
	}
}

func TestFailuresAreReportedOnceAtTheNextSignIn(t *testing.T) {
	w := newWorld(t)
	began := w.clock.Now()
	for range 3 {
		w.try(from(t, "203.0.113.5"), w.ada.Email, "something else", "")
		w.clock.Advance(time.Minute)
	}
	u, err := w.Passwords.SignIn(t.Context(), w.ada.Email, goodPhrase, "")
	if want := (account.Failures{Passwords: 3, Since: began}); err != nil || u.Failures != want {
		t.Errorf("failures %+v, %v, want %+v", u.Failures, err, want)
	}
	if !slices.Contains(w.store.Actions, "user.failures_reported") {
		t.Errorf("audited %v", w.store.Actions)
	}
	w.store.Actions = nil
	u, err = w.Passwords.SignIn(t.Context(), w.ada.Email, goodPhrase, "")
	if err != nil || u.Failures.Any() || slices.Contains(w.store.Actions, "user.failures_reported") {
		t.Errorf("once more: %+v, %v, audited %v", u.Failures, err, w.store.Actions)
	}
}

func TestAnOpenBrowserIsNoWayRoundTheDelay(t *testing.T) {
	w := newWorld(t)
	for range 5 {
		accounttest.Want(t, "a wrong password", w.Passwords.Prove(t.Context(), w.ada, "something else", ""), "auth.invalid")
	}
	accounttest.Want(t, "the proof", w.Passwords.Prove(t.Context(), w.ada, goodPhrase, ""), "auth.too_many_failures")
	_, err := w.Passwords.Change(t.Context(), w.ada, goodPhrase, "another good phrase")
	accounttest.Want(t, "a new password", err, "auth.too_many_failures")
	_, err = w.Authenticators.Begin(t.Context(), w.ada, goodPhrase, "Bonafide")
	accounttest.Want(t, "a new app", err, "auth.too_many_failures")
	accounttest.Want(t, "removing the app", w.Authenticators.Remove(t.Context(), w.ada, goodPhrase, ""), "auth.too_many_failures")
}
