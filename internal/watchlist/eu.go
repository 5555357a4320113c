package watchlist

import (
	"encoding/xml"
	"strings"

	"github.com/bonafide-id/bonafide/internal/names"
)

func euStart(f *reading, attrs []xml.Attr) error {
	if attrOf(attrs, "generationDate") == "" {
		return ErrNotAList
	}
	f.Published = published(attrOf(attrs, "generationDate"))
	return nil
}

// euEntity reads an entry of the European Union's list. The same name is there once for each language of the regulation.
func euEntity(f *reading, n *node) error {
	code := n.at("subjectType").attr("classificationCode")
	if code == "" {
		code = n.at("subjectType").attr("code")
	}
	e := Entity{ID: n.attr("euReferenceNumber"), Kind: kindOf(code), Topics: []string{"sanction"}, Remarks: n.value("remark")}
	if e.ID == "" {
		e.ID = n.attr("logicalId")
	}
	for i, a := range n.all("nameAlias") {
		name := ListedName{
			Text: a.attr("wholeName"), Given: strings.TrimSpace(a.attr("firstName") + " " + a.attr("middleName")),
			Family: a.attr("lastName"), Strength: Good,
		}
		switch {
		case a.attr("strong") == "false":
			name.Strength = Weak
		case i == 0:
			name.Strength = Primary
		}
		e.Names = append(e.Names, name)
		e.Sexes = appendSex(e.Sexes, a.attr("gender"))
	}
	for _, b := range n.all("birthdate") {
		e.Births = append(e.Births, euBirth(b))
	}
	for _, c := range n.all("citizenship") {
		e.Nationalities = append(e.Nationalities, c.attr("countryIso2Code"))
	}
	for _, d := range n.all("identification") {
		e.Documents = append(e.Documents, Document{
			Type: d.attr("identificationTypeDescription"), Number: d.attr("number"), Issuer: d.attr("countryIso2Code"),
		})
	}
	for _, r := range n.all("regulation") {
		e.Programmes = append(e.Programmes, r.attr("programme"))
	}
	return f.put(Change{Op: Put, Entity: e})
}

func euBirth(n *node) names.Dates {
	var d names.Dates
	switch {
	case strings.EqualFold(n.attr("calendarType"), "islamic"):
		d = islamic(n.attr("year"))
	case n.attr("birthdate") != "":
		d = birthOf(n.attr("birthdate"))
	case n.attr("yearRangeFrom") != "":
		first, last := parts("", "", n.attr("yearRangeFrom")), parts("", "", n.attr("yearRangeTo"))
		if d = first; last.Known() && first.Known() {
			d.To = last.To
		}
	default:
		d = parts(n.attr("dayOfMonth"), n.attr("monthOfYear"), n.attr("year"))
	}
	if n.attr("circa") == "true" {
		return d.Circa()
	}
	return d
}
