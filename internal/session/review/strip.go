package review

import (
	"fmt"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// A strip shows frames side by side, in their order, row by row.
const (
	stripFrames  = MostFilmFrames // at most, evenly chosen
	stripColumns = 6
	stripWidth   = 200 // of a frame, pixels
)

// MostFilmFrames is how many frames of a run one picture shows at most.
const MostFilmFrames = 24

// renderFilm lays the frames with these indexes side by side.
func renderFilm(k idv.CaptureKind, raw []byte, indexes []int) (Picture, error) {
	if k != idv.Frames || len(indexes) > MostFilmFrames {
		return Picture{}, problem.New(problem.NotFound)
	}
	run, err := idv.OpenFrames(raw)
	if err != nil {
		return Picture{}, err
	}
	chosen := make([]idv.Frame, len(indexes))
	for i, at := range indexes {
		if at < 0 || at >= len(run.Frames) {
			return Picture{}, problem.New(problem.NotFound)
		}
		chosen[i] = run.Frames[at]
	}
	return strip(chosen)
}

// frameLimits bound what is opened of a run.
var frameLimits = imaging.Limits{MaxBytes: idv.MostFrameBytes, MaxPixels: idv.MostFramePixels}

// renderCapture makes the picture of a capture, of one of its frames, or of all of them.
func renderCapture(k idv.CaptureKind, raw []byte, frame int) (Picture, error) {
	if k != idv.Frames {
		if frame != WholeCapture {
			return Picture{}, problem.New(problem.NotFound)
		}
		return render(raw, imaging.Limits{})
	}
	run, err := idv.OpenFrames(raw)
	if err != nil {
		return Picture{}, err
	}
	if frame == WholeCapture {
		return strip(run.Frames)
	}
	if frame < 0 || frame >= len(run.Frames) {
		return Picture{}, problem.New(problem.NotFound)
	}
	return render(run.Frames[frame].JPEG, frameLimits)
}

// strip lays small frames side by side. The first that can be opened settles how high each is; one that cannot be
// opened leaves its place grey.
func strip(frames []idv.Frame) (Picture, error) {
	n := min(len(frames), stripFrames)
	if n == 0 {
		return Picture{}, problem.New(problem.NotFound)
	}
	var out *imaging.RGB
	height := 0
	for i := range n {
		p, _, err := imaging.Decode(frames[i*len(frames)/n].JPEG, frameLimits)
		if err != nil {
			continue
		}
		if out == nil {
			height = max(1, min(2*stripWidth, stripWidth*p.H/p.W))
			out = grey(stripWidth*min(n, stripColumns), height*((n+stripColumns-1)/stripColumns))
		}
		paste(out, p.Resize(stripWidth, height), i%stripColumns*stripWidth, i/stripColumns*height)
	}
	if out == nil {
		return Picture{}, problem.New(problem.CaptureNotAnImage)
	}
	b, err := imaging.EncodeJPEG(out, renderQuality)
	if err != nil {
		return Picture{}, fmt.Errorf("encode a strip of frames: %w", err)
	}
	return Picture{Bytes: b, MediaType: "image/jpeg"}, nil
}

func grey(w, h int) *imaging.RGB {
	p := imaging.NewRGB(w, h)
	for i := range p.Pix {
		p.Pix[i] = 128
	}
	return p
}

// paste copies small into large with its upper left corner at x, y.
func paste(large, small *imaging.RGB, x, y int) {
	for row := range small.H {
		copy(large.Pix[3*((y+row)*large.W+x):], small.Pix[3*row*small.W:3*(row+1)*small.W])
	}
}
