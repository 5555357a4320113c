package optical

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// doubts returns all that keeps the zone from being verified, the gravest first. ambiguous: another document in view may be the one
// that is meant.
func (z *Zone) doubts(ambiguous bool) []idv.ZoneDoubt {
	out := []idv.ZoneDoubt{}
	add := func(there bool, k problem.Kind, s idv.DoubtSource, fields []string) {
		if there {
			out = append(out, idv.ZoneDoubt{Code: k.Code, Source: s, Fields: fields})
		}
	}
	var values, facts []string
	for _, f := range z.Document.Faults {
		if !slices.Contains(values, f.Field) {
			values = append(values, f.Field)
		}
	}
	for _, name := range z.against {
		facts = append(facts, zoneField(name))
	}
	add(!z.CheckDigitsOK, problem.DocumentMRZInvalid, idv.DoubtCheckDigits, z.FailedChecks)
	add(len(values) > 0, problem.DocumentMRZInvalid, idv.DoubtValues, values)
	open := z.unconfirmed()
	add(len(open) > 0, problem.DocumentReadersDisagree, idv.DoubtSecondReader, open)
	add(z.uneven, problem.DocumentReadersDisagree, idv.DoubtSpacing, nil)
	add(z.CutOff, problem.CaptureCutOff, idv.DoubtView, nil)
	add(z.PrintedZone == idv.PrintedDisagrees, problem.DocumentFactsDisagree, idv.DoubtPrint, facts)
	add(ambiguous, problem.CaptureSeveralDocuments, idv.DoubtOtherDocument, nil)
	return out
}

// zoneField returns the field of the zone that states a fact; both names are in one.
func zoneField(name idv.ClaimName) string {
	i := slices.IndexFunc(factPlaces, func(p factPlace) bool { return p.name == name })
	if i < 0 {
		return string(name)
	}
	return factPlaces[i].field
}
