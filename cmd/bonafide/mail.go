package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/httpapi/console"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/notice"
	"github.com/bonafide-id/bonafide/internal/store"
)

// mailCommand helps to set up mail.
type mailCommand struct {
	Test mailTestCommand `cmd:"" help:"Send a test email, and print what the server said."`
}

// mailTestCommand sends one mail at once.
type mailTestCommand struct {
	config.Mail
	Brand string `help:"Name of the deployment in the email." default:"Bonafide" placeholder:"NAME"`
	To    string `arg:"" help:"Address to send it to."`
}

// Run implements the command.
func (c *mailTestCommand) Run(ctx context.Context, s streams) error {
	server, err := c.Server()
	if err != nil {
		return err
	}
	if !server.Named() {
		return errors.New("--mail-server is missing: there is nothing to test")
	}
	if err := mail.CheckAddress(c.To); err != nil {
		return fmt.Errorf("the address: %w", err)
	}
	office := mail.NewOffice(nil, mail.Options{Server: server, Brand: mail.Brand{Name: c.Brand}, Log: quiet()})
	if err := office.SendNow(ctx, c.To); err != nil {
		return fmt.Errorf("not sent: %w", err)
	}
	_, err = fmt.Fprintf(s.Out, "%s took the email. If it does not arrive, look in the spam folder, and at the SPF and DKIM records of the sender's domain.\n",
		c.MailServer)
	return err
}

// post is what a process knows of mails besides the server.
type post struct {
	config.Mail
	publicURL string // empty where the process does not know it
	brand     mail.Brand
}

// post returns what a server knows of mails. Its address has to be complete.
func (c *serveCommand) post() post {
	name := c.Brand
	if u, err := url.Parse(c.PublicURL); err == nil {
		name = cmp.Or(name, u.Hostname())
	}
	return post{
		Mail: c.Mail, publicURL: c.PublicURL,
		brand: mail.Brand{Name: name, Colour: c.BrandColour, Support: c.BrandSupport, Privacy: c.BrandPrivacy},
	}
}

// openOffice sets up the office that takes mails in and sends them.
func (d *deployment) openOffice(p post) error {
	server, err := p.Server()
	if err != nil {
		return err
	}
	d.office = mail.NewOffice(d.store, mail.Options{Server: server, Brand: p.brand, PublicURL: p.publicURL, Log: d.log,
		Done: func(ctx context.Context, k mail.Kind, state mail.State, f mail.Fault) {
			if d.metrics != nil {
				d.metrics.Mail(ctx, string(k), string(state), string(f))
			}
		}})
	newWatch(d.store, d.office)
	return nil
}

// newWatch has the office look for what members asked to be told of.
func newWatch(st *store.Store, office *mail.Office) *notice.Watch {
	return notice.New(st, office, func(ctx context.Context) (time.Time, error) {
		last, err := st.LastBackup(ctx)
		return last.MadeAt, err
	}, time.Now)
}

// prepareMails has the office complete the mails that are written when they are sent.
func (d *deployment) prepareMails() { console.PrepareResets(d.office, d.accounts.SignIn.Resets) }

// mailsLately is how far back the doctor looks for mails that failed.
const mailsLately = 24 * time.Hour

// examineMail connects to the mail server and signs in, as for a mail.
func examineMail(ctx context.Context, c config.Mail) symptom {
	const what = "mail"
	server, err := c.Server()
	if err != nil {
		return judge(what, err, "", "docs/reference/configuration.md lists the settings of mail.")
	}
	if !server.Named() {
		return symptom{What: what, Health: healthy, Found: "off: invitations and links are handed over by hand"}
	}
	if err := server.Try(ctx); err != nil {
		return judge(what, err, "", "Check --mail-server, --mail-security, --mail-user and --mail-password. bonafide mail test ADDRESS sends an email.")
	}
	said := "the server accepts this sender over an encrypted connection"
	if server.Security == mail.None {
		return symptom{What: what, Health: warning, Found: "the server answers, and the connection is not encrypted",
			Remedy: "Anyone on the network path can read the links. Use --mail-security starttls or tls unless the server is on this machine."}
	}
	return judge(what, nil, said, "")
}

// examineMails looks at what became of the mails of the last day.
func examineMails(ctx context.Context, st *store.Store) symptom {
	const what = "mails"
	failed, err := st.Mails(ctx, mail.Filter{State: mail.Failed, Limit: 100})
	if err != nil {
		return judge(what, err, "", "")
	}
	n := 0
	for _, m := range failed {
		if time.Since(m.EndedAt) < mailsLately {
			n++
		}
	}
	if n == 0 {
		return symptom{What: what, Health: healthy, Found: "none failed within a day"}
	}
	return symptom{What: what, Health: warning, Found: fmt.Sprintf("%d failed within a day", n), Remedy: "The console lists them with the reason under System."}
}
