package face

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/onnx"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// drawn is somebody drawn with ovals, as models/tflite_reference.mjs draws them: centre, half axes and colour, on a square of 1 024 units.
func drawn(side int) *imaging.RGB {
	ovals := [][7]int{
		{512, 1100, 460, 330, 60, 70, 110}, {512, 470, 250, 330, 70, 50, 40}, {512, 520, 215, 290, 205, 160, 135},
		{425, 455, 40, 20, 245, 245, 240}, {599, 455, 40, 20, 245, 245, 240}, {425, 455, 18, 18, 40, 30, 30}, {599, 455, 18, 18, 40, 30, 30},
		{425, 405, 60, 10, 80, 55, 45}, {599, 405, 60, 10, 80, 55, 45}, {512, 570, 30, 45, 180, 130, 110}, {512, 675, 85, 24, 160, 75, 75},
	}
	p := imaging.NewRGB(side, side)
	for y := range side {
		for x := range side {
			u, v := (2*x+1)*512/side, (2*y+1)*512/side
			colour := [3]int{120, 140, 170}
			for _, o := range ovals {
				dx, dy, rx, ry := u-o[0], v-o[1], o[2], o[3]
				if dx*dx*ry*ry+dy*dy*rx*rx < rx*rx*ry*ry {
					colour = [3]int{o[4], o[5], o[6]}
				}
			}
			for c := range 3 {
				p.Pix[3*(y*side+x)+c] = uint8(colour[c])
			}
		}
	}
	return p
}

// The networks were TensorFlow Lite. What they answered there was computed by their definition, number by number, without the runtime.
func TestTheRewrittenNetworksAnswerAsTheirOriginalsDo(t *testing.T) {
	b, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var references []struct {
		Model, SHA256 string
		Side          int
		Outputs       []struct {
			Name         string
			Length, Step int
			Values       []float64
		}
	}
	if err := json.Unmarshal(b, &references); err != nil {
		t.Fatal(err)
	}
	set, r := packtest.Runtime(t, DetectModel, MeshModel)
	e := New(set, r, Options{})
	for _, ref := range references {
		t.Run(ref.Model, func(t *testing.T) {
			if card := e.Card(ref.Model); card.SHA256 != ref.SHA256 {
				t.Fatalf("the reference is of model %.12s, the card names %.12s: run models/tflite_reference.mjs", ref.SHA256, card.SHA256)
			}
			var in onnx.Tensor
			switch ref.Model {
			case DetectModel:
				in = boxed(drawn(ref.Side), ref.Side, ref.Side).in
			case MeshModel:
				in = meshInput(drawn(ref.Side))
			}
			var lengths []int
			for _, o := range ref.Outputs {
				lengths = append(lengths, o.Length)
			}
			got, err := e.run(t.Context(), ref.Model, in, lengths...)
			if err != nil {
				t.Fatal(err)
			}
			for k, o := range ref.Outputs {
				for i, want := range o.Values {
					if v := float64(got[k].Data[i*o.Step]); math.Abs(v-want) > .02+1e-3*math.Abs(want) {
						t.Fatalf("%s: number %d is %.3f, want %.3f", o.Name, i*o.Step, v, want)
					}
				}
			}
		})
	}
}

func TestADrawnFaceIsFoundWhereItIs(t *testing.T) {
	set, r := packtest.Runtime(t, DetectModel, MeshModel)
	e := New(set, r, Options{})
	page := imaging.NewRGB(1200, 800)
	for i := range page.Pix {
		page.Pix[i] = 200
	}
	face := drawn(160)
	for y := range face.H {
		copy(page.Pix[3*((y+300)*page.W+820):], face.Pix[3*y*face.W:3*(y+1)*face.W])
	}
	found, err := e.Detect(t.Context(), page)
	if err != nil || len(found) != 1 {
		t.Fatalf("%d faces, error %v", len(found), err)
	}
	b := found[0].Pixel
	if x, y := b.X+b.W/2, b.Y+b.H/2; math.Abs(x-900) > 8 || math.Abs(y-378) > 16 || math.Abs(b.W-69) > 14 || math.Abs(found[0].Roll) > .15 {
		t.Errorf("the face is %.0f wide at %.0f, %.0f and rolls by %.2f", b.W, x, y, found[0].Roll)
	}
	m, present, err := e.Mesh(t.Context(), page, found[0])
	if err != nil {
		t.Fatal(err)
	}
	five := m.five()
	for i, want := range [5]imaging.Point{{X: 886, Y: 371}, {X: 914, Y: 371}, {X: 900, Y: 392}, {X: 887, Y: 405}, {X: 913, Y: 405}} {
		if math.Hypot(five[i].X-want.X, five[i].Y-want.Y) > 7 {
			t.Errorf("point %d is at %.0f, %.0f, want about %.0f, %.0f", i, five[i].X, five[i].Y, want.X, want.Y)
		}
	}
	if present < .9 || !m.Pose().Frontal(15) {
		t.Errorf("present %.2f, %+v", present, m.Pose())
	}
}

// turned is a head of a ball with a nose, seen from the front and turned.
func TestAMeshTurnedInSpaceIsSeenTurnedThatWay(t *testing.T) {
	var head Mesh
	place := func(i int, x, y, z float64) { head[i] = Point3{100 * x, 100 * y, 100 * z} }
	for k, l := range acrossLines {
		place(l[0], -1+.1*float64(k), .1*float64(k), .2*float64(k))
		place(l[1], 1-.1*float64(k), .1*float64(k), .2*float64(k))
	}
	for _, i := range []int{133, 362} {
		place(i, .3*float64(i-247)/115, .1, .3)
	}
	slope := math.Tan(-restPitch * math.Pi / 180)
	for k, l := range downLines {
		place(l[0], 0, -1+.1*float64(k), 0)
		place(l[1], 0, 1-.1*float64(k), slope*(2-.2*float64(k)))
	}
	for _, want := range []Pose{{}, {Yaw: 25}, {Yaw: -40}, {Pitch: 20}, {Pitch: -30}, {Roll: 30}, {Yaw: 20, Roll: -15}} {
		sin := func(d float64) float64 { return math.Sin(d * math.Pi / 180) }
		cos := func(d float64) float64 { return math.Cos(d * math.Pi / 180) }
		m := head
		for i, p := range m {
			p.Y, p.Z = p.Y*cos(want.Pitch)+p.Z*sin(want.Pitch), p.Z*cos(want.Pitch)-p.Y*sin(want.Pitch)
			p.X, p.Z = p.X*cos(want.Yaw)+p.Z*sin(want.Yaw), p.Z*cos(want.Yaw)-p.X*sin(want.Yaw)
			m[i] = Point3{p.X*cos(want.Roll) - p.Y*sin(want.Roll), p.X*sin(want.Roll) + p.Y*cos(want.Roll), p.Z}
		}
		got := m.Pose()
		if math.Abs(got.Yaw-want.Yaw) > 1.5 || math.Abs(got.Pitch-want.Pitch) > 1.5 || math.Abs(got.Roll-want.Roll) > 1.5 {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestEyesAreAsOpenAsTheirLidsAreApart(t *testing.T) {
	for _, tt := range []struct {
		name        string
		left, right float64 // lids apart, widths of the eye
		want        [2]float64
	}{
		{"both open", .3, .27, [2]float64{1, 1}},
		{"both shut", .02, .1, [2]float64{0, 0}},
		{"one half open", .175, .3, [2]float64{.5, 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var m Mesh
			for i, apart := range [2]float64{tt.left, tt.right} {
				x := 100 * float64(i)
				m[eyes[i].corners[0]], m[eyes[i].corners[1]] = Point3{X: x}, Point3{X: x + 40}
				for _, l := range eyes[i].lids {
					m[l[0]], m[l[1]] = Point3{X: x + 20, Y: -20 * apart}, Point3{X: x + 20, Y: 20 * apart}
				}
			}
			got := m.EyesOpen()
			if math.Abs(got[0]-tt.want[0]) > .01 || math.Abs(got[1]-tt.want[1]) > .01 {
				t.Errorf("got %.2f, want %.2f", got, tt.want)
			}
		})
	}
	if got := new(Mesh).EyesOpen(); got != [2]float64{} {
		t.Errorf("a mesh without eyes: %v", got)
	}
}
