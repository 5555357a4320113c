package mail

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Timing of mails.
const (
	leaseTime = 2 * time.Minute     // exceeds job.Timeout: a mail is taken over only from a worker that has died
	keptFor   = 30 * 24 * time.Hour // for which lists show what became of a mail
)

// pauses returns how long after each attempt the next one follows.
func pauses() []time.Duration {
	return []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour}
}

// Preparer finds out, when a mail is about to be sent, whether there is anything to say. It completes the content, or returns false.
type Preparer func(ctx context.Context, m *Mail) (bool, error)

// Options of an Office. The zero value sends nothing.
type Options struct {
	Server    Server
	Brand     Brand  // of the deployment
	PublicURL string // links start with it
	Now       func() time.Time
	Random    io.Reader
	Log       *slog.Logger
	Done      func(ctx context.Context, k Kind, s State, f Fault) // told of each attempt; may be nil
}

// Office takes mails in and sends them. It is safe for concurrent use once its Preparers are set.
type Office struct {
	store   Store
	options Options
	prepare map[Kind]Preparer
	notices []func(context.Context) error
}

// NewOffice returns an Office.
func NewOffice(store Store, o Options) *Office {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	o.Log = cmp.Or(o.Log, slog.Default())
	return &Office{store: store, options: o, prepare: map[Kind]Preparer{}}
}

// Prepare says who completes mails of a kind whose content is Unsaid.
func (o *Office) Prepare(k Kind, p Preparer) { o.prepare[k] = p }

// Watch adds something that looks, every few minutes, for what members asked to be told of.
func (o *Office) Watch(look func(context.Context) error) { o.notices = append(o.notices, look) }

// On reports whether mails are sent.
func (o *Office) On() bool { return o != nil && o.options.Server.Named() }

// Brand returns how the deployment looks.
func (o *Office) Brand() Brand {
	if o == nil {
		return Brand{}
	}
	return o.options.Brand
}

// Address returns an address within the deployment; empty where this process does not know it.
func (o *Office) Address(path string) string {
	if o == nil || o.options.PublicURL == "" {
		return ""
	}
	return o.options.PublicURL + path
}

// From returns the address that mails come from; empty without a server.
func (o *Office) From() string {
	if !o.On() {
		return ""
	}
	return o.options.Server.From.Address
}

// Host returns the server that takes mails; empty for none.
func (o *Office) Host() string {
	if !o.On() {
		return ""
	}
	return o.options.Server.Host
}

// Draft returns a mail of the deployment, to be added to a transaction or to Post. Problems: mail.off.
func (o *Office) Draft(k Kind, to string) (Mail, error) {
	if !o.On() {
		return Mail{}, problem.New(problem.MailOff)
	}
	id, err := idv.NewID[idv.MailID](o.options.Now(), o.options.Random)
	return Mail{ID: id, Kind: k, Content: Content{To: to, Brand: o.options.Brand}}, err
}

// Post takes a mail in, in a transaction of its own.
func (o *Office) Post(ctx context.Context, m Mail) error { return o.store.SaveMail(ctx, m) }

// List returns mails, the newest first, and the cursor of the next page.
func (o *Office) List(ctx context.Context, f Filter) ([]Entry, string, error) {
	if o == nil {
		return nil, "", nil
	}
	if f.Limit <= 0 {
		f.Limit = 25
	}
	f.Limit = min(f.Limit, 100) + 1
	found, err := o.store.Mails(ctx, f)
	if err != nil || len(found) < f.Limit {
		return found, "", err
	}
	found = found[:f.Limit-1]
	return found, string(found[len(found)-1].ID), nil
}

// Handlers returns h with the handlers of the office's jobs.
func (o *Office) Handlers(h job.Handlers) job.Handlers {
	h.Mail = func(ctx context.Context, a job.Mail) error { return o.Deliver(ctx, a.Mail) }
	h.Notice = o.Notice
	return h
}

// Notice looks for what members asked to be told of, has mails sent that nobody sends, and forgets those that ended long ago.
func (o *Office) Notice(ctx context.Context) error {
	now := o.options.Now().UTC()
	errs := errors.Join(o.store.RequeueMails(ctx, now.Add(-leaseTime)), o.store.ForgetMails(ctx, now.Add(-keptFor)))
	if !o.On() {
		return errs
	}
	for _, look := range o.notices {
		errs = errors.Join(errs, look(ctx))
	}
	return errs
}

// Deliver is the job that sends one mail. What goes wrong on the way is kept with the mail; an error means that it could not be kept.
func (o *Office) Deliver(ctx context.Context, id idv.MailID) error {
	now := o.options.Now().UTC()
	m, tries, err := o.store.ClaimMail(ctx, id, now, now.Add(leaseTime))
	if problem.Has(err, problem.NotFound) {
		return nil // it was sent, given up or erased
	}
	if err != nil {
		return err
	}
	r := o.attempt(ctx, m, tries)
	if ctx.Err() != nil && r.State == Due {
		return fmt.Errorf("send a mail: %w", ctx.Err()) // the worker is stopping; the attempt does not count
	}
	if o.options.Done != nil {
		o.options.Done(ctx, m.Kind, r.State, r.Fault)
	}
	return o.store.EndAttempt(context.WithoutCancel(ctx), id, r)
}

// attempt sends a mail once, and says what becomes of it.
func (o *Office) attempt(ctx context.Context, m Mail, tries int) Result {
	r := Result{State: Sent, Attempts: tries + 1}
	said, err := o.send(ctx, &m)
	if !said && err == nil {
		return Result{State: Dropped, Attempts: tries}
	}
	if err == nil {
		o.options.Log.InfoContext(ctx, "a mail was sent", "mail", m.ID, "kind", m.Kind, "attempt", r.Attempts)
		return r
	}
	wrong := &FaultError{Fault: FaultInternal}
	errors.As(err, &wrong)
	r.State, r.Fault = Failed, wrong.Fault
	if waits := pauses(); !wrong.Fault.final() && tries < len(waits) {
		r.State, r.NextAt = Due, o.options.Now().UTC().Add(waits[tries])
		if !m.Content.Until.IsZero() && r.NextAt.After(m.Content.Until) {
			r.State, r.NextAt = Failed, time.Time{}
		}
	}
	o.options.Log.WarnContext(ctx, "a mail could not be sent",
		append([]any{"mail", m.ID, "kind", m.Kind, "attempt", r.Attempts, "again", r.State == Due}, wrong.attributes()...)...)
	return r
}

// send completes, writes and sends a mail. It returns false where there is nothing to say.
func (o *Office) send(ctx context.Context, m *Mail) (bool, error) {
	if !o.On() {
		return true, &FaultError{Fault: FaultOff}
	}
	if u := m.Content.Until; !u.IsZero() && !o.options.Now().Before(u) {
		return true, &FaultError{Fault: FaultExpired}
	}
	if m.Content.Unsaid {
		p, ok := o.prepare[m.Kind]
		if !ok {
			return true, &FaultError{Fault: FaultOff} // a process that does not know this kind
		}
		if say, err := p(ctx, m); err != nil || !say {
			if err != nil {
				o.options.Log.ErrorContext(ctx, "a mail could not be prepared", "mail", m.ID, "kind", m.Kind, "error", err)
				err = &FaultError{Fault: FaultLater}
			}
			return false, err
		}
	}
	msg, err := Write(*m)
	if err != nil {
		return true, &FaultError{Fault: FaultInternal}
	}
	return true, o.options.Server.Send(ctx, m.ID, m.Content.Brand, msg, o.options.Now())
}

// SendNow sends a test mail at once, without the queue. Errors are of type *FaultError.
func (o *Office) SendNow(ctx context.Context, to string) error {
	m, err := o.Draft(Test, to)
	if err != nil {
		return &FaultError{Fault: FaultOff}
	}
	_, err = o.send(ctx, &m)
	return err
}
