package openid4vp

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strings"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// contentKeys are the lengths of keys of the encryptions that are offered, in bytes.
var contentKeys = map[string]int{"A128GCM": 16, "A256GCM": 32}

const (
	maxAnswer = 16 << 20 // bytes as sent
	sizeNonce = 12
	sizeTag   = 16
)

// decrypt opens a compact JWE (RFC 7516) by ECDH-ES and AES-GCM, which is what requests offer. Anything else is refused, compression too.
func (r *Request) decrypt(raw string) ([]byte, error) {
	parts := strings.SplitN(raw, ".", 6)
	if len(parts) != 5 {
		return nil, refusal.New(Malformed, "an encrypted answer has five parts")
	}
	var decoded [5][]byte
	for i, part := range parts {
		var err error
		if decoded[i], err = jose.DecodeBase64(part); err != nil {
			return nil, err
		}
	}
	header, err := jose.DecodeObject(decoded[0])
	if err != nil {
		return nil, err
	}
	key, err := r.contentKey(header)
	if err != nil {
		return nil, err
	}
	if len(decoded[1]) > 0 || len(decoded[2]) != sizeNonce || len(decoded[4]) != sizeTag {
		return nil, refusal.New(Malformed, "the encrypted answer has parts of other lengths than its encryption makes")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	open, err := gcm.Open(nil, decoded[2], append(decoded[3], decoded[4]...), []byte(parts[0]))
	if err != nil {
		return nil, refusal.New(CannotDecrypt, "the key of the request does not open the answer")
	}
	return open, nil
}

// Seal encrypts an answer as a wallet does: a compact JWE by ECDH-ES and A128GCM. The wallet of test mode uses it.
func (r *Request) Seal(answer any) (string, error) {
	plain, err := json.Marshal(answer)
	if err != nil {
		return "", err
	}
	theirs, err := ecdh.P256().NewPublicKey(r.Public)
	if err != nil {
		return "", refusal.New(BadRequest, "the request has no key")
	}
	once, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return "", err
	}
	secret, err := once.ECDH(theirs)
	if err != nil {
		return "", err
	}
	point, err := pki.ParsePoint("P-256", once.PublicKey().Bytes())
	if err != nil {
		return "", err
	}
	const enc = "A128GCM"
	header, err := json.Marshal(map[string]any{"alg": "ECDH-ES", "enc": enc, "kid": r.KeyID, "epk": jose.Key(point)})
	if err != nil {
		return "", err
	}
	block, err := aes.NewCipher(derive(secret, [][]byte{[]byte(enc), nil, nil}, contentKeys[enc]))
	if err != nil {
		return "", err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, sizeNonce)
	_, _ = rand.Read(nonce) // never fails
	head := base64.RawURLEncoding.EncodeToString(header)
	sealed := gcm.Seal(nil, nonce, plain, []byte(head))
	content, tag := sealed[:len(sealed)-sizeTag], sealed[len(sealed)-sizeTag:]
	parts := []string{head, ""}
	for _, part := range [][]byte{nonce, content, tag} {
		parts = append(parts, base64.RawURLEncoding.EncodeToString(part))
	}
	return strings.Join(parts, "."), nil
}

// contentKey agrees on the key of the content (RFC 7518 section 4.6).
func (r *Request) contentKey(header map[string]any) ([]byte, error) {
	enc, _ := header["enc"].(string)
	size, offered := contentKeys[enc]
	if header["alg"] != "ECDH-ES" || !offered {
		return nil, refusal.New(Encryption, "the answer is encrypted in a way that was not offered")
	}
	for _, name := range []string{"zip", "crit"} {
		if _, there := header[name]; there {
			return nil, refusal.New(Encryption, "the answer is encrypted in a way that was not offered")
		}
	}
	if id, there := header["kid"]; there && id != r.KeyID {
		return nil, refusal.New(OtherKey, "the answer is encrypted to the key of another request")
	}
	theirs, err := jose.ParseKey(header["epk"])
	if err != nil {
		return nil, err
	}
	point, err := ecdh.P256().NewPublicKey(theirs.Point())
	if err != nil {
		return nil, refusal.New(Encryption, "the wallet's key is on another curve than the request's")
	}
	private, err := r.key()
	if err != nil {
		return nil, err
	}
	secret, err := private.ECDH(point)
	if err != nil {
		return nil, refusal.New(Encryption, "the keys of wallet and request agree on nothing")
	}
	parties := [][]byte{[]byte(enc)}
	for _, name := range []string{"apu", "apv"} {
		text, _ := header[name].(string)
		party, err := jose.DecodeBase64(text)
		if err != nil {
			return nil, err
		}
		parties = append(parties, party)
	}
	return derive(secret, parties, size), nil
}

// derive is the key derivation of RFC 7518 section 4.6.2, one round of SHA-256: keys are of at most 32 bytes.
func derive(secret []byte, parties [][]byte, size int) []byte {
	info := binary.BigEndian.AppendUint32(nil, 1)
	info = append(info, secret...)
	for _, p := range parties {
		info = append(binary.BigEndian.AppendUint32(info, uint32(len(p))), p...)
	}
	sum := sha256.Sum256(binary.BigEndian.AppendUint32(info, uint32(size*8)))
	return sum[:size]
}

// EncryptionInfo returns what a wallet encrypts by (ISO/IEC 18013-7 section C.2): the nonce and the key of the request.
func (r *Request) EncryptionInfo() ([]byte, error) {
	public, err := r.public()
	if err != nil {
		return nil, err
	}
	return cose.Encode([]any{"dcapi", map[string]any{"nonce": []byte(r.Nonce), "recipientPublicKey": cose.Key(public)}}), nil
}

// unseal opens an EncryptedResponse (ISO/IEC 18013-7 section C.3): HPKE (RFC 9180) bound to the transcript.
func (r *Request) unseal(raw []byte) ([]byte, error) {
	parts, err := cose.List(raw)
	if err != nil {
		return nil, err
	}
	if len(parts) != 2 {
		return nil, refusal.New(Malformed, "an encrypted answer has two parts")
	}
	if kind, err := cose.Text(parts[0]); err != nil || kind != "dcapi" {
		return nil, refusal.New(OtherChannel, "the answer is encrypted for another channel")
	}
	data, err := cose.Fields(parts[1], 2, "enc", "cipherText")
	if err != nil {
		return nil, err
	}
	enc, err := cose.Bytes(data["enc"])
	if err != nil {
		return nil, err
	}
	sealed, err := cose.Bytes(data["cipherText"])
	if err != nil {
		return nil, err
	}
	transcript, err := r.Transcript()
	if err != nil {
		return nil, err
	}
	private, err := r.key()
	if err != nil {
		return nil, err
	}
	key, err := hpke.NewDHKEMPrivateKey(private)
	if err != nil {
		return nil, err
	}
	recipient, err := hpke.NewRecipient(enc, key, hpke.HKDFSHA256(), hpke.AES128GCM(), transcript)
	if err != nil {
		return nil, refusal.New(CannotDecrypt, "the key of the request does not open the answer")
	}
	open, err := recipient.Open(nil, sealed)
	if err != nil {
		return nil, refusal.New(CannotDecrypt, "the key of the request does not open the answer")
	}
	return open, nil
}
