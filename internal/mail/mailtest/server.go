// Package mailtest is an SMTP server for tests: it speaks the protocol on this machine, keeps what arrives and refuses what it is set to.
package mailtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Options say how a Server behaves. The zero value takes every mail without encryption.
type Options struct {
	StartTLS, TLS   bool
	MaxVersion      uint16 // of TLS; 0 for any
	User, Password  string // empty for none
	RefuseSender    int    // status of the answer; 0 takes it
	RefuseRecipient int
	RefuseData      int
	HangUp          bool // after the greeting
}

// Mail is one that arrived.
type Mail struct {
	From      string
	To        []string
	Raw       string
	Encrypted bool
}

// Server is a running server.
type Server struct {
	Host  string
	Port  int
	Roots *x509.CertPool // that its certificate leads to

	mu      sync.Mutex
	options Options
	mails   []Mail
	came    chan struct{}
}

// Start starts a Server that ends with the test.
func Start(t *testing.T, o Options) *Server {
	t.Helper()
	s := &Server{Host: "127.0.0.1", options: o, came: make(chan struct{}, 100)}
	cert, roots := certificate(t)
	s.Roots = roots
	config := &tls.Config{Certificates: []tls.Certificate{cert}, MaxVersion: o.MaxVersion, MinVersion: tls.VersionTLS10} //nolint:gosec // also servers of old
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		t.Fatal("no port")
	}
	s.Port = address.Port
	if o.HangUp {
		go hangUp(l)
		t.Cleanup(func() { _ = l.Close() })
		return s
	}
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &session{server: s, conn: c}, nil }))
	server.Domain, server.ReadTimeout, server.WriteTimeout, server.AllowInsecureAuth = "localhost", 10*time.Second, 10*time.Second, false
	server.ErrorLog = silent{}
	if o.StartTLS {
		server.TLSConfig = config
	}
	if o.TLS {
		l = tls.NewListener(l, config)
	}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return s
}

type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

func hangUp(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = io.WriteString(c, "220 localhost\r\n")
		_ = c.Close()
	}
}

// Change changes how the server behaves from now on.
func (s *Server) Change(change func(*Options)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.options)
}

// Mails returns what arrived.
func (s *Server) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mails)
}

// Wait waits until n mails have arrived, and returns them.
func (s *Server) Wait(t *testing.T, n int) []Mail {
	t.Helper()
	limit := time.After(30 * time.Second)
	for {
		if got := s.Mails(); len(got) >= n {
			return got
		}
		select {
		case <-s.came:
		case <-limit:
			t.Fatalf("%d mails arrived, not %d", len(s.Mails()), n)
		}
	}
}

func (s *Server) set() Options {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.options
}

// session is one connection.
type session struct {
	server *Server
	conn   *smtp.Conn
	signed bool
	mail   Mail
}

// AuthMechanisms implements smtp.AuthSession.
func (s *session) AuthMechanisms() []string {
	if s.server.set().User == "" {
		return nil
	}
	return []string{sasl.Plain}
}

// Auth implements smtp.AuthSession.
func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		o := s.server.set()
		if user != o.User || password != o.Password {
			return errors.New("wrong")
		}
		s.signed = true
		return nil
	}), nil
}

// Mail implements smtp.Session.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	o := s.server.set()
	if o.User != "" && !s.signed {
		return smtp.ErrAuthRequired
	}
	_, encrypted := s.conn.TLSConnectionState()
	s.mail = Mail{From: from, Encrypted: encrypted}
	return refuse(o.RefuseSender, from)
}

// Rcpt implements smtp.Session.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mail.To = append(s.mail.To, to)
	return refuse(s.server.set().RefuseRecipient, to)
}

// Data implements smtp.Session.
func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := refuse(s.server.set().RefuseData, "this"); err != nil {
		return err
	}
	s.mail.Raw = string(raw)
	s.server.mu.Lock()
	s.server.mails = append(s.server.mails, s.mail)
	s.server.mu.Unlock()
	select {
	case s.server.came <- struct{}{}:
	default:
	}
	return nil
}

// Reset implements smtp.Session.
func (s *session) Reset() { s.mail = Mail{} }

// Logout implements smtp.Session.
func (*session) Logout() error { return nil }

// refuse answers a status, with the address in the text as servers do.
func refuse(status int, address string) error {
	if status == 0 {
		return nil
	}
	return &smtp.SMTPError{Code: status, EnhancedCode: smtp.EnhancedCode{status / 100, 1, 1}, Message: "no <" + address + "> here"}
}

func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, pool
}
