package credential

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/emrtd/terminal"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/vpcd"
)

// chipRead reads a chip through a reader and verifies it.
type chipRead struct {
	Reader string `required:"" help:"Address of a reader that speaks the protocol of vpcd (vsmartcard)." placeholder:"HOST:PORT"`
	Listen bool   `help:"Wait at the address until a virtual card connects, as vpcd does, instead of connecting to it."`
	Key    string `required:"" help:"File with the lines of the zone, or with the six-digit access number; - reads it from standard input." placeholder:"FILE"`
	Out    string `help:"Write the files of the chip into this folder." placeholder:"DIR"`
	trustSources
	Strict  bool          `help:"Refuse weak algorithms (SHA-1, short RSA keys) instead of noting them."`
	At      time.Time     `help:"The day that counts as today." format:"2006-01-02" placeholder:"YYYY-MM-DD"`
	Timeout time.Duration `help:"How long one answer, and the wait for a card, may take." default:"30s"`
	JSON    bool          `name:"json" help:"One JSON object."`
}

// Run answers as chip verify does.
func (c *chipRead) Run(ctx context.Context, out io.Writer) error {
	key, page, err := c.key(os.Stdin)
	if err != nil {
		return err
	}
	store, err := c.store(today(c.At))
	if err != nil {
		return err
	}
	reader, err := c.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = reader.Close() }()
	read, err := readChip(ctx, key, reader)
	if err != nil {
		return fmt.Errorf("read the chip: %w", err)
	}
	if err := c.save(read.Files); err != nil {
		return err
	}
	o := emrtd.Options{Now: today(c.At), Strict: c.Strict, Agreement: read.Agreement, Page: page}
	if len(read.Response) > 0 {
		o.Active = &emrtd.Answer{Challenge: read.Challenge, Signature: read.Response}
	}
	return answerChip(out, emrtd.Verify(read.Files, store, o), c.JSON)
}

// accessNumber is a card access number.
var accessNumber = regexp.MustCompile(`^[0-9]{6}$`)

// key reads what opens the chip; the zone, if it is one.
func (c *chipRead) key(stdin io.Reader) (terminal.Key, *mrz.Document, error) {
	in := stdin
	if c.Key != "-" {
		f, err := os.Open(c.Key)
		if err != nil {
			return terminal.Key{}, nil, err
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, 1<<10))
	if err != nil {
		return terminal.Key{}, nil, err
	}
	lines := strings.Fields(string(raw))
	if len(lines) == 1 && accessNumber.MatchString(lines[0]) {
		key, err := terminal.CAN(lines[0])
		return key, nil, err
	}
	zone, err := mrz.Parse(lines)
	if err != nil {
		return terminal.Key{}, nil, errors.New("the key is neither the lines of a zone nor six digits")
	}
	key, err := terminal.OfZone(zone)
	return key, &zone, err
}

func (c *chipRead) connect(ctx context.Context) (*vpcd.Reader, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	if !c.Listen {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.Reader)
		if err != nil {
			return nil, err
		}
		return vpcd.NewReader(conn, c.Timeout), nil
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Reader)
	if err != nil {
		return nil, err
	}
	defer func() { _ = l.Close() }()
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	conn, err := l.Accept()
	if err != nil {
		return nil, fmt.Errorf("no card came: %w", err)
	}
	return vpcd.NewReader(conn, c.Timeout), nil
}

// localLink is a chip in a reader of this machine.
type localLink struct{ reader *vpcd.Reader }

// Exchange implements terminal.Link.
func (l localLink) Exchange(ctx context.Context, b terminal.Batch) ([][]byte, error) {
	var out [][]byte
	for _, cmd := range b.Commands {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a, err := l.reader.Transmit(cmd)
		if err != nil {
			return nil, err
		}
		if out = append(out, a); !terminal.GoesOn(a) {
			break
		}
	}
	return out, nil
}

// mostContacts is how often a chip is powered anew: after an answer that makes no sense, and to be read on without what it cannot do.
const mostContacts = 4

func readChip(ctx context.Context, key terminal.Key, reader *vpcd.Reader) (terminal.Result, error) {
	r := terminal.New(key, terminal.Options{MaxAnswer: 65536})
	defer r.ForgetKey()
	var err error
	for range mostContacts {
		if _, err = reader.PowerOn(); err != nil {
			return terminal.Result{}, err
		}
		err = r.Read(ctx, localLink{reader})
		if why := refusal.Of(err); why == nil || why.Code != terminal.AnswerWrong {
			break
		}
	}
	return r.Result(), err
}

func (c *chipRead) save(files emrtd.Files) error {
	if c.Out == "" {
		return nil
	}
	if err := os.MkdirAll(c.Out, 0o700); err != nil {
		return err
	}
	for name, raw := range files {
		if err := os.WriteFile(filepath.Join(c.Out, string(name)), raw, 0o600); err != nil {
			return err
		}
	}
	return nil
}
