package idv

import (
	"cmp"
	"math"
	"slices"
)

// Page describes a picture of a document as a whole.
type Page struct {
	Kind     DocumentKind `json:"kind"`
	Issuer   string       `json:"issuer"` // ICAO 9303-3 §5 code; empty if unknown
	Turn     int          `json:"turn"`   // clockwise quarter turns that make the picture upright
	Width    int          `json:"width"`  // of the upright picture, in pixels
	Height   int          `json:"height"`
	Corners  []float64    `json:"corners,omitempty"` // x, y of four corners as parts of the upright picture, from top-left clockwise
	Quality  Quality      `json:"quality"`
	Faces    []Face       `json:"faces"`
	Specimen bool         `json:"specimen"` // the word SPECIMEN (or its like) is printed on it
	// OtherScript is set if much of the print is in a script that is not supported, such as Arabic, or in Cyrillic or Greek that could not be
	// read. Its lines come out as similar Latin letters; without a machine-readable zone, only dates are claimed from print.
	OtherScript bool   `json:"other_script,omitempty"`
	Lines       []Line `json:"lines"` // printed text that was read, in reading order
	// LookAt are facts that the page likely prints, not surely enough to be claimed: a person may want to look there. Nothing rests on them.
	LookAt []Claim `json:"look_at,omitempty"`
	Signs  *Signs  `json:"signs,omitempty"` // of a copy or an exchanged portrait; nil if not examined
}

// Signs are measures that distinguish a document from a copy of it, and its own portrait from another (internal/forensic defines
// each number).
type Signs struct {
	PixelsPerMM float64  `json:"pixels_per_mm"`         // of the page, estimated; what can be seen depends on it
	Places      int      `json:"places"`                // of the page that were searched for a grid
	Grid        float64  `json:"grid"`                  // strength of a regular grid of points, 0 to 1.3
	GridPeriod  float64  `json:"grid_period"`           // of it, in pixels
	GridAngle   float64  `json:"grid_angle"`            // the strong direction that is turned most against the page's edges, degrees
	Colour      float64  `json:"colour"`                // of the page's print, in per cent; 0 if it is too dark or too bright to tell
	Pictured    bool     `json:"pictured"`              // the page shows a portrait; others may have no colour
	Monochrome  bool     `json:"monochrome"`            // the picture has no colour at all
	Grain       *float64 `json:"grain,omitempty"`       // of the portrait against the page, doublings; nil if not comparable
	Ghost       *float64 `json:"ghost,omitempty"`       // similarity of a second, smaller portrait, −1 to 1; nil if there is none
	GhostWidth  int      `json:"ghost_width,omitempty"` // of its face, in pixels
	Edits       []Edit   `json:"edits,omitempty"`       // comparisons of regions with the rest of the page
}

// Edit compares a region of a page with the rest of it, by one sign of editing.
type Edit struct {
	Sign    string  `json:"sign"`   // defined in internal/forensic
	Region  string  `json:"region"` // portrait, zone for one of its lines, or the name of the fact that is printed there
	Value   float64 `json:"value"`
	Suspect bool    `json:"suspect"` // the value is beyond the sign's threshold
	Box     Box     `json:"box"`
}

// The regions of a page that are not a printed fact.
const (
	PortraitRegion = "portrait"
	ZoneRegion     = "zone"
	PageRegion     = "page"  // all of it
	GhostRegion    = "ghost" // a second, smaller portrait
)

// Bounds returns the upright box around the page, or the whole picture if its corners are unknown.
func (p Page) Bounds() Box {
	if len(p.Corners) != 8 {
		return Box{Width: 1, Height: 1}
	}
	left, top, right, bottom := 1., 1., 0., 0.
	for i := 0; i < len(p.Corners); i += 2 {
		x, y := max(0, min(1, p.Corners[i])), max(0, min(1, p.Corners[i+1]))
		left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
	}
	return Box{X: left, Y: top, Width: max(0, right-left), Height: max(0, bottom-top)}
}

// FacesBySize returns the faces on the page, largest first: the portrait, then its second image if there is one.
func (p Page) FacesBySize() []Face {
	return slices.SortedStableFunc(slices.Values(p.Faces), func(a, b Face) int {
		return cmp.Compare(b.Box.Width*b.Box.Height, a.Box.Width*a.Box.Height)
	})
}

// Line is a line of printed text.
type Line struct {
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
	Box        Box     `json:"box"`
}

// Quality holds the quality measures of a document picture, and the reasons that follow from them.
type Quality struct {
	Sharpness  float64  `json:"sharpness"`   // imaging.Sharpness over the page, which depends on the camera
	LinePairs  float64  `json:"line_pairs"`  // the finest pattern shown at half its contrast, line pairs per millimetre of the page; 0 if unknown
	GlareArea  float64  `json:"glare_area"`  // part of the page that is burnt out, 0 to 1
	GlareText  float64  `json:"glare_text"`  // part of its lines, zone and portrait that is burnt out, 0 to 1
	Brightness float64  `json:"brightness"`  // mean, 0 to 1
	Darkness   float64  `json:"darkness"`    // imaging.Darkness over the page, 0 to 1
	ShortSide  int      `json:"short_side"`  // of the page, in pixels
	CharHeight float64  `json:"char_height"` // of the machine-readable zone, in pixels; 0 if none
	Skew       float64  `json:"skew"`        // of the page in the picture, degrees clockwise
	Tilt       float64  `json:"tilt"`        // of the page against the camera, degrees, for a lens of 26 mm; 0 if the corners are unknown
	CutSides   []string `json:"cut_sides"`   // sides of the picture that cut the page: top, right, bottom, left
	CutBoxes   []Box    `json:"cut_boxes"`   // the print that reaches those sides; nil from older readers
	Reasons    []string `json:"reasons"`     // codes of the capture family
}

// LeastLinePairs is the floor of Quality.LinePairs: below it a page is too blurred to read. Zones, whose capitals are 2.4 mm
// high, were read down to 0.6 (10 of 10 below 1, in bench/results/quality-501.json); other print is two thirds as high.
const LeastLinePairs = 0.9

// MRZ is a machine-readable zone as it was read.
type MRZ struct {
	Format        string      `json:"format"` // TD1, TD2, TD3, MRV-A, MRV-B, IDFRA, IDROU
	Lines         []string    `json:"lines"`  // after repair by field class
	RawLines      []string    `json:"raw_lines"`
	SecondLines   []string    `json:"second_lines"` // of the second reader, after the same repair
	CheckDigitsOK bool        `json:"check_digits_ok"`
	ReadersAgree  bool        `json:"readers_agree"`
	CutOff        bool        `json:"cut_off"` // its lines may continue out of view or under a cover
	PrintedZone   PrintedZone `json:"printed_zone"`
	// Verified is set if all check digits pass, every field has a possible value, the readers agree (or print on the page supports the
	// first one where they do not), nothing is cut off, no printed fact on the page disagrees, and no other document in view could be the intended one.
	Verified     bool     `json:"verified"`
	Confidence   float64  `json:"confidence"`
	Boxes        []Box    `json:"boxes"` // one per line
	FailedChecks []string `json:"failed_checks"`
	// Doubts lists everything that keeps the zone from being verified. It is empty if the zone is verified, and for zones read before
	// doubts were recorded.
	Doubts []ZoneDoubt `json:"doubts,omitempty"`
}

// ZoneDoubt is one thing that keeps a machine-readable zone from being verified.
type ZoneDoubt struct {
	Code   string      `json:"code"`             // of the catalogue
	Source DoubtSource `json:"source"`           // what contradicts the zone
	Fields []string    `json:"fields,omitempty"` // the fields concerned; empty for the whole zone
}

// DoubtSource is what contradicts a machine-readable zone.
type DoubtSource string

// The sources.
const (
	DoubtCheckDigits   DoubtSource = "check_digits"   // a check digit is wrong
	DoubtValues        DoubtSource = "values"         // a field has an impossible value
	DoubtSecondReader  DoubtSource = "second_reader"  // the second reader does not support a character
	DoubtSpacing       DoubtSource = "spacing"        // characters are not one pitch apart: one was lost or invented
	DoubtView          DoubtSource = "view"           // the lines may continue out of view or under a cover
	DoubtPrint         DoubtSource = "print"          // a fact that is printed on the page
	DoubtOtherDocument DoubtSource = "other_document" // another document in view could be the intended one
)

// DoubtSources lists every source.
func DoubtSources() []DoubtSource {
	return []DoubtSource{
		DoubtCheckDigits, DoubtValues, DoubtSecondReader, DoubtSpacing, DoubtView, DoubtPrint, DoubtOtherDocument,
	}
}

// PrintedZone says whether the printed facts on the same page agree with the machine-readable zone.
type PrintedZone string

// The answers.
const (
	PrintedAgrees    PrintedZone = "agrees"
	PrintedDisagrees PrintedZone = "disagrees"
	PrintedNotOnPage PrintedZone = "not_on_page"
)

// Barcode is a barcode as it was read.
type Barcode struct {
	Format string            `json:"format"` // PDF417 or QR
	Text   string            `json:"text"`
	Box    Box               `json:"box"`
	Fields map[string]string `json:"fields,omitempty"` // AAMVA elements by their three-letter code
	Faults []string          `json:"faults,omitempty"`

	Jurisdiction string `json:"jurisdiction,omitempty"` // state or province that issued the card, ISO 3166-2 (US-CA, CA-ON)
	HeightCM     int    `json:"height_cm,omitempty"`    // of the holder
}

// Face is a face found in a picture.
type Face struct {
	Box   Box     `json:"box"`
	Score float64 `json:"score"`           // of the detector, 0 to 1
	Turn  int     `json:"turn,omitempty"`  // clockwise quarter turns that make it upright
	Width int     `json:"width,omitempty"` // in pixels
}

// SelfieFace is the applicant's face in a selfie.
type SelfieFace struct {
	Face       Face     `json:"face"`
	Yaw        float64  `json:"yaw"` // degrees, > 0 with the nose to the image's left
	Pitch      float64  `json:"pitch"`
	Roll       float64  `json:"roll"`
	EyesOpen   float64  `json:"eyes_open"` // 0 to 1, the lesser of both eyes
	Sharpness  float64  `json:"sharpness"`
	Brightness float64  `json:"brightness"`      // 0 to 1
	Liveness   *float64 `json:"liveness"`        // passive signal, 0 to 1; nil if the model could not run
	Reasons    []string `json:"reasons"`         // codes of the capture family
	Frame      *int     `json:"frame,omitempty"` // of a run: index of the frame, the straightest one; nil for a single picture
}

// Template is a face as numbers, comparable only with templates of the same model and recipe.
type Template struct {
	Model  ModelRef        `json:"model"`
	Recipe string          `json:"recipe,omitempty"` // the way from the picture to the model; empty before it was recorded
	Values []float32       `json:"values"`           // unit length
	Frame  *int            `json:"frame,omitempty"`  // of a run: index of the frame that Values are of
	Frames []FrameTemplate `json:"frames,omitempty"` // of a run: those of other frames, Values being that of the straightest
}

// FrameTemplate is the template of one frame of a run, packed: a number of unit length is Scale times a signed byte.
type FrameTemplate struct {
	Frame  int     `json:"frame"`             // index in the run
	AtRest bool    `json:"at_rest,omitempty"` // the head is held about as straight as in the straightest frame
	Scale  float32 `json:"scale"`
	Bytes  []byte  `json:"bytes"`
}

// PackTemplate packs a template. Unpacked, its cosine with another one is off by less than 1e-3.
func PackTemplate(frame int, values []float32) FrameTemplate {
	largest := float32(0)
	for _, v := range values {
		largest = max(largest, v, -v)
	}
	out := FrameTemplate{Frame: frame, Scale: largest / math.MaxInt8, Bytes: make([]byte, len(values))}
	for i, v := range values {
		if out.Scale > 0 {
			out.Bytes[i] = byte(int8(math.Round(float64(v / out.Scale))))
		}
	}
	return out
}

// Values returns the template, nearly of unit length.
func (f FrameTemplate) Values() []float32 {
	out := make([]float32, len(f.Bytes))
	for i, b := range f.Bytes {
		out[i] = float32(int8(b)) * f.Scale
	}
	return out
}
