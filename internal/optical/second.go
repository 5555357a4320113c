package optical

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/text"
	"github.com/bonafide-id/bonafide/internal/reading"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// readSecond has the values of numbered fields read by the second reader, each from its field number to its end. A claim whose
// characters and field number it reads alike counts two readers. It changes nothing else: the second reader states no facts.
func (w printedText) readSecond(ctx context.Context, lines []text.Line, read reading.Reading) error {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l text.Line) bool { return l.Text == "" }) // numbered as the page's
	fields := slices.DeleteFunc(slices.Clone(read.Fields), func(f reading.Field) bool {
		return f.Number == "" || !slices.Contains(idv.SettlingFacts(), f.Name)
	})
	alike := make([]bool, len(fields))
	err := text.Each(ctx, len(fields), func(ctx context.Context, i int) (err error) {
		alike[i], err = w.readsAlike(ctx, lines, fields[i])
		return err
	})
	if err != nil {
		return err
	}
	for i, f := range fields {
		at := slices.IndexFunc(read.Claims, func(c idv.Claim) bool { return c.Name == f.Name })
		if alike[i] && at >= 0 {
			read.Claims[at].Readers = 2
		}
	}
	return nil
}

// readsAlike reports whether the second reader reads the characters of a field as the first did. Diacritics, case, spaces and
// punctuation do not count: it knows few of them.
func (w printedText) readsAlike(ctx context.Context, lines []text.Line, f reading.Field) (bool, error) {
	for _, p := range f.Parts {
		first := string([]rune(lines[p.Line].Text)[p.From:p.To])
		second, err := w.models.second.Read(ctx, ocr.CropGray(w.img, w.upright(text.StripOf(p.Strip))))
		if err != nil {
			return false, err
		}
		if a := lexicon.Alphanumerics(first); a == "" || a != lexicon.Alphanumerics(second) {
			return false, nil
		}
	}
	return len(f.Parts) > 0, nil
}
