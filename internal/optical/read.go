package optical

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"time"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/page"
	"github.com/bonafide-id/bonafide/internal/optical/zone"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// work is one Read in progress.
type work struct {
	r         *Reader
	models    *networks
	img       *imaging.Photo // upright once its turn is known
	boxes     []ocr.Strip    // runs of text, on img
	closer    []ocr.Strip    // runs of text of a page without a zone, as a second look at the page alone showed them
	sheet     bool           // they are only of the page that a zone determined
	zone      *zone.Zone
	reading   *zone.Reading    // of zone; nil until it is read, and where it cannot be
	seen      []face.Face      // on the copy of FaceSide; nil if they are not known
	faceless  [4]bool          // by turn: the picture was searched that way up, and has no faces
	faces     []face.Face      // of the upright picture, once they are looked for
	otherSide *image.Rectangle // in which the other side of the zone's card is, where it agrees with the zone; nil: nowhere
	byZone    bool             // the zone's rows determined which way is up
	upright   bool             // the portrait leaves no doubt which way is up
	inMirror  bool             // the picture is another one's mirror image

	page Page
	now  func() time.Time
	mark time.Time
}

// Read reads a document page. The picture may be on its side or upside down, and smaller than what a capture must be; the quality
// reasons say so. A picture without a document is no error: its Page says that nothing was found. An error means that the question
// could not be asked: a model is missing or broken, or the context has ended.
func (r *Reader) Read(ctx context.Context, img *imaging.Photo) (Page, error) {
	return r.read(ctx, img, false)
}

// read is Read. inMirror: the picture is another one's mirror image, and is not mirrored once more.
func (r *Reader) read(ctx context.Context, img *imaging.Photo, inMirror bool) (Page, error) {
	w, err := r.begin(img)
	if err != nil {
		return Page{}, err
	}
	w.inMirror = inMirror
	if err := w.run(ctx); err != nil {
		return Page{}, err
	}
	return w.page, nil
}

// run does all stages of a read.
func (w *work) run(ctx context.Context) error {
	w.mark = w.now()
	for _, stage := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"locate", w.locate}, {"mrz", w.readMRZ}, {"faces", w.findFaces},
		{"barcode", w.readBarcode}, {"printed", printedText{w}.readPrinted}, {"quality", w.inspect}, {"subject", w.judgeSubject},
	} {
		if err := trace.Part(ctx, "read "+stage.name, stage.do); err != nil {
			return fmt.Errorf("%s: %w", stage.name, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		w.addTiming(stage.name)
	}
	if w.page.MRZ == nil && w.page.OtherScript {
		w.page.Claims, w.page.LookAt = ofOtherScript(w.page.Claims), ofOtherScript(w.page.LookAt)
	}
	withCedillas(w.page.Claims)
	for _, claims := range [][]idv.Claim{w.page.Claims, w.page.LookAt} {
		for i, c := range claims {
			if c.Name == idv.Nationality || c.Name == idv.Issuer {
				claims[i].Value = icao.ClaimedState(c.Value)
			}
		}
	}
	w.page.Upright = w.img
	w.page.Width, w.page.Height = w.img.W, w.img.H
	return nil
}

// begin returns the work on a picture, with the models loaded.
func (r *Reader) begin(img *imaging.Photo) (*work, error) {
	models, err := r.networks()
	if err != nil {
		return nil, err
	}
	w := &work{r: r, models: models.forPage(), img: img, now: r.options.Clock}
	w.page.Timings = map[string]time.Duration{}
	w.page.Kind, w.page.Lines, w.page.Faces = idv.UnknownKind, []idv.Line{}, []idv.Face{}
	return w, nil
}

// addTiming notes the time since the last stage.
func (w *work) addTiming(stage string) {
	t := w.now()
	w.page.Timings[stage] = t.Sub(w.mark)
	w.mark = t
}

// locate finds the machine-readable zone and the print of its page, and sets the picture upright. The zone comes first: it
// determines where the page is, and then nothing else has to be looked at.
func (w *work) locate(ctx context.Context) error {
	if err := w.findZone(ctx); err != nil {
		return err
	}
	switch {
	case w.zone == nil:
		return w.turnByFaces(ctx)
	case !w.sheet:
		return nil
	}
	place := w.zone.Placement()
	boxes, err := w.models.detect.FindIn(ctx, w.img, place.PrintArea(), ocr.Unchanged)
	w.boxes = append(boxes, place.Print()...)
	return err
}

// findZone finds the machine-readable zone, by its glyphs or else among all text, and sets the picture upright by it.
func (w *work) findZone(ctx context.Context) (err error) {
	if w.zone, err = w.models.zone.FindByGlyphs(ctx, w.img); err != nil {
		return err
	}
	w.sheet = w.zone != nil
	if w.zone == nil {
		if w.zone, w.boxes, err = w.models.zone.FindInText(ctx, w.img, w.models.detect); err != nil {
			return err
		}
	}
	if w.zone != nil {
		w.byZone = true
		w.turn(w.zone.Quarters())
	}
	return nil
}

// readMRZ reads the zone. Where that was a title, the print of its page is looked for on the whole picture.
func (w *work) readMRZ(ctx context.Context) error {
	err := w.readZone(ctx)
	if err == nil && w.zone == nil && w.sheet {
		w.boxes, err = w.models.detect.Find(ctx, w.img, ocr.DetectSize, ocr.Unchanged)
	}
	return err
}

// readZone reads the zone, if there is one. A title that was taken for one is none.
func (w *work) readZone(ctx context.Context) (err error) {
	if w.zone == nil {
		return nil
	}
	w.reading, err = w.models.zone.Read(ctx, w.img, w.zone)
	switch {
	case errors.Is(err, zone.ErrUnread):
		return nil
	case errors.Is(err, zone.ErrTitle):
		w.zone = nil
		return nil
	case err != nil:
		return err
	}
	w.page.MRZ = newZone(w.reading, w.img)
	w.page.Issuer = w.reading.Document.Issuer
	if k := w.reading.Document.Kind(); k != "" {
		w.page.Kind = idv.DocumentKind(k)
	}
	return nil
}

// turn turns the picture clockwise by so many quarters, and all that was found on it.
func (w *work) turn(q int) {
	w.page.Turn = (w.page.Turn + q) % 4
	if q == 0 {
		return
	}
	width, height := w.img.W, w.img.H
	w.img = w.img.Turn(q)
	w.seen = nil
	for i, b := range w.boxes {
		w.boxes[i] = b.Turned(q, width, height)
	}
	if w.zone != nil {
		w.zone.Turn(q, width, height)
	}
}

// turnByFaces sets a page without a machine-readable zone upright: by its portrait, else by the direction of its lines.
func (w *work) turnByFaces(ctx context.Context) error {
	turned, err := w.turnByPortrait(ctx)
	if err != nil || turned {
		return err
	}
	if vertical, horizontal := w.direction(); vertical > horizontal {
		w.turn(3)
	}
	return nil
}

// clearly is how many times as long as all vertical lines the horizontal ones must be, or the other way round, to settle which two ways a page can lie.
const clearly = 4

// turnByPortrait sets a page upright by the faces on it. It is false where there are none.
func (w *work) turnByPortrait(ctx context.Context) (bool, error) {
	small, _ := w.img.Fit(page.FaceSide)
	turns := []int{0, 1, 2, 3}
	switch vertical, horizontal := w.direction(); {
	case horizontal > clearly*vertical:
		turns = []int{0, 2}
	case vertical > clearly*horizontal:
		turns = []int{3, 1}
	}
	found, err := w.r.faces.DetectTurned(ctx, small, turns...)
	if err != nil {
		return false, err
	}
	for q, none := range found.None {
		at := (w.page.Turn + q) % len(w.faceless)
		w.faceless[at] = w.faceless[at] || none
	}
	if len(found.Faces) == 0 {
		return false, nil
	}
	w.turn(found.Turn)
	w.upright, w.seen = found.Sure, found.Faces
	return true, nil
}

// direction returns the added lengths of the runs of text that are vertical, and of those that are horizontal.
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

// findFaces finds the faces of the upright page, and among them the portrait. Print upside down can look like a zone: a page whose
// zone could not be read is set upright anew.
func (w *work) findFaces(ctx context.Context) error {
	if w.byZone && w.page.MRZ == nil {
		if _, err := w.turnByPortrait(ctx); err != nil {
			return err
		}
	}
	if err := w.turnByPrint(ctx); err != nil {
		return err
	}
	small, scale := w.img.Fit(page.FaceSide)
	found, err := w.seen, error(nil)
	if found == nil && !w.faceless[w.page.Turn] {
		if found, err = w.r.faces.Detect(ctx, small); err != nil {
			return err
		}
	}
	page.EnlargeFaces(found, scale)
	w.faces = found
	w.page.Faces = make([]idv.Face, len(found))
	for i, f := range found {
		w.page.Faces[i] = idv.Face{
			Box:   idv.Box{X: f.Box.X, Y: f.Box.Y, Width: f.Box.W, Height: f.Box.H},
			Score: f.Score, Width: int(math.Round(f.Pixel.W)),
		}
	}
	w.page.Portrait = w.view().FindPortrait(found)
	return nil
}

// view returns the picture with what was found on it so far.
func (w *work) view() *page.View {
	v := &page.View{
		Img: w.img, Boxes: w.boxes, Faces: w.page.Faces, Portrait: w.page.Portrait, Barcode: w.page.Barcode != nil, Kind: w.page.Kind,
		OtherSide: w.otherSide,
	}
	if w.zone != nil {
		v.Zone = &page.Zone{Placement: w.zone.Placement(), Reading: w.reading, Rivals: w.zone.Rivals(), Ambiguous: w.zone.Ambiguous()}
	}
	return v
}

// inspect measures the page, and looks for the signs of a copy and of editing.
func (w *work) inspect(ctx context.Context) error {
	v := w.view()
	v.Parts = w.page.parts()
	found, err := v.Inspect(ctx, w.r.faces)
	w.page.Corners, w.page.Quality, w.page.Signs = found.Corners, found.Quality, &found.Signs
	return err
}

// verify decides whether the zone was read beyond doubt, and is that of the document that is meant.
func (w *work) verify() {
	z := w.page.MRZ
	z.Doubts = z.doubts(w.view().Ambiguous())
	z.Verified = len(z.Doubts) == 0
}

// Signs returns the signs of a copy of a page whose corners and width in millimetres are known, without reading it, to measure how
// often they err. The portrait is the largest face on it.
func (r *Reader) Signs(ctx context.Context, img *imaging.Photo, quad imaging.Quad, width float64) (idv.Signs, error) {
	return page.Signs(ctx, r.faces, img, quad, width)
}
