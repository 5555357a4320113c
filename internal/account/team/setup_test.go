package team

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/accounttest"
	"github.com/bonafide-id/bonafide/internal/account/password"
	"github.com/bonafide-id/bonafide/internal/problem"
)

const goodPhrase = "correct horse battery"

var hasher = password.NewHasher(password.Options{Memory: 64})

func newTestSetup() (*Setup, *accounttest.Store, *accounttest.Clock) {
	st, clock := &accounttest.Store{}, accounttest.NewClock()
	return NewSetup(st, hasher, Options{Now: clock.Now}), st, clock
}

func TestTheFirstOwnerIsMadeOnceByTheToken(t *testing.T) {
	s, st, clock := newTestSetup()
	ctx := t.Context()
	if needed, err := s.Needed(ctx); err != nil || !needed {
		t.Errorf("an empty deployment needs an owner: %v, %v", needed, err)
	}
	token, err := s.NewToken(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(st.SetupToken, token) {
		t.Error("the token itself was stored")
	}
	owner := Owner{Token: token, Name: " Ada ", Email: "Ada@Example.test", Password: goodPhrase}
	wrong := owner
	wrong.Token = strings.Repeat("x", account.SecretLength)
	_, err = s.CreateOwner(ctx, wrong)
	accounttest.Want(t, "with a wrong token", err, "auth.invalid")
	u, err := s.CreateOwner(ctx, owner)
	if err != nil {
		t.Fatal(err)
	}
	want := account.User{
		ID: u.ID, Name: "Ada", Email: "Ada@Example.test", Normal: "ada@example.test", PasswordHash: u.PasswordHash,
		Roles: []account.Role{account.Owner}, CreatedAt: clock.Now(), LastLoginAt: clock.Now(),
	}
	if diff := cmp.Diff(want, u); diff != "" {
		t.Errorf("owner (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"owner.created"}, st.Actions); diff != "" {
		t.Errorf("audited (-want +got):\n%s", diff)
	}
	_, err = s.CreateOwner(ctx, owner)
	accounttest.Want(t, "a second time", err, "auth.forbidden")
	if needed, err := s.Needed(ctx); err != nil || needed {
		t.Errorf("a deployment with an owner needs one: %v, %v", needed, err)
	}
}

func TestASetupTokenEnds(t *testing.T) {
	s, _, clock := newTestSetup()
	token, err := s.NewToken(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(SetupLife)
	_, err = s.CreateOwner(t.Context(), Owner{Token: token, Name: "Ada", Email: "ada@example.test", Password: goodPhrase})
	accounttest.Want(t, "after its life", err, "auth.invalid")
}

func TestANewSetupTokenEndsTheOneBefore(t *testing.T) {
	s, _, _ := newTestSetup()
	first, err := s.NewToken(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.NewToken(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = s.CreateOwner(t.Context(), Owner{Token: first, Name: "Ada", Email: "ada@example.test", Password: goodPhrase})
	accounttest.Want(t, "the one before", err, "auth.invalid")
}

func TestAnOwnerNeedsANameAnAddressAndAGoodPassword(t *testing.T) {
	good := Owner{Token: "t", Name: "Ada", Email: "ada@example.test", Password: goodPhrase}
	tests := map[string]struct {
		change func(*Owner)
		field  string
	}{
		"no name":                           {func(o *Owner) { o.Name = "  " }, "/name"},
		"no address":                        {func(o *Owner) { o.Email = "ada" }, "/email"},
		"an address with a name around it":  {func(o *Owner) { o.Email = "Ada <ada@example.test>" }, "/email"},
		"a short password":                  {func(o *Owner) { o.Password = "short" }, "/password"},
		"a password that is the address":    {func(o *Owner) { o.Password = "ADA@example.test" }, "/password"},
		"a password of one character":       {func(o *Owner) { o.Password = strings.Repeat("a", 20) }, "/password"},
		"a password longer than any needed": {func(o *Owner) { o.Password = strings.Repeat("ab", 200) }, "/password"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, st, _ := newTestSetup()
			o := good
			tt.change(&o)
			_, err := s.CreateOwner(t.Context(), o)
			p, ok := problem.As(err)
			if !ok || p.Kind.Code != "request.malformed" || p.Field != tt.field || len(st.Members) != 0 {
				t.Errorf("got %v, want request.malformed at %s", err, tt.field)
			}
		})
	}
}

func TestSetupFailsWithItsStoreAndItsRandomness(t *testing.T) {
	s, st, _ := newTestSetup()
	st.FailedReads = errors.New("down")
	_, err := s.CreateOwner(t.Context(), Owner{Token: "t", Name: "Ada", Email: "ada@example.test", Password: goodPhrase})
	accounttest.Want(t, "the store", err, "down")
	dry := NewSetup(st, hasher, Options{Random: iotest.ErrReader(errors.New("dry"))})
	if _, err := dry.NewToken(t.Context()); err == nil || st.SetupToken != "" {
		t.Errorf("a token was made of nothing: %v", err)
	}
}
