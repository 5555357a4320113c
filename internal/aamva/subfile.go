package aamva

import (
	"slices"
	"strings"
)

// persons are the subfile types that describe a holder.
var persons = []string{"DL", "ID", "EN"}

// located is a subfile at its true place.
type located struct {
	entry
	at   int  // of its first character
	bare bool // it begins with its first element instead of its type
}

// readSubfiles finds each subfile of the directory, wherever it really begins,
// and reads its elements up to the next one. A card whose directory is unusable
// is searched for a subfile of a holder after the header.
func (p *Payload) readSubfiles(text string, dir directory) {
	entries := dir.entries
	if !slices.ContainsFunc(entries, func(e entry) bool { return slices.Contains(persons, e.kind) }) {
		p.fault("", FaultOffset, Tolerance+1)
		for _, kind := range persons {
			entries = append(entries, entry{kind: kind})
		}
	}
	var found []located
	for _, e := range entries {
		l, ok := locate(text, e, dir.end)
		switch {
		case ok && !slices.ContainsFunc(found, func(o located) bool { return o.at == l.at }):
			found = append(found, l)
		case !ok && e.length > 0:
			p.fault(e.kind, FaultOffset, Tolerance+1)
		}
	}
	for _, l := range found {
		limit := len(text)
		for _, o := range found {
			if o.at > l.at {
				limit = min(limit, o.at)
			}
		}
		p.readSubfile(l, text[l.at:limit])
	}
}

// readSubfile reads what stands between the subfile's first character and the next subfile's.
func (p *Payload) readSubfile(l located, body string) {
	if l.length > 0 && l.at != l.offset {
		p.fault(l.kind, FaultOffset, l.at-l.offset)
	}
	end := strings.TrimRight(body, " \x00\n\r\x1e")
	// What ends a subfile is one carriage return; what follows it is padding.
	size := len(end)
	if rest := body[size:]; strings.Contains(rest, "\r") {
		size += strings.IndexByte(rest, '\r') + 1
	} else {
		p.fault(l.kind, FaultTerminator, 0)
	}
	if by := size - l.length; l.length > 0 && by != 0 {
		p.fault(l.kind, FaultLength, by)
	}
	if p.Type == "" && slices.Contains(persons, l.kind) {
		p.Type = l.kind
	}
	if l.bare {
		p.fault(l.kind, FaultDesignator, 0)
	} else {
		end = end[min(2, len(end)):]
	}
	p.readElements(l.kind, end)
}

// locate answers where the subfile begins: where the directory says, at most
// Tolerance beside it, else its first occurrence behind the header. Cards that
// leave its type out have an element at its place.
func locate(text string, e entry, headerEnd int) (located, bool) {
	begins := func(at int) bool {
		return at >= headerEnd && at+5 <= len(text) && strings.EqualFold(text[at:at+2], e.kind) && isCode(strings.ToUpper(text[at+2:at+5]))
	}
	near := func(is func(int) bool) (int, bool) {
		for off := 0; off <= Tolerance && e.length > 0; off++ {
			for _, at := range []int{e.offset + off, e.offset - off} {
				if is(at) {
					return at, true
				}
			}
		}
		return 0, false
	}
	if at, ok := near(begins); ok {
		return located{e, at, false}, true
	}
	for at := headerEnd; at+5 <= len(text); at++ {
		if begins(at) && (at == headerEnd || text[at-1] < ' ' || isDigit(text[at-1])) {
			return located{e, at, false}, true
		}
	}
	at, ok := near(func(at int) bool {
		return at >= headerEnd && at+3 <= len(text) && isCode(strings.ToUpper(text[at:at+3])) && (at == headerEnd || text[at-1] < ' ')
	})
	return located{e, at, true}, ok && slices.Contains(persons, e.kind)
}

// isCode: element codes are three letters, the first D for the standard's own
// and Z for the issuer's.
func isCode(s string) bool {
	return len(s) == 3 && (s[0] == 'D' || s[0] == 'Z' || s[0] == 'P') && letterOrDigit(s[1]) && letterOrDigit(s[2])
}

func letterOrDigit(c byte) bool { return isLetter(c) || isDigit(c) }

// readElements reads lines of code and value. Between elements stands a line
// feed; cards were seen with a carriage return before it, with two, and with the
// separators of the header.
func (p *Payload) readElements(kind, body string) {
	if strings.Contains(body, "\n\n") || strings.ContainsAny(body, "\r\x1c\x1d\x1e\x1f") {
		p.fault(kind, FaultSeparator, 0)
	}
	for line := range strings.FieldsFuncSeq(body, func(r rune) bool { return r < ' ' }) {
		line = strings.TrimRight(line, " ")
		if line == "" {
			continue
		}
		// An issuer's own subfile that the directory leaves out begins as a line.
		if len(line) >= 5 && line[0] == 'Z' && line[:2] == line[2:4] && isCode(line[2:5]) {
			p.fault(line[:2], FaultOffset, Tolerance+1)
			line = line[2:]
		}
		code := strings.ToUpper(line[:min(3, len(line))])
		if !isCode(code) {
			p.fault(kind, FaultElement, 0)
			continue
		}
		if code != line[:3] {
			p.fault(kind, FaultCase, 0)
		}
		value := strings.TrimSpace(line[3:])
		if old, ok := p.Elements[code]; ok {
			if old != value {
				p.fault(code, FaultTwice, 0)
			}
			continue
		}
		p.Elements[code] = value
	}
}
