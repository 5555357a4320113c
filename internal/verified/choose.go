package verified

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/checker"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// signatures are the sources whose statements an issuer signed, each with the check that verifies the signature: where that check did
// not pass, what they state is worth nothing here.
var signatures = map[idv.ClaimSource]idv.CheckKind{
	idv.FromChip: idv.CheckChipAuthentic, idv.FromWallet: idv.CheckWalletValid,
}

// Of returns what a report verifies, with what reviewers stated about it anew. Reviews that correct nothing, or that are about another
// report, do not count.
func Of(r idv.Report, reviews []idv.Review) Outputs { return outputs(r, reviews, signatures) }

func outputs(r idv.Report, reviews []idv.Review, signed map[idv.ClaimSource]idv.CheckKind) Outputs {
	r.Claims = slices.DeleteFunc(slices.Clone(r.Claims), func(c idv.Claim) bool {
		check, needs := signed[c.Source]
		return c.Source == idv.FromClaimed || strings.TrimSpace(c.Value) == "" || needs && !passed(r, check)
	})
	corrected := map[idv.ClaimName]idv.Review{}
	for _, one := range reviews { // oldest first: the last counts
		if one.Correction != nil && one.Report == r.Digest {
			corrected[one.Correction.Name] = one
		}
	}
	for _, one := range corrected {
		r.Claims = append(r.Claims, idv.Claim{Name: one.Correction.Name, Value: one.Correction.To, Source: idv.FromReviewer, Confidence: 1})
	}
	c := chooser{report: r, all: checker.Compare(r), signed: signed, corrected: corrected}
	return Outputs{
		FamilyName: c.fact(idv.FamilyName), GivenNames: c.fact(idv.GivenNames), DateOfBirth: c.fact(idv.DateOfBirth), Sex: c.fact(idv.Sex),
		Nationality: c.fact(idv.Nationality), Address: c.fact(idv.Address),
		Document: DocumentOutputs{
			Kind: c.kind(), Number: c.fact(idv.DocumentNumber), Issuer: c.fact(idv.Issuer), DateOfIssue: c.fact(idv.DateOfIssue),
			DateOfExpiry: c.fact(idv.DateOfExpiry),
		},
		Credentials: []Credential{},
	}
}

func passed(r idv.Report, kind idv.CheckKind) bool {
	check, ok := r.Check(kind)
	return ok && check.Lifecycle == idv.CheckSettled && check.Finding != nil && check.Finding.Outcome == idv.Pass
}

// chooser chooses among the claims of a report, which it names by their indexes.
type chooser struct {
	report    idv.Report
	all       checker.Comparison
	signed    map[idv.ClaimSource]idv.CheckKind
	corrected map[idv.ClaimName]idv.Review
}

// ground returns on what ground a source is chosen; false for one that the rule does not know.
func (c chooser) ground(s idv.ClaimSource) (Ground, bool) {
	if _, ok := c.signed[s]; ok {
		return BySignature, true
	}
	switch s {
	case idv.FromReviewer:
		return ByCorrection, true
	case idv.FromMRZ:
		if zone := c.report.Document.MRZ; zone != nil && zone.Verified {
			return ByZone, true
		}
		return ByUnverifiedZone, true
	case idv.FromBarcode:
		return ByBarcode, true
	case idv.FromPrinted:
		return ByPrint, true
	}
	return "", false
}

// rank returns the place of a claim in the rule, 0 for the first.
func (c chooser) rank(i int) int {
	g, _ := c.ground(c.report.Claims[i].Source)
	return slices.Index(Grounds(), g)
}

// stated returns the claims of a fact, by the rule.
func (c chooser) stated(name idv.ClaimName) []int {
	var of []int
	for i, claim := range c.report.Claims {
		if _, known := c.ground(claim.Source); known && claim.Name == name {
			of = append(of, i)
		}
	}
	slices.SortStableFunc(of, func(a, b int) int { return cmp.Compare(c.rank(a), c.rank(b)) })
	return of
}

// form returns a claim's value in the form of its fact.
func (c chooser) form(i int) (string, bool) { return checker.FormOf(c.report.Claims[i]) }

// fact returns one fact; nil where no source states it in its form.
func (c chooser) fact(name idv.ClaimName) *Fact {
	of := c.stated(name)
	first := slices.IndexFunc(of, func(i int) bool { _, ok := c.form(i); return ok })
	if first < 0 {
		return nil
	}
	base := of[first]
	best := c.fullest(of, base)
	if !c.all.Agree(base, best) { // the first says a part of it: what it leaves out rests on the other
		base = best
	}
	ground, _ := c.ground(c.report.Claims[base].Source)
	f := &Fact{Name: name, Rule: ground, Sources: []idv.ClaimSource{}, Disagree: []idv.ClaimSource{}}
	f.Sources, f.Disagree = c.voices(of, base, name)
	if len(f.Disagree) > 0 && ground != ByCorrection && ground != BySignature && name != idv.Address {
		f.Rule, f.Sources, f.Disagree = ByNone, []idv.ClaimSource{}, distinct(append(f.Sources, f.Disagree...))
		return f
	}
	value, source := c.spelt(base, best)
	f.Value, f.Spelling = &value, &source
	if ground == ByCorrection {
		f.Correction = &Corrected{By: idv.FromReviewer, At: c.corrected[name].At.UTC()}
	}
	return f
}

// voices returns the sources that state what a claim states, and those that state something else. A source that states a fact more
// than once agrees if it does so once.
func (c chooser) voices(of []int, base int, name idv.ClaimName) (agree, disagree []idv.ClaimSource) {
	agree, disagree = []idv.ClaimSource{}, []idv.ClaimSource{}
	for _, i := range of {
		source := c.report.Claims[i].Source
		switch {
		case c.all.Agree(base, i):
			agree = append(agree, source)
		case c.all.Within(base, i):
		case c.all.Contradict(base, i), name == idv.Address:
			disagree = append(disagree, source)
		}
	}
	own := c.report.Claims[base].Source
	disagree = slices.DeleteFunc(disagree, func(s idv.ClaimSource) bool { return s != own && slices.Contains(agree, s) })
	for _, source := range c.foundToDisagree(name, own) {
		agree = slices.DeleteFunc(agree, func(s idv.ClaimSource) bool { return s == source && s != own })
		disagree = append(disagree, source)
	}
	return distinct(agree), distinct(disagree)
}

// foundToDisagree returns the sources that a check of the report found to state something else than a source: it knew more than the
// report keeps.
func (c chooser) foundToDisagree(name idv.ClaimName, own idv.ClaimSource) []idv.ClaimSource {
	var out []idv.ClaimSource
	for _, kind := range []idv.CheckKind{idv.CheckFactsAgree, idv.CheckSidesBelong} {
		check, ok := c.report.Check(kind)
		if !ok || check.Finding == nil {
			continue
		}
		for _, r := range check.Finding.Reasons {
			if r.Claim != name || !slices.Contains(r.Sources, own) {
				continue
			}
			others := slices.DeleteFunc(slices.Clone(r.Sources), func(s idv.ClaimSource) bool { return s == own })
			if len(others) == 0 { // it states two things, one a side
				others = []idv.ClaimSource{own}
			}
			out = append(out, others...)
		}
	}
	return out
}

// fullest returns, of the claims that say what base says or more, the one that writes it best.
func (c chooser) fullest(of []int, base int) int {
	if c.report.Claims[base].Source == idv.FromReviewer { // they wrote it as they mean it
		return base
	}
	best := base
	for _, i := range of {
		_, ok := c.form(i)
		if !ok || i == base || !c.all.Agree(base, i) && !c.all.Within(base, i) {
			continue
		}
		if slices.Compare(c.worth(i), c.worth(best)) > 0 {
			best = i
		}
	}
	return best
}

// worth says how well a claim writes its fact: the greater in the first place that differs is better.
func (c chooser) worth(i int) []int {
	claim := c.report.Claims[i]
	value, _ := c.form(i)
	printed := truth(claim.Source == idv.FromPrinted)
	switch claim.Name {
	case idv.FamilyName, idv.GivenNames:
		return []int{truth(c.all.Cut(i) == 0), truth(marked(value)), printed, -c.rank(i)}
	case idv.DateOfBirth, idv.DateOfExpiry, idv.DateOfIssue:
		return []int{-strings.Count(value, "XX"), truth(claim.Source != idv.FromMRZ), -c.rank(i)}
	case idv.Address:
		return []int{len(strings.Fields(value)), truth(marked(value)), -c.rank(i)}
	default:
		return []int{-c.rank(i)}
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// marked reports whether a text has letters that no zone can write.
func marked(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) })
}

// kind returns the kind of the document, and where it is told from.
func (c chooser) kind() *Fact {
	kind := string(c.report.Document.Kind)
	if kind == "" || c.report.Document.Kind == idv.UnknownKind {
		return nil
	}
	source := idv.FromPrinted
	switch {
	case c.report.Document.MRZ != nil:
		source = idv.FromMRZ
	case slices.ContainsFunc(c.report.Claims, func(one idv.Claim) bool { return one.Source == idv.FromBarcode }):
		source = idv.FromBarcode
	}
	ground, _ := c.ground(source)
	return &Fact{
		Name: KindName, Value: &kind, Rule: ground, Spelling: &source, Sources: []idv.ClaimSource{source}, Disagree: []idv.ClaimSource{},
	}
}

// distinct returns each source once, in the order of their first.
func distinct(in []idv.ClaimSource) []idv.ClaimSource {
	out := []idv.ClaimSource{}
	for _, s := range in {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
