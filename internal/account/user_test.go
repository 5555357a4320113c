package account

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestAMemberCanSignInByEachWayThatTheyHave(t *testing.T) {
	linked := Subject{Issuer: "https://idp.example.org", ID: "1"}
	for name, tt := range map[string]struct {
		u         User
		with, bar bool // whether they can, with single sign-on and without
	}{
		"a password":                     {User{PasswordHash: "h"}, true, true},
		"a passkey":                      {User{Factor: Factor{Passkeys: []Passkey{{ID: "pky_1"}}}}, true, true},
		"an account at the provider":     {User{Subject: linked}, true, false},
		"an authenticator app by itself": {User{Factor: Factor{Secret: "S"}}, false, false},
		"nothing":                        {User{}, false, false},
	} {
		if with, bar := tt.u.CanSignIn(true), tt.u.CanSignIn(false); with != tt.with || bar != tt.bar {
			t.Errorf("%s: %v with single sign-on and %v without, want %v and %v", name, with, bar, tt.with, tt.bar)
		}
	}
}

func TestASecondFactorIsAnAppOrAPasskey(t *testing.T) {
	for name, tt := range map[string]struct {
		f       Factor
		on, app bool
	}{
		"none":                {Factor{}, false, false},
		"an unconfirmed app":  {Factor{Pending: "S"}, false, false},
		"an app":              {Factor{Secret: "S"}, true, true},
		"a passkey":           {Factor{Passkeys: []Passkey{{ID: "pky_1"}}}, true, false},
		"recovery codes only": {Factor{Recovery: []string{"a"}}, false, false},
	} {
		if tt.f.On() != tt.on || tt.f.App() != tt.app {
			t.Errorf("%s: on %v, app %v", name, tt.f.On(), tt.f.App())
		}
	}
}

func TestTheActorKeepsTheAddressOfTheCall(t *testing.T) {
	ctx := audit.WithActor(context.Background(), audit.Actor{Kind: "public", Address: "192.0.2.1"})
	want := audit.Actor{Kind: audit.User, ID: "usr_1", Address: "192.0.2.1"}
	if got := audit.ActorFrom(WithActor(ctx, "usr_1")); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAnAddressIsLookedUpHoweverItIsTyped(t *testing.T) {
	for _, typed := range []string{"Ada@Example.org", " ada@example.ORG ", "ADA@EXAMPLE.ORG"} {
		if got := NormalizeEmail(typed); got != "ada@example.org" {
			t.Errorf("%q is looked up as %q", typed, got)
		}
	}
	if composed, decomposed := NormalizeEmail("\u00e9@x.org"), NormalizeEmail("e\u0301@x.org"); composed != decomposed {
		t.Errorf("one letter in two encodings is looked up as %q and %q", composed, decomposed)
	}
}

func TestAnAddressIsBare(t *testing.T) {
	if err := CheckEmail("ada@example.org"); err != nil {
		t.Error(err)
	}
	for _, wrong := range []string{"", "ada", "Ada <ada@example.org>", "ada@example.org ", "ada@example.org, eve@example.org"} {
		if err := CheckEmail(wrong); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func TestASecretIsDrawnAndOnlyItsDigestComparable(t *testing.T) {
	secret, err := NewSecret(strings.NewReader(strings.Repeat("\xff", 32)))
	if err != nil || len(secret) != SecretLength || secret != strings.Repeat("_", 42)+"8" {
		t.Errorf("got %q, %v", secret, err)
	}
	if _, err := NewSecret(iotest.ErrReader(errors.New("dry"))); err == nil {
		t.Error("a secret came out of no randomness")
	}
	if got := Digest("abc"); got != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" { // FIPS 180-4
		t.Errorf("digest %s", got)
	}
}

func TestAMomentHasWhatEveryDatabaseStores(t *testing.T) {
	at := time.Date(2026, 5, 4, 14, 0, 0, 123456789, time.FixedZone("", 2*3600))
	if got, want := Moment(at), time.Date(2026, 5, 4, 12, 0, 0, 123456000, time.UTC); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAKeyEndsWhenItExpiresOrIsRevoked(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		k     Key
		ended bool
	}{
		"one without an end":      {Key{}, false},
		"one that ends later":     {Key{ExpiresAt: now.Add(time.Second)}, false},
		"one that ends now":       {Key{ExpiresAt: now}, true},
		"one that was revoked":    {Key{RevokedAt: now.Add(-time.Hour)}, true},
		"one revoked that lasted": {Key{RevokedAt: now, ExpiresAt: now.Add(time.Hour)}, true},
	} {
		if got := tt.k.Ended(now); got != tt.ended {
			t.Errorf("%s: ended %v", name, got)
		}
	}
	if k := (Key{Scopes: []Permission{SessionsRead}}); !k.May(SessionsRead) || k.May(EvidenceRead) {
		t.Error("a key may do what its scopes say, and only that")
	}
}
