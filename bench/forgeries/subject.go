package forgeries

import (
	"fmt"
	"image"
	"math/rand/v2"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/fixtures/forge"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Stage is when a document was edited.
type Stage string

// The stages. The first two are genuine documents.
const (
	Genuine      Stage = "genuine"
	SavedTwice   Stage = "genuine_saved_twice" // opened and saved again as a JPEG of other quality, as messengers do
	BeforePrint  Stage = "before_print"        // the flat page; the whole then goes through the camera
	AfterCapture Stage = "after_capture"       // the photograph, which is then saved again
)

// Shot is the picture of one side that is verified.
type Shot struct {
	Raw  []byte
	Mask *imaging.Gray // 255 where it was edited; nil where it was not
}

// Shots are the pictures of a document by side.
type Shots map[idv.Side]Shot

// Subject is one document and its photographs.
type Subject struct {
	Doc     *fixtures.Document
	Styled  bool
	Genuine Shots

	seed    int64
	camera  string
	study   *forge.Original
	corners map[idv.Side]imaging.Quad
}

// Forged is a document that was edited.
type Forged struct {
	Plan  *forge.Plan
	Shots Shots
}

// sensors of phones, in pixels; small ones come more often, since they cost less.
var sensors = [][2]int{{2048, 1536}, {2048, 1536}, {2048, 1536}, {2592, 1944}, {2592, 1944}, {3264, 2448}}

// NewSubject draws a document and photographs its sides. Half of the documents have a style of their own. The camera is phone or
// scan.
func NewSubject(kind fixtures.Kind, seed int64, camera string) (*Subject, error) {
	s := &Subject{seed: seed, camera: camera, Genuine: Shots{}, corners: map[idv.Side]imaging.Quad{}}
	o := fixtures.Options{}
	if s.rand(1).IntN(2) == 0 {
		style := fixtures.StyleOf(seed)
		o.Style, s.Styled = &style, true
	}
	var err error
	if s.Doc, err = fixtures.NewDocument(kind, seed, o); err != nil {
		return nil, fmt.Errorf("document %d: %w", seed, err)
	}
	s.study = forge.Study(s.Doc)
	for side, page := range map[idv.Side]*imaging.RGB{idv.Front: s.Doc.Front(), idv.Back: s.Doc.Back()} {
		if page == nil {
			continue
		}
		photo, corners := s.shoot(side, page)
		raw, err := imaging.EncodeJPEG(photo, s.quality(side, 1))
		if err != nil {
			return nil, err
		}
		s.Genuine[side], s.corners[side] = Shot{Raw: raw}, corners
	}
	return s, nil
}

func (s *Subject) rand(purpose uint64) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(s.seed)*0x9e3779b97f4a7c15, purpose))
}

// shoot photographs a page of that side by the side's camera: the genuine page and the forged one alike.
func (s *Subject) shoot(side idv.Side, page *imaging.RGB) (*imaging.RGB, imaging.Quad) {
	seed := s.seed * 2
	if side == idv.Back {
		seed++
	}
	if s.camera == "scan" {
		return fixtures.Shoot(page, fixtures.Scan(seed))
	}
	size := sensors[s.rand(2).IntN(len(sensors))]
	photo, corners := fixtures.Shoot(page, fixtures.Phone(seed).At(size[0], size[1]))
	return fixtures.Sensor(photo, seed), corners
}

// quality is that of a side's JPEG: the camera's own (time 1), or of a file that is saved again (time 2).
func (s *Subject) quality(side idv.Side, time uint64) int {
	r := s.rand(10*time + uint64(len(side)))
	if time == 1 {
		return 84 + r.IntN(13)
	}
	return 72 + r.IntN(26)
}

// SavedTwice are the genuine photographs, opened and saved again.
func (s *Subject) SavedTwice() (Shots, error) {
	out := Shots{}
	for side, shot := range s.Genuine {
		photo, err := open(shot)
		if err != nil {
			return nil, err
		}
		raw, err := imaging.EncodeJPEG(photo, s.quality(side, 2))
		if err != nil {
			return nil, err
		}
		out[side] = Shot{Raw: raw}
	}
	return out, nil
}

func open(shot Shot) (*imaging.RGB, error) {
	photo, _, err := imaging.Decode(shot.Raw, imaging.Limits{})
	if err != nil {
		return nil, fmt.Errorf("open a photograph: %w", err)
	}
	return photo, nil
}

// Corners are those of a side's page in its photographs, in pixels.
func (s *Subject) Corners(side idv.Side) imaging.Quad { return s.corners[side] }

// Millimetres is the width of a side's page.
func (s *Subject) Millimetres(side idv.Side) float64 {
	if side == idv.Back {
		return float64(s.Doc.Back().W) / s.Doc.Scale()
	}
	return float64(s.Doc.Front().W) / s.Doc.Scale()
}

// Forge edits the document. A side that the forger leaves alone is the genuine photograph, byte for byte. It returns
// forge.ErrNotForgeable where the document has nothing of what the family changes.
func (s *Subject) Forge(family forge.Family, stage Stage) (*Forged, error) {
	plan, err := s.study.Plan(family, s.seed)
	if err != nil {
		return nil, fmt.Errorf("document %d: %w", s.seed, err)
	}
	out := &Forged{Plan: plan, Shots: Shots{}}
	for side, shot := range s.Genuine {
		if !plan.Touches(side) {
			out.Shots[side] = shot
			continue
		}
		if out.Shots[side], err = s.edited(plan, side, shot, stage); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Subject) edited(plan *forge.Plan, side idv.Side, genuine Shot, stage Stage) (Shot, error) {
	if stage == BeforePrint {
		page := plan.Page(side)
		photo, corners := s.shoot(side, page.Picture)
		raw, err := imaging.EncodeJPEG(photo, s.quality(side, 1))
		return Shot{Raw: raw, Mask: forge.Project(page.Mask, corners, photo.W, photo.H)}, err
	}
	photo, err := open(genuine)
	if err != nil {
		return Shot{}, err
	}
	done := plan.Photo(side, photo, s.corners[side])
	raw, err := imaging.EncodeJPEG(done.Picture, s.quality(side, 2))
	return Shot{Raw: raw, Mask: done.Mask}, err
}

// changed is the part of all pixels that was edited.
func (s Shots) changed() float64 {
	on, all := 0, 0
	for _, shot := range s {
		if shot.Mask == nil {
			continue
		}
		all += len(shot.Mask.Pix)
		for _, v := range shot.Mask.Pix {
			if v != 0 {
				on++
			}
		}
	}
	return float64(on) / float64(max(1, all))
}

// bounds is the smallest rectangle that holds all marked pixels.
func bounds(mask *imaging.Gray) (image.Rectangle, bool) {
	var out image.Rectangle
	for y := range mask.H {
		for x := range mask.W {
			if mask.Pix[y*mask.W+x] != 0 {
				out = out.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return out, !out.Empty()
}
