package store

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
)

// beforeSeen undoes the migrations of what was seen before.
var beforeSeen = []string{
	"DROP TABLE block_digests", "DROP TABLE block_entries", "DELETE FROM locks WHERE name = 'block_list'", "DROP TABLE seen_links", "DROP TABLE seen_marks",
	"DROP INDEX captures_by_sha256", "DELETE FROM schema_versions WHERE version_id IN (44, 45)",
}

// rosa is a second member.
var rosa = review.Reviewer{ID: "usr_rosa"}

// looking publishes a workflow that looks for everything that was seen before, and returns its name.
func looking(t *testing.T, d *deployment) string {
	return d.workflow(t, "looking", func(w *idv.WorkflowVersion) {
		w.Required = append(w.Required, slices.DeleteFunc(idv.SeenChecks(), idv.CheckKind.AboutNetwork)...)
	})
}

// numbered is a passport with a number that is no example.
func numbered(face, number string) idvtest.Scene {
	s := idvtest.Passport(face)
	s.Number = number
	return s
}

// shown takes a person through a session of a workflow and awaits its verdict.
func (d *deployment) shown(t *testing.T, n session.Spec, passport idvtest.Scene) idv.Session {
	t.Helper()
	a := d.onlyOpen(t, d.create(t, n))
	a.agree(t, idv.Passport)
	passport.Take = string(a.id) // nobody sends one picture twice
	selfie := idvtest.Selfie(passport.Face)
	selfie.Live = passport.Live
	a.sendBoth(t, passport, selfie)
	return d.await(t, a.id, idv.Approved, idv.Declined, idv.InReview)
}

// linksSessions reports whether a code says that sessions share something.
func linksSessions(code string) bool {
	return strings.HasPrefix(code, "duplicate.") && code != "duplicate.not_searched"
}

func seenDuplicates(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	spec := session.Spec{Workflow: looking(t, d)}
	first := d.shown(t, spec, numbered("anna", "P7654321"))
	if first.State != idv.Approved {
		t.Fatalf("the first session is %s for %v", first.State, toldOf(t, d, first.ID))
	}
	second := d.shown(t, spec, numbered("bert", "P 765-4321"))
	if told := toldOf(t, d, second.ID); second.State != idv.InReview || !strings.Contains(strings.Join(told, " "), "duplicate.document_other_face") {
		t.Errorf("the same number with another face: %s for %v", second.State, told)
	}
	elsewhere := d.shown(t, spec, func() idvtest.Scene {
		s := numbered("carl", "P7654321")
		s.Issuer = "SWE"
		s.Family, s.Given = "BERG", "CARL"
		return s
	}())
	if elsewhere.State != idv.Approved {
		t.Errorf("another issuer's document with that number: %s for %v", elsewhere.State, toldOf(t, d, elsewhere.ID))
	}
	example := d.shown(t, spec, func() idvtest.Scene { s := idvtest.Passport("dora"); s.Family, s.Given = "DOE", "DORA"; return s }())
	other := d.shown(t, spec, func() idvtest.Scene { s := idvtest.Passport("ewan"); s.Family, s.Given = "ROE", "EWAN"; return s }())
	for _, one := range []idv.Session{example, other} {
		// The number of the example in ICAO 9303 links nobody, and cannot be looked for.
		told := toldOf(t, d, one.ID)
		if one.State != idv.InReview || !slices.Contains(told, "duplicate.not_searched") || slices.ContainsFunc(told, linksSessions) {
			t.Errorf("somebody with the number of the example in ICAO 9303: %s for %v", one.State, told)
		}
	}

	seen, err := d.Sessions.SeenBefore(ctx, first)
	must(t, err)
	if len(seen) != 1 || seen[0].Other.Session != second.ID || seen[0].Other.Face != idv.FaceOther || !seen[0].Other.Refers {
		t.Errorf("seen from the first session: %+v", seen)
	}
	clusters, err := d.Sessions.Clusters(ctx, idv.Test, 10)
	must(t, err)
	if len(clusters) != 1 || len(clusters[0].Sessions) != 2 {
		t.Errorf("clusters: %+v", clusters)
	}
	if live, err := d.Sessions.Clusters(ctx, idv.Live, 10); err != nil || len(live) > 0 {
		t.Errorf("live mode sees %v, %v", live, err)
	}

	// Erasing one leaves that there was another session, and no link to it; nobody is compared with it any more.
	receipt, err := d.Erasures.Erase(ctx, idv.Test, second.ID)
	must(t, err)
	for _, what := range []string{`"seen_marks"`, `"seen_links"`} {
		if !strings.Contains(receipt.Statement, what) {
			t.Errorf("the receipt does not name %s: %s", what, receipt.Statement)
		}
	}
	if seen, err := d.Sessions.SeenBefore(ctx, first); err != nil || len(seen) != 0 {
		t.Errorf("after erasing the other: %+v, %v", seen, err)
	}
	var left int
	must(t, d.store.Read.NewSelect().TableExpr("seen_marks").ColumnExpr("COUNT(*)").Where("session_id = ?", string(second.ID)).Scan(ctx, &left))
	if left != 0 {
		t.Errorf("%d marks of an erased session are left", left)
	}
}

func seenErasedSince(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	spec := session.Spec{Workflow: looking(t, d)}
	first := d.shown(t, spec, numbered("anna", "P7654321"))
	second := d.shown(t, spec, numbered("bert", "P7654321"))
	digests := marksOf(t, d, first.ID)
	if len(digests) == 0 {
		t.Fatal("nothing is kept to find the session by")
	}
	for word, places := range findWords(t, d, [][]byte{[]byte("UTO|passport|P7654321"), []byte("P7654321")}) {
		t.Errorf("%q is in the clear in %v", word, places)
	}
	_, err := d.Erasures.Erase(ctx, idv.Test, first.ID)
	must(t, err)
	seen, err := d.Sessions.SeenBefore(ctx, second)
	must(t, err)
	if len(seen) != 1 || !seen[0].Erased || seen[0].Other.Face != idv.FaceOther {
		t.Errorf("what the second session says of the erased one: %+v", seen)
	}
	// The document's digest is still there, with the second session, which showed it too. What only the first one had is not.
	must(t, eraseAll(ctx, d, second.ID))
	for digest, places := range findWords(t, d, digests) {
		t.Errorf("after erasing both sessions the digest %s is still in %v", digest, places)
	}
}

func eraseAll(ctx context.Context, d *deployment, id idv.SessionID) error {
	_, err := d.Erasures.Erase(ctx, idv.Test, id)
	return err
}

// marksOf reads the digests that a session is found again by.
func marksOf(t *testing.T, d *deployment, id idv.SessionID) [][]byte {
	t.Helper()
	var rows []sessions.SeenMarkRow
	must(t, d.store.Read.NewSelect().Model(&rows).Where("session_id = ?", string(id)).Scan(t.Context()))
	var out [][]byte
	for _, row := range rows {
		out = append(out, []byte(row.Digest))
	}
	return out
}

func seenVelocity(t *testing.T, d *deployment) {
	ctx := t.Context()
	spec := session.Spec{Workflow: looking(t, d), ExternalReference: "order-1"}
	at := func(address string) idv.SessionID {
		t.Helper()
		from := audit.WithActor(ctx, audit.Actor{Kind: audit.Applicant, Address: address})
		o, err := d.Applicant.Open(from, d.create(t, spec).Link)
		must(t, err)
		return o.Session
	}
	count := func(id idv.SessionID) idv.VelocityCounts {
		t.Helper()
		n, err := d.store.Velocity(ctx, id, d.clock.now())
		must(t, err)
		return n
	}
	var last idv.SessionID
	for _, address := range []string{"198.51.100.7", "198.51.100.8", "198.51.100.200", "::ffff:198.51.100.9"} {
		last = at(address)
	}
	if n := count(last); n.AddressHour != 4 || n.AddressDay != 4 || n.Reference != 4 || !n.Known || n.Allowed {
		t.Errorf("four sessions from one /24: %+v", n)
	}
	six := at("2001:db8:1:2::1")
	if n := count(six); n.AddressHour != 1 {
		t.Errorf("another network: %+v", n)
	}
	if n := count(at("2001:db8:1:ffff:9::2")); n.AddressHour != 2 {
		t.Errorf("privacy addresses stay in their /48: %+v", n)
	}
	d.clock.advance(2 * time.Hour)
	if n := count(at("198.51.100.77")); n.AddressHour != 1 || n.AddressDay != 5 {
		t.Errorf("two hours later: %+v", n)
	}
	for word, places := range findWords(t, d, [][]byte{[]byte("198.51.100.7"), []byte("2001:db8:1:2::1")}) {
		t.Errorf("%q is kept in %v: for counting a keyed digest is, and the audit log shortens addresses", word, places)
	}

	_, err := d.BlockList.AllowNetworks(as(t, tilda), []string{"203.0.113.0/24", "203.0.113.5"})
	must(t, err)
	if n := count(at("203.0.113.9")); !n.Allowed || n.AddressDay != 0 {
		t.Errorf("from an allowed network: %+v", n)
	}
	for _, bad := range []string{"0.0.0.0/0", "10.0.0.0/8", "2001:db8::/20", "home", "203.0.113.0/33", "::ffff:203.0.113.0/120"} {
		if _, err := d.BlockList.AllowNetworks(as(t, tilda), []string{bad}); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s is allowed: %v", bad, err)
		}
	}

	// A day later the marks of networks are gone, and so is the key of the day: what a copy of them has cannot be linked.
	digests := marksOf(t, d, last)
	d.clock.advance(48 * time.Hour)
	must(t, sessions.DropForgotten(ctx, d.store.DB))
	if n := count(last); n.Known {
		t.Errorf("after two days the network is still known: %+v", n)
	}
	err = d.store.Transact(ctx, func(ctx context.Context, tx *database.Tx) error {
		k, err := tx.DayKeyset(ctx, d.clock.now().Add(-50*time.Hour))
		if err != nil {
			return err
		}
		digest, err := k.Digest("seen.network", []byte("198.51.100.0/24"))
		for _, old := range digests {
			if string(old) == digest {
				t.Error("yesterday's digest can be computed again")
			}
		}
		return err
	})
	must(t, err)
}

func blockList(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	spec := session.Spec{Workflow: looking(t, d)}
	first := d.shown(t, spec, numbered("anna", "P7654321"))
	until := d.clock.now().Add(30 * 24 * time.Hour)
	entry, err := d.BlockList.Add(as(t, tilda), review.Blocked{
		Mode: idv.Test, Kind: idv.BlockDocument, Session: first.ID, Declines: true, Reason: "forged", Until: until,
	})
	must(t, err)
	if entry.State(d.clock.now()) != session.BlockAwaits || entry.Hint != "UTO" {
		t.Errorf("the entry: %+v", entry)
	}
	if _, err := d.BlockList.Add(as(t, tilda), review.Blocked{
		Mode: idv.Test, Kind: idv.BlockDocument, Number: "p7654321", Issuer: "uto", Document: idv.Passport, Reason: "forged", Until: until,
	}); !problem.Has(err, problem.BlocklistExists) {
		t.Errorf("the same document, stated: %v", err)
	}
	refers := d.shown(t, spec, numbered("anna", "P7654321"))
	if told := strings.Join(toldOf(t, d, refers.ID), " "); refers.State != idv.InReview || !strings.Contains(told, "blocklist.document") {
		t.Errorf("before a second person confirms it: %s for %s", refers.State, told)
	}
	if _, err := d.BlockList.Confirm(as(t, tilda), entry.ID); !problem.Has(err, problem.BlocklistSamePerson) {
		t.Errorf("one person confirms what they added: %v", err)
	}
	_, err = d.BlockList.Confirm(as(t, rosa), entry.ID)
	must(t, err)
	if _, err := d.BlockList.Confirm(as(t, rosa), entry.ID); !problem.Has(err, problem.BlocklistConflict) {
		t.Errorf("it is confirmed twice: %v", err)
	}
	by, err := d.store.BlockedBy(ctx, refers.ID, d.clock.now())
	must(t, err)
	if diff := cmp.Diff([]idv.BlockedBy{{Entry: entry.ID, Kind: idv.BlockDocument, Declines: true}}, by); diff != "" {
		t.Errorf("what a session matches (-want +got)\n%s", diff)
	}
	declines := d.shown(t, spec, numbered("anna", "P7654321"))
	if told := strings.Join(toldOf(t, d, declines.ID), " "); declines.State != idv.Declined || !strings.Contains(told, "blocklist.document_confirmed") {
		t.Errorf("after two people said so: %s for %s", declines.State, told)
	}
	if declines.LastProblem != nil {
		t.Errorf("the applicant hears why: %+v", declines.LastProblem)
	}
	if by, err := d.store.BlockedBy(ctx, refers.ID, until.Add(time.Second)); err != nil || len(by) > 0 {
		t.Errorf("after its time: %v, %v", by, err)
	}
	_, err = d.BlockList.Remove(as(t, rosa), entry.ID)
	must(t, err)
	if by, err := d.store.BlockedBy(ctx, refers.ID, d.clock.now()); err != nil || len(by) > 0 {
		t.Errorf("after it was removed: %v, %v", by, err)
	}
	if _, err := d.BlockList.Remove(as(t, rosa), entry.ID); !problem.Has(err, problem.BlocklistConflict) {
		t.Errorf("it is removed twice: %v", err)
	}
	for word, places := range findWords(t, d, [][]byte{[]byte("P7654321")}) {
		t.Errorf("%q is in the clear in %v", word, places)
	}
	page, err := d.BlockList.Page(ctx, idv.Test, "", 10)
	if err != nil || len(page) != 1 || page[0].State(d.clock.now()) != session.BlockRemoved {
		t.Errorf("the list: %+v, %v", page, err)
	}
	if page, err := d.BlockList.Page(ctx, idv.Live, "", 10); err != nil || len(page) != 0 {
		t.Errorf("in live mode: %+v, %v", page, err)
	}
	_, err = d.Erasures.Erase(ctx, idv.Test, first.ID)
	must(t, err)
	if got, err := d.BlockList.Find(ctx, entry.ID); err != nil || got.Session != "" {
		t.Errorf("after erasing its session the entry names %q, %v", got.Session, err)
	}
	if _, err := d.BlockList.Add(as(t, tilda), review.Blocked{
		Mode: idv.Test, Kind: idv.BlockDocument, Session: first.ID, Reason: "forged", Until: until,
	}); !problem.Has(err, problem.SessionErased) {
		t.Errorf("from an erased session: %v", err)
	}
}

func blockRefused(t *testing.T, d *deployment) {
	spec := session.Spec{Workflow: looking(t, d)}
	empty := d.create(t, spec).Session.ID
	until := d.clock.now().Add(30 * 24 * time.Hour)
	good := review.Blocked{Mode: idv.Test, Kind: idv.BlockAddress, Range: "203.0.113.0/24", Reason: "abuse", Until: until}
	for name, tt := range map[string]struct {
		change func(*review.Blocked)
		want   problem.Kind
	}{
		"a kind that is none":          {func(b *review.Blocked) { b.Kind = "voice" }, problem.RequestMalformed},
		"a reason that is none":        {func(b *review.Blocked) { b.Reason = "because" }, problem.RequestMalformed},
		"a network that would decline": {func(b *review.Blocked) { b.Declines = true }, problem.RequestMalformed},
		"a person who would be declined": {
			func(b *review.Blocked) {
				b.Kind, b.Name, b.Birth, b.Declines = idv.BlockPerson, "Ann Doe", "1990-01-01", true
			}, problem.RequestMalformed,
		},
		"an end in the past":        {func(b *review.Blocked) { b.Until = d.clock.now().Add(-time.Hour) }, problem.RequestMalformed},
		"an end in six years":       {func(b *review.Blocked) { b.Until = d.clock.now().AddDate(6, 0, 0) }, problem.RequestMalformed},
		"a country's addresses":     {func(b *review.Blocked) { b.Range = "20.0.0.0/8" }, problem.RequestMalformed},
		"a network of a session":    {func(b *review.Blocked) { b.Session = empty }, problem.RequestMalformed},
		"a person without birth":    {func(b *review.Blocked) { b.Kind, b.Name = idv.BlockPerson, "Ann Doe" }, problem.BlocklistNothing},
		"a person of one name":      {func(b *review.Blocked) { b.Kind, b.Name, b.Birth = idv.BlockPerson, "Ann", "1990-01-01" }, problem.BlocklistNothing},
		"a document without issuer": {func(b *review.Blocked) { b.Kind, b.Number = idv.BlockDocument, "P7654321" }, problem.BlocklistNothing},
		"the number of an example": {func(b *review.Blocked) {
			b.Kind, b.Number, b.Issuer, b.Document = idv.BlockDocument, "L898902C3", "UTO", idv.Passport
		}, problem.BlocklistNothing},
		"a contact that is none":      {func(b *review.Blocked) { b.Kind, b.Email = idv.BlockContact, "ann" }, problem.BlocklistNothing},
		"a session without a report":  {func(b *review.Blocked) { b.Kind, b.Range, b.Session = idv.BlockDocument, "", empty }, problem.BlocklistNothing},
		"a session without a contact": {func(b *review.Blocked) { b.Kind, b.Range, b.Session = idv.BlockContact, "", empty }, problem.BlocklistNothing},
		"a session of the other mode": {func(b *review.Blocked) { b.Mode, b.Kind, b.Range, b.Session = idv.Live, idv.BlockDocument, "", empty }, problem.NotFound},
	} {
		b := good
		tt.change(&b)
		if _, err := d.BlockList.Add(as(t, tilda), b); !problem.Has(err, tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want.Code)
		}
	}
	e, err := d.BlockList.Add(as(t, tilda), good)
	must(t, err)
	if e.Hint != "203.0.113.0/24" {
		t.Errorf("the entry: %+v", e)
	}
	from := audit.WithActor(t.Context(), audit.Actor{Kind: audit.Applicant, Address: "203.0.113.77"})
	o, err := d.Applicant.Open(from, d.create(t, spec).Link)
	must(t, err)
	if by, err := d.store.BlockedBy(t.Context(), o.Session, d.clock.now()); err != nil || len(by) != 1 || by[0].Declines {
		t.Errorf("a session from there: %+v, %v", by, err)
	}
	if p, ok := session.Network(netip.MustParseAddr("203.0.113.77")); !ok || p.String() != "203.0.113.0/24" {
		t.Errorf("its network is %s", p)
	}
}
