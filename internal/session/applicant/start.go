package applicant

import (
	"context"
	"net/netip"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// keepStart makes a session count from its start on, where its workflow looks at other sessions: retries would hide otherwise. Test
// personas do not count.
func keepStart(ctx context.Context, tx session.Tx, rec session.Record, w idv.WorkflowVersion, origins session.Origins) error {
	if err := keepOrigin(ctx, tx, rec, w, origins); err != nil {
		return err
	}
	if !session.LooksBack(w) || rec.Persona != "" {
		return nil
	}
	var marks []idv.SeenMark
	if rec.ExternalReference != "" {
		marks = append(marks, idv.SeenMark{Kind: idv.MarkReference, Form: rec.ExternalReference})
	}
	if contact := session.ContactForm(rec.Email); contact != "" {
		marks = append(marks, idv.SeenMark{Kind: idv.MarkContact, Form: contact})
	}
	if err := tx.KeepMarks(ctx, rec, []idv.MarkKind{idv.MarkReference, idv.MarkContact}, marks); err != nil {
		return err
	}
	if !w.Requires(idv.CheckVelocity) && !w.Requires(idv.CheckBlockList) {
		return nil
	}
	if address, err := netip.ParseAddr(audit.ActorFrom(ctx).Address); err == nil {
		return tx.KeepNetwork(ctx, rec, address)
	}
	return nil // the network stays unknown, and the finding of velocity.counts says so
}

// keepOrigin keeps what the operator's files say of the network from which a session was opened, where its workflow asks.
func keepOrigin(ctx context.Context, tx session.Tx, rec session.Record, w idv.WorkflowVersion, origins session.Origins) error {
	if !slices.ContainsFunc(w.Required, idv.CheckKind.AboutNetwork) || rec.Persona != "" {
		return nil
	}
	address, err := netip.ParseAddr(audit.ActorFrom(ctx).Address)
	known := idv.UnreadOrigin(idv.OriginNoFile)
	switch {
	case err != nil:
		known = idv.UnreadOrigin(idv.OriginNoAddress)
	case origins != nil:
		known = origins.Look(address)
	}
	return tx.KeepOrigin(ctx, rec, known)
}
