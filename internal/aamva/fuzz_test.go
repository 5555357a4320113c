package aamva

import (
	"slices"
	"testing"
	"time"
)

func FuzzParse(f *testing.F) {
	for v := 1; v <= 10; v++ {
		for _, iin := range []string{"636014", "636012", "999999"} {
			p := card(nil)
			p.Version, p.IIN = v, iin
			if iin == "636012" {
				p.Country = "CAN"
			}
			text, err := Write(p)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Add("@\n\x1e\rANSI 6360140101DL00290067DLDAASPECIMEN,ANNA\nDAQ1\r")
	f.Add("ANSI 636014090102DL00310010ID00410010DLDAQ1\r\nDACX\rZVZVAX\r")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		if !slices.Contains(persons, p.Type) {
			t.Errorf("a payload of type %q", p.Type)
		}
		for _, day := range []string{p.DateOfBirth, p.DateOfExpiry, p.DateOfIssue, p.DateRevised, p.Under21Until} {
			if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
				t.Errorf("no day: %q", day)
			}
		}
		if p.HeightCM < 0 || p.HeightCM > 300 || p.WeightKG < 0 {
			t.Errorf("%d cm, %d kg", p.HeightCM, p.WeightKG)
		}
		for _, fault := range p.Faults {
			_ = fault.String()
		}
		again, err := Parse(text)
		if err != nil || again.Number != p.Number || len(again.Faults) != len(p.Faults) {
			t.Error("the same text was read in two ways")
		}
	})
}
