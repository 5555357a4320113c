package mrz

import (
	"strings"
	"unicode"
)

// RepairReason says which rule changed a character.
type RepairReason string

// The rules. None looks at a check digit's verdict.
const (
	RepairDigit   RepairReason = "digit_field"  // a letter where only digits stand
	RepairLetter  RepairReason = "letter_field" // a digit where only letters stand
	RepairPadding RepairReason = "padding"      // fillers added or removed to reach the line's length
	RepairSex     RepairReason = "sex_field"    // neither M, F nor <
	RepairState   RepairReason = "state_field"  // D is the only code of one letter
)

// Repair is one change, for the evidence.
type Repair struct {
	Line, Col int    // from 0, in the repaired line
	From, To  string // for padding: the fillers removed or added, the other empty
	Reason    RepairReason
}

// digitFor and letterFor are what readers confuse in OCR-B, by shape only.
var digitFor = map[byte]byte{
	'O': '0', 'Q': '0', 'D': '0', 'U': '0', 'C': '0', 'I': '1', 'L': '1', 'J': '1', 'Z': '2',
	'S': '5', 'B': '8', 'G': '6', 'E': '6', 'T': '7', 'A': '4',
}

var letterFor = map[byte]byte{
	'0': 'O', '1': 'I', '2': 'Z', '5': 'S', '8': 'B', '6': 'G', '7': 'T', '4': 'A',
}

var sexFor = map[byte]byte{
	'N': 'M', 'H': 'M', 'W': 'M', 'P': 'F', 'E': 'F', 'X': '<', 'K': '<', 'C': '<',
}

// RepairLines brings raw reader output to the nearest format and mends
// characters that their field cannot hold, by the field's class only. It never
// tries substitutions to make check digits pass: where the class leaves a
// choice the character stays. ok is false when no format is near; the lines
// are then returned cleaned but otherwise as they were. Repairing twice changes
// nothing more.
func RepairLines(lines []string) (repaired []string, repairs []Repair, ok bool) {
	clean := make([]string, len(lines))
	for i, l := range lines {
		clean[i] = Clean(l)
	}
	for _, f := range Candidates(clean) {
		if out, done, ok := RepairAs(f, clean); ok {
			return out, done, true
		}
	}
	return clean, nil, false
}

// RepairAs is RepairLines for a format that the caller already knows. ok is
// false when a line's length cannot be reached by padding alone.
func RepairAs(f Format, lines []string) (repaired []string, repairs []Repair, ok bool) {
	n, width := f.Shape()
	if len(lines) != n {
		return lines, nil, false
	}
	repaired = make([]string, n)
	for i, l := range lines {
		fitted, fix, ok := pad(f, i, Clean(l), width)
		if !ok {
			return lines, nil, false
		}
		if fix != nil {
			repairs = append(repairs, *fix)
		}
		var fixes []Repair
		repaired[i], fixes = byClass(f, i, fitted)
		repairs = append(repairs, fixes...)
	}
	for _, at := range stateFields(f) {
		if fix, ok := oneLetterState(repaired, at); ok {
			repairs = append(repairs, fix)
		}
	}
	return repaired, repairs, true
}

// Clean drops spaces and turns look-alikes of the filler and lower case into
// the zone's own characters. Whatever else is outside the alphabet is dropped.
func Clean(line string) string {
	var b strings.Builder
	for _, r := range line {
		switch {
		case r == '«' || r == '≪' || r == '《':
			b.WriteString("<<")
		case r == '‹' || r == '〈' || r == '＜':
			b.WriteByte('<')
		case r <= unicode.MaxASCII && isMRZ(byte(unicode.ToUpper(r))):
			b.WriteByte(byte(unicode.ToUpper(r)))
		}
	}
	return b.String()
}

func byClass(f Format, line int, s string) (string, []Repair) {
	b := []byte(s)
	var repairs []Repair
	for col, c := range b {
		class := ClassAt(f, line, col)
		if line == 0 && col == 1 && PermitCode(f, s) {
			class = PermitClass
		}
		if class.Allows(c) {
			continue
		}
		to, why := mend(class, c)
		if to == 0 {
			continue
		}
		b[col] = to
		repairs = append(repairs, Repair{Line: line, Col: col, From: string(c), To: string(to), Reason: why})
	}
	return string(b), repairs
}

func mend(class Class, c byte) (byte, RepairReason) {
	switch class {
	case Digits, DigitsFill:
		return digitFor[c], RepairDigit
	case Letters, LettersFill:
		return letterFor[c], RepairLetter
	case PermitClass:
		return digitFor[c], RepairDigit
	case Sexes:
		return sexFor[c], RepairSex
	}
	return 0, ""
}

// pad reaches the width by changing the one run of fillers whose length the
// layout leaves open: the one at the end of the line, or, where check digits
// close the line, the one in the optional field before them.
func pad(f Format, line int, s string, width int) (string, *Repair, bool) {
	off := width - len(s)
	if off == 0 {
		return s, nil, true
	}
	at, n := openRun(f, line, s)
	if off < 0 && n+off < 1 || off > slack || at < 0 {
		return s, nil, false
	}
	fix := &Repair{Line: line, Col: at, Reason: RepairPadding}
	if off > 0 {
		fix.To = strings.Repeat("<", off)
		return s[:at] + fix.To + s[at:], fix, true
	}
	fix.From = strings.Repeat("<", -off)
	return s[:at] + s[at-off:], fix, true
}

// openRun finds that run: where it begins and its length; −1 when there is
// none or when two could be it.
func openRun(f Format, line int, s string) (at, n int) {
	tail := closing(f, line)
	end := len(s) - tail
	if end <= 0 {
		return -1, 0
	}
	at = end
	for at > 0 && s[at-1] == '<' {
		at--
	}
	n = end - at
	// Fewer than two fillers may be a separator or a misread character, not a
	// run that somebody lost count of.
	if n < 2 {
		return -1, 0
	}
	if tail > 0 && at < firstOpen(f, line) {
		at = firstOpen(f, line)
		n = end - at
		if n < 2 {
			return -1, 0
		}
	}
	return at, n
}

// closing is how many characters stand after the last run of fillers.
func closing(f Format, line int) int {
	switch {
	case f == TD3 && line == 1:
		return 2
	case (f == TD2 || f == IDROU) && line == 1, f == TD1 && line == 1:
		return 1
	}
	return 0
}

// firstOpen is where the optional field of such a line begins: what stands
// before it has fixed places.
func firstOpen(f Format, line int) int {
	if f == TD1 && line == 1 {
		return 18
	}
	return 28
}

func stateFields(f Format) []span {
	var out []span
	for _, fd := range layouts[f].fields {
		if (fd.name == "issuer" || fd.name == "nationality") && fd.class == LettersFill {
			out = append(out, span{fd.line, fd.from, fd.to})
		}
	}
	return out
}

// oneLetterState: Germany's D is the only code followed by two fillers (ICAO
// 9303-3 §5), so an O or Q there is a D.
func oneLetterState(lines []string, at span) (Repair, bool) {
	l := lines[at.line]
	code := l[at.from:at.to]
	if code != "O<<" && code != "Q<<" {
		return Repair{}, false
	}
	lines[at.line] = l[:at.from] + "D" + l[at.from+1:]
	return Repair{Line: at.line, Col: at.from, From: code[:1], To: "D", Reason: RepairState}, true
}
