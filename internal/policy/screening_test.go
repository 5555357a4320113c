package policy

import (
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// screenedBy is a report of which everything passed but the screening, which has these reasons.
func screenedBy(codes ...string) Facts {
	w := idv.DefaultWorkflow(idv.Live)
	var f Facts
	for _, k := range w.Required {
		f.Checks = append(f.Checks, CheckFact{Kind: k, Answer: Passed})
	}
	c := CheckFact{Kind: idv.CheckSanctions, Answer: Passed}
	for _, code := range codes {
		c.Answer = Inconclusive
		c.Reasons = append(c.Reasons, idv.Reason{Code: code})
	}
	f.Checks, f.Version = append(f.Checks, c), FactsVersion
	return f
}

func screens(rules ...idv.Rule) idv.WorkflowVersion {
	w := idv.DefaultWorkflow(idv.Live)
	w.Screening.Topics = []idv.ScreeningTopic{idv.TopicSanctions}
	w.Required, w.Rules = append(slices.Clone(w.Required), idv.CheckSanctions), rules
	return w
}

func TestEveryReasonOfScreeningRefersWhateverTheRulesSay(t *testing.T) {
	anything := idv.Rule{Name: "anything", When: "true", Then: idv.DecideApprove, Reasons: []string{}}
	for _, k := range problem.All() {
		if k.Severity == problem.None || len(k.Code) < 10 || k.Code[:10] != "screening." {
			continue
		}
		for name, w := range map[string]idv.WorkflowVersion{"by the default policy": screens(), "with a rule that would approve": screens(anything)} {
			v := new(Judge).Decide(screenedBy(k.Code), w, AttemptsLeft{})
			if v.Outcome != idv.DecideRefer {
				t.Errorf("%s %s: %s", k.Code, name, v.Outcome)
			}
		}
	}
	if v := new(Judge).Decide(screenedBy(), screens(), AttemptsLeft{}); v.Outcome != idv.DecideApprove {
		t.Errorf("with nobody found: %s for %v", v.Outcome, v.Reasons)
	}
	missing := screenedBy()
	missing.Checks = missing.Checks[:len(missing.Checks)-1]
	if v := new(Judge).Decide(missing, screens(), AttemptsLeft{}); v.Outcome != idv.DecideRefer {
		t.Errorf("a check that was never asked: %s", v.Outcome)
	}
}

func TestWhatRulesSeeOfScreening(t *testing.T) {
	for name, tt := range map[string]struct {
		codes    []string
		grade    string
		topics   []string
		complete bool
	}{
		"nobody found":           {nil, "none", []string{}, true},
		"a strong match":         {[]string{problem.ScreeningPossibleMatch.Code, problem.ScreeningStrongMatch.Code}, "strong", []string{"sanctions"}, true},
		"a possible match":       {[]string{problem.ScreeningPossibleMatch.Code}, "possible", []string{"sanctions"}, true},
		"nobody on an old list":  {[]string{problem.ScreeningListsOld.Code}, "none", []string{}, false},
		"a match on an old list": {[]string{problem.ScreeningStrongMatch.Code, problem.ScreeningListsOld.Code}, "strong", []string{"sanctions"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := facts{Facts: screenedBy(tt.codes...)}
			got := map[string]any{}
			for _, v := range screeningVariables() {
				got[v.Name], _ = v.value(f)
			}
			topics, _ := got["screening.topics"].([]string)
			if got["screening.grade"] != tt.grade || !slices.Equal(topics, tt.topics) || got["screening.complete"] != tt.complete {
				t.Errorf("rules see %v", got)
			}
		})
	}
	if (Facts{}).screeningComplete() {
		t.Error("a session that was not screened is complete")
	}
}
