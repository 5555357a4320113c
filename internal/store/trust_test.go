package store

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
)

// beforeTrust undoes the migration of trust.
var beforeTrust = []string{
	"DROP TABLE trust_updates", "DELETE FROM locks WHERE name = 'trust'", "DELETE FROM schema_versions WHERE version_id = 32",
}

const sound emrtdtest.Kind = "ECDSA P-256 SHA-256"

var tilda = review.Reviewer{ID: "usr_tilda"}

// states are authorities of Utopia and Germany, and who signs Utopia's lists.
type states struct{ utopia, germany, lister *emrtdtest.Holder }

func newStates() states {
	utopia := emrtdtest.NewAuthority("UT", sound, 1)
	return states{
		utopia: utopia, germany: emrtdtest.NewAuthority("DE", sound, 2),
		lister: utopia.Issue(emrtdtest.Template{Name: "Lister", Extended: []string{pki.MasterListSigning}}, emrtdtest.NewKey(sound, 3)),
	}
}

// list is Utopia's list of so many days before the day of the tests.
func (s states) list(days int, of ...*emrtdtest.Holder) register.Proposal {
	return register.Proposal{Mode: idv.Live, File: s.lister.MasterList(emrtdtest.Now.AddDate(0, 0, -days), of...), Source: "npkd.example"}
}

func (s states) anchor() register.Proposal {
	return register.Proposal{Mode: idv.Live, File: s.utopia.Raw}
}

func (d *deployment) trusting(two bool) *register.Register {
	return register.New(d.store, register.Options{TwoPersons: two, Now: func() time.Time { return emrtdtest.Now }})
}

// inForce proposes and accepts.
func inForce(t *testing.T, ctx context.Context, r *register.Register, p register.Proposal) register.Update {
	t.Helper()
	u, err := r.Propose(ctx, p)
	must(t, err)
	u, err = r.Accept(ctx, u.ID)
	must(t, err)
	return u
}

func wantCountries(t *testing.T, r *register.Register, mode idv.Mode, want ...string) {
	t.Helper()
	c, err := r.Coverage(t.Context(), mode)
	must(t, err)
	got := []string{}
	for _, v := range c.Countries {
		got = append(got, v.Country)
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("trusted in %s mode (-want +got):\n%s", mode, diff)
	}
}

func wantRefused(t *testing.T, what string, err error, k problem.Kind) {
	t.Helper()
	if !problem.Has(err, k) {
		t.Errorf("%s: %v, want %s", what, err, k.Code)
	}
}

func wantRefusedAs(t *testing.T, what string, err error, code string) {
	t.Helper()
	if p, ok := problem.As(err); !ok || p.Kind.Code != code {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

// trustLife: nothing is trusted before somebody accepted it; a newer list replaces an older one and never the other way round, and
// what is undone leaves what was before.
func trustLife(t *testing.T, d *deployment) {
	ctx, s, r := as(t, senta), newStates(), d.trusting(false)
	_, err := r.Propose(ctx, s.list(20, s.utopia, s.germany))
	wantRefusedAs(t, "a list before the anchor of its signer", err, "trust.anchor_missing")
	inForce(t, ctx, r, s.anchor())
	wantCountries(t, r, idv.Live, "UT")

	first, err := r.Propose(ctx, s.list(20, s.utopia, s.germany))
	must(t, err)
	changes, err := r.Difference(ctx, first)
	must(t, err)
	if len(changes) != 2 || changes[0].Kind != trust.Added || changes[0].Country != "DE" {
		t.Errorf("the first list: %+v", changes)
	}
	wantCountries(t, r, idv.Live, "UT")
	_, err = r.Accept(ctx, first.ID)
	must(t, err)
	wantCountries(t, r, idv.Live, "DE", "UT")
	_, err = r.Accept(ctx, first.ID)
	wantRefused(t, "accepting twice", err, problem.TrustConflict)

	_, err = r.Propose(ctx, s.list(30, s.utopia))
	wantRefusedAs(t, "an older list", err, "trust.rollback")
	_, err = r.Propose(ctx, s.list(20, s.utopia, s.germany))
	wantRefusedAs(t, "another list of the same moment", err, "trust.rollback") // its signature differs
	second, err := r.Propose(ctx, s.list(10, s.utopia))
	must(t, err)
	stale, err := r.Propose(ctx, s.list(5, s.utopia))
	must(t, err)
	if changes, err = r.Difference(ctx, second); err != nil || len(changes) != 1 || changes[0].Kind != trust.Removed || changes[0].Country != "DE" {
		t.Errorf("the second list: %+v, %v", changes, err)
	}
	_, err = r.Accept(ctx, second.ID)
	must(t, err)
	wantCountries(t, r, idv.Live, "UT")
	_, err = r.Accept(ctx, stale.ID)
	wantRefused(t, "an update whose difference was another when it was shown", err, problem.TrustConflict)
	_, err = r.Decline(ctx, stale.ID)
	must(t, err)

	_, err = r.Undo(ctx, second.ID)
	must(t, err)
	wantCountries(t, r, idv.Live, "DE", "UT")
	_, err = r.Undo(ctx, second.ID)
	wantRefused(t, "undoing twice", err, problem.TrustConflict)
	wantTrustAudited(t, d, "trust.proposed", "trust.accepted", "trust.proposed", "trust.accepted", "trust.proposed", "trust.proposed",
		"trust.accepted", "trust.declined", "trust.undone")
	if again, err := d.trusting(false).Find(ctx, first.ID); err != nil || again.State != register.InForce || again.SettledBy != string(senta.ID) {
		t.Errorf("the first list afterwards: %+v, %v", again.State, err)
	}
}

func wantTrustAudited(t *testing.T, d *deployment, want ...string) {
	t.Helper()
	var got []string
	must(t, d.store.Read.NewSelect().Table("audit_entries").Column("action").Where("action LIKE 'trust.%'").OrderExpr("id").Scan(t.Context(), &got))
	count := func(all []string) map[string]int {
		out := map[string]int{}
		for _, a := range all {
			out[a]++
		}
		return out
	}
	if diff := cmp.Diff(count(want), count(got)); diff != "" {
		t.Errorf("audit entries (-want +got):\n%s", diff)
	}
}

// trustTwo: where two persons are wanted, nobody accepts what they proposed or does alone what they undo.
func trustTwo(t *testing.T, d *deployment) {
	one, other, s, r := as(t, senta), as(t, tilda), newStates(), d.trusting(true)
	u, err := r.Propose(one, s.anchor())
	must(t, err)
	_, err = r.Accept(one, u.ID)
	wantRefused(t, "accepting one's own", err, problem.TrustSamePerson)
	wantCountries(t, r, idv.Live)
	_, err = r.Accept(other, u.ID)
	must(t, err)
	wantCountries(t, r, idv.Live, "UT")
	asked, err := r.Undo(other, u.ID)
	must(t, err)
	if asked.State != register.InForce || asked.UndoBy != string(tilda.ID) {
		t.Errorf("after one asked: %s by %q", asked.State, asked.UndoBy)
	}
	_, err = r.Undo(other, u.ID)
	wantRefused(t, "undoing alone", err, problem.TrustSamePerson)
	wantCountries(t, r, idv.Live, "UT")
	_, err = r.Undo(one, u.ID)
	must(t, err)
	wantCountries(t, r, idv.Live)
	agreed := func(p register.Proposal) register.Update {
		u, err := r.Propose(one, p)
		must(t, err)
		u, err = r.Accept(other, u.ID)
		must(t, err)
		return u
	}
	agreed(s.anchor())
	first := agreed(s.list(20, s.utopia, s.germany))
	_, err = r.Undo(one, first.ID)
	must(t, err)
	second := agreed(s.list(10, s.utopia))
	_, err = r.Undo(one, second.ID)
	must(t, err)
	_, err = r.Undo(other, second.ID)
	must(t, err)
	_, err = r.Undo(other, first.ID)
	must(t, err)
	wantCountries(t, r, idv.Live, "DE", "UT") // that somebody asked to undo it before it was replaced does not count any more
	operators, err := r.Propose(t.Context(), register.Proposal{Mode: idv.Live, File: s.germany.Raw})
	must(t, err)
	_, err = r.Accept(t.Context(), operators.ID)
	wantRefused(t, "the operator alone", err, problem.TrustSamePerson)
}

// trustRemoved: what was removed is not trusted, whatever lists say, until that is undone; an anchor that is undone ends the lists
// that rest on it.
func trustRemoved(t *testing.T, d *deployment) {
	ctx, s, r := as(t, senta), newStates(), d.trusting(false)
	anchor := inForce(t, ctx, r, s.anchor())
	inForce(t, ctx, r, s.list(20, s.utopia, s.germany))
	gone, err := r.Propose(ctx, register.Proposal{Mode: idv.Live, Remove: s.germany.Cert.Fingerprint()})
	must(t, err)
	if changes, err := r.Difference(ctx, gone); err != nil || len(changes) != 1 || changes[0].Kind != trust.Removed {
		t.Errorf("the removal: %+v, %v", changes, err)
	}
	wantCountries(t, r, idv.Live, "UT")
	inForce(t, ctx, r, s.list(10, s.utopia, s.germany))
	wantCountries(t, r, idv.Live, "UT")
	_, err = r.Undo(ctx, gone.ID)
	must(t, err)
	wantCountries(t, r, idv.Live, "DE", "UT")
	_, err = r.Undo(ctx, anchor.ID)
	must(t, err)
	wantCountries(t, r, idv.Live)
	if lost, err := r.Unusable(ctx, idv.Live); err != nil || len(lost) != 1 || lost[0].Refusal.Code != trust.AnchorMissing {
		t.Errorf("unusable: %+v, %v", lost, err)
	}
}

// trustModes: live mode trusts nothing of test mode, and test mode what live mode trusts.
func trustModes(t *testing.T, d *deployment) {
	ctx, s, r := as(t, senta), newStates(), d.trusting(false)
	inForce(t, ctx, r, register.Proposal{Mode: idv.Test, File: s.utopia.Raw})
	wantCountries(t, r, idv.Live)
	wantCountries(t, r, idv.Test, "UT")
	_, err := r.Propose(ctx, s.list(20, s.utopia))
	wantRefusedAs(t, "a list of live mode by an anchor of test mode", err, "trust.anchor_missing")
	inForce(t, ctx, r, register.Proposal{Mode: idv.Live, File: s.germany.Raw})
	wantCountries(t, r, idv.Live, "DE")
	wantCountries(t, r, idv.Test, "DE", "UT")
}

// trustRefused: what could not be accepted is refused when it is uploaded, each by its own code, and is not kept.
func trustRefused(t *testing.T, d *deployment) {
	ctx, s, r := as(t, senta), newStates(), d.trusting(false)
	inForce(t, ctx, r, s.anchor())
	day := emrtdtest.Now
	_, link := s.utopia.Renew(emrtdtest.NewKey(sound, 7), 9)
	impostor := emrtdtest.NewAuthority("UT", sound, 8).Issue(
		emrtdtest.Template{Name: "Lister", Extended: []string{pki.MasterListSigning}}, emrtdtest.NewKey(sound, 3))
	tampered := s.lister.MasterList(day, s.utopia)
	tampered[len(tampered)-5] ^= 1
	for name, tt := range map[string]struct {
		p    register.Proposal
		want string
	}{
		"nothing":                             {register.Proposal{Mode: idv.Live}, "request.malformed"},
		"no mode":                             {register.Proposal{File: s.germany.Raw}, "request.malformed"},
		"something else":                      {register.Proposal{Mode: idv.Live, File: []byte("a letter")}, "tlv.malformed"},
		"a document signer":                   {register.Proposal{Mode: idv.Live, File: s.lister.Raw}, "trust.link_is_no_anchor"},
		"a link":                              {register.Proposal{Mode: idv.Live, File: link.Raw}, "trust.link_is_no_anchor"},
		"an anchor of an unknown purpose":     {register.Proposal{Mode: idv.Live, File: s.germany.Raw, Purpose: "all"}, "request.malformed"},
		"an issuer without its credential":    {register.Proposal{Mode: idv.Live, File: s.germany.Raw, Purpose: trust.Issuer}, "request.malformed"},
		"a list signed by an authority":       {register.Proposal{Mode: idv.Live, File: s.utopia.MasterList(day, s.utopia)}, "trust.list_signer_usage"},
		"a list of somebody of the same name": {register.Proposal{Mode: idv.Live, File: impostor.MasterList(day, s.utopia)}, "trust.anchor_missing"},
		"a list that was changed":             {register.Proposal{Mode: idv.Live, File: tampered}, "pki.signature_invalid"},
		"a list of next month":                {s.list(-31, s.utopia), "trust.list_signer"},
		"signed data that is no list": {
			register.Proposal{Mode: idv.Live, File: s.lister.CMS("2.23.136.1.1.1", []byte{5, 0}, emrtdtest.Signing{Time: day})}, "trust.not_a_master_list",
		},
		"a revocation list of a stranger": {
			register.Proposal{Mode: idv.Live, File: s.germany.CRL(day.AddDate(0, 0, -1), day.AddDate(0, 1, 0))}, "trust.crl_issuer",
		},
		"a forged revocation list": {
			register.Proposal{Mode: idv.Live, File: emrtdtest.NewAuthority("UT", sound, 8).CRL(day.AddDate(0, 0, -1), day.AddDate(0, 1, 0))},
			"trust.crl_signature",
		},
		"a revocation list that is out of date": {
			register.Proposal{Mode: idv.Live, File: s.utopia.CRL(day.AddDate(0, -2, 0), day.AddDate(0, -1, 0))}, "trust.crl_expired",
		},
		"a revocation list of the future": {
			register.Proposal{Mode: idv.Live, File: s.utopia.CRL(day.AddDate(0, 1, 0), day.AddDate(0, 2, 0))}, "trust.crl_not_yet",
		},
		"a removal of what is no certificate": {register.Proposal{Mode: idv.Live, Remove: "abc"}, "request.malformed"},
	} {
		_, err := r.Propose(ctx, tt.p)
		wantRefusedAs(t, name, err, tt.want)
	}
	if all, err := r.List(ctx, idv.Live, 0); err != nil || len(all) != 1 {
		t.Errorf("%d updates are kept, %v", len(all), err)
	}
	revoking := inForce(t, ctx, r, register.Proposal{Mode: idv.Live, File: s.utopia.CRL(day.AddDate(0, 0, -1), day.AddDate(0, 1, 0), 4)})
	if revoking.Kind != register.RevocationList || revoking.Count != 1 || revoking.Scope != "UT" {
		t.Errorf("the revocation list: %+v", revoking)
	}
	later := register.New(d.store, register.Options{Now: func() time.Time { return day.AddDate(0, 2, 0) }})
	if lost, err := later.Unusable(ctx, idv.Live); err != nil || len(lost) != 1 || lost[0].Update != revoking.ID || lost[0].Refusal.Code != trust.CRLExpired {
		t.Errorf("unusable two months later: %+v, %v", lost, err)
	}
}

// trustRaces: of those who accept at once one does, and of two updates of one slot one is in force.
func trustRaces(t *testing.T, d *deployment) {
	ctx, s, r := as(t, senta), newStates(), d.trusting(false)
	inForce(t, ctx, r, s.anchor())
	var ids []idv.TrustUpdateID
	for day := range 3 {
		u, err := r.Propose(ctx, s.list(20-day, s.utopia, s.germany))
		must(t, err)
		ids = append(ids, u.ID)
	}
	var won atomic.Int32
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			_, err := r.Accept(ctx, ids[i%len(ids)])
			if err == nil {
				won.Add(1)
			} else if !problem.Has(err, problem.TrustConflict) {
				t.Errorf("accept: %v", err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d of 12 accepted, want 1", won.Load())
	}
	wantCountries(t, r, idv.Live, "DE", "UT")
}
