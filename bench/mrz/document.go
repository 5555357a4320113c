package mrz

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
)

// How generated documents are drawn.
const (
	shotsEach  = 8    // pictures that are taken of one document
	printScale = 12.0 // pixels a millimetre of the document before it is photographed
	brokenOne  = 12   // one document in so many has a zone whose check digits are really wrong
	oddNumber  = 3    // one number in so many has letters and digits anywhere, O and 0 among them
)

// specimen is one document that several pictures are taken of.
type specimen struct {
	*fixtures.Document
	broken string // which check digit was spoiled, empty for none
}

// page is the side that bears the zone.
func (s specimen) page() *imaging.RGB {
	if s.Truth.Format == mrz.TD1 {
		return s.Back()
	}
	return s.Front()
}

// newSpecimen draws the document of that seed: a holder with a name of no language, so that letters have to be read.
// Its check digits are wrong by chance, or surely. The kind is drawn where only is empty.
func newSpecimen(seed int64, spoiled bool, only fixtures.Kind) (specimen, error) {
	r := rand.New(rand.NewPCG(uint64(seed), 0xd0c5))
	kind := []fixtures.Kind{
		fixtures.Passport, fixtures.Passport, fixtures.Passport, fixtures.Passport, fixtures.IDCard, fixtures.IDCard,
		fixtures.ResidencePermit, fixtures.TD2Card, fixtures.TD2Card, fixtures.Visa, fixtures.VisaB, fixtures.FrenchCard,
	}[r.IntN(12)]
	if only != "" {
		kind = only
	}
	person := drawPerson(r)
	o := fixtures.Options{Scale: printScale, Person: &person}
	if r.IntN(oddNumber) == 0 && kind != fixtures.FrenchCard { // whose number is a date and a place
		o.Number = drawText(r, "ABCDEFGHIJKLMNOPQRSTUVWXYZ01234567890123456789", 7+r.IntN(3))
	}
	s := specimen{}
	if r.IntN(brokenOne) == 0 || spoiled {
		o.Zone = func(lines []string) []string {
			lines, s.broken = spoil(r, lines)
			return lines
		}
	}
	d, err := fixtures.NewDocument(kind, seed, o)
	if err != nil {
		return s, fmt.Errorf("bench mrz: document %d: %w", seed, err)
	}
	s.Document = d
	return s, nil
}

func drawText(r *rand.Rand, letters string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
	}
	return string(b)
}

func drawPerson(r *rand.Rand) fixtures.Person {
	some := func(most int) string {
		words := make([]string, 1+r.IntN(most))
		for i := range words {
			words[i] = drawWord(r)
		}
		return strings.Join(words, " ")
	}
	return fixtures.Person{
		Surname: some(2), GivenNames: some(3), Sex: []string{"F", "M", "M", "F", "X"}[r.IntN(5)],
		Born:         time.Date(1940+r.IntN(66), 1, 1+r.IntN(365), 0, 0, 0, 0, time.UTC),
		PlaceOfBirth: drawWord(r), HeightCM: 150 + r.IntN(50),
	}
}

var (
	onsets = strings.Split("B BR C CH D F G GR H J K KL L M N P QU R S SCH ST T TR V W X Y Z", " ")
	vowels = strings.Split("A E I O U Y A E I O U AA EE OO EI IO IA", " ")
	codas  = strings.Split("N R S T L CK FF TT NN LL SS M X W G D B P", " ")
)

// drawWord is a name of one to four syllables, doubled letters among them.
func drawWord(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(4) {
		if r.IntN(6) > 0 {
			b.WriteString(onsets[r.IntN(len(onsets))])
		}
		b.WriteString(vowels[r.IntN(len(vowels))])
		if r.IntN(2) == 0 {
			b.WriteString(codas[r.IntN(len(codas))])
		}
	}
	w := b.String()
	return w[:1] + strings.ToLower(w[1:])
}

// spoil changes one character of a zone so that check digits no longer pass, and names the field: a check digit, or a
// character that one covers.
func spoil(r *rand.Rand, lines []string) ([]string, string) {
	format, _ := mrz.FormatOf(lines)
	fields := []string{
		"document_number_check", "birth_date_check", "expiry_date_check", "composite_check",
		"document_number", "birth_date", "expiry_date",
	}
	for {
		field := fields[r.IntN(len(fields))]
		line, from, to, ok := mrz.PlaceOf(format, field)
		if !ok {
			continue
		}
		at := from + r.IntN(to-from)
		with := byte('0' + r.IntN(10))
		was := lines[line][at]
		if was < '0' || was > '9' || was == with {
			continue
		}
		out := append([]string(nil), lines...)
		out[line] = out[line][:at] + string(with) + out[line][at+1:]
		if d, err := mrz.Parse(out); err == nil && !d.CheckDigitsOK() {
			return out, field
		}
	}
}
