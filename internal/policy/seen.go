package policy

import (
	"slices"

	"cel.dev/cel-go/cel"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Bands are how many sessions there were lately, as bands of idv.VelocityBands: exact counts are not kept with a decision.
type Bands struct {
	AddressHour string `json:"address_hour,omitempty"` // empty where the network is not known or not counted, as the next
	AddressDay  string `json:"address_day,omitempty"`
	Document    string `json:"document"`
	Person      string `json:"person"`
	Reference   string `json:"reference"`
}

// bandsOf returns the bands of counts; nil where nobody counted.
func bandsOf(n *idv.VelocityCounts) *Bands {
	if n == nil {
		return nil
	}
	out := &Bands{Document: idv.VelocityBand(n.Document), Person: idv.VelocityBand(n.Person), Reference: idv.VelocityBand(n.Reference)}
	if n.Known && !n.Allowed {
		out.AddressHour, out.AddressDay = idv.VelocityBand(n.AddressHour), idv.VelocityBand(n.AddressDay)
	}
	return out
}

// setSeen keeps what rules may ask of a finding about other sessions.
func (c *CheckFact) setSeen(f *idv.SeenFinding) {
	if f == nil {
		return
	}
	c.Others, c.Bands = f.More, bandsOf(f.Velocity)
	for _, o := range f.Others {
		if !o.NotSame {
			c.Others++
		}
	}
	c.Network = networkOf(f.Origin)
}

// plain reports whether a check that passed has nothing else to be kept.
func (c CheckFact) plain() bool {
	return c.Answer == Passed && c.Score == nil && c.Model == "" && !c.Trusted && c.Attacks == nil && c.Weakest == "" && !c.Signed &&
		c.Others == 0 && c.Bands == nil && c.Network == nil
}

func (f Facts) bands() *Bands {
	c, _ := f.find(idv.CheckVelocity)
	return c.Bands
}

// seenVariables are what a rule can ask about other sessions. No rule approves, so that none makes an approval of a duplicate.
func seenVariables() []Variable {
	band := func(name, doc, known string, of func(Bands) string) Variable {
		return Variable{
			Name: "velocity." + name, Type: "string", Doc: doc, Values: idv.VelocityBands(), Known: known, cel: cel.StringType,
			value: func(f facts) (any, bool) {
				b := f.bands()
				if b == nil || of(*b) == "" {
					return "", false
				}
				return of(*b), true
			},
		}
	}
	const counted, network = "velocity.known", "velocity.address_known"
	return []Variable{
		band("address_hour", "Sessions from the same network within an hour, this one included.", network, func(b Bands) string { return b.AddressHour }),
		band("address_day", "Sessions from the same network within a day, this one included.", network, func(b Bands) string { return b.AddressDay }),
		{
			Name: network, Type: "bool", Doc: "Whether the network is known and counted: it is not where its range is allowed.", cel: cel.BoolType,
			value: func(f facts) (any, bool) { b := f.bands(); return b != nil && b.AddressHour != "", true },
		},
		band("document", "Sessions that showed the same document within a day.", counted, func(b Bands) string { return b.Document }),
		band("person", "Sessions about the same name and date of birth within a day.", counted, func(b Bands) string { return b.Person }),
		band("reference", "Sessions under the same reference within a day.", counted, func(b Bands) string { return b.Reference }),
		{
			Name: counted, Type: "bool", Doc: "Whether sessions were counted: the workflow has to require velocity.counts.", cel: cel.BoolType,
			value: func(f facts) (any, bool) { return f.bands() != nil, true },
		},
		{
			Name: "duplicate.sessions", Type: "int",
			Doc: "Other sessions with the same document or person, but for those that a reviewer said are not the same person; 0 also where the " +
				"workflow does not look.",
			cel: cel.IntType, value: func(f facts) (any, bool) { return f.others(), true },
		},
		{
			Name: "duplicate.other_face", Type: "bool", Doc: "Whether another session showed the same document with another face.", cel: cel.BoolType,
			value: func(f facts) (any, bool) {
				c, _ := f.find(idv.CheckDuplicateDocument)
				return slices.Contains(codes(c.Reasons), problem.DuplicateDocumentOtherFace.Code), true
			},
		},
	}
}

func (f Facts) others() int {
	document, _ := f.find(idv.CheckDuplicateDocument)
	person, _ := f.find(idv.CheckDuplicatePerson)
	return document.Others + person.Others
}

// mayDecline reports whether a sign of deceit declines: its check raises few false alarms on real people, or two members put the
// document on the block list and something confirms its number.
func mayDecline(c CheckFact, r idv.Reason) bool {
	return c.Trusted || r.Code == problem.BlocklistDeclines.Code && r.Confirmed.Declines()
}

// withoutListedFace returns checks as they would be if no face were on the block list, nor in the gallery.
func withoutListedFace(in []CheckFact) []CheckFact {
	out := slices.Clone(in)
	for i, c := range out {
		switch c.Kind {
		case idv.CheckDuplicateFace:
			out[i].Reasons = nil
		case idv.CheckBlockList:
			out[i].Reasons = slices.DeleteFunc(slices.Clone(c.Reasons), func(r idv.Reason) bool { return r.Code == problem.BlocklistFace.Code })
		default:
			continue
		}
		if c.Answer == Inconclusive && len(out[i].Reasons) == 0 {
			out[i].Answer = Passed
		}
	}
	return out
}

// faceListed reports whether a face decided, or might have, what the block list says.
func (f Facts) faceListed() bool {
	c, _ := f.find(idv.CheckBlockList)
	return slices.ContainsFunc(c.Reasons, func(r idv.Reason) bool {
		return slices.Contains([]string{problem.BlocklistFace.Code, problem.DuplicateGalleryUnready.Code, problem.DuplicateGalleryTooLarge.Code}, r.Code)
	})
}

// unlooked reports whether the new workflow looks beyond sessions in a way that the decision's session was not.
func (f Facts) unlooked(now idv.WorkflowVersion) bool {
	return slices.ContainsFunc(idv.SeenChecks(), func(k idv.CheckKind) bool {
		c, asked := f.find(k)
		return now.Requires(k) && (!asked || c.Answer == Skipped && k != idv.CheckDuplicateFace) // which is skipped for whoever does not agree
	})
}

// searchesElsewhere reports whether galleries differ in what a search finds: for how long faces are kept, and what is asked, tell nothing of it.
func searchesElsewhere(a, b idv.GallerySettings) bool { return a.Name != b.Name || a.FPIR != b.FPIR }

// reevaluateSeen returns again whether what was seen before refers, where the workflows take it differently.
func reevaluateSeen(f *Facts, was, now idv.WorkflowVersion) Unknown {
	if (was.Seen.Again != now.Seen.Again || was.Seen.Papers != now.Seen.Papers) && f.others() > 0 {
		return UnknownSeen // under which references and with which kinds of document they were is not kept
	}
	if f.faceListed() && !now.Requires(idv.CheckDuplicateFace) {
		return UnknownSeen // it would not compare faces with the block list
	}
	face := answeredCheck(f, idv.CheckDuplicateFace, now)
	if face != nil && face.Answer != Skipped && searchesElsewhere(was.Seen.Gallery.OrDefault(), now.Seen.Gallery.OrDefault()) {
		return UnknownSeen // nobody searches again
	}
	c := answeredCheck(f, idv.CheckVelocity, now)
	most := now.Seen.Velocity.OrDefault()
	if c == nil || was.Seen.Velocity.OrDefault() == most {
		return ""
	}
	if c.Bands == nil {
		return UnknownSeen
	}
	var over []idv.Reason
	for _, one := range []struct {
		band string
		most int
		why  problem.Kind
	}{
		{c.Bands.AddressHour, most.AddressHour, problem.VelocityAddress}, {c.Bands.AddressDay, most.AddressDay, problem.VelocityAddress},
		{c.Bands.Document, most.Document, problem.VelocityDocument}, {c.Bands.Person, most.Person, problem.VelocityPerson},
		{c.Bands.Reference, most.Reference, problem.VelocityReference},
	} {
		least, greatest, ok := idv.VelocityRange(one.band)
		switch {
		case !ok || greatest <= one.most:
		case least > one.most:
			over = append(over, idv.Reason{Code: one.why.Code})
		default:
			return UnknownSeen
		}
	}
	if slices.Contains(codes(c.Reasons), problem.VelocityNotCounted.Code) {
		over = append(over, idv.Reason{Code: problem.VelocityNotCounted.Code})
	}
	if len(over) > 0 {
		c.setAnswer(Inconclusive, unique(over)...)
		return ""
	}
	c.setAnswer(Passed)
	return ""
}
