package policy

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// seenBy is what a decision rests on where everything passed but one check that looks beyond the session.
func seenBy(k idv.CheckKind, change func(*CheckFact)) Facts {
	var f Facts
	for _, of := range looksBack().Required {
		f.Checks = append(f.Checks, CheckFact{Kind: of, Answer: Passed})
		if of == k {
			change(&f.Checks[len(f.Checks)-1])
		}
	}
	f.Version = FactsVersion
	return f
}

func looksBack(rules ...idv.Rule) idv.WorkflowVersion {
	w := idv.DefaultWorkflow(idv.Live)
	w.Required, w.Rules = slices.Concat(w.Required, idv.SeenChecks()), rules
	return w
}

func TestWhatWasSeenBeforeRefersAndOnlyAConfirmedDocumentDeclines(t *testing.T) {
	anything := idv.Rule{Name: "anything", When: "true", Then: idv.DecideApprove, Reasons: []string{}}
	n := 0
	for _, k := range problem.All() {
		family, _, _ := strings.Cut(k.Code, ".")
		if k.Severity == problem.None || !slices.Contains([]string{"duplicate", "blocklist", "velocity", "network"}, family) {
			continue
		}
		n++
		for _, by := range append(idv.Confirmations(), "") {
			f := seenBy(idv.CheckBlockList, func(c *CheckFact) { c.Answer, c.Reasons = Failed, []idv.Reason{{Code: k.Code, Confirmed: by}} })
			want := idv.DecideRefer
			if k.Code == problem.BlocklistDeclines.Code && by.Declines() {
				want = idv.DecideDecline
			}
			for _, w := range []idv.WorkflowVersion{looksBack(), looksBack(anything)} {
				if v := new(Judge).Decide(f, w, AttemptsLeft{}); v.Outcome != want {
					t.Errorf("%s confirmed by %q, %d rules: %s, want %s", k.Code, by, len(w.Rules), v.Outcome, want)
				}
			}
		}
	}
	if n != 27 {
		t.Errorf("%d reasons were tried", n)
	}
}

// A face on the block list goes to a person, whatever rules say of it. A rule that would decline anyway still does.
func TestNoRuleDeclinesForAFaceOnTheBlockList(t *testing.T) {
	facts := seenBy(idv.CheckBlockList, func(c *CheckFact) {
		c.Answer, c.Reasons = Inconclusive, []idv.Reason{{Code: problem.BlocklistFace.Code}}
	})
	for i, c := range facts.Checks {
		if c.Kind == idv.CheckDuplicateFace {
			facts.Checks[i].Answer, facts.Checks[i].Reasons = Inconclusive, []idv.Reason{{Code: problem.DuplicateFaceElsewhere.Code}}
		}
	}
	document := seenBy(idv.CheckBlockList, func(c *CheckFact) {
		c.Answer, c.Reasons = Inconclusive, []idv.Reason{{Code: problem.BlocklistFace.Code}, {Code: problem.BlocklistDocument.Code}}
	})
	for when, tt := range map[string]struct {
		facts Facts
		want  idv.DecisionOutcome
	}{
		`"blocklist.face" in reasons`:                                          {facts, idv.DecideRefer},
		`"blocklist.face" in default.reasons`:                                  {facts, idv.DecideRefer},
		`default.outcome == "referred"`:                                        {facts, idv.DecideRefer},
		`size(reasons) > 0`:                                                    {facts, idv.DecideRefer},
		`"duplicate.face_elsewhere" in reasons || "blocklist.face" in reasons`: {facts, idv.DecideRefer},
		`"blocklist.document" in reasons`:                                      {document, idv.DecideDecline},
		`"blocklist.document" in reasons && "blocklist.face" in reasons`:       {document, idv.DecideRefer},
		`true`:                  {facts, idv.DecideDecline},
		`session.attempts == 0`: {facts, idv.DecideDecline},
	} {
		w := looksBack(idv.Rule{Name: "declines", When: when, Then: idv.DecideDecline, Reasons: []string{}})
		v := new(Judge).Decide(tt.facts, w, AttemptsLeft{})
		if v.Outcome != tt.want {
			t.Errorf("%s: %s, want %s", when, v.Outcome, tt.want)
		}
		if v.Outcome == idv.DecideRefer && !slices.ContainsFunc(v.Reasons, func(r idv.Reason) bool { return r.Code == problem.BlocklistFace.Code }) {
			t.Errorf("%s: the reviewer does not hear of the face: %v", when, v.Reasons)
		}
	}
}

func TestASimulationDoesNotGuessAboutFacesThatItWouldNotCompare(t *testing.T) {
	facts := seenBy(idv.CheckBlockList, func(c *CheckFact) {
		c.Answer, c.Reasons = Inconclusive, []idv.Reason{{Code: problem.BlocklistFace.Code}}
	})
	was, now := looksBack(), looksBack()
	now.Required = slices.DeleteFunc(slices.Clone(now.Required), func(k idv.CheckKind) bool { return k == idv.CheckDuplicateFace })
	if why := reevaluateSeen(&facts, was, now); why != UnknownSeen {
		t.Errorf("a workflow that does not compare faces: %q", why)
	}
	if why := reevaluateSeen(&facts, was, was); why != "" {
		t.Errorf("the same workflow: %q", why)
	}
}

func TestRulesSeeBandsOfCountsAndWhetherTheyAreKnown(t *testing.T) {
	counts := idv.VelocityCounts{AddressHour: 7, AddressDay: 25, Document: 1, Person: 2, Reference: 0, Known: true}
	check := func(n idv.VelocityCounts) Facts {
		f := idv.Passed()
		f.Seen = &idv.SeenFinding{Velocity: &n}
		return Facts{Checks: []CheckFact{FactOf(idv.Check{Kind: idv.CheckVelocity, Lifecycle: idv.CheckSettled, Finding: &f})}, Version: FactsVersion}
	}
	allowed := counts
	allowed.Allowed = true
	for name, tt := range map[string]struct {
		facts Facts
		when  string
		want  idv.DecisionOutcome
	}{
		"a band":                              {check(counts), `velocity.address_hour == "6-20" && velocity.address_day == "21+"`, idv.DecideRefer},
		"another band":                        {check(counts), `velocity.document == "3-5"`, idv.DecideApprove},
		"an allowed network is not known":     {check(allowed), `!velocity.address_known && velocity.known`, idv.DecideRefer},
		"where nobody counted":                {Facts{Version: FactsVersion}, `velocity.known`, idv.DecideApprove},
		"duplicates of nobody":                {Facts{Version: FactsVersion}, `duplicate.sessions > 0 || duplicate.other_face`, idv.DecideApprove},
		"a band that no longer knows a count": {check(counts), `velocity.reference == "0"`, idv.DecideRefer},
	} {
		raw, err := json.Marshal(tt.facts)
		if err != nil {
			t.Fatal(err)
		}
		var kept Facts
		if err := json.Unmarshal(raw, &kept); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), "25") {
			t.Errorf("%s: an exact count is kept: %s", name, raw)
		}
		w := idv.WorkflowVersion{
			Required: []idv.CheckKind{idv.CheckVelocity},
			Rules:    []idv.Rule{{Name: "it", When: tt.when, Then: idv.DecideRefer, Reasons: []string{"velocity.address"}}},
		}
		if len(kept.Checks) == 0 {
			kept.Checks = []CheckFact{{Kind: idv.CheckVelocity, Answer: Passed}}
		}
		if v := new(Judge).Decide(kept, w, AttemptsLeft{}); v.Outcome != tt.want {
			t.Errorf("%s: %s is %s, want %s", name, tt.when, v.Outcome, tt.want)
		}
	}
}

func TestSimulatingOtherLimitsSaysWhenTheBandsDoNotTell(t *testing.T) {
	seven := idv.VelocityCounts{AddressHour: 7, AddressDay: 7, Document: 1, Person: 1, Known: true}
	f := seenBy(idv.CheckVelocity, func(c *CheckFact) {
		c.Answer, c.Reasons, c.Bands = Inconclusive, []idv.Reason{{Code: problem.VelocityAddress.Code}}, bandsOf(&seven)
	})
	was := looksBack()
	for name, tt := range map[string]struct {
		limits idv.VelocityLimits
		again  bool
		want   idv.DecisionOutcome
		why    Unknown
	}{
		"the same limits":          {idv.VelocityLimits{}, false, idv.DecideRefer, ""},
		"limits above the band":    {idv.VelocityLimits{AddressHour: 20}, false, idv.DecideApprove, ""},
		"a limit below the band":   {idv.VelocityLimits{AddressHour: 2}, false, idv.DecideRefer, ""},
		"a limit within the band":  {idv.VelocityLimits{AddressHour: 10}, false, "", UnknownSeen},
		"re-verification, of none": {idv.VelocityLimits{}, true, idv.DecideRefer, ""},
	} {
		now := looksBack()
		now.Seen = idv.SeenSettings{Again: tt.again, Velocity: tt.limits}
		v, why := new(Judge).Reevaluate(f, was, now, nil)
		if v.Outcome != tt.want || why != tt.why {
			t.Errorf("%s: %s %q, want %s %q", name, v.Outcome, why, tt.want, tt.why)
		}
	}
	f = seenBy(idv.CheckVelocity, func(c *CheckFact) {
		c.Answer, c.Reasons, c.Bands = Inconclusive, []idv.Reason{{Code: problem.VelocityNotCounted.Code}}, bandsOf(&idv.VelocityCounts{Document: 1, Person: 1})
	})
	now := looksBack()
	now.Seen.Velocity = idv.VelocityLimits{AddressHour: 20}
	if v, why := new(Judge).Reevaluate(f, was, now, nil); v.Outcome != idv.DecideRefer || why != "" {
		t.Errorf("what could not be counted, under higher limits: %s %q", v.Outcome, why)
	}
	old := idv.DefaultWorkflow(idv.Live)
	bare := seenBy("", nil)
	bare.Checks = bare.Checks[:len(old.Required)]
	if _, why := new(Judge).Reevaluate(bare, old, looksBack(), nil); why != UnknownCheck {
		t.Errorf("a session that nobody compared with others: %q", why)
	}
	linked := seenBy(idv.CheckDuplicatePerson, func(c *CheckFact) { c.Others = 1 })
	again := looksBack()
	again.Seen.Again = true
	if _, why := new(Judge).Reevaluate(linked, was, again, nil); why != UnknownSeen {
		t.Errorf("whether it was the same reference is not kept: %q", why)
	}
}

func TestBandsCoverEveryCount(t *testing.T) {
	got := map[int]string{}
	for _, n := range []int{0, 1, 2, 3, 5, 6, 20, 21, 5000} {
		got[n] = idv.VelocityBand(n)
		least, most, ok := idv.VelocityRange(got[n])
		if !ok || n < least || n > most {
			t.Errorf("%d is outside of its band %s", n, got[n])
		}
	}
	want := map[int]string{0: "0", 1: "1-2", 2: "1-2", 3: "3-5", 5: "3-5", 6: "6-20", 20: "6-20", 21: "21+", 5000: "21+"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("bands (-want +got)\n%s", diff)
	}
}

func TestOnlyAnotherGalleryOrTargetMakesASearchOfFacesUnknown(t *testing.T) {
	f := seenBy(idv.CheckDuplicateFace, func(c *CheckFact) { c.Answer = Passed })
	was := looksBack()
	for name, tt := range map[string]struct {
		now  idv.GallerySettings
		want Unknown
	}{
		"nothing set":                     {idv.GallerySettings{}, ""},
		"the defaults, spelled out":       {idv.GallerySettings{}.OrDefault(), ""},
		"faces that are kept for longer":  {idv.GallerySettings{Months: 12}, ""},
		"another text for the applicant":  {idv.GallerySettings{Consent: "We look for people who come twice."}, ""},
		"another gallery":                 {idv.GallerySettings{Name: "other"}, UnknownSeen},
		"another target for false alarms": {idv.GallerySettings{FPIR: "1e-3"}, UnknownSeen},
	} {
		now := looksBack()
		now.Seen.Gallery = tt.now
		if _, why := new(Judge).Reevaluate(f, was, now, nil); why != tt.want {
			t.Errorf("%s: %q, want %q", name, why, tt.want)
		}
	}
}
