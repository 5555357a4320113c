package text

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

func TestAWordIsWrittenInTheScriptThatItsLettersLeave(t *testing.T) {
	for text, want := range map[string]string{
		"HИKИTA":          "НИКИТА",       // Latin H, K, T, A
		"ΠΑΠΑΔΟΠΟYΛΟC":    "ΠΑΠΑΔΟΠΟΥΛΟC", // a Latin Y; Greek has no twin of C
		"ОСКАР":           "ОСКАР",
		"OCKAP":           "OCKAP",    // nothing tells
		"ΦОМА":            "ФОМА",     // a Greek Φ
		"WАLTER":          "WALTER",   // Cyrillic А
		"Имя Nаme":        "Имя Name", // each word for itself
		"ГALЛ":            "ГALЛ",     // letters of two scripts: as it was read
		"Сергей / Sеrgеy": "Сергей / Sergey",
	} {
		if got := string(inOneScript([]rune(text))); got != want {
			t.Errorf("inOneScript(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestAWordOfLookAlikesIsInTheScriptOfItsPage(t *testing.T) {
	for page, want := range map[string]string{"Фамилия Имя": "ФОМА", "Επώνυμο Όνομα": "ΦΟΜΑ", "Surname": "ФОΜΑ"} {
		lines := []Line{{Reading: Reading{Text: page}}, {Reading: Reading{Text: "ФОΜΑ"}}, {Reading: Reading{Text: "OCKAP"}}}
		writeInScriptOfPage(lines)
		if got := lines[1].Text; got != want {
			t.Errorf("beside %q it is %q (%U), want %q", page, got, []rune(got), want)
		}
		if got := lines[2].Text; got != "OCKAP" {
			t.Errorf("beside %q a word of one script became %q", page, got)
		}
	}
}

func TestTheLettersOfAWordAreInTheCaseOfMostOfThem(t *testing.T) {
	for text, want := range map[string]string{
		"МельниКов": "Мельников", "СИМОВСКи": "СИМОВСКИ", "мОРОЗОВ": "МОРОЗОВ", "Ёлка": "Ёлка", "ул. Мира": "ул. Мира", "РФ": "РФ", "Щх": "Щх",
		"McDonald": "McDonald", "Παπαγοu": "Παπαγοu", "Παπαγου": "Παπαγου",
	} {
		if got := string(inOneCase([]rune(text))); got != want {
			t.Errorf("inOneCase(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestAPageInAnotherScriptIsReadInItAndALatinOneIsNot(t *testing.T) {
	as := func(text string, sure float64) Reading {
		p := Reading{Chars: make([]float64, len([]rune(text)))}
		for i := range p.Chars {
			p.Chars[i] = sure
		}
		return p.of([]rune(text))
	}
	type reading struct {
		latin, other Reading
		want         string
	}
	for name, page := range map[string][]reading{
		"a page in two scripts": {
			{as("Oamnnus/Surname", .6), as("Фамилия/Surname", .95), "Фамилия/Surname"},
			{as("BAJIEEB", 1), as("ВАЛЕЕВ", .9), "ВАЛЕЕВ"},
			{as("VALEEV", 1), as("VALEEV", .9), "VALEEV"},
			{as("Mecmo poxdehua", .6), as("Место рождения", .9), "Место рождения"},
			{as("12.08.1974", 1), as("12.08.1974", .9), "12.08.1974"},
			{as("Dama yda1y", .6), as("Дата выдачи", .9), "Дата выдачи"},
			{as("OCA", 1), as("ОСА", .9), "ОСА"},
			{as("24 Apr 16", .99), as("24 Арг 16", .95), "24 Apr 16"},
			{as("11 May 84", 1), as("11 Мау 84", .95), "11 May 84"},
			{as("24 Aug 21", .8), as("24 Агд 21", .95), "24 Aug 21"},
		},
		"a page of Cyrillic alone": {
			{as("DOMA", .92), as("ФОМА", .7), "ФОМА"},
			{as("MVK. Ara", .94), as("МУЖ. Дата", .85), "МУЖ. Дата"},
			{as("Ommecmeo", .5), as("Отчество", .8), "Отчество"},
			{as("BAJIEEB", 1), as("ВАЛЕЕВ", .9), "ВАЛЕЕВ"},
			{as("Mecmo poxdehua", .6), as("Место рождения", .9), "Место рождения"},
			{as("K7 _", .5), as("Ж", .4), "K7 _"},
		},
		"a blurred Latin card on a page of a newspaper": {
			{as("y Oo Tenepb", .6), as("что теперь", .9), "что теперь"},
			{as("pacckaza7 Mзp", .6), as("рассказал мэр", .95), "рассказал мэр"},
			{as("Helsinkl", .8), as("Нεlsінкі", .85), "Helsinkl"},
			{as("Suknimi Efternmn", .7), as("Sиμпіmі Εftегnатп", .8), "Suknimi Efternmn"},
			{as("KORTTINRO 1234567", .75), as("КОЯТТИRО №Ы 1234567", .85), "KORTTINRO 1234567"},
		},
		"a Latin page with a line that is hardly read": {
			{as("Surname", 1), as("Ѕигпаmе", .7), "Surname"},
			{as("KRZYŻANOWSKI", 1), as("КЯZУŻАИОWЅКІ", .85), "KRZYŻANOWSKI"},
			{as("lW~", .4), as("Ш", .6), "lW~"},
		},
	} {
		var lines []Line
		var read []Reading
		for _, r := range page {
			lines = append(lines, Line{Reading: r.latin})
			read = append(read, r.other)
		}
		takeOther(lines, read, false)
		for i, r := range page {
			if lines[i].Text != r.want || lines[i].Other != (r.want == r.other.Text && r.want != r.latin.Text) {
				t.Errorf("%s: %q is read as %q, of another script %v, want %q", name, r.latin.Text, lines[i].Text, lines[i].Other, r.want)
			}
		}
	}
}

func TestALatinCardOnACyrillicNewspaperStaysLatin(t *testing.T) {
	var lines []Line
	var read []Reading
	add := func(latin, other string, sure, otherSure, x, y, turned float64) {
		p := Reading{Chars: make([]float64, len([]rune(other)))}
		for i := range p.Chars {
			p.Chars[i] = otherSure
		}
		l := Line{Reading: Reading{Text: latin, Confidence: sure}, Strip: ocr.Strip{X: x, Y: y, UX: math.Cos(turned), UY: math.Sin(turned), Length: 150, Height: 20}}
		for range []rune(latin) {
			l.Chars = append(l.Chars, sure)
		}
		lines, read = append(lines, l), append(read, p.of([]rune(other)))
	}
	for row := range 5 {
		add("pacckaza7 Mзp", "рассказал мэр", .6, .95, 100, 100+25*float64(row), .25)
		add("No bI", "№ Ы", .72, .8, 500, 300+25*float64(row), 0)
	}
	if !takeOtherByBlock(lines, read, false) {
		t.Error("no line is in another script")
	}
	for i, l := range lines {
		if want := i%2 == 0; l.Other != want {
			t.Errorf("%q is of another script %v, want %v", l.Text, l.Other, want)
		}
	}
}
