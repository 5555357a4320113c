package mail_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/mail/mailtest"
)

var now = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func letter(t *testing.T) mail.Message {
	t.Helper()
	m, err := mail.Write(mail.Mail{Kind: mail.Link, Content: mail.Content{
		To: "ann@example.org", Language: "de", Brand: mail.Brand{Name: "Bänk"}, Link: "https://id.example.org/v/secret", Until: now.Add(time.Hour),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func serverOf(s *mailtest.Server, security mail.Security) mail.Server {
	return mail.Server{
		Host: s.Host, Port: s.Port, Security: security, Roots: s.Roots, From: netmail.Address{Name: "Example", Address: "id@example.org"},
	}
}

func TestAMailArrivesAsTextAndHTMLOverAnEncryptedConnection(t *testing.T) {
	for name, tt := range map[string]struct {
		security mail.Security
		options  mailtest.Options
		user     bool
	}{
		"upgraded by STARTTLS, with a password": {mail.StartTLS, mailtest.Options{StartTLS: true, User: "bonafide", Password: "s3cret"}, true},
		"encrypted from the first byte":         {mail.TLS, mailtest.Options{TLS: true}, false},
		"not encrypted, where told so":          {mail.None, mailtest.Options{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := mailtest.Start(t, tt.options)
			server := serverOf(s, tt.security)
			if tt.user {
				server.User, server.Password = "bonafide", "s3cret"
			}
			if err := server.Send(t.Context(), "mai_1", mail.Brand{Name: "Bänk"}, letter(t), now); err != nil {
				t.Fatal(err)
			}
			got := s.Mails()
			if len(got) != 1 || got[0].From != "id@example.org" || len(got[0].To) != 1 || got[0].To[0] != "ann@example.org" {
				t.Fatalf("arrived: %+v", got)
			}
			if encrypted := got[0].Encrypted; encrypted != (tt.security != mail.None) {
				t.Errorf("encrypted: %v", encrypted)
			}
			checkParts(t, got[0].Raw)
		})
	}
}

// checkParts looks at a mail as a mail program does.
func checkParts(t *testing.T, raw string) {
	t.Helper()
	m, err := netmail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	words := new(mime.WordDecoder)
	subject, err := words.DecodeHeader(m.Header.Get("Subject"))
	if err != nil || subject != "Bestätigen Sie Ihre Identität für Bänk" {
		t.Errorf("subject %q, error %v", subject, err)
	}
	from, err := netmail.ParseAddress(m.Header.Get("From"))
	if err != nil || from.Name != "Bänk" || from.Address != "id@example.org" {
		t.Errorf("from %v, error %v", from, err)
	}
	if got := m.Header.Get("Message-Id"); got != "<mai_1@example.org>" {
		t.Errorf("message id %q", got)
	}
	if m.Header.Get("Auto-Submitted") != "auto-generated" {
		t.Error("absence replies would answer it")
	}
	typ, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || typ != "multipart/alternative" {
		t.Fatalf("type %q, error %v", typ, err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for _, want := range []struct{ typ, text string }{{"text/plain", "https://id.example.org/v/secret"}, {"text/html", "Bänk"}} {
		p, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(p)
		if got, _, _ := mime.ParseMediaType(p.Header.Get("Content-Type")); err != nil || got != want.typ || !strings.Contains(string(body), want.text) {
			t.Errorf("part %q (want %s) lacks %q: %v\n%s", got, want.typ, want.text, err, body)
		}
	}
}

func TestWhatGoesWrongIsNamedAndNeverRepeatsAnAddress(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := closed.Addr().(*net.TCPAddr).Port
	_ = closed.Close()
	strangers := func(s *mail.Server) { s.Roots = nil }
	for name, tt := range map[string]struct {
		options  mailtest.Options
		security mail.Security
		change   func(*mail.Server)
		fault    mail.Fault
		status   int
	}{
		"no server there":                    {security: mail.StartTLS, change: func(s *mail.Server) { s.Port = port }, fault: mail.FaultConnection},
		"a server without encryption":        {security: mail.StartTLS, fault: mail.FaultTLS},
		"a certificate of nobody":            {options: mailtest.Options{StartTLS: true}, security: mail.StartTLS, change: strangers, fault: mail.FaultTLS},
		"a certificate of nobody, TLS":       {options: mailtest.Options{TLS: true}, security: mail.TLS, change: strangers, fault: mail.FaultTLS},
		"a plain server where TLS is wanted": {security: mail.TLS, fault: mail.FaultTLS},
		"a wrong password": {
			options: mailtest.Options{StartTLS: true, User: "bonafide", Password: "right"}, security: mail.StartTLS,
			change: func(s *mail.Server) { s.User, s.Password = "bonafide", "wrong" }, fault: mail.FaultAuth,
		},
		"a mailbox that does not exist": {options: mailtest.Options{RefuseRecipient: 550}, security: mail.None, fault: mail.FaultAddress, status: 550},
		"a greylisting server":          {options: mailtest.Options{RefuseRecipient: 451}, security: mail.None, fault: mail.FaultLater, status: 451},
		"a sender who may not":          {options: mailtest.Options{RefuseSender: 553}, security: mail.None, fault: mail.FaultSender, status: 553},
		"a mail that is taken for spam": {options: mailtest.Options{RefuseData: 554}, security: mail.None, fault: mail.FaultRefused, status: 554},
		"a server that hangs up":        {options: mailtest.Options{HangUp: true}, security: mail.None, fault: mail.FaultConnection},
	} {
		t.Run(name, func(t *testing.T) {
			s := mailtest.Start(t, tt.options)
			server := serverOf(s, tt.security)
			if tt.change != nil {
				tt.change(&server)
			}
			err := server.Send(t.Context(), "mai_1", mail.Brand{}, letter(t), now)
			var wrong *mail.FaultError
			if !errors.As(err, &wrong) || wrong.Fault != tt.fault || wrong.Status != tt.status {
				t.Fatalf("got %#v (%v), want fault %s and status %d", wrong, err, tt.fault, tt.status)
			}
			if strings.Contains(err.Error(), "ann@") || strings.Contains(err.Error(), "example.org") {
				t.Errorf("the error names an address: %v", err)
			}
			if len(s.Mails()) != 0 {
				t.Error("a mail arrived all the same")
			}
		})
	}
}

func TestAServerThatNeverAnswersDoesNotHoldAWorker(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	server := mail.Server{Host: "127.0.0.1", Port: l.Addr().(*net.TCPAddr).Port, Security: mail.None, From: netmail.Address{Address: "id@example.org"}}
	start := time.Now()
	err = server.Send(ctx, "mai_1", mail.Brand{}, letter(t), now)
	var wrong *mail.FaultError
	if !errors.As(err, &wrong) || wrong.Fault != mail.FaultTimeout {
		t.Errorf("got %v, want a time-out", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestTheDoctorTriesWithoutAMail(t *testing.T) {
	s := mailtest.Start(t, mailtest.Options{StartTLS: true, User: "bonafide", Password: "right"})
	server := serverOf(s, mail.StartTLS)
	server.User, server.Password = "bonafide", "right"
	if err := server.Try(t.Context()); err != nil {
		t.Error(err)
	}
	server.Password = "wrong"
	var wrong *mail.FaultError
	if err := server.Try(t.Context()); !errors.As(err, &wrong) || wrong.Fault != mail.FaultAuth {
		t.Errorf("with a wrong password: %v", err)
	}
	if len(s.Mails()) != 0 {
		t.Error("a mail was sent")
	}
}

func TestOldEncryptionIsRefused(t *testing.T) {
	s := mailtest.Start(t, mailtest.Options{StartTLS: true, MaxVersion: tls.VersionTLS11})
	var wrong *mail.FaultError
	if err := serverOf(s, mail.StartTLS).Try(t.Context()); !errors.As(err, &wrong) || wrong.Fault != mail.FaultTLS {
		t.Errorf("TLS 1.1: got %v", err)
	}
}
