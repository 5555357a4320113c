package reading

import (
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/reading/calendar"
)

func TestTheTermOfADocument(t *testing.T) {
	day := func(text string) candidate {
		d, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return candidate{kind: aDay, day: calendar.Day{Time: d}}
	}
	for name, tc := range map[string]struct {
		issue, expiry string
		others        []string
		want          term
	}{
		"ten years":                           {"2020-05-04", "2030-05-04", nil, wholeYears},
		"ten years less a day":                {"2020-05-04", "2030-05-03", nil, wholeYears},
		"until the holder's birthday":         {"2020-05-04", "2030-11-20", []string{"1981-11-20"}, toBirthday},
		"until the birthday of a small child": {"2020-05-04", "2025-11-20", []string{"2018-11-20"}, unusual},
		"until the day before a birthday":     {"2020-05-04", "2030-11-19", []string{"1981-11-20"}, unusual},
		"until any other day":                 {"2025-05-04", "2025-08-01", []string{"1981-11-20"}, unusual},
	} {
		t.Run(name, func(t *testing.T) {
			issue, expiry := day(tc.issue), day(tc.expiry)
			all := []candidate{issue, expiry, {kind: aName}}
			for _, o := range tc.others {
				all = append(all, day(o))
			}
			if got := termOf(&issue, &expiry, all); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
