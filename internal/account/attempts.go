package account

import "time"

// After slowAfter wrong passwords in a row each further try has to wait: minDelay at first, then twice as long each time, up to
// maxDelay. Passwords that are older than forgetAfter do not count.
const (
	slowAfter   = 5
	minDelay    = time.Second
	maxDelay    = 15 * time.Minute
	forgetAfter = 24 * time.Hour
)

// After maxCodes wrong codes none is looked at for codeWindow.
const (
	maxCodes   = 5
	codeWindow = time.Hour
)

// How long the attempts of an account are kept after the last one. What is kept for a member is reported when they sign in again;
// for an address that nobody has, nothing but the delay depends on it.
const (
	MemberAttemptsLife  = 90 * 24 * time.Hour
	UnknownAttemptsLife = forgetAfter
)

// Attempts counts the wrong proofs of one account: from one network that somebody signed in to it from, or from all others together.
// Each try is counted before it is checked, so that many at the same time are not checked at once.
type Attempts struct {
	Passwords      int // wrong ones in a row
	LastPasswordAt time.Time
	Codes          int // wrong ones, each less than codeWindow after the one before
	LastCodeAt     time.Time
	Failures       Failures
}

// Failures are the wrong proofs of an account since its member last signed in.
type Failures struct {
	Passwords int
	Codes     int
	Since     time.Time // of the first; zero for none
}

// Any reports whether there was a wrong proof.
func (f Failures) Any() bool { return f.Passwords+f.Codes > 0 }

// Plus returns the failures of both together.
func (f Failures) Plus(g Failures) Failures {
	since := f.Since
	if since.IsZero() || (!g.Since.IsZero() && g.Since.Before(since)) {
		since = g.Since
	}
	return Failures{Passwords: f.Passwords + g.Passwords, Codes: f.Codes + g.Codes, Since: since}
}

// TakePassword counts a password as wrong before it is checked. Where it comes too early it returns how long to wait, and counts
// nothing.
func (a *Attempts) TakePassword(now time.Time) (wait time.Duration) {
	if now.Sub(a.LastPasswordAt) >= forgetAfter {
		a.Passwords = 0
	}
	if wait = delayAfter(a.Passwords) - now.Sub(a.LastPasswordAt); a.Passwords >= slowAfter && wait > 0 {
		return wait
	}
	a.Passwords, a.LastPasswordAt = a.Passwords+1, now
	a.Failures.Passwords++
	a.since(now)
	return 0
}

// AcceptPassword takes back what TakePassword counted of a password that was right, and ends the delay.
func (a *Attempts) AcceptPassword() {
	a.Passwords = 0
	a.Failures.Passwords = max(0, a.Failures.Passwords-1)
	a.clearSince()
}

// TakeCode is TakePassword for a one-time code or a recovery code.
func (a *Attempts) TakeCode(now time.Time) (wait time.Duration) {
	if now.Sub(a.LastCodeAt) >= codeWindow {
		a.Codes = 0
	}
	if a.Codes >= maxCodes {
		return codeWindow - now.Sub(a.LastCodeAt)
	}
	a.Codes, a.LastCodeAt = a.Codes+1, now
	a.Failures.Codes++
	a.since(now)
	return 0
}

// AcceptCode takes back what TakeCode counted of a code that was right, and forgets the wrong ones before it.
func (a *Attempts) AcceptCode() {
	a.Codes = 0
	a.Failures.Codes = max(0, a.Failures.Codes-1)
	a.clearSince()
}

func (a *Attempts) since(now time.Time) {
	if a.Failures.Since.IsZero() {
		a.Failures.Since = now
	}
}

func (a *Attempts) clearSince() {
	if !a.Failures.Any() {
		a.Failures.Since = time.Time{}
	}
}

// delayAfter returns how long after the newest of so many wrong passwords in a row the next one is checked.
func delayAfter(wrong int) time.Duration {
	if wrong < slowAfter {
		return 0
	}
	return min(maxDelay, minDelay<<min(wrong-slowAfter, 10)) // 1 024 s is above maxDelay
}
