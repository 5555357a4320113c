package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	netmail "net/mail"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Security says how the connection to the server is encrypted.
type Security string

// The securities. Without encryption no password is sent.
const (
	StartTLS Security = "starttls" // upgraded before anything else is said (RFC 3207); a server that cannot is refused
	TLS      Security = "tls"      // from the first byte (RFC 8314)
	None     Security = "none"
)

// SendTime is how long sending one mail may take.
const SendTime = 30 * time.Second

// Server is the server that takes the mails. The zero value is none.
type Server struct {
	Host     string
	Port     int
	Security Security
	User     string // empty for a server that asks for none
	Password string
	From     netmail.Address // of every mail; a name is replaced by that of the workflow's brand
	Hello    string          // what this host calls itself; empty for the name of the machine

	Roots *x509.CertPool // nil for the system's
}

// Named reports whether there is a server.
func (s Server) Named() bool { return s.Host != "" }

// FaultError is what went wrong with an attempt. It names neither addresses nor what the server said, which may repeat one.
type FaultError struct {
	Fault    Fault
	Status   int    // the server's, RFC 5321 §4.2; 0 for none
	Enhanced string // the same in detail, RFC 3463; empty for none
}

// Error implements error.
func (e *FaultError) Error() string {
	said := remedies[e.Fault]
	if e.Status != 0 {
		said += " (" + strings.TrimSpace(strconv.Itoa(e.Status)+" "+e.Enhanced) + ")"
	}
	return said
}

// remedies say what a fault is, to an operator.
var remedies = map[Fault]string{
	FaultConnection: "the mail server cannot be reached, or broke the connection",
	FaultTimeout:    "the mail server does not answer in time",
	FaultTLS:        "the mail server has no trusted certificate, or offers no encryption",
	FaultAuth:       "the mail server does not accept the user or the password",
	FaultAddress:    "the mail server refuses the recipient's address",
	FaultSender:     "the mail server refuses the sender's address",
	FaultRefused:    "the mail server refuses the mail",
	FaultLater:      "the mail server asks to try again later",
	FaultOff:        "this process has no mail server",
	FaultExpired:    "the link or code ended before the mail could be sent",
	FaultInternal:   "the mail could not be written",
}

// Send sends a message. Errors are of type *FaultError.
func (s Server) Send(ctx context.Context, id idv.MailID, from Brand, m Message, now time.Time) error {
	msg, err := s.compose(id, from, m, now)
	if err != nil {
		return &FaultError{Fault: FaultInternal}
	}
	return s.talk(ctx, func(c *gomail.Client) error { return c.Send(msg) })
}

// Try connects to the server and signs in, as for a mail, and sends none. Errors are of type *FaultError.
func (s Server) Try(ctx context.Context) error {
	return s.talk(ctx, func(*gomail.Client) error { return nil })
}

// talk connects, does something and leaves.
func (s Server) talk(ctx context.Context, do func(*gomail.Client) error) error {
	if !s.Named() {
		return &FaultError{Fault: FaultOff}
	}
	ctx, cancel := context.WithTimeout(ctx, SendTime)
	defer cancel()
	var conn net.Conn
	client, err := gomail.NewClient(s.Host, s.options(ctx, &conn)...)
	if err != nil {
		return &FaultError{Fault: FaultInternal}
	}
	err = client.DialWithContext(ctx)
	if conn != nil {
		defer func() { _ = conn.Close() }() // the library leaves it open where it gives up
	}
	if err == nil {
		if err = do(client); err == nil {
			_ = client.Close() // the server has the mail already
		}
	} else if s.User != "" && isAuth(err) {
		return judged(FaultAuth, err)
	}
	if err == nil {
		return nil
	}
	return faultOf(ctx, err)
}

// options are those of the connection. The one that is opened is written to conn, and closed when its life ends.
func (s Server) options(life context.Context, conn *net.Conn) []gomail.Option {
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: s.Host, RootCAs: s.Roots}
	policy := gomail.TLSMandatory
	if s.Security != StartTLS {
		policy = gomail.NoTLS // from the first byte, or not at all
	}
	out := []gomail.Option{
		gomail.WithPort(s.Port), gomail.WithTimeout(SendTime), gomail.WithTLSConfig(config), gomail.WithTLSPolicy(policy), gomail.WithoutSMTPUTF8(),
		gomail.WithDialContextFunc(func(ctx context.Context, network, address string) (_ net.Conn, err error) {
			if s.Security == TLS {
				*conn, err = (&tls.Dialer{Config: config}).DialContext(ctx, network, address)
			} else {
				*conn, err = new(net.Dialer).DialContext(ctx, network, address)
			}
			if err == nil { // what the server then says may never come
				opened := *conn
				context.AfterFunc(life, func() { _ = opened.Close() })
			}
			return *conn, err
		}),
	}
	if s.Hello != "" {
		out = append(out, gomail.WithHELO(s.Hello))
	}
	if s.Security == TLS {
		out = append(out, gomail.WithSSL())
	}
	if s.User != "" {
		out = append(out, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(s.User), gomail.WithPassword(s.Password))
	}
	return out
}

// compose makes the message as it is sent: text first, HTML as the alternative (RFC 2046 §5.1.4).
func (s Server) compose(id idv.MailID, from Brand, m Message, now time.Time) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	name := s.From.Name
	if from.Name != "" {
		name = from.Name
	}
	msg.FromMailAddress(&netmail.Address{Name: oneLine(name), Address: s.From.Address})
	if err := msg.To(m.To); err != nil {
		return nil, errAddress
	}
	_, host, ok := strings.Cut(s.From.Address, "@")
	if !ok {
		return nil, fmt.Errorf("the sender: %w", errAddress)
	}
	msg.SetMessageIDWithValue(string(id) + "@" + host) // the same for each attempt, so that a mail that came twice is shown once
	msg.SetDateWithValue(now)
	msg.Subject(m.Subject)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834 §5: nobody's absence is answered
	msg.SetGenHeader("X-Auto-Response-Suppress", "All")
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	return msg, nil
}

// isAuth reports whether signing in failed, and not the connection.
func isAuth(err error) bool {
	return strings.Contains(err.Error(), "AUTH")
}

// judged is a fault with the status that the server answered, if it did.
func judged(f Fault, err error) *FaultError {
	out := &FaultError{Fault: f}
	var sent *gomail.SendError
	if errors.As(err, &sent) {
		out.Status, out.Enhanced = sent.ErrorCode(), sent.EnhancedStatusCode()
	}
	return out
}

// faultOf says what went wrong.
func faultOf(ctx context.Context, err error) *FaultError {
	var (
		sent    *gomail.SendError
		network net.Error
		cert    *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		alert   tls.AlertError
	)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout(), ctx.Err() != nil:
		return judged(FaultTimeout, err)
	case errors.As(err, &cert), errors.As(err, &record), errors.As(err, &alert), strings.Contains(err.Error(), "STARTTLS"), strings.Contains(err.Error(), "tls: "):
		return judged(FaultTLS, err)
	case !errors.As(err, &sent):
		return judged(FaultConnection, err)
	case sent.IsTemp() || sent.ErrorCode() >= 400 && sent.ErrorCode() < 500:
		return judged(FaultLater, err)
	case sent.ErrorCode() < 500:
		return judged(FaultConnection, err)
	case sent.Reason == gomail.ErrSMTPRcptTo:
		return judged(FaultAddress, err)
	case sent.Reason == gomail.ErrSMTPMailFrom:
		return judged(FaultSender, err)
	default:
		return judged(FaultRefused, err)
	}
}

// attributes are what the log says of a fault.
func (e *FaultError) attributes() []any {
	return []any{slog.String("fault", string(e.Fault)), slog.Int("status", e.Status), slog.String("enhanced", e.Enhanced)}
}
