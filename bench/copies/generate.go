package copies

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// What a photograph shows beside the copies of fixtures.Copies.
const (
	Genuine = "genuine"
	Glued   = string(fixtures.Glued)
	Spliced = string(fixtures.Spliced)
)

// sizes of sensors, small ones more often: they cost less, and what there is to see is harder to see.
var sizes = [][2]int{{2048, 1536}, {2048, 1536}, {2048, 1536}, {2048, 1536}, {2048, 1536}, {2048, 1536}, {2592, 1944}, {2592, 1944}, {3264, 2448}, {4000, 3000}}

// pixelsPerMM of a specimen's page as it is drawn.
const pixelsPerMM = 16

// shot is one generated photograph, as its line in truth.tsv has it.
type shot struct {
	file string
	what string // Genuine, Glued, Spliced, or one of fixtures.Copies
	quad imaging.Quad
	mm   float64 // width of the page
}

// truthFile lists the photographs of a folder: file, what it shows, x and y of the page's four corners from the top left
// clockwise, in pixels, and its width in millimetres.
const truthFile = "truth.tsv"

// Generate writes photographs of n specimens into a folder: two of each document, one of each copy of it, and where it
// has a portrait two with another person's. Kinds take turns; side, style, camera (3 to 12 megapixels), JPEG quality (75 to 95)
// are the seed's. Specimens that the folder has already are left as they are.
func Generate(dir string, seed int64, n int, progress func(done, total int)) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // generated pictures are public
		return fmt.Errorf("make the folder: %w", err)
	}
	known, err := readTruth(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	have := map[string]bool{}
	for _, s := range known {
		have[s.file] = true
	}
	out, err := os.OpenFile(filepath.Join(dir, truthFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644) //nolint:gosec // as above
	if err != nil {
		return fmt.Errorf("open the list: %w", err)
	}
	for k := range n {
		if !have[name(seed+int64(k), "last")] {
			if err = drawAll(dir, out, seed+int64(k)); err != nil {
				break
			}
		}
		progress(k+1, n)
	}
	return errors.Join(err, out.Close())
}

func name(seed int64, what string) string {
	if what == "last" {
		what = string(fixtures.Copies()[len(fixtures.Copies())-1])
	}
	return fmt.Sprintf("%06d-%s.jpg", seed, what)
}

// artist makes the photographs of one specimen.
type artist struct {
	dir  string
	out  *os.File
	seed int64
	r    *rand.Rand
	page *imaging.RGB
	n    int64
}

func drawAll(dir string, out *os.File, seed int64) error {
	r := rand.New(rand.NewPCG(uint64(seed), 0xbe7c))
	kinds := fixtures.Kinds()
	kind := kinds[int(seed)%len(kinds)]
	o := fixtures.Options{}
	if r.IntN(2) == 0 {
		style := fixtures.StyleOf(seed)
		o.Style = &style
	}
	doc, err := fixtures.NewDocument(kind, seed, o)
	if err != nil {
		return fmt.Errorf("document of seed %d: %w", seed, err)
	}
	a := &artist{dir: dir, out: out, seed: seed, r: r, page: doc.Front()}
	if err := a.genuine(doc); err != nil {
		return err
	}
	if doc.Back() != nil && r.IntN(3) == 0 {
		a.page = doc.Back()
	}
	if err := a.copy(Genuine+"-2", fixtures.Original); err != nil {
		return err
	}
	for _, how := range fixtures.Copies() {
		if err := a.copy(string(how), how); err != nil {
			return err
		}
	}
	return nil
}

// genuine photographs the front, as it is and with another person's portrait.
func (a *artist) genuine(doc *fixtures.Document) error {
	if doc.Truth.Portrait.W == 0 {
		return a.copy(Genuine, fixtures.Original)
	}
	cam, seed := a.camera()
	photo, quad, err := fixtures.Recapture(a.page, fixtures.Original, cam, seed)
	if err != nil {
		return err
	}
	if err := a.write(Genuine, photo, quad); err != nil {
		return err
	}
	spliced, _, err := doc.Splice(photo, quad, seed)
	if err != nil {
		return err
	}
	if err := a.write(Spliced, spliced, quad); err != nil {
		return err
	}
	cam, seed = a.camera()
	glued, quad, _, err := doc.Altered(fixtures.Glued, cam, seed)
	if err != nil {
		return err
	}
	return a.write(Glued, glued, quad)
}

func (a *artist) copy(what string, how fixtures.Copying) error {
	cam, seed := a.camera()
	photo, quad, err := fixtures.Recapture(a.page, how, cam, seed)
	if err != nil {
		return err
	}
	return a.write(what, photo, quad)
}

func (a *artist) camera() (fixtures.Camera, int64) {
	a.n++
	size, seed := sizes[a.r.IntN(len(sizes))], a.seed*16+a.n
	return fixtures.Phone(seed).At(size[0], size[1]), seed
}

func (a *artist) write(what string, photo *imaging.RGB, q imaging.Quad) error {
	raw, err := imaging.EncodeJPEG(photo, 75+a.r.IntN(21))
	if err != nil {
		return err
	}
	file := name(a.seed, what)
	if err := os.WriteFile(filepath.Join(a.dir, file), raw, 0o644); err != nil { //nolint:gosec // generated pictures are public
		return fmt.Errorf("write a picture: %w", err)
	}
	line := []string{file, strings.TrimSuffix(what, "-2")}
	for _, p := range q {
		line = append(line, strconv.FormatFloat(p.X, 'f', 2, 64), strconv.FormatFloat(p.Y, 'f', 2, 64))
	}
	line = append(line, strconv.FormatFloat(float64(a.page.W)/pixelsPerMM, 'f', 1, 64))
	if _, err := fmt.Fprintln(a.out, strings.Join(line, "\t")); err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	return nil
}

func readTruth(dir string) ([]shot, error) {
	f, err := os.Open(filepath.Join(dir, truthFile)) //nolint:gosec // the operator's folder
	if err != nil {
		return nil, fmt.Errorf("open the list: %w", err)
	}
	defer func() { _ = f.Close() }()
	var out []shot
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) != 11 {
			return nil, fmt.Errorf("%s: a line has %d cells, not 11", truthFile, len(cells))
		}
		s := shot{file: cells[0], what: cells[1]}
		var numbers [9]float64
		for i := range numbers {
			if numbers[i], err = strconv.ParseFloat(cells[i+2], 64); err != nil {
				return nil, fmt.Errorf("%s: %w", truthFile, err)
			}
		}
		for i := range s.quad {
			s.quad[i] = imaging.Point{X: numbers[2*i], Y: numbers[2*i+1]}
		}
		s.mm = numbers[8]
		out = append(out, s)
	}
	return out, lines.Err()
}
