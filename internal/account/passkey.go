package account

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of passkeys.
const (
	MaxPasskeys    = 10 // of a member
	MaxPasskeyName = 60 // characters
)

// Passkey is a key pair whose private half stays with a member's device or password manager (WebAuthn Level 3). Each use
// proves both that they have it and, since verification of the user is required, that it is them.
type Passkey struct {
	ID         idv.PasskeyID `json:"id"`
	Name       string        `json:"name"`       // the member's word for it
	Credential []byte        `json:"credential"` // its id, as the authenticator chose it
	PublicKey  []byte        `json:"public_key"` // COSE (RFC 9052 §7)
	SignCount  uint32        `json:"sign_count"` // of the newest use; stays 0 where the authenticator does not count
	Synced     bool          `json:"synced"`     // may be copied between devices by their maker; never changes
	Transports []string      `json:"transports,omitempty"`
	CreatedAt  time.Time     `json:"created_at"`
	LastUsedAt time.Time     `json:"last_used_at"`
}

// CounterWentBackError says that a member's passkey signed with a counter that is not above the one before. Somebody may have a
// copy of it.
type CounterWentBackError struct{ User idv.UserID }

// Error implements error.
func (CounterWentBackError) Error() string { return "the passkey's counter went back" }

// PasskeyRequest is what a browser is asked to sign. Texts are base64url.
type PasskeyRequest struct {
	Challenge string
	RPID      string
	Allow     [][]byte // credential ids; empty for any that the browser has of this host
}

// PasskeyCreation is what a browser is asked to make a passkey for.
type PasskeyCreation struct {
	Challenge  string
	RPID       string
	RPName     string
	UserHandle []byte
	Algorithms []int    // COSE, best first
	Exclude    [][]byte // credential ids that the member has already
}

// Shown is a browser's answer to a PasskeyRequest (AuthenticatorAssertionResponse).
type Shown struct {
	Credential, ClientData, AuthenticatorData, Signature, UserHandle []byte
}

// Made is a browser's answer to a PasskeyCreation (AuthenticatorAttestationResponse).
type Made struct {
	Name                                string
	Credential, ClientData, Attestation []byte
	Transports                          []string
}

// posed is what is kept of a request.
type posed struct {
	User    idv.UserID           `json:"user,omitempty"`
	Session webauthn.SessionData `json:"session"`
}

// BeginPasskeySignIn asks a browser for any passkey of this host. Nothing in it depends on who asks. Problems: auth.passkey
// where this deployment cannot have passkeys.
func (s *Service) BeginPasskeySignIn(ctx context.Context, browser string) (PasskeyRequest, error) {
	if s.origin.auth == nil {
		return PasskeyRequest{}, noPasskeysHere()
	}
	options, session, err := s.origin.auth.BeginDiscoverableLogin()
	return s.posePasskey(ctx, toSignIn, browser, "", options, session, err)
}

// BeginPasskeyProof asks for a passkey of the member who is signed in. Problems: auth.passkey where they have none.
func (s *Service) BeginPasskeyProof(ctx context.Context, browser string, u User) (PasskeyRequest, error) {
	if s.origin.auth == nil {
		return PasskeyRequest{}, noPasskeysHere()
	}
	if len(u.Factor.Passkeys) == 0 {
		return PasskeyRequest{}, problem.New(problem.AuthPasskey).Saying("You have no passkey here.")
	}
	options, session, err := s.origin.auth.BeginLogin(holder{u})
	return s.posePasskey(ctx, toProve, browser, u.ID, options, session, err)
}

func (s *Service) posePasskey(ctx context.Context, p purpose, browser string, user idv.UserID, o *protocol.CredentialAssertion, session *webauthn.SessionData, err error) (PasskeyRequest, error) {
	if err != nil {
		return PasskeyRequest{}, errors.Join(errors.New("ask for a passkey"), err)
	}
	return PasskeyRequest{Challenge: session.Challenge, RPID: s.origin.host, Allow: o.Response.GetAllowedCredentialIDs()},
		s.ask(ctx, p, browser, session.Challenge, posed{User: user, Session: *session})
}

// PasskeySignIn answers the member whose passkey signed what this browser was asked to. Problems: auth.passkey, with
// CounterWentBackError where that is why. It does not tell whether there is such a member.
func (s *Service) PasskeySignIn(ctx context.Context, browser string, shown Shown) (User, error) {
	u, err := s.checkPasskey(ctx, toSignIn, browser, "", shown)
	if err != nil {
		return User{}, err
	}
	return u, s.seen(ctx, u)
}

// checkPasskey finds whose passkey signed, and notes its use. Where user is given, it must be theirs.
func (s *Service) checkPasskey(ctx context.Context, p purpose, browser string, user idv.UserID, shown Shown) (User, error) {
	if s.origin.auth == nil {
		return User{}, noPasskeysHere()
	}
	parsed, err := shown.parse()
	if err != nil {
		return User{}, notAccepted()
	}
	var asked posed
	if err := s.answered(ctx, p, browser, parsed.Response.CollectedClientData.Challenge, &asked); err != nil {
		if problem.Has(err, problem.NotFound) {
			return User{}, tooLate()
		}
		return User{}, err
	}
	owner := asked.User
	if owner == "" {
		owner = idv.UserID(parsed.Response.UserHandle)
	}
	if owner == "" || (user != "" && owner != user) {
		return User{}, notAccepted()
	}
	u, err := s.store.ChangeUser(ctx, owner, func(u *User) error { return s.usePasskey(u, asked, parsed) })
	if problem.Has(err, problem.NotFound) {
		return User{}, notAccepted()
	}
	return u, err
}

// usePasskey checks a signature with a member's key and counts the use.
func (s *Service) usePasskey(u *User, asked posed, parsed *protocol.ParsedCredentialAssertionData) error {
	if !u.DisabledAt.IsZero() {
		return notAccepted()
	}
	var credential *webauthn.Credential
	var err error
	if asked.User != "" {
		credential, err = s.origin.auth.ValidateLogin(holder{*u}, asked.Session, parsed)
	} else {
		_, credential, err = s.origin.auth.ValidatePasskeyLogin(func(_, _ []byte) (webauthn.User, error) { return holder{*u}, nil }, asked.Session, parsed)
	}
	if err != nil {
		return notAccepted()
	}
	if credential.Authenticator.CloneWarning {
		return errors.Join(notAccepted(), CounterWentBackError{User: u.ID})
	}
	i := slices.IndexFunc(u.Factor.Passkeys, func(k Passkey) bool { return bytes.Equal(k.Credential, credential.ID) })
	u.Factor.Passkeys[i].SignCount = credential.Authenticator.SignCount
	u.Factor.Passkeys[i].LastUsedAt = s.moment()
	return nil
}

// BeginPasskey asks the member's browser to make a passkey. Problems: auth.passkey, request.malformed (they have too many).
func (s *Service) BeginPasskey(ctx context.Context, browser string, u User) (PasskeyCreation, error) {
	if s.origin.auth == nil {
		return PasskeyCreation{}, noPasskeysHere()
	}
	if len(u.Factor.Passkeys) >= MaxPasskeys {
		return PasskeyCreation{}, problem.New(problem.RequestMalformed).Saying("You have %d passkeys. Remove one first.", MaxPasskeys)
	}
	options, session, err := s.origin.auth.BeginRegistration(holder{u}, webauthn.WithExclusions(descriptors(u)))
	if err != nil {
		return PasskeyCreation{}, errors.Join(errors.New("ask for a new passkey"), err)
	}
	out := PasskeyCreation{
		Challenge: session.Challenge, RPID: s.origin.host, RPName: options.Response.RelyingParty.Name, UserHandle: []byte(u.ID),
		Exclude: credentialIDs(u),
	}
	for _, a := range options.Response.Parameters {
		out.Algorithms = append(out.Algorithms, int(a.Algorithm))
	}
	return out, s.ask(ctx, toRegister, browser, session.Challenge, posed{User: u.ID, Session: *session})
}

// AddPasskey keeps the passkey that the member's browser made. The first thing that is asked for besides a password comes with
// recovery codes, which are answered this once. Problems: auth.passkey, request.malformed (name).
func (s *Service) AddPasskey(ctx context.Context, browser string, u User, made Made) (User, []string, error) {
	name := strings.TrimSpace(made.Name)
	if n := utf8.RuneCountInString(name); n == 0 || n > MaxPasskeyName {
		return User{}, nil, problem.New(problem.RequestMalformed).At("/name").Saying("A name of 1 to %d characters.", MaxPasskeyName)
	}
	credential, err := s.checkMade(ctx, browser, u, made)
	if err != nil {
		return User{}, nil, err
	}
	id, err := idv.NewID[idv.PasskeyID](s.now(), s.random)
	if err != nil {
		return User{}, nil, err
	}
	codes, hashes, err := s.recoveryCodes()
	if err != nil {
		return User{}, nil, err
	}
	u, err = s.store.ChangeUser(ctx, u.ID, func(u *User) error {
		if len(u.Factor.Passkeys) >= MaxPasskeys {
			return notAccepted()
		}
		if !u.Factor.On() {
			u.Factor.Recovery = hashes
		} else {
			codes = nil
		}
		u.Factor.Passkeys = append(slices.Clone(u.Factor.Passkeys), Passkey{
			ID: id, Name: name, Credential: credential.ID, PublicKey: credential.PublicKey, SignCount: credential.Authenticator.SignCount,
			Synced: credential.Flags.BackupEligible, Transports: made.Transports, CreatedAt: s.moment(),
		})
		return nil
	}, audit.Record{Action: "user.passkey_added", Subject: string(id)})
	return u, codes, err
}

func (s *Service) checkMade(ctx context.Context, browser string, u User, made Made) (*webauthn.Credential, error) {
	if s.origin.auth == nil {
		return nil, noPasskeysHere()
	}
	parsed, err := made.parse()
	if err != nil {
		return nil, notAccepted()
	}
	var asked posed
	if err := s.answered(ctx, toRegister, browser, parsed.Response.CollectedClientData.Challenge, &asked); err != nil {
		if problem.Has(err, problem.NotFound) {
			return nil, tooLate()
		}
		return nil, err
	}
	credential, err := s.origin.auth.CreateCredential(holder{u}, asked.Session, parsed)
	if err != nil || asked.User != u.ID {
		return nil, notAccepted()
	}
	all, err := s.store.Users(ctx)
	if err != nil {
		return nil, err
	}
	for _, other := range all { // an id that somebody has already would make two members one (WebAuthn §7.1 step 26)
		if slices.ContainsFunc(other.Factor.Passkeys, func(k Passkey) bool { return bytes.Equal(k.Credential, credential.ID) }) {
			return nil, notAccepted()
		}
	}
	return credential, nil
}

// RemovePasskey forgets a passkey of a member, if another way in stays. Problems: not_found, auth.forbidden (the last way in).
func (s *Service) RemovePasskey(ctx context.Context, member idv.UserID, id idv.PasskeyID) (User, error) {
	return s.store.ChangeUser(ctx, member, func(u *User) error {
		i := slices.IndexFunc(u.Factor.Passkeys, func(k Passkey) bool { return k.ID == id })
		if i < 0 {
			return problem.New(problem.NotFound)
		}
		u.Factor.Passkeys = slices.Delete(slices.Clone(u.Factor.Passkeys), i, i+1)
		if !u.Factor.On() {
			u.Factor = Factor{}
		}
		return s.someWayIn(*u)
	}, audit.Record{Action: "user.passkey_removed", Subject: string(id)})
}

// someWayIn is a problem where a member could not sign in any more.
func (s *Service) someWayIn(u User) error {
	if u.PasswordHash == "" && len(u.Factor.Passkeys) == 0 && (u.Subject == (Subject{}) || s.sso.Provider == nil) {
		return problem.New(problem.AuthForbidden).Saying("This is your last way in. Add another one first.")
	}
	return nil
}

// holder is a member as the library sees them.
type holder struct{ u User }

// WebAuthnID implements webauthn.User. The id says nothing about the person (WebAuthn §14.6.1).
func (h holder) WebAuthnID() []byte { return []byte(h.u.ID) }

// WebAuthnName implements webauthn.User.
func (h holder) WebAuthnName() string { return h.u.Email }

// WebAuthnDisplayName implements webauthn.User.
func (h holder) WebAuthnDisplayName() string { return h.u.Name }

// WebAuthnCredentials implements webauthn.User.
func (h holder) WebAuthnCredentials() []webauthn.Credential {
	out := make([]webauthn.Credential, 0, len(h.u.Factor.Passkeys))
	for _, k := range h.u.Factor.Passkeys {
		out = append(out, webauthn.Credential{
			ID: k.Credential, PublicKey: k.PublicKey, Flags: webauthn.CredentialFlags{UserPresent: true, UserVerified: true, BackupEligible: k.Synced},
			Authenticator: webauthn.Authenticator{SignCount: k.SignCount},
		})
	}
	return out
}

func descriptors(u User) []protocol.CredentialDescriptor {
	out := []protocol.CredentialDescriptor{}
	for _, c := range (holder{u}).WebAuthnCredentials() {
		out = append(out, c.Descriptor())
	}
	return out
}

func credentialIDs(u User) [][]byte {
	out := [][]byte{}
	for _, k := range u.Factor.Passkeys {
		out = append(out, k.Credential)
	}
	return out
}

func publicKey(id []byte) protocol.PublicKeyCredential {
	return protocol.PublicKeyCredential{
		Credential: protocol.Credential{ID: base64.RawURLEncoding.EncodeToString(id), Type: string(protocol.PublicKeyCredentialType)}, RawID: id,
	}
}

func (a Shown) parse() (*protocol.ParsedCredentialAssertionData, error) {
	return protocol.CredentialAssertionResponse{PublicKeyCredential: publicKey(a.Credential), AssertionResponse: protocol.AuthenticatorAssertionResponse{
		AuthenticatorResponse: protocol.AuthenticatorResponse{ClientDataJSON: a.ClientData},
		AuthenticatorData:     a.AuthenticatorData, Signature: a.Signature, UserHandle: a.UserHandle,
	}}.Parse()
}

func (m Made) parse() (*protocol.ParsedCredentialCreationData, error) {
	return protocol.CredentialCreationResponse{PublicKeyCredential: publicKey(m.Credential), AttestationResponse: protocol.AuthenticatorAttestationResponse{
		AuthenticatorResponse: protocol.AuthenticatorResponse{ClientDataJSON: m.ClientData}, AttestationObject: m.Attestation, Transports: m.Transports,
	}}.Parse()
}

func notAccepted() error {
	return problem.New(problem.AuthPasskey).Saying("It is not one that opens this account, or it is not known here any more.")
}

func tooLate() error {
	return problem.New(problem.AuthPasskey).Saying("The request was answered before, or too late. Try again.")
}

func noPasskeysHere() error {
	return problem.New(problem.AuthPasskey).Saying("Passkeys need a --public-url with a host name, https or localhost.")
}
