package policy

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// utopian is what a session leaves that everything passed in.
func utopian() Facts {
	score := 0.6
	return Facts{
		At: time.Date(2026, 6, 15, 3, 0, 0, 0, time.UTC), Mode: idv.Test, Country: "UTO", Kind: idv.Passport, AgeBand: "18-24",
		Checks: []CheckFact{
			{Kind: idv.CheckMRZVerified, Answer: Passed}, {Kind: idv.CheckDocumentExpiry, Answer: Passed}, {Kind: idv.CheckAgeLimit, Answer: Skipped},
			{Kind: idv.CheckFaceMatch, Answer: Passed, Score: &score, Model: "0123456789abcdef"},
		},
		Attempts: Attempts{Steps: map[idv.Step]int{idv.StepDocumentFront: 1, idv.StepSelfie: 1}, Total: 3, FaceExtra: true},
	}
}

// answered changes the answer of one check.
func (f Facts) but(c CheckFact) Facts {
	out := f
	out.Checks = nil
	for _, o := range f.Checks {
		if o.Kind == c.Kind {
			o = c
		}
		out.Checks = append(out.Checks, o)
	}
	return out
}

func under(rules ...idv.Rule) idv.WorkflowVersion {
	w := workflow
	w.StepAttempts, w.SessionAttempts, w.Rules = 3, 40, rules
	return w
}

func referring(when string) idv.Rule {
	return idv.Rule{Name: "rule", When: when, Then: idv.DecideRefer}
}

func TestRulesDecideBeforeTheDefaultPolicyAndNeverApprove(t *testing.T) {
	expired := utopian().but(CheckFact{
		Kind: idv.CheckDocumentExpiry, Answer: Failed, Reasons: []idv.Reason{{Code: problem.DocumentExpired.Code, Confirmed: idv.ByCheckDigits}},
	})
	blurred := utopian().but(CheckFact{Kind: idv.CheckMRZVerified, Answer: Failed, Reasons: []idv.Reason{reason(problem.CaptureBlurred, idv.StepDocumentFront)}})
	notRun := utopian().but(CheckFact{Kind: idv.CheckMRZVerified, Answer: NotRun})
	unknown := utopian()
	unknown.Country, unknown.Kind, unknown.AgeBand = "", idv.UnknownKind, ""
	unread := utopian()
	unread.Version = FactsVersion
	settledBy := func(c idv.Confirmation) Facts {
		f := unread
		f.Checks = append(slices.Clone(f.Checks), CheckFact{Kind: idv.CheckFactsAgree, Answer: Passed, Weakest: c})
		return f
	}
	twice, bothSides := settledBy(idv.ByTwoReaders), settledBy(idv.ByTwoSources)
	doubtful := unread.but(CheckFact{Kind: idv.CheckDocumentExpiry, Answer: Failed, Reasons: []idv.Reason{{Code: problem.DocumentExpired.Code}}})
	fromFile := unread
	fromFile.Document, fromFile.Selfie = idv.SourceFile, idv.SourceCamera
	declining := func(when string) idv.Rule {
		return idv.Rule{Name: "rule", When: when, Then: idv.DecideDecline, Reasons: []string{"document.country_not_accepted"}}
	}
	for _, c := range []struct {
		name  string
		facts Facts
		rules []idv.Rule
		want  idv.DecisionOutcome
		rule  string
		codes []string
	}{
		{
			"a rule that does not apply changes nothing", utopian(), []idv.Rule{referring(`document.country == "D"`)}, idv.DecideApprove, "every required check passed",
			[]string{},
		},
		{"a rule that applies refers", utopian(), []idv.Rule{referring(`document.country == "UTO"`)}, idv.DecideRefer, "rule", []string{problem.WorkflowRule.Code}},
		{
			"a rule that applies declines with its reasons", utopian(), []idv.Rule{declining(`document.country == "UTO"`)}, idv.DecideDecline, "rule",
			[]string{"document.country_not_accepted"},
		},
		{
			"it refers where nothing confirms what was read", unread, []idv.Rule{declining(`document.country == "UTO"`)}, idv.DecideRefer, "rule",
			[]string{"document.country_not_accepted"},
		},
		{
			"or where two readers alone do", twice, []idv.Rule{declining(`person.age_from < 30`)}, idv.DecideRefer, "rule",
			[]string{"document.country_not_accepted"},
		},
		{
			"but not where both sides do", bothSides, []idv.Rule{declining(`person.age_from < 30`)}, idv.DecideDecline, "rule",
			[]string{"document.country_not_accepted"},
		},
		{
			"nor where it asks for something else", unread, []idv.Rule{declining(`session.attempts > 2`)}, idv.DecideDecline, "rule",
			[]string{"document.country_not_accepted"},
		},
		{
			"a doubtful reading among the reasons declines nobody either", doubtful, []idv.Rule{declining(`"document.expired" in reasons`)}, idv.DecideRefer, "rule",
			[]string{"document.country_not_accepted", problem.DocumentExpired.Code},
		},
		{"a rule keeps the default from declining, and its reasons " +
			"are told", expired, []idv.Rule{referring(`default.outcome == "declined"`)}, idv.DecideRefer, "rule",
			[]string{problem.WorkflowRule.Code, problem.DocumentExpired.Code}},
		{
			"a rule that refers leaves a decline as it is", expired, []idv.Rule{referring(`document.country == "UTO"`)}, idv.DecideDecline,
			"a confirmed fact rules it out", []string{problem.DocumentExpired.Code},
		},
		{
			"a rule that declines gives its own reasons for a decline", expired, []idv.Rule{referring(`true`), declining(`document.country == "UTO"`)},
			idv.DecideDecline, "rule", []string{"document.country_not_accepted"},
		},
		{
			"a rule that cannot be evaluated leaves a decline as it is", expired, []idv.Rule{referring(`person.age_from > 500 && documnt`)}, idv.DecideDecline,
			"a confirmed fact rules it out", []string{problem.DocumentExpired.Code},
		},
		{
			"what a better picture can mend comes first", blurred, []idv.Rule{declining(`true`)}, idv.DecideReopen, "a better picture can fix it",
			[]string{"capture.blurred"},
		},
		{
			"the first rule that applies decides", utopian(), []idv.Rule{referring(`false`), {Name: "second", When: `true`, Then: idv.DecideRefer}, declining(`true`)},
			idv.DecideRefer, "second", []string{"workflow.rule"},
		},
		{
			"a country that is not known refers", unknown, []idv.Rule{declining(`document.country != "UTO"`)}, idv.DecideRefer, "rule",
			[]string{problem.WorkflowRuleFailed.Code},
		},
		{
			"whoever asks first whether it is known is not surprised", unknown, []idv.Rule{declining(`document.country_known && document.country != "UTO"`)},
			idv.DecideApprove, "every required check passed", []string{},
		},
		{
			"a picture from a file refers", fromFile, []idv.Rule{referring(`document.source == "file"`)}, idv.DecideRefer, "rule",
			[]string{problem.WorkflowRule.Code},
		},
		{
			"a selfie from the camera does not", fromFile, []idv.Rule{referring(`selfie.source == "file"`)}, idv.DecideApprove, "every required check passed",
			[]string{},
		},
		{
			"where a picture came from is no reading, so that nothing has to confirm it", fromFile, []idv.Rule{declining(`document.source == "file"`)},
			idv.DecideDecline, "rule", []string{"document.country_not_accepted"},
		},
		{
			"a source that the page did not say refers", unread, []idv.Rule{referring(`document.source == "file"`)}, idv.DecideRefer, "rule",
			[]string{problem.WorkflowRuleFailed.Code},
		},
		{
			"unless the rule asks first whether it is known", unread, []idv.Rule{referring(`document.source_known && document.source == "file"`)},
			idv.DecideApprove, "every required check passed", []string{},
		},
		{"an age that is not known refers", unknown, []idv.Rule{declining(`person.age_from < 18`)}, idv.DecideRefer, "rule", []string{"workflow.rule_failed"}},
		{
			"a check that did not run has not failed", notRun, []idv.Rule{declining(`!checks.document.mrz.passed`)}, idv.DecideRefer, "rule",
			[]string{"workflow.rule_failed", "check.not_run"},
		},
		{
			"a check that does not apply passed", utopian(), []idv.Rule{declining(`!checks.person.age.passed`)}, idv.DecideApprove, "every required check passed",
			[]string{},
		},
		{"a rule whose condition cannot be read refers", utopian(), []idv.Rule{declining(`documnt`)}, idv.DecideRefer, "rule", []string{"workflow.rule_failed"}},
		{
			"a rule that says it approves refers", notRun, []idv.Rule{{Name: "rule", When: `true`, Then: idv.DecideApprove}}, idv.DecideRefer, "rule",
			[]string{"workflow.rule", "check.not_run"},
		},
		{
			"a score is compared", utopian(), []idv.Rule{referring(`checks.face.match.scored && checks.face.match.score < 0.7`)}, idv.DecideRefer, "rule",
			[]string{"workflow.rule"},
		},
		{
			"tries and the hour of the report are known", utopian(), []idv.Rule{referring(`session.attempts == 3 && now.getHours() == 3`)}, idv.DecideRefer, "rule",
			[]string{"workflow.rule"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var j Judge
			w := under(c.rules...)
			got := j.Decide(c.facts, w, c.facts.Attempts.Remaining(w))
			if d := cmp.Diff([]any{c.want, c.rule, c.codes}, []any{got.Outcome, got.Rule, codes(got.Reasons)}); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestNoRuleApprovesWhatTheDefaultPolicyDoesNot(t *testing.T) {
	conditions := []string{
		"true", "false", `document.country == "UTO"`, `default.outcome == "declined"`, "nonsense", `checks.face.match.score > 2.0`, `size(reasons) == 0`,
	}
	rapid.Check(t, func(t *rapid.T) {
		f := utopian()
		for i := range f.Checks {
			f.Checks[i].Answer = rapid.SampledFrom([]Answer{Passed, Failed, Inconclusive, Skipped, NotRun}).Draw(t, "answer")
			if code := rapid.SampledFrom([]string{
				"", "document.expired", "capture.blurred", "face.mismatch", "new",
			}).Draw(t, "reason"); code != "" && f.Checks[i].Answer == Failed {
				f.Checks[i].Reasons = []idv.Reason{{Code: code, Step: idv.StepSelfie}}
			}
		}
		var rules []idv.Rule
		for range rapid.IntRange(0, 3).Draw(t, "rules") {
			rules = append(rules, idv.Rule{
				Name: "r", When: rapid.SampledFrom(conditions).Draw(t, "when"),
				Then: rapid.SampledFrom([]idv.DecisionOutcome{idv.DecideApprove, idv.DecideDecline, idv.DecideRefer, idv.DecideReopen, ""}).Draw(t, "then"),
			})
		}
		var j Judge
		plain, ruled := j.Decide(f, under(), AttemptsLeft{}), j.Decide(f, under(rules...), AttemptsLeft{})
		if ruled.Outcome == idv.DecideApprove && plain.Outcome != idv.DecideApprove {
			t.Fatalf("rules %+v approved what is %s without them", rules, plain.Outcome)
		}
	})
}

func TestConditionsAreCheckedBeforeTheyAreUsed(t *testing.T) {
	for when, want := range map[string]struct {
		line, column int
		says         string
	}{
		``:                                         {1, 1, "missing"},
		`document.country`:                         {1, 1, "type string"},
		`document.contry == "UTO"`:                 {1, 1, "document.country"},
		"true &&\n  person.age_from < \"18\"":      {2, 19, "no matching overload"},
		`checks.face.match.score > 1`:              {1, 25, "no matching overload"},
		`document.country == "UTO" &&`:             {1, 29, "Syntax error"},
		`document.country.matches("(")`:            {1, 26, "invalid matches argument"},
		`now > timestamp("tomorrow")`:              {1, 17, "invalid timestamp"},
		strings.Repeat("(", 60) + "true":           {0, 0, ""},
		`true || "` + strings.Repeat("x", 1200):    {0, 0, ""},
		`[1].all(a, [2].all(b, [3].all(c, true)))`: {0, 0, ""},
		`has(document.country)`:                    {0, 0, ""},
		`system("rm")`:                             {1, 1, "undeclared reference"},
	} {
		faults := Check(when)
		if len(faults) == 0 {
			t.Errorf("%q is taken", when)
			continue
		}
		f := faults[0]
		if f.Message == "" || want.line != 0 && (f.Line != want.line || f.Column != want.column) || !strings.Contains(f.Message, want.says) {
			t.Errorf("%.60q: got %+v, want %+v", when, f, want)
		}
	}
}

func TestEveryWordOfTheLanguageCanBeUsed(t *testing.T) {
	for _, f := range Functions() {
		if faults := Check(f.Example); len(faults) > 0 {
			t.Errorf("%s: %s: %+v", f.Name, f.Example, faults)
		}
	}
	for _, e := range Examples() {
		if faults := Check(e.When); len(faults) > 0 {
			t.Errorf("%s: %+v", e.When, faults)
		}
	}
	literals := map[string]string{
		"bool": "true", "int": "1", "double": "1.0", "string": `"a"`, "list(string)": `["a"]`, "timestamp": `timestamp("2026-01-01T00:00:00Z")`,
	}
	for _, v := range Variables() {
		if faults := Check(v.Name + " == " + literals[v.Type]); len(faults) > 0 {
			t.Errorf("%s of type %s: %+v", v.Name, v.Type, faults)
		}
		if _, ok := dictionary()[v.Known]; v.Known != "" && !ok {
			t.Errorf("%s is known by %s, which there is not", v.Name, v.Known)
		}
		// What is known can be asked, what is not cannot: nothing answers with a value of another type.
		in := &activation{facts: facts{Facts: utopian(), base: idv.Verdict{Outcome: idv.DecideApprove}}}
		r := Compile([]idv.Rule{{When: v.Name + " == " + literals[v.Type]}}).list[0]
		_, ok := r.evaluate(in)
		if _, there := in.ResolveName(v.Name); ok != there {
			t.Errorf("%s: known %v, evaluated %v", v.Name, there, ok)
		}
	}
}

func TestAHostileConditionCostsLittle(t *testing.T) {
	list := "[" + strings.TrimSuffix(strings.Repeat("1,", 120), ",") + "]"
	for name, when := range map[string]string{
		"lists in lists":   list + ".all(a, " + list + ".all(b, a == b || a != b))",
		"growing texts":    `[1,2,3,4,5,6,7,8,9].map(a, document.country + document.country).map(s, s + s + s + s).all(s, s.matches("(U|T|O)*x"))`,
		"a pattern":        `document.country.matches("(a|a|a|a|a|a|a|a)*$")`,
		"many comparisons": strings.TrimSuffix(strings.Repeat("true && ", 120), " && "),
	} {
		start := time.Now()
		r := Compile([]idv.Rule{{Name: name, When: when}}).list[0]
		if r.when != nil {
			r.evaluate(&activation{facts: facts{Facts: utopian()}})
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%s: %s", name, took)
		}
	}
	costly := Compile([]idv.Rule{{When: list + ".all(a, " + list + ".all(b, a == b))"}, {When: list + ".all(a, " + list + ".all(b, a + b > 0))"}}).list
	if costly[1].when == nil {
		t.Fatal("the costly condition does not compile, so that nothing is shown")
	}
	if _, ok := costly[1].evaluate(&activation{facts: facts{Facts: utopian()}}); ok {
		t.Error("a condition of 14 400 steps is evaluated to its end")
	}
}

func FuzzRule(f *testing.F) {
	for _, e := range Functions() {
		f.Add(e.Example)
	}
	for _, s := range []string{
		"", "((((", "\x00", "a.b.c", `"` + strings.Repeat("a", 999), `[1].all(x, x)`, "checks.face.match.score", `b"\xff" == b""`, `{}.a`, "1/0 == 1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, when string) {
		faults := Check(when)
		for _, fault := range faults {
			if fault.Message == "" || len(fault.Message) > 2000 {
				t.Errorf("%q: fault %+v", when, fault)
			}
		}
		var j Judge
		got := j.Decide(utopian(), under(referring(when)), AttemptsLeft{})
		if got.Outcome != idv.DecideRefer && got.Outcome != idv.DecideApprove {
			t.Errorf("%q decides %s", when, got.Outcome)
		}
		if len(faults) > 0 && got.Outcome != idv.DecideRefer {
			t.Errorf("%q cannot be read and decides %s", when, got.Outcome)
		}
	})
}
