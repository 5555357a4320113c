package httpapi_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// authenticator is a security key in software (WebAuthn §6), which can be told to misbehave.
type authenticator struct {
	t          *testing.T
	key        *ecdsa.PrivateKey
	id         []byte
	userHandle string // base64url
	count      uint32 // of the newest signature; 0 for one that does not count

	origin, rpID string
	flags        byte
	typ          string // of the client data; the right one if empty
	challenge    string // instead of the one that was asked for
}

// The flags of authenticator data (WebAuthn §6.1): user present and verified, attested credential data.
const userPresent, userVerified, attested = 0x01, 0x04, 0x40

func newAuthenticator(t *testing.T) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	id := make([]byte, 32)
	_, err = rand.Read(id)
	must(t, err)
	return &authenticator{t: t, key: key, id: id, origin: "http://localhost", rpID: "localhost", flags: userPresent | userVerified}
}

func b64(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

func (a *authenticator) clientData(typ, challenge string) []byte {
	if a.typ != "" {
		typ = a.typ
	}
	if a.challenge != "" {
		challenge = a.challenge
	}
	raw, err := json.Marshal(map[string]any{"type": typ, "challenge": challenge, "origin": a.origin, "crossOrigin": false})
	must(a.t, err)
	return raw
}

func (a *authenticator) data(flags byte) []byte {
	hash := sha256.Sum256([]byte(a.rpID))
	out := append(hash[:], flags)
	return binary.BigEndian.AppendUint32(out, a.count)
}

// make answers a PasskeyCreation with a new key and no attestation.
func (a *authenticator) make(asked, name string) map[string]any {
	a.t.Helper()
	a.userHandle = field(asked, "user_handle")
	point, err := a.key.PublicKey.Bytes()
	must(a.t, err)
	cose, err := cbor.Marshal(map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]})
	must(a.t, err)
	data := a.data(a.flags | attested)
	data = append(data, make([]byte, 16)...) // AAGUID
	data = binary.BigEndian.AppendUint16(data, uint16(len(a.id)))
	data = append(append(data, a.id...), cose...)
	object, err := cbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})
	must(a.t, err)
	return map[string]any{
		"name": name, "credential": b64(a.id), "client_data": b64(a.clientData("webauthn.create", field(asked, "challenge"))),
		"attestation": b64(object), "transports": []string{"internal"},
	}
}

// show answers a PasskeyRequest.
func (a *authenticator) show(asked string) map[string]any {
	a.t.Helper()
	client := a.clientData("webauthn.get", field(asked, "challenge"))
	data := a.data(a.flags)
	digest := sha256.Sum256(client)
	signed := sha256.Sum256(append(append([]byte{}, data...), digest[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, signed[:])
	must(a.t, err)
	return map[string]any{
		"credential": b64(a.id), "client_data": b64(client), "authenticator_data": b64(data), "signature": b64(signature), "user_handle": a.userHandle,
	}
}
