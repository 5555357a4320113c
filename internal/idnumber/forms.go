package idnumber

import "strings"

// british reads five letters of the family name, nines where it has fewer; the last digits of the year but for the month and day of
// birth between them, the month with 50 added for women; two initials or a nine; and what tells drivers of one name apart.
func british(text string) (Number, bool) {
	month := at(text, 6, 8)
	if month > 50 {
		month -= 50
	}
	year := 10*at(text, 5, 6) + at(text, 10, 11)
	family := strings.TrimRight(text[:5], "9")
	if family == "" || strings.ContainsAny(family, "0123456789") {
		return Number{}, false
	}
	return Number{Births: days(month, at(text, 8, 10), 1900+year, 2000+year), Family: family, Whole: len(family) < 5}, true
}

// swedish reads YYMMDD NNN C with a check digit by Luhn's method. Days of coordination numbers have 60 added.
func swedish(text string) (Number, bool) {
	day, year := at(text, 4, 6), at(text, 0, 2)
	if day > 60 {
		day -= 60
	}
	return checked(luhn(text), days(at(text, 2, 4), day, 1900+year, 2000+year)...)
}

func swedishLong(text string) (Number, bool) {
	n, ok := swedish(text[2:])
	var births []string
	for _, b := range n.Births {
		if b[:2] == text[:2] {
			births = append(births, b)
		}
	}
	return checked(ok, births...)
}

// finnishSigns are the check characters by the number modulo 31.
const finnishSigns = "0123456789ABCDEFHJKLMNPRSTUVWXY"

// finnish reads DDMMYY NNN C of those born before 2000, whose sign of the century is no letter.
func finnish(text string) (Number, bool) {
	year := at(text, 4, 6)
	return checked(
		text[9] == finnishSigns[at(text, 0, 9)%31],
		days(at(text, 2, 4), at(text, 0, 2), 1800+year, 1900+year)...,
	)
}

// finnishLettered reads DDMMYY S NNN C: letters from A on are signs of the years from 2000 on, those from U on of the years before.
func finnishLettered(text string) (Number, bool) {
	year := 2000 + at(text, 4, 6)
	if text[6] >= 'U' {
		year -= 100
	}
	return checked(text[10] == finnishSigns[at(text[:6]+text[7:10], 0, 9)%31], days(at(text, 2, 4), at(text, 0, 2), year)...)
}

// norwegian reads DDMMYY NNN CC with two check digits modulo 11. Days of D-numbers have 40 added.
func norwegian(text string) (Number, bool) {
	first := weighted(text, 3, 7, 6, 1, 8, 9, 4, 5, 2, 1) % 11
	second := weighted(text, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1) % 11
	day, year := at(text, 0, 2), at(text, 4, 6)
	if day > 40 {
		day -= 40
	}
	return checked(first == 0 && second == 0, days(at(text, 2, 4), day, 1800+year, 1900+year, 2000+year)...)
}

// baltic reads G YYMMDD NNN C: the first digit tells the century and the sex.
func baltic(text string) (Number, bool) {
	check := weighted(text, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1) % 11
	if check == 10 {
		check = weighted(text, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3) % 11 % 10
	}
	century := at(text, 0, 1)
	if century < 1 || century > 8 {
		return Number{}, false
	}
	year := 1800 + (century-1)/2*100 + at(text, 1, 3)
	return checked(check == at(text, 10, 11), days(at(text, 3, 5), at(text, 5, 7), year)...)
}

// polish reads YYMMDD NNNN C; the month has 80, 20, 40 or 60 added for the centuries other than the twentieth.
func polish(text string) (Number, bool) {
	sum := weighted(text, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)
	month := at(text, 2, 4)
	century := 1900 + month/20*100
	if month > 80 {
		century = 1800
	}
	return checked(sum%10 == 0, days(month%20, at(text, 4, 6), century+at(text, 0, 2))...)
}

// belgian reads YYMMDD NNN CC: the last two are 97 less the number modulo 97, before which a 2 stands for those born from 2000 on.
func belgian(text string) (Number, bool) {
	number, check := at(text, 0, 9), at(text, 9, 11)
	month, day, year := at(text, 2, 4), at(text, 4, 6), at(text, 0, 2)
	switch check {
	case 97 - number%97:
		return checked(true, days(month, day, 1900+year)...)
	case 97 - (2_000_000_000+number)%97:
		return checked(true, days(month, day, 2000+year)...)
	}
	return Number{}, false
}

// czech reads YYMMDD NNN C, a multiple of 11; the month has 50 added for women, and 20 where numbers ran out.
func czech(text string) (Number, bool) {
	month := at(text, 2, 4)
	if month > 50 {
		month -= 50
	}
	if month > 20 {
		month -= 20
	}
	year := at(text, 0, 2)
	return checked(at(text, 0, 10)%11 == 0, days(month, at(text, 4, 6), 1900+year, 2000+year)...)
}

// bulgarian reads YYMMDD NNN C; the month has 20 added for the nineteenth century and 40 for the twenty-first.
func bulgarian(text string) (Number, bool) {
	month, year := at(text, 2, 4), 1900+at(text, 0, 2)
	switch {
	case month > 40:
		month, year = month-40, year+100
	case month > 20:
		month, year = month-20, year-100
	}
	check := weighted(text, 2, 4, 8, 5, 10, 9, 7, 3, 6) % 11 % 10
	return checked(check == at(text, 9, 10), days(month, at(text, 4, 6), year)...)
}

// romanian reads S YYMMDD CC NNN C: the first digit tells the sex and the century, which it does not for residents (7 to 9).
func romanian(text string) (Number, bool) {
	check := weighted(text, 2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9) % 11
	if check == 10 {
		check = 1
	}
	year := at(text, 1, 3)
	years := []int{1900 + year, 2000 + year}
	switch at(text, 0, 1) {
	case 0:
		return Number{}, false
	case 1, 2:
		years = []int{1900 + year}
	case 3, 4:
		years = []int{1800 + year}
	case 5, 6:
		years = []int{2000 + year}
	}
	return checked(check == at(text, 12, 13), days(at(text, 3, 5), at(text, 5, 7), years...)...)
}
