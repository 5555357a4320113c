package screening

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

var today = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

// entry is an invented entry.
func entry(id, topic, name string, births ...names.Dates) watchlist.Entity {
	return watchlist.Entity{
		ID: id, Kind: watchlist.Person, Topics: []string{topic}, Births: births, Nationalities: []string{"UTO"},
		Names: []watchlist.ListedName{{Text: name, Strength: watchlist.Primary}},
	}
}

// snapshot compiles entries, beside a crowd that makes their words rare.
func snapshot(t *testing.T, lists []List, entries ...watchlist.Entity) *Snapshot {
	t.Helper()
	path := filepath.Join(t.TempDir(), "names.index")
	b, err := nameindex.NewBuilder(path)
	must(t, err)
	b.List(nameindex.List{Name: "one", Version: "v1"})
	syllables := []string{"ka", "le", "mi", "no", "ru", "sa", "te", "vo", "di", "ba"}
	for i := range 2000 {
		name := syllables[i%10] + syllables[i/10%10] + syllables[i/100%10] + " " + syllables[i/7%10] + syllables[i/3%10] + syllables[i%7]
		must(t, b.Add(entry(fmt.Sprint("x", i), "sanction", name)))
	}
	for _, e := range entries {
		must(t, b.Add(e))
	}
	_, err = b.Close()
	must(t, err)
	x, err := nameindex.Open(path)
	must(t, err)
	t.Cleanup(func() { must(t, x.Close()) })
	if lists == nil {
		lists = []List{{Name: "one", Title: "One", Topics: idv.ScreeningTopics(), SHA256: "v1"}}
	}
	return NewSnapshot(x, lists, nil)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func typed(t *testing.T, name, born string) Person {
	t.Helper()
	p, ok, err := Typed(name, born, "", nil, nil, today)
	must(t, err)
	if !ok {
		t.Fatalf("%q is no name", name)
	}
	return p
}

func all() idv.ScreeningSettings { return idv.ScreeningSettings{Topics: idv.ScreeningTopics()} }

func TestEachAnswerHasItsOwnReason(t *testing.T) {
	t.Parallel()
	born := names.Day(1965, 3, 4)
	s := snapshot(t, nil,
		entry("s1", "sanction", "Zahran Ilyan Yusufovich", born), entry("p1", "role.pep", "Quentin Oglethorpe"),
		entry("r1", "role.rca", "Barnaby Thistlewick"), entry("w1", "crime", "Cressida Featherstonehaugh"),
	)
	strong, possible := problem.ScreeningStrongMatch, problem.ScreeningPossibleMatch
	for name, tt := range map[string]struct {
		person Person
		topic  idv.ScreeningTopic
		want   []problem.Kind
	}{
		"name and birth agree":                  {typed(t, "Ilyan Yusufovich Zahran", "1965-03-04"), idv.TopicSanctions, []problem.Kind{strong}},
		"the name agrees, the birth is unknown": {typed(t, "ZAHRAN ILYAN YUSUFOVICH", ""), idv.TopicSanctions, []problem.Kind{possible}},
		"another birth, twenty years apart":     {typed(t, "Ilyan Yusufovich Zahran", "1985-03-04"), idv.TopicSanctions, nil},
		"somebody politically exposed":          {typed(t, "Quentin Oglethorpe", ""), idv.TopicPEP, []problem.Kind{problem.ScreeningPEP}},
		"an associate of one":                   {typed(t, "Barnaby Thistlewick", ""), idv.TopicPEP, []problem.Kind{problem.ScreeningPEPAssociate}},
		"an exposed person is not sanctioned":   {typed(t, "Quentin Oglethorpe", ""), idv.TopicSanctions, nil},
		"another list":                          {typed(t, "Cressida Featherstonehaugh", ""), idv.TopicWatch, []problem.Kind{problem.ScreeningListed}},
		"nobody":                                {typed(t, "Ottoline Wraxall", "1990-01-01"), idv.TopicSanctions, nil},
		"a name of initials":                    {typed(t, "A B", ""), idv.TopicSanctions, []problem.Kind{problem.ScreeningNameUnusable}},
		"no name at all":                        {Person{}, idv.TopicSanctions, []problem.Kind{problem.ScreeningNameUnusable}},
	} {
		t.Run(name, func(t *testing.T) {
			found, why := Find(s, tt.person, tt.topic, all(), today)
			var want []string
			for _, k := range tt.want {
				want = append(want, k.Code)
			}
			if !slices.Equal(why, want) {
				t.Errorf("reasons %v, want %v; hits %+v", why, want, found.Hits)
			}
			if found.Index == "" || len(found.Lists) != 1 {
				t.Errorf("the finding does not name what was searched: %+v", found)
			}
		})
	}
}

func TestWhatKeepsItFromLookingIsNeverAPass(t *testing.T) {
	t.Parallel()
	p := typed(t, "Ottoline Wraxall", "")
	one := func(change func(*List)) []List {
		l := List{Name: "one", Topics: []idv.ScreeningTopic{idv.TopicSanctions}, SHA256: "v1"}
		change(&l)
		return []List{l}
	}
	for name, tt := range map[string]struct {
		lists []List
		topic idv.ScreeningTopic
		want  problem.Kind
	}{
		"no list covers the topic":  {one(func(*List) {}), idv.TopicPEP, problem.ScreeningListsMissing},
		"the list is old":           {one(func(l *List) { l.Old = true }), idv.TopicSanctions, problem.ScreeningListsOld},
		"a newer version is held":   {one(func(l *List) { l.Held = true }), idv.TopicSanctions, problem.ScreeningListHeld},
		"all lists were taken away": {nil, idv.TopicSanctions, problem.ScreeningListsMissing},
	} {
		t.Run(name, func(t *testing.T) {
			s := snapshot(t, tt.lists)
			if tt.lists == nil {
				s = NewSnapshot(nil, nil, nil)
			}
			if _, why := Find(s, p, tt.topic, all(), today); !slices.Contains(why, tt.want.Code) {
				t.Errorf("reasons %v, want %s", why, tt.want.Code)
			}
		})
	}
	broken := NewSnapshot(panicking{}, []List{{Name: "one", Topics: idv.ScreeningTopics()}}, nil)
	if _, why := Find(broken, p, idv.TopicSanctions, all(), today); !slices.Equal(why, []string{problem.ScreeningBroken.Code}) {
		t.Errorf("a search that breaks off: %v, want screening.broken", why)
	}
}

// panicking is an index whose search breaks off.
type panicking struct{}

func (panicking) Digest() string { return "d" }

func (panicking) Literal(nameindex.Query, float64) ([]nameindex.LiteralHit, int, error) {
	return nil, 0, nameindex.ErrBroken
}

func (panicking) Search(nameindex.Query) (nameindex.Result, error) {
	return nameindex.Result{}, nameindex.ErrBroken
}

func TestManyNamesakesAreOneFinding(t *testing.T) {
	t.Parallel()
	var crowd []watchlist.Entity
	for i := range 40 {
		crowd = append(crowd, entry(fmt.Sprint("m", i), "sanction", "Ottoline Wraxall"))
	}
	found, why := Find(snapshot(t, nil, crowd...), typed(t, "Ottoline Wraxall", ""), idv.TopicSanctions, all(), today)
	if len(found.Hits) != idv.MostHits || found.Alarms != 40 || !slices.Contains(why, problem.ScreeningTooMany.Code) {
		t.Errorf("%d hits, %d alarms, %v", len(found.Hits), found.Alarms, why)
	}
}

func TestALimitLeavesPossibleMatchesInTheRecord(t *testing.T) {
	t.Parallel()
	s := snapshot(t, nil, entry("s1", "sanction", "Zahran Ilyan Yusufovich"))
	set := all()
	set.From = idv.BandStrong
	found, why := Find(s, typed(t, "Ilyan Yusufovich Zahran", ""), idv.TopicSanctions, set, today)
	if len(why) != 0 || found.Alarms != 0 || len(found.Hits) != 1 || found.Hits[0].Band != idv.BandPossible {
		t.Errorf("reasons %v, %+v", why, found)
	}
}

func TestWhoAReportIsAbout(t *testing.T) {
	t.Parallel()
	claim := func(name idv.ClaimName, value string, source idv.ClaimSource) idv.Claim {
		return idv.Claim{Name: name, Value: value, Source: source, Confidence: 1}
	}
	r := idv.Report{Claims: []idv.Claim{
		claim(idv.FamilyName, "MUELLER", idv.FromMRZ), claim(idv.GivenNames, "JOERG", idv.FromMRZ),
		claim(idv.FamilyName, "Müller", idv.FromPrinted), claim(idv.GivenNames, "Jörg", idv.FromPrinted),
		claim(idv.FamilyName, "Somebody", idv.FromClaimed), claim(idv.GivenNames, "Else", idv.FromClaimed),
		claim(idv.DateOfBirth, "1965-03-XX", idv.FromPrinted), claim(idv.Nationality, "D", idv.FromPrinted), claim(idv.Sex, "M", idv.FromPrinted),
		claim(idv.DocumentNumber, "C01-X00 T47", idv.FromPrinted), claim(idv.PersonalNumber, "123", idv.FromPrinted),
	}, Document: idv.DocumentSummary{MRZ: &idv.MRZ{Format: "TD3", Verified: true, Lines: []string{"P<D<<MUELLER<<JOERG<<<<<<<<<<<<<<<<<<<<<<<<<<", ""}}}}
	p := Of(r, nil)
	var read []string
	for _, n := range p.Names {
		read = append(read, n.Text())
	}
	if got := strings.Join(read, " | "); !strings.Contains(got, "Jörg Müller") || !strings.Contains(got, "MUELLER JOERG") || strings.Contains(got, "Somebody") {
		t.Errorf("names: %s", got)
	}
	if p.Birth != "1965-03" || p.Sex != "M" || !slices.Equal(p.Nationalities, []string{"DEU"}) || !slices.Equal(p.Numbers, []string{"C01X00T47"}) {
		t.Errorf("facts: %+v", p)
	}
}

func TestOfTwoReadingsOfANameEitherAlarms(t *testing.T) {
	t.Parallel()
	s := snapshot(t, nil, entry("s1", "sanction", "Zahran Ilyan Yusufovich"))
	p := typed(t, "Ottoline Wraxall", "")
	p.addName(Name{Zone: "ZAHRAN<<ILYAN<YUSUFOVI"}) // cut at the end of the zone
	found, why := Find(s, p, idv.TopicSanctions, all(), today)
	if !slices.Contains(why, problem.ScreeningPossibleMatch.Code) || found.Hits[0].Read != "ZAHRAN ILYAN YUSUFOVI" {
		t.Errorf("reasons %v, %+v", why, found.Hits)
	}
}
