package applicant

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func TestACodeIsSixDigits(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ random, want string }{
		"the lowest":                 {"\x00\x00\x00\x00", "000000"},
		"with zeros in front":        {"\x00\x00\x00\x07", "000007"},
		"a number that would favour": {"\xff\xff\xff\xff\x00\x0f\x42\x3f", "999999"}, // the first is above the last whole million, and drawn again
	} {
		got, err := drawCode(strings.NewReader(tt.random))
		if err != nil || got != tt.want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, tt.want)
		}
	}
	if _, err := drawCode(bytes.NewReader(nil)); err == nil {
		t.Error("a code without randomness")
	}
}

func TestDigitsAreReadAsPeopleTypeThem(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"123 456": "123456", "123-456": "123456", "123\u00a0456": "123456", "12a456": "12a456"} {
		if got := strings.Map(digitsOnly, in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if !regexp.MustCompile(`^\d+$`).MatchString(strings.Map(digitsOnly, "1 2")) {
		t.Error("spaces are left")
	}
}
