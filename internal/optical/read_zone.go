package optical

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// ReadZone reads the machine-readable zone and nothing else. What is printed elsewhere on the page does not count: Verified means
// that check digits pass and both readers agree. It returns nil where there is no zone. Errors are as of Read.
func (r *Reader) ReadZone(ctx context.Context, img *imaging.Photo) (*ZoneOnly, error) {
	w, err := r.begin(img)
	if err != nil {
		return nil, err
	}
	if err := w.findZone(ctx); err != nil {
		return nil, err
	}
	if err := w.readZone(ctx); err != nil || w.page.MRZ == nil {
		return nil, err
	}
	w.verify()
	return &ZoneOnly{
		Zone: w.page.MRZ, Upright: w.img, Several: w.view().Several(), Quick: w.sheet, rows: w.zone.Placement().Lines,
	}, nil
}

// ZoneOnly is a machine-readable zone as ReadZone finds it.
type ZoneOnly struct {
	*Zone
	Upright *imaging.Photo // the picture, turned
	Several bool           // a second document is in view
	Quick   bool           // found without text detection
	rows    []ocr.Strip
}

// Rows returns the lines of the zone, top to bottom, cut level from the upright picture as readers see them.
func (z *ZoneOnly) Rows() []*imaging.RGB {
	out := make([]*imaging.RGB, len(z.rows))
	for i, s := range z.rows {
		out[i] = ocr.Crop(z.Upright, s)
	}
	return out
}
