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

// Fault is an error in a condition.
type Fault struct {
	Line, Column int // from 1; 0 for the condition as a whole
	Message      string
}

// Rules are the compiled rules of a workflow version. They are safe for concurrent use.
type Rules struct{ list []rule }

type rule struct {
	idv.Rule
	when cel.Program // nil if the condition does not compile
	asks subject
}

// subject is what a condition is about.
type subject struct {
	verdict bool // what would be decided: the rule applies to what would be declined, too
	reading bool // what was read from the document: the rule declines only where something confirms the reading
	reasons bool // the reasons, some of which may be such readings
	source  bool // where captures came from
	system  bool // the autonomous system, which is not kept with decisions
}

// Check returns the faults of a condition in order, nil for a valid one.
func Check(when string) []Fault {
	_, _, faults := compile(when)
	return faults
}

// Compile compiles rules. A rule whose condition does not compile refers every session that reaches it.
func Compile(of []idv.Rule) *Rules {
	out := &Rules{}
	for _, r := range of {
		p, asks, _ := compile(r.When)
		out.list = append(out.list, rule{Rule: r, when: p, asks: asks})
	}
	return out
}

// compile compiles a condition, and returns what it is about.
func compile(when string) (p cel.Program, asks subject, faults []Fault) {
	if strings.TrimSpace(when) == "" {
		return nil, subject{}, []Fault{{Line: 1, Column: 1, Message: "A condition is missing."}}
	}
	if len(when) > 4*MaxCondition {
		return nil, subject{}, []Fault{{Message: fmt.Sprintf("A condition has at most %d characters.", MaxCondition)}}
	}
	env, err := environment()
	if err != nil {
		return nil, subject{}, []Fault{{Message: "The language of rules is not available."}}
	}
	ast, issues := env.Compile(when)
	if issues.Err() != nil {
		return nil, subject{}, faultsOf(issues, when)
	}
	if ast.OutputType() != cel.BoolType {
		message := "A condition is true or false; this is of type " + cel.FormatCELType(ast.OutputType()) + "."
		return nil, subject{}, []Fault{{Line: 1, Column: 1, Message: message}}
	}
	p, err = env.Program(ast, cel.CostLimit(maxCost), cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		return nil, subject{}, []Fault{{Line: 1, Column: 1, Message: "It cannot be evaluated: " + firstLine(err.Error())}}
	}
	for _, ref := range ast.NativeRep().ReferenceMap() {
		asks.verdict = asks.verdict || strings.HasPrefix(ref.Name, aboutDefault)
		asks.reasons = asks.reasons || ref.Name == aboutReasons || strings.HasPrefix(ref.Name, aboutDefault)
		asks.system = asks.system || slices.Contains(aboutSystem, ref.Name)
		if slices.Contains(aboutSource, ref.Name) {
			asks.source = true
			continue
		}
		asks.reading = asks.reading || slices.ContainsFunc(aboutReading, func(prefix string) bool { return strings.HasPrefix(ref.Name, prefix) })
	}
	return p, asks, nil
}

// aboutDefault begins the names of the variables that tell what would be decided without rules, and aboutReasons is that of the
// reasons of all checks.
const (
	aboutDefault = "default."
	aboutReasons = "reasons"
)

// aboutReading begin the names of the variables that rest on what was read from the document.
var aboutReading = []string{"document.", "person.", "checks.document.", "checks.person."}

// aboutSource are the names of the variables that say where captures came from. They are no readings.
var aboutSource = []string{"document.source", "document.source_known", "selfie.source", "selfie.source_known"}

// asksSource reports whether a condition is about where captures came from.
func (r *Rules) asksSource() bool {
	return slices.ContainsFunc(r.list, func(one rule) bool { return one.asks.source })
}

// maxFaults is how many faults of a condition are reported.
const maxFaults = 10

func faultsOf(issues *cel.Issues, when string) []Fault {
	var out []Fault
	for _, e := range issues.Errors() {
		f := Fault{Line: e.Location.Line(), Column: e.Location.Column() + 1, Message: firstLine(e.Message)}
		if f.Line < 1 {
			f.Line, f.Column = 1, 1
		}
		f.Column = columnOf(f, when)
		if !slices.Contains(out, f) && len(out) < maxFaults {
			out = append(out, f)
		}
	}
	return out
}

// columnOf returns the column where the name begins that a fault is about. The compiler reports its last dot.
func columnOf(f Fault, when string) int {
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

// firstLine returns the first line of a message, at most 300 characters. The rest may repeat the whole condition.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + "…"
	}
	return s
}

// rules returns the compiled rules of a workflow, from the cache if they are there.
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
	if j.compiled == nil || len(j.compiled) >= maxCompiled {
		j.compiled = map[string]*Rules{}
	}
	made := Compile(of)
	j.compiled[key.String()] = made
	return made
}

// maxCompiled is how many sets of rules a Judge caches before it empties the cache.
const maxCompiled = 200

// decide returns the verdict of the first rule that applies, and false if none does. base is the default policy's verdict. Rules
// tighten: what base declines, a rule refers only if its condition says that it is about what would be declined. A rule that declines
// on what was read from the document refers where nothing confirms the reading.
func (r *Rules) decide(f Facts, s situation, base idv.Verdict) (idv.Verdict, bool) {
	in := &activation{facts: facts{Facts: f, required: s.required, base: base}}
	for _, rule := range r.list {
		if base.Outcome == idv.DecideDecline && rule.Then != idv.DecideDecline && !rule.asks.verdict {
			continue
		}
		applies, ok := rule.evaluate(in)
		if !ok {
			broken := idv.Reason{Code: problem.WorkflowRuleFailed.Code}
			return idv.Verdict{Outcome: idv.DecideRefer, Rule: rule.Name, Reasons: withBase(base, broken)}, true
		}
		if applies {
			if base.Outcome != idv.DecideDecline && (rule.doubts(f, s) || rule.restsOnFace(f, s)) {
				rule.Then = idv.DecideRefer
			}
			return rule.verdict(base), true
		}
	}
	return idv.Verdict{}, false
}

// restsOnFace reports whether the condition would not hold if the face were not on the block list: among many somebody always looks like
// another, so that a person decides, whatever the rule says.
func (r rule) restsOnFace(f Facts, s situation) bool {
	if !slices.Contains(codes(s.reasons(problem.Suspect)), problem.BlocklistFace.Code) {
		return false
	}
	bare := f
	bare.Checks = withoutListedFace(f.Checks)
	s.required = withoutListedFace(s.required)
	applies, ok := r.evaluate(&activation{facts: facts{Facts: bare, required: s.required, base: s.first(rows)}})
	return !applies || !ok
}

// doubts reports whether the condition is about readings that nothing confirms.
func (r rule) doubts(f Facts, s situation) bool {
	doubtful := func(reason idv.Reason) bool { return !reason.Confirmed.Declines() }
	return r.asks.reading && !f.confirmed() || r.asks.reasons && slices.ContainsFunc(s.reasons(problem.Final), doubtful)
}

// verdict returns what the rule decides. A referral includes the default policy's reasons for the reviewer.
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
	return idv.Verdict{Outcome: idv.DecideRefer, Rule: r.Name, Reasons: withBase(base, own...)} // whatever else Then says: a rule never approves
}

func withBase(base idv.Verdict, own ...idv.Reason) []idv.Reason {
	return unique(slices.Concat(own, base.Reasons))
}

// evaluate evaluates the condition. ok is false if that is impossible: a variable is unknown, or the evaluation costs too much.
func (r rule) evaluate(in cel.Activation) (applies, ok bool) {
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

// activation resolves the variables of a condition.
type activation struct{ facts facts }

// ResolveName implements cel.Activation.
func (a *activation) ResolveName(name string) (any, bool) {
	v, ok := dictionary()[name]
	if !ok {
		return nil, false
	}
	return v.value(a.facts)
}

// Parent implements cel.Activation.
func (a *activation) Parent() cel.Activation { return nil }
