package policy

import (
	"slices"

	"cel.dev/cel-go/cel"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Grades of screening, as rules see them.
const (
	gradeNone     = "none"     // nobody was found
	gradePossible = "possible" // somebody may be meant
	gradeStrong   = "strong"   // name and birth, or a number, agree with an entry of a sanctions list
)

// hitReasons are the reasons that stand for a hit; the others of screening say why it could not look.
var hitReasons = []string{
	problem.ScreeningStrongMatch.Code, problem.ScreeningPossibleMatch.Code, problem.ScreeningPEP.Code, problem.ScreeningPEPAssociate.Code,
	problem.ScreeningListed.Code, problem.ScreeningTooMany.Code,
}

// screened returns the facts of the checks that looked for the person on watchlists.
func (f Facts) screened() []CheckFact {
	var out []CheckFact
	for _, c := range f.Checks {
		if c.Kind.AboutScreening() && c.Answer != Skipped {
			out = append(out, c)
		}
	}
	return out
}

func (c CheckFact) hit() bool {
	return slices.ContainsFunc(c.Reasons, func(r idv.Reason) bool { return slices.Contains(hitReasons, r.Code) })
}

func (f Facts) screeningGrade() string {
	grade := gradeNone
	for _, c := range f.screened() {
		for _, r := range c.Reasons {
			switch {
			case r.Code == problem.ScreeningStrongMatch.Code:
				return gradeStrong
			case slices.Contains(hitReasons, r.Code):
				grade = gradePossible
			}
		}
	}
	return grade
}

// screeningComplete reports whether nothing kept the screening from looking for the person.
func (f Facts) screeningComplete() bool {
	looked := func(c CheckFact) bool {
		return c.Answer == Passed || c.Answer == Inconclusive &&
			!slices.ContainsFunc(c.Reasons, func(r idv.Reason) bool { return !slices.Contains(hitReasons, r.Code) })
	}
	of := f.screened()
	return len(of) > 0 && !slices.ContainsFunc(of, func(c CheckFact) bool { return !looked(c) })
}

// screeningVariables are what a rule can ask about watchlists. No rule approves, so that none makes an approval of a hit.
func screeningVariables() []Variable {
	var topics []string
	for _, t := range idv.ScreeningTopics() {
		topics = append(topics, string(t))
	}
	return []Variable{
		{
			Name: "screening.grade", Type: "string", Doc: "The gravest hit on the watchlists; \"none\" also where the workflow does not screen.",
			Values: []string{gradeNone, gradePossible, gradeStrong}, cel: cel.StringType,
			value: func(f facts) (any, bool) { return f.screeningGrade(), true },
		},
		{
			Name: "screening.topics", Type: "list(string)", Doc: "What the hits are listed for.", Values: topics, cel: cel.ListType(cel.StringType),
			value: func(f facts) (any, bool) {
				out := []string{}
				for _, t := range idv.ScreeningTopics() {
					if c, _ := f.find(idv.CheckOfTopic(t)); c.hit() {
						out = append(out, string(t))
					}
				}
				return out, true
			},
		},
		{
			Name: "screening.complete", Type: "bool", Doc: "Whether the person was looked for by a usable name on lists that are up to date.",
			cel: cel.BoolType, value: func(f facts) (any, bool) { return f.screeningComplete(), true },
		},
	}
}

// unscreened reports whether the new workflow screens for something that the decision's session was not screened for.
func (f Facts) unscreened(now idv.WorkflowVersion) bool {
	return slices.ContainsFunc(idv.ScreeningChecks(), func(k idv.CheckKind) bool {
		c, asked := f.find(k)
		return now.Requires(k) && (!asked || c.Answer == Skipped)
	})
}
