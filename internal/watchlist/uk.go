package watchlist

import "strings"

func ukPublished(f *reading, n *node) error {
	f.Published = publishedByDay(strings.TrimSpace(n.text))
	return nil
}

// ukDesignation reads an entry of the United Kingdom's list. Name6 is the family name.
func ukDesignation(f *reading, n *node) error {
	e := Entity{ID: n.value("UniqueID"), Kind: kindOf(n.value("IndividualEntityShip")), Topics: []string{"sanction"}, Remarks: n.value("OtherInformation")}
	e.Programmes = append(e.Programmes, n.value("RegimeName"))
	e.ListedOn = n.value("DateDesignated")
	if d := publishedByDay(e.ListedOn); !d.IsZero() {
		e.ListedOn = d.Format("2006-01-02")
	}
	for _, a := range n.all("Names", "Name") {
		var given []string
		for _, p := range []string{"Name1", "Name2", "Name3", "Name4", "Name5"} {
			if v := a.value(p); v != "" {
				given = append(given, v)
			}
		}
		name := ListedName{Given: strings.Join(given, " "), Family: a.value("Name6"), Strength: Good}
		switch {
		case strings.Contains(strings.ToLower(a.value("AliasStrength")), "low"):
			name.Strength = Weak
		case strings.EqualFold(a.value("NameType"), "primary name"):
			name.Strength = Primary
		}
		e.Names = append(e.Names, name)
	}
	for _, a := range n.all("NonLatinNames", "NonLatinName") {
		e.Names = append(e.Names, ListedName{Text: a.value("NameNonLatinScript"), Strength: Good})
	}
	for _, p := range n.all("IndividualDetails", "Individual") {
		ukPerson(&e, p)
	}
	return f.put(Change{Op: Put, Entity: e})
}

func ukPerson(e *Entity, p *node) {
	for _, b := range p.all("DOBs", "DOB") {
		e.Births = append(e.Births, birthOf(b.text))
	}
	for _, c := range p.all("Nationalities", "Nationality") {
		e.Nationalities = append(e.Nationalities, strings.TrimSpace(c.text))
	}
	for _, g := range p.all("Genders", "Gender") {
		e.Sexes = appendSex(e.Sexes, g.text)
	}
	for _, d := range p.all("PassportDetails") {
		for _, k := range d.kids {
			e.Documents = append(e.Documents, Document{Type: "Passport", Number: k.value("PassportNumber")})
		}
		e.Documents = append(e.Documents, Document{Type: "Passport", Number: d.value("PassportNumber")})
	}
	for _, d := range p.all("NationalIdentifierDetails") {
		for _, k := range d.kids {
			e.Documents = append(e.Documents, Document{Type: "National identifier", Number: k.value("NationalIdentifierNumber")})
		}
		e.Documents = append(e.Documents, Document{Type: "National identifier", Number: d.value("NationalIdentifierNumber")})
	}
}
