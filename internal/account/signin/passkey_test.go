package signin

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/accounttest"
)

const browser = "a secret of this browser"

// passkey registers a passkey of Ada's and returns its device and her recovery codes.
func (w *world) passkey(t *testing.T) (*device, []string) {
	t.Helper()
	d := newDevice(t)
	r, err := w.Passkeys.BeginRegistration(t.Context(), browser, w.now())
	if err != nil {
		t.Fatal(err)
	}
	_, codes, err := w.Passkeys.Register(t.Context(), browser, w.now(), d.register(r, " Laptop "))
	if err != nil {
		t.Fatal(err)
	}
	return d, codes
}

func (w *world) beginSignIn(t *testing.T) AssertionRequest {
	t.Helper()
	r, err := w.Passkeys.BeginSignIn(t.Context(), browser)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAPasskeySignsInItsMember(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	d, codes := w.passkey(t)
	if len(codes) != RecoveryCodes {
		t.Errorf("the first second factor came with %d recovery codes", len(codes))
	}
	k := w.now().Factor.Passkeys[0]
	if k.Name != "Laptop" || !slices.Equal(k.Credential, d.id) || !k.CreatedAt.Equal(w.clock.Now()) || !slices.Equal(k.Transports, []string{"internal"}) {
		t.Errorf("passkey %+v", k)
	}
	r := w.beginSignIn(t)
	if r.RPID != "id.example.org" || len(r.Allow) != 0 {
		t.Errorf("the request names %s and %d credentials", r.RPID, len(r.Allow))
	}
	u, err := w.Passkeys.SignIn(ctx, browser, d.sign(r))
	if err != nil || u.ID != w.ada.ID || !w.now().Factor.Passkeys[0].LastUsedAt.Equal(w.clock.Now()) {
		t.Errorf("signed in: %+v, %v", u, err)
	}
	if want := []string{"user.passkey_added", "user.signed_in"}; !slices.Equal(w.store.Actions, want) {
		t.Errorf("audited %v, want %v", w.store.Actions, want)
	}
	_, err = w.Passkeys.SignIn(ctx, browser, d.sign(r))
	accounttest.Want(t, "the same request answered again", err, "auth.passkey")
	if err := w.login(t, ""); accounttest.Code(err) != "auth.second_factor" {
		t.Errorf("the password alone: %v", err)
	}
	if err := w.login(t, codes[0]); err != nil {
		t.Errorf("with a recovery code: %v", err)
	}
}

func TestAPasskeyThatDoesNotProveWhoAnswersIsRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		browser string
		change  func(*world, *device)
	}{
		"from another browser":      {"another browser's", func(*world, *device) {}},
		"from no browser":           {"", func(*world, *device) {}},
		"at another origin":         {browser, func(_ *world, d *device) { d.origin = "https://evil.example.org" }},
		"for another host":          {browser, func(_ *world, d *device) { d.rpID = "evil.example.org" }},
		"without verifying them":    {browser, func(_ *world, d *device) { d.flags = userPresent }},
		"with another key":          {browser, func(_ *world, d *device) { d.key = newDevice(d.t).key }},
		"for somebody else":         {browser, func(_ *world, d *device) { d.userHandle = []byte("usr_9") }},
		"for nobody":                {browser, func(_ *world, d *device) { d.userHandle = nil }},
		"of a disabled member":      {browser, func(w *world, _ *device) { w.store.Members[0].DisabledAt = w.clock.Now() }},
		"that was removed":          {browser, func(w *world, _ *device) { w.store.Members[0].Factor.Passkeys = nil }},
		"after the challenge ended": {browser, func(w *world, _ *device) { w.clock.Advance(CeremonyLife) }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			second := w.ada
			second.ID, second.Normal = "usr_2", "eve@example.org" // so that an owner who may sign in stays
			w.store.Members = append(w.store.Members, second)
			d, _ := w.passkey(t)
			r := w.beginSignIn(t)
			tt.change(w, d)
			_, err := w.Passkeys.SignIn(t.Context(), tt.browser, d.sign(r))
			accounttest.Want(t, "sign in", err, "auth.passkey")
		})
	}
	w := newWorld(t)
	_, err := w.Passkeys.SignIn(t.Context(), browser, Assertion{Credential: []byte{1}})
	accounttest.Want(t, "what is no answer", err, "auth.passkey")
}

func TestACounterThatGoesBackSaysWhoseKeyWasCopied(t *testing.T) {
	w := newWorld(t)
	d, _ := w.passkey(t)
	d.count = 5
	if _, err := w.Passkeys.SignIn(t.Context(), browser, d.sign(w.beginSignIn(t))); err != nil {
		t.Fatal(err)
	}
	d.count = 4
	_, err := w.Passkeys.SignIn(t.Context(), browser, d.sign(w.beginSignIn(t)))
	accounttest.Want(t, "sign in", err, "auth.passkey")
	if back, ok := errors.AsType[ClonedPasskeyError](err); !ok || back.User != w.ada.ID {
		t.Errorf("got %v", err)
	}
	if got := w.now().Factor.Passkeys[0].SignCount; got != 5 {
		t.Errorf("the counter is %d now", got)
	}
}

func TestAPasskeyTakesThePlaceOfTheCode(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	d, _ := w.passkey(t)
	if _, err := w.Passwords.SignInWithPasskey(ctx, browser, w.ada.Email, goodPhrase, d.sign(w.beginSignIn(t))); err != nil {
		t.Error(err)
	}
	_, err := w.Passwords.SignInWithPasskey(ctx, browser, w.ada.Email, "something else", d.sign(w.beginSignIn(t)))
	accounttest.Want(t, "with a wrong password", err, "auth.invalid")
	eve := w.ada
	eve.ID, eve.Normal, eve.Factor = "usr_2", "eve@example.org", account.Factor{}
	w.store.Members = append(w.store.Members, eve)
	_, err = w.Passwords.SignInWithPasskey(ctx, browser, "eve@example.org", goodPhrase, d.sign(w.beginSignIn(t)))
	accounttest.Want(t, "with the passkey of another member", err, "auth.passkey")
}

func TestAPasskeyProvesAgainWhoIsThere(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	_, err := w.Passkeys.BeginProof(ctx, browser, w.ada)
	accounttest.Want(t, "without a passkey", err, "auth.passkey")
	d, _ := w.passkey(t)
	r, err := w.Passkeys.BeginProof(ctx, browser, w.now())
	if err != nil || len(r.Allow) != 1 || !slices.Equal(r.Allow[0], d.id) {
		t.Fatalf("request %+v, %v", r, err)
	}
	if err := w.Passkeys.Prove(ctx, browser, w.now(), d.sign(r)); err != nil {
		t.Error(err)
	}
	accounttest.Want(t, "by the answer to a sign-in", w.Passkeys.Prove(ctx, browser, w.now(), d.sign(w.beginSignIn(t))), "auth.passkey")
	if r, err = w.Passkeys.BeginProof(ctx, browser, w.now()); err != nil {
		t.Fatal(err)
	}
	accounttest.Want(t, "by somebody else", w.Passkeys.Prove(ctx, browser, account.User{ID: "usr_2"}, d.sign(r)), "auth.passkey")
}

func TestAPasskeyIsRegisteredOnceAndByItsName(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	d, _ := w.passkey(t)
	r, err := w.Passkeys.BeginRegistration(ctx, browser, w.now())
	if err != nil || len(r.Exclude) != 1 || r.RPName != "Bonafide" || len(r.Algorithms) == 0 || string(r.UserHandle) != string(w.ada.ID) {
		t.Fatalf("request %+v, %v", r, err)
	}
	for _, name := range []string{" ", strings.Repeat("n", MaxPasskeyName+1)} {
		_, _, err = w.Passkeys.Register(ctx, browser, w.now(), d.register(r, name))
		accounttest.Want(t, "the name "+name, err, "request.malformed")
	}
	_, _, err = w.Passkeys.Register(ctx, browser, w.now(), d.register(r, "again"))
	accounttest.Want(t, "a credential that is known", err, "auth.passkey")
	_, _, err = w.Passkeys.Register(ctx, browser, w.now(), newDevice(t).register(r, "late"))
	accounttest.Want(t, "a request that was answered", err, "auth.passkey")
	_, _, err = w.Passkeys.Register(ctx, browser, w.now(), Registration{Name: "none"})
	accounttest.Want(t, "what is no answer", err, "auth.passkey")
	if r, err = w.Passkeys.BeginRegistration(ctx, browser, w.now()); err != nil {
		t.Fatal(err)
	}
	u, codes, err := w.Passkeys.Register(ctx, browser, w.now(), newDevice(t).register(r, "Phone"))
	if err != nil || codes != nil || len(u.Factor.Passkeys) != 2 {
		t.Errorf("the second passkey: %d in all, %d recovery codes, %v", len(u.Factor.Passkeys), len(codes), err)
	}
	for len(w.store.Members[0].Factor.Passkeys) < MaxPasskeys {
		f := &w.store.Members[0].Factor
		f.Passkeys = append(f.Passkeys, account.Passkey{})
	}
	_, err = w.Passkeys.BeginRegistration(ctx, browser, w.now())
	accounttest.Want(t, "one more than there may be", err, "request.malformed")
}

func TestTheLastWayInIsNotRemoved(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	w.passkey(t)
	id := w.now().Factor.Passkeys[0].ID
	_, err := w.Passkeys.Remove(ctx, w.ada.ID, "pky_none")
	accounttest.Want(t, "no such passkey", err, "not_found")
	w.store.Members[0].PasswordHash = ""
	_, err = w.Passkeys.Remove(ctx, w.ada.ID, id)
	accounttest.Want(t, "the only way in", err, "auth.forbidden")
	w.store.Members[0].PasswordHash = w.ada.PasswordHash
	u, err := w.Passkeys.Remove(ctx, w.ada.ID, id)
	if err != nil || u.Factor.On() || len(u.Factor.Recovery) != 0 {
		t.Errorf("removed: %+v, %v", u.Factor, err)
	}
}

func TestPasskeysNeedAHostNameAndASecureOrigin(t *testing.T) {
	for url, want := range map[string]bool{
		"https://id.example.org": true, "http://localhost:8080": true, "https://id.example.org:8443/path": true,
		"http://id.example.org": false, "https://192.0.2.1": false, "": false, "::": false,
	} {
		w := newWorld(t, func(o *Options) { o.PublicURL, o.Brand = url, "Bank" })
		if _, can := w.Passkeys.Origin(); can != want {
			t.Errorf("%q: passkeys %v, want %v", url, can, want)
		}
		if want {
			continue
		}
		ctx := t.Context()
		_, begin := w.Passkeys.BeginSignIn(ctx, browser)
		_, proof := w.Passkeys.BeginProof(ctx, browser, w.ada)
		_, register := w.Passkeys.BeginRegistration(ctx, browser, w.ada)
		_, _, made := w.Passkeys.Register(ctx, browser, w.ada, Registration{Name: "x"})
		_, shown := w.Passkeys.SignIn(ctx, browser, Assertion{})
		for name, err := range map[string]error{"sign-in": begin, "proof": proof, "registration": register, "register": made, "assertion": shown} {
			accounttest.Want(t, name+" at "+url, err, "auth.passkey")
		}
	}
	if at, _ := newWorld(t).Passkeys.Origin(); at != "https://id.example.org" {
		t.Errorf("origin %s", at)
	}
}
