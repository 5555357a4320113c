package persona

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// testDigest stands where a real finding has the digest of a list.
const testDigest idv.Digest = "0000000000000000000000000000000000000000000000000000000000000000"

// listed reports whether the persona's reason is a hit.
func (p Persona) listed() bool {
	return slices.Contains([]string{
		problem.ScreeningStrongMatch.Code, problem.ScreeningPossibleMatch.Code, problem.ScreeningPEP.Code, problem.ScreeningPEPAssociate.Code,
		problem.ScreeningListed.Code, problem.ScreeningTooMany.Code,
	}, p.Reason.Code)
}

// screening is what a persona's search for a topic found: an invented entry of an invented list, where the persona is listed.
func (p Persona) screening(k idv.CheckKind, f idv.Finding) *idv.Screening {
	i := slices.IndexFunc(idv.ScreeningTopics(), func(t idv.ScreeningTopic) bool { return idv.CheckOfTopic(t) == k })
	topic := idv.ScreeningTopics()[i]
	out := &idv.Screening{
		Topic: topic, Index: testDigest, Lists: []idv.ScreenedList{{Name: "persona", Title: "Invented list", SHA256: testDigest}}, Hits: []idv.ScreeningHit{},
	}
	if f.Outcome == idv.Pass || !p.listed() {
		return out
	}
	listed := map[idv.ScreeningTopic]string{idv.TopicSanctions: "sanction", idv.TopicPEP: "role.pep", idv.TopicWatch: "watch"}[topic]
	if p.Reason.Code == problem.ScreeningPEPAssociate.Code {
		listed = "role.rca"
	}
	hit := idv.ScreeningHit{
		List: "persona", Version: testDigest, Index: testDigest, Entry: "persona-1", Content: testDigest, Topic: topic, Topics: []string{listed},
		Band: idv.BandPossible, NameGrade: "fuzzy", Birth: "unknown", Nationality: "agrees", Sex: "unknown", Number: "unknown",
		Read: "Test Persona", Listed: "PERSONNA, Test", Names: []string{}, Births: []string{}, Nationalities: []string{"UTO"}, Sexes: []string{},
		Programmes: []string{"TEST"}, Remarks: "Nobody: the test persona says so.",
		Parts: []idv.NamePart{
			{Read: "test", Listed: "test", Means: "same", Likeness: 1, Bits: 9}, {Read: "persona", Listed: "personna", Means: "spelling", Likeness: 0.9, Bits: 11},
		},
	}
	if p.Reason.Code == problem.ScreeningStrongMatch.Code {
		hit.Band, hit.Birth, hit.Births = idv.BandStrong, "same", []string{"1990-01-01"}
	}
	out.Hits, out.Alarms = append(out.Hits, hit), 1
	if p.Reason.Code == problem.ScreeningTooMany.Code {
		out.Alarms = idv.MostHits + 1
	}
	return out
}
