package cose

import (
	"crypto"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/fxamacker/cbor/v2"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// Labels of headers (RFC 9052 section 3.1, RFC 9360, RFC 9596).
const (
	labelAlgorithm = 1
	labelCritical  = 2
	labelChain     = 33
	labelType      = 16
)

const (
	tagSign1 = 18
	tagMac0  = 17
	hmac256  = 5
	maxChain = 6
)

// Message is a COSE_Sign1 or COSE_Mac0 that has not been verified yet.
type Message struct {
	Algorithm int64
	Type      string // header "typ", where it is text
	Payload   []byte // nil where it is detached

	protected []byte
	chain     []byte // as received
	signature []byte
}

// kind is a signature algorithm with the curves that it is for.
type kind struct {
	hash   crypto.Hash
	curves []string
}

// kinds are the signatures that are accepted: RFC 9053 section 2.1 with the curves of ISO/IEC 18013-5 section 9.1.2.4, and RFC 9864.
var kinds = map[int64]kind{
	-7:   {crypto.SHA256, []string{"P-256", "brainpoolP256r1"}},
	-35:  {crypto.SHA384, []string{"P-384", "brainpoolP320r1", "brainpoolP384r1"}},
	-36:  {crypto.SHA512, []string{"P-521", "brainpoolP512r1"}},
	-9:   {crypto.SHA256, []string{"P-256"}},
	-51:  {crypto.SHA384, []string{"P-384"}},
	-52:  {crypto.SHA512, []string{"P-521"}},
	-265: {crypto.SHA256, []string{"brainpoolP256r1"}},
	-266: {crypto.SHA384, []string{"brainpoolP320r1"}},
	-267: {crypto.SHA384, []string{"brainpoolP384r1"}},
	-268: {crypto.SHA512, []string{"brainpoolP512r1"}},
}

// Algorithms are the signatures that are accepted as requests name them, the preferred one first.
var Algorithms = []int64{-7, -35, -36}

// names are the algorithms as JOSE names them.
var names = map[int64]string{-7: "ES256", -9: "ES256", -35: "ES384", -51: "ES384", -36: "ES512", -52: "ES512"}

// AlgorithmName returns the name of a signature algorithm, or its number if it has none here.
func AlgorithmName(algorithm int64) string {
	if name, ok := names[algorithm]; ok {
		return name
	}
	return strconv.FormatInt(algorithm, 10)
}

// ParseSign1 reads a COSE_Sign1, tagged or not.
func ParseSign1(raw []byte) (*Message, error) {
	m, err := parse(raw, tagSign1)
	if err != nil {
		return nil, err
	}
	if _, known := kinds[m.Algorithm]; !known {
		return nil, refusal.New(Algorithm, "signature algorithm %d is not accepted", m.Algorithm)
	}
	return m, nil
}

// ParseMac0 reads a COSE_Mac0, tagged or not, by HMAC with SHA-256.
func ParseMac0(raw []byte) (*Message, error) {
	m, err := parse(raw, tagMac0)
	if err != nil {
		return nil, err
	}
	if m.Algorithm != hmac256 {
		return nil, refusal.New(Algorithm, "authentication code %d is not accepted", m.Algorithm)
	}
	return m, nil
}

func parse(raw []byte, number uint64) (*Message, error) {
	if is(raw, tagType) {
		var tag cbor.RawTag
		if err := Decode(raw, &tag); err != nil {
			return nil, err
		}
		if tag.Number != number {
			return nil, refusal.New(Malformed, "tag %d where %d was expected", tag.Number, number)
		}
		raw = tag.Content
	}
	parts, err := List(raw)
	if err != nil {
		return nil, err
	}
	if len(parts) != 4 {
		return nil, refusal.New(Malformed, "a signed message has four parts")
	}
	m := &Message{}
	if m.protected, err = Bytes(parts[0]); err != nil {
		return nil, err
	}
	if !slices.Equal(parts[2], Raw{0xF6}) { // null: the payload is detached
		if m.Payload, err = Bytes(parts[2]); err != nil {
			return nil, err
		}
	}
	if m.signature, err = Bytes(parts[3]); err != nil {
		return nil, err
	}
	return m, m.readHeaders(parts[1])
}

// readHeaders reads the algorithm, which must be protected, and the certificates, which need not be: their signature is their own.
func (m *Message) readHeaders(unprotected []byte) error {
	protected, err := labels(m.protected)
	if err != nil {
		return err
	}
	open, err := labels(unprotected)
	if err != nil {
		return err
	}
	if _, there := protected[labelCritical]; there {
		return refusal.New(Critical, "the message has a header that has to be understood")
	}
	if m.Algorithm, err = Int(protected[labelAlgorithm]); err != nil {
		return refusal.New(Algorithm, "the message does not say how it is signed")
	}
	if raw := protected[labelType]; is(raw, textType) {
		if m.Type, err = Text(raw); err != nil {
			return err
		}
	}
	if m.chain = protected[labelChain]; m.chain == nil {
		m.chain = open[labelChain]
	} else if open[labelChain] != nil {
		return refusal.New(Repeated, "the message brings certificates twice")
	}
	return nil
}

// labels reads a map of headers whose labels are integers or text; those that are text are passed over.
func labels(raw []byte) (map[int64]Raw, error) {
	if !is(raw, mapType) {
		return nil, refusal.New(Malformed, "the headers are no map")
	}
	var all map[any]Raw
	if err := Decode(raw, &all); err != nil {
		return nil, err
	}
	out := map[int64]Raw{}
	for label, v := range all {
		switch n := label.(type) {
		case uint64:
			if n <= math.MaxInt64 {
				out[int64(n)] = v
			}
		case int64:
			out[n] = v
		case string:
		default:
			return nil, refusal.New(Malformed, "a header has a label that is neither a number nor text")
		}
	}
	return out, nil
}

// Certificates returns the certificates of the headers (x5chain), the signer's first. Nothing about them has been checked.
func (m *Message) Certificates() ([]*pki.Certificate, error) {
	if m.chain == nil {
		return nil, refusal.New(NoCertificate, "the message does not bring the certificate of its signer")
	}
	list := []Raw{m.chain}
	if is(m.chain, arrayType) {
		var err error
		if list, err = List(m.chain); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 || len(list) > maxChain {
		return nil, refusal.New(NoCertificate, "the message brings %d certificates", len(list))
	}
	var out []*pki.Certificate
	for i, raw := range list {
		der, err := Bytes(raw)
		if err != nil {
			return nil, err
		}
		c, err := pki.ParseCertificate(der)
		if err != nil {
			return nil, fmt.Errorf("read certificate %d of the message: %w", i+1, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// Verify checks that the key signed the payload, which is given here where it is detached.
func (m *Message) Verify(key *pki.PublicKey, detached []byte) error {
	k := kinds[m.Algorithm]
	if key.Curve == nil || !slices.Contains(k.curves, key.Curve.Name) {
		return refusal.New(KeyMismatch, "algorithm %d is not for a key of kind %s", m.Algorithm, key)
	}
	if key.Verify(pki.Algorithm{Scheme: pki.Plain, Hash: k.hash}, m.toBeSigned("Signature1", detached), m.signature) != nil {
		return refusal.New(Signature, "the key did not sign the message")
	}
	return nil
}

// VerifyMac checks the authentication code of the payload, which is given here where it is detached.
func (m *Message) VerifyMac(key, detached []byte) error {
	code := hmac.New(sha256.New, key)
	code.Write(m.toBeSigned("MAC0", detached))
	if !hmac.Equal(code.Sum(nil), m.signature) {
		return refusal.New(Mac, "the authentication code is that of another key or message")
	}
	return nil
}

// toBeSigned returns Sig_structure or MAC_structure (RFC 9052 sections 4.4 and 6.3): both have the same four parts.
func (m *Message) toBeSigned(context string, detached []byte) []byte {
	payload := m.Payload
	if payload == nil {
		payload = detached
	}
	return Encode([]any{context, m.protected, []byte{}, payload})
}
