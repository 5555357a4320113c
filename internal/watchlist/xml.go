package watchlist

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// node is one element of an entry. Names of elements and attributes are local: sources change their namespaces.
type node struct {
	name  string
	attrs []xml.Attr
	text  string
	kids  []*node
}

var none = &node{}

// at returns the first element on a path of names; an empty one where there is none.
func (n *node) at(path ...string) *node {
	for _, p := range path {
		found := none
		for _, k := range n.kids {
			if k.name == p {
				found = k
				break
			}
		}
		n = found
	}
	return n
}

// all returns every element on a path of names.
func (n *node) all(path ...string) []*node {
	in := []*node{n}
	for _, p := range path {
		var next []*node
		for _, m := range in {
			for _, k := range m.kids {
				if k.name == p {
					next = append(next, k)
				}
			}
		}
		in = next
	}
	return in
}

// value is the text of the element on a path.
func (n *node) value(path ...string) string { return strings.TrimSpace(n.at(path...).text) }

// attr is an attribute; empty where there is none.
func (n *node) attr(name string) string { return attrOf(n.attrs, name) }

func attrOf(attrs []xml.Attr, name string) string {
	for _, a := range attrs {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

// grammar says how a format of XML is read.
type grammar struct {
	format Format
	entry  map[string]func(*reading, *node) error // by the element's name
	start  func(*reading, []xml.Attr) error       // the root's attributes
}

// xmlReader finds the grammar from the root.
func (f *reading) xmlReader(head []byte) (func(*reading) error, error) {
	d := xml.NewDecoder(strings.NewReader(string(head)))
	d.CharsetReader = charset
	for {
		t, err := d.RawToken()
		if err != nil {
			return nil, ErrNotAList
		}
		switch t := t.(type) {
		case xml.Directive:
			return nil, ErrHostile
		case xml.StartElement:
			g, ok := grammars()[t.Name.Local]
			if !ok {
				return nil, ErrNotAList
			}
			if t.Name.Local == "Sanctions" && !strings.Contains(string(head), "ReferenceValueSets") {
				return nil, ErrNotAList
			}
			f.Format = g.format
			return g.read, nil
		}
	}
}

// grammars are the formats by their root element.
func grammars() map[string]grammar {
	return map[string]grammar{
		"sdnList":              {OFACXML, map[string]func(*reading, *node) error{"sdnEntry": ofacEntry, "publshInformation": ofacPublished}, nil},
		"Sanctions":            advancedGrammar(),
		"CONSOLIDATED_LIST":    {UN, map[string]func(*reading, *node) error{"INDIVIDUAL": unPerson, "ENTITY": unEntity}, unStart},
		"export":               {EU, map[string]func(*reading, *node) error{"sanctionEntity": euEntity}, euStart},
		"Designations":         {UK, map[string]func(*reading, *node) error{"Designation": ukDesignation, "DateGenerated": ukPublished}, nil},
		"swiss-sanctions-list": secoGrammar(),
	}
}

// charset refuses every encoding but those that the decoder knows and Latin 1.
func charset(label string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "iso-8859-1", "latin1", "windows-1252":
		return latin1{in}, nil
	}
	return nil, fmt.Errorf("%w: encoding %q", ErrNotAList, label)
}

// removed is the element in which a publisher lists what is no longer on the list.
const removed = "removed"

// read streams the file: elements that the grammar names become nodes, one at a time; what is around them is passed by, and so are
// entries within an element that says that they were removed.
func (g grammar) read(f *reading) error {
	d := xml.NewDecoder(f.in)
	d.CharsetReader = charset
	depth, seen, gone := 0, 0, 0 // gone is the depth within which all was removed; 0 for nowhere
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) && depth == 0 && seen > 0 {
			return nil
		}
		if err != nil {
			return broken(err)
		}
		switch t := t.(type) {
		case xml.Directive:
			return ErrHostile
		case xml.EndElement:
			if depth--; depth < gone {
				gone = 0
			}
		case xml.StartElement:
			if seen++; depth == 0 && g.start != nil {
				if err := g.start(f, t.Attr); err != nil {
					return err
				}
			}
			f.counted.since = 0
			if entry, ok := g.entry[t.Name.Local]; ok && depth > 0 && gone == 0 {
				if err := readEntry(f, d, t, depth, entry); err != nil {
					return err
				}
				continue
			}
			if depth++; depth > maxDepth {
				return ErrHostile
			}
			if gone == 0 && strings.EqualFold(t.Name.Local, removed) {
				gone = depth
			}
		}
	}
}

// readEntry reads one element whole, and what it says.
func readEntry(f *reading, d *xml.Decoder, start xml.StartElement, depth int, entry func(*reading, *node) error) error {
	n, err := tree(d, start, depth)
	if err != nil {
		return err
	}
	f.counted.since = 0
	return entry(f, n)
}

// tree reads one element whole.
func tree(d *xml.Decoder, start xml.StartElement, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, ErrHostile
	}
	n := &node{name: start.Name.Local, attrs: append([]xml.Attr(nil), start.Attr...)}
	var text []byte
	for {
		t, err := d.Token()
		if err != nil {
			return nil, broken(err)
		}
		switch t := t.(type) {
		case xml.Directive:
			return nil, ErrHostile
		case xml.CharData:
			text = append(text, t...)
		case xml.StartElement:
			kid, err := tree(d, t, depth+1)
			if err != nil {
				return nil, err
			}
			n.kids = append(n.kids, kid)
		case xml.EndElement:
			n.text = string(text)
			return n, nil
		}
	}
}

// broken tells a limit from a file that breaks off.
func broken(err error) error {
	for _, limit := range []error{ErrHostile, ErrTooLarge, ErrNotAList} {
		if errors.Is(err, limit) {
			return limit
		}
	}
	return ErrBroken
}
