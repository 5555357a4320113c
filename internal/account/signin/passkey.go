package signin

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// PasskeyStore is what Passkeys reads and writes.
type PasskeyStore interface {
	UserStore
	Users(ctx context.Context) ([]account.User, error)
}

// Passkeys registers the passkeys of members and signs members in by them.
type Passkeys struct {
	store        PasskeyStore
	ceremonies   ceremonies
	sessions     *Sessions
	party        relyingParty
	singleSignOn bool // whether it is another way to sign in
	source
}

// ClonedPasskeyError says that a passkey signed with a counter that is not above the last one: there may be a copy of it.
type ClonedPasskeyError struct{ User idv.UserID }

// Error implements error.
func (ClonedPasskeyError) Error() string { return "the passkey's counter went back" }

// AssertionRequest asks a browser to sign with a passkey.
type AssertionRequest struct {
	Challenge string // base64url
	RPID      string
	Allow     [][]byte // credential ids; empty for any passkey of this host
}

// Assertion is a browser's answer to an AssertionRequest (AuthenticatorAssertionResponse).
type Assertion struct {
	Credential, ClientData, AuthenticatorData, Signature, UserHandle []byte
}

// passkeyCeremony is the stored state of a request.
type passkeyCeremony struct {
	User    idv.UserID           `json:"user,omitempty"` // empty where any member may answer
	Session webauthn.SessionData `json:"session"`
}

// Origin returns the origin that pages must be opened at for passkeys to work, and whether this deployment supports them.
func (s *Passkeys) Origin() (origin string, supported bool) {
	return s.party.origin, s.party.webauthn != nil
}

// BeginSignIn asks a browser for any passkey of this host. The request does not depend on who asks. Problems: auth.passkey
// where this deployment does not support passkeys.
func (s *Passkeys) BeginSignIn(ctx context.Context, browser string) (AssertionRequest, error) {
	if s.party.webauthn == nil {
		return AssertionRequest{}, passkeysUnsupported()
	}
	options, session, err := s.party.webauthn.BeginDiscoverableLogin()
	if err != nil {
		return AssertionRequest{}, requestFailed(err)
	}
	return s.request(ctx, forSignIn, browser, "", options, session)
}

// BeginProof asks for a passkey of the member who is signed in. Problems: auth.passkey where they have none.
func (s *Passkeys) BeginProof(ctx context.Context, browser string, u account.User) (AssertionRequest, error) {
	if s.party.webauthn == nil {
		return AssertionRequest{}, passkeysUnsupported()
	}
	if len(u.Factor.Passkeys) == 0 {
		return AssertionRequest{}, problem.New(problem.AuthPasskey).Saying("You have no passkey here.")
	}
	options, session, err := s.party.webauthn.BeginLogin(webauthnUser{u})
	if err != nil {
		return AssertionRequest{}, requestFailed(err)
	}
	return s.request(ctx, forProof, browser, u.ID, options, session)
}

func (s *Passkeys) request(
	ctx context.Context, p purpose, browser string, user idv.UserID, o *protocol.CredentialAssertion, session *webauthn.SessionData,
) (AssertionRequest, error) {
	r := AssertionRequest{Challenge: session.Challenge, RPID: s.party.id, Allow: o.Response.GetAllowedCredentialIDs()}
	return r, s.ceremonies.save(ctx, p, browser, session.Challenge, passkeyCeremony{User: user, Session: *session})
}

// SignIn returns the member whose passkey signed the request to this browser. The problem does not reveal whether there is
// such a member. Problems: auth.passkey, joined with ClonedPasskeyError where that is the reason.
func (s *Passkeys) SignIn(ctx context.Context, browser string, a Assertion) (account.User, error) {
	u, err := s.verify(ctx, forSignIn, browser, "", a)
	if err != nil {
		return account.User{}, err
	}
	return s.sessions.record(ctx, u)
}

// Prove proves again that the signed-in member is present, by a passkey of theirs. Problems: auth.passkey.
func (s *Passkeys) Prove(ctx context.Context, browser string, u account.User, a Assertion) error {
	_, err := s.verify(ctx, forProof, browser, u.ID, a)
	return err
}

// verify returns the member whose passkey signed, and records its use. A user other than "" must be that member. Problems:
// auth.passkey.
func (s *Passkeys) verify(ctx context.Context, p purpose, browser string, user idv.UserID, a Assertion) (account.User, error) {
	if s.party.webauthn == nil {
		return account.User{}, passkeysUnsupported()
	}
	parsed, err := a.parse()
	if err != nil {
		return account.User{}, passkeyRefused()
	}
	var begun passkeyCeremony
	if err := s.claim(ctx, p, browser, parsed.Response.CollectedClientData, &begun); err != nil {
		return account.User{}, err
	}
	owner := begun.User
	if owner == "" {
		owner = idv.UserID(parsed.Response.UserHandle)
	}
	if owner == "" || (user != "" && owner != user) {
		return account.User{}, passkeyRefused()
	}
	u, err := s.store.ChangeUser(ctx, owner, func(u *account.User) error { return s.use(u, begun, parsed) })
	if problem.Has(err, problem.NotFound) {
		return account.User{}, passkeyRefused()
	}
	return u, err
}

// claim decodes the state of the challenge that a browser signed, once. Problems: auth.passkey.
func (s *Passkeys) claim(ctx context.Context, p purpose, browser string, signed protocol.CollectedClientData, state *passkeyCeremony) error {
	err := s.ceremonies.claim(ctx, p, browser, signed.Challenge, state)
	if problem.Has(err, problem.NotFound) {
		return problem.New(problem.AuthPasskey).Saying("The request was answered before, or too late. Try again.")
	}
	return err
}

// use checks a signature against a member's passkeys and records the use.
func (s *Passkeys) use(u *account.User, begun passkeyCeremony, parsed *protocol.ParsedCredentialAssertionData) error {
	if !u.DisabledAt.IsZero() {
		return passkeyRefused()
	}
	var credential *webauthn.Credential
	var err error
	if begun.User != "" {
		credential, err = s.party.webauthn.ValidateLogin(webauthnUser{*u}, begun.Session, parsed)
	} else {
		find := func(_, _ []byte) (webauthn.User, error) { return webauthnUser{*u}, nil }
		_, credential, err = s.party.webauthn.ValidatePasskeyLogin(find, begun.Session, parsed)
	}
	if err != nil {
		return passkeyRefused()
	}
	if credential.Authenticator.CloneWarning {
		return errors.Join(passkeyRefused(), ClonedPasskeyError{User: u.ID})
	}
	i := slices.IndexFunc(u.Factor.Passkeys, func(k account.Passkey) bool { return bytes.Equal(k.Credential, credential.ID) })
	u.Factor.Passkeys[i].SignCount = credential.Authenticator.SignCount
	u.Factor.Passkeys[i].LastUsedAt = s.moment()
	return nil
}

func (a Assertion) parse() (*protocol.ParsedCredentialAssertionData, error) {
	return protocol.CredentialAssertionResponse{PublicKeyCredential: publicKey(a.Credential), AssertionResponse: protocol.AuthenticatorAssertionResponse{
		AuthenticatorResponse: protocol.AuthenticatorResponse{ClientDataJSON: a.ClientData},
		AuthenticatorData:     a.AuthenticatorData, Signature: a.Signature, UserHandle: a.UserHandle,
	}}.Parse()
}

func requestFailed(err error) error { return errors.Join(errors.New("ask for a passkey"), err) }

func passkeyRefused() error {
	return problem.New(problem.AuthPasskey).Saying("It is not one that opens this account, or it is not known here any more.")
}

func passkeysUnsupported() error {
	return problem.New(problem.AuthPasskey).Saying("Passkeys need a --public-url with a host name, https or localhost.")
}
