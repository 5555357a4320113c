// Package pki reads certificates, revocation lists, public keys and signatures as states issue them for travel documents (ICAO
// 9303-12), which crypto/x509 refuses for a quarter of the published ones: explicit curve parameters, Brainpool curves, negative
// serial numbers, odd times and extensions.
//
// Reading is lenient and deciding is strict. ParseCertificate accepts what can be read without doubt and records what is odd; a key,
// algorithm or extension that is not understood refuses when it is needed. Explicit curve parameters are matched with a named curve by
// all of their values, and a curve that has no name is refused.
//
// Everything verified here is public, so nothing runs in constant time.
package pki

import "github.com/bonafide-id/bonafide/internal/refusal"

// The refusals of this package.
const (
	UnknownAlgorithm   refusal.Code = "pki.algorithm_unknown"   // algorithm or its parameters are not in the list of accepted ones
	UnsupportedKey     refusal.Code = "pki.key_unsupported"     // kind of key that is not verified with
	UnknownCurve       refusal.Code = "pki.curve_unknown"       // explicit parameters that no named curve has, or an unknown name
	PointOffCurve      refusal.Code = "pki.point_off_curve"     // public key that is no point of its curve
	KeyMismatch        refusal.Code = "pki.key_mismatch"        // signature algorithm of another kind than the key
	AlgorithmMismatch  refusal.Code = "pki.algorithm_mismatch"  // signed and unsigned algorithm of a certificate or list differ
	InvalidSignature   refusal.Code = "pki.signature_invalid"   // signature that the key did not make
	RepeatedExtension  refusal.Code = "pki.extension_repeated"  // extension that occurs twice
	MalformedExtension refusal.Code = "pki.extension_malformed" // extension that cannot be read
)
