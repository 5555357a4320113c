package store

import (
	"context"
	"encoding/base64"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/gallery"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/galleries"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// beforeGallery undoes the migrations of galleries and of decisions about links.
var beforeGallery = []string{
	"DROP TABLE seen_decisions", "DROP TABLE gallery_removals", "DROP TABLE gallery_entries", "DELETE FROM locks WHERE name = 'gallery'",
	"DELETE FROM schema_versions WHERE version_id IN (48, 49)",
}

// sceneCurve has a tenth of the false matches each 0.1 of similarity, down to 1e-7 among so many impostor pairs.
func sceneCurve(impostors int) *modelcard.Calibration {
	c := &modelcard.Calibration{}
	for i := range 8 {
		c.Points = append(c.Points, modelcard.Point{
			Threshold: float64(i) / 10, FMR: math.Pow(10, -float64(i)), FNMR: float64(i) / 100, Genuine: 1000, Impostors: impostors,
		})
	}
	return c
}

func galleriesOf(s *Store) *galleries.Galleries {
	return s.Galleries(func() galleries.Model {
		return galleries.Model{Name: idvtest.TemplateModel, Calibration: sceneCurve(10_000_000)}
	})
}

// comparing publishes a workflow that compares faces with those of a gallery, and returns its name.
func comparing(t *testing.T, d *deployment, name string, set idv.GallerySettings) string {
	return d.workflow(t, name, func(w *idv.WorkflowVersion) {
		w.Required = append(w.Required, idv.CheckDuplicateFace)
		set.Consent = "We look for people who come twice."
		w.Seen.Gallery = set
	})
}

// passes takes a person with a face and a number through a session. They answer whether their face may be compared, unless answer is nil.
func passes(t *testing.T, d *deployment, n session.Spec, face, name, number string, answer *bool) idv.Session {
	t.Helper()
	a := d.onlyOpen(t, d.create(t, n))
	a.agree(t, idv.Passport)
	if answer != nil {
		_, err := d.Applicant.Consent(t.Context(), a.id, session.Consent{
			Given: *answer, About: session.ToGallery, TextVersion: "gallery-2026-11-1", Locale: "en",
		})
		must(t, err)
	}
	front := numbered(face, number)
	front.Family, front.Given, front.Take = "DOE", name, string(a.id)
	a.sendBoth(t, front, idvtest.Selfie(face))
	return d.await(t, a.id, idv.Approved, idv.Declined, idv.InReview)
}

// The answers to the question of the gallery.
var (
	yes, no = true, false
	given   = &yes
	refused = &no
)

// kept counts the faces that the database keeps of a session.
func kept(t *testing.T, d *deployment, id idv.SessionID) int {
	t.Helper()
	n, err := d.store.Read.NewSelect().Model((*sessions.GalleryRow)(nil)).Where("session_id = ?", string(id)).Count(t.Context())
	must(t, err)
	return int(n)
}

// searched is how the faces of others were searched for a session; nil if they were not.
func searched(t *testing.T, d *deployment, id idv.SessionID) *idv.GallerySearch {
	t.Helper()
	checks, err := d.store.Checks(t.Context(), id)
	must(t, err)
	for _, c := range checks {
		if c.Kind == idv.CheckDuplicateFace && c.Finding != nil && c.Finding.Seen != nil {
			return c.Finding.Seen.Gallery
		}
	}
	return nil
}

func galleryFinds(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	spec := session.Spec{Workflow: comparing(t, d, "comparing", idv.GallerySettings{})}
	first := passes(t, d, spec, "anna", "ANNA", "P1000001", given)
	if first.State != idv.Approved || kept(t, d, first.ID) != 1 {
		t.Fatalf("the first is %s for %v, and %d faces are kept", first.State, toldOf(t, d, first.ID), kept(t, d, first.ID))
	}
	again := passes(t, d, spec, "anna~0.7", "BEATE", "P1000002", given)
	if told := toldOf(t, d, again.ID); again.State != idv.InReview || !slices.Equal(slices.Compact(told), []string{"duplicate.face_other_person"}) {
		t.Errorf("the same face under another name: %s for %v", again.State, told)
	}
	if s := searched(t, d, again.ID); s == nil || s.Faces != 1 || s.Alone != 0.4 || s.MostAlone != 3333 || !s.Consented {
		t.Errorf("searched %+v", s)
	}
	seen, err := d.Sessions.SeenBefore(t.Context(), first)
	must(t, err)
	if len(seen) != 1 || seen[0].Other.Session != again.ID || !slices.Equal(seen[0].Other.Same, []idv.SeenBy{idv.SeenByFace}) {
		t.Errorf("seen from the first: %+v", seen)
	}
	stranger := passes(t, d, spec, "anna~0.2", "CARLA", "P1000003", given)
	if stranger.State != idv.Approved {
		t.Errorf("a stranger is %s for %v", stranger.State, toldOf(t, d, stranger.ID))
	}

	// Whoever does not agree, or does not answer, is neither kept nor searched for, and fares no worse.
	for what, answer := range map[string]*bool{"declines": refused, "does not answer": nil} {
		s := passes(t, d, spec, "anna", "DORA", "P10000"+what[:1], answer)
		if s.State != idv.Approved || kept(t, d, s.ID) != 0 || searched(t, d, s.ID) != nil {
			t.Errorf("who %s is %s for %v; %d faces are kept, %+v", what, s.State, toldOf(t, d, s.ID), kept(t, d, s.ID), searched(t, d, s.ID))
		}
	}

	// Another gallery has nobody in common with the first, and neither key opens the other's codes.
	other := session.Spec{Workflow: comparing(t, d, "apart", idv.GallerySettings{Name: "apart"})}
	apart := passes(t, d, other, "anna", "EVA", "P1000006", given)
	if s := searched(t, d, apart.ID); apart.State != idv.Approved || s == nil || s.Faces != 0 {
		t.Errorf("the same face in another gallery: %s, %+v", apart.State, s)
	}
	if one, two := codeIn(t, d, "test:main", "anna"), codeIn(t, d, "test:apart", "anna"); one == two {
		t.Error("two galleries turn faces alike")
	}
	if got := sessions.GalleryOf(idv.Live, idv.GallerySettings{}); got != "live:main" {
		t.Errorf("the gallery of live mode is %s", got)
	}
	again = passes(t, d, spec, "anna~0.7", "ANNA", "P1000007", given)
	if told := toldOf(t, d, again.ID); !slices.Contains(told, "duplicate.face_elsewhere") {
		t.Errorf("the same face and name: %s for %v", again.State, told)
	}
}

// codeIn is the code of a face in a gallery.
func codeIn(t *testing.T, d *deployment, name, face string) gallery.Code {
	t.Helper()
	k, err := sessions.GalleryKeyset(t.Context(), d.store.DB.Reader(), name)
	must(t, err)
	r, err := sessions.GalleryRotation(k)
	must(t, err)
	c, err := r.Code(idvtest.TemplateOf(face))
	must(t, err)
	return c
}

func galleryErased(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	spec := session.Spec{Workflow: comparing(t, d, "comparing", idv.GallerySettings{})}
	first := passes(t, d, spec, "anna", "ANNA", "P1000001", given)
	second := passes(t, d, spec, "anna", "BEATE", "P1000002", given) // has the first read into memory
	if second.State != idv.InReview {
		t.Fatalf("the second is %s", second.State)
	}
	var row sessions.GalleryRow
	must(t, d.store.Read.NewSelect().Model(&row).Where("session_id = ?", string(second.ID)).Scan(ctx))
	sealed, err := base64.StdEncoding.DecodeString(row.Code)
	must(t, err)
	code := codeIn(t, d, "test:main", "anna")
	inner := innerOf(t, d, second.ID, sealed)
	// The code itself was never written, in any form.
	words := [][]byte{code.Bytes()[:24], code.Bytes()[256:280], inner[:24], []byte(base64.StdEncoding.EncodeToString(code.Bytes())[:32])}
	for word, places := range findWords(t, d, words) {
		t.Errorf("%x is in the clear in %v", word, places)
	}
	written := []byte(row.Code[100:140])
	if len(findWords(t, d, [][]byte{written})) == 0 {
		t.Fatal("the search does not find what is there")
	}
	if !d.galleries.Holds(&code) {
		t.Fatal("the code is not in memory before it is erased")
	}

	receipt, err := d.Erasures.Erase(ctx, idv.Test, first.ID)
	must(t, err)
	if !d.galleries.Holds(&code) {
		t.Error("erasing one overwrote the face of the other")
	}
	if !strings.Contains(receipt.Statement, `{"what":"gallery_entries","count":1}`) {
		t.Errorf("the receipt does not say that a face went: %s", receipt.Statement)
	}
	_, err = d.Erasures.Erase(ctx, idv.Test, second.ID)
	must(t, err)
	if d.galleries.Holds(&code) {
		t.Error("bytes of an erased face are in the gallery's memory")
	}
	for word, places := range findWords(t, d, append(words, written, sealed[40:64])) {
		t.Errorf("%x of an erased face is in %v", word, places)
	}
	if kept(t, d, first.ID)+kept(t, d, second.ID) != 0 {
		t.Error("rows of erased faces are left")
	}
	third := passes(t, d, spec, "anna", "CARLA", "P1000003", given)
	if s := searched(t, d, third.ID); third.State != idv.Approved || s == nil || s.Faces != 0 {
		t.Errorf("after both were erased: %s for %v, %+v", third.State, toldOf(t, d, third.ID), s)
	}
}

// innerOf opens the outer seal of a face.
func innerOf(t *testing.T, d *deployment, id idv.SessionID, sealed []byte) []byte {
	t.Helper()
	k, err := d.store.Keyset(t.Context(), id, vault.Pictures)
	must(t, err)
	inner, err := k.Unseal("gallery_entries.code", sealed)
	must(t, err)
	return inner
}

func galleryRetention(t *testing.T, d *deployment) {
	ctx := t.Context()
	fails := errors.New("memory is stuck")
	var stuck, leaves atomic.Bool
	caller, leave := context.WithCancel(ctx)
	d.store.Forgetting(func(ctx context.Context) error {
		if stuck.Load() {
			return fails
		}
		if leaves.Load() {
			leave()
		}
		return d.galleries.ForgetFaces(ctx)
	})
	d.work(t, queue.WorkOptions{})
	spec := session.Spec{Workflow: comparing(t, d, "comparing", idv.GallerySettings{Months: 1})}
	first := passes(t, d, spec, "anna", "ANNA", "P1000001", given)
	second := passes(t, d, spec, "bert", "BERT", "P1000002", given)
	code := codeIn(t, d, "test:main", "anna")
	if !d.galleries.Holds(&code) {
		t.Fatal("the face is not in memory")
	}
	stuck.Store(true)
	n, err := d.Erasures.WithdrawFace(ctx, idv.Test, first.ID)
	if !errors.Is(err, fails) || n != 1 || !d.galleries.Holds(&code) {
		t.Errorf("%d faces were removed though memory is stuck, %v", n, err)
	}
	stuck.Store(false)
	leaves.Store(true)
	if again, err := d.Erasures.WithdrawFace(caller, idv.Test, first.ID); err != nil || again != 0 {
		t.Errorf("what was owed, to a caller who leaves meanwhile: %d faces were removed, %v", again, err)
	}
	answers, err := d.store.Consents(ctx, first.ID)
	must(t, err)
	if may, asked := session.MayCompareFace(answers); may || !asked || len(answers) != 3 {
		t.Errorf("the answers are %+v", answers)
	}
	if v, err := d.Sessions.Get(ctx, idv.Test, first.ID); err != nil || v.Session.State != idv.Approved {
		t.Errorf("after taking it back the session is %s, %v", v.Session.State, err)
	}
	if d.galleries.Holds(&code) || kept(t, d, first.ID) != 0 {
		t.Error("a face that was dropped is still there")
	}
	must(t, d.store.DropOldFaces(ctx))
	if kept(t, d, second.ID) != 1 {
		t.Error("a face went before its end")
	}
	d.clock.advance(32 * 24 * time.Hour)
	must(t, d.store.DropOldFaces(ctx))
	if kept(t, d, second.ID) != 0 {
		t.Error("a face outlived its end")
	}
	third := passes(t, d, spec, "carl", "CARL", "P1000003", given)
	must(t, d.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		struck, err := tx.Strike(ctx, third.ID, session.ScopePictures, d.store.Now())
		if !slices.Contains(struck.Removed, session.Removed{What: "gallery_entries", Count: 1}) {
			t.Errorf("erasing pictures removed %+v", struck.Removed)
		}
		return err
	}))
	if kept(t, d, third.ID) != 0 {
		t.Error("a face outlived its pictures")
	}
}

func galleryRefers(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	spec := session.Spec{Workflow: comparing(t, d, "comparing", idv.GallerySettings{})}
	first := passes(t, d, spec, "anna", "ANNA", "P1000001", given)
	rec, err := d.store.Session(t.Context(), first.ID)
	must(t, err)
	rec.ID = "ses_another"
	face := session.FaceTemplate{Model: idvtest.TemplateModel, Values: idvtest.TemplateOf("bert")}
	for _, tt := range []struct {
		name  string
		model galleries.Model
		face  []float32
		want  idv.GalleryFault
	}{
		{"faces of another model", galleries.Model{Name: "newer/2", Calibration: sceneCurve(10_000_000)}, face.Values, idv.GalleryModel},
		{"a model without rates", galleries.Model{Name: idvtest.TemplateModel}, face.Values, idv.GalleryRates},
		{"rates that reach no tier", galleries.Model{Name: idvtest.TemplateModel, Calibration: sceneCurve(1000)}, face.Values, idv.GalleryRates},
		{"rates that do not reach as far as the size asks", galleries.Model{Name: idvtest.TemplateModel, Calibration: sceneCurve(300_000)}, face.Values, ""},
		{"a template that is none", galleries.Model{Name: idvtest.TemplateModel, Calibration: sceneCurve(10_000_000)}, make([]float32, 512), idv.GalleryNoFace},
	} {
		g := galleries.New(d.store.DB, func() galleries.Model { return tt.model }, galleries.Options{})
		got, hits, err := g.SearchFaces(t.Context(), rec, idv.GallerySettings{}, session.FaceTemplate{Model: tt.model.Name, Values: tt.face})
		if err != nil || got.Fault != tt.want || len(hits) > 0 {
			t.Errorf("%s: fault %q, hits %v, %v", tt.name, got.Fault, hits, err)
		}
	}
	// 300 000 impostor pairs carry a rate of 1e-4: 100 faces at a target of one in a hundred. The hundred and first shuts it.
	small := galleries.New(d.store.DB, func() galleries.Model {
		return galleries.Model{Name: idvtest.TemplateModel, Calibration: sceneCurve(300_000)}
	}, galleries.Options{})
	must(t, d.store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error {
		for range 101 {
			id, err := idv.NewID[idv.SessionID](d.store.Now(), d.store.Random)
			if err != nil {
				return err
			}
			if err := sessiontest.CopyWithFace(ctx, tx, first.ID, id); err != nil {
				return err
			}
		}
		return nil
	}))
	got, _, err := small.SearchFaces(t.Context(), rec, idv.GallerySettings{}, face)
	must(t, err)
	if got.Fault != idv.GalleryTooLarge || got.Faces != 102 || got.Alone != 0 || got.Beside != 0.4 || got.MostAlone != 100 {
		t.Errorf("more faces than the rates carry: %+v", got)
	}
	_, err = d.store.Write.ExecContext(t.Context(), "UPDATE gallery_entries SET model = 'older/1' WHERE session_id = ?", string(first.ID))
	must(t, err)
	mixed := galleries.New(d.store.DB, func() galleries.Model {
		return galleries.Model{Name: idvtest.TemplateModel, Calibration: sceneCurve(300_000)}
	}, galleries.Options{})
	got, _, err = mixed.SearchFaces(t.Context(), rec, idv.GallerySettings{}, face)
	must(t, err)
	if got.Fault != idv.GalleryTooLarge || got.Faces != 101 {
		t.Errorf("too many faces, and one of another model: %+v", got)
	}
}

func galleryOfTwo(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	spec := session.Spec{Workflow: comparing(t, d, "comparing", idv.GallerySettings{})}
	first := passes(t, d, spec, "anna", "ANNA", "P1000001", given)
	second := d.secondNode(t)
	rec, err := second.store.Session(ctx, first.ID)
	must(t, err)
	rec.ID = "ses_another"
	face := session.FaceTemplate{Model: idvtest.TemplateModel, Values: idvtest.TemplateOf("anna")}
	search := func() int {
		_, hits, err := second.galleries.SearchFaces(ctx, rec, idv.GallerySettings{}, face)
		must(t, err)
		return len(hits)
	}
	code := codeIn(t, d, "test:main", "anna")
	if n := search(); n != 1 || !second.galleries.Holds(&code) {
		t.Fatalf("the second server finds %d", n)
	}
	_, err = d.Erasures.Erase(ctx, idv.Test, first.ID)
	must(t, err)
	if d.galleries.Holds(&code) {
		t.Error("the server that erased still has the face")
	}
	must(t, second.galleries.ForgetFaces(ctx)) // what it does every half minute
	if second.galleries.Holds(&code) {
		t.Error("the other server still has the face")
	}
	third := passes(t, d, spec, "anna", "ANNA", "P1000002", given)
	if n := search(); n != 1 || third.State != idv.Approved {
		t.Errorf("the second server finds %d of who came since; they are %s", n, third.State)
	}
	if _, err := d.store.DB.Reader().OwnKeyset(ctx, "gallery:test:nobody"); !strings.Contains(err.Error(), database.ErrNoKeyset.Error()) {
		t.Errorf("a gallery that nobody is in has a keyset: %v", err)
	}
}
