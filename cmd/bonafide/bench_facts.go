package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/fixtures"
)

// benchFacts is `bonafide bench facts`.
type benchFacts struct {
	benchInput
	benchGenerated
	Camera    string   `enum:"phone,scan,small,flat" default:"phone" help:"How pages are taken: phone, scan, small (a scan of 560 to 1 000 pixels) or flat."`
	Kinds     []string `placeholder:"KIND" help:"Kinds of generated documents, in turn. Default: every kind."`
	Strange   int      `placeholder:"N" help:"Generate N documents whose words, layouts and typefaces no reader was written or trained for (fixtures/strange)."`
	Plain     bool     `help:"Generate each kind in its own plain look instead of a style for each document."`
	Agreement bool     `help:"Measure how the print agrees with the zones of truth.tsv, where a person can read both (the list of passporteye-27, or --truth)."`
	Forged    bool     `help:"Change one printed fact of generated passports and cards, whose zones stay, and measure what is said of their print."`
	Documents string   `placeholder:"DIR" help:"Read a folder of documents whose facts are in truth.tsv (file, kind, fact, values), there or in the folder above."`
	Lines     string   `placeholder:"FILE" help:"Also keep the recognised lines of the pictures there. Without pictures: read the facts of its lines."`
	Peer      string   `enum:",tesseract" default:"" help:"Measure this reader on the same pictures, with the same extraction behind it: tesseract."`
}

const readingOfFacts = "reading of printed facts"

// Run measures the reading of printed facts.
func (c *benchFacts) Run(ctx context.Context, s streams) error {
	if c.Strange > 0 {
		if c.Generate > 0 || c.Forged || c.Camera == "flat" {
			return errors.New("bench: --strange goes with --seed, --camera scan, small or phone, --lines and --failures")
		}
		c.Generate = c.Strange
	}
	if c.Dir == "" && c.Generate == 0 && c.Documents == "" {
		return c.kept(s)
	}
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	if c.Generate > 0 && c.Documents == "" && !c.Agreement {
		return c.generated(ctx, s, e)
	}
	return c.found(ctx, s, e)
}

// kept reads the facts of lines that were recognised before.
func (c *benchFacts) kept(s streams) error {
	if c.Lines == "" {
		return errNoPictures
	}
	r, err := facts.Lines(c.Lines)
	if err != nil {
		return err
	}
	return c.answer(s, "reading of printed facts from recognised lines", r, factsText(r))
}

// found measures pictures that are there.
func (c *benchFacts) found(ctx context.Context, s streams, e *engine) error {
	switch {
	case c.Documents != "":
		r, err := facts.Documents(ctx, c.Documents, e.Optical, facts.Options{Peer: c.Peer != "", Lines: c.Lines, Progress: progress(s.Err)})
		if err != nil {
			return err
		}
		return c.answer(s, readingOfFacts, r, factsText(r))
	case c.Agreement:
		a, err := facts.RunAgreement(ctx, c.Dir, c.Truth, e.Optical, progress(s.Err))
		if err != nil {
			return err
		}
		return c.answer(s, "agreement of print and machine-readable zone", a, agreementText(a))
	}
	r, err := facts.Folder(ctx, c.Dir, c.Truth, e.Optical, c.Peer != "", progress(s.Err))
	if err != nil {
		return err
	}
	return c.answer(s, readingOfFacts, r, factsText(r))
}

// generated measures pictures that it makes.
func (c *benchFacts) generated(ctx context.Context, s streams, e *engine) error {
	strange := c.Strange > 0
	if c.DataSet == "" {
		layouts := "generated"
		if strange {
			layouts = "of unknown layouts"
		}
		c.DataSet = fmt.Sprintf("%s, seeds %d to %d, %s", layouts, c.Seed, c.Seed+int64(c.Generate)-1, c.Camera)
	}
	o := facts.Options{
		Documents: c.Generate, Seed: c.Seed, Plain: c.Plain, Strange: strange, Camera: c.Camera, Peer: c.Peer != "", Lines: c.Lines, Progress: progress(s.Err),
	}
	for _, k := range c.Kinds {
		if !slices.Contains(fixtures.AllKinds(), fixtures.Kind(k)) {
			return errors.New("bench: no specimen of kind " + k)
		}
		o.Kinds = append(o.Kinds, fixtures.Kind(k))
	}
	if c.Forged {
		f, err := facts.Forge(ctx, e.Optical, o)
		if err != nil {
			return err
		}
		return c.answer(s, "print that was changed", f, forgedText(f))
	}
	var err error
	if o.Failures, err = bench.NewGallery(c.Failures); err != nil {
		return err
	}
	r, err := facts.Generated(ctx, e.Optical, o)
	if err != nil {
		return err
	}
	if err := o.Failures.Close(); err != nil {
		return err
	}
	return c.answer(s, readingOfFacts, r, factsText(r))
}

func agreementText(a *facts.Agreement) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pages on which a person can read printed facts\n  every fact agrees        %s\n  a fact contradicts       %s\n"+
		"  facts that agree         %s\n  filled from the zone     %s\n  facts not read           %s\n",
		a.Pages, a.Whole, a.Against, a.All.Agrees, a.All.Filled, a.All.NotRead)
	for _, name := range slices.Sorted(maps.Keys(a.Facts)) {
		fmt.Fprintf(&b, "    %-22s agrees %s  differs %d  filled %d\n", name, a.Facts[name].Agrees, a.Facts[name].Differs.Count, a.Facts[name].Filled.Count)
	}
	fmt.Fprintf(&b, "  printed zone said to be  %v\n", a.Verdict)
	return b.String()
}

func forgedText(f *facts.Forged) string {
	var b strings.Builder
	row := func(name string, s facts.Said) {
		fmt.Fprintf(&b, "  %-40s disagrees %s  agrees %d  silent %d  taken for the zone's %d\n", name, s.Disagrees, s.Agrees.Count, s.Silent.Count, s.Taken.Count)
	}
	fmt.Fprintf(&b, "%d pictures whose zone was read\n", f.Pictures)
	row("genuine", f.Genuine)
	row("one printed fact changed", f.Altered)
	for _, k := range slices.Sorted(maps.Keys(f.By)) {
		row(string(k), f.By[k])
	}
	for _, p := range f.Curve {
		fmt.Fprintf(&b, "  least sure character %.2f: seen %s, said of genuine ones %s\n", p.Least, p.Altered, p.Genuine)
	}
	return b.String()
}

func factsText(r *facts.Result) string {
	var b strings.Builder
	if r.Then != nil {
		fmt.Fprintf(&b, "As the pictures were read when their lines were kept:\n%sFrom the lines alone:\n", factsText(r.Then))
	}
	row := func(name string, t facts.Tally) {
		fmt.Fprintf(
			&b, "  %-18s %4d pictures, every fact exact %s\n%21sfacts exact %s, wrong %d, filled from the zone %d, missing %d, extra %d\n", name,
			t.Pictures, t.Whole, "", t.Exact, t.Wrong.Count, t.Filled.Count, t.Missing.Count, t.Extra,
		)
	}
	fmt.Fprintf(&b, "%d pictures, processor p50 %.0f ms, p95 %.0f ms\n", r.Pictures, r.CPU.P50, r.CPU.P95)
	row("all", r.All)
	row("good quality", r.Good)
	for _, l := range slices.Sorted(maps.Keys(r.Layouts)) {
		row(string(l)+" layout", r.Layouts[l])
	}
	for _, k := range slices.Sorted(maps.Keys(r.Kinds)) {
		row(k, r.Kinds[k])
	}
	for _, t := range []struct {
		name string
		told facts.Told
	}{{"kind", r.Kind}, {"issuer", r.Issuer}} {
		fmt.Fprintf(&b, "  %-18s told rightly %s, wrongly %d, not told %d\n", t.name, t.told.Right, t.told.Wrong.Count, t.told.NotTold.Count)
	}
	for _, name := range r.Names() {
		f := r.Facts[name]
		fmt.Fprintf(&b, "    %-18s exact %s, wrong %d, filled %d, missing %d\n", name, f.Exact, f.Wrong.Count, f.Filled.Count, f.Missing.Count)
	}
	fmt.Fprintf(
		&b, "  no zone: read alike by the second reader %s\n           wrong among these %s, among the rest %s\n           every fact read alike %s, wrong %s\n",
		r.Second.Alike, r.Second.Wrong, r.Second.Alone, r.Second.Settled, r.Second.Mistaken,
	)
	for _, t := range r.Trust {
		fmt.Fprintf(&b, "  claims of confidence %.3f and more: right %s\n", t.Confidence, t.Right)
	}
	for _, p := range r.Curve {
		fmt.Fprintf(&b, "  no zone, least sure character %.2f: exact %s, wrong %d, missing %d\n", p.Least, p.Exact, p.Wrong.Count, p.Missing.Count)
	}
	for _, p := range r.Peers {
		row(p.Name, p.Good)
		fmt.Fprintf(&b, "%21sprocessor p50 %.0f ms\n", "", p.CPU.P50)
	}
	return b.String()
}
