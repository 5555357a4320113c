package viz

import "testing"

func TestANumberInGroupsThatLostADigitIsNotStated(t *testing.T) {
	for name, c := range map[string]struct{ number, want string }{
		"of Ontario":                           {"B3743-60571-31177", "B37436057131177"},
		"of Ontario, without the last digit":   {"B3743-60571-3117", ""},
		"of Ontario, without one in its midst": {"B3743-6057-31177", ""},
		"of Ontario, without the first":        {"B374-60571-31177", ""},
		"of Québec":                            {"B3743-605713-11", "B374360571311"},
		"of Illinois":                          {"B374-6057-1311", "B37460571311"},
	} {
		t.Run(name, func(t *testing.T) {
			page := pageOf(at(460, 40, 30, "DRIVER'S LICENCE"), at(350, 180, 22, "4d NUMBER/NUMÉRO "+c.number), at(350, 210, 22, "3 DOB/DDN 1974/08/22"))
			if got := stated(Read(page))[documentNumber]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
