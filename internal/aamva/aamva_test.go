package aamva

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// card is a licence of nobody: version 9, one subfile.
func card(change func(*Payload)) Payload {
	p := Payload{
		IIN: "636014", Country: "USA", Version: 9, JurisdictionVersion: 1, Type: "DL",
		FamilyName: "SPECIMEN", GivenNames: "ANNA MARIA", Number: "D1234567", Sex: "F",
		DateOfBirth: "1974-08-12", DateOfExpiry: "2030-08-12", DateOfIssue: "2025-08-12",
		Elements: map[string]string{
			"DAG": "1 MAIN STREET", "DAI": "UTOPOLIS", "DAJ": "CA", "DAK": "902230000",
			"DCA": "C", "DCB": "NONE", "DCD": "NONE", "DAU": "064 in", "DAY": "BRO", "DCF": "01/02/2025A",
		},
	}
	if change != nil {
		change(&p)
	}
	return p
}

func write(t *testing.T, p Payload) string {
	t.Helper()
	text, err := Write(p)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestParseReadsWhatWriteWrites(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Payload)
		want   func(Payload) bool
	}{
		{"an American licence", nil, func(p Payload) bool {
			return p.Jurisdiction == "CA" && p.Address == "1 MAIN STREET, UTOPOLIS, CA, 90223" && p.Elements["DBB"] == "08121974"
		}},
		{"a Canadian card writes dates year first", func(p *Payload) { p.IIN, p.Country, p.Elements["DAJ"] = "636012", "CAN", "ON" }, func(p Payload) bool {
			return p.Jurisdiction == "ON" && p.Elements["DBB"] == "19740812"
		}},
		{"an identification card", func(p *Payload) { p.Type = "ID" }, func(p Payload) bool { return p.Type == "ID" }},
		{"version 2 joins the given names", func(p *Payload) { p.Version = 2 }, func(p Payload) bool { return p.Elements["DCT"] == "ANNA MARIA" }},
		{"version 10", func(p *Payload) { p.Version = 10 }, func(p Payload) bool { return p.Version == 10 }},
		{"version 1 has one name and puts years first", func(p *Payload) { p.Version, p.JurisdictionVersion = 1, 0 }, func(p Payload) bool {
			return p.Elements["DAA"] == "SPECIMEN,ANNA,MARIA" && p.Elements["DBB"] == "19740812" && p.Elements["DBC"] == "F"
		}},
		{"an enhanced licence", func(p *Payload) { p.Type = "EN" }, func(p Payload) bool { return p.Type == "EN" }},
		{"a family name that is cut", func(p *Payload) { p.FamilyCut = true }, func(p Payload) bool { return p.FamilyCut && !p.GivenCut }},
		{"a middle name that is cut", func(p *Payload) { p.GivenCut = true }, func(p Payload) bool { return p.GivenCut && p.Elements["DDG"] == "T" }},
		{"sex unspecified", func(p *Payload) { p.Sex = "X" }, func(p Payload) bool { return p.Sex == "X" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := card(c.change)
			got, err := Parse(write(t, want))
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Faults) > 0 || !got.Sound() || !c.want(got) {
				t.Errorf("%+v", got)
			}
			if got.FamilyName != want.FamilyName || got.GivenNames != want.GivenNames || got.Number != want.Number ||
				got.DateOfBirth != want.DateOfBirth || got.DateOfExpiry != want.DateOfExpiry || got.DateOfIssue != want.DateOfIssue ||
				got.HeightCM != 163 || got.Eyes != "BRO" {
				t.Errorf("want %+v\ngot  %+v", want, got)
			}
		})
	}
}

func TestNamesThatLookLikeNoValue(t *testing.T) {
	for name, c := range map[string]struct{ elements, family, given string }{
		"a family name Na":              {"DCSNA\nDACJIWON\nDADNONE", "NA", "JIWON"},
		"a first name Na":               {"DCSKIM\nDACNA\nDADRI", "KIM", "NA RI"},
		"a middle name is not stated":   {"DCSKIM\nDACJIWON\nDADunavl", "KIM", "JIWON"},
		"a first name is not stated":    {"DCSKIM\nDACNONE\nDADNONE", "KIM", ""},
		"an alias of a person named Na": {"DCSKIM\nDACJIWON\nDADNONE\nDBNNA", "KIM", "JIWON"},
	} {
		t.Run(name, func(t *testing.T) {
			p := Payload{Version: 10, Elements: map[string]string{}}
			for line := range strings.SplitSeq(c.elements, "\n") {
				p.Elements[line[:3]] = line[3:]
			}
			p.readName()
			p.readDetails()
			if p.FamilyName != c.family || p.GivenNames != c.given || p.AliasFamily != p.Elements["DBN"] {
				t.Errorf("got %q, %q, alias %q; want %q, %q, alias %q", p.FamilyName, p.GivenNames, p.AliasFamily, c.family, c.given, p.Elements["DBN"])
			}
		})
	}
}

func TestAnIssuersOwnSubfileIsRead(t *testing.T) {
	text := write(t, card(nil))
	at := strings.Index(text, "DL0031")
	body := text[at+10:]
	text = text[:at-2] + "02" + fmt.Sprintf("DL0041%04dZC%04d0009", len(body), 41+len(body)) + body + "ZCZCABLU\r"
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if p.Elements["ZCA"] != "BLU" || len(p.Faults) > 0 || p.Type != "DL" {
		t.Errorf("%+v", p)
	}
}

func TestParseRefusesOtherTexts(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":        "",
		"a web address":  "https://example.org/",
		"a header alone": "@\n\x1e\rANSI 636014090101",
		"no licence":     "@\n\x1e\rANSI 636014090101ZZ00310010ZZZZAX\r",
		"letters":        "@\n\x1e\rANSI ABCDEF090101DL00310010DLDAQ1\r",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse(text); !errors.Is(err, ErrNotAAMVA) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestWriteRefuses(t *testing.T) {
	for name, change := range map[string]func(*Payload){
		"version 0":               func(p *Payload) { p.Version = 0 },
		"a short issuer number":   func(p *Payload) { p.IIN = "1" },
		"another type":            func(p *Payload) { p.Type = "XX" },
		"an impossible date":      func(p *Payload) { p.DateOfBirth = "1974-02-31" },
		"a separator in a value":  func(p *Payload) { p.FamilyName = "A\nB" },
		"an element with no code": func(p *Payload) { p.Elements["x"] = "1" },
	} {
		t.Run(name, func(t *testing.T) {
			if text, err := Write(card(change)); err == nil {
				t.Errorf("wrote %q", text)
			}
		})
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := card(nil)
		p.Version = rapid.IntRange(1, 10).Draw(t, "version")
		draw := func(name, form string) string {
			return rapid.StringMatching(form).Filter(func(v string) bool {
				return !slices.ContainsFunc(strings.Fields(v), func(word string) bool { return absent[word] && !alsoNames[word] })
			}).Draw(t, name)
		}
		p.FamilyName = draw("family", `[A-Z]{1,20}`)
		p.GivenNames = draw("given", `[A-Z]{1,10}( [A-Z]{1,10})?`)
		p.Number = draw("number", `[A-Z0-9]{4,20}`)
		text, err := Write(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Parse(text)
		if err != nil || len(got.Faults) > 0 {
			t.Fatalf("%q: %v %+v", text, err, got.Faults)
		}
		if got.FamilyName != p.FamilyName || got.GivenNames != p.GivenNames || got.Number != p.Number {
			t.Fatalf("%q: %+v", text, got)
		}
	})
}
