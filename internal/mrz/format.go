package mrz

// slack is by how many characters a reader may have miscounted a line before
// the line no longer suggests a format.
const slack = 6

// FormatOf returns the format whose lines have exactly this number and length
// and whose document code fits: P means TD3 only, V means MRV only (ICAO
// 9303-4, -7), IDFRA and IDROU have layouts of their own.
func FormatOf(lines []string) (Format, bool) {
	for _, f := range Formats() {
		n, width := f.Shape()
		if len(lines) == n && allOf(lines, width) && fitsCode(f, lines[0]) {
			return f, true
		}
	}
	return "", false
}

// Candidates returns the formats that lines of about this length can be, the
// nearest in length first. A line may be off by six characters.
func Candidates(lines []string) []Format {
	var out []Format
	var dist []int
	for _, f := range Formats() {
		n, width := f.Shape()
		if len(lines) != n || !fitsCode(f, lines[0]) {
			continue
		}
		d, far := 0, false
		for _, l := range lines {
			off := max(len(l)-width, width-len(l))
			d += off
			far = far || off > slack
		}
		if far {
			continue
		}
		at := len(out)
		for at > 0 && dist[at-1] > d {
			at--
		}
		out = append(out[:at], append([]Format{f}, out[at:]...)...)
		dist = append(dist[:at], append([]int{d}, dist[at:]...)...)
	}
	return out
}

func allOf(lines []string, width int) bool {
	for _, l := range lines {
		if len(l) != width {
			return false
		}
	}
	return true
}

// fitsCode compares the first letters, each also as the digit that a reader
// takes it for.
func fitsCode(f Format, first string) bool {
	if len(first) < 5 {
		return false
	}
	c, ok := letterFor[first[0]]
	if !ok {
		c = first[0]
	}
	national := asLetters(first[:5])
	switch f {
	case TD3:
		return c == 'P'
	case MRVA, MRVB:
		return c == 'V'
	case IDFRA, IDROU:
		return national == string(f)
	case TD2:
		return isCardCode(c) && national != string(IDFRA) && national != string(IDROU)
	}
	return isCardCode(c)
}

// isCardCode: A, C and I by ICAO 9303-5 and -6; some states print R on
// residence permits.
func isCardCode(c byte) bool { return c == 'A' || c == 'C' || c == 'I' || c == 'R' }

// SharesCodes reports whether a document code can be of either format.
func (f Format) SharesCodes(o Format) bool {
	for c := byte('A'); c <= 'Z'; c++ {
		code := string(c) + "<UTO"
		for _, national := range [...]Format{IDFRA, IDROU} {
			if f == national || o == national {
				code = string(national)
			}
		}
		if fitsCode(f, code) && fitsCode(o, code) {
			return true
		}
	}
	return false
}

func asLetters(s string) string {
	b := []byte(s)
	for i, c := range b {
		if l, ok := letterFor[c]; ok {
			b[i] = l
		}
	}
	return string(b)
}
