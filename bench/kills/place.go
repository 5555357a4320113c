package kills

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"time"
)

// close checks a place as a whole, ends its server in order and checks the audit log.
func (r *run) close(ctx context.Context) error {
	for _, l := range r.lives {
		if err := r.check(ctx, l); err != nil {
			return err
		}
	}
	err := r.server.Stop()
	r.server = nil
	if err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, r.Program, r.here.Verify...).CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		r.fault(fault{Kind: broken, What: string(out)})
	} else if err != nil {
		return fmt.Errorf("verify the audit log: %w", err)
	}
	return nil
}

func (r *run) fault(f fault) {
	r.write(func(all *Result) { all.Faults[f.Kind] = append(all.Faults[f.Kind], f) })
}

// laterTime is how long after all lives are over an event may still be on its way.
const laterTime = 3 * time.Minute

// check looks at a life that is over: its events, whether it was made twice, and what erasing left.
func (r *run) check(ctx context.Context, l *life) error {
	if l.id == "" || l.finished.IsZero() {
		return nil // counted already
	}
	types := []string{"session.created", "session.opened", "session.submitted", "session.approved"}
	if l.erases {
		types = append(types, "session.erased")
	}
	for _, typ := range types {
		late, cancel := context.WithTimeout(ctx, laterTime)
		err := r.hooks.await(late, l.id, typ)
		cancel()
		events, times := r.hooks.told(l.id, typ)
		switch {
		case err != nil:
			r.fault(fault{Kind: untold, What: typ, Life: l.name, Session: l.id})
		case events > 1:
			r.fault(fault{Kind: renamed, What: typ, Life: l.name, Session: l.id})
		default:
			r.write(func(all *Result) { all.Repeats += times - events })
		}
	}
	if l.erases {
		a, err := r.call.get(ctx, "/v1/sessions/"+l.id+"/report")
		if err != nil {
			return err
		}
		if a.status != http.StatusGone {
			r.fault(fault{Kind: undone, What: fmt.Sprintf("its report is answered %d", a.status), Life: l.name, Session: l.id})
		}
		return nil
	}
	a, err := r.call.get(ctx, "/v1/sessions?q="+url.QueryEscape(l.name))
	if err != nil {
		return err
	}
	var page struct{ Items []struct{ ID string } }
	if err := a.into(&page); err != nil {
		return err
	}
	if len(page.Items) > 1 {
		r.write(func(all *Result) { all.Twins++ })
	}
	return nil
}
