package faces

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/modelcard"
)

// severalOf are the numbers of pictures of one side that are measured, by rising number.
var severalOf = []int{1, 2, 3, 5}

// Several is the comparison of one picture with the mean of several others. Every number of pictures is measured on the same people
// and the same single pictures, so that the rows differ by nothing else.
//
// The people are those with one picture more than the largest number. Each of their pictures is compared with the mean of the
// pictures that follow it, by name and around the end (genuine), and each of these means with every picture of everybody else
// (impostors).
type Several struct {
	Pictures  int                       `json:"pictures"`
	People    int                       `json:"people"`
	Genuine   int                       `json:"genuine"`
	Impostors int                       `json:"impostors"`
	TAR       map[string]float64        `json:"tar"`
	Threshold map[string]float64        `json:"threshold"`
	Interval  map[string]bench.Interval `json:"tar_interval_95"`

	curve *curve
}

// countSeveral measures the comparison with means; no rows where nobody has enough pictures.
func (r *Result) countSeveral(ctx context.Context, names []string, templates [][]float32) error {
	of := map[string][]int{} // pictures with a face, by identity
	var people []string
	for i, name := range names {
		if templates[i] == nil {
			continue
		}
		id := identity(name)
		if of[id] = append(of[id], i); len(of[id]) == slices.Max(severalOf)+1 {
			people = append(people, id)
		}
	}
	for _, n := range severalOf {
		s := Several{Pictures: n, People: len(people), curve: newCurve()}
		for _, id := range people {
			if err := ctx.Err(); err != nil {
				return err
			}
			s.count(of[id], templates)
		}
		if s.curve.genuine.total == 0 || s.curve.impostors.total == 0 {
			continue
		}
		s.Genuine, s.Impostors = int(s.curve.genuine.total), int(s.curve.impostors.total)
		s.TAR, s.Threshold, s.Interval = s.curve.rates()
		r.Several = append(r.Several, s)
	}
	return nil
}

// count compares the pictures of one person and the means of those that follow each.
func (s *Several) count(mine []int, templates [][]float32) {
	for k, probe := range mine {
		following := make([][]float32, s.Pictures)
		for j := range following {
			following[j] = templates[mine[(k+1+j)%len(mine)]]
		}
		mean := face.Mean(following)
		s.curve.genuine.add(dot(templates[probe], mean))
		for i, other := range templates {
			if _, own := slices.BinarySearch(mine, i); !own && other != nil {
				s.curve.impostors.add(dot(other, mean))
			}
		}
	}
}

// mostFMR is the highest false match rate that the curves of several pictures keep: nobody accepts at a higher one.
const mostFMR = .1

// calibrations returns the curves of more than one picture.
func calibrations(of []Several) (out []modelcard.Several) {
	for _, s := range of {
		if s.Pictures > 1 {
			points := slices.DeleteFunc(s.curve.points(), func(p modelcard.Point) bool { return p.FMR > mostFMR })
			out = append(out, modelcard.Several{Pictures: s.Pictures, Points: points})
		}
	}
	return out
}
