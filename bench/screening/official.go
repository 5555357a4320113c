package screening

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// Official says what an invented list in the format of a publisher is like. The same options make the same bytes.
type Official struct {
	Format   watchlist.Format
	Bytes    int64 // it ends with the entry that reaches them
	Seed     uint64
	Day      time.Time // when it was published; not in every format
	Nameless int       // one entry in so many has no name; 0 for none
	Entries  int       // the most; 0 for no bound
}

// OfficialSizes are the formats with the sizes that their publishers' files have, in bytes: OFAC's and the Swiss of 2025 and 2026, the
// others' of 2024 and 2026, OpenSanctions' set of sanctions of 2024.
func OfficialSizes() map[watchlist.Format]int64 {
	const mb = 1_000_000
	return map[watchlist.Format]int64{
		watchlist.OFACXML: 28 * mb, watchlist.OFACAdvanced: 125 * mb, watchlist.UN: 2.2 * mb, watchlist.EU: 25 * mb, watchlist.UK: 20 * mb,
		watchlist.SECO: 42 * mb, watchlist.FtM: 341 * mb,
	}
}

// shape is how a format writes its beginning, an entry and its end.
type shape struct {
	head  func(time.Time) string
	entry func(id int, e watchlist.Entity) string
	tail  string
}

// shapes are the formats. Beside what is read they have what real files have and nobody reads, so that an entry is of the usual size.
var shapes = map[watchlist.Format]shape{
	watchlist.OFACXML: {
		func(d time.Time) string {
			return `<?xml version="1.0" standalone="yes"?>` + "\n" + `<sdnList xmlns="https://example.test/ofac"><publshInformation><Publish_Date>` +
				d.Format("01/02/2006") + "</Publish_Date></publshInformation>\n"
		}, ofacOfficial, "</sdnList>\n",
	},
	watchlist.OFACAdvanced: {
		func(d time.Time) string {
			return fmt.Sprintf(`<Sanctions xmlns="https://example.test/advanced"><DateOfIssue><Year>%d</Year><Month>%d</Month><Day>%d</Day></DateOfIssue>`+
				`<ReferenceValueSets><NamePartType ID="1520">Last Name</NamePartType><NamePartType ID="1521">First Name</NamePartType>`+
				`<FeatureType ID="8">Birthdate</FeatureType><PartySubType ID="4" PartyTypeID="1">Unknown</PartySubType></ReferenceValueSets><DistinctParties>`+"\n",
				d.Year(), int(d.Month()), d.Day())
		}, advancedOfficial, "</DistinctParties></Sanctions>\n",
	},
	watchlist.UN: {
		func(d time.Time) string {
			return `<?xml version="1.0" encoding="UTF-8"?><CONSOLIDATED_LIST dateGenerated="` + d.Format(time.RFC3339) + `"><INDIVIDUALS>` + "\n"
		}, unOfficial, "</INDIVIDUALS></CONSOLIDATED_LIST>\n",
	},
	watchlist.EU: {
		func(d time.Time) string {
			return `<export xmlns="http://example.test" generationDate="` + d.Format("2006-01-02T15:04:05.000-07:00") + `">` + "\n"
		}, euOfficial, "</export>\n",
	},
	watchlist.UK: {
		func(d time.Time) string {
			return "<Designations><DateGenerated>" + d.Format("02/01/2006") + "</DateGenerated>\n"
		}, ukOfficial, "</Designations>\n",
	},
	watchlist.SECO: {
		func(d time.Time) string {
			return `<swiss-sanctions-list list-type="whole-list" date="` + d.Format(time.DateOnly) + `"><sanctions-program ssid="1"><program-key lang="eng">Test` +
				`</program-key><sanctions-set ssid="7">x</sanctions-set></sanctions-program>` + "\n"
		}, secoOfficial, "</swiss-sanctions-list>\n",
	},
	watchlist.FtM: {func(time.Time) string { return "" }, ftmOfficial, ""},
}

// WriteOfficial writes an invented list, entry by entry, and returns how many entries it has.
func WriteOfficial(w io.Writer, o Official) (entries int, err error) {
	s, ok := shapes[o.Format]
	if !ok {
		return 0, fmt.Errorf("no lists are invented in the format %q", o.Format)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	v := newInventor(o.Seed)
	written, err := out.WriteString(s.head(o.Day))
	for id := 1; err == nil && int64(written) < o.Bytes && (o.Entries == 0 || id <= o.Entries); id++ {
		e := v.entity(id)
		if o.Nameless > 0 && id%o.Nameless == 0 {
			e.Names = []watchlist.ListedName{{}}
		}
		var n int
		n, err = out.WriteString(s.entry(id, e))
		written, entries = written+n, entries+1
	}
	if err == nil {
		_, err = out.WriteString(s.tail)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return entries, fmt.Errorf("write an invented list: %w", err)
	}
	return entries, nil
}

// padding is text of the kind that publishers add to an entry.
func padding(n int) string {
	return strings.Repeat("Listed for acts that nobody did, by a decision that nobody took. ", n)
}

func day(d names.Dates) time.Time { return d.From }

func ofacOfficial(id int, e watchlist.Entity) string {
	var b strings.Builder
	first := e.Names[0]
	fmt.Fprintf(&b, "  <sdnEntry>\n    <uid>%d</uid>\n    <firstName>%s</firstName>\n    <lastName>%s</lastName>\n    <sdnType>Individual</sdnType>\n"+
		"    <remarks>%s</remarks>\n    <programList>\n      <program>INVENTED</program>\n    </programList>\n    <akaList>\n"+
		"", id, first.Given, first.Family, padding(4))
	for i, n := range e.Names[1:] {
		fmt.Fprintf(&b, "      <aka>\n        <uid>%d</uid>\n        <type>a.k.a.</type>\n        <category>strong</category>\n        <lastName>%s</lastName>\n"+
			"      </aka>\n", id*10+i, n.Text)
	}
	fmt.Fprintf(&b, "    </akaList>\n    <addressList>\n      <address>\n        <uid>%d</uid>\n"+
		"        <city>Somewhere</city>\n        <country>Nowhere</country>\n"+
		"      </address>\n    </addressList>\n    <dateOfBirthList>\n      <dateOfBirthItem>\n        <uid>%d</uid>\n        <dateOfBirth>%s</dateOfBirth>\n"+
		"        <mainEntry>true</mainEntry>\n      </dateOfBirthItem>\n    </dateOfBirthList>\n    <idList>\n      <id>\n        <uid>%d</uid>\n"+
		"        <idType>Passport</idType>\n        <idNumber>X%07d</idNumber>\n        <idCountry>Nowhere</idCountry>\n      </id>\n    </idList>\n  </sdnEntry>\n",
		id, id, day(e.Births[0]).Format("02 Jan 2006"), id, id)
	return b.String()
}

func advancedOfficial(id int, e watchlist.Entity) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<DistinctParty FixedRef=\"%d\"><Comment>%s</Comment><Profile ID=\"%d\" PartySubTypeID=\"4\"><Identity ID=\"%d\">\n", id, padding(40), id, id)
	for i, n := range e.Names {
		family, given := n.Family, n.Given
		if family == "" {
			family = n.Text
		}
		fmt.Fprintf(&b, "<Alias FixedRef=\"%d\" AliasTypeID=\"1403\" Primary=\"%t\" LowQuality=\"false\"><DocumentedName ID=\"%d\" "+
			"FixedRef=\"%d\" DocNameStatusID=\"1\">\n"+
			"<DocumentedNamePart><NamePartValue NamePartGroupID=\"1\" ScriptID=\"215\" ScriptStatusID=\"1\" Acronym=\"false\">%s</NamePartValue></DocumentedNamePart>\n"+
			"<DocumentedNamePart><NamePartValue NamePartGroupID=\"2\" ScriptID=\"215\" ScriptStatusID=\"1\" Acronym=\"false\">%s</NamePartValue></DocumentedNamePart>\n"+
			"</DocumentedName></Alias>\n", id, i == 0, id*10+i, id, family, given)
	}
	b.WriteString("<NamePartGroups><MasterNamePartGroup><NamePartGroup ID=\"1\" NamePartTypeID=\"1520\"/></MasterNamePartGroup><MasterNamePartGroup>" +
		"<NamePartGroup ID=\"2\" NamePartTypeID=\"1521\"/></MasterNamePartGroup></NamePartGroups></Identity>\n")
	d := day(e.Births[0])
	fmt.Fprintf(&b, "<Feature ID=\"%d\" FeatureTypeID=\"8\"><FeatureVersion><DatePeriod><Start><From><Year>%d</Year><Month>%d</Month><Day>%d</Day></From></Start>"+
		"</DatePeriod></FeatureVersion></Feature></Profile></DistinctParty>\n", id, d.Year(), int(d.Month()), d.Day())
	return b.String()
}

func unOfficial(id int, e watchlist.Entity) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<INDIVIDUAL>\n<DATAID>%d</DATAID><FIRST_NAME>%s</FIRST_NAME><SECOND_NAME>%s</SECOND_NAME><COMMENTS1>%s</COMMENTS1>\n", id,
		e.Names[0].Given, e.Names[0].Family, padding(12))
	for _, n := range e.Names[1:] {
		fmt.Fprintf(&b, "<INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>%s</ALIAS_NAME></INDIVIDUAL_ALIAS>\n", n.Text)
	}
	fmt.Fprintf(&b, "<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>%s</DATE></INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL>\n",
		day(e.Births[0]).Format(time.DateOnly))
	return b.String()
}

func euOfficial(id int, e watchlist.Entity) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<sanctionEntity euReferenceNumber=\"EU.%d.1\" logicalId=\"%d\">"+
		"<remark>%s</remark>\n<subjectType code=\"person\" classificationCode=\"P\"/>\n",
		id, id, padding(6))
	for i, n := range e.Names {
		for range 4 { // once for each language of the regulation
			fmt.Fprintf(&b, "<nameAlias firstName=\"%s\" middleName=\"\" lastName=\"%s\" wholeName=\"%s\" nameLanguage=\"EN\" gender=\"M\" strong=\"true\" "+
				"logicalId=\"%d\"/>\n", n.Given, n.Family, n.Text, id*10+i)
		}
	}
	fmt.Fprintf(&b, "<citizenship countryIso2Code=\"AT\"/><birthdate birthdate=\"%s\" circa=\"false\"/>"+
		"</sanctionEntity>\n", day(e.Births[0]).Format(time.DateOnly))
	return b.String()
}

func ukOfficial(id int, e watchlist.Entity) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<Designation><UniqueID>TST%06d</UniqueID><IndividualEntityShip>Individual</IndividualEntityShip>"+
		"<OtherInformation>%s</OtherInformation>\n<Names>",
		id, padding(14))
	for i, n := range e.Names {
		kind, family := "Primary Name", n.Family
		if i > 0 {
			kind, family = "Primary name variation", n.Text
		}
		fmt.Fprintf(&b, "<Name><Name1>%s</Name1><Name6>%s</Name6><NameType>%s</NameType></Name>\n", n.Given, family, kind)
	}
	fmt.Fprintf(&b, "</Names><IndividualDetails><Individual><DOBs><DOB>%s</DOB></DOBs><Nationalities>"+
		"<Nationality>Austria</Nationality></Nationalities></Individual>"+
		"</IndividualDetails></Designation>\n", day(e.Births[0]).Format("02/01/2006"))
	return b.String()
}

func secoOfficial(id int, e watchlist.Entity) string {
	var b strings.Builder
	d := day(e.Births[0])
	fmt.Fprintf(&b, "<target ssid=\"%d\"><sanctions-set-id>7</sanctions-set-id><individual sex=\"male\"><identity ssid=\"%d\" main=\"true\">\n", id, id)
	for i, n := range e.Names {
		kind := "primary-name"
		if i > 0 {
			kind = "alias"
		}
		fmt.Fprintf(&b, "<name name-type=\"%s\" quality=\"good\"><name-part order=\"1\" name-part-type=\"whole-name\">"+
			"<value>%s</value></name-part></name>\n", kind, n.Text)
	}
	fmt.Fprintf(&b, "<day-month-year day=\"%d\" month=\"%d\" year=\"%d\" calendar=\"Gregorian\"/></identity><justification>%s</justification></individual>\n",
		d.Day(), int(d.Month()), d.Year(), padding(50))
	b.WriteString("<modification modification-type=\"listed\" effective-date=\"2014-01-01\"/></target>\n")
	return b.String()
}

func ftmOfficial(id int, e watchlist.Entity) string {
	var aliases []string
	for _, n := range e.Names[1:] {
		aliases = append(aliases, `"`+n.Text+`"`)
	}
	return fmt.Sprintf(`{"id":"inv-%d","caption":%q,"schema":"Person","properties":{"name":[%q],"alias":[%s],"birthDate":["%s"],"nationality":["at"],`+
		`"topics":["sanction"],"notes":["%s"]},"datasets":["invented"],"referents":[],"target":true}`+"\n",
		id, e.Names[0].Text, e.Names[0].Text, strings.Join(aliases, ","), day(e.Births[0]).Format(time.DateOnly), padding(70))
}
