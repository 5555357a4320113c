package idnumber

import "strings"

// italian reads six letters of the names, YY, a letter for the month, DD, with 40 added for women, the place and a check letter. Letters stand for
// figures where two people would have one code.
func italian(text string) (Number, bool) {
	const figures, months = "LMNPQRSTUV", "ABCDEHLMPRST"
	plain := []byte(text)
	for _, i := range []int{6, 7, 9, 10, 12, 13, 14} {
		if at := strings.IndexByte(figures, plain[i]); at >= 0 {
			plain[i] = "0123456789"[at]
		} else if plain[i] > '9' {
			return Number{}, false
		}
	}
	number, month := string(plain), strings.IndexByte(months, text[8])
	year, day := at(number, 6, 8), at(number, 9, 11)
	if day > 40 {
		day -= 40
	}
	return checked(text[15] == italianCheck(text[:15]), days(month+1, day, 1900+year, 2000+year)...)
}

// italianCheck is the check letter: signs at odd places count by a table, the others by their place in the alphabet.
func italianCheck(text string) byte {
	odd := [...]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23}
	sum := 0
	for i, c := range text {
		v := int(c - '0')
		if c >= 'A' {
			v = int(c - 'A')
		}
		if i%2 == 0 {
			v = odd[v]
		}
		sum += v
	}
	return 'A' + byte(sum%26)
}

// mexican reads four letters of the names, YYMMDD, the sex, two letters of the state, three of the names, a sign that is a figure for those born before
// 2000 and a letter for others, and a check digit.
func mexican(text string) (Number, bool) {
	const signs = "0123456789ABCDEFGHIJKLMN*OPQRSTUVWXYZ" // the star is for Ñ, which is written as X
	sum := 0
	for i, c := range text[:17] {
		sum += strings.IndexRune(signs, c) * (18 - i)
	}
	year := 1900 + at(text, 4, 6)
	if text[16] > '9' {
		year += 100
	}
	return checked((10-sum%10)%10 == at(text, 17, 18) && strings.ContainsRune("HMX", rune(text[10])), days(at(text, 6, 8), at(text, 8, 10), year)...)
}

// chinese reads six digits of the place, YYYYMMDD, three digits and a check sign by ISO 7064, MOD 11-2.
func chinese(text string) (Number, bool) {
	sum := weighted(text[:17], 7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
	year := at(text, 6, 10)
	if year < 1800 || year > 2100 {
		return Number{}, false
	}
	return checked(text[17] == "10X98765432"[sum%11], days(at(text, 10, 12), at(text, 12, 14), year)...)
}
