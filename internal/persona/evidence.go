package persona

import (
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Producer is what artifacts of a persona say they were made by.
const Producer = "persona"

// Facts of a persona where the integrator claimed nothing else.
var usualFacts = map[idv.ClaimName]string{
	idv.FamilyName: "Persona", idv.GivenNames: "Test", idv.DateOfBirth: "1990-01-01", idv.Nationality: "UTO",
	idv.DocumentNumber: "TEST00001", idv.Sex: "X", idv.Issuer: "UTO",
}

// Found is what a persona's capture holds: everything that such a capture could yield is settled. The facts are those that
// were claimed, so that a report reads as the integrator's own, or those of nobody.
func (p Persona) Found(
	c idv.Capture, yields []idv.ArtifactKind, chosen idv.DocumentKind, claimed map[idv.ClaimName]string, now time.Time,
) (idv.Extraction, error) {
	facts := p.facts(claimed, now)
	x := idv.Extraction{}
	for _, k := range yields {
		a, err := p.artifact(c, k, chosen, facts)
		if err != nil {
			return idv.Extraction{}, err
		}
		a.Producer, a.Version = Producer, "1"
		x.Artifacts = append(x.Artifacts, a)
	}
	if c.Kind != idv.DocumentImage || c.Side != idv.Front {
		return x, nil
	}
	for _, name := range stated {
		for _, from := range []idv.ClaimSource{idv.FromPrinted, idv.FromMRZ} {
			if facts[name] != "" {
				x.Claims = append(x.Claims, idv.Claim{Name: name, Value: facts[name], Source: from, Side: c.Side, Capture: c.ID, Confidence: 1})
			}
		}
	}
	return x, nil
}

// stated are the facts on a persona's document, in the order of a report.
var stated = []idv.ClaimName{
	idv.FamilyName, idv.GivenNames, idv.DateOfBirth, idv.Sex, idv.Nationality, idv.Issuer, idv.DocumentNumber, idv.DateOfExpiry,
}

func (p Persona) facts(claimed map[idv.ClaimName]string, now time.Time) map[idv.ClaimName]string {
	out := map[idv.ClaimName]string{idv.DateOfExpiry: now.AddDate(5, 0, 0).Format(time.DateOnly)}
	for k, v := range usualFacts {
		out[k] = v
	}
	for k, v := range claimed {
		if k != idv.DocumentNumber && slices.Contains(stated, k) && v != "" {
			out[k] = v
		}
	}
	switch p.Reason.Code {
	case problem.DocumentExpired.Code:
		out[idv.DateOfExpiry] = now.AddDate(-1, 0, 0).Format(time.DateOnly)
	case problem.PersonUnderAge.Code:
		out[idv.DateOfBirth] = now.AddDate(-12, 0, 0).Format(time.DateOnly)
	}
	return out
}

// artifact settles one. What would have to be seen in a picture of somebody is absent: nobody looked.
func (p Persona) artifact(c idv.Capture, k idv.ArtifactKind, chosen idv.DocumentKind, facts map[idv.ClaimName]string) (idv.Artifact, error) {
	switch k {
	case idv.ArtifactPage:
		return idv.PresentArtifact(k, c, idv.Page{Kind: chosen, Issuer: facts[idv.Issuer],
			Width: cardWidth, Height: cardHeight, Faces: []idv.Face{}, Lines: []idv.Line{},
			Quality: idv.Quality{CutSides: []string{}, Reasons: []string{}}})
	case idv.ArtifactMRZ:
		if zone, ok := zoneOf(chosen, c.Side, facts); ok {
			return idv.PresentArtifact(k, c, zone)
		}
	}
	return idv.AbsentArtifact(k, c, problem.CheckNotRun.Code), nil
}

// Zone returns the zone on the persona's document; none for facts that no zone can hold.
func (p Persona) Zone(chosen idv.DocumentKind, claimed map[idv.ClaimName]string, now time.Time) []string {
	facts := p.facts(claimed, now)
	for _, side := range []idv.Side{idv.Front, idv.Back} {
		if zone, ok := zoneOf(chosen, side, facts); ok {
			return zone.Lines
		}
	}
	return nil
}

// zoneOf writes the zone of a passport, or of the back of a card; none for facts that no zone can hold.
func zoneOf(chosen idv.DocumentKind, side idv.Side, facts map[idv.ClaimName]string) (idv.MRZ, bool) {
	d := mrz.Document{
		Format: mrz.TD3, Code: "P", Issuer: facts[idv.Issuer], Number: facts[idv.DocumentNumber], Surname: facts[idv.FamilyName],
		GivenNames: facts[idv.GivenNames], Nationality: facts[idv.Nationality], Sex: facts[idv.Sex],
		BirthDate: mrz.Date(yymmdd(facts[idv.DateOfBirth])), ExpiryDate: mrz.Date(yymmdd(facts[idv.DateOfExpiry])),
	}
	switch {
	case chosen == idv.Passport && side == idv.Front:
	case chosen == idv.IDCard && side == idv.Back:
		d.Format, d.Code = mrz.TD1, "I"
	default:
		return idv.MRZ{}, false
	}
	lines, err := mrz.Write(d)
	if err != nil {
		return idv.MRZ{}, false
	}
	return idv.MRZ{
		Format: string(d.Format), Lines: lines, RawLines: lines, SecondLines: lines, CheckDigitsOK: true, ReadersAgree: true,
		PrintedZone: idv.PrintedAgrees, Verified: true, Confidence: 1, Boxes: []idv.Box{}, FailedChecks: []string{}, Doubts: []idv.ZoneDoubt{},
	}, true
}

// yymmdd is a date as a zone has it; unknown parts are fillers.
func yymmdd(date string) string {
	if len(date) != len(time.DateOnly) {
		return ""
	}
	fill := func(part string) string {
		if part == "XX" {
			return "<<"
		}
		return part
	}
	return date[2:4] + fill(date[5:7]) + fill(date[8:10])
}
