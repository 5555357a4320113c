package aamva

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWrongCountsAreReadAndFlagged(t *testing.T) {
	t.Attr("case", "N76 offset")
	t.Attr("case", "N77 state")
	t.Attr("case", "N78 order")
	t.Attr("case", "N79 date")
	right := write(t, card(nil))
	at := strings.Index(right, "DL0")
	body := right[at+10:]
	for _, c := range []struct {
		name, text string
		want       []Fault
		sound      bool
	}{
		{"offset two too large", right[:at] + "DL0033" + right[at+6:], []Fault{{"DL", FaultOffset, -2}}, true},
		{"offset far off", right[:at] + "DL0099" + right[at+6:], []Fault{{"DL", FaultOffset, 31 - 99}}, false},
		{"length one too small", right[:at+6] + fmt.Sprintf("%04d", len(body)-1) + body, []Fault{{"DL", FaultLength, 1}}, true},
		{"length far too small", right[:at+6] + "0010" + body, []Fault{{"DL", FaultLength, len(body) - 10}}, false},
		{"a letter in the directory", right[:at] + "DLOO31" + right[at+6:], []Fault{{"", FaultOffset, 4}}, false},
		{"another separator", strings.Replace(right, "\x1e", "\x1c", 1), []Fault{{"", FaultHeader, 0}}, true},
		{"an issuer that nobody listed", strings.Replace(right, "636014", "999999", 1), []Fault{{"", FaultIssuer, 0}}, true},
		{"the number of another state's issuer", strings.Replace(right, "636014", "636020", 1), []Fault{{"DAJ", FaultState, 0}}, true},
		{"an address in another state", strings.Replace(right, "DAJCA", "DAJNV", 1), []Fault{{"DAJ", FaultState, 0}}, true},
		{"mail to another state, a residence in the issuer's", strings.Replace(right, "DAJCA", "DAJNV\nDAOCA", 1), []Fault{{"DL", FaultLength, 6}}, false},
		{"mail to the armed forces", strings.Replace(right, "DAJCA", "DAJAP", 1), nil, true},
		{"an address in a state of small letters", strings.Replace(right, "DAJCA", "DAJca", 1), nil, true},
		{"a date in the other order", strings.Replace(right, "08121974", "19740812", 1), []Fault{{"DBB", FaultOrder, 0}}, false},
		{"an impossible date", strings.Replace(right, "08121974", "13321974", 1), []Fault{{"DBB", FaultDate, 0}}, false},
		{"a date with strokes", strings.Replace(right, "08121974", "08/12/1974", 1), []Fault{{"DL", FaultLength, 2}}, true},
		{"no terminator", strings.TrimSuffix(right, "\r"), []Fault{{"DL", FaultTerminator, 0}, {"DL", FaultLength, -1}}, true},
		{"carriage returns before line feeds", right[:at+10] + strings.ReplaceAll(body, "\n", "\r\n"),
			[]Fault{{"DL", FaultLength, strings.Count(body, "\n")}, {"DL", FaultSeparator, 0}}, false},
		{"line ends after the terminator", right + "\n\r\n", nil, true},
		{"empty lines", right[:at+10] + strings.Replace(body, "\n", "\n\n", 1), []Fault{{"DL", FaultLength, 1}, {"DL", FaultSeparator, 0}}, true},
		{"record separators between elements", right[:at+10] + strings.ReplaceAll(body, "\n", "\x1e"), []Fault{{"DL", FaultSeparator, 0}}, true},
		{"lower-case codes", right[:at+10] + strings.ReplaceAll(body, "\nD", "\nd"), []Fault{{"DL", FaultCase, 0}}, true},
		{"a lower-case subfile", strings.Replace(right, "DLDAQ", "dldaq", 1), []Fault{{"DL", FaultCase, 0}}, true},
		{"the file type of version 1", strings.Replace(right, "ANSI ", "AAMVA", 1), []Fault{{"", FaultFileType, 0}}, true},
		{"no version of the issuer's", strings.Replace(right, "6360140901", "63601409", 1), []Fault{{"", FaultDigits, 0}, {"DL", FaultOffset, -2}}, true},
		{"two subfiles counted for one", strings.Replace(right, "090101DL", "090102DL", 1), []Fault{{"", FaultDirectory, -1}}, true},
		{"a subfile without its type", right[:at+10] + body[2:], []Fault{{"DL", FaultLength, -2}, {"DL", FaultDesignator, 0}}, true},
		{"an element twice, with other values", strings.Replace(right, "\nDAY", "\nDAYBLU\nDAY", 1), []Fault{{"DL", FaultLength, 7}, {"DAY", FaultTwice, 0}}, false},
		{"text that is no element", strings.Replace(right, "\nDAY", "\n??\nDAY", 1), []Fault{{"DL", FaultLength, 3}, {"DL", FaultElement, 0}}, true},
		{"no height", strings.Replace(right, "DAU064 in\n", "", 1), []Fault{{"DL", FaultLength, -10}, {"DAU", FaultMissing, 0}}, false},
		{"no number", strings.Replace(right, "DAQD1234567\n", "DAQNONE    \n", 1), []Fault{{"DAQ", FaultMissing, 0}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, p.Faults); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
			if p.Sound() != c.sound || p.FamilyName != "SPECIMEN" {
				t.Errorf("sound %v, %+v", p.Sound(), p)
			}
		})
	}
}

// A date in the order of the other country is taken: it can mean nothing else.
func TestNoTextIsADayInBothOrders(t *testing.T) {
	for day := time.Date(1880, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() <= 2120; day = day.AddDate(0, 0, 1) {
		for form, other := range map[string]string{monthFirst: yearFirst, yearFirst: monthFirst} {
			if d, err := time.Parse(other, day.Format(form)); err == nil && d.Year() >= 1880 && d.Year() <= 2120 {
				t.Fatalf("%s is %s too", day.Format(form), d.Format(time.DateOnly))
			}
		}
	}
	for _, country := range []string{"USA", "CAN"} {
		for _, text := range []string{"08121974", "19740812"} {
			p := Payload{Country: country, Version: 9, Elements: map[string]string{"DBB": text}}
			if got := p.date("DBB"); got != "1974-08-12" {
				t.Errorf("%s in %s: %q", text, country, got)
			}
		}
	}
}
