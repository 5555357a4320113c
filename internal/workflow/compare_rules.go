package workflow

import (
	"time"

	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// rules compares the rules of two versions by their names. A rule may decline what was referred and refer what was declined, so
// none of its differences is stricter or looser by itself.
func (c *comparison) rules() {
	for i, r := range c.b.Rules {
		old, ok := ruleNamed(c.a.Rules, r.Name)
		if !ok {
			c.add("/rules", Neither, "Rule “%s” was added%s: if “%s”, the session is %s%s.", r.Name, positionText(c.b.Rules, i), r.When, r.Then, forReasons(r.Reasons))
			continue
		}
		c.rule(old, r)
	}
	for _, r := range c.a.Rules {
		if _, ok := ruleNamed(c.b.Rules, r.Name); !ok {
			c.add("/rules", Neither, "Rule “%s” was removed: if “%s”, the session was %s%s.", r.Name, r.When, r.Then, forReasons(r.Reasons))
		}
	}
	name := func(r idv.Rule) string { return r.Name }
	a, b := mapped(c.a.Rules, name), mapped(c.b.Rules, name)
	kept := func(all, other []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(n string) bool { return !slices.Contains(other, n) })
	}
	if !slices.Equal(kept(a, b), kept(b, a)) {
		c.add("/rules", Neither, "The order of the rules changed; the first match decides: %s.", listText(b))
	}
}

// positionText describes the position of a rule; the first rule that applies decides.
func positionText(rules []idv.Rule, i int) string {
	switch {
	case len(rules) == 1:
		return ""
	case i == 0:
		return ", evaluated first"
	}
	return ", evaluated after “" + rules[i-1].Name + "”"
}

func (c *comparison) rule(a, b idv.Rule) {
	if a.When != b.When {
		c.add("/rules", Neither, "Rule “%s” now tests “%s” (was “%s”).", b.Name, b.When, a.When)
	}
	if a.Then != b.Then {
		e := Looser
		if b.Then == idv.DecideDecline {
			e = Stricter
		}
		c.add("/rules", e, "If rule “%s” applies, the session is %s (was %s).", b.Name, b.Then, a.Then)
	}
	if !slices.Equal(a.Reasons, b.Reasons) {
		c.add("/rules", Neither, "Rule “%s” gives the reasons %s (was %s).", b.Name, orNone(b.Reasons), orNone(a.Reasons))
	}
}

func ruleNamed(rules []idv.Rule, name string) (idv.Rule, bool) {
	i := slices.IndexFunc(rules, func(r idv.Rule) bool { return r.Name == name })
	if i < 0 {
		return idv.Rule{}, false
	}
	return rules[i], true
}

func forReasons(codes []string) string {
	if len(codes) == 0 {
		return ""
	}
	return " (" + strings.Join(codes, ", ") + ")"
}

func orNone(codes []string) string {
	if len(codes) == 0 {
		return "none"
	}
	return strings.Join(codes, ", ")
}

func (c *comparison) caseTarget() {
	text := func(d time.Duration) string {
		if d == 0 {
			return "the deployment's target"
		}
		return durationText(d)
	}
	if c.a.CaseTarget != c.b.CaseTarget {
		c.add("/case_hours", Neither, "Target for deciding a case: %s (was %s).", text(c.b.CaseTarget), text(c.a.CaseTarget))
	}
}

func (c *comparison) qualityShare() {
	if c.a.QualityShare != c.b.QualityShare {
		c.add("/quality_share", Neither, "%d %% of approvals get a second look (was %d %%).", c.b.QualityShare, c.a.QualityShare)
	}
}
