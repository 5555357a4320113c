package mrz

import (
	"fmt"
	"testing"
)

// TestEachCheckDigitOfAZoneCounts changes each check digit of each form to each other digit.
func TestEachCheckDigitOfAZoneCounts(t *testing.T) {
	t.Attr("case", "N80")
	for f, lines := range specimens {
		if d, err := Parse(lines); err != nil || !d.CheckDigitsOK() {
			t.Fatalf("%s: the specimen's check digits are wrong (%v)", f, err)
		}
		for _, c := range layouts[f].checks {
			t.Run(fmt.Sprintf("%s, line %d, column %d", f, c.line, c.col), func(t *testing.T) {
				for digit := byte('0'); digit <= '9'; digit++ {
					if lines[c.line][c.col] == digit {
						continue
					}
					changed := append([]string(nil), lines...)
					line := []byte(changed[c.line])
					line[c.col] = digit
					changed[c.line] = string(line)
					if d, err := Parse(changed); err == nil && d.CheckDigitsOK() {
						t.Errorf("%c counts as %c", digit, lines[c.line][c.col])
					}
				}
			})
		}
	}
}

// TestNoZoneHoldsControlCharactersOrMarkup puts what no zone can hold into the names, the number and an optional field.
func TestNoZoneHoldsControlCharactersOrMarkup(t *testing.T) {
	t.Attr("case", "N81")
	for _, bad := range []string{"\x00", "\x1b", "\n", ">", "&", "\"", "'"} {
		for _, at := range [][2]int{{0, 6}, {1, 2}, {1, 30}} {
			changed := append([]string(nil), specimens[TD3]...)
			line := changed[at[0]]
			changed[at[0]] = line[:at[1]] + bad + line[at[1]+1:]
			if d, err := Parse(changed); err == nil && d.Valid() {
				t.Errorf("%q in line %d, column %d is valid", bad, at[0], at[1])
			}
		}
	}
}
