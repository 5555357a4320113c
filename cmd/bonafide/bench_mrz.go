package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/mrz"
	"github.com/bonafide-id/bonafide/fixtures"
)

// benchMRZ is `bonafide bench mrz`.
type benchMRZ struct {
	benchInput
	benchGenerated
	Resume  bool    `help:"Go on from the record of an earlier run of the same seeds."`
	Whole   bool    `help:"Read the whole of each generated page, so that what it prints besides the zone has a say in what is verified."`
	Trouble string  `placeholder:"NAME" help:"Make generated pictures hard in this way only, as the results name it."`
	Kind    string  `placeholder:"KIND" help:"Generate documents of this kind only, as the fixtures name it: visa, visa_b …"`
	Capital float64 `placeholder:"PIXELS" help:"Height of the smallest capitals of generated pictures; heights to twice as much are drawn. Defaults to 9 to 30."`
	Spoiled bool    `help:"Give every generated document wrong check digits, which is one in twelve otherwise."`
	Peer    string  `enum:",tesseract" default:"" help:"Measure this program on the same generated pictures: tesseract."`
}

const readingOfZones = "reading of machine-readable zones"

// Run measures the reading of machine-readable zones.
func (c *benchMRZ) Run(ctx context.Context, s streams) error {
	if c.Dir == "" && c.Generate == 0 {
		return errNoPictures
	}
	if known := slices.Concat(mrz.Troubles(), mrz.Hiding(), mrz.Rivals()); c.Trouble != "" && !slices.Contains(known, c.Trouble) {
		return fmt.Errorf("bench mrz: no trouble is called %q: %s", c.Trouble, strings.Join(known, "; "))
	}
	if c.Kind != "" && !slices.Contains(fixtures.AllKinds(), fixtures.Kind(c.Kind)) {
		return fmt.Errorf("bench mrz: no document is of kind %q: %v", c.Kind, fixtures.AllKinds())
	}
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	if c.Generate > 0 {
		return c.generated(ctx, s, e)
	}
	r, err := mrz.Run(ctx, c.Dir, c.Truth, e.Optical, progress(s.Err))
	if err != nil {
		return err
	}
	return c.answer(s, readingOfZones, r, fmt.Sprintf(
		"%d pictures\n  found                %s\n  exact                %s\n  exact after repair   %s\n  verified             %s\n"+
			"  verified but wrong   %s\n  not found            %s\n",
		r.Pictures, r.Found, r.Exact, r.Repaired,
		r.Verified, r.VerifiedWrong, r.NotFound))
}

// generated measures on pictures that are made for it.
func (c *benchMRZ) generated(ctx context.Context, s streams, e *engine) error {
	if c.DataSet == "" {
		c.DataSet = fmt.Sprintf("generated, seeds %d to %d", c.Seed, c.Seed+int64(c.Generate)-1)
	}
	o := mrz.Options{
		First: c.Seed, Pictures: c.Generate, Whole: c.Whole, Trouble: c.Trouble, Kind: fixtures.Kind(c.Kind), Spoiled: c.Spoiled, Capital: c.Capital,
		Progress: progress(s.Err),
	}
	var err error
	if o.Failures, err = bench.NewGallery(c.Failures); err != nil {
		return err
	}
	if c.Record != "" {
		o.Save = func(g *mrz.Generated) error {
			return bench.NewRecord(readingOfZones, c.name(), command(os.Args), g).Write(c.Record)
		}
	}
	if c.Resume {
		if o.From, err = c.earlier(); err != nil {
			return err
		}
	}
	if c.Peer != "" {
		o.Peer = &mrz.Tesseract{}
	}
	g, err := mrz.RunGenerated(ctx, e.Optical, o)
	if err != nil {
		return err
	}
	if o.Peer != nil {
		g.Beside = o.Peer.Results()
	}
	if err := o.Failures.Close(); err != nil {
		return err
	}
	return c.answer(s, readingOfZones, g, zonesText(g))
}

// earlier is the result that the record keeps, nil where there is no record yet.
func (c *benchMRZ) earlier() (*mrz.Generated, error) {
	raw, err := os.ReadFile(c.Record)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // nothing to go on from, which is no failure
	}
	if err != nil {
		return nil, fmt.Errorf("read the record: %w", err)
	}
	kept := struct {
		Result *mrz.Generated `json:"result"`
	}{}
	if err := json.Unmarshal(raw, &kept); err != nil {
		return nil, fmt.Errorf("read the record: %w", err)
	}
	return kept.Result, nil
}

// zonesText is a generated measurement for people.
func zonesText(g *mrz.Generated) string {
	var b strings.Builder
	row := func(name string, t mrz.Tally) {
		fmt.Fprintf(&b, "  %-28s %5d  found %6.2f %%  exact %6.2f %% (%.2f to %.2f)  verified %6.2f %%  wrong %d  valid but wrong %d\n", name, t.Pictures,
			100*t.Found.Rate, 100*t.Exact.Rate, 100*t.Exact.Interval.Low, 100*t.Exact.Interval.High, 100*t.Verified.Rate, t.VerifiedWrong.Count, t.ValidWrong.Count)
	}
	fmt.Fprintf(&b, "%d generated pictures, seeds %d to %d\n", g.Pictures, g.First, g.First+int64(g.Pictures)-1)
	row("all", g.All)
	for _, band := range g.Bands {
		row(fmt.Sprintf("capitals of %.0f to %.0f pixels", band.From, band.To), band.Tally)
	}
	row("capitals of 14 pixels or more", g.Over(14))
	for _, m := range []map[string]mrz.Tally{g.Formats, g.Troubles} {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			row(k, m[k])
		}
	}
	fmt.Fprintf(
		&b, "  wrong check digits said to be right  %s\n  two documents told                   %s\n  one taken for two                    %s\n",
		g.Broken, g.TwoInView, g.OneInView,
	)
	if g.Hidden.Of > 0 {
		fmt.Fprintf(&b, "  verified though partly out of view   %s\n", g.Hidden)
	}
	for _, k := range slices.Sorted(maps.Keys(g.Doubts)) {
		fmt.Fprintf(&b, "  exact, yet not verified for %-40s %d\n", k, g.Doubts[k])
	}
	fmt.Fprintf(&b, "  single characters misread            %v\n", g.Confusions)
	for _, p := range g.Beside {
		fmt.Fprintf(&b, "  %s\n", p)
	}
	return b.String()
}
