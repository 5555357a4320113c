package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/cel"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Fault is what is wrong with a condition, and where.
type Fault struct {
	Line, Column int // from 1; 0 where it has no place
	Message      string
}

// Rules are the compiled rules of a workflow version. They are safe for concurrent use.
type Rules struct{ list []rule }

type rule struct {
	idv.Rule
	when cel.Program // nil where the condition does not compile: then it cannot be evaluated
}

// Check compiles a condition and answers what is wrong with it, in order; nothing where it is good.
func Check(when string) []Fault {
	_, faults := compile(when)
	return faults
}

// Compile makes rules ready to be evaluated. One whose condition does not compile refers whatever reaches it.
func Compile(of []idv.Rule) *Rules {
	out := &Rules{}
	for _, r := range of {
		p, _ := compile(r.When)
		out.list = append(out.list, rule{Rule: r, when: p})
	}
	return out
}

func compile(when string) (cel.Program, []Fault) {
	if strings.TrimSpace(when) == "" {
		return nil, []Fault{{Line: 1, Column: 1, Message: "A condition is missing."}}
	}
	if len(when) > 4*MaxCondition {
		return nil, []Fault{{Message: fmt.Sprintf("A condition has at most %d characters.", MaxCondition)}}
	}
	env, err := environment()
	if err != nil {
		return nil, []Fault{{Message: "The language of rules is not available."}}
	}
	ast, issues := env.Compile(when)
	if issues.Err() != nil {
		return nil, faultsOf(issues, when)
	}
	if ast.OutputType() != cel.BoolType {
		return nil, []Fault{{Line: 1, Column: 1, Message: "A condition is true or false; this is of type " + cel.FormatCELType(ast.OutputType()) + "."}}
	}
	p, err := env.Program(ast, cel.CostLimit(maxCost), cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return nil, []Fault{{Line: 1, Column: 1, Message: "It cannot be evaluated: " + firstLine(err.Error())}}
	}
	return p, nil
}

// mostFaults is how many faults of a condition are told.
const mostFaults = 10

func faultsOf(issues *cel.Issues, when string) []Fault {
	var out []Fault
	for _, e := range issues.Errors() {
		f := Fault{Line: e.Location.Line(), Column: e.Location.Column() + 1, Message: firstLine(e.Message)}
		if f.Line < 1 {
			f.Line, f.Column = 1, 1
		}
		f.Column = startOf(f, when)
		if !slices.Contains(out, f) && len(out) < mostFaults {
			out = append(out, f)
		}
	}
	return out
}

// startOf is where the name begins that a fault is about. The compiler points at its last dot.
func startOf(f Fault, when string) int {
	_, rest, ok := strings.Cut(f.Message, "undeclared reference to '")
	name, _, ok2 := strings.Cut(rest, "'")
	lines := strings.Split(when, "\n")
	if !ok || !ok2 || f.Line > len(lines) {
		return f.Column
	}
	line, word := []rune(lines[f.Line-1]), []rune(name)
	for start := f.Column - 1; start >= max(0, f.Column-1-len(word)); start-- {
		if start+len(word) <= len(line) && string(line[start:start+len(word)]) == name {
			return start + 1
		}
	}
	return f.Column
}

// firstLine is the beginning of a message: what follows may repeat the whole condition.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + "…"
	}
	return s
}

// rules are the compiled rules of a workflow.
func (j *Judge) rules(of []idv.Rule) *Rules {
	var key strings.Builder
	for _, r := range of {
		for _, part := range append([]string{r.Name, r.When, string(r.Then)}, r.Reasons...) {
			key.WriteString(strconv.Itoa(len(part)))
			key.WriteByte(':')
			key.WriteString(part)
		}
		key.WriteByte(';')
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if known, ok := j.compiled[key.String()]; ok {
		return known
	}
	if j.compiled == nil || len(j.compiled) >= mostCompiled {
		j.compiled = map[string]*Rules{}
	}
	made := Compile(of)
	j.compiled[key.String()] = made
	return made
}

// mostCompiled is how many sets of rules a Judge keeps; then it begins anew.
const mostCompiled = 200

// decide answers the verdict of the first rule that applies. base is what the default policy says.
func (r *Rules) decide(f Facts, s situation, base idv.Verdict) (idv.Verdict, bool) {
	in := &asked{facts: facts{Facts: f, required: s.required, base: base}}
	for _, rule := range r.list {
		applies, ok := rule.holds(in)
		if !ok {
			broken := idv.Reason{Code: problem.WorkflowRuleFailed.Code}
			return idv.Verdict{Outcome: idv.DecideRefer, Rule: rule.Name, Reasons: with(base, broken)}, true
		}
		if applies {
			return rule.verdict(base), true
		}
	}
	return idv.Verdict{}, false
}

// verdict is what the rule decides. Whoever has to look sees the default policy's reasons as well.
func (r rule) verdict(base idv.Verdict) idv.Verdict {
	var own []idv.Reason
	for _, code := range r.Reasons {
		own = append(own, idv.Reason{Code: code})
	}
	if len(own) == 0 {
		own = []idv.Reason{{Code: problem.WorkflowRule.Code}}
	}
	if r.Then == idv.DecideDecline {
		return idv.Verdict{Outcome: idv.DecideDecline, Rule: r.Name, Reasons: own}
	}
	return idv.Verdict{Outcome: idv.DecideRefer, Rule: r.Name, Reasons: with(base, own...)} // nothing else a rule could say approves
}

func with(base idv.Verdict, own ...idv.Reason) []idv.Reason {
	return unique(slices.Concat(own, base.Reasons))
}

// holds evaluates the condition; false where it could not be: something it asks is not known, or it costs too much.
func (r rule) holds(in cel.Activation) (applies, ok bool) {
	if r.when == nil {
		return false, false
	}
	out, _, err := r.when.Eval(in)
	if err != nil || out == nil {
		return false, false
	}
	applies, ok = out.Value().(bool)
	return applies, ok
}

// asked answers variables as rules ask for them.
type asked struct{ facts facts }

// ResolveName implements cel.Activation.
func (a *asked) ResolveName(name string) (any, bool) {
	v, ok := dictionary()[name]
	if !ok {
		return nil, false
	}
	return v.value(a.facts)
}

// Parent implements cel.Activation.
func (a *asked) Parent() cel.Activation { return nil }
