package idnumber

import (
	"strconv"
	"strings"
)

// driverForms are the forms of drivers' licence numbers in the USA and Canada, by postal code. L is a letter; 7 is seven digits, 1-8 one to eight.
// Source: National Traffic Safety Institute, "State driver's license formats". These forms are not on that list, and no source was checked for them:
// LL7 in MA, 3L6 in MO, LLL8 in NH, L6 and LL5 in OR, 8 in RI, and the provinces of Canada. Other jurisdictions are left out.
var driverForms = map[string]string{
	"AL": "1-8", "AK": "1-7", "AZ": "L8 9", "AR": "4-9", "CA": "L7", "CO": "9 L3-6 LL2-5", "CT": "9", "DE": "1-7", "DC": "7 9", "FL": "L12",
	"GA": "7-9", "HI": "L8 9", "ID": "LL6L 9", "IL": "L11 L12", "IN": "L9 9 10", "IA": "9 3LL4", "KS": "L1L1L L8 9", "KY": "L8 L9 9", "LA": "1-9",
	"ME": "7 7L 8", "MD": "L12", "MA": "L8 9 LL7", "MI": "L10 L12", "MN": "L12", "MS": "9", "MO": "L5-9 L6L 8LL 9L 9 3L6", "MT": "L8 13 9 14",
	"NE": "L6-8", "NV": "9 10 12 L8", "NH": "2LLL5 LLL8", "NJ": "L14", "NM": "8 9", "NY": "L7 L18 8 9 16", "NC": "1-12", "ND": "LLL6 9",
	"OH": "L4-8 LL3-7 8", "OK": "L9 9", "OR": "1-9 L6 LL5", "PA": "8", "RI": "7 8 L6", "SC": "5-11", "SD": "6-10 12", "TN": "7-9", "TX": "7-8", "UT": "4-10",
	"VT": "8 7L", "VA": "L8-11 9 12", "WV": "7 L5-6 LL5-6", "WI": "L13", "WY": "9-10",
	"ON": "L14", "QC": "L12", "BC": "7", "SK": "8", "NL": "L9",
}

// DriverShapes returns the shapes that drivers' licence numbers of a given length have in a state of the USA or a province of Canada (postal code).
// D stands for a digit and L for a letter, as in LDDDDDDD. It returns none if no number has that length or the forms are not known.
func DriverShapes(jurisdiction string, signs int) []string {
	var out []string
	for form := range strings.FieldsSeq(driverForms[jurisdiction]) {
		if shape := shapeOf(form, signs); shape != "" {
			out = append(out, shape)
		}
	}
	return out
}

// shapeOf is a form at a length; empty where it has not that length. One number of a form at most is a range.
func shapeOf(form string, signs int) string {
	var b strings.Builder
	for form != "" {
		if form[0] == 'L' {
			b.WriteByte('L')
			form = form[1:]
			continue
		}
		end := strings.IndexByte(form+"L", 'L')
		least, most, ranged := strings.Cut(form[:end], "-")
		n, _ := strconv.Atoi(least)
		if ranged {
			to, _ := strconv.Atoi(most)
			n = max(n, min(to, signs-b.Len()))
		}
		b.WriteString(strings.Repeat("D", n))
		form = form[end:]
	}
	if b.Len() != signs {
		return ""
	}
	return b.String()
}
