package relaid

import (
	"math/rand/v2"
	"unicode"
)

// Shares of what real pages print otherwise than most drawn ones.
const (
	specimenShare  = .1 // of pages whose holder has the name of a specimen: JANE SAMPLE
	overprintShare = .15
	proseShare     = .1 // of pages that lie on or beside other print
)

// withSpecimen is a state whose people have the names that issuers print on specimens, in place of all names or of the given ones.
func (w vocabulary) withSpecimen(rng *rand.Rand, s state) state {
	if chance(rng, .8) {
		s.families = w.common["specimen_family"]
	}
	if chance(rng, .6) {
		s.men, s.women = w.common["specimen_given"], w.common["specimen_given"]
	}
	return s
}

// birthplace is a town as documents print it: by itself, or with its country or region.
func (p person) birthplace(rng *rand.Rand) string {
	town := pick(rng, p.state.towns...)
	region := pick(rng, p.state.code, p.state.code, pick(rng, p.state.names...), pick(rng, p.state.towns...))
	if scriptOf(town) == unicode.Cyrillic && chance(rng, .5) {
		return p.easternBirthplace(rng, town)
	}
	switch n := rng.IntN(20); {
	case n < 12:
		return town
	case n < 15:
		return town + ", " + region
	case n < 16:
		return town + " (" + region + ")"
	case n < 17:
		return town + pick(rng, "/", " / ", " - ") + region
	case n < 18:
		return town + " " + region
	case n < 19:
		return pick(rng, p.state.names...)
	}
	return pick(rng, "Mun. ", "Gem. ", "St. ", "Com. ", "Obl. ", "Dep. ") + town + pick(rng, "", " "+itoa(1+rng.IntN(20)))
}

// easternBirthplace is a town as passports in Cyrillic print it: behind what kind of place it is, and before its district or its state.
func (p person) easternBirthplace(rng *rand.Rand, town string) string {
	place := pick(rng, "ГОР. ", "ГОР. ", "Г. ", "г. ", "гр. ", "м. ", "С. ", "с. ", "ПОС. ", "ДЕР. ", "СМТ ") + town
	switch rng.IntN(4) {
	case 0:
		return place
	case 1:
		return place + pick(rng, " ", ", ") + pick(rng, p.state.names...)
	case 2:
		return place + " " + pick(rng, p.state.towns...) + pick(rng, "СКОЙ ОБЛ.", "СКОЙ ОБЛАСТИ", "СКОГО Р-НА", "СЬКА ОБЛ.", "СКИ КРАЙ")
	}
	return place + " " + pick(rng, "ОБЛ. ", "Р-Н ", "общ. ", "обл. ") + pick(rng, p.state.towns...)
}

// home is an address in one of the orders that documents print, its rows apart at ", ".
func (p person) home(rng *rand.Rand) string {
	street, town := pick(rng, p.state.streets...), pick(rng, p.state.towns...)
	code := figures(rng, pick(rng, "99999", "9999", "99-999", "999 99", "999999"))
	number := itoa(1+rng.IntN(180)) + pick(rng, "", "", "", figures(rng, "A"), "/"+itoa(1+rng.IntN(40)), "-"+itoa(1+rng.IntN(40)), " bis")
	flat := pick(rng, "", "", " bl. 3 sc. 1 et. 2 ap. "+itoa(1+rng.IntN(90)), " 2º B", " ap. "+itoa(1+rng.IntN(90)), " K:3 D:"+itoa(1+rng.IntN(20)),
		", "+itoa(1+rng.IntN(9))+".")
	house := street + pick(rng, " ", " ", " ", " nr. ", " nr.", " No. ", " č. ", " n. ", ", ") + number + flat
	region := pick(rng, p.state.towns...)
	switch rng.IntN(6) {
	case 0:
		return town + ", " + house
	case 1:
		return house + ", " + town
	case 2:
		return house + ", " + code + " " + town + ", " + pick(rng, region, pick(rng, p.state.names...))
	case 3:
		return code + " " + town + ", " + house
	case 4:
		return pick(rng, "Mun. ", "Jud. ", "Obec ", "Com. ", "C. ") + town + ", " + house
	}
	return house + ", " + town + pick(rng, " ("+region+")", " - "+region, ", "+region)
}

// twoSexes are how issuers print the sexes in their language and by their code, F then M.
var twoSexes = map[string][2]string{
	"pl": {"K", "M"}, "cs": {"Ž", "M"}, "sk": {"Ž/F", "M/M"}, "hr": {"Ž/F", "M/M"}, "sl": {"Ž/F", "M/M"}, "bs": {"Ž/F", "M/M"},
	"hu": {"NŐ/F", "FÉRFI/M"}, "nl": {"V/F", "M/M"}, "tr": {"K/F", "E/M"}, "fi": {"N/F", "M/M"}, "et": {"N/F", "M/M"}, "lv": {"S/F", "V/M"},
	"lt": {"M/F", "V/M"}, "sv": {"K/F", "M/M"}, "nb": {"K/F", "M/M"}, "da": {"K/F", "M/M"}, "de": {"W/F", "M/M"}, "es": {"M/F", "H/M"},
}

// prose is print that a document lies on or beside; none of its words is a field's.
var prose = []string{
	"the city council decided on Tuesday that", "new timetables come into force", "of the largest companies in the region said",
	"he told reporters after the meeting", "prices rose by 3.2 % in March", "see page 14", "read more on our website",
	"ist seit gestern wieder geöffnet", "wie die Stadt am Montag mitteilte", "les travaux dureront jusqu'au printemps",
	"selon le ministère, la mesure", "el tiempo mejora a partir del jueves", "segundo a empresa, o serviço", "secondo gli esperti il mercato",
	"Thank you for your purchase", "Total 24,90 EUR", "Tel. 0800 555 0199", "please keep this receipt", "COPY", "SCANNED", "1 / 2",
	"Form 27-B", "For office use only", "в городе открылась новая", "по словам директора, работа", "цены выросли на 3,2 %",
	"σύμφωνα με την εταιρεία", "το πρόγραμμα αρχίζει", "to be completed by the applicant", "I agree to the terms of use",
	"www.example.com", "Montag 8:00 - 16:00",
}

// surroundings set print about the document, beside, above or below it, and a word for specimen across it.
func (t *setter) surroundings(wide, tall float64) {
	rng := t.rng
	if chance(rng, overprintShare) {
		h := between(rng, 1.2, 4)
		text := []rune(pick(rng, "SPECIMEN", "SPECIMEN", "SAMPLE", "SAMPLE", "VOID", "MUSTER", "SPÉCIMEN", "VZOR", "WZÓR", "MINTA", "COPY", "NOT VALID"))
		t.add(string(text[:len(text)-rng.IntN(2)*rng.IntN(3)]), between(rng, 0, wide), between(rng, 0, tall), h, false)
	}
	if !chance(rng, proseShare) {
		return
	}
	x, y, h := between(rng, -14, -8), between(rng, -4, tall), between(rng, .5, 1.5)
	if chance(rng, .5) {
		x, y = between(rng, 0, wide), tall+between(rng, 2, 6)
	}
	for range 2 + rng.IntN(9) {
		text := pick(rng, prose...)
		if cut := []rune(text); x < 0 { // the document lies on its end
			text = string(cut[:min(len(cut), 8+rng.IntN(10))])
		}
		t.add(text, x, y, h, true)
		y += 1.3 * h
	}
}
