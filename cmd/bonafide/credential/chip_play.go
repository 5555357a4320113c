package credential

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/testchip"
	"github.com/bonafide-id/bonafide/internal/vpcd"
)

// chipPlay plays a chip that nobody but test mode trusts.
type chipPlay struct {
	Listen string          `help:"Address of the reader with the chip; it speaks the protocol of vpcd." default:"127.0.0.1:35963" placeholder:"HOST:PORT"`
	Zone   string          `required:"" help:"File with the lines of the zone on the page: of a passport or an identity card of Utopia." placeholder:"FILE"`
	Kind   testchip.Choice `help:"What kind of chip: ${enum}." enum:"genuine,other_name,other_face,copy,changed,untrusted" default:"genuine"`
}

// Run plays the chip for one reader after the other, until the context ends.
func (c *chipPlay) Run(ctx context.Context, out io.Writer) error {
	raw, err := os.ReadFile(c.Zone)
	if err != nil {
		return err
	}
	card, err := testchip.Chip{Choice: c.Kind, Zone: strings.Fields(string(raw)), Now: time.Now()}.Card()
	if err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	if _, err := fmt.Fprintf(out, "The chip is in the reader at %s. The zone opens it, or the access number %s.\n", l.Addr(), testchip.AccessNumber); err != nil {
		return err
	}
	for {
		conn, err := l.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		_ = vpcd.Serve(conn, card) // a reader that breaks off is followed by the next
		stop()
		_ = conn.Close()
	}
}
