package sessiontest

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

func (r applicantReader) Relay(_ context.Context, id idv.SessionID) (session.RelayRow, error) {
	return one(r.at().chipRelays, func(c session.RelayRow) bool { return c.Session == id })
}

func (w applicantWriter) OpenRelay(_ context.Context, r session.RelayRow) error {
	kept, _ := without(w.next.chipRelays, func(o session.RelayRow) bool { return o.Session == r.Session })
	w.next.chipRelays = append(kept, r)
	return nil
}

func (w applicantWriter) SaveRelay(_ context.Context, r session.RelayRow) error {
	same := func(o session.RelayRow) bool { return o.Session == r.Session && o.Relay == r.Relay }
	update(w.next.chipRelays, same, func(o *session.RelayRow) { *o = r })
	return nil
}

func (w applicantWriter) CloseRelay(_ context.Context, id idv.SessionID, relay string) error {
	w.next.chipRelays, _ = without(w.next.chipRelays, func(o session.RelayRow) bool { return o.Session == id && o.Relay == relay })
	return nil
}
