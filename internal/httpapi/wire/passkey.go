package wire

import (
	"encoding/base64"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// base64url is bytes as browsers write them in JSON: base64url without padding (WebAuthn §3).
type base64url = string

// PasskeyRequest is what a browser is asked to sign with a passkey (PublicKeyCredentialRequestOptions). Verification of the
// user is required.
type PasskeyRequest struct {
	Challenge base64url   `json:"challenge" doc:"Base64url; works once, in this browser"`
	RPID      string      `json:"rp_id" doc:"The host that passkeys belong to"`
	Allow     []base64url `json:"allow" nullable:"false" doc:"Credential ids; empty for any that the browser has"`
	TimeoutMS int         `json:"timeout_ms"`
}

// PasskeyShown is the browser's answer (AuthenticatorAssertionResponse). Every field is base64url.
type PasskeyShown struct {
	Credential        base64url `json:"credential" minLength:"1" maxLength:"1400" doc:"Credential id"`
	ClientData        base64url `json:"client_data" minLength:"1" maxLength:"4096" doc:"clientDataJSON"`
	AuthenticatorData base64url `json:"authenticator_data" minLength:"1" maxLength:"4096"`
	Signature         base64url `json:"signature" minLength:"1" maxLength:"4096"`
	UserHandle        base64url `json:"user_handle,omitempty" maxLength:"100"`
}

// PasskeyCreation is what a browser is asked to make a passkey for (PublicKeyCredentialCreationOptions). A discoverable
// credential and verification of the user are required; no attestation is wanted.
type PasskeyCreation struct {
	Challenge  base64url   `json:"challenge" doc:"Base64url; works once, in this browser"`
	RPID       string      `json:"rp_id"`
	RPName     string      `json:"rp_name"`
	UserHandle base64url   `json:"user_handle"`
	UserName   string      `json:"user_name"`
	UserLabel  string      `json:"user_label"`
	Algorithms []int       `json:"algorithms" nullable:"false" doc:"COSE algorithms, best first"`
	Exclude    []base64url `json:"exclude" nullable:"false" doc:"Credential ids of passkeys that are there already"`
	TimeoutMS  int         `json:"timeout_ms"`
}

// PasskeyMade is the browser's answer (AuthenticatorAttestationResponse).
type PasskeyMade struct {
	Name        string    `json:"name" minLength:"1" maxLength:"60" doc:"The member's word for it"`
	Credential  base64url `json:"credential" minLength:"1" maxLength:"1400" doc:"Credential id"`
	ClientData  base64url `json:"client_data" minLength:"1" maxLength:"4096" doc:"clientDataJSON"`
	Attestation base64url `json:"attestation" minLength:"1" maxLength:"16384" doc:"attestationObject"`
	Transports  []string  `json:"transports" maxItems:"8" nullable:"false"`
}

// Passkey is one of a member's passkeys.
type Passkey struct {
	ID         idv.PasskeyID `json:"id"`
	Name       string        `json:"name"`
	Synced     bool          `json:"synced" doc:"Whether its maker may copy it between devices"`
	CreatedAt  time.Time     `json:"created_at"`
	LastUsedAt *time.Time    `json:"last_used_at"`
}

// AddedPasskey is the answer to a new passkey.
type AddedPasskey struct {
	Me            Me       `json:"me"`
	RecoveryCodes []string `json:"recovery_codes" nullable:"false"`
}

// Proof shows once more who one is: a passkey, or the password with a code where signing in asks for one.
type Proof struct {
	Password string        `json:"password,omitempty" maxLength:"256"`
	Code     string        `json:"one_time_code,omitempty" maxLength:"40" doc:"Of the authenticator app, or a recovery code"`
	Passkey  *PasskeyShown `json:"passkey,omitempty"`
}

// PasskeyRequestOf returns what a browser is asked to sign.
func PasskeyRequestOf(r signin.AssertionRequest) PasskeyRequest {
	return PasskeyRequest{Challenge: r.Challenge, RPID: r.RPID, Allow: texts(r.Allow), TimeoutMS: int(signin.CeremonyLife.Milliseconds())}
}

// PasskeyCreationOf returns what a browser is asked to make a passkey for.
func PasskeyCreationOf(c signin.RegistrationRequest, u account.User) PasskeyCreation {
	return PasskeyCreation{
		Challenge: c.Challenge, RPID: c.RPID, RPName: c.RPName, UserHandle: base64.RawURLEncoding.EncodeToString(c.UserHandle),
		UserName: u.Email, UserLabel: u.Name, Algorithms: c.Algorithms, Exclude: texts(c.Exclude), TimeoutMS: int(signin.CeremonyLife.Milliseconds()),
	}
}

func passkeysOf(u account.User) []Passkey {
	out := []Passkey{}
	for _, k := range u.Factor.Passkeys {
		out = append(out, Passkey{ID: k.ID, Name: k.Name, Synced: k.Synced, CreatedAt: k.CreatedAt.UTC(), LastUsedAt: OptionalTime(k.LastUsedAt)})
	}
	return out
}

func texts(list [][]byte) []base64url {
	out := []base64url{}
	for _, b := range list {
		out = append(out, base64.RawURLEncoding.EncodeToString(b))
	}
	return out
}

// Decode returns the browser's answer. Problems: auth.passkey.
func (p PasskeyShown) Decode() (signin.Assertion, error) {
	var out signin.Assertion
	err := decodeAll(map[*[]byte]base64url{
		&out.Credential: p.Credential, &out.ClientData: p.ClientData, &out.AuthenticatorData: p.AuthenticatorData,
		&out.Signature: p.Signature, &out.UserHandle: p.UserHandle,
	})
	return out, err
}

// Decode returns the browser's answer. Problems: auth.passkey.
func (p PasskeyMade) Decode() (signin.Registration, error) {
	out := signin.Registration{Name: p.Name, Transports: p.Transports}
	err := decodeAll(map[*[]byte]base64url{&out.Credential: p.Credential, &out.ClientData: p.ClientData, &out.Attestation: p.Attestation})
	return out, err
}

func decodeAll(fields map[*[]byte]base64url) error {
	for into, text := range fields {
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			return problem.New(problem.AuthPasskey).Saying("The browser's answer is not base64url.")
		}
		*into = raw
	}
	return nil
}
