package calendar

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDaysIn(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"a month that is no day settles the order", "31.12.2025", []string{"2025-12-31"}},
		{"two figures up to 12 leave the order open", "03/04/2025", []string{"2025-03-04", "2025-04-03"}},
		{"a year of two digits leaves the century open", "31 12 25", []string{"1925-12-31", "2025-12-31"}},
		{"the year may come first", "2025-04-03", []string{"2025-04-03"}},
		{"months have names in two languages", "12 AOÛ/AUG 1974", []string{"1974-08-12"}},
		{"two languages run together", "12AUG/AOUT1974 08 AOUTIAUG 2011", []string{"1974-08-12", "2011-08-08"}},
		{"the month may come first", "AUG 12, 1974", []string{"1974-08-12"}},
		{"a naught in the name of a month is an O", "11 ENER0 2027", []string{"2027-01-11"}},
		{"months may be Roman", "12 VIII 1974", []string{"1974-08-12"}},
		{"no day is the 31st of February", "31.02.2025", nil},
		{"a number of nine digits is no day", "311220251", nil},
		{"a naught read for the O of a month that follows the day at once", "270CT1989", []string{"1989-10-27"}},
		{"a naught read for the O that a month begins with", "19-0CT-1996", []string{"1996-10-19"}},
		{"a one read for the I of a Roman figure", "23.V1.2019", []string{"2019-06-23"}},
		{"letters read for figures beside a month", "O5NOV2032 22JUN198o", []string{"1980-06-22", "2032-11-05"}},
		{"a word for one month in two languages, which is another month's in a third", "27 MÄR/MAR 2023", []string{"2023-03-27"}},
		{"a name of a month beside a word that is none", "27 MAR/KUUTA 2023", []string{"2023-03-27", "2023-11-27"}},
		{"a name of a month that ends in what looks like figures", "09 MAALIS/MAR 26", []string{"1926-03-09", "2026-03-09"}},
		{"two equal figures say nothing of their order", "08/08/1965", []string{"1965-08-08"}},
		{"one sign misread where the year shows the order", "1960.02 -08", []string{"1960-02-08"}},
		{"two days with a dash between them", "11.05.09-13.09.2069", []string{"1909-05-11", "2009-05-11", "2069-09-13"}},
		{"a sign lost between month and year", "27.012027", []string{"2027-01-27"}},
		{"a sign lost between month and day", "2028 1017", []string{"2028-10-17"}},
		{"four figures that are no month and day", "2028 1317", nil},
		{"a sign lost between day and month", "0410 2030", []string{"2030-04-10", "2030-10-04"}},
		{"a sign lost between year and month", "202710 03", []string{"2027-10-03"}},
		{"two signs where no other figures are near", "20.05-90", []string{"1990-05-20", "2090-05-20"}},
		{"two signs among other figures", "11.05.09-13.09", []string{"1909-05-11", "2009-05-11"}},
		{"what is glued to letters is no day", "AB31.12.2025", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, d := range DaysIn([]rune(tc.text)) {
				got = append(got, d.String())
			}
			slices.Sort(got)
			if diff := cmp.Diff(tc.want, slices.Compact(got)); diff != "" {
				t.Errorf("DaysIn(%q), want −, got +:\n%s", tc.text, diff)
			}
		})
	}
}

func FuzzDaysIn(f *testing.F) {
	for _, s := range []string{"31.12.2025", "12 AOÛ/AUG 1974", "2025-04-03", "12 VIII 74"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		runes := []rune(s)
		for _, d := range DaysIn(runes) {
			if d.From < 0 || d.To > len(runes) || d.From >= d.To {
				t.Errorf("a day at %d to %d of %d", d.From, d.To, len(runes))
			}
		}
	})
}

func TestADayEndsWhereItsTextDoes(t *testing.T) {
	for text, want := range map[string][]int{
		"28 DEZ 2023 27 DEZ 2033": {11, 23},
		"DEC 28, 2023 UTOPIA":     {12},
		"12 AOÛ/AUG 1974 M":       {15},
	} {
		var got []int
		for _, d := range DaysIn([]rune(text)) {
			got = append(got, d.To)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ends of the days in %q, want −, got +:\n%s", text, diff)
		}
	}
}

func TestLettersThatLookLikeFigures(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"in the day", "2O.10.1987", []string{"1987-10-20"}},
		{"in the year", "18 JAN 20I2", []string{"2012-01-18"}},
		{"in place of a stroke", "01 JAN 7JAN 1985", []string{"1985-01-01"}},
		{"a stroke that touched a letter", "8 AoůUAug 2011", []string{"2011-08-08"}},
		{"two months run together that are not the same", "8 MarAug 2011", nil},
		{"a figure before another month", "01 JAN 7 FEB 1985", []string{"1985-02-07"}},
		{"in all parts", "24. 1O. 20OO", []string{"2000-10-24"}},
		{"but a month that is letters stays one", "18 III 2012", []string{"2012-03-18"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, d := range DaysIn([]rune(tc.text)) {
				got = append(got, d.String())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("DaysIn(%q), want −, got +:\n%s", tc.text, diff)
			}
		})
	}
}

func TestTwoRomanDaysInARowAreNoThirdOne(t *testing.T) {
	var got []string
	for _, d := range DaysIn([]rune("1.VIII.2021 12.VII.2031")) {
		got = append(got, d.String())
	}
	if diff := cmp.Diff([]string{"2021-08-01", "2031-07-12"}, got); diff != "" {
		t.Errorf("want −, got +:\n%s", diff)
	}
}

func TestDaysInCyrillicAndGreek(t *testing.T) {
	for text, want := range map[string]string{"12 августа 1974 г.": "1974-08-12", "05 СІЧ/JAN 2001": "2001-01-05", "24 ΑΠΡ 2016": "2016-04-24"} {
		days := DaysIn([]rune(text))
		if len(days) == 0 || days[0].String() != want {
			t.Errorf("%q states %v, want %s", text, days, want)
		}
	}
}

func TestAMonthOfLettersIAndOnesIsEither(t *testing.T) {
	for text, want := range map[string][]string{
		"17.I1.2026": {"2026-02-17 true", "2026-11-17 true"}, "17.II.2026": {"2026-02-17 false"}, "17.11.2026": {"2026-11-17 false"},
		"17.1II.2026": {"2026-03-17 true"},
	} {
		var got []string
		for _, d := range DaysIn([]rune(text)) {
			got = append(got, fmt.Sprintf("%s %t", d, d.Doubtful))
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
			t.Errorf("DaysIn(%q), want −, got +:\n%s", text, diff)
		}
	}
}
