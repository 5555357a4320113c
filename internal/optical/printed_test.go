package optical

import "testing"

func TestALineReadFromFurtherLeftEndsAsItDid(t *testing.T) {
	for name, c := range map[string]struct {
		long, short string
		want        bool
	}{
		"with its number":           {"1. BRØNDSTED", "BRØNDSTED", true},
		"with spaces elsewhere":     {"3. 22.11.1987 UTOPIA", "22.11.1987UTOPIA", true},
		"with one letter otherwise": {"2. MAXIMILIANA K0NSTANTINA", "MAXIMILIANA KONSTANTINA", true},
		"another line":              {"1. ERIKSSON", "LINDQVIST", false},
		"less than before":          {"1.", "LINDQVIST", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := endsAlike(c.long, c.short); got != c.want {
				t.Errorf("%q, %q: %v", c.long, c.short, got)
			}
		})
	}
}
