package httpapi_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/emrtd/testchip"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/persona"
)

// sendsTest sends a chip of test mode.
func (c chips) sendsTest(token string, choice testchip.Choice) answer {
	return c.do(ask{method: "POST", path: "/v1/applicant/steps/chip/test", bearer: token, body: map[string]any{"choice": choice}})
}

// readPage waits until the page was read.
func (c chips) readPage(t *testing.T, id string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		all, err := c.store.Together().Artifacts(t.Context(), idv.SessionID(id))
		must(t, err)
		if slices.ContainsFunc(all, func(a idv.Artifact) bool { return a.Kind == idv.ArtifactMRZ }) {
			return
		}
	}
	t.Fatal("the page was not read")
}

// endOf waits for a verdict.
func (c chips) endOf(id string) (state string) {
	c.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		state = field(c.do(ask{method: "GET", path: "/v1/sessions/" + id, bearer: c.world.key}).want(c.t, 200, "").body, "state")
		if state != "capturing" && state != "processing" {
			break
		}
	}
	return state
}

func TestTheTestChipIsSentInTestModeAlone(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipRequired, everyChipCheck...)
	for choice, want := range map[testchip.Choice]string{
		testchip.Genuine: "", testchip.OtherName: "chip.zone_differs", testchip.OtherFace: "", testchip.Copy: "chip.copy_not_excluded",
		testchip.Changed: "chip.digest_mismatch", testchip.Untrusted: "trust.anchor_missing",
	} {
		c.run(t, string(choice), func(t *testing.T) {
			id, token := c.begun()
			c.send(token, "document_front", zonedPassport(emrtdtest.Zone...)).want(t, 200, "")
			c.readPage(t, id)
			task := c.sendsTest(token, choice).want(t, 202, "").body
			if !strings.Contains(task, `"chip_sent":true`) || !strings.Contains(task, `"chip_test":true`) {
				t.Errorf("the page is not told: %s", task)
			}
			c.send(token, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
			state, reasons := c.endOf(id), c.reasons(id)
			if want == "" && state != "approved" || want != "" && (state != "in_review" || !slices.Contains(reasons, want)) {
				t.Errorf("it is %s for %v, want %q", state, reasons, want)
			}
		})
	}
	_, link := c.create(c.live, nil)
	live := c.open(link)
	c.agree(live)
	c.sendsTest(live, testchip.Genuine).want(t, 409, "session.conflict")
	if task := c.do(ask{method: "GET", path: "/v1/applicant/task", bearer: live}).want(t, 200, "").body; strings.Contains(task, "chip_test") {
		t.Errorf("a live session offers the test chip: %s", task)
	}
	_, link = c.create(c.world.key, nil)
	other := c.open(link)
	c.agree(other)
	c.sendsTest(other, testchip.Genuine).want(t, 409, "chip.not_asked")
	_, token := c.begun()
	c.sendsTest(token, "nobody's").want(t, 400, "request.malformed")
}

func TestPersonasHaveChips(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipRequired, everyChipCheck...)
	for name, want := range map[string]string{
		"chip": "", "chip_other_name": "chip.zone_differs", "chip_copy": "chip.copy_not_excluded", "chip_changed": "chip.digest_mismatch",
	} {
		for what, claimed := range map[string]map[string]any{
			"with claims": {"family_name": "Quill", "date_of_birth": "1985-03-09"}, "without": {},
		} {
			c.run(t, name+" "+what, func(t *testing.T) {
				claimed = maps.Clone(claimed)
				claimed["document_number"] = persona.Prefix + name
				id, _ := c.create(c.world.key, map[string]any{"workflow": "chip", "claimed": claimed})
				c.do(ask{method: "POST", path: "/v1/sessions/" + id + "/simulate", bearer: c.world.key, body: map[string]any{}}).want(t, 200, "")
				state, reasons := c.endOf(id), c.reasons(id)
				if want == "" && state != "approved" || want != "" && (state != "in_review" || !slices.Contains(reasons, want)) {
					t.Errorf("it is %s for %v, want %q", state, reasons, want)
				}
			})
		}
	}
}

func TestARelayToTheTestChipShowsHowFarItIs(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipRequired, everyChipCheck...)
	for choice, want := range map[testchip.Choice]string{
		testchip.Genuine: "", testchip.OtherName: "chip.zone_differs", testchip.Copy: "chip.copy_not_excluded",
	} {
		c.run(t, string(choice), func(t *testing.T) {
			id, token := c.begun()
			shown := func() string {
				return c.do(ask{method: "GET", path: "/v1/applicant/chip", bearer: token}).want(t, 200, "").body
			}
			if got := shown(); !strings.Contains(got, `"state":"none"`) {
				t.Errorf("before an app came it says %s", got)
			}
			c.send(token, "document_front", zonedPassport(emrtdtest.Zone...)).want(t, 200, "")
			c.readPage(t, id)
			card, err := testchip.Chip{Choice: choice, Zone: emrtdtest.Zone, Now: c.clock.now()}.Card()
			must(t, err)
			p := c.phone(t, token, card)
			var reading bool
			p.answer = func(m said, _ []string) any {
				if got := shown(); m.Of > 0 && strings.Contains(got, `"state":"reading"`) && strings.Contains(got, `"reading":"DG2"`) {
					reading = true
				}
				return nil
			}
			p.start(nil)
			m := p.carry()
			for range 3 {
				if m.Type != "stopped" {
					break
				}
				if got := shown(); !strings.Contains(got, `"state":"stopped"`) {
					t.Errorf("a relay that stopped says %s", got)
				}
				p.send(fields{"type": "again"})
				m = p.carry()
			}
			if m.Type != "done" || !reading {
				t.Fatalf("the relay ends with %+v, the page was shown how far it is: %v", m, reading)
			}
			c.send(token, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
			state, reasons := c.endOf(id), c.reasons(id)
			if want == "" && state != "approved" || want != "" && (state != "in_review" || !slices.Contains(reasons, want)) {
				t.Errorf("it is %s for %v, want %q", state, reasons, want)
			}
		})
	}
}
