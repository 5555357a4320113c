package attacks

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Victim is somebody whose identity is attacked.
type Victim struct {
	Acted    string       // of fixtures.Faces, empty where only pictures are known
	Document []byte       // the photograph of the document
	Portrait *imaging.RGB // as it was before it was printed on the document
	Selfie   *imaging.RGB // the stolen picture, of another occasion
	Attacker string       // of fixtures.Faces: who acts where somebody has to
}

// Acted is one of the people of the fixtures, in turn.
func Acted(seed int64) (*Victim, error) {
	people := fixtures.Faces()
	n := int64(len(people))
	v := &Victim{Acted: people[seed%n], Attacker: people[(seed+1+seed/n%(n-1))%n]}
	var err error
	v.Selfie, err = fixtures.Selfie(v.Acted, fixtures.SelfieFace, fixtures.Camera{
		Seed: seed + 5555, Width: 960, Height: 1280, Fill: .38, Blur: .7, Noise: 1.5,
	})
	if err != nil {
		return nil, err
	}
	if v.Portrait, err = fixtures.PortraitOf(v.Acted, seed); err != nil {
		return nil, err
	}
	v.Document, err = passport(v.Acted, nil, seed)
	return v, err
}

// passport photographs a passport of a person of the fixtures, with another portrait where one is given.
func passport(person string, portrait *imaging.RGB, seed int64) ([]byte, error) {
	doc, err := fixtures.NewDocument(fixtures.Passport, seed, fixtures.Options{Face: person, Quick: true, Scale: 12})
	if err != nil {
		return nil, err
	}
	page := doc.Front()
	if portrait != nil {
		page = pasted(page, portrait, doc.Truth.Portrait)
	}
	photo, _ := fixtures.Shoot(page, fixtures.Phone(seed).At(2048, 1536))
	return imaging.EncodeJPEG(photo, 92)
}

// pasted is the page with another portrait in the given part of it.
func pasted(page, portrait *imaging.RGB, box fixtures.Box) *imaging.RGB {
	out := imaging.NewRGB(page.W, page.H)
	copy(out.Pix, page.Pix)
	x0, y0 := int(box.X*float64(page.W)), int(box.Y*float64(page.H))
	w, h := int(box.W*float64(page.W)), int(box.H*float64(page.H))
	small := portrait.Resize(w, h)
	for y := range h {
		copy(out.Pix[3*((y0+y)*page.W+x0):], small.Pix[3*y*w:3*(y+1)*w])
	}
	return out
}

// Photographed are people of whom a folder holds two pictures each: pairs.tsv lists them (same, a, b), where same is 1. The
// first becomes the portrait of a document, the second is stolen.
func Photographed(dir string) (func(seed int64) (*Victim, error), error) {
	f, err := os.Open(filepath.Join(dir, "pairs.tsv")) //nolint:gosec // the operator's folder
	if err != nil {
		return nil, fmt.Errorf("open the pairs: %w", err)
	}
	defer func() { _ = f.Close() }()
	var pairs [][2]string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if cells := strings.Split(lines.Text(), "\t"); len(cells) >= 3 && cells[0] == "1" {
			pairs = append(pairs, [2]string{cells[1], cells[2]})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the pairs: %w", err)
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("%s has no pairs of one person", filepath.Join(filepath.Base(dir), "pairs.tsv"))
	}
	return func(seed int64) (*Victim, error) {
		pair := pairs[seed*7919%int64(len(pairs))]
		people := fixtures.Faces()
		v := &Victim{Attacker: people[seed%int64(len(people))]}
		var err error
		if v.Portrait, err = opened(dir, pair[0]); err != nil {
			return nil, err
		}
		if v.Selfie, err = opened(dir, pair[1]); err != nil {
			return nil, err
		}
		v.Portrait = upright(v.Portrait)
		v.Document, err = passport(v.Attacker, v.Portrait, seed)
		return v, err
	}, nil
}

// opened reads a picture of a folder, or of images in it.
func opened(dir, name string) (*imaging.RGB, error) {
	raw, err := os.ReadFile(filepath.Join(dir, name)) //nolint:gosec // the operator's folder
	if err != nil {
		raw, err = os.ReadFile(filepath.Join(dir, "images", name)) //nolint:gosec // as above
	}
	if err != nil {
		return nil, fmt.Errorf("open a picture: %w", err)
	}
	p, _, err := imaging.Decode(raw, imaging.Limits{})
	return p, err
}

// upright is the middle of a picture in the proportions of a passport's portrait.
func upright(p *imaging.RGB) *imaging.RGB {
	r := p.Bounds()
	if wide := p.H * 35 / 45; wide < p.W {
		r.Min.X, r.Max.X = (p.W-wide)/2, (p.W+wide)/2
	}
	return p.Crop(r)
}
