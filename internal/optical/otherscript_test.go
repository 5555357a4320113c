package optical

import "testing"

func TestAWordIsWrittenInTheScriptThatItsLettersLeave(t *testing.T) {
	for text, want := range map[string]string{
		"HИKИTA":          "НИКИТА",       // Latin H, K, T, A
		"ΠΑΠΑΔΟΠΟYΛΟC":    "ΠΑΠΑΔΟΠΟΥΛΟC", // a Latin Y; Greek has no twin of C
		"ОСКАР":           "ОСКАР",
		"OCKAP":           "OCKAP",    // nothing tells
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

func TestALineIsReadInTheScriptThatReadsItMoreSurely(t *testing.T) {
	of := func(text string, sure float64) printed {
		chars := make([]float64, len([]rune(text)))
		for i := range chars {
			chars[i] = sure
		}
		return printed{text: text, chars: chars}
	}
	for name, c := range map[string]struct {
		other printed
		latin line
		want  bool
	}{
		"Cyrillic that the reader of Latin print guesses at": {of("Фамилия", .95), line{text: "Oamnnus", chars: of("Oamnnus", .6).chars}, true},
		"Latin print":                       {of("Пате", .7), line{text: "Name", chars: of("Name", .99).chars}, false},
		"letters that Latin has, too":       {of("ОСКАР", .99), line{text: "OCKAP", chars: of("OCKAP", .98).chars}, false},
		"a line that both read as a number": {of("12.08.1974", .99), line{text: "12.08.1974", chars: of("12.08.1974", .9).chars}, false},
	} {
		if got := prefersOther(c.other, c.latin); got != c.want {
			t.Errorf("%s: taken %v, want %v", name, got, c.want)
		}
	}
}
