package liveness

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Two frames hold the head alike where the nose says so within sameTurn degrees. Of fewer pairs than leastPairs nothing
// is said.
const (
	sameTurn   = 4.
	leastPairs = 10
)

// alike compares the faces of the run each with each. A template says the less the further a head is turned, so that
// another's turned face may be as like the straight one as one's own. But one's own is held to the straight one by those
// in between, and two faces held alike are one's own or not: neither can be said of two people.
func (m *Measures) alike(a idv.FramesAlike, poses []pose, th Thresholds) {
	m.link(a, th)
	at := map[int]pose{}
	for _, p := range poses {
		at[p.index] = p
	}
	var same []float64
	for i, f := range a.Frames {
		for j, g := range a.Frames[:i] {
			p, known := at[f]
			q, also := at[g]
			if known && also && math.Hypot((p.side-q.side)/sideDegree, (p.nod-q.nod)/nodDegree) < sameTurn {
				same = append(same, a.At(i, j))
			}
		}
	}
	m.SamePose = 1
	if len(same) >= leastPairs {
		slices.Sort(same)
		m.SamePose = same[len(same)/50]
	}
}

// link joins each face to the one most like it, the strongest links first, until all are one: the last link is the
// weakest. Loose are those outside the largest part that links of enough likeness hold together.
func (m *Measures) link(a idv.FramesAlike, th Thresholds) {
	n := len(a.Frames)
	m.Joined, m.Linked = float64(n), 1
	type link struct {
		i, j int
		cos  float64
	}
	var links []link
	for i := range n {
		for j := range i {
			links = append(links, link{i, j, a.At(i, j)})
		}
	}
	slices.SortStableFunc(links, func(x, y link) int { return cmp.Compare(y.cos, x.cos) })
	part, size := make([]int, n), make([]int, n)
	for i := range n {
		part[i], size[i] = i, 1
	}
	of := func(i int) int {
		for part[i] != i {
			i = part[i]
		}
		return i
	}
	held := 1 // faces in the largest part
	for _, l := range links {
		x, y := of(l.i), of(l.j)
		if x == y {
			continue
		}
		part[x], size[y] = y, size[y]+size[x]
		m.Linked = l.cos
		if l.cos >= th.Linked {
			held = max(held, size[y])
		}
	}
	m.Loose = float64(max(0, n-held))
}
