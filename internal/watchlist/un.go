package watchlist

import (
	"strings"

	"github.com/bonafide-id/bonafide/internal/names"
)

func unPerson(f *reading, n *node) error { return unEntry(f, n, Person, "INDIVIDUAL") }

func unEntity(f *reading, n *node) error { return unEntry(f, n, Organisation, "ENTITY") }

// unEntry reads an entry of the United Nations' consolidated list. Its name is in up to four parts that are neither given nor
// family names.
func unEntry(f *reading, n *node, kind Kind, prefix string) error {
	e := Entity{ID: n.value("DATAID"), Kind: kind, Topics: []string{"sanction"}, ListedOn: n.value("LISTED_ON"), Remarks: n.value("COMMENTS1")}
	e.Programmes = append(e.Programmes, n.value("UN_LIST_TYPE"))
	var whole []string
	for _, p := range []string{"FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME"} {
		whole = append(whole, n.value(p))
	}
	e.Names = append(e.Names, ListedName{Text: strings.Join(whole, " "), Strength: Primary},
		ListedName{Text: n.value("NAME_ORIGINAL_SCRIPT"), Strength: Good})
	for _, a := range n.all(prefix + "_ALIAS") {
		strength := Good
		if strings.EqualFold(a.value("QUALITY"), "low") {
			strength = Weak
		}
		e.Names = append(e.Names, aliasesOf(a.value("ALIAS_NAME"), strength)...)
	}
	for _, b := range n.all(prefix + "_DATE_OF_BIRTH") {
		e.Births = append(e.Births, unBirth(b))
	}
	for _, v := range n.all("NATIONALITY", "VALUE") {
		e.Nationalities = append(e.Nationalities, strings.TrimSpace(v.text))
	}
	for _, d := range n.all(prefix + "_DOCUMENT") {
		issuer := d.value("ISSUING_COUNTRY")
		if issuer == "" {
			issuer = d.value("COUNTRY_OF_ISSUE")
		}
		e.Documents = append(e.Documents, Document{Type: d.value("TYPE_OF_DOCUMENT"), Number: d.value("NUMBER"), Issuer: issuer})
	}
	e.Sexes = appendSex(e.Sexes, n.value("GENDER"))
	return f.put(Change{Op: Put, Entity: e})
}

// aliasesOf separates "X (also Y)".
func aliasesOf(s string, strength Strength) []ListedName {
	out := []ListedName{}
	for i, part := range strings.Split(s, "(also") {
		if i > 0 {
			part = strings.ReplaceAll(part, ")", "")
		}
		for _, name := range strings.Split(part, ";") {
			out = append(out, ListedName{Text: strings.Trim(name, " ,"), Strength: strength})
		}
	}
	return out
}

func unBirth(n *node) names.Dates {
	var d names.Dates
	switch {
	case n.value("DATE") != "":
		d = birthOf(n.value("DATE"))
	case n.value("FROM_YEAR") != "":
		first, last := parts("", "", n.value("FROM_YEAR")), parts("", "", n.value("TO_YEAR"))
		if d = first; last.Known() {
			d.To = last.To
		}
	default:
		d = parts("", "", n.value("YEAR"))
	}
	if strings.EqualFold(n.value("TYPE_OF_DATE"), "approximately") {
		return d.Circa()
	}
	return d
}
