package casefile

import (
	"strings"
	"unicode"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// family is the name of the fonts within a document. They are the Go fonts, which have letters for Latin, Greek and Cyrillic.
const family = "Go"

var fonts = map[string][]byte{"": goregular.TTF, "B": gobold.TTF}

// letters knows which letters the fonts have.
type letters struct {
	font    *sfnt.Font
	buffer  sfnt.Buffer
	known   map[rune]bool
	foreign []string // words that were transliterated
}

func newLetters() *letters {
	font, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		panic("casefile: a font that is part of the program does not parse: " + err.Error())
	}
	return &letters{font: font, known: map[rune]bool{}}
}

func (l *letters) has(r rune) bool {
	if known, ok := l.known[r]; ok {
		return known
	}
	index, err := l.font.GlyphIndex(&l.buffer, r)
	l.known[r] = err == nil && index != 0
	return l.known[r]
}

// readable returns a text that the fonts can show: runs of letters that they lack are transliterated, in brackets. What
// orders text or cannot be seen is left out.
func (l *letters) readable(text string) string {
	var out, run strings.Builder
	flush := func() {
		if run.Len() == 0 {
			return
		}
		l.foreign = append(l.foreign, run.String())
		said := strings.TrimSpace(unidecode.Unidecode(run.String()))
		if said == "" {
			said = "?"
		}
		out.WriteString("<" + said + ">")
		run.Reset()
	}
	for _, r := range text {
		switch {
		case r == '\n' || r == ' ' || l.has(r):
			flush()
			out.WriteRune(r)
		case unicode.In(r, unicode.Cf, unicode.Cc):
		default:
			run.WriteRune(r)
		}
	}
	flush()
	return out.String()
}
