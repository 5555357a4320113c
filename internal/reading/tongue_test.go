package reading

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/reading/calendar"
)

func TestAMonthIsOneOfTheLanguageThatThePageIsIn(t *testing.T) {
	for _, tc := range []struct {
		name string
		rows []string
		want []string
	}{
		{"a name that one language in a dozen has for another month", []string{"14 MAR 1989"}, []string{"1989-03-14"}},
		{"that language, as another month shows", []string{"14 MAR 1989", "2 TAM 2020"}, []string{"1989-11-14", "2020-01-02"}},
		{"two languages as likely", []string{"14 LIP 1989"}, []string{"1989-06-14", "1989-07-14"}},
		{"one of them, as another month shows", []string{"14 LIP 1989", "3 WRZ 2020"}, []string{"1989-07-14", "2020-09-03"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var all []candidate
			for k, row := range tc.rows {
				for _, d := range calendar.DaysIn([]rune(row)) {
					all = append(all, candidate{kind: aDay, value: d.String(), day: d, spans: []span{{k, d.From, d.To}}})
				}
			}
			var got []string
			for _, c := range oneTongue(all) {
				got = append(got, c.value)
			}
			slices.Sort(got)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("days of %q, want −, got +:\n%s", tc.rows, diff)
			}
		})
	}
}

func TestAMonthThatMayBeARomanFigureIsOneWhereOthersAre(t *testing.T) {
	for _, tc := range []struct {
		name  string
		below string
		want  []string
	}{
		{"beside a Roman figure", "5.VIII.1979", []string{"2026-02-17"}},
		{"beside other figures", "05.08.1979", []string{"2026-11-17"}},
		{"beside none", "Kisumu", []string{"2026-02-17", "2026-11-17"}},
		{"beside both", "5.VIII.1979 05.08.1979", []string{"2026-02-17", "2026-11-17"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := viewOf(sheet(printed{x: 100, y: 100, text: "17.I1.2026"}, printed{x: 100, y: 200, text: tc.below}))
			var got []string
			for _, c := range v.all {
				if c.kind == aDay && c.spans[0].row == 0 {
					got = append(got, c.value)
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(tc.want, slices.Compact(got)); diff != "" {
				t.Errorf("want −, got +:\n%s", diff)
			}
		})
	}
}
