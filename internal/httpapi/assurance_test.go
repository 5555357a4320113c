package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// played returns the id and the state of a persona's session, decided.
func played(w *world, name, workflow string) (id, state string) {
	body := ofPersona(name)
	body["workflow"] = workflow
	id, _ = w.create(w.key, body)
	w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/simulate", bearer: w.key}).want(w.t, 200, "")
	return id, w.wait(id)
}

func TestAnApprovalSaysWhatItIsWorth(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	e := editor{w, w.signIn()}
	file, draft := e.draft(t, "substantial_only", func(s *wire.WorkflowSpec) {
		s.Assurance = idv.AssuranceSubstantial
		s.Required = append(s.Required, idv.CheckLiveness, idv.CheckReplay)
	})
	e.publish(file.ID, draft.Revision).want(t, 200, "")
	for name, c := range map[string]struct {
		persona, workflow, state string
		level                    idv.AssuranceLevel
		reasons                  []string
	}{
		"low is enough where a workflow asks for nothing":   {"approved", idv.WorkflowDefault, "approved", idv.AssuranceLow, []string{}},
		"substantial is told where it is reached":           {"substantial", idv.WorkflowDefault, "approved", idv.AssuranceSubstantial, []string{}},
		"substantial is approved where it is asked for":     {"substantial", "substantial_only", "approved", idv.AssuranceSubstantial, []string{}},
		"what falls short of the level is left to a person": {"approved", "substantial_only", "in_review", idv.AssuranceLow, []string{problem.AssuranceShort.Code}},
		"as is an expired document that nothing confirms":   {"expired_unconfirmed", "default", "in_review", idv.AssuranceLow, []string{"document.expired"}},
	} {
		w.run(t, name, func(t *testing.T) {
			id, state := played(w, c.persona, c.workflow)
			var got wire.ReportAndDecisions
			must(t, json.Unmarshal([]byte(w.do(ask{method: "GET", path: "/v1/sessions/" + id + "/report", bearer: w.key}).want(t, 200, "").body), &got))
			var codes = []string{}
			for _, r := range got.Decisions[0].Reasons {
				codes = append(codes, r.Code)
			}
			if diff := cmp.Diff([]any{c.state, c.level, c.reasons}, []any{state, got.Decisions[0].Assurance.Level, codes}); diff != "" {
				t.Errorf("state, level and reasons (-want +got):\n%s", diff)
			}
			events := w.do(ask{method: "GET", path: "/v1/events?session=" + id, bearer: w.key}).want(t, 200, "").body
			if !strings.Contains(events, `"assurance":"`+string(c.level)+`"`) {
				t.Errorf("no event tells the level: %s", events)
			}
		})
	}
}

func TestALevelThatTheWorkflowCannotReachCannotBePublished(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := editor{w, w.signIn()}
	for name, c := range map[string]struct {
		level idv.AssuranceLevel
		says  string
	}{
		"high takes a chip":                      {idv.AssuranceHigh, "require the document chip"},
		"substantial takes a liveness challenge": {idv.AssuranceSubstantial, "liveness.challenge"},
	} {
		w.run(t, name, func(t *testing.T) {
			file, draft := e.draft(t, "asks_"+string(c.level), func(s *wire.WorkflowSpec) {
				s.Assurance = c.level
				s.Required = []idv.CheckKind{}
				for _, k := range idv.DefaultWorkflow(idv.Test).Required {
					if k != idv.CheckLiveness && k != idv.CheckHead && k != idv.CheckLight && k != idv.CheckReplay {
						s.Required = append(s.Required, k)
					}
				}
			})
			a := e.publish(file.ID, draft.Revision).want(t, 422, problem.WorkflowInvalid.Code)
			if !strings.Contains(a.body, c.says) || !strings.Contains(a.body, "/assurance") {
				t.Errorf("the refusal does not say why: %s", a.body)
			}
		})
	}
}
