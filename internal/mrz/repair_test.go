package mrz

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRepairMendsByFieldClassOnly(t *testing.T) {
	name, second := specimens[TD3][0], specimens[TD3][1]
	for _, c := range []struct {
		name       string
		in, want   []string
		wantReason []RepairReason
	}{
		{"letters in dates become digits", []string{name, "L898902C36UTO74O8I22F12O4159ZE184226B<<<<<10"}, specimens[TD3],
			[]RepairReason{RepairDigit, RepairDigit, RepairDigit}},
		{"digits in names and states become letters", []string{"P<UT0ER1K550N<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", second}, specimens[TD3],
			[]RepairReason{RepairLetter, RepairLetter, RepairLetter, RepairLetter, RepairLetter}},
		{"the number is never touched", []string{name, "L8989O2C36UTO7408122F1204159ZE184226B<<<<<10"},
			[]string{name, "L8989O2C36UTO7408122F1204159ZE184226B<<<<<10"}, nil},
		{"a name line too short is padded", []string{name[:40], second}, specimens[TD3], []RepairReason{RepairPadding}},
		{"a name line too long is cut", []string{name + "<<<", second}, specimens[TD3], []RepairReason{RepairPadding}},
		{"fillers before the last digits are counted out", []string{name, "L898902C36UTO7408122F1204159ZE184226B<<<10"}, specimens[TD3],
			[]RepairReason{RepairPadding}},
		{"sex", []string{name, "L898902C36UTO7408122P1204159ZE184226B<<<<<10"}, specimens[TD3], []RepairReason{RepairSex}},
		{"Germany", []string{"P<0<<MUSTERMANN<<ERIKA<<<<<<<<<<<<<<<<<<<<<<", "C01X00T478O<<6408125F2702283<<<<<<<<<<<<<<<4"},
			[]string{"P<D<<MUSTERMANN<<ERIKA<<<<<<<<<<<<<<<<<<<<<<", "C01X00T478D<<6408125F2702283<<<<<<<<<<<<<<<4"},
			[]RepairReason{RepairLetter, RepairState, RepairState}},
		{"spaces, lower case and quotation marks", []string{"p<uto eriksson«anna<maria<<<<<<<<<<<<<<<<<<<", second}, specimens[TD3], nil},
		{"TD1", []string{"I<UTOD231458907<<<<<<<<<<<<<<<", "74O8122F1204159UT0<<<<<<<<<<6", specimens[TD1][2] + "<"}, specimens[TD1],
			[]RepairReason{RepairPadding, RepairDigit, RepairLetter, RepairPadding}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, repairs, ok := RepairLines(c.in)
			if !ok {
				t.Fatal("no format")
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
			var why []RepairReason
			for _, r := range repairs {
				why = append(why, r.Reason)
			}
			if d := cmp.Diff(c.wantReason, why); d != "" {
				t.Errorf("reasons: want -, got +:\n%s", d)
			}
		})
	}
}

func TestRepairLeavesWhatItCannotReach(t *testing.T) {
	for name, in := range map[string][]string{
		"a digit lost where no filler run stands": {specimens[TD3][0], "L898902C36UTO740812F1204159ZE184226BABCDE10"},
		"far too short": {"P<UTO", "L89"},
		"no code":       {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if _, repairs, ok := RepairLines(in); ok || repairs != nil {
				t.Errorf("repaired: %+v", repairs)
			}
		})
	}
}

// drawDocument draws a document that the format can hold.
func drawDocument(t *rapid.T) Document {
	f := rapid.SampledFrom(Formats()).Draw(t, "format")
	d := Document{
		Format:      f,
		Surname:     rapid.StringMatching(`[A-Z]{1,12}( [A-Z]{1,9})?`).Draw(t, "surname"),
		GivenNames:  rapid.StringMatching(`([A-Z]{1,9}( [A-Z]{1,9}){0,2})?`).Draw(t, "given"),
		Number:      rapid.StringMatching(`[A-Z0-9]{5,9}`).Draw(t, "number"),
		Issuer:      rapid.SampledFrom([]string{"UTO", "D", "GBR", "UNO"}).Draw(t, "issuer"),
		Nationality: rapid.SampledFrom([]string{"UTO", "D", "GBR", "XXA"}).Draw(t, "nationality"),
		Sex:         rapid.SampledFrom([]string{"M", "F", "X"}).Draw(t, "sex"),
		BirthDate:   Date(rapid.SampledFrom([]string{"740812", "000229", "80<<<<", "<<<<<<"}).Draw(t, "birth")),
		ExpiryDate:  Date(rapid.StringMatching(`[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|2[0-8])`).Draw(t, "expiry")),
		Code:        "ID",
	}
	switch f {
	case TD3:
		d.Code = "P"
		d.Optional = rapid.StringMatching(`[A-Z0-9]{0,14}`).Draw(t, "optional")
	case MRVA, MRVB:
		d.Code = "V"
	case IDFRA:
		d.Issuer, d.Nationality, d.ExpiryDate = "FRA", "", ""
		d.Number = rapid.StringMatching(`[0-9]{12}`).Draw(t, "french number")
		d.Surname, d.GivenNames = d.Surname[:min(len(d.Surname), 20)], rapid.StringMatching(`[A-Z]{1,6}( [A-Z]{1,5})?`).Draw(t, "french given")
	case IDROU:
		d.Issuer = "ROU"
	case TD1, TD2:
		d.Number += rapid.StringMatching(`[A-Z0-9]{0,4}`).Draw(t, "rest")
	}
	return d
}

func TestWhatIsWrittenParsesToTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawDocument(t)
		lines, err := Write(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Parse(lines)
		if err != nil {
			t.Fatalf("%q: %v", lines, err)
		}
		if !got.CheckDigitsOK() {
			t.Fatalf("%q: %+v", lines, got.Checks)
		}
		if got.NameCutAt == 0 && (got.Surname != want.Surname || got.GivenNames != want.GivenNames) {
			t.Fatalf("%q: names %q, %q", lines, got.Surname, got.GivenNames)
		}
		if got.Number != want.Number || got.BirthDate != want.BirthDate || got.Sex != want.Sex || got.Nationality != want.Nationality {
			t.Fatalf("%q:\nwant %+v\ngot  %+v", lines, want, got)
		}
		if again, repairs, ok := RepairLines(lines); !ok || len(repairs) > 0 {
			t.Fatalf("repair touches a right zone: %q → %q %+v", lines, again, repairs)
		}
	})
}

// drawNoisy spoils some characters of a right zone.
func drawNoisy(t *rapid.T) []string {
	lines, err := Write(drawDocument(t))
	if err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(0, 8).Draw(t, "errors") {
		l := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		c := rapid.IntRange(0, len(lines[l])-1).Draw(t, "column")
		with := rapid.StringMatching(`[A-Z0-9<]{0,2}`).Draw(t, "with")
		lines[l] = lines[l][:c] + with + lines[l][c+1:]
	}
	return lines
}

func TestRepairingTwiceChangesNothingMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		once, _, ok := RepairLines(drawNoisy(t))
		twice, repairs, okAgain := RepairLines(once)
		if ok && (!okAgain || len(repairs) > 0 || cmp.Diff(once, twice) != "") {
			t.Fatalf("%q became %q: %+v", once, twice, repairs)
		}
	})
}

// Check digits must have no say: with any other digit in their places the
// repairs elsewhere are the same.
func TestRepairNeverLooksAtCheckDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := drawNoisy(t)
		f, ok := FormatOf(lines)
		if !ok {
			t.Skip("lengths changed")
		}
		other := make([][]byte, len(lines))
		for i := range lines {
			other[i] = []byte(lines[i])
		}
		for _, c := range layouts[f].checks {
			if at := lines[c.line][c.col]; at >= '0' && at <= '9' {
				other[c.line][c.col] = byte('0' + rapid.IntRange(0, 9).Draw(t, "digit"))
			}
		}
		changed := make([]string, len(other))
		for i := range other {
			changed[i] = string(other[i])
		}
		_, a, _ := RepairLines(lines)
		_, b, _ := RepairLines(changed)
		if d := cmp.Diff(a, b); d != "" {
			t.Fatalf("repairs differ:\n%s", d)
		}
	})
}

func TestTruncateName(t *testing.T) {
	for _, c := range []struct {
		name, surname, given string
		width                int
		want                 string
	}{
		{"fits", "ERIKSSON", "ANNA<MARIA", 39, "ERIKSSON<<ANNA<MARIA"},
		{"cut inside a word", "NILAVADHANANANDA", "CHAYAPA<DEJTHAMRONG<KRASUANG", 39, "NILAVADHANANANDA<<CHAYAPA<DEJTHAMRONG<K"},
		{"cut at a filler keeps an initial", "AAAA", "BBBB<CCCC", 11, "AAAA<<BBB<C"},
		{"a long surname leaves an initial", "ABCDEFGHIJKLMNO", "PETER", 10, "ABCDEFG<<P"},
		{"no given names", "ABCDEFGHIJKLMNO", "", 10, "ABCDEFGHIJ"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := TruncateName(c.surname, c.given, c.width)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWriteRefusesWhatTheFormatCannotHold(t *testing.T) {
	good := Document{
		Format: TD3, Code: "P", Issuer: "UTO", Number: "L898902C3", Surname: "A", Nationality: "UTO", BirthDate: "740812", ExpiryDate: "120415",
		Sex: "F",
	}
	if _, err := Write(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Document){
		"a long passport number": func(d *Document) { d.Number = "L898902C3X" },
		"an impossible date":     func(d *Document) { d.BirthDate = "740231" },
		"a card code":            func(d *Document) { d.Code = "I" },
		"no code":                func(d *Document) { d.Code = "" },
		"another sex":            func(d *Document) { d.Sex = "Q" },
		"a Chinese name":         func(d *Document) { d.Surname = "林" },
		"an unknown format":      func(d *Document) { d.Format = "TD9" },
	} {
		t.Run(name, func(t *testing.T) {
			d := good
			change(&d)
			if lines, err := Write(d); err == nil {
				t.Errorf("wrote %q", lines)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, lines := range specimens {
		f.Add(strings.Join(lines, "\n"))
	}
	f.Add("IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<\n8806923102858CORINNE<<<<<<<6512068F6")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		d, err := Parse(lines)
		if err == nil {
			_ = d.Birth(today).String() + d.Expiry(today).Last().String() + d.Name()
			if len(d.Checks) == 0 {
				t.Error("a zone without check digits")
			}
		}
		repaired, _, ok := RepairLines(lines)
		if !ok {
			return
		}
		if _, err := Parse(repaired); err != nil {
			t.Errorf("repaired lines do not parse: %q: %v", repaired, err)
		}
		if _, more, _ := RepairLines(repaired); len(more) > 0 {
			t.Errorf("repair is not idempotent: %q %+v", repaired, more)
		}
	})
}
