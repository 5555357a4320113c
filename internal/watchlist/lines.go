package watchlist

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/names"
)

// ftmEntity is a line of OpenSanctions' entities.
type ftmEntity struct {
	ID         string              `json:"id"`
	Schema     string              `json:"schema"`
	Properties map[string][]string `json:"properties"`
	Referents  []string            `json:"referents"`
}

type ftmChange struct {
	Op     string    `json:"op"`
	Entity ftmEntity `json:"entity"`
}

// readLines reads JSON, one entry a line.
func readLines(f *reading) error {
	parse := map[Format]func([]byte) (Change, bool, error){FtM: ftmLine, FtMDelta: deltaLine, OwnJSON: ownLine}[f.Format]
	lines := bufio.NewReaderSize(f.in, peek)
	for number := 1; ; number++ {
		line, err := readLine(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return broken(err)
		}
		f.counted.since, f.row = 0, number
		if text := bytes.TrimSpace(bytes.Trim(line, "\x1a")); len(text) > 0 {
			if err := f.line(text, parse); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
	}
}

func (f *reading) line(text []byte, parse func([]byte) (Change, bool, error)) error {
	if deep(text) {
		return ErrHostile
	}
	c, wanted, unreadable := parse(text)
	switch {
	case unreadable != nil:
		f.reject()
		return nil //nolint:nilerr // it is counted, and a guard holds the version where there are too many
	case !wanted:
		return nil
	}
	return f.put(c)
}

// readLine reads a line of any length up to an entry's limit.
func readLine(in *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		part, err := in.ReadSlice('\n')
		if out = append(out, part...); len(out) > maxEntry {
			return nil, ErrHostile
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return out, err //nolint:wrapcheck // io.EOF has to stay what it is
		}
	}
}

// deep reports whether JSON is nested deeper than the limit.
func deep(text []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

func ftmLine(text []byte) (Change, bool, error) {
	var e ftmEntity
	if err := json.Unmarshal(text, &e); err != nil {
		return Change{}, false, err //nolint:wrapcheck // counted, never shown
	}
	entity, wanted := e.entity()
	return Change{Put, entity}, wanted, nil
}

func deltaLine(text []byte) (Change, bool, error) {
	var c ftmChange
	if err := json.Unmarshal(text, &c); err != nil {
		return Change{}, false, err //nolint:wrapcheck // counted, never shown
	}
	entity, wanted := c.Entity.entity()
	switch c.Op {
	case "ADD", "MOD":
		return Change{Put, entity}, wanted, nil
	case "DEL":
		return Change{Delete, Entity{ID: c.Entity.ID}}, true, nil
	}
	return Change{}, false, errors.New("an op that is not known")
}

// ftmKinds are the schemata that stand for somebody or something that can be on a list; all others describe relations.
var ftmKinds = map[string]Kind{
	"Person": Person, "Organization": Organisation, "Company": Organisation, "LegalEntity": Organisation, "PublicBody": Organisation,
	"Vessel": Vessel, "Airplane": Other, "CryptoWallet": Other,
}

func (e ftmEntity) entity() (Entity, bool) {
	kind, ok := ftmKinds[e.Schema]
	if !ok {
		return Entity{}, false
	}
	p := e.Properties
	out := Entity{ID: e.ID, FormerIDs: e.Referents, Kind: kind, Topics: p["topics"], Programmes: p["programId"]}
	for i, n := range p["name"] {
		strength := Good
		if i == 0 {
			strength = Primary
		}
		out.Names = append(out.Names, ListedName{Text: n, Strength: strength})
	}
	for key, strength := range map[string]Strength{"alias": Good, "weakAlias": Weak, "previousName": Former} {
		for _, n := range p[key] {
			out.Names = append(out.Names, ListedName{Text: n, Strength: strength})
		}
	}
	sortStrength(out.Names)
	for _, b := range p["birthDate"] {
		out.Births = append(out.Births, birthOf(b))
	}
	for _, g := range p["gender"] {
		out.Sexes = appendSex(out.Sexes, g)
	}
	out.Nationalities = append(append(out.Nationalities, p["nationality"]...), p["citizenship"]...)
	for _, key := range []string{"passportNumber", "idNumber", "socialSecurityNumber", "innCode", "taxNumber"} {
		for _, n := range p[key] {
			out.Documents = append(out.Documents, Document{Type: key, Number: n})
		}
	}
	out.Remarks = strings.Join(p["notes"], " ")
	return out, true
}

// sortStrength puts weak names last, so that a name which is also a good one stays good, and keeps all else in one order.
func sortStrength(in []ListedName) {
	rank := map[Strength]int{Primary: 0, Good: 1, Former: 2, Weak: 3}
	slices.SortStableFunc(in, func(a, b ListedName) int {
		if d := rank[a.Strength] - rank[b.Strength]; d != 0 {
			return d
		}
		if a.Strength == Primary || a.Strength == Good {
			return 0
		}
		return strings.Compare(a.Text, b.Text)
	})
}

// ownEntry is an entry of an operator's own list.
type ownEntry struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Birth       string `json:"birth"`
	Nationality string `json:"nationality"`
	Sex         string `json:"sex"`
	Number      string `json:"document_number"`
	Kind        string `json:"kind"`
	Note        string `json:"note"`
	Until       string `json:"until"`
}

func ownLine(text []byte) (Change, bool, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	var e ownEntry
	if err := in.Decode(&e); err != nil {
		return Change{}, false, err //nolint:wrapcheck // counted, never shown
	}
	return e.change()
}

func (e ownEntry) change() (Change, bool, error) {
	out := Entity{ID: e.ID, Kind: Person, Topics: []string{"watch"}, Remarks: e.Note, Names: []ListedName{{Text: e.Name, Strength: Primary}}}
	if e.Kind != "" {
		out.Kind = kindOf(e.Kind)
	}
	if out.ID == "" {
		out.ID = clean(e.Name+"|"+e.Birth, 200)
	}
	if e.Birth != "" {
		d := birthOf(e.Birth)
		if !d.Known() {
			return Change{}, false, names.ErrBirth
		}
		out.Births = append(out.Births, d)
	}
	if e.Until != "" {
		if published(e.Until).IsZero() {
			return Change{}, false, names.ErrBirth
		}
		out.Until = e.Until
	}
	if e.Nationality != "" {
		out.Nationalities = strings.Split(e.Nationality, ";")
	}
	out.Sexes = appendSex(nil, e.Sex)
	if e.Number != "" {
		out.Documents = []Document{{Number: e.Number}}
	}
	return Change{Put, out}, true, nil
}

func hasColumn(fields []string, name string) bool {
	return slices.ContainsFunc(fields, func(s string) bool { return strings.Trim(s, " \"\r\xef\xbb\xbf") == name })
}

// readOwnCSV reads an operator's list with a header. A column that is not known refuses the file.
func readOwnCSV(f *reading) error {
	var header []string
	return f.rows(func(row []string) error {
		if header == nil {
			for _, h := range row {
				h = strings.ToLower(strings.TrimSpace(h))
				if !slices.Contains([]string{"id", "name", "birth", "nationality", "sex", "document_number", "kind", "note", "until"}, h) {
					return ErrNotAList
				}
				header = append(header, h)
			}
			return nil
		}
		if len(row) != len(header) {
			f.reject()
			return nil
		}
		v := map[string]string{}
		for i, h := range header {
			v[h] = strings.TrimSpace(row[i])
		}
		c, _, err := ownEntry{v["id"], v["name"], v["birth"], v["nationality"], v["sex"], v["document_number"], v["kind"], v["note"], v["until"]}.change()
		if err != nil {
			f.reject()
			return nil //nolint:nilerr // counted
		}
		return f.put(c)
	})
}
