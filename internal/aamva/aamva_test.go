package aamva

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// card is a licence of nobody: version 9, one subfile.
func card(change func(*Payload)) Payload {
	p := Payload{
		IIN: "636014", Country: "USA", Version: 9, JurisdictionVersion: 1, Type: "DL",
		FamilyName: "SPECIMEN", GivenNames: "ANNA MARIA", Number: "D1234567", Sex: "F",
		DateOfBirth: "1974-08-12", DateOfExpiry: "2030-08-12", DateOfIssue: "2025-08-12",
		Elements: map[string]string{"DAG": "1 MAIN STREET", "DAI": "UTOPOLIS", "DAJ": "CA", "DAK": "902230000"},
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
		{"a Canadian card writes dates year first", func(p *Payload) { p.IIN, p.Country = "636012", "CAN" }, func(p Payload) bool {
			return p.Jurisdiction == "ON" && p.Elements["DBB"] == "19740812"
		}},
		{"an identification card", func(p *Payload) { p.Type = "ID" }, func(p Payload) bool { return p.Type == "ID" }},
		{"version 2 joins the given names", func(p *Payload) { p.Version = 2 }, func(p Payload) bool { return p.Elements["DCT"] == "ANNA MARIA" }},
		{"version 10", func(p *Payload) { p.Version = 10 }, func(p Payload) bool { return p.Version == 10 }},
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
				got.DateOfBirth != want.DateOfBirth || got.DateOfExpiry != want.DateOfExpiry || got.DateOfIssue != want.DateOfIssue {
				t.Errorf("want %+v\ngot  %+v", want, got)
			}
		})
	}
}

func TestWrongCountsAreReadAndFlagged(t *testing.T) {
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
		{"a date in the other order", strings.Replace(right, "08121974", "19740812", 1), []Fault{{"DBB", FaultDate, 0}}, false},
		{"an impossible date", strings.Replace(right, "08121974", "13321974", 1), []Fault{{"DBB", FaultDate, 0}}, false},
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

func TestVersionOneHasOneNameAndYearFirst(t *testing.T) {
	body := "DLDAASPECIMEN,ANNA,MARIA\nDAQ1234567\nDBB19740812\nDBA20300812\nDBCF\r"
	p, err := Parse("@\n\x1e\rANSI 6360140101DL00290067" + body)
	if err != nil {
		t.Fatal(err)
	}
	if p.FamilyName != "SPECIMEN" || p.GivenNames != "ANNA MARIA" || p.DateOfBirth != "1974-08-12" || p.Sex != "F" || p.Version != 1 {
		t.Errorf("%+v", p)
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
		"version 1":               func(p *Payload) { p.Version = 1 },
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
		p.Version = rapid.IntRange(2, 10).Draw(t, "version")
		p.FamilyName = rapid.StringMatching(`[A-Z]{1,20}`).Draw(t, "family")
		p.GivenNames = rapid.StringMatching(`[A-Z]{1,10}( [A-Z]{1,10})?`).Draw(t, "given")
		p.Number = rapid.StringMatching(`[A-Z0-9]{4,20}`).Draw(t, "number")
		text, err := Write(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Parse(text)
		if err != nil || len(got.Faults) > 0 {
			if absent[p.FamilyName] || absent[p.Number] {
				t.Skip("a value that stands for none")
			}
			t.Fatalf("%q: %v %+v", text, err, got.Faults)
		}
		if got.FamilyName != p.FamilyName || got.GivenNames != p.GivenNames || got.Number != p.Number {
			t.Fatalf("%q: %+v", text, got)
		}
	})
}

func FuzzParse(f *testing.F) {
	text, err := Write(card(nil))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add("@\n\x1e\rANSI 6360140101DL00290067DLDAASPECIMEN,ANNA\nDAQ1\r")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text)
		if err == nil && p.Type == "" {
			t.Error("a payload without a subfile")
		}
		for _, fault := range p.Faults {
			_ = fault.String()
		}
	})
}
