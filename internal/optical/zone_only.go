package optical

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// ReadZone reads the machine-readable zone and nothing else: what is printed elsewhere on the page has no say, so that
// Verified means that check digits pass and both readers agree. It is nil where there is no zone. Errors are as of Read.
func (r *Reader) ReadZone(ctx context.Context, img *imaging.Photo) (*ZoneOnly, error) {
	models, err := r.networks()
	if err != nil {
		return nil, err
	}
	w := &work{r: r, models: models, img: img, now: r.options.Clock}
	if w.zone, err = findZoneQuick(ctx, models.zone.first, img); err == nil && w.zone != nil {
		w.zone, err = w.zone.beside(ctx, models.zone.first, img)
	}
	if err != nil {
		return nil, err
	}
	w.page.Timings = map[string]time.Duration{}
	quick := w.zone != nil
	if quick {
		w.turn(quarters(w.zone.rows[0].strip))
	} else if err := w.locate(ctx); err != nil {
		return nil, err
	}
	if err := w.readZone(ctx); err != nil || w.page.MRZ == nil {
		return nil, err
	}
	z := w.page.MRZ
	w.proved()
	out := &ZoneOnly{Zone: z, Upright: w.img, Several: w.several(), Quick: quick}
	for _, g := range w.zone.rows {
		out.rows = append(out.rows, g.strip)
	}
	return out, nil
}

// ZoneOnly is a machine-readable zone as ReadZone finds it.
type ZoneOnly struct {
	*Zone
	Upright *imaging.Photo // the picture, turned
	Several bool           // a second document is in view
	Quick   bool           // found without text detection
	rows    []ocr.Strip
}

// Rows are the lines of the zone, cut level from the upright picture as readers are given them: from top to bottom.
func (z *ZoneOnly) Rows() []*imaging.RGB {
	out := make([]*imaging.RGB, len(z.rows))
	for i, s := range z.rows {
		out[i] = ocr.Crop(z.Upright, s)
	}
	return out
}
