package optical

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/viz"
)

// lookInColours detects text on the zone's page once more where facts of the zone were not found in print: in its colours where
// they were faded before, faded where they were not. What this look says counts where the first said nothing.
func (w *work) lookInColours(ctx context.Context, first agreement, read viz.Reading) (agreement, error) {
	if !w.page.MRZ.CheckDigitsOK || !w.wanting(first, read) {
		return first, nil
	}
	other := asTheyAre
	if !w.sheet {
		other = faded
	}
	boxes, err := w.models.detect.findPrint(ctx, w.img, sheetOf(w.zone), other)
	if err != nil {
		return first, err
	}
	lines, err := w.readLines(ctx, w.rowsOf(boxes))
	if err != nil {
		return first, err
	}
	if lines, read, err = w.understand(ctx, lines); err != nil {
		return first, err
	}
	return first.or(w.compare(lines, read)), nil
}

// or is the agreement with another's answers where it has none.
func (c agreement) or(o agreement) agreement {
	for i, a := range c.answers {
		if a.Verdict != viz.Silent {
			continue
		}
		c.answers[i] = o.answers[i]
	}
	for _, claim := range o.claims {
		if !slices.ContainsFunc(c.claims, func(x idv.Claim) bool { return x.Name == claim.Name }) {
			c.claims = append(c.claims, claim)
		}
	}
	return c.counted()
}

// wanting reports whether the print said nothing of a fact that the zone states and pages print.
func (w *work) wanting(c agreement, read viz.Reading) bool {
	if c.found+c.against < len(c.answers) {
		return true
	}
	for _, name := range []idv.ClaimName{idv.Sex, idv.Nationality} {
		if w.page.MRZ.value(w, name) != "" && !slices.ContainsFunc(read.Claims, func(c idv.Claim) bool { return c.Name == name }) {
			return true
		}
	}
	return false
}
