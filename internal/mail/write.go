package mail

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
)

//go:embed words/*.json
var wordFiles embed.FS

//go:embed mail.html
var page string

// words are the texts of a language.
type words struct {
	Direction string           `json:"direction"` // ltr or rtl
	TestMode  string           `json:"test_mode"`
	Reason    string           `json:"reason"` // why the reader gets this mail
	Help      string           `json:"help"`
	Privacy   string           `json:"privacy"`
	Mails     map[Kind]wording `json:"mails"`
}

// wording are the texts of a kind of mail. {brand}, {until}, {count} and {detail} are filled in; subjects take {brand} alone.
type wording struct {
	Subject string   `json:"subject"`
	Lines   []string `json:"lines"`
	Button  string   `json:"button,omitempty"` // for the link; the link is left out where there is none
	After   []string `json:"after,omitempty"`
}

// Message is a mail that is ready to be sent.
type Message struct {
	To      string
	Subject string
	Text    string
	HTML    string
}

var layout = template.Must(template.New("mail").Parse(page))

// Write writes a mail in its language, as text and as HTML. HTML loads nothing from anywhere: no picture says that it was read.
func Write(m Mail) (Message, error) {
	to, err := deliverable(m.Content.To)
	if err != nil {
		return Message{}, err
	}
	w, err := wordsOf(m.Kind, m.Content.Language)
	if err != nil {
		return Message{}, err
	}
	said, ok := w.Mails[m.Kind]
	if !ok {
		return Message{}, fmt.Errorf("there are no words for mails of kind %s", m.Kind)
	}
	c := m.Content
	fill := strings.NewReplacer("{brand}", c.Brand.Name, "{until}", moment(c.Until), "{count}", strconv.Itoa(c.Count), "{detail}", c.Detail)
	subject := strings.ReplaceAll(said.Subject, "{brand}", c.Brand.Name)
	if c.TestMode {
		subject = w.TestMode + " " + subject
	}
	v := view{
		Language: w.language, Direction: w.Direction, Brand: c.Brand.Name, Colour: template.CSS(shade(c.Brand.Colour)), //nolint:gosec // shade answers six digits
		Ink: template.CSS(ink(shade(c.Brand.Colour))), Lines: each(said.Lines, fill), Code: c.Code, After: each(said.After, fill), //nolint:gosec // of two constants
		Reason: fill.Replace(w.Reason), Help: w.Help, Support: c.Brand.Support, PrivacyWord: w.Privacy, Privacy: c.Brand.Privacy,
	}
	if said.Button != "" && c.Link != "" {
		v.Button, v.Link = said.Button, c.Link
	}
	if !m.Kind.ToApplicants() {
		v.Reason = ""
	}
	var html strings.Builder
	if err := layout.Execute(&html, v); err != nil {
		return Message{}, fmt.Errorf("write a mail: %w", err)
	}
	return Message{To: to, Subject: oneLine(subject), Text: v.text(), HTML: html.String()}, nil
}

// view is what the layout shows.
type view struct {
	Language, Direction, Brand string
	Colour, Ink                template.CSS
	Lines, After               []string
	Button, Link, Code         string
	Reason                     string
	Help, Support              string
	PrivacyWord, Privacy       string
}

// text returns the same as plain text.
func (v view) text() string {
	parts := append([]string{}, v.Lines...)
	if v.Code != "" {
		parts = append(parts, "    "+v.Code)
	}
	if v.Link != "" {
		parts = append(parts, v.Button+":\n"+v.Link)
	}
	parts = append(parts, v.After...)
	foot := []string{"-- ", v.Brand}
	if v.Reason != "" {
		foot = append(foot, v.Reason)
	}
	if v.Support != "" {
		foot = append(foot, v.Help+": "+strings.TrimPrefix(v.Support, "mailto:"))
	}
	if v.Privacy != "" {
		foot = append(foot, v.PrivacyWord+": "+v.Privacy)
	}
	return strings.Join(parts, "\n\n") + "\n\n" + strings.Join(foot, "\n") + "\n"
}

// spoken are the texts of a language, with its code.
type spoken struct {
	words
	language string
}

// wordsOf returns the texts for a kind: those of members in English, those of applicants in their language, or English where there is none.
func wordsOf(k Kind, language string) (spoken, error) {
	code := "members"
	if k.ToApplicants() {
		code, _, _ = strings.Cut(strings.ToLower(language), "-")
	}
	raw, err := wordFiles.ReadFile("words/" + code + ".json")
	if err != nil {
		code = "en"
		raw, err = wordFiles.ReadFile("words/en.json")
	}
	if err != nil {
		return spoken{}, fmt.Errorf("read the words of mails: %w", err)
	}
	var w words
	if err := json.Unmarshal(raw, &w); err != nil {
		return spoken{}, fmt.Errorf("read the words of mails: %w", err)
	}
	if code == "members" {
		code = "en"
	}
	return spoken{words: w, language: code}, nil
}

func each(lines []string, fill *strings.Replacer) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = fill.Replace(line)
	}
	return out
}

// moment writes a time so that every reader understands it.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }

// oneLine returns s without anything that could begin another header (RFC 5322 §2.2).
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }), " ")
}

// plain is the colour of a deployment that states none.
const plain = "#0f766e"

// shade returns the colour as the button shows it.
func shade(colour string) string {
	if len(colour) != 7 || colour[0] != '#' || strings.Trim(colour[1:], "0123456789abcdef") != "" {
		return plain
	}
	return colour
}

// ink returns the colour of letters on a ground: black or white, whichever contrasts more (WCAG 2.2, relative luminance).
func ink(ground string) string {
	n, err := strconv.ParseUint(ground[1:], 16, 32)
	if err != nil {
		return "#ffffff"
	}
	light := 0.2126*linear(n>>16) + 0.7152*linear(n>>8) + 0.0722*linear(n)
	if light > 0.179 {
		return "#000000"
	}
	return "#ffffff"
}

// linear returns the light of one channel of sRGB, 0 to 1.
func linear(channel uint64) float64 {
	c := float64(channel&0xff) / 255
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}
