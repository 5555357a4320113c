package idnumber

// latvian reads DDMMYY C NNN C: the seventh digit tells the century.
func latvian(text string) (Number, bool) {
	century := at(text, 6, 7)
	if century > 2 {
		return Number{}, false
	}
	check := (1 + weighted(text, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9)) % 11 % 10
	return checked(check == at(text, 10, 11), days(at(text, 2, 4), at(text, 0, 2), 1800+100*century+at(text, 4, 6))...)
}

// icelandic reads DDMMYY NN C and a digit for the century.
func icelandic(text string) (Number, bool) {
	century, known := map[byte]int{'8': 1800, '9': 1900, '0': 2000}[text[9]]
	check := (11 - weighted(text, 3, 2, 7, 6, 5, 4, 3, 2)%11) % 11
	return checked(known && check == at(text, 8, 9), days(at(text, 2, 4), at(text, 0, 2), century+at(text, 4, 6))...)
}

// yugoslav reads DDMMYYY RR NNN C, as the states that were Yugoslavia have kept it.
func yugoslav(text string) (Number, bool) {
	year := 2000 + at(text, 4, 7)
	if year > 2800 {
		year -= 1000
	}
	check := (11 - weighted(text, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)%11) % 11
	return checked(check == at(text, 12, 13), days(at(text, 2, 4), at(text, 0, 2), year)...)
}

// greek reads DDMMYY NNNN C with a check digit by Luhn's method.
func greek(text string) (Number, bool) {
	year := at(text, 4, 6)
	return checked(luhn(text), days(at(text, 2, 4), at(text, 0, 2), 1900+year, 2000+year)...)
}

// hungarian reads G YYMMDD NNN C: the first digit tells sex and century. Weights rise for those born before 1997, and fall for others.
func hungarian(text string) (Number, bool) {
	var year int
	switch at(text, 0, 1) {
	case 1, 2:
		year = 1900 + at(text, 1, 3)
	case 3, 4:
		year = 2000 + at(text, 1, 3)
	default:
		return Number{}, false
	}
	sum := weighted(text, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	if year >= 1997 {
		sum = weighted(text, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
	}
	return checked(sum%11 == at(text, 10, 11), days(at(text, 3, 5), at(text, 5, 7), year)...)
}

// kazakh reads YYMMDD C NNNN C: the seventh digit tells sex and century.
func kazakh(text string) (Number, bool) {
	century := at(text, 6, 7)
	if century < 1 || century > 6 {
		return Number{}, false
	}
	check := weighted(text, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) % 11
	if check == 10 {
		check = weighted(text, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2) % 11
	}
	return checked(check == at(text, 11, 12), days(at(text, 2, 4), at(text, 4, 6), 1800+(century-1)/2*100+at(text, 0, 2))...)
}

// korean reads YYMMDD C NNNNN C: the seventh digit tells sex and century. Numbers given since October 2020 have no check digit.
func korean(text string) (Number, bool) {
	century := [...]int{1800, 1900, 1900, 2000, 2000, 1900, 1900, 2000, 2000, 1800}[at(text, 6, 7)]
	check := (11 - weighted(text, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)%11) % 10
	return checked(check == at(text, 12, 13), days(at(text, 2, 4), at(text, 4, 6), century+at(text, 0, 2))...)
}

// southAfrican reads YYMMDD NNNN, 0 to 2 for the residence, a digit without a meaning, and a check digit by Luhn's method.
func southAfrican(text string) (Number, bool) {
	year := at(text, 0, 2)
	return checked(luhn(text) && text[10] <= '2', days(at(text, 2, 4), at(text, 4, 6), 1900+year, 2000+year)...)
}

// luhn reports whether the last digit is the check digit of the others by Luhn's method (ISO/IEC 7812-1, annex B).
func luhn(text string) bool {
	sum := 0
	for i := range len(text) {
		d := int(text[len(text)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
