package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench/faces"
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
