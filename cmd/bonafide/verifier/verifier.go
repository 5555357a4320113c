// Package verifier reads or makes the key and the certificates that requests to wallets are signed with.
package verifier

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"time"

	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/pki"
)

// Read returns the verifier of two PEM files: the certificates, its own first, and its private key on P-256.
func Read(certificates, key string) (*openid4vp.Verifier, error) {
	raw, err := os.ReadFile(key)
	if err != nil {
		return nil, fmt.Errorf("read --wallet-key: %w", err)
	}
	v := &openid4vp.Verifier{}
	if v.Key, err = keyOf(raw); err != nil {
		return nil, fmt.Errorf("read --wallet-key: %w", err)
	}
	if raw, err = os.ReadFile(certificates); err != nil {
		return nil, fmt.Errorf("read --wallet-certificate: %w", err)
	}
	for block, rest := pem.Decode(raw); block != nil; block, rest = pem.Decode(rest) {
		c, err := pki.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("read --wallet-certificate: %w", err)
		}
		v.Chain = append(v.Chain, c)
	}
	if err := v.Check(); err != nil {
		return nil, fmt.Errorf("--wallet-certificate and --wallet-key: %w", err)
	}
	return v, nil
}

func keyOf(raw []byte) (*ecdsa.PrivateKey, error) {
	block, _ := pem.Decode(raw)
	if block == nil {
		return nil, errors.New("it is not PEM")
	}
	if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("it holds no private key")
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return nil, errors.New("the key is not on a curve")
	}
	return key, nil
}

// Made is for how long a certificate that Make made is valid.
const Made = 30 * 24 * time.Hour

// Make returns a verifier for a host under an authority of its own, which no wallet trusts: for trying out.
func Make(host string, now time.Time) (*openid4vp.Verifier, error) {
	root, rootKey, err := issue(&x509.Certificate{
		Subject: pkix.Name{CommonName: "Bonafide, made for trying out"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}, nil, nil, now)
	if err != nil {
		return nil, err
	}
	leaf, key, err := issue(&x509.Certificate{
		Subject: pkix.Name{CommonName: host}, DNSNames: []string{host}, KeyUsage: x509.KeyUsageDigitalSignature,
	}, root, rootKey, now)
	if err != nil {
		return nil, err
	}
	v := &openid4vp.Verifier{Key: key}
	for _, made := range []*x509.Certificate{leaf, root} {
		c, err := pki.ParseCertificate(made.Raw)
		if err != nil {
			return nil, err
		}
		v.Chain = append(v.Chain, c)
	}
	return v, v.Check()
}

// issue makes a certificate, by itself if by is nil.
func issue(c, by *x509.Certificate, byKey *ecdsa.PrivateKey, now time.Time) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if c.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127)); err != nil {
		return nil, nil, err
	}
	c.NotBefore, c.NotAfter = now.Add(-time.Hour), now.Add(Made)
	if by == nil {
		by, byKey = c, key
	}
	raw, err := x509.CreateCertificate(rand.Reader, c, by, &key.PublicKey, byKey)
	if err != nil {
		return nil, nil, err
	}
	made, err := x509.ParseCertificate(raw)
	return made, key, err
}
