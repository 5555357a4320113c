package viz

import "testing"

func TestADayThatMayHaveLostItsFirstDigitIsNotStated(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		moved float64 // to the right of its label, in parts of the print's height
		want  string
	}{
		"two digits below the label":                             {"22 SEP 2034", 0, "2034-09-22"},
		"two digits, set further in":                             {"22 SEP 2034", 0.6, "2034-09-22"},
		"one digit right below the label":                        {"2 SEP 2034", 0, "2034-09-02"},
		"one digit where a second one may stand before it":       {"2 SEP 2034", 0.6, ""},
		"one digit, padded, where a second one may stand before": {"02 SEP 2034", 0.6, "2034-09-02"},
	} {
		t.Run(name, func(t *testing.T) {
			page := under("Surname", "NOVÁK", "Date of expiry", c.text)
			page.Lines[3].Strip.X += c.moved * page.Lines[3].Strip.Height
			got := ""
			for _, claim := range Read(page).Claims {
				if claim.Name == "date_of_expiry" {
					got = claim.Value
				}
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
