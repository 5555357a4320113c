package facts

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical"
	joint "github.com/bonafide-id/bonafide/internal/reading"
)

// Forgery is how one printed fact was changed; the machine-readable zone stays.
type Forgery string

// The forgeries, by turns.
const (
	NoForgery      Forgery = "none"
	SurnameLetter  Forgery = "surname, one letter exchanged"
	SurnameShort   Forgery = "surname, one letter left out"
	SurnameDoubled Forgery = "surname, one letter doubled"
	OtherSurname   Forgery = "another surname"
	GivenLetter    Forgery = "given names, one letter exchanged"
	NumberDigit    Forgery = "number, one digit exchanged"
	BirthDigit     Forgery = "day of birth, one digit exchanged"
	BirthYear      Forgery = "year of birth, one digit exchanged"
	ExpiryYear     Forgery = "year of expiry, one digit exchanged"
)

// forgeries are drawn in this order.
var forgeries = []Forgery{SurnameLetter, SurnameShort, SurnameDoubled, OtherSurname, GivenLetter, NumberDigit, BirthDigit, BirthYear, ExpiryYear}

// Forged is what `bonafide bench facts --forged` answers: of documents one of whose printed facts was changed, and of as many
// genuine ones, what the reader said of their print.
type Forged struct {
	Pictures int              `json:"pictures"` // with a zone that was read
	Genuine  Said             `json:"genuine"`
	Altered  Said             `json:"altered"`
	By       map[Forgery]Said `json:"by_forgery"`
	Curve    []Against        `json:"curve"`
	Limit    joint.Surely     `json:"limit"` // that the rest was measured with
}

// Said adds up the printed zone's verdicts.
type Said struct {
	Disagrees bench.Rate `json:"disagrees"`
	Agrees    bench.Rate `json:"agrees"`
	Silent    bench.Rate `json:"silent"`
	Taken     bench.Rate `json:"taken"` // the fact that was changed is stated as the zone has it
}

// Against is what would be said if print had to be so sure to speak against the zone: its least sure character so, and all of
// them half-way from there to certainty on average.
type Against struct {
	Least   float64    `json:"least"`
	Altered bench.Rate `json:"altered"` // forgeries that are seen
	Genuine bench.Rate `json:"genuine"` // genuine documents of which the same is said
}

// verdict is what was said of one picture.
type verdict struct {
	forgery Forgery
	printed idv.PrintedZone
	taken   bool
	curve   []bool // by leasts: whether the print disagrees
}

// zoned are the kinds whose print and zone share a side.
var zoned = []fixtures.Kind{fixtures.Passport, fixtures.TD2Card}

// Forge draws documents whose print was changed and reads them.
func Forge(ctx context.Context, r *optical.Reader, o Options) (*Forged, error) {
	if len(o.Kinds) == 0 {
		o.Kinds = zoned
	}
	if o.Quality == 0 {
		o.Quality = 88
	}
	var all []verdict
	for k := range o.Documents {
		for _, f := range []Forgery{NoForgery, forgeries[k%len(forgeries)]} {
			v, ok, err := o.forged(ctx, r, k, f)
			if err != nil {
				return nil, fmt.Errorf("bench facts: %w", err)
			}
			if ok {
				all = append(all, v)
			}
		}
		if o.Progress != nil {
			o.Progress(k+1, o.Documents)
		}
	}
	return summarizeForged(all), nil
}

// forged draws one document, changed in one way, and reads its front.
func (o Options) forged(ctx context.Context, r *optical.Reader, k int, how Forgery) (verdict, bool, error) {
	seed := o.Seed + int64(k)
	style := fixtures.StyleOf(seed)
	doc, err := fixtures.NewDocument(o.Kinds[k%len(o.Kinds)], seed, fixtures.Options{
		Style: &style, Printed: func(f fixtures.Fields) fixtures.Fields { return how.on(f, seed) },
	})
	if err != nil {
		return verdict{}, false, err
	}
	raw, err := fixtures.JPEG(o.taken(doc.Front(), seed), o.Quality, 1)
	if err != nil {
		return verdict{}, false, err
	}
	img, _, err := imaging.Open(raw, imaging.Limits{})
	if err != nil {
		return verdict{}, false, err
	}
	page, err := r.Read(ctx, img)
	if err != nil || page.MRZ == nil {
		return verdict{}, false, err
	}
	v := verdict{forgery: how, printed: page.MRZ.PrintedZone}
	name := how.fact()
	for _, c := range page.Claims {
		if c.Source == idv.FromPrinted && c.Name == name && name != "" {
			v.taken = v.taken || sameAsZone(c, page.Claims)
		}
	}
	for _, least := range leasts {
		v.curve = append(v.curve, disagrees(page, least))
	}
	return v, true, nil
}

// sameAsZone reports whether a printed claim states letter by letter what the zone does.
func sameAsZone(c idv.Claim, all []idv.Claim) bool {
	for _, z := range all {
		if z.Source == idv.FromMRZ && z.Name == c.Name {
			return signs(z.Value) == signs(c.Value)
		}
	}
	return false
}

// disagrees reports whether the page's print would contradict its zone if that took so sure a character.
func disagrees(page optical.Page, least float64) bool {
	p := page.Print
	var zone []idv.Claim
	for _, c := range page.Claims {
		if c.Source == idv.FromMRZ {
			zone = append(zone, c)
		}
	}
	limit := joint.Surely{Mean: (1 + least) / 2, Least: least}
	answers, _ := joint.CompareWith(p, joint.Read(p), zone, max(0, page.MRZ.Document.NameCutAt), limit)
	for _, a := range answers {
		if a.Verdict == joint.Disagrees {
			return true
		}
	}
	return false
}

// fact is the one that a forgery changes.
func (f Forgery) fact() idv.ClaimName {
	switch f {
	case SurnameLetter, SurnameShort, SurnameDoubled, OtherSurname:
		return idv.FamilyName
	case GivenLetter:
		return idv.GivenNames
	case NumberDigit:
		return idv.DocumentNumber
	case BirthDigit, BirthYear:
		return idv.DateOfBirth
	case ExpiryYear:
		return idv.DateOfExpiry
	}
	return ""
}

// on changes what is printed, by seed.
func (f Forgery) on(x fixtures.Fields, seed int64) fixtures.Fields {
	r := rand.New(rand.NewPCG(uint64(seed), 0xf09e))
	switch f {
	case SurnameLetter:
		x.Surname = exchanged(x.Surname, r)
	case SurnameShort:
		x.Surname = leftOut(x.Surname, r)
	case SurnameDoubled:
		x.Surname = twice(x.Surname, r)
	case OtherSurname:
		x.Surname = []string{"Brandvold", "Castellano", "Merriweather", "Quispe", "Tannenbaum"}[r.IntN(5)]
	case GivenLetter:
		x.GivenNames = exchanged(x.GivenNames, r)
	case NumberDigit:
		x.Number = otherDigit(x.Number, r)
	case BirthDigit:
		x.Born = x.Born.AddDate(0, 0, 1-2*(x.Born.Day()/15%2))
	case BirthYear:
		x.Born = x.Born.AddDate([]int{-3, -2, -1}[r.IntN(3)], 0, 0)
	case ExpiryYear:
		x.Expires = x.Expires.AddDate([]int{1, 2, 3}[r.IntN(3)], 0, 0)
	}
	return x
}

// unlike are letters, of which those some places apart are not taken for each other.
const unlike = "ABCDEFGHIKLMNOPRSTUVZ"

// place is where a letter of A–Z stands in a name; names of Utopia have at least one.
func place(name string, r *rand.Rand) int {
	var at []int
	for i, c := range name {
		if strings.ContainsRune(unlike, c) || strings.ContainsRune(strings.ToLower(unlike), c) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return 0
	}
	return at[r.IntN(len(at))]
}

func exchanged(name string, r *rand.Rand) string {
	at := place(name, r)
	old := strings.ToUpper(name[at : at+1])
	c := string(unlike[(max(0, strings.Index(unlike, old))+3+r.IntN(12))%len(unlike)])
	if name[at:at+1] != old {
		c = strings.ToLower(c)
	}
	return name[:at] + c + name[at+1:]
}

func leftOut(name string, r *rand.Rand) string {
	at := place(name, r)
	if len(name) < 4 {
		return exchanged(name, r)
	}
	return name[:at] + name[at+1:]
}

func twice(name string, r *rand.Rand) string {
	at := place(name, r)
	return name[:at+1] + name[at:]
}

func otherDigit(number string, r *rand.Rand) string {
	var at []int
	for i, c := range number {
		if c >= '0' && c <= '9' {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return number
	}
	i := at[r.IntN(len(at))]
	return number[:i] + string('0'+(number[i]-'0'+1+byte(r.IntN(9)))%10) + number[i+1:]
}

func summarizeForged(all []verdict) *Forged {
	out := &Forged{Pictures: len(all), By: map[Forgery]Said{}, Limit: joint.AgainstZone()}
	pick := func(keep func(Forgery) bool) (some []verdict) {
		for _, v := range all {
			if keep(v.forgery) {
				some = append(some, v)
			}
		}
		return some
	}
	genuine, altered := pick(func(f Forgery) bool { return f == NoForgery }), pick(func(f Forgery) bool { return f != NoForgery })
	out.Genuine, out.Altered = saidOf(genuine), saidOf(altered)
	for _, f := range forgeries {
		if some := pick(func(g Forgery) bool { return g == f }); len(some) > 0 {
			out.By[f] = saidOf(some)
		}
	}
	for i, least := range leasts {
		count := func(some []verdict) (n int) {
			for _, v := range some {
				if v.curve[i] {
					n++
				}
			}
			return n
		}
		out.Curve = append(out.Curve, Against{least, bench.RateOf(count(altered), len(altered)), bench.RateOf(count(genuine), len(genuine))})
	}
	return out
}

func saidOf(all []verdict) Said {
	var disagrees, agrees, taken int
	for _, v := range all {
		switch v.printed {
		case idv.PrintedDisagrees:
			disagrees++
		case idv.PrintedAgrees:
			agrees++
		}
		if v.taken {
			taken++
		}
	}
	n := len(all)
	return Said{bench.RateOf(disagrees, n), bench.RateOf(agrees, n), bench.RateOf(n-disagrees-agrees, n), bench.RateOf(taken, n)}
}
