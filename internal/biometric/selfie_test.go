package biometric_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/biometric"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func selfie(t *testing.T, people []string, v fixtures.Variant, cam fixtures.Camera) *imaging.RGB {
	t.Helper()
	if cam.Width == 0 {
		cam.Width, cam.Height = 960, 540
	}
	p, err := fixtures.Group(people, v, cam)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func capture(t *testing.T, p *imaging.RGB) idv.Capture {
	t.Helper()
	b, err := imaging.EncodeJPEG(p, 92)
	if err != nil {
		t.Fatal(err)
	}
	return idv.Capture{ID: "cap_1", Session: "ses_1", Kind: idv.FaceImage, SHA256: "aa", Bytes: b}
}

func dimmed(p *imaging.RGB, by int) *imaging.RGB {
	q := imaging.NewRGB(p.W, p.H)
	for i, v := range p.Pix {
		q.Pix[i] = v / uint8(by)
	}
	return q
}

func blurred(p *imaging.RGB, by int) *imaging.RGB { return p.Resize(p.W/by, p.H/by).Resize(p.W, p.H) }

func TestASelfieIsOneFaceFitToCompare(t *testing.T) {
	e := engine(t)
	x, g := biometric.NewExtractor(e, biometric.Options{}), biometric.NewGate(e, biometric.Options{})
	one := selfie(t, []string{"cedar"}, fixtures.SelfieFace, fixtures.Camera{Seed: 1})
	far := imaging.NewRGB(1600, 1200)
	copyInto(far, one.Resize(240, 135), 700, 500)
	tests := []struct {
		name     string
		picture  *imaging.RGB
		selfie   string // why the face is absent
		template string // why the template is absent
		glance   string // what the quick look says
	}{
		{"one face, near and sharp", one, "", "", ""},
		{"one face, on its side", one.Turn(1), "", "", ""},
		{"nobody", selfie(t, nil, fixtures.SelfieFace, fixtures.Camera{Seed: 2}), "capture.no_face", "capture.no_face", "capture.no_face"},
		{
			"three people", selfie(t, []string{"alder", "birch", "elm"}, fixtures.SelfieFace, fixtures.Camera{Seed: 3}), "capture.several_faces",
			"capture.several_faces", "capture.several_faces",
		},
		{"a face far away", far, "", "capture.face_too_small", "capture.face_too_small"},
		{"a dark room", dimmed(one, 7), "", "capture.dark", "capture.dark"},
		{"out of focus", blurred(one, 14), "", "capture.blurred", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := capture(t, tt.picture)
			if err := g.Glance(t.Context(), c); code(t, err) != tt.glance {
				t.Errorf("quick look: %v, want %q", err, tt.glance)
			}
			ex, err := x.Extract(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			got := map[idv.ArtifactKind]string{}
			for _, a := range ex.Artifacts {
				if a.Present == (a.Absent != "") || a.Producer == "" || len(a.Inputs) != 1 {
					t.Errorf("artifact %+v", a)
				}
				got[a.Kind] = a.Absent
			}
			want := map[idv.ArtifactKind]string{idv.ArtifactSelfie: tt.selfie, idv.ArtifactSelfieTemplate: tt.template}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("artifacts (-want +got):\n%s", diff)
			}
			q, err := biometric.SelfieQuality{}.Check(t.Context(), idv.Evidence{Artifacts: ex.Artifacts})
			if err != nil {
				t.Fatal(err)
			}
			if (q.Outcome == idv.Pass) != (tt.template == "") {
				t.Errorf("quality %+v", q)
			}
			if tt.template != "" && (len(q.Reasons) == 0 || q.Reasons[0].Code != tt.template || q.Reasons[0].Step != idv.StepSelfie) {
				t.Errorf("reasons %+v, want %s", q.Reasons, tt.template)
			}
		})
	}
}

func copyInto(to, from *imaging.RGB, x, y int) {
	for i := range to.Pix {
		to.Pix[i] = 120
	}
	for row := range from.H {
		copy(to.Pix[3*((y+row)*to.W+x):], from.Pix[3*row*from.W:3*(row+1)*from.W])
	}
}

func code(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	p, ok := problem.As(err)
	if !ok {
		t.Fatalf("not a problem of the catalogue: %v", err)
	}
	return p.Kind.Code
}

func TestWhatIsNoPictureIsAProblemAndNotAnAnswer(t *testing.T) {
	e := engine(t)
	c := idv.Capture{Kind: idv.FaceImage, Bytes: []byte("hello")}
	if _, err := biometric.NewExtractor(e, biometric.Options{}).Extract(t.Context(), c); code(t, err) != "capture.not_an_image" {
		t.Error(err)
	}
	if err := biometric.NewGate(e, biometric.Options{}).Glance(t.Context(), c); code(t, err) != "capture.not_an_image" {
		t.Error(err)
	}
}

func TestWithoutItsModelsNothingIsAnswered(t *testing.T) {
	set, err := modelcard.Open(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	e := face.New(set, nil, face.Options{})
	c := capture(t, imaging.NewRGB(300, 300))
	if ex, err := biometric.NewExtractor(e, biometric.Options{}).Extract(t.Context(), c); err == nil {
		t.Errorf("extracted %+v", ex)
	}
	if err := biometric.NewGate(e, biometric.Options{}).Glance(t.Context(), c); err == nil {
		t.Error("glanced")
	} else if _, ok := problem.As(err); ok {
		t.Errorf("an outage is blamed on the applicant: %v", err)
	}
}
