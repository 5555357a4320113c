package account

import (
	"testing"
	"time"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func TestWrongPasswordsHaveToWaitLongerEachTime(t *testing.T) {
	var a Attempts
	now := noon
	for n := 1; n <= slowAfter; n++ {
		if wait := a.TakePassword(now); wait != 0 {
			t.Fatalf("password %d waits %v", n, wait)
		}
	}
	for n, want := range []time.Duration{
		1 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, 64 * time.Second,
		128 * time.Second, 256 * time.Second, 512 * time.Second, 15 * time.Minute, 15 * time.Minute, 15 * time.Minute,
	} {
		if wait := a.TakePassword(now); wait != want {
			t.Errorf("password %d waits %v, want %v", slowAfter+1+n, wait, want)
		}
		if wait := a.TakePassword(now.Add(want - time.Microsecond)); wait != time.Microsecond {
			t.Errorf("shortly before, password %d waits %v", slowAfter+1+n, wait)
		}
		now = now.Add(want)
		if wait := a.TakePassword(now); wait != 0 {
			t.Fatalf("after %v password %d waits %v more", want, slowAfter+1+n, wait)
		}
	}
	if want := (Failures{Passwords: slowAfter + 13, Since: noon}); a.Failures != want {
		t.Errorf("failures %+v, want %+v", a.Failures, want)
	}
}

func TestManyWrongPasswordsWaitNoLongerThanTheLongestDelay(t *testing.T) {
	for _, n := range []int{15, 16, 63, 64, 65, 1 << 30} {
		if got := delayAfter(n); got != maxDelay {
			t.Errorf("after %d wrong ones the delay is %v", n, got)
		}
	}
}

func TestARightPasswordEndsTheDelay(t *testing.T) {
	var a Attempts
	for range slowAfter {
		a.TakePassword(noon)
	}
	if wait := a.TakePassword(noon.Add(time.Second)); wait != 0 {
		t.Fatalf("waits %v", wait)
	}
	a.AcceptPassword()
	for n := range slowAfter {
		if wait := a.TakePassword(noon.Add(time.Second)); wait != 0 {
			t.Errorf("after the right one password %d waits %v", n+1, wait)
		}
	}
	if a.Failures.Passwords != 2*slowAfter {
		t.Errorf("failures %+v", a.Failures)
	}
}

func TestARightPasswordAloneLeavesNoFailure(t *testing.T) {
	var a Attempts
	a.TakePassword(noon)
	a.AcceptPassword()
	a.TakeCode(noon)
	a.AcceptCode()
	if a.Failures != (Failures{}) || a.Passwords != 0 || a.Codes != 0 {
		t.Errorf("left %+v", a)
	}
}

func TestWrongPasswordsOfYesterdayDoNotCount(t *testing.T) {
	var a Attempts
	now := noon
	for range 15 {
		now = now.Add(a.TakePassword(now))
		a.TakePassword(now)
	}
	now = a.LastPasswordAt.Add(forgetAfter)
	for n := range slowAfter {
		if wait := a.TakePassword(now); wait != 0 {
			t.Errorf("password %d waits %v", n+1, wait)
		}
	}
}

func TestNoMoreThanFiveWrongCodesAreCheckedInAnyHour(t *testing.T) {
	var a Attempts
	var checked []time.Time
	for now := noon; now.Before(noon.Add(12 * time.Hour)); now = now.Add(7 * time.Second) {
		if a.TakeCode(now) == 0 {
			checked = append(checked, now)
		}
	}
	for i := maxCodes; i < len(checked); i++ {
		if within := checked[i].Sub(checked[i-maxCodes]); within < codeWindow {
			t.Errorf("six codes were checked within %v", within)
		}
	}
	if len(checked) < 50 {
		t.Errorf("only %d codes were checked in 12 hours", len(checked))
	}
}

func TestFailuresOfTwoNetworksAddUp(t *testing.T) {
	early, late := Failures{Passwords: 2, Since: noon}, Failures{Passwords: 1, Codes: 4, Since: noon.Add(time.Hour)}
	want := Failures{Passwords: 3, Codes: 4, Since: noon}
	for _, got := range []Failures{early.Plus(late), late.Plus(early), want.Plus(Failures{}), (Failures{}).Plus(want)} {
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}
