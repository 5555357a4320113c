package mrz

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// What makes the zone of another document, which lies beside the one that is meant, the easier to read. A zone that is not
// that of the document that fills most of the picture may not be verified. No picture is hard in this way by chance; it has to be
// asked for.
const (
	stampedRival = "two documents, stamps across one's zone"
	frontOnly    = "front without a zone beside another document"
)

// Rivals lists what makes another document's zone the easier to read.
func Rivals() []string { return []string{stampedRival, frontOnly} }

// two reports whether another document is in view.
func (s *scene) two() bool {
	return s.has(several) || slices.ContainsFunc(Rivals(), s.has)
}

// neighbour is the document that lies beside one of that seed.
func (s specimen) neighbour(seed int64, trouble string) (specimen, error) {
	kind := fixtures.IDCard
	if s.Kind == kind {
		kind = fixtures.TD2Card
	}
	if slices.Contains(Rivals(), trouble) {
		kinds := []fixtures.Kind{
			fixtures.IDCard, fixtures.IDCard, fixtures.ResidencePermit, fixtures.TD2Card, fixtures.FrenchCard, fixtures.Passport, fixtures.VisaB,
		}
		kind = kinds[rand.New(rand.NewPCG(uint64(seed), 0x21fa)).IntN(len(kinds))]
	}
	second, err := fixtures.NewDocument(kind, seed+1<<40, fixtures.Options{Scale: printScale})
	if err != nil {
		return specimen{}, fmt.Errorf("bench mrz: second document: %w", err)
	}
	return specimen{Document: second}, nil
}

// beside are the pages that lie on the table: the one that is meant and the other's. Stamps lie on the zone of the one that is
// meant, which another is then read instead of, or on the other's, which must not make the first one doubtful for nothing.
func (s *scene) beside(r *rand.Rand, d specimen, page *imaging.RGB, other specimen) []*imaging.RGB {
	second := other.page()
	switch {
	case s.has(frontOnly):
		page = d.Front()
	case s.has(stampedRival) && r.IntN(4) > 0:
		for range 1 + r.IntN(3) {
			page = withStamp(r, page, d.Truth.Zone)
		}
	case s.has(stampedRival):
		second = withStamp(r, second, other.Truth.Zone)
	}
	return []*imaging.RGB{page, second}
}
