package signin

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/accounttest"
	"github.com/bonafide-id/bonafide/internal/account/password"
	"github.com/bonafide-id/bonafide/internal/problem"
)

const goodPhrase = "correct horse battery"

// countingHasher counts how often a password was compared with no hash.
type countingHasher struct {
	*password.Hasher
	empty int
}

func (h *countingHasher) Matches(ctx context.Context, pass, hash string) (bool, error) {
	if hash == "" {
		h.empty++
	}
	return h.Hasher.Matches(ctx, pass, hash)
}

// world is one deployment with an owner, Ada, who has a password.
type world struct {
	Methods
	store  *accounttest.Store
	clock  *accounttest.Clock
	hasher *countingHasher
	ada    account.User
}

func newWorld(t *testing.T, change ...func(*Options)) *world {
	t.Helper()
	w := &world{store: &accounttest.Store{}, clock: accounttest.NewClock(), hasher: &countingHasher{Hasher: password.NewHasher(password.Options{Memory: 64})}}
	hash, err := w.hasher.Hash(t.Context(), goodPhrase)
	if err != nil {
		t.Fatal(err)
	}
	w.ada = account.User{
		ID: "usr_1", Name: "Ada", Email: "Ada@example.org", Normal: "ada@example.org", PasswordHash: hash, Roles: []account.Role{account.Owner},
	}
	w.store.Members = []account.User{w.ada}
	o := Options{Now: w.clock.Now, PublicURL: "https://id.example.org"}
	for _, c := range change {
		c(&o)
	}
	w.Methods = New(w.store, w.hasher, o)
	return w
}

// now returns Ada as she is stored.
func (w *world) now() account.User { return w.store.Members[0] }

func (w *world) login(t *testing.T, code string) error {
	t.Helper()
	_, err := w.Passwords.SignIn(t.Context(), w.ada.Email, goodPhrase, code)
	return err
}

func TestALoginSaysTheSameForEveryReason(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	if _, err := w.Passwords.SignIn(ctx, " ADA@example.org ", goodPhrase, ""); err != nil {
		t.Fatalf("the right password: %v", err)
	}
	if at := w.now().LastLoginAt; !at.Equal(w.clock.Now()) || !slices.Contains(w.store.Actions, "user.signed_in") {
		t.Errorf("signed in at %v, audited %v", at, w.store.Actions)
	}
	_, wrong := w.Passwords.SignIn(ctx, "ada@example.org", "something else entirely", "")
	_, unknown := w.Passwords.SignIn(ctx, "eve@example.org", goodPhrase, "")
	w.store.Members[0].DisabledAt = time.Now()
	_, disabled := w.Passwords.SignIn(ctx, "ada@example.org", goodPhrase, "")
	for name, err := range map[string]error{"wrong password": wrong, "unknown address": unknown, "disabled": disabled} {
		if err == nil || err.Error() != wrong.Error() || accounttest.Code(err) != "auth.invalid" {
			t.Errorf("%s: got %v, want %v", name, err, wrong)
		}
	}
}

func TestNobodyLogsInWithTheDecoy(t *testing.T) {
	w := newWorld(t)
	_, err := w.Passwords.SignIn(t.Context(), "eve@example.org", "a decoy that nobody types", "")
	accounttest.Want(t, "an unknown address", err, "auth.invalid")
	w.store.Members[0].PasswordHash = ""
	_, err = w.Passwords.SignIn(t.Context(), w.ada.Email, "a decoy that nobody types", "")
	accounttest.Want(t, "a member without a password", err, "auth.invalid")
}

// What comparing with no hash costs is measured in the package password.
func TestAnUnknownAddressCostsAsMuchAsAWrongPassword(t *testing.T) {
	w := newWorld(t)
	_, err := w.Passwords.SignIn(t.Context(), "eve@example.org", goodPhrase, "")
	accounttest.Want(t, "an unknown address", err, "auth.invalid")
	if w.hasher.empty != 1 {
		t.Errorf("of an unknown address the password is compared %d times", w.hasher.empty)
	}
}

func TestALoginIsNotRefusedBecauseTheStoreIsDown(t *testing.T) {
	w := newWorld(t)
	w.store.FailedReads = errors.New("down")
	accounttest.Want(t, "sign in", w.login(t, ""), "down")
}

func TestAPasswordIsChangedByWhoHasThePresentOne(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	const next = "another good phrase"
	_, err := w.Passwords.Change(ctx, w.ada, "something else entirely", next)
	accounttest.Want(t, "without the present one", err, "auth.invalid")
	for _, bad := range []string{"short", "ADA@example.org"} {
		_, err = w.Passwords.Change(ctx, w.ada, goodPhrase, bad)
		accounttest.Want(t, "to "+bad, err, "request.malformed")
	}
	u, err := w.Passwords.Change(ctx, w.ada, goodPhrase, next)
	if err != nil || !u.SessionsFrom.Equal(w.clock.Now()) {
		t.Errorf("changed: %+v, %v", u, err)
	}
	accounttest.Want(t, "the password before", w.login(t, ""), "auth.invalid")
	if _, err := w.Passwords.SignIn(ctx, w.ada.Email, next, ""); err != nil {
		t.Errorf("the new password: %v", err)
	}
}

func TestEverySessionBeforeNowCanBeEnded(t *testing.T) {
	w := newWorld(t)
	u, err := w.Sessions.EndAll(t.Context(), w.ada.ID)
	if err != nil || !u.SessionsFrom.Equal(w.clock.Now()) || !slices.Equal(w.store.Actions, []string{"user.signed_out_elsewhere"}) {
		t.Errorf("%+v, %v, audited %v", u, err, w.store.Actions)
	}
}

// app sets an authenticator app up and returns its recovery codes and a source of its codes.
func (w *world) app(t *testing.T) (recovery []string, code func() string) {
	t.Helper()
	f, err := w.Authenticators.Begin(t.Context(), w.now(), goodPhrase, "A: B")
	if err != nil {
		t.Fatal(err)
	}
	code = func() string {
		c, err := totp.GenerateCode(f.Secret, w.clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	recovery, err = w.Authenticators.Confirm(t.Context(), w.ada.ID, code())
	if err != nil || len(recovery) != RecoveryCodes {
		t.Fatalf("%d recovery codes, %v", len(recovery), err)
	}
	return recovery, code
}

func TestANewAppIsAskedForOnceItsCodeWasSeen(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	_, err := w.Authenticators.Confirm(ctx, w.ada.ID, "123456")
	accounttest.Want(t, "confirmed before it was begun", err, "request.malformed")
	_, err = w.Authenticators.Begin(ctx, w.ada, "something else", "Bonafide")
	accounttest.Want(t, "begun without the password", err, "auth.invalid")
	f, err := w.Authenticators.Begin(ctx, w.ada, goodPhrase, "A: B")
	if err != nil {
		t.Fatal(err)
	}
	if want := "otpauth://totp/A%20%20B:Ada@example.org?"; len(f.URI) < len(want) || f.URI[:len(want)] != want {
		t.Errorf("URI %s", f.URI)
	}
	if err := w.login(t, ""); err != nil {
		t.Errorf("a factor that was only drawn is asked for: %v", err)
	}
	_, err = w.Authenticators.Confirm(ctx, w.ada.ID, "000000")
	accounttest.Want(t, "confirmed with a wrong code", err, "auth.second_factor")
}

func TestACodeOfTheSecondFactorWorksOnce(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	recovery, code := w.app(t)
	w.clock.Advance(2 * codePeriod)
	first := code()
	for _, c := range []struct {
		what, code string
		ok         bool
	}{
		{"no code", "", false},
		{"a wrong code", "12345", false},
		{"the present code", first[:3] + " " + first[3:], true},
		{"the same code again", first, false},
		{"a recovery code", recovery[3], true},
		{"the same recovery code again", recovery[3], false},
		{"another, without its hyphens", compactCode(recovery[4]), true},
	} {
		if err := w.login(t, c.code); (err == nil) != c.ok || (err != nil && !problem.Has(err, problem.AuthSecondFactor)) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	w.clock.Advance(codePeriod)
	late := code()
	w.clock.Advance(3 * codePeriod)
	accounttest.Want(t, "a code of two minutes ago", w.login(t, late), "auth.second_factor")
	for _, c := range []struct {
		what, password, code string
		ok                   bool
	}{
		{"without the password", "something else", recovery[0], false},
		{"without a code, by a page that was opened before", goodPhrase, "", false},
		{"with both", goodPhrase, recovery[0], true},
	} {
		if err := w.Authenticators.Remove(ctx, w.ada, c.password, c.code); (err == nil) != c.ok {
			t.Errorf("removed %s: %v", c.what, err)
		}
	}
	if err := w.login(t, ""); err != nil {
		t.Errorf("a factor that was removed is asked for: %v", err)
	}
}

func TestAProofAsksForAllThatSigningInDoes(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	if err := w.Passwords.Prove(ctx, w.ada, goodPhrase, ""); err != nil {
		t.Errorf("by the password: %v", err)
	}
	accounttest.Want(t, "by a wrong one", w.Passwords.Prove(ctx, w.ada, "something else", ""), "auth.invalid")
	recovery, _ := w.app(t)
	accounttest.Want(t, "without a code", w.Passwords.Prove(ctx, w.now(), goodPhrase, ""), "auth.second_factor")
	if err := w.Passwords.Prove(ctx, w.now(), goodPhrase, recovery[0]); err != nil {
		t.Errorf("with a recovery code: %v", err)
	}
	accounttest.Want(t, "with the same again", w.Passwords.Prove(ctx, w.now(), goodPhrase, recovery[0]), "auth.second_factor")
}
