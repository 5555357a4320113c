// Package watchlist reads lists of sanctioned, exposed and watched people into one form, and keeps them in a folder.
//
// A reader streams: it holds one entry in memory at a time, takes no document type definitions, and bounds the file, the entry and
// the depth. An entry that cannot be read is counted and left out; a file in which more than one entry of a hundred cannot be
// read, that has shrunk by a fifth, is older or of another kind than the version in use is held, and the version in use stays.
package watchlist

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/names"
)

// Kind is what an entry stands for.
type Kind string

// Kinds of entries.
const (
	Person       Kind = "person"
	Organisation Kind = "organisation"
	Vessel       Kind = "vessel"
	Other        Kind = "other"
)

// Strength is how far a list trusts a name.
type Strength string

// Strengths of names.
const (
	Primary Strength = "primary"
	Good    Strength = "good"
	Weak    Strength = "weak"   // matches only as it is written, and only with another fact
	Former  Strength = "former" // earlier or maiden name: as good as any
)

// ListedName is one name of an entry: the whole, or its parts where the list has them.
type ListedName struct {
	Text     string   `json:"text"`
	Given    string   `json:"given,omitempty"`
	Family   string   `json:"family,omitempty"`
	Strength Strength `json:"strength"`
}

// Parsed reads the name for comparison.
func (n ListedName) Parsed() names.Name {
	if n.Given != "" && n.Family != "" {
		return names.ParseParts(n.Given, n.Family)
	}
	return names.Parse(n.Text)
}

// Document is a document of an entry. Number has letters and digits only, with O as 0.
type Document struct {
	Type   string `json:"type,omitempty"`
	Number string `json:"number"`
	Issuer string `json:"issuer,omitempty"` // as Country writes it
}

// Entity is one entry of a list.
type Entity struct {
	ID            string        `json:"id"`
	FormerIDs     []string      `json:"former_ids,omitempty"`
	Kind          Kind          `json:"kind"`
	Names         []ListedName  `json:"names"`
	Births        []names.Dates `json:"births,omitempty"`
	Sexes         []string      `json:"sexes,omitempty"`         // M, F
	Nationalities []string      `json:"nationalities,omitempty"` // as Country writes them
	Documents     []Document    `json:"documents,omitempty"`
	Topics        []string      `json:"topics,omitempty"` // sanction, role.pep and others, as OpenSanctions names them
	Programmes    []string      `json:"programmes,omitempty"`
	ListedOn      string        `json:"listed_on,omitempty"` // YYYY-MM-DD where the list says so
	Remarks       string        `json:"remarks,omitempty"`
	Until         string        `json:"until,omitempty"` // own lists: the last day on which the entry counts
}

// Digest identifies what is screened of an entry: kind, names, births, sexes, nationalities and documents.
func (e Entity) Digest() string {
	e.FormerIDs, e.Topics, e.Programmes, e.ListedOn, e.Remarks = nil, nil, nil, "", ""
	raw, _ := json.Marshal(e)
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Caption is the entry's first name.
func (e Entity) Caption() string {
	if len(e.Names) == 0 {
		return e.ID
	}
	return e.Names[0].Text
}

// Limits of one entry. What is beyond is left out.
const (
	maxNames     = 1000
	maxNameRunes = 2000
	maxFacts     = 200
	maxRemarks   = 2000
)

// tidy folds what the sources write differently, drops doubles, and reports whether the entry can be used.
func (e *Entity) tidy() bool {
	e.ID = clean(e.ID, 200)
	if slices.ContainsFunc(e.Names, ListedName.tooLong) {
		e.Remarks = cutRemark + " " + e.Remarks
	}
	e.Names = tidyNames(e.Names)
	for i := range e.Documents {
		e.Documents[i].Number = FoldNumber(e.Documents[i].Number)
		e.Documents[i].Issuer = Country(e.Documents[i].Issuer)
		e.Documents[i].Type = clean(e.Documents[i].Type, 200)
	}
	e.Documents = distinct(slices.DeleteFunc(e.Documents, func(d Document) bool { return len(d.Number) < 4 }))
	for i, n := range e.Nationalities {
		e.Nationalities[i] = Country(n)
	}
	e.Nationalities = distinct(slices.DeleteFunc(e.Nationalities, func(n string) bool { return n == "" }))
	e.Births = distinct(slices.DeleteFunc(e.Births, func(d names.Dates) bool { return !d.Known() || d.From.Year() < 1 }))
	e.Sexes = distinct(e.Sexes)
	e.FormerIDs, e.Topics, e.Programmes = distinct(e.FormerIDs), distinct(e.Topics), distinct(e.Programmes)
	e.Remarks = clean(e.Remarks, maxRemarks)
	return e.ID != "" && len(e.Names) > 0
}

// cutRemark is what a reviewer reads of an entry with a name that was too long.
const cutRemark = "A name of more than 2,000 letters was cut."

// tooLong reports whether a part of a name is cut.
func (n ListedName) tooLong() bool {
	return slices.ContainsFunc([]string{n.Given, n.Family, n.Text}, func(s string) bool { return clean(s, maxNameRunes) != clean(s, len(s)) })
}

func tidyNames(in []ListedName) []ListedName {
	var out []ListedName
	seen := map[string]bool{}
	for _, n := range byScript(in) {
		n.Given, n.Family, n.Text = clean(n.Given, maxNameRunes), clean(n.Family, maxNameRunes), clean(n.Text, maxNameRunes)
		if n.Text == "" {
			n.Text = strings.TrimSpace(n.Given + " " + n.Family)
		}
		key := strings.ToLower(n.Text)
		if n.Text == "" || seen[key] || len(out) == maxNames || len(n.Parsed().Tokens) == 0 {
			continue
		}
		seen[key] = true
		if n.Strength == "" {
			n.Strength = Good
		}
		out = append(out, n)
	}
	return out
}

// byScript separates a name from its form in another script, which lists write behind it in brackets: "Ivan Zahran (original
// script: Иван Захран)". It keeps brackets in the same script, which may hold a remark.
func byScript(in []ListedName) []ListedName {
	out := make([]ListedName, 0, len(in))
	for _, n := range in {
		outside, rest, ok := strings.Cut(n.Text, "(")
		inside, after, _ := strings.Cut(rest, ")")
		if _, form, label := strings.Cut(inside, ":"); label {
			inside = form
		}
		if !ok || n.Given != "" || n.Family != "" || strings.TrimSpace(after) != "" || !otherScript(outside, inside) {
			out = append(out, n)
			continue
		}
		out = append(out, ListedName{Text: outside, Strength: n.Strength}, ListedName{Text: inside, Strength: n.Strength})
	}
	return out
}

// otherScript reports whether one of two texts is all in Latin letters and the other has none.
func otherScript(a, b string) bool {
	all, none := latinLetters(a)
	allB, noneB := latinLetters(b)
	return all && noneB || allB && none
}

// latinLetters reports whether a text has letters and they are all Latin, and whether it has letters and none is.
func latinLetters(s string) (all, none bool) {
	latin, other := 0, 0
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	return latin > 0 && other == 0, other > 0 && latin == 0
}

func distinct[T comparable](in []T) []T {
	var out []T
	for _, v := range in {
		if !slices.Contains(out, v) && len(out) < maxFacts {
			out = append(out, v)
		}
	}
	return out
}

// clean drops control characters and outer space, writes runs of space as one, and cuts at the limit.
func clean(s string, limit int) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))), " ")
	if r := []rune(s); len(r) > limit {
		s = string(r[:limit])
	}
	return s
}

// FoldNumber writes the number of a document with capital letters and digits only, the letter O as the digit 0.
func FoldNumber(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 'O':
			return '0'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, strings.ToUpper(s))
}

var byName = func() map[string]string {
	out := map[string]string{
		"russia": "RUS", "russian federation": "RUS", "iran": "IRN", "north korea": "PRK", "south korea": "KOR", "syria": "SYR", "tanzania": "TZA",
		"venezuela": "VEN", "bolivia": "BOL", "moldova": "MDA", "vietnam": "VNM", "laos": "LAO", "palestine": "PSE", "turkey": "TUR", "burma": "MMR",
		"democratic republic of the congo": "COD", "cote d ivoire": "CIV", "united states": "USA", "united kingdom": "GBR",
	}
	for _, s := range icao.States() {
		if s.ISO != "" {
			out[strings.ToLower(s.Name)] = s.ISO
		}
	}
	return out
}()

// Country writes a country as its three letters of ISO 3166-1, from two or three letters, the code of a machine-readable zone or
// an English name; what it does not know stays, in capitals.
func Country(s string) string {
	s = clean(s, 100)
	if code, ok := byName[strings.ToLower(s)]; ok {
		return code
	}
	upper := strings.ToUpper(s)
	if state, ok := icao.StateByCode(upper); ok && state.ISO != "" {
		return state.ISO
	}
	if len(upper) == 2 || len(upper) == 3 {
		if r, err := language.ParseRegion(upper); err == nil && r.IsCountry() {
			return r.ISO3()
		}
	}
	return upper
}

// sexOf folds what lists write for a sex; empty for what is neither.
func sexOf(s string) string {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "m", "male":
		return "M"
	case "f", "female":
		return "F"
	}
	return ""
}

func appendSex(in []string, s string) []string {
	if s = sexOf(s); s == "" {
		return in
	}
	return append(in, s)
}
