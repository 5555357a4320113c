package relaid

import (
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// heading sets the state's name and the title, or one of them, and returns where the fields begin.
func (t *setter) heading(c content, y float64) float64 {
	x, h := between(t.rng, 0, 8), between(t.rng, .8, 1.6)
	var all []string
	if chance(t.rng, .8) {
		all = append(all, strings.Join(c.state.names[:1+t.rng.IntN(len(c.state.names))], pick(t.rng, " / ", " · ", " ")))
	}
	if title := t.titleOf(c); title != "" && chance(t.rng, .85) {
		all = append(all, t.titleRows(title)...)
	}
	if chance(t.rng, .4) && len(all) < 3 {
		slices.Reverse(all)
	}
	side := chance(t.rng, .25)
	for _, text := range all {
		end := t.add(text, x, y, h, false)
		if side {
			x = end + between(t.rng, 1, 6)
			continue
		}
		y += 1.4 * h
	}
	if chance(t.rng, .15) { // the state's sign
		t.add(pick(t.rng, c.state.code, c.state.code[:1]), -between(t.rng, 0, 3), y, h, false)
	}
	return y + between(t.rng, .8, 2)
}

// titleRows are a title on one row, or on two.
func (t *setter) titleRows(title string) []string {
	words := strings.Fields(title)
	if len(words) < 2 || !chance(t.rng, .3) {
		return []string{title}
	}
	at := 1 + t.rng.IntN(len(words)-1)
	return []string{strings.Join(words[:at], " "), strings.Join(words[at:], " ")}
}

// titleOf is a document's title in the page's languages.
func (t *setter) titleOf(c content) string {
	var all []string
	for _, language := range append(t.style.languages, c.state.languages...) {
		if some := t.words.titles[c.kind][language]; len(some) > 0 {
			all = append(all, pick(t.rng, some...))
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) == 0 {
		return ""
	}
	t.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	title := strings.Join(all[:1+t.rng.IntN(min(2, len(all)))], pick(t.rng, " / ", " ", " · "))
	if chance(t.rng, .2) { // in a language that nobody speaks
		title = strings.ToUpper(t.inventedWord(title))
	}
	if chance(t.rng, .2) {
		title = capitalised(strings.ToLower(title))
	}
	return title
}

// legal are sentences that documents print.
var legal = []string{
	"This card remains the property of the issuing State", "If found please return to any police station",
	"Ce document doit être présenté à toute réquisition",
	"Dieser Ausweis ist Eigentum des Ausstellers", "The bearer is entitled to work",
	"Not valid for travel outside the territory", "Unauthorised alteration is an offence",
	"Autorisé à travailler", "Este documento es personal e intransferible", "Bei Verlust bitte zurücksenden",
	"SEE OVER", "www.example.org/verify", "Law of 12 March 2004, art. 7",
	"UNION EUROPÉENNE · EUROPEAN UNION", "Official use only", "NO RESTRICTIONS", "Machine readable document",
	"page 2", "DO NOT LAMINATE", "Signature du titulaire / Holder",
}

// rest sets what states nothing below the fields, at the right edge and across the page.
func (t *setter) rest(c content, y float64) {
	t.surroundings(20, y)
	for range t.rng.IntN(4) {
		size := between(t.rng, .4, .8)
		t.add(pick(t.rng, legal...), between(t.rng, 0, 10), y, size, true)
		y += 1.3 * size
	}
	edge := between(t.rng, 20, 34)
	if chance(t.rng, .35) { // a number repeated, or another one
		text := figures(t.rng, pick(t.rng, "999999", "A9999999", "999 999", "9999999999999", "AA999999 9"))
		if i := slices.IndexFunc(c.fields, func(f field) bool { return f.truth.Name == idv.DocumentNumber }); i >= 0 && chance(t.rng, .5) {
			text = c.fields[i].truth.Printed
		}
		t.add(text, edge, between(t.rng, 0, y), between(t.rng, .6, 1.5), false)
	}
	if chance(t.rng, .25) { // a day repeated beside the second portrait
		if i := slices.IndexFunc(c.fields, func(f field) bool { return f.truth.Name == idv.DateOfBirth }); i >= 0 {
			t.add(strings.ReplaceAll(c.fields[i].truth.Printed, " ", ""), edge, between(t.rng, 0, y), .7, true)
		}
	}
	if chance(t.rng, .3) { // a table of days on the back
		for range 1 + t.rng.IntN(4) {
			t.add(pick(t.rng, "A1", "B", "BE", "AM", "C1", "D"), 0, y, .7, true)
			t.add(otherDay(t.rng, c), between(t.rng, 5, 6), y, .7, true)
			y++
		}
	}
	for range t.rng.IntN(4) { // a signature, security print
		t.runs = append(t.runs, run{
			text: t.inventedWord(itoa(t.rng.IntN(1e6))), x: between(t.rng, -4, edge), y: between(t.rng, 0, y+2), h: between(t.rng, .3, 1.8), small: true, dirt: true,
		})
	}
}
