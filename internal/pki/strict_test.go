package pki_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"math/big"
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

const (
	oidRSA, oidPSS, oidMGF1 = "1.2.840.113549.1.1.1", "1.2.840.113549.1.1.10", "1.2.840.113549.1.1.8"

	sound emrtdtest.Kind = "ECDSA P-256 SHA-256"
)

func element(t *testing.T, raw []byte) tlv.Element {
	t.Helper()
	e, err := tlv.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func check(t *testing.T, name string, err error, want refusal.Code) {
	t.Helper()
	if r := refusal.Of(err); (err == nil) != (want == "") || (r != nil && r.Code != want) {
		t.Errorf("%s: got %v, want %q", name, err, want)
	}
}

func bitString(unused byte, raw []byte) []byte { return tlv.Encode(tlv.BitString, []byte{unused}, raw) }

func integer(n int64) []byte { return emrtdtest.Int(big.NewInt(n)) }

func TestRSAKeysThatAreNotComputedWith(t *testing.T) {
	bits := func(n uint) *big.Int { return new(big.Int).SetBit(new(big.Int).Lsh(big.NewInt(1), n-1), 0, 1) }
	even := bits(2048)
	even.SetBit(even, 0, 0)
	info := func(unused byte, n *big.Int, e int64, more ...[]byte) []byte {
		public := tlv.Encode(tlv.Sequence, append([][]byte{emrtdtest.Int(n), integer(e)}, more...)...)
		return tlv.Encode(tlv.Sequence, tlv.Encode(tlv.Sequence, emrtdtest.OID(oidRSA), tlv.Encode(tlv.Null)), bitString(unused, public))
	}
	for name, c := range map[string]struct {
		raw  []byte
		want refusal.Code
	}{
		"1024 bits": {info(0, bits(1024), 65537), ""}, "1023 bits": {info(0, bits(1023), 65537), pki.UnsupportedKey},
		"8192 bits": {info(0, bits(8192), 3), ""}, "8193 bits": {info(0, bits(8193), 3), pki.UnsupportedKey},
		"an even modulus": {info(0, even, 65537), pki.UnsupportedKey}, "exponent 1": {info(0, bits(2048), 1), pki.UnsupportedKey},
		"exponent -3": {info(0, bits(2048), -3), pki.UnsupportedKey}, "an even exponent": {info(0, bits(2048), 65536), pki.UnsupportedKey},
		"an exponent of 32 bits":     {info(0, bits(2048), 1<<31+1), pki.UnsupportedKey},
		"a third number":             {info(0, bits(2048), 3, integer(1)), tlv.Trailing},
		"an end within a byte":       {info(1, bits(2048), 3), tlv.Malformed},
		"a modulus of many kilobyte": {info(0, bits(80_000), 3), pki.UnsupportedKey},
	} {
		_, err := pki.ParsePublicKey(element(t, c.raw))
		check(t, name, err, c.want)
	}
}

func TestParametersOfRSAPSS(t *testing.T) {
	private, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	key, message := &pki.PublicKey{RSA: &private.PublicKey}, []byte("what is signed")
	hash := crypto.SHA256.New()
	hash.Write(message)
	signature, err := rsa.SignPSS(rand.Reader, private, crypto.SHA256, hash.Sum(nil), &rsa.PSSOptions{SaltLength: 32})
	if err != nil {
		t.Fatal(err)
	}
	sha256, sha384 := emrtdtest.DigestID(crypto.SHA256), emrtdtest.DigestID(crypto.SHA384)
	mask := func(function string, digest []byte) []byte {
		return tlv.Encode(0xA1, tlv.Encode(tlv.Sequence, emrtdtest.OID(function), digest))
	}
	digest, mgf1, salt := tlv.Encode(0xA0, sha256), mask(oidMGF1, sha256), func(n int64) []byte { return tlv.Encode(0xA2, integer(n)) }
	for _, c := range []struct {
		name  string
		parts [][]byte
		want  refusal.Code
	}{
		{"as it was signed", [][]byte{digest, mgf1, salt(32)}, ""},
		{"with the trailer written out", [][]byte{digest, mgf1, salt(32), tlv.Encode(0xA3, integer(1))}, ""},
		{"another trailer", [][]byte{digest, mgf1, salt(32), tlv.Encode(0xA3, integer(2))}, pki.UnknownAlgorithm},
		{"a shorter salt", [][]byte{digest, mgf1, salt(20)}, pki.InvalidSignature},
		{"the salt left out, which means 20 bytes", [][]byte{digest, mgf1}, pki.InvalidSignature},
		{"a salt of 65 bytes", [][]byte{digest, mgf1, salt(65)}, pki.UnknownAlgorithm},
		{"a negative salt", [][]byte{digest, mgf1, salt(-1)}, tlv.Malformed},
		{"another hash function", [][]byte{tlv.Encode(0xA0, sha384), mask(oidMGF1, sha384), salt(32)}, pki.InvalidSignature},
		{"the mask by another hash function", [][]byte{digest, mask(oidMGF1, sha384), salt(32)}, pki.UnknownAlgorithm},
		{"the mask by SHA-1, because it is left out", [][]byte{digest, salt(32)}, pki.UnknownAlgorithm},
		{"another way to mask", [][]byte{digest, mask("1.2.840.113549.1.1.9", sha256), salt(32)}, pki.UnknownAlgorithm},
		{"a fifth part", [][]byte{digest, mgf1, salt(32), tlv.Encode(0xA4, integer(1))}, tlv.Trailing},
		{"two numbers as salt", [][]byte{digest, mgf1, tlv.Encode(0xA2, integer(32), integer(32))}, tlv.Trailing},
	} {
		id, err := pki.ParseAlgorithmID(element(t, tlv.Encode(tlv.Sequence, emrtdtest.OID(oidPSS), tlv.Encode(tlv.Sequence, c.parts...))))
		if err != nil {
			t.Fatal(err)
		}
		algorithm, err := id.Signature(0)
		if err == nil {
			err = key.Verify(algorithm, message, signature)
		}
		check(t, c.name, err, c.want)
	}
}

func TestAKeyAloneNamesNoHashFunction(t *testing.T) {
	for _, oid := range []string{oidRSA, "1.2.840.10045.2.1"} {
		id, err := pki.ParseAlgorithmID(element(t, tlv.Encode(tlv.Sequence, emrtdtest.OID(oid))))
		if err != nil {
			t.Fatal(err)
		}
		_, err = id.Signature(0)
		check(t, oid, err, pki.UnknownAlgorithm)
		if a, err := id.Signature(crypto.SHA384); err != nil || a.Hash != crypto.SHA384 {
			t.Errorf("%s with SHA-384: %v, %v", oid, a, err)
		}
	}
}

func TestACertificateStatesItsAlgorithmTwice(t *testing.T) {
	h := emrtdtest.NewAuthority("UT", sound, 1)
	fields, err := element(t, h.Raw).Children()
	if err != nil {
		t.Fatal(err)
	}
	body, algorithm, signature := fields[0].Raw, fields[1].Raw, fields[2]
	with := func(parts ...[]byte) []byte { return tlv.Encode(tlv.Sequence, parts...) }
	null := tlv.Encode(tlv.Sequence, emrtdtest.OID("1.2.840.10045.4.3.2"), tlv.Encode(tlv.Null))
	params := tlv.Encode(tlv.Sequence, emrtdtest.OID("1.2.840.10045.4.3.2"), integer(1))
	for name, c := range map[string]struct {
		raw  []byte
		want refusal.Code
	}{
		"the same":                        {with(body, algorithm, signature.Raw), ""},
		"the same, with NULL":             {with(body, null, signature.Raw), ""},
		"with parameters":                 {with(body, params, signature.Raw), pki.AlgorithmMismatch},
		"another one":                     {with(body, emrtdtest.NewKey("ECDSA P-256 SHA-1", 1).Algorithm(), signature.Raw), pki.AlgorithmMismatch},
		"a signature that ends in a byte": {with(body, algorithm, bitString(1, signature.Content[1:])), tlv.Malformed},
		"something behind the signature":  {with(body, algorithm, signature.Raw, integer(1)), tlv.Trailing},
		"something behind the extensions": {with(tlv.Encode(tlv.Sequence, element(t, body).Content, integer(1)), algorithm, signature.Raw), tlv.Trailing},
	} {
		cert, err := pki.ParseCertificate(c.raw)
		if err == nil {
			err = cert.CheckSignature(h.Cert)
		}
		check(t, name, err, c.want)
	}
}

func TestExtensionsThatSayNo(t *testing.T) {
	authority := emrtdtest.NewAuthority("UT", sound, 1)
	extra := func(oid string, value []byte) *pki.Certificate {
		template := emrtdtest.Template{NoKeyIDs: true, Extra: [][]byte{emrtdtest.Extension(oid, true, value)}}
		return authority.Issue(template, emrtdtest.NewKey(sound, 2)).Cert
	}
	if c := extra("2.5.29.19", tlv.Encode(tlv.Sequence, tlv.Encode(tlv.Boolean, []byte{0}))); c.CA || len(c.Faults) > 0 {
		t.Errorf("CA false: %t, %v", c.CA, c.Faults)
	}
	for name, c := range map[string]*pki.Certificate{
		"basic constraints that are none": extra("2.5.29.19", tlv.Encode(tlv.Sequence, tlv.Encode(tlv.Boolean, nil))),
		"key usages that are no purposes": extra("2.5.29.37", tlv.Encode(tlv.Sequence, integer(1))),
		"a key period without a time":     extra("2.5.29.16", tlv.Encode(tlv.Sequence, tlv.Encode(0x80, []byte("noon")))),
		"document types without a set":    extra("2.23.136.1.1.6.2", tlv.Encode(tlv.Sequence, integer(0))),
		"an authority's key that is none": extra("2.5.29.35", integer(1)),
	} {
		if len(c.Faults) != 1 || c.Faults[0].Code != pki.MalformedExtension {
			t.Errorf("%s: faults %v", name, c.Faults)
		}
	}
	period := tlv.Encode(tlv.Sequence, tlv.Encode(0x80, []byte("300101000000Z")), tlv.Encode(0x81, []byte("20310101000000Z")))
	if c := extra("2.5.29.16", period); c.KeyFrom.Year() != 2030 || c.KeyTo.Year() != 2031 {
		t.Errorf("a period in two forms of time: %v to %v, %v", c.KeyFrom, c.KeyTo, c.Faults)
	}
	if (&pki.Extensions{}).Allows(pki.DigitalSignature) {
		t.Error("a certificate without key usage may sign")
	}
}

func TestRevocationListsAreReadToTheEnd(t *testing.T) {
	h := emrtdtest.NewAuthority("UT", sound, 1)
	raw := h.CRL(emrtdtest.Now, emrtdtest.Now, 5, 6, -7)
	list, err := pki.ParseRevocationList(raw)
	if err != nil {
		t.Fatal(err)
	}
	for serial, want := range map[int64]bool{5: true, 6: true, -7: true, 7: false, -5: false} {
		if _, got := list.Revoked(big.NewInt(serial)); got != want {
			t.Errorf("%d: revoked %t, want %t", serial, got, want)
		}
	}
	fields, err := element(t, raw).Children()
	if err != nil {
		t.Fatal(err)
	}
	more := tlv.Encode(tlv.Sequence, fields[0].Content, integer(1))
	_, err = pki.ParseRevocationList(tlv.Encode(tlv.Sequence, more, fields[1].Raw, fields[2].Raw))
	check(t, "something behind the extensions", err, tlv.Trailing)
	body, err := element(t, fields[0].Raw).Children()
	if err != nil {
		t.Fatal(err)
	}
	year := tlv.Encode(tlv.UTCTime, []byte(emrtdtest.Now.Format("060102150405Z")))
	short := tlv.Encode(tlv.Sequence, body[0].Raw, body[1].Raw, body[2].Raw, year, year)
	list, err = pki.ParseRevocationList(tlv.Encode(tlv.Sequence, short, fields[1].Raw, fields[2].Raw))
	if err != nil || !list.ThisUpdate.Equal(emrtdtest.Now) || !list.NextUpdate.Equal(emrtdtest.Now) {
		t.Errorf("with years of two digits: %v", err)
	}
}

func TestWhatIsWeak(t *testing.T) {
	rsaKey := func(bits uint) *pki.PublicKey {
		return &pki.PublicKey{RSA: &rsa.PublicKey{N: new(big.Int).Lsh(big.NewInt(1), bits-1), E: 3}}
	}
	curve := func(order uint) *pki.PublicKey {
		return &pki.PublicKey{Curve: &pki.Curve{Name: "a curve", N: new(big.Int).Lsh(big.NewInt(1), order-1)}}
	}
	for name, c := range map[string]struct {
		hash crypto.Hash
		key  *pki.PublicKey
		want int
	}{
		"RSA of 2048 bits": {crypto.SHA256, rsaKey(2048), 0}, "RSA of 2047 bits": {crypto.SHA256, rsaKey(2047), 1},
		"a curve of 224 bits": {crypto.SHA224, curve(224), 0}, "a curve of 192 bits": {crypto.SHA256, curve(192), 1},
		"SHA-1": {crypto.SHA1, curve(256), 1}, "both": {crypto.SHA1, rsaKey(1024), 2},
	} {
		if got := pki.Weaknesses(pki.Algorithm{Hash: c.hash}, c.key); len(got) != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestKeysAreTheSameHoweverTheyAreEncoded(t *testing.T) {
	read := func(kind emrtdtest.Kind, number int) *pki.PublicKey {
		key, err := pki.ParsePublicKey(element(t, emrtdtest.NewKey(kind, number).Info()))
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	const modulus emrtdtest.Kind = "RSA-1024 PKCS1 SHA-256"
	explicit, err := pki.ParsePublicKey(element(t, emrtdtest.NewKey(sound, 1).InfoExplicit()))
	if err != nil {
		t.Fatal(err)
	}
	if !explicit.Equal(read(sound, 1)) || !read(modulus, 1).Equal(read(modulus, 1)) {
		t.Error("the same key is another one")
	}
	for name, pair := range map[string][2]*pki.PublicKey{
		"two points": {read(sound, 1), read(sound, 2)}, "two moduli": {read(modulus, 1), read(modulus, 2)},
		"a modulus and a point": {read(modulus, 1), read(sound, 1)}, "a point and a modulus": {read(sound, 1), read(modulus, 1)},
		"two curves": {read(sound, 1), read("ECDSA brainpoolP256r1 SHA-256", 1)},
	} {
		if pair[0].Equal(pair[1]) {
			t.Errorf("%s are the same key", name)
		}
	}
}
