// Package aamva measures what is read from the bar codes of North American cards: cards are invented in every version of
// the standard and of both countries, their backs photographed, and every field compared with what was printed.
package aamva

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/aamva"
	"github.com/bonafide-id/bonafide/internal/barcode"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Options say what is generated and measured.
type Options struct {
	First    int64          // seed of the first card; each seed always gives the same picture
	Pictures int            // how many
	Failures *bench.Gallery // keeps pictures whose fields were not all read, may be nil
	Progress func(done, total int)
}

// Result is what `bonafide bench aamva` answers.
type Result struct {
	First     int64           `json:"first_seed"`
	Equal     bench.Rate      `json:"every_field_equal"`
	Read      bench.Rate      `json:"code_read"`
	Wrong     bench.Rate      `json:"read_but_not_equal"`
	CPU       bench.Quantiles `json:"cpu_ms"` // processor time a picture, decoding not included
	Versions  []Tally         `json:"versions"`
	Countries []Tally         `json:"countries"`
	Cameras   []Tally         `json:"cameras"`
	Faulty    bench.Rate      `json:"faulty_cards_equal"` // those that break the standard as issued cards do
	Missed    []Missed        `json:"missed"`
}

// Tally counts the cards of one kind.
type Tally struct {
	What  string     `json:"what"`
	Equal bench.Rate `json:"every_field_equal"`
}

// Missed is a card whose fields were not all read.
type Missed struct {
	Seed   int64    `json:"seed"`
	What   string   `json:"what"`
	Fields []string `json:"fields"` // that differ, empty where no code was read
}

// Run makes the pictures and reads them, one after the other.
func Run(ctx context.Context, o Options) (*Result, error) {
	out := &Result{First: o.First, Missed: []Missed{}}
	var equal, read, wrong, faulty, faultyEqual int
	tallies := [3]map[string][2]int{{}, {}, {}}
	var cpu []float64
	for i := range o.Pictures {
		c, err := newCard(o.First + int64(i))
		if err != nil {
			return nil, err
		}
		got, ok, spent, err := c.read(ctx)
		if err != nil {
			return nil, err
		}
		cpu = append(cpu, spent)
		missed := Missed{Seed: c.seed, What: c.String(), Fields: []string{}}
		good := false
		if ok {
			read++
			missed.Fields = differences(c.payload, got)
			good = len(missed.Fields) == 0
		}
		for k, name := range []string{fmt.Sprintf("version %02d", c.payload.Version), c.payload.Country, c.camera} {
			n := tallies[k][name]
			n[0]++
			if good {
				n[1]++
			}
			tallies[k][name] = n
		}
		switch {
		case good:
			equal++
		default:
			if ok {
				wrong++
			}
			out.Missed = append(out.Missed, missed)
			if err := c.keep(o.Failures, missed); err != nil {
				return nil, err
			}
		}
		if c.fault != "" {
			faulty++
			if good {
				faultyEqual++
			}
		}
		if o.Progress != nil {
			o.Progress(i+1, o.Pictures)
		}
	}
	out.Equal, out.Read, out.Wrong = bench.RateOf(equal, o.Pictures), bench.RateOf(read, o.Pictures), bench.RateOf(wrong, o.Pictures)
	out.Faulty, out.CPU = bench.RateOf(faultyEqual, faulty), bench.QuantilesOf(cpu)
	out.Versions, out.Countries, out.Cameras = list(tallies[0]), list(tallies[1]), list(tallies[2])
	return out, nil
}

func list(of map[string][2]int) []Tally {
	var out []Tally
	for _, name := range slices.Sorted(maps.Keys(of)) {
		out = append(out, Tally{name, bench.RateOf(of[name][1], of[name][0])})
	}
	return out
}

// card is one photographed card.
type card struct {
	seed    int64
	payload aamva.Payload
	text    string
	fault   string // what it gets wrong as issued cards do, empty for nothing
	camera  string
	file    []byte
	picture *imaging.RGB
}

// String says what kind of card it is.
func (c card) String() string {
	s := fmt.Sprintf("version %d, %s, %s, %s", c.payload.Version, c.payload.Country, c.payload.Type, c.camera)
	if c.fault != "" {
		s += ", " + c.fault
	}
	return s
}

// Sizes of the pictures.
var sensors = []struct {
	name          string
	width, height int
}{{"12 MP", 4000, 3000}, {"5 MP", 2592, 1944}, {"3 MP", 2048, 1536}, {"2 MP", 1600, 1200}}

// faultyOne: one card in so many has a fault that issued cards have.
const faultyOne = 4

// newText invents what the card of that seed says: versions and countries take turns.
func newText(seed int64) (card, error) {
	n := uint64(seed)
	c := card{seed: seed, payload: fixtures.NewPayload(seed, 1+int(n%10), []string{"USA", "CAN"}[n/10%2])}
	var err error
	if c.text, err = aamva.Write(c.payload); err != nil {
		return c, fmt.Errorf("bench aamva: card %d: %w", seed, err)
	}
	return c, nil
}

// newCard invents the card of that seed and photographs its back.
func newCard(seed int64) (card, error) {
	r := rand.New(rand.NewPCG(uint64(seed), 0xca4d))
	c, err := newText(seed)
	if err != nil {
		return c, err
	}
	if r.IntN(faultyOne) == 0 {
		f := faults[r.IntN(len(faults))]
		c.fault, c.text = f.name, f.spoil(c.text)
	}
	m, err := barcode.WritePDF417(c.text, 8+r.IntN(7), 3+r.IntN(3))
	if err != nil {
		return c, fmt.Errorf("bench aamva: card %d: %w", seed, err)
	}
	sensor := sensors[r.IntN(len(sensors))]
	c.camera = sensor.name
	camera := fixtures.Phone(seed).At(sensor.width, sensor.height)
	camera.Fill = .6 + .3*r.Float64()
	if r.IntN(3) == 0 {
		camera.Turn += []float64{90, 180, 270}[r.IntN(3)]
	}
	picture, _ := fixtures.Shoot(fixtures.CardBack(m, 3, seed), camera)
	c.picture = picture
	if c.file, err = fixtures.JPEG(picture, 70+r.IntN(25), 1+r.IntN(8)); err != nil {
		return c, fmt.Errorf("bench aamva: card %d: %w", seed, err)
	}
	return c, nil
}

// faults of issued cards.
var faults = []struct {
	name  string
	spoil func(string) string
}{
	{"no terminator", func(s string) string { return strings.TrimSuffix(s, "\r") }},
	{"carriage returns before line feeds", func(s string) string { return s[:20] + strings.ReplaceAll(s[20:], "\n", "\r\n") }},
	{"line ends after the terminator", func(s string) string { return s + "\r\n" }},
	{"the offset is two too many", func(s string) string { return moved(s, 2) }},
	{"the offset is far off", func(s string) string { return moved(s, 40) }},
	{"another record separator", func(s string) string { return strings.Replace(s, "\x1e", "\x1c", 1) }},
	{"lower-case codes", func(s string) string { return strings.ReplaceAll(s, "\nDA", "\nda") }},
	{"nothing before the file type", func(s string) string { return s[4:] }},
}

// moved adds to the offset of the first subfile, whose digits follow its type at the end of the header's digits.
func moved(s string, by int) string {
	at := 9 // control characters and file type
	for at < len(s) && s[at] >= '0' && s[at] <= '9' {
		at++
	}
	at += 2
	var offset int
	if _, err := fmt.Sscanf(s[at:at+4], "%04d", &offset); err != nil {
		return s
	}
	return s[:at] + fmt.Sprintf("%04d", offset+by) + s[at+4:]
}

// read opens the picture as any other and reads its code; ok tells that there was one of AAMVA's.
func (c card) read(ctx context.Context) (p aamva.Payload, ok bool, ms float64, err error) {
	img, _, err := imaging.Open(c.file, imaging.Limits{})
	if err != nil {
		return p, false, 0, fmt.Errorf("bench aamva: card %d: %w", c.seed, err)
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	start := bench.Processor()
	code, failed := barcode.Read(ctx, img.Gray())
	if failed == nil {
		p, failed = aamva.Parse(code.Text)
	}
	return p, failed == nil, bench.Milliseconds(bench.Processor() - start), nil
}

// differences names the fields that were not read as they were printed.
func differences(want, got aamva.Payload) []string {
	out := []string{}
	see := func(name string, a, b any) {
		if a != b {
			out = append(out, name)
		}
	}
	see("issuer number", want.IIN, got.IIN)
	see("country", want.Country, got.Country)
	see("version", want.Version, got.Version)
	see("issuer's version", want.JurisdictionVersion, got.JurisdictionVersion)
	see("type", want.Type, got.Type)
	see("family name", want.FamilyName, got.FamilyName)
	see("given names", want.GivenNames, got.GivenNames)
	see("number", want.Number, got.Number)
	see("date of birth", want.DateOfBirth, got.DateOfBirth)
	see("date of expiry", want.DateOfExpiry, got.DateOfExpiry)
	see("date of issue", want.DateOfIssue, got.DateOfIssue)
	see("sex", want.Sex, got.Sex)
	for _, code := range slices.Sorted(maps.Keys(want.Elements)) {
		see(code, want.Elements[code], got.Elements[code])
	}
	return out
}

func (c card) keep(g *bench.Gallery, m Missed) error {
	if g == nil {
		return nil
	}
	f := bench.Failure{
		Name: fmt.Sprintf("aamva-%07d", c.seed), What: "No bar code was read.", Want: []string{fmt.Sprintf("%q", c.text)}, Got: []string{},
		Notes: []string{c.String()},
	}
	if len(m.Fields) > 0 {
		f.What = "Fields that differ: " + strings.Join(m.Fields, ", ") + "."
	}
	return g.Add(f, c.picture)
}
