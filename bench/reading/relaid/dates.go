package relaid

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// dateForm is how a page writes days.
type dateForm struct {
	layout string // of package time; MON is replaced by the month's name
	upper  bool
	second bool // the month in English too
}

// monthFirst are the states whose pages may write the month before the day.
var monthFirst = []string{"USA", "CAN", "PHL", "UTO"}

func dateFormOf(rng *rand.Rand, state string) dateForm {
	layout := pick(rng,
		"02.01.2006", "02.01.2006", "02/01/2006", "02-01-2006", "02 01 2006", "2006-01-02", "2006.01.02", "01/02/2006", "01-02-2006", "02.01.06", "02/01/06",
		"02 MON 2006", "02 MON 2006", "02 MON 06", "02-MON-2006", "2 MON 2006", "MON 02, 2006", "2.1.2006", "2006 01 02", "02 . 01 . 2006", "02.MON.2006", "20060102",
	)
	if strings.HasPrefix(layout, "01") && !slices.Contains(monthFirst, state) {
		layout = "02" + layout[2:3] + "01" + layout[5:]
	}
	return dateForm{layout: layout, upper: chance(rng, .7), second: chance(rng, .25)}
}

func (f dateForm) value(t time.Time, s state) [2]string {
	printed := t.Format(f.layout)
	if strings.Contains(printed, "MON") {
		month := monthOf(s.languages[0], t.Month())
		if english := monthOf("en", t.Month()); f.second && english != month && strings.HasPrefix(f.layout, "02") {
			month += "/" + english
		}
		if f.upper {
			month = strings.ToUpper(month)
		}
		printed = strings.ReplaceAll(printed, "MON", month)
	}
	return [2]string{t.Format(time.DateOnly), printed}
}

// months are the short names of months by language.
var months = map[string]string{
	"en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
	"fr": "janv févr mars avr mai juin juil août sept oct nov déc",
	"de": "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
	"es": "ene feb mar abr may jun jul ago sep oct nov dic",
	"it": "gen feb mar apr mag giu lug ago set ott nov dic",
	"pt": "jan fev mar abr mai jun jul ago set out nov dez",
	"nl": "jan feb mrt apr mei jun jul aug sep okt nov dec",
	"sv": "jan feb mar apr maj jun jul aug sep okt nov dec",
	"da": "jan feb mar apr maj jun jul aug sep okt nov dec",
	"nb": "jan feb mar apr mai jun jul aug sep okt nov des",
	"pl": "sty lut mar kwi maj cze lip sie wrz paź lis gru",
}

func monthOf(language string, m time.Month) string {
	all, ok := months[language]
	if !ok {
		all = months["en"]
	}
	return strings.Fields(all)[m-1]
}

// otherDay is a day that a page prints and that is none of its facts.
func otherDay(rng *rand.Rand, c content) string {
	t := today.AddDate(0, 0, -rng.IntN(30*365))
	return c.dates.value(t, c.state)[1]
}

func heightText(rng *rand.Rand) string {
	cm := 150 + rng.IntN(50)
	return pick(rng, fmt.Sprintf("%d cm", cm), fmt.Sprintf("1,%02d m", cm-100), fmt.Sprintf("5'-%02d\"", rng.IntN(12)))
}
