package viz

import "testing"

func TestAPlaceOfBirthBehindItsDay(t *testing.T) {
	for text, want := range map[string]string{
		"3. 30.09.1985 KORÇË":       "KORÇË",
		"3. 30.09.1985-KORÇË":       "KORÇË",
		"3. 30.09.1985KORÇË UTOPIA": "KORÇË UTOPIA",
		"3. 30.09.1985r. KRAKÓW":    "KRAKÓW",
		"3. KORÇË 30.09.1985":       "KORÇË",
		"3. 30.09.1985-":            "",
		"3. 30.09.1985-A CORUÑA":    "A CORUÑA",
	} {
		t.Run(text, func(t *testing.T) {
			got := stated(Read(pageOf(at(250, 40, 30, "DRIVING LICENCE"), at(350, 180, 22, text), at(350, 210, 22, "4a. 04.12.2022"))))
			if got[dateOfBirth] != "1985-09-30" || got[placeOfBirth] != want {
				t.Errorf("%s, %q, want %q", got[dateOfBirth], got[placeOfBirth], want)
			}
		})
	}
}
