package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/barcode"
	"github.com/bonafide-id/bonafide/bench/faces"
	"github.com/bonafide-id/bonafide/bench/mrz"
	"github.com/bonafide-id/bonafide/bench/speed"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/modelcard"
)

// benchCommand measures accuracy and speed on the operator's own pictures.
type benchCommand struct {
	MRZ     benchMRZ     `cmd:"" name:"mrz" help:"Reading of machine-readable zones against truth.tsv (file, line1..3)."`
	Faces   benchFaces   `cmd:"" help:"Comparison of faces against pairs.tsv (same, a, b), impostors over all pairs of identities."`
	Speed   benchSpeed   `cmd:"" help:"Whole verifications of NAME-front, NAME-back and NAME-selfie: processor time and memory."`
	Barcode benchBarcode `cmd:"" help:"Reading of barcodes against NN.txt or NN.bin beside each picture."`
}

// benchInput is what every measurement takes.
type benchInput struct {
	config.Engine
	Dir     string `arg:"" help:"The folder of pictures."`
	Truth   string `placeholder:"FILE" help:"The list of what is right. Default: the usual file in the folder."`
	JSON    bool   `name:"json" help:"Print one JSON object."`
	Record  string `placeholder:"FILE" help:"Also write the result there, with machine, commit and data set."`
	DataSet string `placeholder:"NAME" help:"What to call the data set in the record. Default: the folder's name."`
}

type (
	benchMRZ     struct{ benchInput }
	benchBarcode struct{ benchInput }
	benchSpeed   struct{ benchInput }
	benchFaces   struct {
		benchInput
		Card string `placeholder:"FILE" help:"Write the measured curve into this model card as its calibration."`
	}
)

// Run measures the reading of machine-readable zones.
func (c *benchMRZ) Run(ctx context.Context, s streams) error {
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	r, err := mrz.Run(ctx, c.Dir, c.Truth, e.Optical, progress(s.Err))
	if err != nil {
		return err
	}
	return c.answer(s, "reading of machine-readable zones", r, fmt.Sprintf(
		"%d pictures\n  found                %s\n  exact                %s\n  exact after repair   %s\n  verified             %s\n  verified but wrong   %s\n  not found            %s\n",
		r.Pictures, rate(r.Found.Count, r.Found.Interval), rate(r.Exact.Count, r.Exact.Interval), rate(r.Repaired.Count, r.Repaired.Interval),
		rate(r.Verified.Count, r.Verified.Interval), rate(r.VerifiedWrong.Count, r.VerifiedWrong.Interval), rate(r.NotFound.Count, r.NotFound.Interval)))
}

// Run measures the comparison of faces.
func (c *benchFaces) Run(ctx context.Context, s streams) error {
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
		fmt.Fprintf(&b, "  FMR %s  TAR %.4f (%.4f to %.4f)  threshold %.4f\n", at.Key, r.TAR[at.Key], r.Interval[at.Key].Low, r.Interval[at.Key].High, r.Threshold[at.Key])
	}
	return c.answer(s, "comparison of faces", r, b.String())
}

// Run measures the reading of barcodes.
func (c *benchBarcode) Run(ctx context.Context, s streams) error {
	r, err := barcode.Run(ctx, c.Dir, progress(s.Err))
	if err != nil {
		return err
	}
	return c.answer(s, "reading of barcodes", r, fmt.Sprintf("%d codes\n  right      %s\n  wrong      %s\n  not read   %s\n",
		r.Pictures, rate(r.Right.Count, r.Right.Interval), rate(r.Wrong.Count, r.Wrong.Interval), rate(r.NotRead.Count, r.NotRead.Interval)))
}

// Run measures whole verifications.
func (c *benchSpeed) Run(ctx context.Context, s streams) error {
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	r, err := speed.Run(ctx, c.Dir, e.Flow, progress(s.Err))
	if err != nil {
		return err
	}
	return c.answer(s, "cost of a verification", r, fmt.Sprintf(
		"%d verifications of %d pictures\n  processor   p50 %.0f ms, p95 %.0f ms\n  wall clock  p50 %.0f ms, p95 %.0f ms\n  memory      %d MB after, %d MB at its peak\n",
		r.Verifications, r.Pictures, r.CPU.P50, r.CPU.P95, r.Wall.P50, r.Wall.P95, r.RSSAfter>>20, r.RSSPeak>>20))
}

func rate(count int, i bench.Interval) string {
	return fmt.Sprintf("%4d  (95 %%: %.1f to %.1f %%)", count, 100*i.Low, 100*i.High)
}

// progress counts up on a line of its own.
func progress(w io.Writer) func(done, total int) {
	return func(done, total int) {
		_, _ = fmt.Fprintf(w, "\r%d of %d", done, total)
		if done == total {
			_, _ = fmt.Fprintln(w)
		}
	}
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

// name is what the data set is called.
func (c *benchInput) name() string {
	if c.DataSet != "" {
		return c.DataSet
	}
	return filepath.Base(filepath.Clean(c.Dir))
}

// answer prints a result and keeps its record, if one is wanted.
func (c *benchInput) answer(s streams, what string, result any, text string) error {
	if c.Record != "" {
		command := "bonafide bench " + os.Args[2] + " DIR"
		if err := bench.NewRecord(what, c.name(), command, result).Write(c.Record); err != nil {
			return err
		}
	}
	if c.JSON {
		return json.NewEncoder(s.Out).Encode(result)
	}
	_, err := io.WriteString(s.Out, text)
	return err
}
