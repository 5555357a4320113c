package screening

import (
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/verified"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// Person is who is looked for: what a session verified of them.
type Person struct {
	Names         []Name   `json:"names"`                   // as verified first, then as each source writes it; any of them may alarm
	Birth         string   `json:"birth,omitempty"`         // YYYY, YYYY-MM or YYYY-MM-DD
	Sex           string   `json:"sex,omitempty"`           // M or F
	Nationalities []string `json:"nationalities,omitempty"` // as watchlist.Country writes them
	Numbers       []string `json:"numbers,omitempty"`       // of documents, as watchlist.FoldNumber writes them
}

// Name is a name as it was read: its parts, or the name field of a machine-readable zone.
type Name struct {
	Given  string `json:"given,omitempty"`
	Family string `json:"family,omitempty"`
	Zone   string `json:"zone,omitempty"`
}

// Text is the name for people.
func (n Name) Text() string {
	if n.Zone != "" {
		return strings.Join(strings.Fields(strings.ReplaceAll(n.Zone, "<", " ")), " ")
	}
	return strings.TrimSpace(n.Given + " " + n.Family)
}

func (n Name) parsed() names.Name {
	switch {
	case n.Zone != "":
		return names.Parse(n.Zone)
	case n.Given != "" && n.Family != "":
		return names.ParseParts(n.Given, n.Family)
	}
	return names.Parse(n.Text())
}

// leastNumber is the length from which the number of a document is searched for: shorter ones repeat everywhere.
const leastNumber = 6

// Of returns who a report is about, with what reviewers stated anew.
func Of(r idv.Report, reviews []idv.Review) Person {
	out := verified.Of(r, reviews)
	p := Person{Birth: birth(value(out.DateOfBirth))}
	p.addName(Name{Given: value(out.GivenNames), Family: value(out.FamilyName)})
	for _, n := range read(r.Claims) {
		p.addName(n)
	}
	if zone := r.Document.MRZ; zone != nil {
		p.addName(Name{Zone: zoneName(*zone)})
	}
	if s := value(out.Sex); s == "M" || s == "F" {
		p.Sex = s
	}
	if code := watchlist.Country(value(out.Nationality)); isNationality(code) {
		p.Nationalities = []string{code}
	}
	p.addNumber(value(out.Document.Number))
	for _, c := range r.Claims {
		if c.Source != idv.FromClaimed && c.Name == idv.PersonalNumber {
			p.addNumber(c.Value)
		}
	}
	return p
}

// isNationality reports whether a code is that of a state, as watchlist.Country writes it.
func isNationality(code string) bool {
	return code != "" && slices.ContainsFunc(icao.States(), func(s icao.State) bool { return s.ISO == code })
}

// OfEvidence returns who evidence is about, before there is a report of it.
func OfEvidence(ev idv.Evidence) (Person, error) {
	r := idv.Report{Claims: ev.Claims, MadeAt: ev.Now}
	if a, ok := ev.Best(idv.ArtifactMRZ); ok && a.Present {
		zone, err := idv.ValueOf[idv.MRZ](a)
		if err != nil {
			return Person{}, err
		}
		r.Document.MRZ = &zone
	}
	chip, sent, err := ev.Chip()
	if err != nil {
		return Person{}, err
	}
	if sent && chip.Authentic {
		f := idv.Passed()
		r.Checks = append(r.Checks, idv.Check{Kind: idv.CheckChipAuthentic, Lifecycle: idv.CheckSettled, Finding: &f})
	}
	return Of(r, nil), nil
}

func value(f *verified.Fact) string {
	if f == nil || f.Value == nil {
		return ""
	}
	return *f.Value
}

// birth is a date of birth without its unknown parts.
func birth(s string) string {
	if year, rest, _ := strings.Cut(s, "-"); strings.HasPrefix(rest, "XX") {
		return year
	}
	return strings.TrimSuffix(s, "-XX")
}

// read returns the names that the sources write, a family name and given names of one side at a time.
func read(claims []idv.Claim) []Name {
	type place struct {
		source idv.ClaimSource
		side   idv.Side
	}
	found := map[place]Name{}
	var order []place
	for _, c := range claims {
		if c.Source == idv.FromClaimed || c.Name != idv.FamilyName && c.Name != idv.GivenNames {
			continue
		}
		at := place{c.Source, c.Side}
		n, seen := found[at]
		if !seen {
			order = append(order, at)
		}
		if c.Name == idv.FamilyName {
			n.Family = c.Value
		} else {
			n.Given = c.Value
		}
		found[at] = n
	}
	out := make([]Name, 0, len(order))
	for _, at := range order {
		out = append(out, found[at])
	}
	return out
}

// zoneName is the name field of a zone (ICAO 9303-4 to -6); empty for a form that has none.
func zoneName(z idv.MRZ) string {
	line, from, to := 0, 5, 0
	switch z.Format {
	case "TD3", "MRV-A":
		to = 44
	case "TD2", "MRV-B":
		to = 36
	case "TD1":
		line, from, to = 2, 0, 30
	default:
		return ""
	}
	if len(z.Lines) <= line || len(z.Lines[line]) < to {
		return ""
	}
	return strings.TrimRight(z.Lines[line][from:to], "<")
}

func (p *Person) addName(n Name) {
	n.Given, n.Family = cut(n.Given), cut(n.Family)
	same := func(o Name) bool { return strings.EqualFold(o.Text(), n.Text()) && (o.Zone == "" || n.Zone != "") }
	if n.Text() == "" || slices.ContainsFunc(p.Names, same) {
		return
	}
	p.Names = append(p.Names, n)
}

func cut(s string) string {
	if r := []rune(strings.TrimSpace(s)); len(r) > names.MaxRunes {
		return string(r[:names.MaxRunes])
	}
	return strings.TrimSpace(s)
}

func (p *Person) addNumber(s string) {
	if n := watchlist.FoldNumber(s); len(n) >= leastNumber && !slices.Contains(p.Numbers, n) {
		p.Numbers = append(p.Numbers, n)
	}
}

// Query returns what is searched for, of any topic.
func (p Person) Query(now time.Time) nameindex.Query { return p.query("", now) }

// query returns what is searched for, of one topic, or of any if it is empty.
func (p Person) query(topic idv.ScreeningTopic, now time.Time) nameindex.Query {
	q := nameindex.Query{Sex: p.Sex, Nationalities: p.Nationalities, Numbers: p.Numbers, Limit: idv.MostHits, Now: now}
	for _, n := range p.Names {
		q.Names = append(q.Names, n.parsed())
	}
	if b, err := names.ParseBirth(p.Birth, time.Time{}); err == nil {
		q.Birth = b
	}
	if topic != "" {
		q.Takes = func(_ nameindex.List, e watchlist.Entity) bool { return listedFor(e, topic) }
	}
	return q
}
