package relaid

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// americanShare is how many of the drawn pages are licences of North America. Each state designs its own within AAMVA's standard (DL/ID card
// design standard, annex A), and most print names and address under no label but the field's number, which is the smallest print of the card.
const americanShare = .14

// licence is the design of one licence of North America.
type licence struct {
	setter
	dates    dateForm
	numbered bool    // fields have their numbers
	lost     float64 // how often a number is not read
	glued    float64 // how often a number is read as one word with its value
	colon    string
	names    string // how the name is set: rows, reversed, one row, comma or labels
}

// american draws a licence of North America.
func (m *Mill) american(rng *rand.Rand) Drawn {
	w := m.words
	code := pick(rng, "USA", "USA", "USA", "CAN")
	state := w.wider(rng, w.states[slices.IndexFunc(w.states, func(s state) bool { return s.code == code })])
	p := personOf(rng, state)
	p.title = chance(rng, .06)
	l := licence{
		setter: setter{words: w, rng: rng, state: state, kind: idv.DrivingLicence, style: style{wide: between(rng, .46, .62), size: 1, step: 1.25}},
		dates: dateForm{upper: true, layout: pick(rng,
			"01/02/2006", "01/02/2006", "01/02/2006", "01-02-2006", "1/2/2006", "01/02/06", "2006/01/02", "02-MON-2006",
		)},
		numbered: chance(rng, .65), lost: pick(rng, 0, .05, .2, .5, 1), glued: pick(rng, 0, 0, .1, .3), colon: pick(rng, "", "", ":"),
	}
	l.names = pick(rng, "rows", "rows", "rows", "labels")
	if !l.numbered {
		l.names = pick(rng, "rows", "reversed", "reversed", "one row", "one row", "comma", "labels")
	}
	out := facts.Cached{
		Layout: facts.UnknownLayout, Group: "driving_licence", Camera: "relaid", Good: true, Today: today.Format(time.DateOnly),
		WantKind: idv.DrivingLicence, WantIssuer: state.code, Kind: "unknown",
	}
	if chance(rng, .5) {
		out.Kind, out.Issuer = idv.DrivingLicence, "USA"
	}
	out.Truth = l.card(p)
	labels := camera{rng: rng, dirt: m.dirt}.shoot(&out, l.runs)
	return Drawn{Cached: out, Labels: labels}
}

// card sets a card and returns what it states.
func (l *licence) card(p person) []facts.Truth {
	rng := l.rng
	c := content{kind: idv.DrivingLicence, state: l.state, dates: l.dates}
	of := map[idv.ClaimName]facts.Truth{}
	for _, name := range []idv.ClaimName{
		idv.FamilyName, idv.GivenNames, idv.DocumentNumber, idv.DateOfBirth, idv.DateOfIssue, idv.DateOfExpiry, idv.Sex, idv.Address,
	} {
		v := p.value(rng, c, name)
		of[name] = facts.Truth{Name: name, Value: v[0], Printed: v[1]}
	}
	if l.names == "one row" || l.names == "comma" {
		// A middle name is often one letter.
		if first, _, two := strings.Cut(of[idv.GivenNames].Value, " "); two || chance(rng, .5) {
			v := first + " " + figures(rng, "A") + pick(rng, "", ".")
			of[idv.GivenNames] = facts.Truth{Name: idv.GivenNames, Value: v, Printed: v}
		}
	}
	x := between(rng, 8, 13)
	y := l.head(x)
	parts := []func(x, y float64) float64{
		func(x, y float64) float64 { return l.numberAndDays(of, x, y) },
		func(x, y float64) float64 { return l.holder(of, x, y) },
		func(x, y float64) float64 { return l.small(of, x, y) },
	}
	if chance(rng, .45) {
		parts[0], parts[1] = parts[1], parts[0]
	}
	for _, set := range parts {
		y = set(x, y) + between(rng, 0, .8)
	}
	l.around(of, x, y)
	var out []facts.Truth
	for _, name := range drawnFacts {
		if t, stated := of[name]; stated {
			out = append(out, t)
		}
	}
	return out
}

// head sets the state and the title.
func (l *licence) head(x float64) float64 {
	rng, y := l.rng, 0.0
	l.add(strings.ToUpper(l.inventedState()), between(rng, 0, x), y, between(rng, 1.3, 2.6), false)
	title := pick(rng, "DRIVER LICENSE", "DRIVER'S LICENSE", "DRIVERS LICENSE", "Driver License", "OPERATOR LICENSE", "IDENTIFICATION CARD",
		"DRIVER'S LICENCE", "COMMERCIAL DRIVER LICENSE")
	if chance(rng, .5) {
		y += 2
	}
	l.add(title, x+between(rng, 0, 12), y, between(rng, .8, 1.3), false)
	if chance(rng, .6) {
		l.add("USA", x+between(rng, 12, 22), between(rng, -1, 1), between(rng, .6, 1), false)
	}
	if chance(rng, .2) {
		note := pick(rng, "NOT FOR FEDERAL IDENTIFICATION", "LIMITED-TERM", "FEDERAL LIMITS APPLY", "UNDER 21 UNTIL 2027", "Secretary of State", "Commissioner")
		l.add(note, x, y+1.2, .7, true)
	}
	return y + between(rng, 1.6, 3)
}

// inventedState is the name of a state: one of North America's, mostly.
func (l *licence) inventedState() string {
	return pick(l.rng, "OHIO", "TEXAS", "NEVADA", "OREGON", "NEW YORK", "VIRGINIA", "MONTANA", "IDAHO", "VERMONT", "ONTARIO", "MANITOBA", "NORTH CAROLINA",
		"RHODE ISLAND", "HAWAII", "ALASKA", "DELAWARE", l.inventedWord(itoa(l.rng.IntN(1e6))))
}

// field sets a number, a label and a value, and returns where it ends.
func (l *licence) field(number, key, label, value string, x, y, h float64) float64 {
	rng := l.rng
	if l.numbered && number != "" && !chance(rng, l.lost) {
		switch {
		case chance(rng, l.glued) && label == "":
			value = number + value
		case chance(rng, l.glued):
			label = number + label
		default:
			x = l.label(key, number, x, y+.1, h*pick(rng, .6, .75, 1)) + .35*h
		}
	}
	if label != "" {
		x = l.label(key, label+l.colon, x, y, h*pick(rng, .8, 1, 1)) + .4*h
	}
	return l.add(value, x, y, h, false)
}

// numberAndDays set the licence's number and its three days: each on a row, or two on one.
func (l *licence) numberAndDays(of map[idv.ClaimName]facts.Truth, x, y float64) float64 {
	rng := l.rng
	h := pick(rng, 1, 1, 1.1, 1.25)
	words := map[idv.ClaimName]string{
		idv.DocumentNumber: pick(rng, "DL", "DLN", "LIC NO", "LIC. NO.", "NO", "NO.", "DL NO", "DL#", "ID", "LICENSE NO", "LIC#", "CUSTOMER NO", "", "NUMBER"),
		idv.DateOfBirth:    pick(rng, "DOB", "DOB", "DOB", "D.O.B.", "DATE OF BIRTH", "BIRTHDATE", "Birth"),
		idv.DateOfExpiry:   pick(rng, "EXP", "EXP", "EXP", "EXPIRES", "EXP DATE", "Expires", "VALID UNTIL"),
		idv.DateOfIssue:    pick(rng, "ISS", "ISS", "ISS", "ISSUED", "ISSUE DATE", "Iss", "Issued"),
	}
	numbers := map[idv.ClaimName]string{idv.DocumentNumber: "4d", idv.DateOfBirth: "3", idv.DateOfExpiry: "4b", idv.DateOfIssue: "4a"}
	order := []idv.ClaimName{idv.DocumentNumber, idv.DateOfBirth, idv.DateOfExpiry, idv.DateOfIssue}
	if chance(rng, .4) {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	beside, end := chance(rng, .5), x
	for i, name := range order {
		at := x
		if beside && i%2 == 1 {
			y -= 1.35 * h
			at = max(end+between(rng, .8, 3), x+between(rng, 8, 14))
		}
		end = l.field(numbers[name], string(name), words[name], of[name].Printed, at, y, h)
		y += 1.35 * h
	}
	return y
}

// holder sets names and address.
func (l *licence) holder(of map[idv.ClaimName]facts.Truth, x, y float64) float64 {
	rng := l.rng
	h := pick(rng, 1, 1, 1.1, 1.25)
	step := h * between(rng, 1.1, 1.4)
	family, given := of[idv.FamilyName].Printed, of[idv.GivenNames].Printed
	row := func(number string, key idv.ClaimName, label, value string) {
		l.field(number, string(key), label, value, x, y, h)
		y += step
	}
	switch l.names {
	case "rows":
		row("1", idv.FamilyName, "", family)
		row("2", idv.GivenNames, "", given)
	case "reversed":
		row("", idv.GivenNames, "", given)
		row("", idv.FamilyName, "", family)
	case "one row":
		row("", idv.FamilyName, "", given+" "+family)
	case "comma":
		row("", idv.FamilyName, "", family+","+pick(rng, " ", "")+given)
	default:
		row("1", idv.FamilyName, pick(rng, "LN", "LAST NAME", "NAME", "Last"), family)
		row("2", idv.GivenNames, pick(rng, "FN", "FIRST NAME", "FIRST", "First"), given)
	}
	parts := l.addressOf(of)
	for i, part := range parts {
		number := ""
		if i == 0 {
			number = "8"
		}
		l.field(number, string(idv.Address), pick(rng, "", "", "", "", "", "", "ADDRESS"), part, x, y, h*.9)
		y += step * .95
	}
	return y
}

// addressOf is the address as licences print it, row by row; what is stated follows it.
func (l *licence) addressOf(of map[idv.ClaimName]facts.Truth) []string {
	rng := l.rng
	street := fmt.Sprintf("%d %s", 1+rng.IntN(9800), pick(rng, l.state.streets...))
	if chance(rng, .08) {
		street = pick(rng, "RR ", "PO BOX ", "BOX ", "HC ") + itoa(1+rng.IntN(400))
	}
	zip := figures(rng, pick(rng, "99999", "99999", "99999-9999"))
	state := pick(rng, "OH", "TX", "NV", "OR", "NY", "VA", "MT", "ID", "VT", "NC")
	town := strings.ToUpper(pick(rng, l.state.towns...)) + pick(rng, ", ", ", ", " ", ",") + state + " " + zip
	rows := []string{strings.ToUpper(street), town}
	if chance(rng, .15) {
		rows = slices.Insert(rows, 1, pick(rng, "APT ", "APT. ", "UNIT ", "# ")+itoa(1+rng.IntN(60)))
	}
	v := strings.Join(rows, " ")
	of[idv.Address] = facts.Truth{Name: idv.Address, Value: v, Printed: v}
	return rows
}

// small sets the description of the holder and what the licence is for.
func (l *licence) small(of map[idv.ClaimName]facts.Truth, x, y float64) float64 {
	rng := l.rng
	fields := [][3]string{
		{"15", "SEX", of[idv.Sex].Printed[:1]},
		{"16", pick(rng, "HGT", "HT"), fmt.Sprintf("%d'-%02d\"", 4+rng.IntN(3), rng.IntN(12))},
		{"17", pick(rng, "WGT", "WT"), fmt.Sprintf("%d%s", 95+rng.IntN(160), pick(rng, "", " lb", " lbs"))},
		{"18", "EYES", pick(rng, "BRO", "BLU", "GRN", "HAZ", "BRN")},
		{"19", "HAIR", pick(rng, "BRO", "BLK", "BLN", "GRY")},
		{"9", "CLASS", pick(rng, "D", "C", "E", "M", "A")},
		{"9a", pick(rng, "END", "ENDORSEMENTS", "ENDORSE"), pick(rng, "NONE", "P", "M")},
		{"12", pick(rng, "REST", "RSTR", "RESTRICTIONS"), pick(rng, "NONE", "A", "B")},
		{"5", "DD", figures(rng, pick(rng, "9999999999999", "A99999999999", "99999999AA9999"))},
	}
	if chance(rng, .5) {
		rng.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	}
	at, end := 0, x
	for _, f := range fields {
		if f[1] != "SEX" && chance(rng, .15) {
			continue
		}
		key := map[string]string{"SEX": string(idv.Sex)}[f[1]]
		if key == "" {
			key = "other"
		}
		if at%2 == 1 {
			end = l.field(f[0], key, f[1], f[2], max(end+between(rng, .6, 3), x+7), y, .9)
			y += 1.2
		} else {
			end = l.field(f[0], key, f[1], f[2], x, y, .9)
		}
		at++
	}
	return y + 1.2*float64(at%2)
}

// around sets what is printed about the fields: the day of birth once more, a donor's mark, a signature.
func (l *licence) around(of map[idv.ClaimName]facts.Truth, x, y float64) {
	rng := l.rng
	l.surroundings(20, y)
	if chance(rng, .6) {
		birth := of[idv.DateOfBirth].Printed
		l.add(pick(rng, birth, strings.NewReplacer("/", "", "-", "").Replace(birth)), x+between(rng, 10, 20), between(rng, 3, y), between(rng, .6, 1.2), true)
	}
	if chance(rng, .5) {
		l.add(pick(rng, "DONOR", "ORGAN DONOR", "VETERAN", "SAFE DRIVER", "DUPS: 00"), x+between(rng, 0, 16), between(rng, 3, y), .8, true)
	}
	for range rng.IntN(3) {
		l.runs = append(l.runs, run{
			text: l.inventedWord(itoa(rng.IntN(1e6))), x: between(rng, -1, 4), y: y + between(rng, -2, 1), h: between(rng, 1, 2), small: true, dirt: true,
		})
	}
	if chance(rng, .25) {
		l.add(pick(rng, legal...), x, y+.4, .6, true)
	}
}
