package watchlist

import (
	"encoding/xml"
	"strings"

	"github.com/bonafide-id/bonafide/internal/names"
)

// seco holds the programmes of the Swiss list, which stand before its targets.
type seco struct {
	programmes map[string]string // by sanctions set
}

func secoGrammar() grammar {
	s := &seco{programmes: map[string]string{}}
	return grammar{SECO, map[string]func(*reading, *node) error{"sanctions-program": s.programme, "target": s.target}, secoStart}
}

func secoStart(f *reading, attrs []xml.Attr) error {
	if kind := attrOf(attrs, "list-type"); kind != "whole-list" {
		return ErrNotAList // a part of the list would look like one that has shrunk
	}
	f.Published = published(attrOf(attrs, "date"))
	return nil
}

func (s *seco) programme(_ *reading, n *node) error {
	if len(s.programmes) >= maxHeld {
		return ErrHostile
	}
	for _, set := range n.all("sanctions-set") {
		s.programmes[set.attr("ssid")] = n.value("program-key")
	}
	return nil
}

// target reads an entry; one that was taken off the list stays in the file and is left out.
func (s *seco) target(f *reading, n *node) error {
	if delisted(n.all("modification")) {
		return nil
	}
	e := Entity{ID: n.attr("ssid"), Kind: Other, Topics: []string{"sanction"}}
	for _, set := range n.all("sanctions-set-id") {
		e.Programmes = append(e.Programmes, s.programmes[strings.TrimSpace(set.text)])
	}
	for kind, as := range map[string]Kind{"individual": Person, "entity": Organisation, "object": Vessel} {
		for _, body := range n.all(kind) {
			e.Kind = as
			e.Sexes = appendSex(e.Sexes, body.attr("sex"))
			for _, id := range body.all("identity") {
				secoIdentity(&e, id)
			}
		}
	}
	return f.put(Change{Op: Put, Entity: e})
}

// delisted reports whether the newest change by the day from which it counts takes the entry off. Within the entry's older
// states further changes are repeated; only those of the entry itself are looked at.
func delisted(changes []*node) bool {
	newest, kind := "", ""
	for _, m := range changes {
		day := m.attr("effective-date")
		if day == "" {
			day = m.attr("enactment-date")
		}
		if day >= newest {
			newest, kind = day, m.attr("modification-type")
		}
	}
	return kind == "de-listed"
}

func secoIdentity(e *Entity, id *node) {
	for _, n := range id.all("name") {
		strength := Good
		switch {
		case n.attr("quality") == "low":
			strength = Weak
		case n.attr("name-type") == "primary-name" && id.attr("main") != "false":
			strength = Primary
		}
		e.Names = append(e.Names, secoName(n, strength)...)
	}
	for _, d := range id.all("day-month-year") {
		e.Births = append(e.Births, secoBirth(d))
	}
	for _, c := range id.all("nationality", "country") {
		e.Nationalities = append(e.Nationalities, c.attr("iso-code"))
	}
	for _, d := range id.all("identification-document") {
		e.Documents = append(e.Documents, Document{
			Type: d.attr("document-type"), Number: d.value("number"), Issuer: d.at("issuer").attr("code"),
		})
	}
}

// secoName returns the name, and one more for each script and language in which its parts are spelled: not the product of the
// spellings, which grows without bounds.
func secoName(n *node, strength Strength) []ListedName {
	styles := []string{""}
	for _, p := range n.all("name-part") {
		for _, v := range p.all("spelling-variant") {
			if style := v.attr("script") + "/" + v.attr("lang"); len(styles) < 20 {
				styles = append(styles, style)
			}
		}
	}
	var out []ListedName
	for _, style := range distinct(styles) {
		name := ListedName{Strength: strength}
		if style != "" && strength == Primary {
			name.Strength = Good
		}
		for _, p := range n.all("name-part") {
			value := p.value("value")
			for _, v := range p.all("spelling-variant") {
				if v.attr("script")+"/"+v.attr("lang") == style {
					value = strings.TrimSpace(v.text)
				}
			}
			switch p.attr("name-part-type") {
			case "family-name", "maiden-name", "tribal-name":
				name.Family = strings.TrimSpace(name.Family + " " + value)
			case "whole-name":
				name.Text = value
			case "title", "suffix":
			default:
				name.Given = strings.TrimSpace(name.Given + " " + value)
			}
		}
		out = append(out, name)
	}
	return out
}

func secoBirth(n *node) names.Dates {
	if cal := n.attr("calendar"); cal != "" && !strings.EqualFold(cal, "gregorian") {
		return islamic(n.attr("year"))
	}
	d := parts(n.attr("day"), n.attr("month"), n.attr("year"))
	if n.attr("quality") == "low" {
		return d.Circa()
	}
	return d
}
