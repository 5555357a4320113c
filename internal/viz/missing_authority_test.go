package viz

import (
	"math"
	"testing"
)

func TestTheAuthorityIsLookedForRightOfTheDayOfIssue(t *testing.T) {
	european := at(250, 40, 30, "DRIVING LICENCE")
	fields := []Line{at(350, 180, 22, "3. 22.11.1987"), at(350, 240, 22, "4b. 03.12.2037"), at(350, 270, 22, "5. WR20031382")}
	issued := at(350, 210, 22, "4a. 04.12.2022")
	for name, c := range map[string]struct {
		lines []Line
		want  bool
	}{
		"nothing was read there":              {[]Line{european, issued}, true},
		"it was read":                         {[]Line{european, issued, at(620, 210, 22, "4c. UTOPIA CITY")}, false},
		"it was read in another row":          {[]Line{european, issued, at(620, 240, 22, "4c. UTOPIA CITY")}, false},
		"another field stands there":          {[]Line{european, issued, at(550, 210, 22, "4d. 2806353808")}, false},
		"the day of issue was not read":       {[]Line{european}, false},
		"a card of North America, without 4c": {[]Line{at(560, 40, 30, "DRIVER LICENSE"), at(350, 210, 22, "4a ISS 07/24/2022")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := false
			for _, s := range Read(pageOf(append(c.lines, fields...)...)).Missing {
				got = got || math.Abs(s.Y-210) < 1 && s.X-s.Length/2 > 520 && s.X+s.Length/2 < 1000 && s.Length > 300
			}
			if got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
