package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench/facegallery"
	"github.com/bonafide-id/bonafide/bench/faces"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/modelcard"
)

// benchFaces is `bonafide bench faces`.
type benchFaces struct {
	benchInput
	Card string `placeholder:"FILE" help:"Write the measured curve into this model card as its calibration."`
}

// Run measures the comparison of faces.
func (c *benchFaces) Run(ctx context.Context, s streams) error {
	if c.Dir == "" {
		return errNoPictures
	}
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	r, err := faces.Run(ctx, c.Dir, c.Truth, e.Faces, progress(s.Err))
	if err != nil {
		return err
	}
	if c.Card != "" {
		if err := writeCalibration(c.Card, r, c.name()); err != nil {
			return err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d genuine and %d impostor pairs, equal error rate %.4f\n", r.Genuine, r.Impostors, r.EER)
	for _, at := range faces.Rates {
		fmt.Fprintf(
			&b, "  FMR %s  TAR %.4f (%.4f to %.4f)  threshold %.4f\n", at.Key, r.TAR[at.Key], r.Interval[at.Key].Low, r.Interval[at.Key].High,
			r.Threshold[at.Key],
		)
	}
	fmt.Fprintf(
		&b, "  one person, two occasions: at most %.3f; %d of %d pairs reach the ceiling of %.3f\n", r.Ceiling.Highest, r.Ceiling.Above, r.Ceiling.Genuine,
		r.Ceiling.Similarity,
	)
	for _, k := range r.Several {
		fmt.Fprintf(&b, "  the mean of %d (%d people, %d genuine and %d impostor trials):", k.Pictures, k.People, k.Genuine, k.Impostors)
		for _, at := range faces.Rates {
			if tar, ok := k.TAR[at.Key]; ok {
				fmt.Fprintf(&b, "  %s %.4f (%.4f to %.4f) at %.4f", at.Key, tar, k.Interval[at.Key].Low, k.Interval[at.Key].High, k.Threshold[at.Key])
			}
		}
		fmt.Fprintln(&b)
	}
	return c.answer(s, "comparison of faces", r, b.String())
}

// writeCalibration puts the measured curve into a model card and leaves the rest of the card as it is.
func writeCalibration(file string, r *faces.Result, dataSet string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the card: %w", err)
	}
	var card modelcard.Card
	if err := json.Unmarshal(raw, &card); err != nil {
		return fmt.Errorf("decode the card: %w", err)
	}
	card.Calibration = r.Calibration(dataSet, "bonafide bench faces DIR --card CARD", time.Now().UTC())
	raw, err = json.MarshalIndent(card, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the card: %w", err)
	}
	if err := os.WriteFile(file, append(raw, '\n'), 0o644); err != nil { //nolint:gosec // a card is public
		return fmt.Errorf("write the card: %w", err)
	}
	return nil
}

// benchGallery is `bonafide bench gallery`.
type benchGallery struct {
	config.Engine
	Dir      string `arg:"" optional:"" help:"A folder of pictures of faces, on which the scan is compared with all pairs. Without it, costs alone are measured."`
	Faces    int    `default:"1000000" help:"How many invented faces the gallery has."`
	Searches int    `default:"400" help:"How many searches are made from each similarity."`
	Erased   int    `default:"50" help:"How many faces are enrolled and erased one by one."`
	Seed     uint64 `default:"24" help:"The seed of the invented faces."`
	Scratch  string `placeholder:"DIR" help:"Where the database is made and left for the next run. Default: a temporary folder."`
	JSON     bool   `name:"json" help:"Print one JSON object."`
	Record   string `placeholder:"FILE" help:"Also write the result there, with machine and commit."`
	DataSet  string `placeholder:"NAME" help:"What to call the pictures in the record. Default: the folder's name."`
}

// Run measures a gallery of faces.
func (c *benchGallery) Run(ctx context.Context, s streams) error {
	o := facegallery.Options{Faces: c.Faces, Searches: c.Searches, Erased: c.Erased, Seed: c.Seed, Dir: c.Scratch}
	in := benchInput{Dir: c.Dir, JSON: c.JSON, Record: c.Record, DataSet: fmt.Sprintf("invented faces, seed %d", c.Seed)}
	if c.Dir != "" {
		e, err := newEngine(c.Engine)
		if err != nil {
			return err
		}
		if o.Real, err = faces.Templates(ctx, c.Dir, e.Faces, progress(s.Err)); err != nil {
			return err
		}
		in.DataSet += "; pictures of " + cmp.Or(c.DataSet, filepath.Base(filepath.Clean(c.Dir)))
	}
	r, err := facegallery.Run(ctx, o, func(what string) { _, _ = fmt.Fprintln(s.Err, what) })
	if err != nil {
		return err
	}
	return in.answer(s, "gallery of faces", r, galleryText(r))
}

func galleryText(r *facegallery.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d faces (%s)\n", r.Faces, r.Synthetic)
	fmt.Fprintf(&b, "  strangers have similarities of %.3f, standard deviation %.3f\n", r.Strangers.Mean, r.Strangers.Sigma)
	fmt.Fprintf(
		&b, "  read in %.1f s (processor %.1f s), %d MB at its peak, %d MB resident after the searches; database of %d MB\n",
		r.Load.Wall, r.Load.Processor, r.LoadPeak>>20, r.Resident>>20, r.Database>>20,
	)
	for _, one := range r.Searches {
		fmt.Fprintf(
			&b, "  search from %.3f: p50 %.1f ms, p95 %.1f ms, at most %.0f ms (processor p95 %.1f ms); found %s, %d crowded\n",
			one.From, one.Wall.P50, one.Wall.P95, one.Wall.Max, one.Processor.P95, one.Found, one.Crowded,
		)
	}
	fmt.Fprintf(&b, "  enrol p50 %.1f ms, p95 %.1f ms; erase p50 %.1f ms, p95 %.1f ms\n", r.Enrol.P50, r.Enrol.P95, r.Erase.P50, r.Erase.P95)
	if r.Real == nil {
		return b.String()
	}
	fmt.Fprintf(
		&b, "%d templates of real pictures: all pairs %.3f, standard deviation %.3f; rounding changed a similarity by at most %.4f\n",
		r.Real.Templates, r.Real.Strangers.Mean, r.Real.Strangers.Sigma, r.Real.Rounding,
	)
	for _, a := range r.Real.Agrees {
		fmt.Fprintf(&b, "  from %.3f the scan finds %s of the pairs, and %d that are less alike\n", a.From, a.Found, a.Beside)
	}
	return b.String()
}
