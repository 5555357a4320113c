package facegallery

import (
	"bytes"
	"math"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/gallery"
)

// compare puts templates into a gallery, and compares what its scan finds with all pairs, compared without rounding.
func compare(templates [][]float32) (*Real, error) {
	turn, err := gallery.NewRotation(bytes.Repeat([]byte{24}, gallery.SecretSize))
	if err != nil {
		return nil, err
	}
	g, codes := gallery.New(), make([]gallery.Code, len(templates))
	for i, t := range templates {
		if codes[i], err = turn.Code(t); err != nil {
			return nil, err
		}
		g.Put(gallery.Entry(i), &codes[i])
	}
	r := &Real{Templates: len(templates), Agrees: make([]Agreeing, len(From))}
	var all []float64
	exact := make([]float64, len(templates))
	for i := range templates {
		for j := range templates {
			exact[j] = cosine(templates[i], templates[j])
			if j > i {
				all = append(all, exact[j])
			}
		}
		for k, from := range From {
			r.Agrees[k].From = from
			hits, _ := g.Search(&codes[i], from, len(templates), gallery.Entry(i))
			r.note(&r.Agrees[k], exact, hits, i)
		}
	}
	for k := range r.Agrees {
		r.Agrees[k].Found = bench.RateOf(r.Agrees[k].Found.Count, r.Agrees[k].Found.Of)
	}
	r.Strangers = spreadOf(all)
	return r, nil
}

// rounding is by how much rounding may change a similarity: pairs nearer to the threshold than that may fall on either side.
const rounding = 0.005

// note counts what one search found.
func (r *Real) note(a *Agreeing, exact []float64, hits []gallery.Hit, own int) {
	found := map[int]bool{}
	for _, h := range hits {
		j := int(h.Entry)
		found[j] = true
		r.Rounding = math.Max(r.Rounding, math.Abs(h.Similarity-exact[j]))
		if exact[j] < a.From-rounding {
			a.Beside++
		}
	}
	for j, s := range exact {
		if j == own || s < a.From+rounding {
			continue
		}
		a.Found.Of++
		if found[j] {
			a.Found.Count++
		}
	}
}
