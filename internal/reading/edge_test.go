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

func TestNumbersAreSpelledWithNaughtsToo(t *testing.T) {
	for text, want := range map[string][]string{
		"OX12O4":    {"OX12O4", "OX1204"},
		"OX1204":    {"OX1204"},
		"OPQR":      {"OPQR"},
		"TO5265219": {"TO5265219", "T05265219"},
		"O123456":   {"O123456", "0123456"},
		"O1234A":    {"O1234A"},
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
