package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
)

// trustWarnings: what expires without a successor, lists that are old and revocation lists that end are named in time.
func trustWarnings(t *testing.T, d *deployment) {
	ctx, s, day := as(t, senta), newStates(), emrtdtest.Now
	now := day
	r := register.New(d.store, register.Options{Now: func() time.Time { return now }})
	root := func(country string, number, days int) *emrtdtest.Holder {
		return emrtdtest.NewRoot(emrtdtest.Template{
			Serial: int64(number), Country: country, CA: true, From: day.AddDate(-3, 0, 0), To: day.AddDate(0, 0, days),
		}, emrtdtest.NewKey(sound, number))
	}
	inForce(t, ctx, r, s.anchor())
	for _, h := range []*emrtdtest.Holder{root("FR", 11, 30), root("IT", 12, 30), root("IT", 13, 2000), root("NO", 14, -30)} {
		inForce(t, ctx, r, register.Proposal{Mode: idv.Live, File: h.Raw})
	}
	licences := root("UT", 15, 60)
	inForce(t, ctx, r, register.Proposal{Mode: idv.Live, File: licences.Raw, Purpose: trust.IACA, Scope: "org.example.permit"})
	inForce(t, ctx, r, s.list(20, s.utopia))
	inForce(t, ctx, r, register.Proposal{Mode: idv.Live, File: s.utopia.CRL(day.AddDate(0, 0, -1), day.AddDate(0, 0, 30), 4)})
	warnings := func(at time.Time) []string {
		now = at
		c, err := r.Coverage(ctx, idv.Live)
		must(t, err)
		out := []string{}
		for _, w := range c.Warnings {
			out = append(out, fmt.Sprintf("%s %s %s", w.Worry, w.Purpose, w.Scope))
		}
		if len(c.Lists) != 1 || len(c.Revocations) != 1 || c.Revocations[0].Usable != (len(c.Unusable) == 0) {
			t.Errorf("lists in force: %+v, %+v", c.Lists, c.Revocations)
		}
		return out
	}
	for _, c := range []struct {
		name string
		at   time.Time
		want []string
	}{
		{"today", day, []string{"authority_expired csca NO", "authority_expires csca FR", "authority_expires iaca org.example.permit"}},
		{"in four weeks", day.AddDate(0, 0, 28), []string{
			"authority_expired csca NO", "authority_expires csca FR", "authority_expires iaca org.example.permit", "revocation_ends csca UT",
		}},
		{"in four months", day.AddDate(0, 4, 0), []string{
			"revocation_old csca UT", "authority_expired csca FR", "authority_expired csca NO", "authority_expired iaca org.example.permit", "list_old csca UT",
		}},
	} {
		if diff := cmp.Diff(c.want, warnings(c.at)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
