package chip

import (
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd"
	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
)

// claims are the facts that authentic data states: the zone's, in full where DG11 has them, and those of DG11 and DG12 besides.
func claims(r *emrtd.Report, now time.Time) []idv.Claim {
	facts := map[idv.ClaimName]string{}
	if r.Zone != nil {
		facts = ofZone(*r.Zone, now)
	}
	if p := r.Person; p != nil {
		if family, given, ok := fullName(p.Name, facts[idv.FamilyName], facts[idv.GivenNames], r.Zone); ok {
			facts[idv.FamilyName], facts[idv.GivenNames] = family, given
		}
		if born := day(p.Birth); born != "" && (facts[idv.DateOfBirth] == "" || sameButCentury(born, facts[idv.DateOfBirth])) {
			facts[idv.DateOfBirth] = born
		}
		facts[idv.PlaceOfBirth], facts[idv.Address] = strings.Join(p.BirthPlace, ", "), strings.Join(p.Address, ", ")
		if p.PersonalNumber != "" {
			facts[idv.PersonalNumber] = p.PersonalNumber
		}
	}
	if i := r.Issue; i != nil {
		facts[idv.Authority], facts[idv.DateOfIssue] = i.Authority, day(i.Date)
	}
	var out []idv.Claim
	for _, name := range idv.DocumentFacts() {
		if v := facts[name]; v != "" {
			out = append(out, idv.Claim{Name: name, Value: v, Source: idv.FromChip, Confidence: 1})
		}
	}
	return out
}

// ofZone are the facts of the zone. Its numbers are without fillers.
func ofZone(d mrz.Document, now time.Time) map[idv.ClaimName]string {
	out := map[idv.ClaimName]string{
		idv.FamilyName: d.Surname, idv.GivenNames: d.GivenNames, idv.DocumentNumber: strings.ReplaceAll(d.Number, " ", ""),
		idv.DateOfBirth: d.Birth(now).String(), idv.Sex: d.Sex,
		idv.Nationality: icao.ClaimedState(d.Nationality), idv.Issuer: icao.ClaimedState(d.Issuer),
	}
	if d.ExpiryDate != "" {
		out[idv.DateOfExpiry] = d.Expiry(now).String()
	}
	if d.Format == mrz.TD3 && d.Kind() == icao.Passport { // elsewhere the field is the issuer's own
		out[idv.PersonalNumber] = strings.ReplaceAll(d.Optional, " ", "")
	}
	return out
}

// fullName splits a name of DG11, surname and given names with a comma between. One that the zone's is no spelling of, such as a name in
// another script, is not taken: everything else that is compared with it has Latin letters.
func fullName(name, family, given string, zone *mrz.Document) (fullFamily, fullGiven string, ok bool) {
	fullFamily, fullGiven, ok = strings.Cut(name, ", ")
	if !ok || zone == nil {
		return "", "", false
	}
	same := icao.SameNameBare(fullFamily, family, zone.NameCutAt) && icao.SameNameBare(fullGiven, given, zone.NameCutAt)
	return fullFamily, fullGiven, same
}

// day writes YYYYMMDD as YYYY-MM-DD; empty where it is no day.
func day(s string) string {
	at, err := time.Parse("20060102", s)
	if err != nil {
		return ""
	}
	return at.Format(time.DateOnly)
}

// sameButCentury reports whether two dates YYYY-MM-DD differ by nothing but the century, which the zone does not state.
func sameButCentury(a, b string) bool { return len(a) == 10 && len(b) == 10 && a[2:] == b[2:] }
