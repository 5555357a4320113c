package text

import (
	"slices"
	"testing"

	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/gofont/gosmallcaps"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/text/texttest"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// readerFor loads a reader of lines.
func readerFor(t *testing.T, model, dictionary string) reader {
	t.Helper()
	set := packtest.Models(t, "runtime", model)
	characters, err := set.Bytes(dictionary)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := ocr.NewLineReader(packtest.Load(t, set, model), string(characters))
	if err != nil {
		t.Fatal(err)
	}
	return reader{LineReader: lines, other: model == ocr.OtherScriptModel}
}

// pagesIn are lines of pages by their script.
func pagesIn() map[string][]string {
	return map[string][]string{
		"Latin": {
			"REPUBLIKA HRVATSKA", "Prezime Surname HORVÁTH", "Imię ŁUKASZ JÓZEF", "Müşerref YILMAZ", "Doğum tarihi 12.08.1974", "Guðmundsdóttir",
			"Kazlauskienė Nr. AB12345C", "PERMIS DE CONDUIRE", "3. 01.02.90 Straße 12b", "iPhone McDonald DeVito", "Bērziņš Dzimšanas datums",
		},
		"Cyrillic": {
			"РОССИЙСКАЯ ФЕДЕРАЦИЯ", "Паспорт выдан", "ОТДЕЛОМ УФМС РОССИИ ПО ГОР. МОСКВЕ", "Фамилия ЖДАНОВИЧ", "Имя Юлия Дмитриевна",
			"Место рождения Щёлково", "Дата выдачи 12.08.2014", "ВОДИТЕЛЬСКОЕ УДОСТОВЕРЕНИЕ", "Громадянство Україна", "Презиме Јовановић Ђорђе",
		},
		"Greek": {
			"ΕΛΛΗΝΙΚΗ ΔΗΜΟΚΡΑΤΙΑ", "Επώνυμο Παπαδόπουλος", "Όνομα Γεώργιος", "Ημερομηνία γέννησης", "ΔΕΛΤΙΟ ΤΑΥΤΟΤΗΤΑΣ ΨΥΧΙΚΟ",
			"Τόπος γέννησης Θεσσαλονίκη", "Υπογραφή κατόχου", "Εκδούσα αρχή Δημοτολόγιο", "Ύψος Μητρώνυμο Ελένη",
		},
	}
}

// typefaces are none that the weights of scriptScore were fitted on, nor any that a reader was trained on.
var typefaces = map[string][]byte{
	"regular": goregular.TTF, "italic": goitalic.TTF, "mono": gomono.TTF, "medium": gomedium.TTF, "small capitals": gosmallcaps.TTF,
}

func TestAPageInAnotherScriptIsTold(t *testing.T) {
	r := readerFor(t, ocr.TextLineModel, ocr.TextLineCharacters)
	pages := pagesIn()
	for face, ttf := range typefaces {
		for script, texts := range pages {
			if face == "small capitals" && script != "Latin" {
				continue // missed: too many of them look like Latin ones
			}
			var lines []Line
			for _, crop := range texttest.Print(t, ttf, texts) {
				p, err := r.readCrop(t.Context(), crop)
				if err != nil {
					t.Fatal(err)
				}
				lines = append(lines, Line{Reading: p})
			}
			if got := InOtherScript(lines); got != (script != "Latin") {
				for _, l := range lines {
					t.Logf("%5.2f %s", scriptScore(l.Text, l.Chars), l.Text)
				}
				t.Errorf("%s, %s: in another script %v", script, face, got)
			}
		}
	}
}

func TestAPageInAnotherScriptIsReadAndALatinOneStaysAsItWasRead(t *testing.T) {
	first, other := readerFor(t, ocr.TextLineModel, ocr.TextLineCharacters), readerFor(t, ocr.OtherScriptModel, ocr.OtherScriptCharacters)
	of := func(r reader, crop *imaging.Gray) Reading {
		p, err := r.readCrop(t.Context(), crop)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	exact, all := 0, 0
	for face, ttf := range typefaces {
		for script, texts := range pagesIn() {
			if face == "small capitals" && script != "Latin" {
				continue // not told
			}
			var lines []Line
			var read []Reading
			for _, crop := range texttest.Print(t, ttf, texts) {
				a, b := of(first, crop), of(other, crop)
				below := ocr.Strip{X: 200, Y: 40 * float64(len(lines)), UX: 1, Length: 300, Height: 24}
				lines, read = append(lines, Line{Reading: a, Strip: below}), append(read, b)
			}
			before := slices.Clone(lines)
			if got := someForeign(lines); got != (script != "Latin") {
				t.Errorf("%s, %s: read with the reader of other scripts %v", script, face, got)
			}
			takeOtherByBlock(lines, read, false)
			for i, l := range lines {
				switch {
				case script == "Latin" && l.Text != before[i].Text:
					t.Errorf("%s: %q became %q", face, before[i].Text, l.Text)
				case script != "Latin":
					all++
					if l.Text == texts[i] {
						exact++
					} else {
						t.Logf("%s: %q is read as %q", face, texts[i], l.Text)
					}
				}
			}
		}
	}
	if exact < all*8/10 {
		t.Errorf("%d of %d lines in Cyrillic and Greek are read", exact, all)
	}
}

func TestSmallPrintBesideClearPrintIsNoOtherScript(t *testing.T) {
	of := func(text string, sure float64) Line {
		l := Line{Reading: Reading{Text: text, Confidence: sure, Chars: make([]float64, len([]rune(text)))}}
		for i := range l.Chars {
			l.Chars[i] = sure
		}
		return l
	}
	small := []Line{
		of("mbiemrl/turname", .8), of("stteeua/nationality", .8), of("datelindja/dite of birth", .8), of("nr. personaVpertaonal no.", .8), of("ziinia/sex", .8),
		of("data e leihimiUdate", .8),
	}
	if !InOtherScript(small) {
		t.Error("six lines that are hardly read are a page in no other script")
	}
	if InOtherScript(append(small, of("Shqiptare", .99), of("Adelina", .99))) {
		t.Error("two clear Latin lines among six small ones are a page in another script")
	}
	if !InOtherScript(append(small, of("TAPAC", .99), of("BECHA", .99))) {
		t.Error("lines that may be of either script are a page in Latin letters")
	}
}

func TestOneLineTellsNothingOfAPage(t *testing.T) {
	if InOtherScript([]Line{{Reading: Reading{Text: "6lMKA9", Chars: []float64{.5, .5, .5, .5, .5, .5}}}}) {
		t.Error("one line that was badly read is a page in another script")
	}
}
