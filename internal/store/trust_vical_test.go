package store

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
	"github.com/bonafide-id/bonafide/internal/trust/vical/vicaltest"
)

// trustVICAL: a list of authorities of mobile documents counts by an anchor of its own purpose alone, shows its difference, never goes
// back, and ends with its anchor.
func trustVICAL(t *testing.T, d *deployment) {
	ctx, r, day := as(t, senta), d.trusting(false), emrtdtest.Now
	root, one, other := emrtdtest.NewAuthority("UT", sound, 21), emrtdtest.NewAuthority("UT", sound, 22), emrtdtest.NewAuthority("FR", sound, 23)
	signer := root.Issue(emrtdtest.Template{Name: "List Signer"}, emrtdtest.NewKey(sound, 24))
	const permit = "org.example.permit"
	list := func(days int, of ...*emrtdtest.Holder) register.Proposal {
		var all []vicaltest.Entry
		for _, h := range of {
			all = append(all, vicaltest.Entry{Of: h, DocTypes: []string{permit}})
		}
		return register.Proposal{Mode: idv.Live, File: vicaltest.New(day.AddDate(0, 0, -days), all...).Sign(signer)}
	}
	inForce(t, ctx, r, register.Proposal{Mode: idv.Live, File: root.Raw}) // as a state's: N26
	_, err := r.Propose(ctx, list(20, one))
	wantRefusedAs(t, "a list by an anchor of another purpose", err, "trust.anchor_missing")
	anchor := inForce(t, ctx, r, register.Proposal{Mode: idv.Live, File: root.Raw, Purpose: trust.VICAL})
	first := inForce(t, ctx, r, list(20, one))
	if first.Kind != register.VICAL || first.Count != 1 || first.Purpose != trust.IACA {
		t.Errorf("the list: %+v", first)
	}
	_, err = r.Propose(ctx, list(30, one))
	wantRefusedAs(t, "an older list", err, "trust.rollback")
	second, err := r.Propose(ctx, list(10, other))
	must(t, err)
	changes, err := r.Difference(ctx, second)
	must(t, err)
	if len(changes) != 2 || changes[0].Country != "FR" || changes[0].Kind != trust.Added || changes[1].Kind != trust.Removed {
		t.Errorf("the difference: %+v", changes)
	}
	trusted := func() int {
		s, err := r.Load(ctx, idv.Live)
		must(t, err)
		return len(s.Anchors(trust.IACA, permit))
	}
	if got := trusted(); got != 1 {
		t.Errorf("%d authorities are trusted, want 1", got)
	}
	_, err = r.Undo(ctx, anchor.ID)
	must(t, err)
	if lost, err := r.Unusable(ctx, idv.Live); trusted() != 0 || err != nil || len(lost) != 1 {
		t.Errorf("without its anchor: %+v, %v", lost, err)
	}
}
