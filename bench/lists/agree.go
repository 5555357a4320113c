package lists

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Agreed is how long it took until two servers that share a database searched the version that was activated.
type Agreed struct {
	Times  int      `json:"times"`
	Within float64  `json:"longest_s"` // after the import had activated it
	Killed int      `json:"killed"`    // servers that were killed meanwhile and started again
	Faults []string `json:"faults"`
}

// mostDisagree is how long two servers may search different lists.
const mostDisagree = time.Minute

// running is a server of its own process.
type running struct {
	cmd  *exec.Cmd
	said chan string // digests of its compiled lists
	now  string
}

func (p *place) serve(ctx context.Context, name string) (*running, error) {
	part := p.part
	part.Index = filepath.Join(filepath.Dir(p.part.Index), name)
	if err := os.MkdirAll(part.Index, 0o700); err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	cmd, err := p.command(ctx, part, "serve", "")
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start a server: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a server: %w", err)
	}
	r := &running{cmd: cmd, said: make(chan string, 100)}
	go func() {
		defer close(r.said)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var said Said
			if json.Unmarshal(lines.Bytes(), &said) == nil && said.Live != "" {
				r.said <- said.Live
			}
		}
	}()
	return r, nil
}

// kill kills the server.
func (r *running) kill() error {
	err := r.cmd.Process.Kill()
	_ = r.cmd.Wait() // it was killed
	return err
}

// searches waits until the server searches the lists of a digest.
func (r *running) searches(digest string, until time.Time) bool {
	for r.now != digest {
		select {
		case now, ok := <-r.said:
			if !ok {
				return false
			}
			r.now = now
		case <-time.After(time.Until(until)):
			return false
		}
	}
	return true
}

// agree runs two servers on the database, and imports versions beside them. Each time one of them is killed as soon as the import is over, and
// started again.
func (p *place) agree(ctx context.Context) (out *Agreed, err error) {
	p.o.Progress("two servers")
	out = &Agreed{Faults: []string{}}
	var both [2]*running
	defer func() {
		for _, r := range both {
			if r != nil {
				err = errors.Join(err, r.kill())
			}
		}
	}()
	for i, name := range []string{"one", "two"} {
		if both[i], err = p.serve(ctx, name); err != nil {
			return out, err
		}
	}
	for turn := range p.o.Agree {
		next := p.files[1-p.now]
		p.at.offer(next.copyTo)
		over, err := p.activated(ctx)
		if err != nil {
			return out, err
		}
		p.now = 1 - p.now
		if turn%2 == 1 {
			if err := both[1].kill(); err != nil {
				return out, err
			}
			out.Killed++
			if both[1], err = p.serve(ctx, "two"); err != nil {
				return out, err
			}
		}
		c, err := p.look(ctx)
		if err != nil {
			return out, err
		}
		for i, r := range both {
			if !r.searches(c.Digest, over.Add(mostDisagree)) {
				out.Faults = append(out.Faults, fmt.Sprintf("turn %d: server %d searches %.8s, want %.8s", turn, i+1, r.now, c.Digest))
			}
		}
		out.Times, out.Within = out.Times+1, max(out.Within, time.Since(over).Seconds())
	}
	return out, nil
}

// activated imports what is offered, and returns when it was in use.
func (p *place) activated(ctx context.Context) (time.Time, error) {
	var at time.Time
	_, err := p.do(ctx, "fetch", StageActivated, func(kill func() error) error {
		at = time.Now()
		return kill() // it dies over what comes after
	})
	if err == nil && at.IsZero() {
		err = errors.New("an import activated nothing")
	}
	return at, err
}
