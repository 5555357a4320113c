package mdoc

import (
	"crypto/hkdf"
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/bonafide-id/bonafide/internal/cose"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// checkDevice checks that the device's key authenticated this document in this session (ISO/IEC 18013-5 section 9.1.3).
func (r *Report) checkDevice(d *document, object *securityObject, s *Session) {
	if s == nil {
		r.note(DeviceUnchecked, "whether the device presented the document was not asked")
		return
	}
	before := len(r.Refusals)
	signature, mac := d.proof["deviceSignature"], d.proof["deviceMac"]
	if !d.presented || (signature == nil) == (mac == nil) {
		r.refuse(DeviceMissing, "the device did not authenticate the document in one way")
		return
	}
	message := authentication(s.Transcript, d.kind, d.ofDevice)
	if signature != nil {
		r.fail(checkSignature(signature, object.key, message))
	} else {
		r.ByMac = true
		r.fail(checkMac(mac, object.key, s, message))
	}
	r.readOfDevice(d.ofDevice, object)
	r.Bound = r.Authentic && len(r.Refusals) == before
}

// authentication returns DeviceAuthenticationBytes (section 9.1.3.4): transcript and name spaces as they are, and the type.
func authentication(transcript []byte, kind string, ofDevice cose.Raw) []byte {
	return cose.Embed(cose.Encode([]any{"DeviceAuthentication", cose.Raw(transcript), kind, ofDevice}))
}

func checkSignature(raw cose.Raw, key *pki.PublicKey, message []byte) error {
	m, err := cose.ParseSign1(raw)
	if err != nil {
		return err
	}
	if m.Payload != nil {
		return refusal.New(Malformed, "the device's signature brings a payload of its own")
	}
	err = m.Verify(key, message)
	if why := refusal.Of(err); why != nil && why.Code == cose.Signature {
		return refusal.New(DeviceSignature, "the device's key did not sign the document for this session")
	}
	return err
}

func checkMac(raw cose.Raw, key *pki.PublicKey, s *Session, message []byte) error {
	if s.Reader == nil {
		return refusal.New(DeviceMac, "the device sent an authentication code where a signature is needed")
	}
	m, err := cose.ParseMac0(raw)
	if err != nil {
		return err
	}
	if m.Payload != nil {
		return refusal.New(Malformed, "the device's authentication code brings a payload of its own")
	}
	secret, err := macKey(key, s)
	if err != nil {
		return err
	}
	if m.VerifyMac(secret, message) != nil {
		return refusal.New(DeviceMac, "the device did not authenticate the document for this session")
	}
	return nil
}

// macKey returns EMacKey (section 9.1.3.5): of the keys of device and reader, salted with the hash of the tagged transcript.
func macKey(key *pki.PublicKey, s *Session) ([]byte, error) {
	if key.Curve == nil {
		return nil, refusal.New(cose.KeyMismatch, "the device has a key of kind %s, which agrees on nothing", key)
	}
	device, err := s.Reader.Curve().NewPublicKey(key.Point())
	if err != nil {
		return nil, refusal.New(cose.KeyMismatch, "the keys of device and reader are on different curves")
	}
	shared, err := s.Reader.ECDH(device)
	if err != nil {
		return nil, refusal.New(cose.KeyMismatch, "the keys of device and reader agree on nothing")
	}
	salt := sha256.Sum256(cose.Embed(s.Transcript))
	return hkdf.Key(sha256.New, shared, salt[:], "EMacKey", sha256.Size)
}

// readOfDevice reads what the device says itself, which the issuer must have let it.
func (r *Report) readOfDevice(raw cose.Raw, object *securityObject) {
	inner, err := cose.Embedded(raw)
	if r.fail(err) {
		return
	}
	spaces, err := cose.Map(inner)
	if r.fail(err) {
		return
	}
	for _, space := range slices.Sorted(maps.Keys(spaces)) {
		elements, err := cose.Map(spaces[space])
		if r.fail(err) {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(elements)) {
			if !object.spaces[space] && !slices.Contains(object.elements[space], name) {
				r.refuse(NotAuthorised, "the device says something that the issuer did not let it")
				return
			}
			v, err := cose.Value(elements[name])
			if r.fail(err) {
				return
			}
			r.ofDevice.set(space, name, v)
		}
	}
}
