package testwallet

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"strconv"
	"strings"
	"time"

	"github.com/fxamacker/cbor/v2"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
)

// document presents a mobile document with the elements that were asked for (ISO/IEC 18013-5 section 8.3.2.1.2.2).
func (w Wallet) document(by *issuer, holder *ecdsa.PrivateKey, q openid4vp.CredentialQuery, r *openid4vp.Request) (string, error) {
	spaces, digests := map[string][]any{}, map[string]map[int]any{}
	for _, c := range q.Claims {
		space, _ := c.Path[0].(string)
		name, _ := c.Path[1].(string)
		value := w.element(name)
		if value == nil {
			continue
		}
		random := make([]byte, 16)
		_, _ = rand.Read(random) // never fails
		id := len(spaces[space])
		item := cose.Embed(cose.Encode(map[string]any{"digestID": id, "random": random, "elementIdentifier": name, "elementValue": value}))
		sum := sha256.Sum256(item)
		if digests[space] == nil {
			digests[space] = map[int]any{}
		}
		spaces[space], digests[space][id] = append(spaces[space], cbor.RawMessage(item)), sum[:]
	}
	signed, err := w.signed(by, holder, typeOf(q), digests)
	if err != nil {
		return "", err
	}
	device, err := authenticate(holder, typeOf(q), r)
	if err != nil {
		return "", err
	}
	return encode(cose.Encode(map[string]any{"version": "1.0", "status": 0, "documents": []any{map[string]any{
		"docType": typeOf(q), "issuerSigned": map[string]any{"nameSpaces": spaces, "issuerAuth": cbor.RawMessage(signed)}, "deviceSigned": device,
	}}})), nil
}

// element is the value of a data element; nil where the wallet has none.
func (w Wallet) element(name string) any {
	if fact, known := facts[name]; known {
		value := w.fact(fact)
		if strings.HasSuffix(name, "_date") {
			return cbor.Tag{Number: 1004, Content: value}
		}
		return value
	}
	if name == "portrait" {
		if raw := w.portrait(); raw != nil {
			return raw
		}
		return nil
	}
	if over, isAge := strings.CutPrefix(name, "age_over_"); isAge {
		years, err := strconv.Atoi(over)
		return err == nil && w.reached(years)
	}
	return nil
}

// signed returns issuerAuth: the MobileSecurityObject under the issuer's signature.
func (w Wallet) signed(by *issuer, holder *ecdsa.PrivateKey, docType string, digests map[string]map[int]any) ([]byte, error) {
	point, err := publicKey(holder)
	if err != nil {
		return nil, err
	}
	from, until := w.life()
	object := cose.Embed(cose.Encode(map[string]any{
		"version": "1.0", "digestAlgorithm": "SHA-256", "docType": docType, "valueDigests": digests,
		"deviceKeyInfo": map[string]any{"deviceKey": cose.Key(point)},
		"validityInfo":  map[string]any{"signed": date(from), "validFrom": date(from), "validUntil": date(until)},
		"status":        map[string]any{"status_list": map[string]any{"uri": listURL, "idx": w.index()}},
	}))
	return by.documents.sign1(map[int]any{33: by.documents.certificate.Raw}, object, object)
}

// authenticate returns deviceSigned: the device's signature over the transcript, and nothing that it says itself.
func authenticate(holder *ecdsa.PrivateKey, docType string, r *openid4vp.Request) (map[string]any, error) {
	transcript, err := r.Transcript()
	if err != nil {
		return nil, err
	}
	says := cose.Embed(cose.Encode(map[string]any{}))
	message := cose.Embed(cose.Encode([]any{"DeviceAuthentication", cbor.RawMessage(transcript), docType, cbor.RawMessage(says)}))
	signature, err := party{key: holder}.sign1(map[int]any{}, nil, message)
	if err != nil {
		return nil, err
	}
	return map[string]any{"nameSpaces": cbor.RawMessage(says), "deviceAuth": map[string]any{"deviceSignature": cbor.RawMessage(signature)}}, nil
}

// sign1 returns a COSE_Sign1 over a message. Where that does not come along, payload is nil.
func (p party) sign1(open map[int]any, payload, message []byte) ([]byte, error) {
	head := cose.Encode(map[int]any{1: -7})
	signature, err := p.sign(cose.Encode([]any{"Signature1", head, []byte{}, message}))
	var inside any
	if payload != nil {
		inside = payload
	}
	return cose.Encode([]any{head, open, inside, signature}), err
}

func date(t time.Time) cbor.Tag {
	return cbor.Tag{Number: 0, Content: t.Format("2006-01-02T15:04:05Z")}
}
