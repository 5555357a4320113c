package store

import (
	"net/netip"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
)

// mapped says where each network of documentation is.
type mapped map[string]idv.NetworkOrigin

func (m mapped) Look(a netip.Addr) idv.NetworkOrigin { return m[a.String()] }

func seenOrigin(t *testing.T, d *deployment) {
	ctx := t.Context()
	there := idv.NetworkOrigin{Country: "DEU", ASN: 64500, Hosting: true, Gaps: idv.OriginGaps{Kind: idv.OriginOld}}
	people := services.New(d.store, d.store.Pictures(), nil, services.Options{
		Now: d.clock.now, Log: quiet(), Origins: mapped{"198.51.100.7": there},
	}).Applicant
	asks := d.workflow(t, "asks", func(w *idv.WorkflowVersion) { w.Required = append(w.Required, idv.CheckNetworkCountry) })
	open := func(workflow, address string) idv.SessionID {
		t.Helper()
		from := audit.WithActor(ctx, audit.Actor{Kind: audit.Applicant, Address: address})
		o, err := people.Open(from, d.create(t, session.Spec{Workflow: workflow, ExternalReference: "order-1", Email: "tilda@example.org"}).Link)
		must(t, err)
		return o.Session
	}
	id := open(asks, "198.51.100.7")
	if got, kept, err := d.store.Origin(ctx, id); err != nil || !kept || got != there {
		t.Errorf("kept is %+v, %v, %v", got, kept, err)
	}
	if digests := marksOf(t, d, id); len(digests) != 1 {
		t.Errorf("%d marks are kept of a session that is compared with nobody: %s", len(digests), digests)
	}
	for word, places := range findWords(t, d, [][]byte{[]byte("198.51.100.7")}) {
		t.Errorf("%q is kept in %v", word, places)
	}
	if got, kept, err := d.store.Origin(ctx, open(asks, "")); err != nil || !kept || got != idv.UnreadOrigin(idv.OriginNoAddress) {
		t.Errorf("without an address: %+v, %v, %v", got, kept, err)
	}
	if _, kept, err := d.store.Origin(ctx, open("", "198.51.100.7")); err != nil || kept {
		t.Errorf("of a workflow that does not ask something is kept: %v, %v", kept, err)
	}
	d.clock.advance(48 * time.Hour)
	must(t, sessions.DropForgotten(ctx, d.store.DB))
	if _, kept, err := d.store.Origin(ctx, id); err != nil || !kept {
		t.Errorf("after two days it is kept: %v, %v", kept, err)
	}
	must(t, eraseAll(ctx, d, id))
	if _, kept, err := d.store.Origin(ctx, id); err != nil || kept {
		t.Errorf("after erasing it is kept: %v, %v", kept, err)
	}
}
