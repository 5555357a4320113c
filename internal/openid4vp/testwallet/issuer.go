// Package testwallet is the wallet of test mode: an issuer of credentials about nobody, and a holder who presents them. Its keys come from a
// text that everybody can read, so that every server has the same ones and none of them is a secret: whoever trusts this issuer trusts
// everybody. Only sessions in test mode do (Trust).
package testwallet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
)

// issuer is who signs the credentials.
type issuer struct {
	root      *pki.Certificate
	persons   party // signs SD-JWT credentials and status lists
	documents party // signs mobile documents
}

// party is a key and its certificate.
type party struct {
	key         *ecdsa.PrivateKey
	certificate *pki.Certificate
}

// issuerURL is the issuer as its credentials name it. Nothing is ever fetched from there.
const issuerURL = "https://test-wallet.invalid"

// documentSigning is the extended key usage of those who sign mobile documents (ISO/IEC 18013-5 section B.1.4).
var documentSigning = asn1.ObjectIdentifier{1, 0, 18013, 5, 1, 2}

// founded is the day from which the root is valid. It is the same on every server, so that all of them make the same certificates.
var founded = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// signerLife is how long a signer's certificate is valid; it is made anew for each year.
const signerLife = 450 * 24 * time.Hour

// keyOf derives the key of a party from its name.
func keyOf(name string) (*ecdsa.PrivateKey, error) {
	sum := sha256.Sum256([]byte("bonafide test wallet, no secret: " + name))
	return ecdsa.ParseRawPrivateKey(elliptic.P256(), sum[:])
}

// foundedOnce makes the root, which needs no clock.
var foundedOnce = sync.OnceValues(func() (*x509.Certificate, error) {
	return certify(&x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{Country: []string{"UT"}, CommonName: "Test wallet, trusted in test mode only"}, IsCA: true,
		BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		NotBefore: founded, NotAfter: founded.AddDate(30, 0, 0),
	}, nil, "root")
})

// newIssuer returns the issuer as it is at a moment.
func newIssuer(now time.Time) (*issuer, error) {
	root, err := foundedOnce()
	if err != nil {
		return nil, err
	}
	address, err := url.Parse(issuerURL)
	if err != nil {
		return nil, err
	}
	from := time.Date(now.UTC().Year(), 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, -2, 0) // credentials that have expired were signed a month ago
	template := func(name string, serial int64) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(serial), Subject: pkix.Name{Country: []string{"UT"}, CommonName: name}, KeyUsage: x509.KeyUsageDigitalSignature,
			URIs: []*url.URL{address}, DNSNames: []string{address.Hostname()}, NotBefore: from, NotAfter: from.Add(signerLife),
		}
	}
	documents := template("Test wallet, documents", 3)
	documents.UnknownExtKeyUsage = []asn1.ObjectIdentifier{documentSigning}
	out := &issuer{}
	var failed [3]error
	out.root, failed[0] = pki.ParseCertificate(root.Raw)
	out.persons, failed[1] = newParty(template("Test wallet, persons", 2), root, "persons")
	out.documents, failed[2] = newParty(documents, root, "documents")
	return out, errors.Join(failed[:]...)
}

func newParty(template, root *x509.Certificate, name string) (party, error) {
	c, err := certify(template, root, name)
	if err != nil {
		return party{}, err
	}
	key, err := keyOf(name)
	if err != nil {
		return party{}, err
	}
	parsed, err := pki.ParseCertificate(c.Raw)
	return party{key, parsed}, err
}

// certify signs a certificate with the root's key: its own, where there is no root yet. The signature takes no randomness (RFC 6979).
func certify(template, root *x509.Certificate, name string) (*x509.Certificate, error) {
	if root == nil {
		root = template
	}
	subject, err := keyOf(name)
	if err != nil {
		return nil, err
	}
	signer, err := keyOf("root")
	if err != nil {
		return nil, err
	}
	raw, err := x509.CreateCertificate(nil, template, root, subject.Public(), signer)
	if err != nil {
		return nil, fmt.Errorf("certify the test wallet: %w", err)
	}
	return x509.ParseCertificate(raw)
}
