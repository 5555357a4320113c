package optical

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/viz"
)

// Page is all that was read from one picture of a document. Boxes are parts of the upright picture.
type Page struct {
	idv.Page
	Upright  *imaging.Photo  // the picture, turned
	MRZ      *Zone           // nil when none was found
	Claims   []idv.Claim     // without capture and side, which the reader does not know
	Filled   []idv.ClaimName // facts whose printed claim is spelled as in the zone: the print agrees, but was not surely read
	Barcode  *idv.Barcode    // nil when none was read
	Portrait *Portrait       // nil when no face was found
	Print    viz.Page        // the lines of Page with every character's confidence, as the facts were taken from them
	Timings  map[string]time.Duration
}

// Zone is a machine-readable zone with what it says.
type Zone struct {
	idv.MRZ
	Document   mrz.Document // of Lines
	Characters [][]float64  // per line and character, how sure the first reader is, 0–1
	boxes      [][]idv.Box  // per line and character
}

// Portrait is the face that the page was issued for.
type Portrait struct {
	Face face.Face    // on Upright
	Crop *imaging.RGB // the face with its surroundings, for people to look at

	template []float32 // nil until it is made
}

// work is one Read in progress.
type work struct {
	r      *Reader
	models *networks
	img    *imaging.Photo // upright once turn is known
	boxes  []ocr.Strip    // runs of text, on img
	sheet  bool           // they are of the page that a zone told, and nothing else was looked at
	zone   *zone
	byZone bool // the zone's rows told which way is up
	page   Page
	now    func() time.Time
	mark   time.Time
}

// Read reads a document page. The picture may lie on its side or upside down, and be smaller than what a capture must
// be; the quality reasons say so. A picture without a document is no error: its Page says that nothing was found. An
// error means that the question could not be asked: a model is missing or broken, or the context has ended.
func (r *Reader) Read(ctx context.Context, img *imaging.Photo) (Page, error) {
	models, err := r.networks()
	if err != nil {
		return Page{}, err
	}
	w := &work{r: r, models: models, img: img, now: r.options.Clock}
	w.page.Timings = map[string]time.Duration{}
	w.page.Kind, w.page.Lines, w.page.Faces = idv.UnknownKind, []idv.Line{}, []idv.Face{}
	w.mark = w.now()
	for _, stage := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"locate", w.locate}, {"mrz", w.readZone}, {"faces", w.findFaces},
		{"barcode", w.readBarcode}, {"printed", w.readPrinted}, {"quality", w.judge},
	} {
		if err := trace.Part(ctx, "read "+stage.name, stage.do); err != nil {
			return Page{}, fmt.Errorf("%s: %w", stage.name, err)
		}
		if err := ctx.Err(); err != nil {
			return Page{}, err
		}
		w.lap(stage.name)
	}
	w.page.Upright = w.img
	w.page.Width, w.page.Height = w.img.W, w.img.H
	return w.page, nil
}

// lap books the time since the last stage.
func (w *work) lap(stage string) {
	t := w.now()
	w.page.Timings[stage] = t.Sub(w.mark)
	w.mark = t
}

// Other ways to look when the first finds parts of a zone: level the page, then a smaller copy, which joins what is broken
// up, and a larger one, which finds small print.
var otherSizes = []int{ocr.DetectSize, 640, 1280}

// slanted is the tilt in degrees from which the copy is levelled for the detector.
const slanted = 6.0

// locate finds the machine-readable zone and the print of its page, and sets the picture upright. The zone comes first: it
// tells where the page is, and then nothing else has to be looked at.
func (w *work) locate(ctx context.Context) error {
	z, err := findZoneQuick(ctx, w.models.zone.first, w.img)
	if err == nil && z != nil {
		z, err = z.beside(ctx, w.models.zone.first, w.img)
	}
	if err != nil {
		return err
	}
	if z != nil {
		w.zone, w.sheet, w.byZone = z, true, true
		w.turn(quarters(z.rows[0].strip))
		w.boxes, err = w.models.detect.FindIn(ctx, w.img, sheetOf(z), ocr.Unchanged)
		w.boxes = append(w.boxes, z.print()...)
		return err
	}
	return w.locateByText(ctx)
}

// locateByText looks for text everywhere, and for the zone among its rows.
func (w *work) locateByText(ctx context.Context) error {
	boxes, err := w.models.detect.Find(ctx, w.img, ocr.DetectSize, ocr.Unchanged)
	if err != nil {
		return err
	}
	w.boxes = boxes
	if w.zone, err = findZone(ctx, w.models.zone.first, w.img, boxes); err != nil {
		return err
	}
	slant := ocr.Skew(boxes)
	for _, size := range otherSizes {
		if w.zone == nil || !w.zone.promises() || w.zone.whole() {
			break // nothing that other ways of looking could make whole
		}
		if err := w.locateAgain(ctx, size, slant); err != nil {
			return err
		}
	}
	if w.zone != nil {
		w.byZone = true
		if w.zone, err = w.zone.beside(ctx, w.models.zone.first, w.img); err != nil {
			return err
		}
		w.turn(quarters(w.zone.rows[0].strip))
		return nil
	}
	return w.turnByFaces(ctx)
}

// locateAgain looks in another way, and keeps what it finds where that is more.
func (w *work) locateAgain(ctx context.Context, size int, slant float64) error {
	level := math.Abs(slant) < slanted
	if level && (size == ocr.DetectSize || size > ocr.DetectSize && max(w.img.W, w.img.H)*int(ocr.DetectEnlarge) <= ocr.DetectSize) {
		return nil // the copy would be the same
	}
	find := func(ctx context.Context, img *imaging.Photo, size int) ([]ocr.Strip, error) {
		return w.models.detect.Find(ctx, img, size, ocr.Unchanged)
	}
	if !level {
		find = func(ctx context.Context, img *imaging.Photo, size int) ([]ocr.Strip, error) {
			return w.models.detect.FindLevelled(ctx, img, size, slant)
		}
	}
	boxes, err := find(ctx, w.img, size)
	if err != nil {
		return err
	}
	z, err := findZone(ctx, w.models.zone.first, w.img, boxes)
	if err != nil {
		return err
	}
	if z != nil && (w.zone == nil || z.whole() || z.likeness() > w.zone.likeness()) {
		w.zone, w.boxes = z, boxes
	}
	return nil
}

// fillers counts the fillers in all rows.
func (z *zone) fillers() int {
	n := 0
	for _, g := range z.rows {
		n += strings.Count(glyphText(g.glyphs), "<")
	}
	return n
}

// quarters is the number of clockwise quarter turns that make the reading direction point right.
func quarters(s ocr.Strip) int {
	q := int(math.Round(s.Angle() / 90))
	return ((-q % 4) + 4) % 4
}

// turn sets everything upright.
func (w *work) turn(q int) {
	w.page.Turn = (w.page.Turn + q) % 4
	if q == 0 {
		return
	}
	width, height := w.img.W, w.img.H
	w.img = w.img.Turn(q)
	for i, b := range w.boxes {
		w.boxes[i] = b.Turned(q, width, height)
	}
	if w.zone != nil {
		for i := range w.zone.rows {
			w.zone.rows[i].strip = w.zone.rows[i].strip.Turned(q, width, height)
		}
	}
}

// turnByFaces sets a page without a machine-readable zone upright: by its portrait, else by which way its lines run.
func (w *work) turnByFaces(ctx context.Context) error {
	small, _ := w.img.Fit(faceSide)
	q, found, err := w.r.faces.DetectAnyTurn(ctx, small)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		q = 0
		if upright, across := w.direction(); upright > across {
			q = 3
		}
	}
	w.turn(q)
	return nil
}

// turnAnew sets a page upright by its portrait whose rows looked like a machine-readable zone and were none: print upside down
// does.
func (w *work) turnAnew(ctx context.Context) error {
	small, _ := w.img.Fit(faceSide)
	q, found, err := w.r.faces.DetectAnyTurn(ctx, small)
	if err != nil || len(found) == 0 {
		return err
	}
	w.turn(q)
	return nil
}

// direction adds up the lengths of runs of text by which way they lie.
func (w *work) direction() (vertical, horizontal float64) {
	for _, b := range w.boxes {
		switch {
		case !b.Directed(): // says nothing
		case math.Abs(b.UY) > math.Abs(b.UX):
			vertical += b.Length
		default:
			horizontal += b.Length
		}
	}
	return vertical, horizontal
}

// portraitMargin is how much of the face's size is shown round the portrait.
const portraitMargin = 0.6

// faceSide is the longest side of the copy on which faces are looked for: twice what their detector sees.
const faceSide = 640

// findFaces finds the faces of the upright page, and among them the portrait.
func (w *work) findFaces(ctx context.Context) error {
	if w.byZone && w.page.MRZ == nil {
		if err := w.turnAnew(ctx); err != nil {
			return err
		}
	}
	small, scale := w.img.Fit(faceSide)
	found, err := w.r.faces.Detect(ctx, small)
	if err != nil {
		return err
	}
	for i, f := range found {
		found[i].Pixel = face.Box{X: f.Pixel.X / scale, Y: f.Pixel.Y / scale, W: f.Pixel.W / scale, H: f.Pixel.H / scale}
	}
	w.page.Faces = make([]idv.Face, len(found))
	for i, f := range found {
		w.page.Faces[i] = idv.Face{
			Box:   idv.Box{X: f.Box.X, Y: f.Box.Y, Width: f.Box.W, Height: f.Box.H},
			Score: f.Score, Width: int(math.Round(f.Pixel.W)),
		}
	}
	if f, ok := w.portraitOf(found); ok {
		w.page.Portrait = &Portrait{Face: f, Crop: crop(w.img, f.Pixel, portraitMargin)}
	}
	return nil
}
