package galleries

import (
	"bytes"
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/gallery"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/schema"
)

// crowded is a gallery of so many faces that is in memory, with a database that knows of none of them.
func crowded(t *testing.T, faces int) (*Galleries, *opened) {
	t.Helper()
	db, err := database.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "galleries.db"), database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := schema.New(db).Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	curve := &modelcard.Calibration{Points: []modelcard.Point{
		{Threshold: 0.1, FMR: 1, Genuine: 1, Impostors: 1 << 50}, {Threshold: 0.9, FMR: 1e-13, Genuine: 1, Impostors: 1 << 50},
	}}
	g := New(db, func() Model { return Model{Name: "m", Calibration: curve} }, Options{})
	o := open(t, g, "test:main", "m")
	if o.turn, err = gallery.NewRotation(bytes.Repeat([]byte{1}, gallery.SecretSize)); err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	for e := range faces {
		var c gallery.Code
		for i := range c {
			c[i] = int8(rnd.IntN(255) - 127)
		}
		o.codes.Put(gallery.Entry(e+1), &c)
	}
	o.loaded, o.entries = true, int64(faces)
	return g, o
}

// A mass erasing, as when the time of many faces is over on one day, does not hold up searches: one that comes in the middle of it takes
// no more than a few times as long as one that comes alone.
func TestErasingManyFacesDoesNotHoldUpSearches(t *testing.T) {
	const faces, going, rounds = 80_000, 10_000, 5
	g, o := crowded(t, faces)
	template := make([]float32, gallery.Length)
	for i := range template {
		template[i] = float32(i%7) - 3
	}
	rec := session.Record{Session: idv.Session{ID: "ses_stranger", Mode: idv.Test}}
	search := func() time.Duration {
		start := time.Now()
		if got, _, err := g.SearchFaces(t.Context(), rec, idv.GallerySettings{}, session.FaceTemplate{Values: template}); err != nil || got.Fault != "" {
			t.Fatalf("a search was not possible: %q, %v", got.Fault, err)
		}
		return time.Since(start)
	}
	var alone, slowest []time.Duration
	searches := 0
	for range 15 {
		alone = append(alone, search())
	}
	for round := range rounds {
		_, err := g.db.Write.NewRaw(`INSERT INTO gallery_removals (gallery, entry, removed_at)
			WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?) SELECT 'test:main', ? + i, ? FROM n`,
			going, round*going+1, g.db.Now()).Exec(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- g.ForgetFaces(context.WithoutCancel(t.Context())) }()
		var worst time.Duration
		for waiting := true; waiting; {
			select {
			case err := <-done:
				if waiting = false; err != nil {
					t.Fatal(err)
				}
			default:
				worst = max(worst, search())
				searches++
			}
		}
		slowest = append(slowest, worst)
		if left := faces - (round+1)*going; o.codes.Len() != left {
			t.Fatalf("%d faces are left after round %d, want %d", o.codes.Len(), round, left)
		}
	}
	slices.Sort(alone)
	slices.Sort(slowest)
	usual, worst := alone[len(alone)/2], slowest[rounds/2]
	ratio := float64(worst) / float64(usual)
	t.Logf("a search takes %v alone; of %d while %d faces go, the slowest takes %v, %.1f times as long", usual, searches, going, worst, ratio)
	if ratio > mostHeldUp {
		t.Errorf("the slowest search took %.1f times as long as one alone, want at most %v", ratio, mostHeldUp)
	}
}

// mostHeldUp is by how much a search may take longer while many faces go: wide, since other tests may keep the machine busy.
const mostHeldUp = 40.0
