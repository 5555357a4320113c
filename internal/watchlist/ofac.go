package watchlist

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

func ofacPublished(f *reading, n *node) error {
	f.Published = published(n.value("Publish_Date"))
	return nil
}

// kindOf folds what lists call their entries.
func kindOf(s string) Kind {
	s = strings.ToLower(s)
	switch {
	case strings.Contains(s, "individual"), strings.Contains(s, "person"), s == "p":
		return Person
	case strings.Contains(s, "vessel"), strings.Contains(s, "ship"):
		return Vessel
	case strings.Contains(s, "aircraft"):
		return Other
	}
	return Organisation
}

// ofacEntry reads an entry of SDN.XML or CONSOLIDATED.XML.
func ofacEntry(f *reading, n *node) error {
	kind := n.value("sdnType")
	if kind == "" {
		kind = n.value("nspType")
	}
	e := Entity{ID: n.value("uid"), Kind: kindOf(kind), Topics: []string{"sanction"}, Remarks: n.value("remarks")}
	e.Names = append(e.Names, ListedName{Given: n.value("firstName"), Family: n.value("lastName"), Strength: Primary})
	for _, a := range n.all("akaList", "aka") {
		name := ListedName{Given: a.value("firstName"), Family: a.value("lastName"), Strength: Good}
		switch {
		case strings.EqualFold(a.value("category"), "weak"):
			name.Strength = Weak
		case strings.HasPrefix(strings.ToLower(a.value("type")), "f.k.a"):
			name.Strength = Former
		}
		e.Names = append(e.Names, name)
	}
	for _, b := range n.all("dateOfBirthList", "dateOfBirthItem") {
		e.Births = append(e.Births, birthOf(b.value("dateOfBirth")))
	}
	for _, list := range [][]*node{n.all("nationalityList", "nationality"), n.all("citizenshipList", "citizenship")} {
		for _, c := range list {
			e.Nationalities = append(e.Nationalities, c.value("country"))
		}
	}
	for _, p := range n.all("programList", "program") {
		e.Programmes = append(e.Programmes, strings.TrimSpace(p.text))
	}
	for _, d := range n.all("idList", "id") {
		if kind := d.value("idType"); strings.EqualFold(kind, "gender") {
			e.Sexes = appendSex(e.Sexes, d.value("idNumber"))
		} else if isDocument(kind) {
			e.Documents = append(e.Documents, Document{Type: kind, Number: d.value("idNumber"), Issuer: d.value("idCountry")})
		}
	}
	return f.put(Change{Op: Put, Entity: e})
}

// isDocument reports whether a kind of identification is the document or number of a person.
func isDocument(kind string) bool {
	kind = strings.ToLower(kind)
	for _, word := range []string{
		"passport", "identi", "id no", "id card", "cedula", "licen", "c.u.r.p", "d.n.i", "tax", "social security", "residen", "birth cert",
	} {
		if strings.Contains(kind, word) {
			return true
		}
	}
	return false
}

// isSDN reports whether a line is a row of SDN.CSV: twelve columns, a number first, -0- for nothing.
func isSDN(line string) bool {
	row, err := csv.NewReader(strings.NewReader(line)).Read()
	return err == nil && len(row) == 12 && isNumber(row[0]) && strings.Contains(line, "-0-")
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

var (
	remarkBirth = regexp.MustCompile(`(?:^|[;.] )(?:alt\. )?DOB ([^;]+)`)
	remarkWeak  = regexp.MustCompile(`(?:^|[;.] )(?:alt\. )?[af]\.k\.a\. ["']([^"';]+)["']`)
	remarkState = regexp.MustCompile(`(?:^|[;.] )(?:alt\. )?(?:nationality|citizen) ([^;]+)`)
	remarkSex   = regexp.MustCompile(`(?:^|[;.] )Gender (\w+)`)
	remarkPass  = regexp.MustCompile(`(?:^|[;.] )(?:alt\. )?(Passport|National ID No\.|Identification Number) (\S+) \(([^)]+)\)`)
)

// readSDN reads SDN.CSV, whose dates and weak names are in the remarks, and ALT.CSV where it is given.
func readSDN(f *reading) error {
	aliases, err := readALT(f.options.Aliases)
	if err != nil {
		return err
	}
	return f.rows(func(row []string) error {
		if len(row) < 12 || !isNumber(row[0]) {
			f.reject()
			return nil
		}
		e := Entity{ID: row[0], Kind: Organisation, Topics: []string{"sanction"}, Programmes: []string{filled(row[3])}, Remarks: filled(row[11])}
		if kind := filled(row[2]); kind != "" {
			e.Kind = kindOf(kind)
		}
		e.Names = append([]ListedName{sdnName(row[1], e.Kind, Primary)}, aliases[row[0]]...)
		sdnRemarks(&e)
		return f.put(Change{Op: Put, Entity: e})
	})
}

func sdnRemarks(e *Entity) {
	for _, m := range remarkWeak.FindAllStringSubmatch(e.Remarks, maxFacts) {
		e.Names = append(e.Names, ListedName{Text: m[1], Strength: Weak})
	}
	for _, m := range remarkBirth.FindAllStringSubmatch(e.Remarks, maxFacts) {
		e.Births = append(e.Births, birthOf(m[1]))
	}
	for _, m := range remarkState.FindAllStringSubmatch(e.Remarks, maxFacts) {
		e.Nationalities = append(e.Nationalities, strings.Trim(m[1], " ."))
	}
	for _, m := range remarkSex.FindAllStringSubmatch(e.Remarks, maxFacts) {
		e.Sexes = appendSex(e.Sexes, m[1])
	}
	for _, m := range remarkPass.FindAllStringSubmatch(e.Remarks, maxFacts) {
		e.Documents = append(e.Documents, Document{Type: m[1], Number: m[2], Issuer: m[3]})
	}
}

// sdnName splits SURNAME, Given of a person.
func sdnName(s string, kind Kind, strength Strength) ListedName {
	family, given, ok := strings.Cut(s, ",")
	if !ok || kind != Person {
		return ListedName{Text: s, Strength: strength}
	}
	return ListedName{Text: s, Given: strings.TrimSpace(given), Family: family, Strength: strength}
}

// readALT reads the aliases by the number of their entry.
func readALT(r io.Reader) (map[string][]ListedName, error) {
	out := map[string][]ListedName{}
	if r == nil {
		return out, nil
	}
	rows := csv.NewReader(io.LimitReader(r, maxFile))
	rows.FieldsPerRecord, rows.LazyQuotes = -1, true
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w: the file of aliases", ErrBroken)
		}
		if len(row) < 4 || !isNumber(row[0]) {
			continue
		}
		strength := Good
		if row[2] == "fka" {
			strength = Former
		}
		out[row[0]] = append(out[row[0]], sdnName(row[3], Person, strength))
	}
}

// filled is a column's value; empty where it has none.
func filled(s string) string {
	if s = strings.TrimSpace(s); s == "-0-" {
		return ""
	}
	return s
}

// rows reads a CSV row by row. The byte that ends old files is left out.
func (f *reading) rows(each func([]string) error) error {
	in := csv.NewReader(latin1OrUTF8{f.in})
	in.FieldsPerRecord, in.LazyQuotes, in.ReuseRecord = -1, true, false
	for {
		row, err := in.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return broken(err)
		case len(row) == 1 && strings.Trim(row[0], "\x1a \t\r") == "":
			continue
		}
		f.counted.since = 0
		f.row, _ = in.FieldPos(0)
		if err := each(row); err != nil {
			return err
		}
	}
}
