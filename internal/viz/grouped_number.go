package viz

import (
	"regexp"
	"strings"
)

// Numbers of North American cards that stand in groups with hyphens behind a letter and four digits: those of Ontario have five digits
// and five behind them, those of Québec six and two.
var (
	groupedNumber = regexp.MustCompile(`^[A-Z]([0-9]{4} ?- ?[0-9]{4,6} ?- ?[0-9]|([0-9]{3}|[0-9]{5}) ?- ?[0-9]{5} ?- ?[0-9]{5}$)`)
	wholeGroups   = regexp.MustCompile(`^[A-Z][0-9]{4} ?- ?([0-9]{5} ?- ?[0-9]{5}|[0-9]{6} ?- ?[0-9]{2})$`)
)

// lostSign reports whether a number in groups has not as many signs in each as its form has.
func lostSign(number string) bool {
	return groupedNumber.MatchString(number) && !wholeGroups.MatchString(number)
}

// textOfParts is what stands in parts of lines.
func (r *reader) textOfParts(parts []part) string {
	var out []string
	for _, p := range parts {
		out = append(out, string(r.runes[p.line][p.from:p.to]))
	}
	return strings.Join(out, " ")
}
