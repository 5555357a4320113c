package text

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// paper is a crop of a second look: how a line is cut that was cut as the detector found it at first.
type paper struct {
	above, below float64 // parts of the line's height that are added
	wide         float64 // what the width is multiplied by; 0: nothing
	faded        bool    // without what is coloured
}

// otherPaper are the crops of a second look. The detector's boxes cut the marks over capitals off, so the first is tall; labels beside them, which are
// set smaller, are read worse with more paper; and letters of another width are other letters to the reader.
var otherPaper = []paper{
	{above: .3}, {above: .15}, {above: .2, below: .2}, {above: .1, below: .1}, {above: .3, below: .3}, {above: .15, faded: true},
	{above: .1, below: .1, faded: true}, {}, {above: .1, below: .1, wide: 1.15}, {above: .2, below: .2, wide: .88},
}

// tallAbove is from how much paper above on a crop shows the marks over capitals.
const tallAbove = .2

// cut is the crop of a line.
func (p paper) cut(img *imaging.Photo, s ocr.Strip) *imaging.Gray {
	s = s.Grown(p.above, p.below)
	if p.faded {
		return brightest(ocr.Crop(img, s))
	}
	g := ocr.CropGray(img, s)
	if p.wide > 0 {
		g = g.Resize(max(1, int(math.Round(p.wide*float64(g.W)))), g.H)
	}
	return g
}

// How many of those crops must say surely what was read before for the others to be needless, and how surely.
const (
	otherAgree = 2
	otherSure  = 0.9
)

// looked is what one crop was read as, and all that its reader said.
type looked struct {
	Reading
	frames lineFrames
	tall   bool // it shows the marks over capitals
}

// Known is what is known of lines of a page before they are looked at once more.
type Known struct {
	Marks    Marks                          // of the letters of the page; they count where the reader of Latin print reads
	Filter   func(seen []Reading) []Reading // which of some readings count; one at least
	IsNumber func(text string) bool         // whether a text is known to be a number of the page, whose letters are not looked at
}

// LookAgain reads a part of a line from crops of its own until two of them surely say what was read first; from all of them where
// that is doubted. The text that all together make likeliest counts, each of its characters as sure as where it was surest.
func (n *Readers) LookAgain(ctx context.Context, img *imaging.Photo, l Line, p reading.Part, k Known) (Reading, error) {
	s := StripOf(p.Strip)
	s.Length += 2 * otherEnds * s.Height
	r, own := n.readerOf(l), k.Marks
	if l.Other || l.toned {
		own = Marks{}
	}
	first := l.part(p.From, p.To)
	seen, err := r.lookOtherwise(ctx, img, s, first, p.Doubted, own)
	if err != nil {
		return Reading{}, err
	}
	texts := []Reading{first}
	for _, l := range seen {
		texts = append(texts, l.Reading)
	}
	texts = k.Filter(texts)
	best := r.likeliest(texts, seen)
	if r.other {
		return best, nil
	}
	if at := cropOf(best, seen); r.toned && at >= 0 {
		best.At = seen[at].At
		return n.withTones(ctx, img, s, best, seen)
	}
	if k.IsNumber(best.Text) {
		return best, nil
	}
	return n.settle(ctx, img, s, best, texts, seen, r.lettersAs(own))
}

// lookOtherwise reads a line in the crops of a second look until two of them surely say what was read first; in all of them where that is doubted.
func (r reader) lookOtherwise(ctx context.Context, img *imaging.Photo, s ocr.Strip, first Reading, doubted bool, known Marks) ([]looked, error) {
	var seen []looked
	agree := 0
	for _, p := range otherPaper {
		l, err := r.look(ctx, p.cut(img, s), known)
		if err != nil {
			return nil, err
		}
		l.tall = p.above >= tallAbove
		seen = append(seen, l)
		if l.Text != first.Text || math.Min(l.Least, first.Least) < otherSure || doubted {
			continue
		}
		if agree++; agree == otherAgree {
			break
		}
	}
	return seen, nil
}

// Surely reports whether all characters of a reading are as sure as those of a crop of a second look that counts.
func (p Reading) Surely() bool { return p.Least >= otherSure }

// likeliest is that of some texts which the crops together make likeliest, with the marks over its letters that the tall crops show besides, one of them
// surely: the others say surely that there is none where they cut it off.
func (r reader) likeliest(texts []Reading, seen []looked) Reading {
	best := r.mostLikely(texts, seen)
	letters, marks := withoutMarks(best.Text)
	tall := slices.DeleteFunc(slices.Clone(seen), func(s looked) bool { return !s.tall })
	if len(tall) > 0 {
		same := slices.DeleteFunc(slices.Clone(texts), func(p Reading) bool { l, _ := withoutMarks(p.Text); return l != letters })
		p := r.mostLikely(same, tall)
		surely := slices.ContainsFunc(tall, func(s looked) bool { return s.Text == p.Text && s.Surely() })
		if _, n := withoutMarks(p.Text); n > marks && surely {
			best = p
		}
	}
	best = withDoubles(best, seen)
	sure := make([]float64, len(best.Chars))
	for _, s := range seen {
		if s.Text == best.Text && len(s.Chars) == len(sure) {
			for i, c := range s.Chars {
				sure[i] = math.Max(sure[i], c)
			}
		}
	}
	if slices.Max(append(sure, 0)) > 0 {
		best.Chars = sure
		return best.of([]rune(best.Text))
	}
	return best
}

// withDoubles is a text with the letters doubled that two of some crops surely show doubled: where two narrow letters share a frame, the others show
// one of them, surely, and the likelihood of one is hardly less where two were seen.
func withDoubles(best Reading, seen []looked) Reading {
	surely := map[string]int{}
	out := best
	for _, s := range seen {
		if len(s.Text) > len(out.Text) && s.Surely() && single(s.Text) == single(best.Text) {
			if surely[s.Text]++; surely[s.Text] == otherAgree {
				out = s.Reading
			}
		}
	}
	return out
}

// single is a text without letters that are those before them.
func single(text string) string { return string(slices.Compact([]rune(text))) }

// mostLikely is that of some texts which has the largest sum of likelihoods over crops; the zero Reading if all are empty.
func (r reader) mostLikely(texts []Reading, seen []looked) Reading {
	var best Reading
	most := math.Inf(-1)
	known := map[string]bool{}
	for _, p := range texts {
		if p.Text == "" || known[p.Text] {
			continue
		}
		known[p.Text] = true
		classes := r.classesOf(p.Text)
		sum := 0.0
		for _, s := range seen {
			sum += s.frames.likelihood(classes)
		}
		if sum > most {
			best, most = p, sum
		}
	}
	return best
}

// withoutMarks is a text without the marks of its letters, and how many these are.
func withoutMarks(text string) (letters string, marks int) {
	letters = strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Mn, c) {
			marks++
			return -1
		}
		return c
	}, norm.NFD.String(text))
	return letters, marks
}

// lineFrames are the classes that a reader holds possible in each frame of a line.
type lineFrames [][]possible

// possible is a class and the log of its probability.
type possible struct {
	class int
	log   float64
}

// frameLeast is the log of the probability that every other class is taken to have, so that no single frame decides.
const frameLeast = -8.0

// look reads a line that is cut already, and keeps what the reader said of its frames.
func (r reader) look(ctx context.Context, crop *imaging.Gray, known Marks) (looked, error) {
	k := keyOf(crop, known, true)
	if l, ok := r.memo.find(k); ok {
		return l, nil
	}
	scores, n, step, err := r.Scores(ctx, crop)
	if err != nil {
		return looked{}, err
	}
	known.heed(scores, len(r.Dictionary))
	l := looked{Reading: r.decode(scores, n, step), frames: r.possibilities(scores, n)}
	r.memo.keep(k, l)
	return l, nil
}

// possibilities are the frames of a reader's scores.
func (r reader) possibilities(scores []float32, n int) lineFrames {
	out := make(lineFrames, min(n, len(scores)/len(r.Dictionary)))
	for t := range out {
		row := scores[t*len(r.Dictionary) : (t+1)*len(r.Dictionary)]
		top, best := ocr.BestClass(row)
		all := float64(top) - math.Log(ocr.BestProbability(row, best))
		for class, v := range row {
			if log := float64(v) - all; log > frameLeast {
				out[t] = append(out[t], possible{class, log})
			}
		}
	}
	return out
}

// log is that of a class's probability in a frame.
func (f lineFrames) log(t, class int) float64 {
	for _, p := range f[t] {
		if p.class == class {
			return p.log
		}
	}
	return frameLeast
}

// likelihood is the log of the probability of the likeliest way in which the frames read the classes: one after the other, each
// for some frames, blanks between them or not, but between equal ones (CTC, Graves et al. 2006, eq. 6, the best path for the sum).
func (f lineFrames) likelihood(classes []int) float64 {
	never := frameLeast * float64(len(f)+len(classes))
	if len(f) == 0 || len(classes) == 0 || slices.Contains(classes, 0) {
		return never
	}
	at, next := make([]float64, 2*len(classes)+1), make([]float64, 2*len(classes)+1) // blanks at even places
	for i := range at {
		at[i] = math.Inf(-1)
	}
	at[0] = 0
	for t := range f {
		blank := f.log(t, 0)
		for i := range at {
			best := at[i]
			if i > 0 {
				best = math.Max(best, at[i-1])
			}
			if i%2 == 0 {
				next[i] = best + blank
				continue
			}
			if i > 1 && classes[i/2] != classes[i/2-1] {
				best = math.Max(best, at[i-2])
			}
			next[i] = best + f.log(t, classes[i/2])
		}
		at, next = next, at
	}
	return math.Max(never, math.Max(at[len(at)-1], at[len(at)-2]))
}

// classesOf are the classes of a text's characters; 0 for one that the reader does not know.
func (r reader) classesOf(text string) []int {
	var out []int
	for _, c := range text {
		out = append(out, max(0, slices.Index(r.Dictionary[1:], c)+1))
	}
	return out
}
