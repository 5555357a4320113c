package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/demo"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store"
)

// demoCommand fills a deployment with invented sessions.
type demoCommand struct {
	config.Storage
	config.Engine
	config.Log
	Sessions int    `help:"How many sessions. More than 2000 get no pictures, checks and claims: rows for lists and figures." default:"200"`
	Days     int    `help:"Over how many days before now they are spread." default:"90"`
	Seed     uint64 `help:"The same seed tells the same stories; ids, links and keys are new each time." default:"1"`
	Pictures int    `help:"How many sessions more get generated pictures, read by the real engine. Needs Debian's fonts-ocr-b." default:"2"`
}

// Run implements the command.
func (c *demoCommand) Run(ctx context.Context, s streams) error {
	if c.Sessions < 1 || c.Days < 1 || c.Pictures < 0 {
		return errors.New("--sessions and --days are 1 or more, --pictures 0 or more")
	}
	clock := demo.NewClock(time.Now())
	return useAt(ctx, &c.Storage, c.Log, s, clock.Now, func(st *store.Store) error { return c.fill(ctx, s, st, clock) })
}

func (c *demoCommand) fill(ctx context.Context, s streams, st *store.Store, clock *demo.Clock) error {
	if c.Dev {
		if err := st.Migrate(ctx); err != nil {
			return err
		}
	}
	if current, err := st.Current(ctx); err != nil || !current {
		return errors.Join(errors.New("the database is not of this version; run bonafide migrate"), err)
	}
	if st.File != "" {
		lock, err := st.TryLock("server", true)
		if err != nil {
			return err
		}
		if lock == nil {
			return errors.New("a server runs on this data: stop it, call this again, and start it afterwards")
		}
		defer func() { _ = lock.Release() }()
	}
	_, _ = fmt.Fprintf(s.Out, "Adds %d invented sessions of test mode, over %d days, to the %s database.\n", c.Sessions, c.Days, st.Engine())
	_, _ = fmt.Fprintln(s.Out, "The audit log keeps their entries for good: do not take this deployment live. A server that runs on it is stopped first.")
	o := demo.Options{Sessions: c.Sessions, Days: c.Days, Seed: c.Seed, People: invented, Progress: c.progress(s)}
	if err := withMembers(ctx, st, &o); err != nil {
		return err
	}
	if err := c.withSpecimens(s, clock.Now(), &o); err != nil {
		return err
	}
	sum, err := demo.Fill(ctx, st, st.Pictures(), clock, o)
	if err != nil {
		return err
	}
	var states []string
	for _, state := range idv.SessionStates() {
		if n := sum.States[state]; n > 0 {
			states = append(states, fmt.Sprintf("%d %s", n, state))
		}
	}
	_, err = fmt.Fprintf(s.Out, "Made %d sessions. In test mode there are now: %s.\n"+
		"They are erased after %d days, and so is everything else of test mode here; figures of them stay.\n"+
		"No account, password or API key was made.\n", sum.Sessions, strings.Join(states, ", "), int(idv.DemoRetention.Hours()/24))
	return err
}

// withMembers has the members there are decide: what people did is on record in their names.
func withMembers(ctx context.Context, st *store.Store, o *demo.Options) error {
	members := team.NewMembers(st, team.Options{})
	deciders, err := members.ListPermitted(ctx, account.CasesDecide, idv.Test)
	if err != nil {
		return err
	}
	officers, err := members.ListPermitted(ctx, account.SessionsErase, idv.Test)
	if err != nil {
		return err
	}
	if len(deciders) == 0 || len(officers) == 0 {
		return errors.New("there is no member yet in whose name could be decided: set the deployment up first, by the link that bonafide serve prints")
	}
	for _, u := range deciders {
		o.Staff = append(o.Staff, review.Reviewer{ID: u.ID, Overrules: account.May(u.Roles, account.CasesOverrule, idv.Test)})
	}
	o.Officer = officers[0].ID
	return nil
}

// withSpecimens adds sessions with pictures, where they can be made.
func (c *demoCommand) withSpecimens(s streams, now time.Time, o *demo.Options) error {
	if c.Pictures == 0 || c.Sessions > demo.Brief {
		return nil
	}
	if drawable := fixtures.HasOCRB() == nil; !drawable {
		_, _ = fmt.Fprintln(s.Out, "No sessions with pictures: drawing documents needs OCR-B (apt-get install fonts-ocr-b).")
		return nil
	}
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	o.Engine = e.Flow
	for i := range c.Pictures {
		spec, err := specimen(int64(c.Seed%1000)*1000+int64(i), i, now) //nolint:gosec // below a million
		if err != nil {
			return fmt.Errorf("draw specimen %d: %w", i+1, err)
		}
		o.Specimens = append(o.Specimens, spec)
	}
	return nil
}

// progress says how far it has come, some ten times.
func (c *demoCommand) progress(s streams) func(done, all int) {
	last := 0
	return func(done, all int) {
		if tenth := 10 * done / max(all, 1); tenth > last {
			last = tenth
			_, _ = fmt.Fprintf(s.Out, "%d of %d\n", done, all)
		}
	}
}

func invented(seed int64) demo.Person {
	p := fixtures.PersonOf(seed)
	return demo.Person{Surname: p.Surname, GivenNames: p.GivenNames, Sex: p.Sex, Born: p.Born}
}

// specimen draws and photographs a document and somebody's selfie: theirs, or, every third time, somebody else's.
func specimen(seed int64, n int, now time.Time) (demo.Specimen, error) {
	kinds := []struct {
		fixture fixtures.Kind
		kind    idv.DocumentKind
	}{{fixtures.Passport, idv.Passport}, {fixtures.IDCard, idv.IDCard}, {fixtures.ResidencePermit, idv.ResidencePermit}}
	k := kinds[n%len(kinds)]
	d, err := fixtures.NewDocument(k.fixture, seed, fixtures.Options{Today: now, Quick: true, Scale: 12})
	if err != nil {
		return demo.Specimen{}, err
	}
	out := demo.Specimen{Kind: k.kind, Claimed: map[idv.ClaimName]string{
		idv.FamilyName: d.Fields.Surname, idv.GivenNames: d.Fields.GivenNames, idv.DateOfBirth: d.Fields.Born.Format(time.DateOnly),
	}}
	cam := fixtures.Phone(seed)
	front, _ := fixtures.ShootQuick(d.Front(), cam)
	if out.Front, err = fixtures.JPEG(front, 90, 1); err != nil {
		return out, err
	}
	if back := d.Back(); back != nil {
		picture, _ := fixtures.ShootQuick(back, fixtures.Phone(seed+1))
		if out.Back, err = fixtures.JPEG(picture, 90, 1); err != nil {
			return out, err
		}
	}
	who := d.Face
	if n%3 == 2 {
		faces := fixtures.Faces()
		who = faces[(int(seed)+1)%len(faces)]
	}
	selfie, err := fixtures.Selfie(who, fixtures.SelfieFace, fixtures.WebCam(seed))
	if err != nil {
		return out, err
	}
	out.Selfie, err = fixtures.JPEG(selfie, 90, 1)
	return out, err
}
