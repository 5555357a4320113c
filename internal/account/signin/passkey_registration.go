package signin

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of passkeys.
const (
	MaxPasskeys    = 10 // of one member
	MaxPasskeyName = 60 // characters
)

// RegistrationRequest asks a browser to make a passkey.
type RegistrationRequest struct {
	Challenge  string // base64url
	RPID       string
	RPName     string
	UserHandle []byte
	Algorithms []int    // COSE, best first
	Exclude    [][]byte // credential ids that the member has already
}

// Registration is a browser's answer to a RegistrationRequest (AuthenticatorAttestationResponse).
type Registration struct {
	Name                                string // chosen by the member
	Credential, ClientData, Attestation []byte
	Transports                          []string
}

// BeginRegistration asks the member's browser to make a passkey. Problems: auth.passkey, request.malformed (they have too
// many).
func (s *Passkeys) BeginRegistration(ctx context.Context, browser string, u account.User) (RegistrationRequest, error) {
	if s.party.webauthn == nil {
		return RegistrationRequest{}, passkeysUnsupported()
	}
	if len(u.Factor.Passkeys) >= MaxPasskeys {
		return RegistrationRequest{}, problem.New(problem.RequestMalformed).Saying("You have %d passkeys. Remove one first.", MaxPasskeys)
	}
	options, session, err := s.party.webauthn.BeginRegistration(webauthnUser{u}, webauthn.WithExclusions(descriptorsOf(u)))
	if err != nil {
		return RegistrationRequest{}, errors.Join(errors.New("ask for a new passkey"), err)
	}
	out := RegistrationRequest{
		Challenge: session.Challenge, RPID: s.party.id, RPName: options.Response.RelyingParty.Name, UserHandle: []byte(u.ID),
		Exclude: credentialsOf(u),
	}
	for _, a := range options.Response.Parameters {
		out.Algorithms = append(out.Algorithms, int(a.Algorithm))
	}
	return out, s.ceremonies.save(ctx, forRegistration, browser, session.Challenge, passkeyCeremony{User: u.ID, Session: *session})
}

// Register stores the passkey that the member's browser made. With a member's first second factor it returns recovery
// codes, which cannot be had again; otherwise none. Problems: auth.passkey, request.malformed (name).
func (s *Passkeys) Register(ctx context.Context, browser string, u account.User, r Registration) (account.User, []string, error) {
	name := strings.TrimSpace(r.Name)
	if n := utf8.RuneCountInString(name); n == 0 || n > MaxPasskeyName {
		return account.User{}, nil, problem.New(problem.RequestMalformed).At("/name").Saying("A name of 1 to %d characters.", MaxPasskeyName)
	}
	credential, err := s.verifyRegistration(ctx, browser, u, r)
	if err != nil {
		return account.User{}, nil, err
	}
	id, err := idv.NewID[idv.PasskeyID](s.now(), s.random)
	if err != nil {
		return account.User{}, nil, err
	}
	codes, hashes, err := newRecoveryCodes(s.random)
	if err != nil {
		return account.User{}, nil, err
	}
	u, err = s.store.ChangeUser(ctx, u.ID, func(u *account.User) error {
		if len(u.Factor.Passkeys) >= MaxPasskeys {
			return passkeyRefused()
		}
		if !u.Factor.On() {
			u.Factor.Recovery = hashes
		} else {
			codes = nil
		}
		u.Factor.Passkeys = append(slices.Clone(u.Factor.Passkeys), account.Passkey{
			ID: id, Name: name, Credential: credential.ID, PublicKey: credential.PublicKey, SignCount: credential.Authenticator.SignCount,
			Synced: credential.Flags.BackupEligible, Transports: r.Transports, CreatedAt: s.moment(),
		})
		return nil
	}, audit.Record{Action: "user.passkey_added", Subject: string(id)})
	return u, codes, err
}

// verifyRegistration returns the credential that a browser made. Problems: auth.passkey.
func (s *Passkeys) verifyRegistration(ctx context.Context, browser string, u account.User, r Registration) (*webauthn.Credential, error) {
	if s.party.webauthn == nil {
		return nil, passkeysUnsupported()
	}
	parsed, err := r.parse()
	if err != nil {
		return nil, passkeyRefused()
	}
	var begun passkeyCeremony
	if err := s.claim(ctx, forRegistration, browser, parsed.Response.CollectedClientData, &begun); err != nil {
		return nil, err
	}
	credential, err := s.party.webauthn.CreateCredential(webauthnUser{u}, begun.Session, parsed)
	if err != nil || begun.User != u.ID {
		return nil, passkeyRefused()
	}
	all, err := s.store.Users(ctx)
	if err != nil {
		return nil, err
	}
	for _, other := range all { // two members with one credential id could not be told apart (WebAuthn §7.1 step 26)
		if slices.ContainsFunc(other.Factor.Passkeys, func(k account.Passkey) bool { return bytes.Equal(k.Credential, credential.ID) }) {
			return nil, passkeyRefused()
		}
	}
	return credential, nil
}

// Remove removes a passkey of a member, if they can still sign in without it. Problems: not_found, auth.forbidden.
func (s *Passkeys) Remove(ctx context.Context, member idv.UserID, id idv.PasskeyID) (account.User, error) {
	return s.store.ChangeUser(ctx, member, func(u *account.User) error {
		i := slices.IndexFunc(u.Factor.Passkeys, func(k account.Passkey) bool { return k.ID == id })
		if i < 0 {
			return problem.New(problem.NotFound)
		}
		u.Factor.Passkeys = slices.Delete(slices.Clone(u.Factor.Passkeys), i, i+1)
		if !u.Factor.On() {
			u.Factor = account.Factor{}
		}
		if !u.CanSignIn(s.singleSignOn) {
			return problem.New(problem.AuthForbidden).Saying("This is your last way in. Add another one first.")
		}
		return nil
	}, audit.Record{Action: "user.passkey_removed", Subject: string(id)})
}

func (r Registration) parse() (*protocol.ParsedCredentialCreationData, error) {
	return protocol.CredentialCreationResponse{PublicKeyCredential: publicKey(r.Credential), AttestationResponse: protocol.AuthenticatorAttestationResponse{
		AuthenticatorResponse: protocol.AuthenticatorResponse{ClientDataJSON: r.ClientData}, AttestationObject: r.Attestation, Transports: r.Transports,
	}}.Parse()
}
