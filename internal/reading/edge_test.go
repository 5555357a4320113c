package reading

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTextsAreCutAtEdges(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string // are among the texts
		not        []string
	}{
		{"where capitals begin behind small letters", "Qorlan dif MUSTERFRAU", []string{"MUSTERFRAU", "Qorlan dif"}, nil},
		{"behind a colon", "Qorlan: Erika", []string{"Erika"}, nil},
		{"at a stroke", "12.07.1999 / Kisumu", []string{"Kisumu"}, nil},
		{"where figures end", "12.07.1999 Kisumu Nord", []string{"Kisumu Nord"}, []string{"Nord"}},
		{"where a label ends", "SURNAME MUSTERFRAU", []string{"MUSTERFRAU"}, nil},
		{"nowhere in a name", "ANNA MARIA MUSTERFRAU", []string{"ANNA MARIA MUSTERFRAU"}, []string{"ANNA MARIA", "MUSTERFRAU"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rows := rowsOf(sheet(printed{x: 100, y: 100, text: tc.text}))
			_, apart := linesApart(rows, plain)
			var got []string
			for _, p := range piecesOf(rows, apart) {
				got = append(got, p.text(rows))
			}
			for _, w := range tc.want {
				if !slices.Contains(got, w) {
					t.Errorf("no text %q among %q", w, got)
				}
			}
			for _, w := range tc.not {
				if slices.Contains(got, w) {
					t.Errorf("%q is a text", w)
				}
			}
		})
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
		{"a figure before another month", "01 JAN 7 FEB 1985", []string{"1985-02-07"}},
		{"in all parts", "24. 1O. 20OO", []string{"2000-10-24"}},
		{"but a month that is letters stays one", "18 III 2012", []string{"2012-03-18"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, d := range daysIn([]rune(tc.text)) {
				got = append(got, d.String())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("daysIn(%q), want −, got +:\n%s", tc.text, diff)
			}
		})
	}
}

func TestTwoRomanDaysInARowAreNoThirdOne(t *testing.T) {
	var got []string
	for _, d := range daysIn([]rune("1.VIII.2021 12.VII.2031")) {
		got = append(got, d.String())
	}
	if diff := cmp.Diff([]string{"2021-08-01", "2031-07-12"}, got); diff != "" {
		t.Errorf("want −, got +:\n%s", diff)
	}
}

func TestNumbersAreSpelledWithNaughtsToo(t *testing.T) {
	for text, want := range map[string][]string{
		"OX12O4": {"OX12O4", "OX1204"}, "OX1204": {"OX1204"}, "OPQR": {"OPQR"}, "TO5265219": {"TO5265219", "T05265219"}, "O123456": {"O123456"},
	} {
		if diff := cmp.Diff(want, spellings(text, "")); diff != "" {
			t.Errorf("spellings(%q), want −, got +:\n%s", text, diff)
		}
	}
}

func TestSmallLettersInANumberAreFigures(t *testing.T) {
	for word, want := range map[string]string{
		"B78VCo6G1": "B78VC06G1", "U4o8-5870": "U408-5870", "1234o": "12340", "No12": "No12", "oslo": "oslo", "12ab": "12ab",
	} {
		if got := figuresForSmall(word); got != want {
			t.Errorf("%q is %q, want %q", word, got, want)
		}
	}
}

func TestALabelOfTwoFactsIsOneOfBoth(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []int
	}{
		{"parted by a comma", "NATIONALITY, SEX", []int{fSex, fNationality}},
		{"parted by a stroke", "Date of issue / Date of expiry", []int{fIssue, fExpiry}},
		{"in two languages it is one fact", "Surname / Nachname", []int{fSurname}},
		{"where a part says little, all its words count together", "Name / Family name", []int{fSurname}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			labels, _ := linesApart(rowsOf(sheet(printed{x: 100, y: 100, text: tc.text})), plain)
			var got []int
			for _, l := range labels {
				for f, fits := range l.fits {
					if fits > .8 {
						got = append(got, f)
					}
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("want −, got +:\n%s", diff)
			}
		})
	}
}
