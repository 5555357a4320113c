package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench/copies"
	"github.com/bonafide-id/bonafide/internal/checker"
	"github.com/bonafide-id/bonafide/internal/face"
)

// benchCopies is `bonafide bench copies`.
type benchCopies struct {
	benchInput
	Generate  int           `placeholder:"N" help:"First write photographs of N specimens and their copies into the folder."`
	Seed      int64         `default:"1" help:"The seed of the first specimen."`
	Scores    string        `placeholder:"FILE" help:"Write every picture's values there, one a line."`
	Calibrate string        `placeholder:"FILE" help:"Write thresholds and rates there, as internal/forensic/measured.json."`
	Read      bool          `help:"Read the pictures as an applicant's, not knowing where their pages are: how well pages are found, and what is suspected."`
	Most      int           `placeholder:"N" help:"With --read, at most so many pictures of each sort."`
	Only      bool          `help:"Only write the photographs, measure nothing."`
	Genuine   int           `placeholder:"N" help:"Photograph N genuine documents in memory instead, and say what they are accused of."`
	Within    time.Duration `placeholder:"TIME" help:"With --genuine, begin no document after so long."`
	Frames    bool          `help:"The folder holds frames of copies, with the corners of their pages in JSON files beside them."`
}

// Run measures the signs of copies and of exchanged portraits.
func (c *benchCopies) Run(ctx context.Context, s streams) error {
	if c.Genuine > 0 {
		return c.runGenuine(ctx, s)
	}
	if c.Dir == "" {
		return errNoPictures
	}
	if c.Frames {
		return c.runFrames(ctx, s)
	}
	if c.Generate > 0 {
		if err := copies.Generate(c.Dir, c.Seed, c.Generate, progress(s.Err)); err != nil {
			return err
		}
	}
	if c.Only {
		return nil
	}
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	if c.Read {
		r, err := copies.Read(ctx, c.Dir, e.Optical, c.Most, progress(s.Err))
		if err != nil {
			return err
		}
		return c.answer(s, "pages found in photographs", r, textOfCorners(r))
	}
	r, err := copies.Run(ctx, c.Dir, e.Optical, progress(s.Err))
	if err != nil {
		return err
	}
	if err := saveScores(c.Scores, r.Scores); err != nil {
		return err
	}
	if err := c.saveRates(r); err != nil {
		return err
	}
	return c.answer(s, "signs of copies and of exchanged portraits", r, textOfCopies(r))
}

// runGenuine says what generated genuine documents are accused of.
func (c *benchCopies) runGenuine(ctx context.Context, s streams) error {
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	if c.DataSet == "" {
		c.DataSet = fmt.Sprintf("generated, seeds %d to %d", c.Seed, c.Seed+int64(c.Genuine)-1)
	}
	o := copies.AccuseOptions{Documents: c.Genuine, Seed: c.Seed, Within: c.Within, Progress: progress(s.Err)}
	r, err := copies.Accuse(ctx, e.Optical, checker.OfDocument(checker.Models{FaceTemplate: e.Faces.Card(face.TemplateModel)}), o)
	if err != nil {
		return err
	}
	if err := saveScores(c.Scores, r.All); err != nil {
		return err
	}
	return c.answer(s, "what genuine pages are accused of", r, textOfAccused(r))
}

// runFrames says how many frames of copies are found.
func (c *benchCopies) runFrames(ctx context.Context, s streams) error {
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	r, err := copies.Frames(ctx, c.Dir, e.Optical, progress(s.Err))
	if err != nil {
		return err
	}
	if err := saveScores(c.Scores, r.Scores); err != nil {
		return err
	}
	return c.answer(s, "copies found in frames", r, textOfFrames(r))
}

// saveScores writes every picture's values, one JSON object a line, if a file is named.
func saveScores[T any](file string, scores []T) error {
	if file == "" {
		return nil
	}
	var b bytes.Buffer
	for _, s := range scores {
		if err := json.NewEncoder(&b).Encode(s); err != nil {
			return fmt.Errorf("encode a score: %w", err)
		}
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil { //nolint:gosec // values, no pictures
		return fmt.Errorf("write the scores: %w", err)
	}
	return nil
}

// saveRates writes thresholds and rates, if a file is named.
func (c *benchCopies) saveRates(r *copies.Result) error {
	if c.Calibrate == "" {
		return nil
	}
	raw, err := json.MarshalIndent(r.Measured(c.name(), "bonafide bench copies DIR", time.Now().UTC()), "", "  ")
	if err != nil {
		return fmt.Errorf("encode the rates: %w", err)
	}
	if err := os.WriteFile(c.Calibrate, append(raw, '\n'), 0o644); err != nil { //nolint:gosec // public
		return fmt.Errorf("write the rates: %w", err)
	}
	return nil
}

func textOfCopies(r *copies.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pictures, %.0f ms each beyond opening them\n", r.Pictures, r.CPU.P50)
	for _, s := range r.Signs {
		fmt.Fprintf(&b, "%s, threshold %.2f; genuine %v\n", s.Sign, s.Threshold, s.Genuine)
		for _, a := range s.Attacks {
			fmt.Fprintf(&b, "  %-8s found %s  %v\n", a.Attack, a.Found, a.Quantiles)
		}
		for _, at := range s.Ranges {
			fmt.Fprintf(&b, "  from %2.0f px/mm  false alarms %s\n", at.From, at.FalseAlarms)
			for _, a := range s.Attacks {
				fmt.Fprintf(&b, "      %-8s %s\n", a.Attack, at.Found[a.Attack])
			}
		}
	}
	b.WriteString("suspected by any sign\n")
	for _, what := range slices.Sorted(maps.Keys(r.Together)) {
		fmt.Fprintf(&b, "  %-8s %s\n", what, r.Together[what])
	}
	return b.String()
}

func textOfAccused(r *copies.Accusations) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d genuine pages, accused of anything %s\n", r.Pages, r.Any)
	codes := slices.Sorted(maps.Keys(r.Codes))
	for _, code := range codes {
		fmt.Fprintf(&b, "  %-28s %s\n", code, r.Codes[code])
	}
	for _, g := range r.Groups {
		fmt.Fprintf(&b, "%s, %d pages\n", g.Name, g.Pages)
		for _, code := range codes {
			fmt.Fprintf(&b, "  %-28s %s\n", code, g.Codes[code])
		}
	}
	for _, who := range r.Who {
		fmt.Fprintf(&b, "  %s\n", who)
	}
	return b.String()
}

func textOfFrames(r *copies.FramesResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d frames of copies of %d documents\n  found          %s\n  documents seen %s\n  kept aside     %s\n",
		r.Frames, r.Documents, r.Found, r.Chosen, r.Kept)
	for _, sign := range slices.Sorted(maps.Keys(r.Signs)) {
		fmt.Fprintf(&b, "  by %-12s %s\n", sign, r.Signs[sign])
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Kinds)) {
		fmt.Fprintf(&b, "  %-20s %s\n", kind, r.Kinds[kind])
	}
	fmt.Fprintf(&b, "  colour %v\n", r.Colour)
	for _, f := range r.Missed {
		fmt.Fprintf(&b, "  missed %s\n", f)
	}
	return b.String()
}

func textOfCorners(r *copies.CornerResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pictures\n  corners named  %s\n  overlap ≥ 95 %%  %s\n  corner error   p50 %.2f %%, p95 %.2f %% of the page's width\n",
		r.Pictures, r.Found, r.Close, r.Error.P50, r.Error.P95)
	for _, what := range slices.Sorted(maps.Keys(r.ByWhat)) {
		fmt.Fprintf(&b, "  %-8s overlap ≥ 95 %%  %s\n           suspected  %s\n", what, r.ByWhat[what], r.Signs[what])
	}
	for _, f := range r.Failed {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	return b.String()
}
