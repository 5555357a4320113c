package reading

import (
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

func TestLabelsInCyrillicAndGreekAreUnderstood(t *testing.T) {
	for label, want := range map[string]int{
		"Фамилия": fSurname, "Прізвище": fSurname, "Презиме / Surname": fSurname, "Επώνυμο": fSurname, "Имя": fGiven, "Ім'я": fGiven, "Όνομα": fGiven,
		"Дата рождения": fBirth, "Дата на раждане": fBirth, "Датум рођења": fBirth, "Ημερομηνία γέννησης": fBirth, "Место рождения": fBirthplace,
		"Τόπος γέννησης": fBirthplace, "Дата выдачи": fIssue, "Дата видачі": fIssue, "Ημερομηνία έκδοσης": fIssue, "Действителен до": fExpiry, "Важи до": fExpiry,
		"Ημερομηνία λήξης": fExpiry, "Пол": fSex, "Стать": fSex, "Φύλο": fSex, "Гражданство": fNationality, "Ιθαγένεια": fNationality, "Место жительства": fAddress,
		"Адреса": fAddress, "Εκδούσα αρχή": fAuthority,
	} {
		r := rowsOf(Page{Lines: []Line{{Text: label}}})[0]
		n, c, _ := labelRun([]row{r}, 0, r.words)
		m := meaningOfRun(r.words[:n], c)
		best := 0
		for f := range facts {
			if m.fits[f] > m.fits[best] {
				best = f
			}
		}
		if n != len(r.words) || m.fits[best] == 0 || best != want {
			t.Errorf("%q: %d words mean %s, want all %d to mean %s", label, n, FactNames[best], len(r.words), FactNames[want])
		}
	}
}

func TestNamesInLatinLettersAreNoLabelsOfOtherScripts(t *testing.T) {
	for name := range strings.FieldsSeq("MATIAS MARIANNE MARIAM TATIANA MATILDA DENNIS ADELAIDE ARCHIBALD MARCHIORI ODILE") {
		if LabelWord(name) {
			t.Errorf("%s is taken for a word of labels", name)
		}
	}
}

func TestSeriesOfLettersThatLookLatinAreLatin(t *testing.T) {
	for text, want := range map[string]string{"АВ 123456": "AB123456", "Паспорт СН 123456": "CH123456", "№ ІЖ 123456": "IZH123456"} {
		p := Page{Lines: []Line{{Text: text}}}
		rows := rowsOf(p)
		_, apart := linesApart(rows, plain)
		found := slices.ContainsFunc(candidatesOf(rows, piecesOf(rows, apart), plain), func(c candidate) bool { return c.kind == aNumber && c.value == want })
		if !found || !statesNumber(text, want) {
			t.Errorf("%q: %s is a candidate %t, and is found in it %t", text, want, found, statesNumber(text, want))
		}
	}
}

func TestOneNameInTwoScriptsIsOneValue(t *testing.T) {
	options := inOneScript(fSurname, []Option{{}, {Value: "ИВАНОВ"}, {Value: "IVANOV"}, {Value: "ПЕТРОВ"}, {Value: "PETROVA"}})
	for i, want := range []string{"", "IVANOV", "IVANOV", "ПЕТРОВ", "PETROVA"} {
		if options[i].Key != want {
			t.Errorf("%q has the key %q, want %q", options[i].Value, options[i].Key, want)
		}
	}
}

func TestTitlesInCyrillic(t *testing.T) {
	titles := map[string]idv.DocumentKind{"ПАСПОРТ": idv.Passport, "ВОДИТЕЛЬСКОЕ УДОСТОВЕРЕНИЕ": idv.DrivingLicence, "ЛИЧНА КАРТА": idv.IDCard}
	for title, want := range titles {
		found := false
		for _, s := range titleStems() {
			found = found || s.kind == want && s.begins(s.parts[0], lexicon.Letters(strings.Fields(title)[0]))
		}
		if !found {
			t.Errorf("%q is no title of %s", title, want)
		}
	}
}
