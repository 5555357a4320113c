package signin

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// device is a security key in software (WebAuthn §6), which a test can have misbehave.
type device struct {
	t          *testing.T
	key        *ecdsa.PrivateKey
	id         []byte
	userHandle []byte
	count      uint32 // of the newest signature; 0 for one that does not count

	origin, rpID string
	flags        byte
}

// The flags of authenticator data (WebAuthn §6.1): user present and verified, attested credential data.
const userPresent, userVerified, attested = 0x01, 0x04, 0x40

func newDevice(t *testing.T) *device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 32)
	_, _ = rand.Read(id)
	return &device{t: t, key: key, id: id, origin: "https://id.example.org", rpID: "id.example.org", flags: userPresent | userVerified}
}

func (d *device) clientData(typ, challenge string) []byte {
	raw, err := json.Marshal(map[string]any{"type": typ, "challenge": challenge, "origin": d.origin, "crossOrigin": false})
	if err != nil {
		d.t.Fatal(err)
	}
	return raw
}

func (d *device) data(flags byte) []byte {
	hash := sha256.Sum256([]byte(d.rpID))
	return binary.BigEndian.AppendUint32(append(hash[:], flags), d.count)
}

func (d *device) cbor(v any) []byte {
	raw, err := cbor.Marshal(v)
	if err != nil {
		d.t.Fatal(err)
	}
	return raw
}

// register answers a request with a new key and no attestation.
func (d *device) register(r RegistrationRequest, name string) Registration {
	d.userHandle = r.UserHandle
	point, err := d.key.PublicKey.Bytes()
	if err != nil {
		d.t.Fatal(err)
	}
	data := append(d.data(d.flags|attested), make([]byte, 16)...) // AAGUID
	data = binary.BigEndian.AppendUint16(data, uint16(len(d.id)))
	data = append(append(data, d.id...), d.cbor(map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:]})...)
	return Registration{
		Name: name, Credential: d.id, ClientData: d.clientData("webauthn.create", r.Challenge), Transports: []string{"internal"},
		Attestation: d.cbor(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data}),
	}
}

// sign answers a request.
func (d *device) sign(r AssertionRequest) Assertion {
	client, data := d.clientData("webauthn.get", r.Challenge), d.data(d.flags)
	digest := sha256.Sum256(client)
	signed := sha256.Sum256(append(append([]byte{}, data...), digest[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, signed[:])
	if err != nil {
		d.t.Fatal(err)
	}
	return Assertion{Credential: d.id, ClientData: client, AuthenticatorData: data, Signature: signature, UserHandle: d.userHandle}
}
