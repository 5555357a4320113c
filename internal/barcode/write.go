package barcode

import (
	"errors"
	"strings"
)

// Modules is a code as it is printed: rows of modules, dark ones true, without the quiet zone.
type Modules struct {
	W, H int
	Dark []bool // row by row
}

// At reports whether a module is dark; what lies outside is not.
func (m Modules) At(x, y int) bool { return x >= 0 && y >= 0 && x < m.W && y < m.H && m.Dark[y*m.W+x] }

// The bounds of a PDF417 (ISO/IEC 15438 §5.2).
const (
	mostRows    = 90
	leastRows   = 3
	mostColumns = 30
	mostWords   = 928
	padding     = 900
)

// WritePDF417 writes Latin-1 text as a PDF417 of the given columns (1–30) with an error correction level (0–8), one module
// high a row: printers make rows three modules high. It fails when the text has other characters or does not fit.
func WritePDF417(text string, columns, level int) (Modules, error) {
	if columns < 1 || columns > mostColumns || level < 0 || level > 8 {
		return Modules{}, errors.New("write PDF417: 1 to 30 columns and levels 0 to 8")
	}
	words, err := compact(text)
	if err != nil {
		return Modules{}, err
	}
	k := 2 << level
	rows := max(leastRows, (len(words)+1+k+columns-1)/columns)
	if rows > mostRows || rows*columns > mostWords {
		return Modules{}, errors.New("write PDF417: the text does not fit")
	}
	data := append([]int{rows*columns - k}, words...)
	for len(data) < data[0] {
		data = append(data, padding)
	}
	return drawPDF417(append(data, correction(data, k)...), columns, level), nil
}

// correction are the k codewords that make data divisible by (x−3¹)…(x−3ᵏ).
func correction(data []int, k int) []int {
	generator := make([]int, k+1) // lowest degree first
	generator[0] = 1
	for i := 1; i <= k; i++ {
		root := power(i)
		for j := i; j >= 0; j-- {
			v := (fieldSize - root) * generator[j] % fieldSize
			if j > 0 {
				v = (v + generator[j-1]) % fieldSize
			}
			generator[j] = v
		}
	}
	rest := make([]int, k) // highest degree first
	for _, w := range data {
		by := (w + rest[0]) % fieldSize
		copy(rest, rest[1:])
		rest[k-1] = 0
		for j := range rest {
			rest[j] = (rest[j] + (fieldSize-by)*generator[k-1-j]) % fieldSize
		}
	}
	for i, r := range rest {
		rest[i] = (fieldSize - r) % fieldSize
	}
	return rest
}

// indicators are the values of the left and the right row indicator (ISO/IEC 15438 §5.11.3).
func indicators(row, rows, columns, level int) (left, right int) {
	base, height, depth, width := 30*(row/3), (rows-1)/3, 3*level+(rows-1)%3, columns-1
	switch row % 3 {
	case 0:
		return base + height, base + width
	case 1:
		return base + depth, base + height
	default:
		return base + width, base + depth
	}
}

// widthOf is how many modules a PDF417 of so many columns is wide.
func widthOf(columns int) int { return codewordModules*(columns+4) + 1 }

// drawPDF417 lays codewords out in rows.
func drawPDF417(words []int, columns, level int) Modules {
	rows := len(words) / columns
	m := Modules{W: widthOf(columns), H: rows, Dark: make([]bool, widthOf(columns)*rows)}
	for row := range rows {
		at := row * m.W
		left, right := indicators(row, rows, columns, level)
		at = m.runs(at, startRuns)
		at = m.symbol(at, row, left)
		for _, w := range words[row*columns : (row+1)*columns] {
			at = m.symbol(at, row, w)
		}
		at = m.symbol(at, row, right)
		m.runs(at, stopRuns)
	}
	return m
}

func (m Modules) runs(at int, runs []int) int {
	for i, n := range runs {
		for range n {
			m.Dark[at] = i%2 == 0
			at++
		}
	}
	return at
}

func (m Modules) symbol(at, row, word int) int {
	bits := symbols[row%3][word]
	for i := range codewordModules {
		m.Dark[at+i] = bits>>(codewordModules-1-i)&1 == 1
	}
	return at + codewordModules
}

// The sub-modes of text compaction and their characters (ISO/IEC 15438 §5.4.2.1); what is blank there is a switch.
const (
	upperMode = iota
	lowerMode
	mixedMode
	punctMode
)

var textModes = [4]string{
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ ", "abcdefghijklmnopqrstuvwxyz ",
	"0123456789&\r\t,:#-.$/+%*=^\x00 ", ";<>@[\\]_`~!\r\t,:\n-.$/\"|*()?{}'",
}

// textSwitch are the values that lead from one sub-mode to another for good.
var textSwitch = [4][4][]int{
	upperMode: {lowerMode: {27}, mixedMode: {28}, punctMode: {28, 25}},
	lowerMode: {upperMode: {28, 28}, mixedMode: {28}, punctMode: {28, 25}},
	mixedMode: {upperMode: {28}, lowerMode: {27}, punctMode: {25}},
	punctMode: {upperMode: {29}, lowerMode: {29, 27}, mixedMode: {29, 28}},
}

// byteShift announces one byte in the midst of text.
const byteShift = 913

// compact writes text in text compaction, two characters a codeword, with a byte shift where the mode has no character.
func compact(text string) ([]int, error) {
	var out, half []int
	mode := upperMode
	flush := func() {
		if len(half)%2 == 1 {
			half = append(half, 29)
			if mode == punctMode { // there 29 leads back to capitals
				mode = upperMode
			}
		}
		for i := 0; i < len(half); i += 2 {
			out = append(out, 30*half[i]+half[i+1])
		}
		half = half[:0]
	}
	for _, r := range text {
		if r > 0xff {
			return nil, errors.New("write PDF417: a character beyond Latin-1")
		}
		to, value := modeOf(r, mode)
		if to < 0 {
			flush()
			out = append(out, byteShift, int(r))
			continue
		}
		if to != mode {
			half = append(half, textSwitch[mode][to]...)
			mode = to
		}
		half = append(half, value)
	}
	flush()
	return out, nil
}

// modeOf finds a character's sub-mode, the present one if it will do, and value; −1 if none has it.
func modeOf(r rune, mode int) (int, int) {
	if r == 0 {
		return -1, 0
	}
	for i := range textModes {
		m := (mode + i) % len(textModes)
		if at := strings.IndexRune(textModes[m], r); at >= 0 {
			return m, at
		}
	}
	return -1, 0
}
