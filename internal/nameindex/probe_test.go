package nameindex

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

func TestAProbeSaysWhomASearchWouldFind(t *testing.T) {
	listed := []string{
		"Zahran, Ilyan Yusufovich", "Abd al-Rahman Quillfeather", "Mohammed Oglethorpe", "Thistlewick Barnaby", "Østergård Müller", "Ли Вэйминг",
		"Quillfeather, Robert", "Ren Zhiming", "Kwak Jong Un", "Tevfik, Nur al-Din", "Ilyan Zahranov",
		"Zoltan del Quenby", "Kwabenazz ben Rashidov", "Kazimir Bogumil Drahomir Featherby",
	}
	var people []watchlist.Entity
	for i, n := range listed {
		e := person(fmt.Sprint("p", i), n)
		e.Documents[0].Number = fmt.Sprint("N01234", i)
		people = append(people, e)
	}
	x := compiled(t, people...)
	p := x.Probe(people)
	for _, name := range []string{
		"Ilyan Zahran", "ZAHRAN ILYAN YUSUFOVICH", "Zahran Ilian", "Захран Ильян", "ZAHRAN<<ILYAN<YUSUFOVI", "Abdulrahman Quillfeather", "Quilfeather Abd ar Rahman",
		"Muhammad Oglethorpe", "Oglethorp Mohamed", "BARNABYTHISTLEWICK", "Barnabi Thistlewik", "Ostergaard Mueller", "Li Veiming",
		"Bob Quillfeather", "Jen Chih-ming", "곽정은", "Noureddine Tevfik", "Ilyan al-Zahranov", "Juan Barnaby", "Hsu Chih-ming",
		"Somebody Else", "Zahra Ilan", "kalemi noruka",
		"Zoltan Odel", "Kwabenazz Iben", "KBD Featherby",
	} {
		q := Query{Names: []names.Name{names.Parse(name)}, Birth: names.Day(1965, 3, 4), Now: time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)}
		r, err := x.Search(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, least := range []names.Band{names.BandStrong, names.BandPossible, names.BandDistant} {
			alarms := func(b names.Band) bool { return b.Rank() >= least.Rank() }
			finds := slices.ContainsFunc(r.Hits, func(h Hit) bool { return h.Entity.ID[0] == 'p' && alarms(h.Band) })
			if may := p.May(q, alarms); may != finds {
				t.Errorf("%q, %s or more: the probe says %t, a search %t", name, least, may, finds)
			}
		}
	}
	never, ever := func(names.Band) bool { return false }, func(b names.Band) bool { return b != names.BandNone }
	if q := (Query{Numbers: []string{"N012343"}}); !p.May(q, never) {
		t.Error("the probe rules out a document number")
	}
	if q := (Query{Names: []names.Name{names.Parse("Wrzesniewski Grzegorz")}}); p.May(q, ever) {
		t.Error("the probe rules out nobody")
	}
}
