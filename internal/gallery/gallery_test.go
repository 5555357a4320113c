package gallery_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/bonafide-id/bonafide/internal/gallery"
)

// secret is that of a gallery in these tests.
func secret(b byte) []byte { return bytes.Repeat([]byte{b}, gallery.SecretSize) }

// drawn draws a template whose numbers depend on 65 directions: as many as it takes for strangers to be as unlike as those of the model.
func drawn(r *rand.Rand) []float32 {
	out := make([]float32, gallery.Length)
	for range 65 {
		at, w := r.IntN(gallery.Length), float32(r.NormFloat64())
		for i := range 8 {
			out[(at+i*61)%gallery.Length] += w * float32(r.NormFloat64())
		}
	}
	return unit(out)
}

// near draws a template at a similarity to another.
func near(r *rand.Rand, of []float32, similarity float64) []float32 {
	other := make([]float32, len(of))
	for i := range other {
		other[i] = float32(r.NormFloat64())
	}
	along := cosine(of, unit(other))
	for i := range other {
		other[i] -= float32(along) * of[i]
	}
	unit(other)
	for i := range other {
		other[i] = float32(similarity)*of[i] + float32(math.Sqrt(1-similarity*similarity))*other[i]
	}
	return unit(other)
}

func unit(v []float32) []float32 {
	n := math.Sqrt(cosine(v, v))
	for i := range v {
		v[i] = float32(float64(v[i]) / n)
	}
	return v
}

func cosine(a, b []float32) float64 {
	var s float64
	for i := range a {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

func rotation(t testing.TB, b byte) *gallery.Rotation {
	t.Helper()
	r, err := gallery.NewRotation(secret(b))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func code(t testing.TB, r *gallery.Rotation, template []float32) *gallery.Code {
	t.Helper()
	c, err := r.Code(template)
	if err != nil {
		t.Fatal(err)
	}
	return &c
}

func similarity(a, b *gallery.Code) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+float64(a[i])*float64(b[i]), aa+float64(a[i])*float64(a[i]), bb+float64(b[i])*float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func TestCodesCompareAsTheirTemplatesDo(t *testing.T) {
	rnd, r := rand.New(rand.NewPCG(1, 1)), rotation(t, 1)
	worst := 0.0
	for range 500 {
		a := drawn(rnd)
		b := near(rnd, a, rnd.Float64()*2-1)
		worst = max(worst, math.Abs(cosine(a, b)-similarity(code(t, r, a), code(t, r, b))))
	}
	if worst > 0.005 {
		t.Errorf("rounding changed a similarity by %.4f", worst)
	}
}

func TestCodesOfTwoGalleriesDoNotCompare(t *testing.T) {
	rnd, one, two := rand.New(rand.NewPCG(2, 2)), rotation(t, 1), rotation(t, 2)
	for range 200 {
		a := drawn(rnd)
		if got := similarity(code(t, one, a), code(t, two, a)); math.Abs(got) > 0.25 { // 1/√512 is a standard deviation
			t.Errorf("one template has similarity %.3f with itself in another gallery", got)
		}
	}
	if a, b := *code(t, one, drawn(rand.New(rand.NewPCG(3, 3)))), *code(t, rotation(t, 1), drawn(rand.New(rand.NewPCG(3, 3)))); a != b {
		t.Error("one secret gave two rotations")
	}
}

func TestWhatIsNoTemplateIsRefused(t *testing.T) {
	r := rotation(t, 1)
	nan, huge := drawn(rand.New(rand.NewPCG(1, 2))), make([]float32, gallery.Length)
	nan[7] = float32(math.NaN())
	huge[3] = float32(math.Inf(1))
	for name, template := range map[string][]float32{
		"nothing": nil, "too short": make([]float32, 511), "all zeros": make([]float32, gallery.Length), "not a number": nan, "infinite": huge,
	} {
		if _, err := r.Code(template); err == nil {
			t.Errorf("%s became a code", name)
		}
	}
	if _, err := gallery.NewRotation([]byte("short")); err == nil {
		t.Error("a short secret was taken")
	}
	if _, err := gallery.CodeOf(make([]byte, gallery.Length)); err == nil {
		t.Error("zeros were taken for a code")
	}
}

func TestASearchFindsWhatAComparisonOfAllFinds(t *testing.T) {
	rnd, r, g := rand.New(rand.NewPCG(4, 4)), rotation(t, 1), gallery.New()
	wanted := drawn(rnd)
	q := code(t, r, wanted)
	want := map[gallery.Entry]float64{}
	for e := gallery.Entry(1); e <= 4500; e++ {
		c := code(t, r, near(rnd, wanted, rnd.Float64()*1.2-0.5))
		g.Put(e, c)
		if s := similarity(q, c); s >= 0.41 && e != 5 {
			want[e] = s
		}
	}
	hits, all := g.Search(q, 0.41, 1<<20, 5)
	if all != len(want) || len(hits) != all {
		t.Errorf("%d hits, %d in all, want %d", len(hits), all, len(want))
	}
	for i, h := range hits {
		if math.Abs(h.Similarity-want[h.Entry]) > 1e-5 {
			t.Errorf("entry %d has similarity %v, want %v", h.Entry, h.Similarity, want[h.Entry])
		}
		if i > 0 && h.Similarity > hits[i-1].Similarity {
			t.Fatal("the hits are not in order")
		}
	}
	if few, n := g.Search(q, 0.41, 3); len(few) != 3 || n < len(want) {
		t.Errorf("at most three hits: %d, %d in all", len(few), n)
	}
	if none, n := gallery.New().Search(q, -1, 3); len(none) != 0 || n != 0 {
		t.Errorf("an empty gallery found %v", none)
	}
}

func TestErasingIsDeleting(t *testing.T) {
	rnd, r, g := rand.New(rand.NewPCG(5, 5)), rotation(t, 1), gallery.New()
	var codes []*gallery.Code
	for e := range gallery.Entry(4100) { // two shelves
		codes = append(codes, code(t, r, drawn(rnd)))
		g.Put(e, codes[e])
	}
	order := []gallery.Entry{0, 4099, 17, 4095, 4096, 2000}
	for i, e := range order {
		if !g.Holds(codes[e]) {
			t.Fatalf("the code of %d is not in memory before it is erased", e)
		}
		if !g.Erase(e) || g.Erase(e) {
			t.Fatalf("erasing %d twice", e)
		}
		if g.Holds(codes[e]) {
			t.Errorf("after erasing %d bytes of its code are in memory", e)
		}
		if hits, _ := g.Search(codes[e], 0.95, 1); len(hits) > 0 {
			t.Errorf("%d is found after it was erased: %v", e, hits)
		}
		if g.Len() != len(codes)-i-1 {
			t.Errorf("%d codes, want %d", g.Len(), len(codes)-i-1)
		}
	}
	for e, c := range codes {
		hits, _ := g.Search(c, 0.999, 1)
		if gone := slices.Contains(order, gallery.Entry(e)); !gone && (len(hits) != 1 || hits[0].Entry != gallery.Entry(e)) {
			t.Errorf("erasing others lost %d: %v", e, hits)
		}
	}
	for e := range gallery.Entry(4100) {
		g.Erase(e)
	}
	if g.Len() != 0 || slices.ContainsFunc(codes, g.Holds) {
		t.Error("something is left in an empty gallery")
	}
}

func TestErasingManyIsErasingEach(t *testing.T) {
	rnd, r, g := rand.New(rand.NewPCG(8, 8)), rotation(t, 1), gallery.New()
	base := drawn(rnd)
	const n = 3*4096 + 70 // four shelves, the last one not full
	codes := make([]*gallery.Code, n)
	for e := range codes {
		codes[e] = code(t, r, near(rnd, base, 0.3))
		g.Put(gallery.Entry(e), codes[e])
	}
	gone := map[gallery.Entry]bool{}
	for round, want := range []int{1, 2000, 5000, 1, 3000} { // with what lies at the end, several in a row, and twice the same
		var going []gallery.Entry
		for len(going) < want {
			e := gallery.Entry(rnd.IntN(n))
			if round == 1 {
				e = gallery.Entry(n - 1 - len(going))
			}
			if !gone[e] {
				gone[e] = true
				going = append(going, e)
			}
		}
		if got := g.EraseAll(append(going, going[0], n+5)); got != want || g.Len() != n-len(gone) {
			t.Fatalf("round %d: %d erased and %d left, want %d and %d", round, got, g.Len(), want, n-len(gone))
		}
		for _, e := range going[:min(60, len(going))] {
			if g.Holds(codes[e]) {
				t.Fatalf("round %d: bytes of %d are in memory", round, e)
			}
		}
	}
	hits, all := g.Search(codes[0], -1, n)
	if all != n-len(gone) || slices.ContainsFunc(hits, func(h gallery.Hit) bool { return gone[h.Entry] }) {
		t.Errorf("%d are found, want %d, or one that is gone is", all, n-len(gone))
	}
	for _, h := range hits {
		if s := similarity(codes[0], codes[h.Entry]); math.Abs(s-h.Similarity) > 1e-5 {
			t.Fatalf("%d has the similarity %v, want its own code's, %v", h.Entry, h.Similarity, s)
		}
	}
	var rest []gallery.Entry
	for e := range gallery.Entry(n) {
		rest = append(rest, e)
	}
	if got := g.EraseAll(rest); got != n-len(gone) || g.Len() != 0 || g.Memory() != 0 || g.EraseAll(rest) != 0 {
		t.Errorf("%d of the rest are erased, want %d; %d are left", got, n-len(gone), g.Len())
	}
}

// While many go, others come, go one by one and are searched for; each is found as long as it is there.
func TestManyAreErasedWhileOthersComeAndGo(t *testing.T) {
	r, g := rotation(t, 1), gallery.New()
	base := code(t, r, drawn(rand.New(rand.NewPCG(9, 9))))
	const many = 2 * 4096
	var going []gallery.Entry
	for e := range gallery.Entry(many) {
		g.Put(e, base)
		going = append(going, e)
	}
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(10, uint64(w)))
			for i := range 60 {
				e := gallery.Entry(many + w*1000 + i)
				c := code(t, r, drawn(rnd))
				g.Put(e, c)
				if hits, _ := g.Search(c, 0.99, 1); len(hits) != 1 || hits[0].Entry != e {
					t.Errorf("entry %d: %v", e, hits)
				}
				if i%2 == 0 {
					g.Erase(e)
				}
			}
		})
	}
	for part := range slices.Chunk(going, 1000) {
		if n := g.EraseAll(part); n != len(part) {
			t.Errorf("%d of %d were erased", n, len(part))
		}
	}
	if g.Holds(base) {
		t.Error("bytes of what was erased are in memory")
	}
	wg.Wait()
	if g.Len() != 60 {
		t.Errorf("%d codes, want 60", g.Len())
	}
}

func TestReplacingOverwrites(t *testing.T) {
	rnd, r, g := rand.New(rand.NewPCG(6, 6)), rotation(t, 1), gallery.New()
	before, after := code(t, r, drawn(rnd)), code(t, r, drawn(rnd))
	g.Put(1, before)
	g.Put(1, after)
	if g.Holds(before) || !g.Holds(after) || g.Len() != 1 {
		t.Error("the code before is still there")
	}
	g.Clear()
	if g.Holds(after) || g.Len() != 0 {
		t.Error("clearing left a code")
	}
}

func TestManyAtOnce(t *testing.T) {
	r, g := rotation(t, 1), gallery.New()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(7, uint64(w)))
			for i := range 60 {
				e := gallery.Entry(w*1000 + i)
				c := code(t, r, drawn(rnd))
				g.Put(e, c)
				if hits, _ := g.Search(c, 0.99, 1); len(hits) != 1 || hits[0].Entry != e {
					t.Errorf("entry %d: %v", e, hits)
				}
				if i%2 == 0 {
					g.Erase(e)
				}
			}
		})
	}
	wg.Wait()
	if g.Len() != 120 {
		t.Errorf("%d codes, want 120", g.Len())
	}
}

func FuzzCodeOf(f *testing.F) {
	f.Add([]byte("short"))
	f.Add(bytes.Repeat([]byte{0x80}, gallery.Length))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := gallery.CodeOf(b)
		if err == nil && !bytes.Equal(c.Bytes(), b) {
			t.Errorf("%x came back as %x", b, c.Bytes())
		}
		if err != nil && len(b) == gallery.Length && slices.Max(b) > 0 {
			t.Error(err)
		}
		if err == nil {
			g := gallery.New()
			g.Put(1, &c)
			if hits, _ := g.Search(&c, 0.99, 1); len(hits) != 1 {
				t.Error("a code does not find itself")
			}
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	rnd, r, g := rand.New(rand.NewPCG(8, 8)), rotation(b, 1), gallery.New()
	for e := range gallery.Entry(100_000) {
		g.Put(e, code(b, r, drawn(rnd)))
	}
	q := code(b, r, drawn(rnd))
	for _, least := range []float64{0.413, 0.5} {
		b.Run(fmt.Sprint(least), func(b *testing.B) {
			for b.Loop() {
				g.Search(q, least, 64)
			}
		})
	}
}
