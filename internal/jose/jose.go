// Package jose reads what is signed as JSON: compact tokens (RFC 7515), public keys (RFC 7517) and strict JSON.
//
// Tokens come from strangers. A name that occurs twice, a header that has to be understood and is not, an algorithm that is not on the
// list, base64 that could be written in another way: each is refused. Keys never come from a header but as a certificate, which the
// caller still has to trust.
package jose

import "github.com/bonafide-id/bonafide/internal/refusal"

// The refusals of this package.
const (
	Malformed      refusal.Code = "jose.malformed"       // no token, base64 or JSON as the format asks for
	TooLarge       refusal.Code = "jose.too_large"       // longer, or nested deeper, than is read
	Repeated       refusal.Code = "jose.name_repeated"   // JSON object with a name twice
	Algorithm      refusal.Code = "jose.algorithm"       // algorithm that is not accepted: none, HMAC, anything unknown
	KeyMismatch    refusal.Code = "jose.key_mismatch"    // algorithm of another kind of key than the key is
	Critical       refusal.Code = "jose.critical"        // header that has to be understood and is not
	UnsupportedKey refusal.Code = "jose.key_unsupported" // key of a kind that is not verified with, or a private one
	Signature      refusal.Code = "jose.signature"       // signature that the key did not make
	NoCertificate  refusal.Code = "jose.no_certificate"  // token without the certificate of its signer
)
