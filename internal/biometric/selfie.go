package biometric

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Floors of a selfie. The eye gap is that of the smallest pictures on which the comparison was calibrated; beyond the
// angles its error rates are not known.
const (
	leastEyeGap    = 32.0 // pixels between the eyes
	mostTurn       = 25.0 // degrees of yaw and of pitch
	leastSharpness = 15.0 // face.Description.Sharpness: where a face keeps some 20 pixels of detail and its template goes astray
	mostDarkness   = 0.80 // face.Description.Darkness
	// A face in the background counts as a second person when it is at least this wide, compared with the first.
	secondFace = 0.25
)

// people counts the faces of a picture that are large enough to be somebody who holds the phone or stands beside.
func people(found []face.Face) int {
	largest, ok := face.Largest(found)
	if !ok {
		return 0
	}
	n := 0
	for _, f := range found {
		if f.Pixel.W >= secondFace*largest.Pixel.W {
			n++
		}
	}
	return n
}

// reasons lists why a face is not fit to compare. Closed eyes are not among them: by their lids the eyes of some
// people are closed when they are open, and those people could never get past it.
func reasons(d face.Description) []string {
	out := []string{}
	add := func(bad bool, k problem.Kind) {
		if bad {
			out = append(out, k.Code)
		}
	}
	add(d.EyeGap < leastEyeGap, problem.CaptureFaceTooSmall)
	add(d.Darkness > mostDarkness, problem.CaptureDark)
	add(d.Sharpness < leastSharpness, problem.CaptureBlurred)
	add(!d.Pose.Frontal(mostTurn), problem.CaptureFaceTurned)
	return out
}

// selfieFace is what is recorded of the face.
func selfieFace(f face.Face, turn int, d face.Description, liveness *float64) idv.SelfieFace {
	return idv.SelfieFace{
		Face: faceOf(f, turn),
		Yaw:  d.Pose.Yaw, Pitch: d.Pose.Pitch, Roll: d.Pose.Roll,
		EyesOpen:  math.Min(d.EyesOpen[0], d.EyesOpen[1]),
		Sharpness: d.Sharpness, Brightness: 1 - d.Darkness,
		Liveness: liveness, Reasons: reasons(d),
	}
}

// faceOf is a face that was found in a picture, which quarter turns made upright.
func faceOf(f face.Face, turn int) idv.Face {
	return idv.Face{
		Box:   idv.Box{X: f.Box.X, Y: f.Box.Y, Width: f.Box.W, Height: f.Box.H},
		Score: f.Score, Turn: turn, Width: int(math.Round(f.Pixel.W)),
	}
}
