package watchlist

import (
	"encoding/xml"
	"strings"

	"github.com/bonafide-id/bonafide/internal/names"
)

// advanced holds what OFAC's advanced format says before its parties: code tables, places and documents.
type advanced struct {
	codes     map[string]string     // table/id → text
	subtypes  map[string]string     // id of a kind of party → its text
	places    map[string]string     // location → country
	documents map[string][]Document // by identity
}

// Limits of what is held.
const maxHeld = 1 << 20

// advancedGrammar makes the grammar of one file: what it reads first is needed for what comes later.
func advancedGrammar() grammar {
	a := &advanced{codes: map[string]string{}, subtypes: map[string]string{}, places: map[string]string{}, documents: map[string][]Document{}}
	g := grammar{OFACAdvanced, map[string]func(*reading, *node) error{
		"DateOfIssue": func(f *reading, n *node) error {
			d := parts(n.value("Day"), n.value("Month"), n.value("Year"))
			f.Published = d.From
			return nil
		},
		"Location": a.location, "IDRegDocument": a.document, "DistinctParty": a.party,
	}, nil}
	for _, table := range []string{"NamePartType", "FeatureType", "IDRegDocType", "Country", "DetailReference", "PartySubType", "AliasType", "PartyType"} {
		g.entry[table] = a.code
	}
	return g
}

func (a *advanced) code(_ *reading, n *node) error {
	if len(a.codes) >= maxHeld {
		return ErrHostile
	}
	text := strings.TrimSpace(n.text)
	a.codes[n.name+"/"+n.attr("ID")] = text
	if n.name == "PartySubType" {
		a.subtypes[n.attr("ID")] = text + " " + a.codes["PartyType/"+n.attr("PartyTypeID")]
	}
	return nil
}

func (a *advanced) location(_ *reading, n *node) error {
	if len(a.places) >= maxHeld {
		return ErrHostile
	}
	a.places[n.attr("ID")] = a.codes["Country/"+n.at("LocationCountry").attr("CountryID")]
	return nil
}

func (a *advanced) document(_ *reading, n *node) error {
	if len(a.documents) >= maxHeld {
		return ErrHostile
	}
	kind := a.codes["IDRegDocType/"+n.attr("IDRegDocTypeID")]
	if isDocument(kind) {
		id := n.attr("IdentityID")
		a.documents[id] = append(a.documents[id], Document{
			Type: kind, Number: n.value("IDRegistrationNo"), Issuer: a.codes["Country/"+n.at("IssuedBy").attr("CountryID")],
		})
	}
	return nil
}

func (a *advanced) party(f *reading, n *node) error {
	e := Entity{ID: n.attr("FixedRef"), Topics: []string{"sanction"}, Remarks: n.value("Comment")}
	for _, p := range n.all("Profile") {
		e.Kind = a.kind(p.attr("PartySubTypeID"))
		for _, id := range p.all("Identity") {
			e.Names = append(e.Names, a.names(id)...)
			e.Documents = append(e.Documents, a.documents[id.attr("ID")]...)
		}
		for _, ft := range p.all("Feature") {
			a.feature(&e, ft)
		}
	}
	return f.put(Change{Op: Put, Entity: e})
}

// kind is that of the party's sub-type; 4 is a person in every file that was seen.
func (a *advanced) kind(subtype string) Kind {
	if text := strings.TrimSpace(a.subtypes[subtype]); text != "" && text != "Unknown" {
		return kindOf(text)
	}
	if subtype == "4" {
		return Person
	}
	return Organisation
}

// names reads the aliases of an identity, with the parts that their groups name.
func (a *advanced) names(identity *node) []ListedName {
	groups := map[string]string{}
	for _, g := range identity.all("NamePartGroups", "MasterNamePartGroup", "NamePartGroup") {
		groups[g.attr("ID")] = a.codes["NamePartType/"+g.attr("NamePartTypeID")]
	}
	var out []ListedName
	for _, alias := range identity.all("Alias") {
		strength := Good
		switch {
		case alias.attr("LowQuality") == "true":
			strength = Weak
		case alias.attr("Primary") == "true":
			strength = Primary
		case strings.HasPrefix(strings.ToUpper(a.codes["AliasType/"+alias.attr("AliasTypeID")]), "F.K.A"):
			strength = Former
		}
		for _, d := range alias.all("DocumentedName") {
			name := ListedName{Strength: strength}
			for _, p := range d.all("DocumentedNamePart", "NamePartValue") {
				value, kind := strings.TrimSpace(p.text), strings.ToLower(groups[p.attr("NamePartGroupID")])
				name.Text = strings.TrimSpace(name.Text + " " + value)
				if strings.Contains(kind, "last") || strings.Contains(kind, "maiden") {
					name.Family = strings.TrimSpace(name.Family + " " + value)
				} else {
					name.Given = strings.TrimSpace(name.Given + " " + value)
				}
			}
			out = append(out, name)
		}
	}
	return out
}

func (a *advanced) feature(e *Entity, n *node) {
	kind := strings.ToLower(a.codes["FeatureType/"+n.attr("FeatureTypeID")])
	for _, v := range n.all("FeatureVersion") {
		switch {
		case kind == "birthdate":
			for _, p := range v.all("DatePeriod") {
				e.Births = append(e.Births, period(p))
			}
		case strings.HasPrefix(kind, "nationality"), strings.HasPrefix(kind, "citizenship"):
			for _, l := range v.all("VersionLocation") {
				e.Nationalities = append(e.Nationalities, a.places[l.attr("LocationID")])
			}
		case kind == "gender":
			for _, d := range v.all("VersionDetail") {
				e.Sexes = appendSex(e.Sexes, a.codes["DetailReference/"+d.attr("DetailReferenceID")])
			}
		}
	}
}

// period is from the earliest day that it may begin to the latest that it may end.
func period(n *node) names.Dates {
	point := func(path ...string) names.Dates {
		p := n.at(path...)
		return parts(p.value("Day"), p.value("Month"), p.value("Year"))
	}
	out := point("Start", "From")
	for _, last := range []names.Dates{point("Start", "To"), point("End", "From"), point("End", "To")} {
		if last.Known() && out.Known() && last.To.After(out.To) {
			out.To = last.To
		}
	}
	return out
}

func unStart(f *reading, attrs []xml.Attr) error {
	f.Published = published(attrOf(attrs, "dateGenerated"))
	return nil
}
