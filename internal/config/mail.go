package config

import (
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/internal/mail"
)

// Mail says which server takes the mails. Without one nothing is mailed.
type Mail struct {
	MailServer   string `help:"SMTP server that takes the mails of this deployment. Without one, no email is sent." placeholder:"HOST:PORT"`
	MailSecurity string `help:"Encryption: starttls, tls (from the first byte, mostly port 465) or none." enum:"starttls,tls,none" default:"starttls"`
	MailUser     string `help:"User name at that server." placeholder:"NAME"`
	MailPassword string `help:"Where its password is: file:PATH, credential:NAME or env:NAME." placeholder:"WHERE"`
	MailFrom     string `help:"Sender of every email: an address, or a name and the address in angle brackets." placeholder:"ADDRESS"`
}

// ErrMail is what is wrong with the settings of mail.
var ErrMail = errors.New("mail")

// Server returns the mail server, the zero value where none is named. All that is wrong is reported at once.
func (c *Mail) Server() (mail.Server, error) {
	if c.MailServer == "" {
		if c.MailUser != "" || c.MailPassword != "" || c.MailFrom != "" {
			return mail.Server{}, fmt.Errorf("%w: --mail-server is missing", ErrMail)
		}
		return mail.Server{}, nil
	}
	out := mail.Server{Security: mail.Security(c.MailSecurity), User: c.MailUser}
	if out.Security == "" {
		out.Security = mail.StartTLS
	}
	var errs []error
	wrong := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrMail}, args...)...))
	}
	host, port, err := net.SplitHostPort(c.MailServer)
	if err == nil {
		out.Host = host
		out.Port, err = strconv.Atoi(port)
	}
	if err != nil || out.Host == "" || out.Port < 1 || out.Port > 65535 {
		wrong("--mail-server: %q is not HOST:PORT, such as smtp.example.org:587", c.MailServer)
	}
	from, err := netmail.ParseAddress(c.MailFrom)
	switch {
	case c.MailFrom == "":
		wrong("--mail-from is missing: the sender that people see")
	case err != nil || mail.CheckAddress(from.Address) != nil:
		wrong("--mail-from: %q is not an address such as Example Bank <id@example.org>", c.MailFrom)
	default:
		out.From = *from
	}
	switch {
	case (c.MailUser == "") != (c.MailPassword == ""):
		wrong("--mail-user and --mail-password go together")
	case c.MailUser != "" && out.Security == mail.None:
		wrong("--mail-security none sends no password: everybody on the way could read it")
	case c.MailPassword != "":
		if out.Password, err = secret(c.MailPassword); err != nil {
			wrong("--mail-password: %w", err)
		}
	}
	return out, errors.Join(errs...)
}

// secret reads a secret from where a setting says. Space around it is not part of it.
func secret(where string) (string, error) {
	scheme, name, _ := strings.Cut(where, ":")
	switch scheme {
	case "file":
		raw, err := os.ReadFile(name)
		return strings.TrimSpace(string(raw)), err //nolint:wrapcheck // names the path
	case "credential":
		dir := os.Getenv("CREDENTIALS_DIRECTORY")
		if dir == "" || name == "" || strings.ContainsRune(name, filepath.Separator) {
			return "", errors.New("want credential:NAME, as LoadCredential=NAME:PATH of the unit names it")
		}
		raw, err := os.ReadFile(filepath.Join(dir, name))
		return strings.TrimSpace(string(raw)), err //nolint:wrapcheck // names the path
	case "env":
		raw, found := os.LookupEnv(name)
		if !found {
			return "", fmt.Errorf("the environment has no variable %s", name)
		}
		return raw, nil
	default: // what was given may be the secret itself
		return "", errors.New("want file:PATH, credential:NAME or env:NAME")
	}
}
