package face_test

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

func selfie(t testing.TB, people ...string) *imaging.RGB {
	t.Helper()
	p, err := fixtures.Group(people, fixtures.SelfieFace, fixtures.Camera{Seed: 5, Width: 960, Height: 540})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func only(t testing.TB, e *face.Engine, p *imaging.RGB) face.Face {
	t.Helper()
	found, err := e.Detect(t.Context(), p)
	if err != nil || len(found) != 1 {
		t.Fatalf("%d faces, error %v", len(found), err)
	}
	return found[0]
}

func TestDetectFindsEachFaceWhereItIs(t *testing.T) {
	e := engine(t)
	for _, people := range [][]string{nil, {"birch"}, {"alder", "hazel"}, {"alder", "birch", "cedar"}} {
		p := selfie(t, people...)
		found, err := e.Detect(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != len(people) {
			t.Errorf("%d faces of %v", len(found), people)
		}
		for _, f := range found {
			want := face.Box{X: f.Box.X * float64(p.W), Y: f.Box.Y * float64(p.H), W: f.Box.W * float64(p.W), H: f.Box.H * float64(p.H)}
			if math.Abs(want.X-f.Pixel.X) > 1e-6 || math.Abs(want.W-f.Pixel.W) > 1e-6 || f.Score < .5 || f.Score > 1 {
				t.Errorf("parts and pixels differ: %+v", f)
			}
		}
	}
	if found, err := e.Detect(t.Context(), imaging.NewRGB(0, 0)); err != nil || found != nil {
		t.Errorf("an empty picture: %v, %v", found, err)
	}
	if _, err := e.Detect(t.Context(), imaging.NewRGB(1, 3000)); err != nil {
		t.Errorf("a picture one pixel wide: %v", err)
	}
}

func TestAnyTurnSetsAFaceUpright(t *testing.T) {
	e := engine(t)
	p := selfie(t, "cedar")
	for k := range 4 {
		turn, found, err := e.DetectAnyTurn(t.Context(), p.Turn(k))
		if err != nil {
			t.Fatal(err)
		}
		if turn != (4-k)%4 || len(found) != 1 {
			t.Errorf("turned %d times: %d more are said to set it upright, %d faces", k, turn, len(found))
		}
	}
}

func TestTurnsThatShowNoFaceAreNoted(t *testing.T) {
	e := engine(t)
	blank := imaging.NewRGB(300, 400)
	for i := range blank.Pix {
		blank.Pix[i] = 180
	}
	for _, tc := range []struct {
		what  string
		p     *imaging.RGB
		turns []int
		want  face.Turned
	}{
		{"a blank picture, all turns", blank, []int{0, 1, 2, 3}, face.Turned{None: [4]bool{true, true, true, true}}},
		{"a blank picture, two turns", blank, []int{0, 2}, face.Turned{None: [4]bool{0: true, 2: true}}},
		{"an upright face", selfie(t, "cedar"), []int{0, 2}, face.Turned{Sure: true}},
		{"a face upside down", selfie(t, "cedar").Turn(2), []int{2, 0}, face.Turned{Turn: 2, Sure: true}},
	} {
		got, err := e.DetectTurned(t.Context(), tc.p, tc.turns...)
		if err != nil {
			t.Fatal(err)
		}
		if faces := len(got.Faces); (faces == 1) != tc.want.Sure {
			t.Errorf("%s: %d faces", tc.what, faces)
		}
		got.Faces = nil
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.what, d)
		}
	}
}

func TestDescribeKnowsThePersonAndTheHead(t *testing.T) {
	e := engine(t)
	one := selfie(t, "elm")
	d, err := e.Describe(t.Context(), one, only(t, e, one))
	if err != nil {
		t.Fatal(err)
	}
	if !d.Pose.Frontal(25) || math.Abs(d.Pose.Roll) > 8 || d.EyeGap < 40 || d.Sharpness < 30 || d.Darkness > .7 {
		t.Errorf("pose %+v, eye gap %.0f, sharpness %.0f, darkness %.2f", d.Pose, d.EyeGap, d.Sharpness, d.Darkness)
	}
	var norm float64
	for _, v := range d.Template {
		norm += float64(v) * float64(v)
	}
	if len(d.Template) != 512 || math.Abs(norm-1) > 1e-5 {
		t.Errorf("%d numbers of squared length %v", len(d.Template), norm)
	}
	small := one.Resize(one.W/2, one.H/2)
	same, err := e.TemplateOf(t.Context(), small, only(t, e, small))
	if err != nil {
		t.Fatal(err)
	}
	other := selfie(t, "birch")
	different, err := e.TemplateOf(t.Context(), other, only(t, e, other))
	if err != nil {
		t.Fatal(err)
	}
	if s := face.Similarity(d.Template, same); s < .8 {
		t.Errorf("the same picture at half the size: %.2f", s)
	}
	if s := face.Similarity(d.Template, different); s > .336 {
		t.Errorf("another person: %.2f", s)
	}
}

func TestAFaceMayReachOverTheEdge(t *testing.T) {
	e := engine(t)
	p := selfie(t, "cedar")
	f := only(t, e, p)
	cut := p.Crop(imageRect(f.Pixel, .25))
	found, err := e.Detect(t.Context(), cut)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(found, face.Face{Pixel: face.Box{X: -50, Y: -50, W: 100, H: 100}}) {
		if _, err := e.Describe(t.Context(), cut, f); err != nil {
			t.Errorf("%+v: %v", f.Pixel, err)
		}
		if l, err := e.Liveness(t.Context(), cut, f); err != nil || l < 0 || l > 1 {
			t.Errorf("%+v: liveness %v, %v", f.Pixel, l, err)
		}
	}
	if _, err := e.Describe(t.Context(), cut, face.Face{Pixel: face.Box{X: -500, Y: 0, W: 10, H: 10}}); err == nil {
		t.Error("a face outside the picture is described")
	}
}

func TestSimilarityOfWhatDoesNotCompareIsTheLowest(t *testing.T) {
	tests := []struct {
		name string
		a, b []float32
		want float64
	}{
		{"the same", []float32{3, 4}, []float32{3, 4}, 1},
		{"of any length", []float32{3, 4}, []float32{30, 40}, 1},
		{"across", []float32{1, 0}, []float32{0, 1}, 0},
		{"opposite", []float32{1, 0}, []float32{-1, 0}, -1},
		{"of different models", []float32{1, 0}, []float32{1, 0, 0}, -1},
		{"nothing", nil, nil, -1},
		{"zero", []float32{0, 0}, []float32{0, 0}, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := face.Similarity(tt.a, tt.b); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestOneEngineServesManyAtOnce(t *testing.T) {
	e := engine(t)
	p := selfie(t, "alder")
	f := only(t, e, p)
	want, err := e.TemplateOf(t.Context(), p, f)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := e.TemplateOf(t.Context(), p, f)
			if err != nil || face.Similarity(want, got) < .9999 {
				t.Errorf("similarity %v, error %v", face.Similarity(want, got), err)
			}
		})
	}
	wg.Wait()
}

// altered serves models/ with one pack file left out or bent.
func altered(t *testing.T, file string, b []byte) *modelcard.Set {
	t.Helper()
	m := fstest.MapFS{}
	root := os.DirFS(filepath.Join("..", "..", "models"))
	for _, pattern := range []string{"cards/*.json", "pack/*.onnx"} {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := fs.ReadFile(root, name)
			if err != nil {
				t.Fatal(err)
			}
			m[name] = &fstest.MapFile{Data: data}
		}
	}
	delete(m, "pack/"+file)
	if b != nil {
		m["pack/"+file] = &fstest.MapFile{Data: b}
	}
	set, err := modelcard.Open(m)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestAMissingOrAlteredModelIsAnErrorOfTheCallsThatNeedIt(t *testing.T) {
	good := engine(t)
	p := selfie(t, "cedar")
	f := only(t, good, p)
	set, r := packtest.Runtime(t, face.TemplateModel)
	tests := []struct {
		name string
		set  *modelcard.Set
		want error
	}{
		{"missing", altered(t, "face-template.onnx", nil), modelcard.ErrMissing},
		{"altered", altered(t, "face-template.onnx", []byte("another network")), modelcard.ErrDigest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := face.New(tt.set, r, face.Options{})
			if _, err := e.Describe(t.Context(), p, f); !errors.Is(err, tt.want) {
				t.Errorf("describe: %v, want %v", err, tt.want)
			}
			if _, err := e.TemplateOf(t.Context(), p, f); !errors.Is(err, tt.want) {
				t.Errorf("template: %v, want %v", err, tt.want)
			}
			if found, err := e.Detect(t.Context(), p); err != nil || len(found) != 1 {
				t.Errorf("detection does not need it: %d faces, %v", len(found), err)
			}
		})
	}
	t.Run("no runtime", func(t *testing.T) {
		if _, err := face.New(set, nil, face.Options{}).Detect(t.Context(), p); err == nil {
			t.Error("detected")
		}
	})
}
