package e2e

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/e2e/served"
	"github.com/bonafide-id/bonafide/fixtures"
)

// timeline of a session as the API shows its decisions.
type reportView struct {
	Decisions []struct {
		Outcome string `json:"outcome"`
	} `json:"decisions"`
}

func TestEverySessionReachesOneVerdictAfterTheServerWasKilled(t *testing.T) {
	t.Parallel()
	sessions := 20
	if testing.Short() {
		sessions = 6 // the other fourteen by night
	}
	p := served.NewPlace(t)
	server := p.Serve(t)
	api := client{url: server.URL, bearer: server.Key}
	match := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	other := picturesOf(t, "alder", "alder", 2, fixtures.Options{Expired: true})
	want := map[string]string{}
	var ids []string
	for i := range sessions {
		s := api.createSession(t)
		pictures, state := match, "approved"
		if i%2 == 1 {
			pictures, state = other, "declined"
		}
		open(t, s.URL).finish(t, pictures.document, pictures.selfie)
		ids = append(ids, s.ID)
		want[s.ID] = state
	}
	server.Stop(syscall.SIGKILL)

	server = p.Serve(t)
	restarted := time.Now()
	api = client{url: server.URL, bearer: api.bearer}
	got := api.verdicts(t, ids, 3*time.Minute)
	t.Logf("%d verdicts %s after the restart", len(got), time.Since(restarted).Round(time.Second))
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	for _, id := range ids {
		var r reportView
		api.get(t, "/v1/sessions/"+id+"/report").decode(t, &r)
		if len(r.Decisions) != 1 {
			t.Errorf("%s has %d decisions, want one", id, len(r.Decisions))
		}
	}
}

func TestNothingPersonalIsPrinted(t *testing.T) {
	t.Parallel()
	p := served.NewPlace(t)
	server := p.Serve(t)
	api := client{url: server.URL, bearer: server.Key}
	pictures := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	d, err := fixtures.NewDocument(fixtures.Passport, 1, fixtures.Options{Face: "alder"})
	must(t, err)
	s := api.createSession(t)
	a := open(t, s.URL)
	a.finish(t, pictures.document, pictures.selfie)
	api.verdicts(t, []string{s.ID}, time.Minute)
	var report json.RawMessage
	api.get(t, "/v1/sessions/"+s.ID+"/report").decode(t, &report)
	secret := s.URL[strings.LastIndex(s.URL, "/")+1:]
	for _, c := range d.Truth.Front {
		if len(c.Value) < 4 {
			continue
		}
		if strings.Contains(server.Printed(), c.Value) {
			t.Errorf("the log holds the %s", c.Name)
		}
	}
	for what, word := range map[string]string{"a session link": secret, "an applicant's token": a.bearer} {
		if strings.Contains(server.Printed(), word) {
			t.Errorf("the log holds %s", what)
		}
	}
	if !strings.Contains(string(report), `"digest"`) {
		t.Error("the report has no digest")
	}
}
