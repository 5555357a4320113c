package liveness

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// pose is one frame with one face, against how the head was held before the first prompt.
type pose struct {
	index     int // of the frame
	atMS      int
	likeness  *float64
	side, nod float64 // of the Relief
	grown     float64 // 1: as large as at first
	squeezed  float64 // how much less wide for its length it is, natural logarithm
	strength  map[idv.Movement]float64
	shows     idv.Movement // the strongest movement of at least strength 1, or ""
}

// straight reports whether the head is held as at first, or nearly.
func (p pose) straight() bool {
	for _, s := range p.strength {
		if s >= halfway {
			return false
		}
	}
	return true
}

// halfway is the part of a movement's threshold under which the head counts as straight.
const halfway = .6

// posesOf reads the frames with one face, in order.
func posesOf(t idv.Track, th Thresholds) []pose {
	first := math.MaxInt
	if len(t.Challenge.Prompts) > 0 {
		first = t.Challenge.Prompts[0].AtMS + reaction
	}
	type raw struct {
		relief Relief
		frame  idv.TrackFrame
		index  int
	}
	var all, rest []raw
	for i, f := range t.Frames {
		if r, ok := ReliefOf(f.Marks); ok && f.Fault == "" && f.Faces == 1 {
			all = append(all, raw{r, f, i})
			if f.AtMS <= first {
				rest = append(rest, raw{r, f, i})
			}
		}
	}
	if len(rest) == 0 {
		return nil
	}
	at := func(value func(raw) float64) float64 {
		v := make([]float64, len(rest))
		for i, r := range rest {
			v[i] = value(r)
		}
		return median(v)
	}
	side, nod := at(func(r raw) float64 { return r.relief.Side }), at(func(r raw) float64 { return r.relief.Nod })
	size := at(func(r raw) float64 { return math.Sqrt(r.relief.Long * r.relief.Wide) })
	shape := at(func(r raw) float64 { return r.relief.Wide / r.relief.Long })
	out := make([]pose, len(all))
	for i, r := range all {
		out[i] = pose{
			index: r.index, atMS: r.frame.AtMS, likeness: r.frame.Likeness, side: r.relief.Side - side, nod: r.relief.Nod - nod,
			grown: math.Sqrt(r.relief.Long*r.relief.Wide) / size, squeezed: math.Log(r.relief.Wide / r.relief.Long / shape),
		}
		out[i].name(th.of(t.Challenge.Gentle))
	}
	return out
}

// name tells what a pose shows, by the nose: the angles of the mesh are right about heads, but it sees a head in a
// photograph that is turned too.
func (p *pose) name(th Thresholds) {
	p.strength = map[idv.Movement]float64{
		idv.MoveRight:  p.side / th.Side,
		idv.MoveLeft:   -p.side / th.Side,
		idv.MoveUp:     -p.nod / th.Nod,
		idv.MoveDown:   p.nod / th.Nod,
		idv.MoveCloser: (p.grown - 1) / (th.Closer - 1),
	}
	best := 1.
	for _, m := range idv.Movements() {
		if s := p.strength[m]; s >= best {
			best, p.shows = s, m
		}
	}
}

// shownFor lists the poses that show what a prompt asks for in its time.
func shownFor(p idv.Prompt, poses []pose) []int {
	var out []int
	for k, q := range poses {
		if q.shows == p.Move && q.atMS >= p.AtMS+reaction && q.atMS <= p.AtMS+p.ForMS+lateness {
			out = append(out, k)
		}
	}
	return out
}

// Proofs lists frames whose face must be compared with the straight one, besides those that are straight: of each
// prompt the frame that shows its movement least, because a template says the less the further a head is turned, and
// the one in the middle of those that show it.
func Proofs(t idv.Track, th Thresholds) []int {
	poses := posesOf(t, th)
	var out []int
	for _, p := range t.Challenge.Prompts {
		shown := shownFor(p, poses)
		if len(shown) == 0 {
			continue
		}
		least := shown[0]
		for _, k := range shown {
			if poses[k].strength[p.Move] < poses[least].strength[p.Move] {
				least = k
			}
		}
		out = append(out, poses[least].index)
		if middle := shown[len(shown)/2]; middle != least {
			out = append(out, poses[middle].index)
		}
	}
	return out
}

// order compares what is shown with what was asked, and whose face shows it.
func (m *Measures) order(t idv.Track, poses []pose) {
	prompts := t.Challenge.Prompts
	shown := make([][]int, len(prompts))
	m.Asked, m.Moving, m.MovingLeast = float64(len(prompts)), 1, 1
	for i, p := range prompts {
		shown[i] = shownFor(p, poses)
		if len(shown[i]) < enough {
			m.Missed++
		}
		mean, least := likeness(shown[i], poses)
		m.Moving, m.MovingLeast = math.Min(m.Moving, mean), math.Min(m.MovingLeast, least)
	}
	for _, q := range poses {
		if q.shows != "" && !isPrompted(prompts, q) {
			m.Stray += 1 / m.Frames
		}
	}
	for i := 1; i < len(prompts); i++ {
		if len(shown[i-1]) == 0 || len(shown[i]) == 0 {
			continue
		}
		from, to, back := shown[i-1][len(shown[i-1])-1], shown[i][0], false
		for k := from + 1; k < to; k++ {
			back = back || poses[k].straight()
		}
		if !back {
			m.Unreturned++
		}
	}
}

// likeness is the mean and the lowest cosine of the faces that show a movement; −1 where none was compared.
func likeness(shown []int, poses []pose) (mean, least float64) {
	least = 1
	n := 0.
	for _, k := range shown {
		if l := poses[k].likeness; l != nil {
			mean, least, n = mean+*l, math.Min(least, *l), n+1
		}
	}
	if n == 0 {
		return -1, -1
	}
	return mean / n, least
}

// isPrompted reports whether a pose shows what a prompt asks for then.
func isPrompted(prompts []idv.Prompt, q pose) bool {
	for _, p := range prompts {
		if q.shows == p.Move && q.atMS >= p.AtMS+reaction && q.atMS <= p.AtMS+p.ForMS+lingering {
			return true
		}
	}
	return false
}
