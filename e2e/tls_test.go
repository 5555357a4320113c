package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
)

func TestAServerAnswersHTTPSWithItsOwnCertificate(t *testing.T) {
	t.Parallel()
	cert, key, roots := certificate(t)
	port := served.FreePort(t)
	s := served.Start(t, "serve", "--dev", "--data-dir", t.TempDir(), "--listen", fmt.Sprintf("127.0.0.1:%d", port), "--tls-cert", cert, "--tls-key", key)
	browser := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{
		ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
	}}
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		a, err := browser.Get(fmt.Sprintf("https://localhost:%d/readyz", port)) //nolint:noctx // the client has a time limit
		if err != nil {
			continue
		}
		_ = a.Body.Close()
		if a.ProtoMajor != 2 || a.Header.Get("Strict-Transport-Security") == "" {
			t.Errorf("protocol %s, Strict-Transport-Security %q", a.Proto, a.Header.Get("Strict-Transport-Security"))
		}
		if !strings.Contains(s.Printed(), fmt.Sprintf("https://localhost:%d/v/", port)) {
			t.Errorf("the links do not begin with https:\n%s", s.Printed())
		}
		return
	}
	t.Fatal("no answer over https")
}

// certificate makes a certificate for localhost that signs itself.
func certificate(t *testing.T) (cert, key string, roots *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	must(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	must(t, err)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})
	must(t, os.WriteFile(cert, chain, 0o600))
	must(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	roots = x509.NewCertPool()
	roots.AppendCertsFromPEM(chain)
	return cert, key, roots
}
