package policy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestRulesSeeTheNetworkAndASystemIsNotKept(t *testing.T) {
	t.Parallel()
	at := func(o idv.NetworkOrigin) Facts {
		f := idv.Passed()
		f.Seen = &idv.SeenFinding{Origin: &o}
		return Facts{
			Checks:  []CheckFact{FactOf(idv.Check{Kind: idv.CheckNetworkKnown, Lifecycle: idv.CheckSettled, Finding: &f})},
			Version: FactsVersion, Country: "D",
		}
	}
	known := idv.NetworkOrigin{Country: "DEU", ASN: 64500, Hosting: true}
	halfKnown := idv.NetworkOrigin{Anonymous: true, Gaps: idv.OriginGaps{Country: idv.OriginNoFile, ASN: idv.OriginNoFile, Kind: idv.OriginOld}}
	for name, tt := range map[string]struct {
		facts Facts
		when  string
		want  idv.DecisionOutcome
	}{
		"the country as documents spell it":          {at(known), `network.country == "D" && network.country == document.country`, idv.DecideRefer},
		"another country":                            {at(known), `network.country != document.country`, idv.DecideApprove},
		"the number of the system":                   {at(known), `network.asn_known && network.asn == 64500`, idv.DecideRefer},
		"a data centre":                              {at(known), `network.hosting && !network.anonymous`, idv.DecideRefer},
		"what is not known cannot be asked":          {at(halfKnown), `network.country == "D"`, idv.DecideRefer},
		"and can be asked for":                       {at(halfKnown), `network.country_known || network.asn_known || network.kind_known`, idv.DecideApprove},
		"what one list says, another being old":      {at(halfKnown), `network.anonymous`, idv.DecideRefer},
		"where the workflow does not ask":            {Facts{Version: FactsVersion}, `network.country_known || network.kind_known`, idv.DecideApprove},
		"a kind that nobody knows refers by failing": {Facts{Version: FactsVersion}, `network.hosting`, idv.DecideRefer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule := idv.Rule{Name: "rule", When: tt.when, Then: idv.DecideRefer, Reasons: []string{}}
			w := idv.WorkflowVersion{Required: []idv.CheckKind{idv.CheckNetworkKnown}, Rules: []idv.Rule{rule}}
			if len(tt.facts.Checks) == 0 {
				tt.facts.Checks = []CheckFact{{Kind: idv.CheckNetworkKnown, Answer: Passed}}
			}
			if v := new(Judge).Decide(tt.facts, w, AttemptsLeft{}); v.Outcome != tt.want {
				t.Errorf("got %s, want %s", v.Outcome, tt.want)
			}
		})
	}
	text, err := json.Marshal(at(known))
	if err != nil || strings.Contains(string(text), "64500") || !strings.Contains(string(text), `"DEU"`) {
		t.Errorf("kept with the decision: %s, %v", text, err)
	}
	var back Facts
	if err := json.Unmarshal(text, &back); err != nil || back.network() != (Network{Country: "DEU", Hosting: true, Kind: true}) {
		t.Errorf("read again: %+v, %v", back.network(), err)
	}
	was := idv.WorkflowVersion{Required: []idv.CheckKind{idv.CheckNetworkKnown}}
	now := was
	now.Rules = []idv.Rule{{Name: "rule", When: "network.asn_known", Then: idv.DecideRefer, Reasons: []string{}}}
	if _, why := new(Judge).Reevaluate(back, was, now, nil); why != UnknownSeen {
		t.Errorf("a rule about the system, asked again: %q", why)
	}
}
