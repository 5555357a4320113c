package casefile

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Language is what a document is written in.
type Language string

// The languages of documents: those of the console.
const (
	English Language = "en"
	German  Language = "de"
)

// tongue writes in a language, in the words of the console.
type tongue struct {
	language Language
	console  map[string]string // by key, such as fact.family_name
	own      map[string]string // by the English text; empty for English
}

// speak returns the tongue of a language; English for one that there is not.
func speak(in Language) *tongue {
	if t, ok := tongues()[in]; ok {
		return t
	}
	return tongues()[English]
}

// wordsSource has the texts of the console, and those of documents alone under "paper.". cmd/gen makes it from web/src/i18n.
//
//go:embed words.json
var wordsSource []byte

var tongues = sync.OnceValue(func() map[Language]*tongue {
	words := map[Language]map[string]string{}
	if err := json.Unmarshal(wordsSource, &words); err != nil {
		panic("casefile: texts that are part of the program cannot be read: " + err.Error())
	}
	english, german := &tongue{language: English, console: words[English]}, &tongue{language: German, console: words[German], own: map[string]string{}}
	for key, text := range words[German] {
		if own, ok := strings.CutPrefix(key, "paper."); ok {
			german.own[own] = text
		}
	}
	return map[Language]*tongue{English: english, German: german, "": english}
})

// say returns a text of the document, or a format of one.
func (t *tongue) say(english string) string {
	if here := t.own[english]; here != "" {
		return here
	}
	return english
}

// all says the heads of a table.
func (t *tongue) all(english ...string) []string {
	for i, text := range english {
		english[i] = t.say(text)
	}
	return english
}

// code returns what the console calls a code of some kind, with a capital; the code in words where it has no name for it.
func (t *tongue) code(kind string, code any) string {
	if text := t.console[kind+"."+fmt.Sprint(code)]; text != "" {
		return capital(text)
	}
	return t.words(code)
}

// words are the words that a code is made of.
func (t *tongue) words(code any) string { return t.say(words(code)) }

// rule names the row of the policy, or the rule, that decided.
func (t *tongue) rule(name string) string {
	if text := t.console["said."+name]; text != "" {
		return capital(text)
	}
	return t.words(name)
}

func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// quote puts what somebody wrote between quotation marks.
func (t *tongue) quote(text string) string { return fmt.Sprintf(t.say("“%s”"), text) }

// by names who decided.
func (t *tongue) by(who string) string {
	if who == "policy" {
		return t.say("policy")
	}
	return who
}

// reason is what a reason means, to reviewers.
func (t *tongue) reason(code string) string {
	for _, part := range []string{"reviewer", "title"} {
		if text := t.console["problem."+code+"."+part]; text != "" && t.language != English {
			return text
		}
	}
	return reasonText(code)
}

func (t *tongue) notice(code string) string {
	if text := t.console["notice."+code]; text != "" {
		return text
	}
	return t.say(notice(code))
}

func (t *tongue) question(k idv.CheckKind) string {
	if text := t.console["check."+string(k)]; text != "" {
		return text
	}
	return question(k)
}

// found says how a check ended.
func (t *tongue) found(c idv.Check) string {
	if c.Lifecycle == idv.CheckSettled && c.Finding != nil {
		return t.code("checks", c.Finding.Outcome)
	}
	return t.code("checks", c.Lifecycle)
}

func (t *tongue) when(at time.Time) string {
	if t.language == German {
		return at.UTC().Format("02.01.2006 15:04:05 UTC")
	}
	return when(at)
}

// number writes a number with the decimal mark of the language.
func (t *tongue) number(n *float64) string { return t.decimal(number(n)) }

func (t *tongue) decimal(text string) string {
	if t.language == German {
		return strings.ReplaceAll(text, ".", ",")
	}
	return text
}

// rates are the measured error rates at a threshold, in words.
func (t *tongue) rates(r *idv.ErrorRates) string {
	if r == nil {
		return ""
	}
	var out []string
	for _, one := range []struct {
		name string
		rate *float64
	}{{"false match", r.FMR}, {"false non-match", r.FNMR}, {"attacks accepted", r.APCER}, {"genuine refused", r.BPCER}} {
		if one.rate != nil {
			out = append(out, t.say(one.name)+" "+t.decimal(strconv.FormatFloat(*one.rate*100, 'g', 3, 64))+" %")
		}
	}
	if len(out) == 0 {
		return ""
	}
	on := "measured on generated data (%s)"
	if r.OnPeople {
		on = "measured on real people (%s)"
	}
	return strings.Join(out, ", ") + ", " + fmt.Sprintf(t.say(on), r.DataSet)
}
