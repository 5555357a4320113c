package galleries

import (
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/session"
)

func TestAGalleryThatIsBeingReadIsAFaultAndNoAnswer(t *testing.T) {
	g := New(nil, func() Model { return Model{Name: "m", Calibration: &modelcard.Calibration{}} }, Options{Patience: time.Millisecond})
	rec := session.Record{Session: idv.Session{ID: "ses_1", Mode: idv.Test}}
	if err := g.of("test:main", "m").take(t.Context()); err != nil { // somebody reads it
		t.Fatal(err)
	}
	got, hits, err := g.SearchFaces(t.Context(), rec, idv.GallerySettings{}, session.FaceTemplate{})
	if err != nil || got.Fault != idv.GalleryLoading || len(hits) > 0 || got.Target != 0.01 {
		t.Errorf("%+v, %v, %v", got, hits, err)
	}
}

func TestAGalleryOfAnotherModelIsForgotten(t *testing.T) {
	g := New(nil, func() Model { return Model{} }, Options{})
	first := g.of("test:main", "old")
	if g.of("test:main", "old") != first || g.of("live:main", "old") == first {
		t.Error("galleries are mixed up")
	}
	if g.of("test:main", "new") == first {
		t.Error("faces of another model are searched")
	}
}
