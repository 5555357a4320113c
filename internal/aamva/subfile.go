package aamva

import "strings"

// readSubfiles finds each subfile of the directory, wherever it really begins,
// and reads its elements. A card whose directory is unusable is searched for a
// DL or ID subfile after the header.
func (p *Payload) readSubfiles(text string, dir directory) {
	entries := dir.entries
	if !hasPerson(entries) {
		p.fault("", FaultOffset, Tolerance+1)
		entries = append(entries, entry{kind: "DL"}, entry{kind: "ID"})
	}
	for _, e := range entries {
		at := locate(text, e, dir.end)
		if at < 0 {
			if e.length > 0 {
				p.fault(e.kind, FaultOffset, Tolerance+1)
			}
			continue
		}
		if e.length > 0 && at != e.offset {
			p.fault(e.kind, FaultOffset, at-e.offset)
		}
		body := text[at:]
		if end := strings.IndexByte(body, '\r'); end >= 0 {
			body = body[:end+1]
		}
		if by := len(body) - e.length; e.length > 0 && by != 0 {
			p.fault(e.kind, FaultLength, by)
		}
		if p.Type == "" && (e.kind == "DL" || e.kind == "ID") {
			p.Type = e.kind
		}
		p.readElements(e.kind, body[2:])
	}
}

func hasPerson(entries []entry) bool {
	for _, e := range entries {
		if e.kind == "DL" || e.kind == "ID" {
			return true
		}
	}
	return false
}

// locate answers where the subfile begins: where the directory says, at most
// Tolerance beside it, else its first occurrence behind the header; −1 if there
// is none.
func locate(text string, e entry, headerEnd int) int {
	begins := func(at int) bool {
		return at >= headerEnd && at+5 <= len(text) && text[at:at+2] == e.kind && isCode(text[at+2:at+5])
	}
	if e.length > 0 {
		for off := 0; off <= Tolerance; off++ {
			for _, at := range []int{e.offset + off, e.offset - off} {
				if begins(at) {
					return at
				}
			}
		}
	}
	for at := headerEnd; at+5 <= len(text); at++ {
		if begins(at) && (at == headerEnd || text[at-1] < ' ' || text[at-1] >= '0' && text[at-1] <= '9') {
			return at
		}
	}
	return -1
}

// isCode: element codes are three letters, the first D for the standard's own
// and Z for the issuer's.
func isCode(s string) bool {
	return len(s) == 3 && (s[0] == 'D' || s[0] == 'Z' || s[0] == 'P') && letterOrDigit(s[1]) && letterOrDigit(s[2])
}

func letterOrDigit(c byte) bool { return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' }

func (p *Payload) readElements(kind, body string) {
	for line := range strings.SplitSeq(body, "\n") {
		line = strings.TrimRight(line, "\r\x00 ")
		if line == "" {
			continue
		}
		if len(line) < 3 || !isCode(line[:3]) {
			p.fault(kind, FaultElement, 0)
			continue
		}
		code, value := line[:3], strings.TrimSpace(line[3:])
		if old, ok := p.Elements[code]; ok {
			if old != value {
				p.fault(code, FaultTwice, 0)
			}
			continue
		}
		p.Elements[code] = value
	}
}
