package galleries

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/gallery"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/session"
)

func TestAGalleryThatIsBeingReadIsAFaultAndNoAnswer(t *testing.T) {
	g := New(nil, func() Model { return Model{Name: "m", Calibration: &modelcard.Calibration{}} }, Options{Patience: time.Millisecond})
	rec := session.Record{Session: idv.Session{ID: "ses_1", Mode: idv.Test}}
	if err := open(t, g, "test:main", "m").take(t.Context()); err != nil { // somebody reads it
		t.Fatal(err)
	}
	got, hits, err := g.SearchFaces(t.Context(), rec, idv.GallerySettings{}, session.FaceTemplate{})
	if err != nil || got.Fault != idv.GalleryLoading || len(hits) > 0 || got.Target != 0.01 {
		t.Errorf("%+v, %v, %v", got, hits, err)
	}
}

func TestAGalleryOfAnotherModelIsForgotten(t *testing.T) {
	g := New(nil, func() Model { return Model{} }, Options{})
	first := open(t, g, "test:main", "old")
	first.codes.Put(1, &gallery.Code{1})
	if open(t, g, "test:main", "old") != first || open(t, g, "live:main", "old") == first {
		t.Error("galleries are mixed up")
	}
	if open(t, g, "test:main", "new") == first || first.codes.Len() != 0 {
		t.Error("faces of another model are searched, or kept")
	}
}

func TestAGalleryThatIsSearchedIsNotEmptied(t *testing.T) {
	for name, empty := range map[string]func(context.Context, *Galleries){
		"by closing":       func(_ context.Context, g *Galleries) { g.Close() },
		"by another model": func(ctx context.Context, g *Galleries) { _, _ = g.of(ctx, "test:main", "new") },
	} {
		t.Run(name, func(t *testing.T) {
			g := New(nil, func() Model { return Model{} }, Options{})
			o := open(t, g, "test:main", "m")
			o.codes.Put(1, &gallery.Code{1})
			if err := o.take(t.Context()); err != nil { // somebody searches it
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() {
				empty(t.Context(), g)
				close(done)
			}()
			select {
			case <-done:
				t.Error("it did not wait for the search")
			case <-time.After(50 * time.Millisecond):
			}
			if got := o.codes.Len(); got != 1 {
				t.Errorf("%d faces are searched, want 1", got)
			}
			o.release()
			<-done
			if got := o.codes.Len(); got != 0 {
				t.Errorf("%d faces are left, want none", got)
			}
			if err := g.refresh(t.Context(), o); !errors.Is(err, errClosed) {
				t.Errorf("faces are read into a closed gallery: %v", err)
			}
		})
	}
}

// A model that comes back while its gallery is being closed for another one gets a new one.
func TestAGalleryThatIsBeingClosedIsNotFound(t *testing.T) {
	g := New(nil, func() Model { return Model{} }, Options{})
	o := open(t, g, "test:main", "m")
	o.closed.Store(true)
	if open(t, g, "test:main", "m") == o {
		t.Error("a closed gallery is searched")
	}
}

func TestASearchBeginsAtTheLowestSimilarityThatCounts(t *testing.T) {
	for name, tt := range map[string]struct {
		in   idv.GallerySearch
		want float64
	}{
		"a face counts by itself and beside a fact": {idv.GallerySearch{Alone: 0.5, Beside: 0.4}, 0.4},
		"only beside a fact":                        {idv.GallerySearch{Beside: 0.4}, 0.4},
		"only by itself":                            {idv.GallerySearch{Alone: 0.5}, 0.5},
		"not at all":                                {idv.GallerySearch{}, 0},
	} {
		if got := leastOf(tt.in); got != tt.want {
			t.Errorf("%s: searched from %v, want %v", name, got, tt.want)
		}
	}
}

func open(t *testing.T, g *Galleries, name, model string) *opened {
	t.Helper()
	o, err := g.of(t.Context(), name, model)
	if err != nil {
		t.Fatal(err)
	}
	return o
}
