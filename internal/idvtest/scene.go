package idvtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"strconv"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Scene is what a picture of this kit shows.
type Scene struct {
	Take    string           `json:"take,omitempty"`   // makes two pictures of one scene differ
	Glance  string           `json:"glance,omitempty"` // code that the quick look refuses it with
	Kind    idv.DocumentKind `json:"kind,omitempty"`
	Issuer  string           `json:"issuer,omitempty"`
	Number  string           `json:"number,omitempty"`
	Family  string           `json:"family,omitempty"`
	Given   string           `json:"given,omitempty"`
	Birth   string           `json:"birth,omitempty"`
	Face    string           `json:"face,omitempty"`    // whose face it is; two faces match when this is equal
	Page    string           `json:"page,omitempty"`    // code that the page's quality gives
	MRZ     string           `json:"mrz,omitempty"`     // code that the machine-readable zone gives
	Expired bool             `json:"expired,omitempty"` // document.expired
	Live    string           `json:"live,omitempty"`    // code that the challenge gives
}

// Passport is a good passport of Utopia with that face on it.
func Passport(face string) Scene {
	return Scene{
		Kind: idv.Passport, Issuer: "UTO", Number: "L898902C3", Family: "ERIKSSON", Given: "ANNA MARIA",
		Birth: "1974-08-12", Face: face,
	}
}

// Selfie is a good selfie.
func Selfie(face string) Scene { return Scene{Face: face} }

// marker separates the picture from its scene.
var marker = []byte("\nscene:")

// Picture makes the bytes of a scene: a JPEG that decodes, and the scene behind it.
func Picture(t testing.TB, s Scene) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 32, 24))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * 7)
	}
	img.Set(1, 1, color.White)
	var buf bytes.Buffer
	if err := jpeg.Encode(&buf, img, nil); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(buf.Bytes(), marker...), raw...)
}

// Frames makes a run of n frames of a scene, each of them different.
func Frames(t testing.TB, s Scene, n int) [][]byte {
	t.Helper()
	out := make([][]byte, n)
	take := s.Take
	for i := range out {
		s.Take = take + "." + strconv.Itoa(i)
		out[i] = Picture(t, s)
	}
	return out
}

// sceneOfRun reads the scene of a packed run, which is that of its first frame, and digests of its frames.
func sceneOfRun(b []byte) (Scene, idv.FrameDigests, bool) {
	digests := idv.FrameDigests{Bits: sha256.Size * 8}
	run, err := idv.OpenFrames(b)
	if err != nil || len(run.Frames) == 0 {
		return Scene{}, digests, false
	}
	for _, f := range run.Frames {
		sum := sha256.Sum256(f.JPEG)
		digests.Digests = append(digests.Digests, sum[:])
	}
	s, ok := sceneOf(run.Frames[0].JPEG)
	return s, digests, ok
}

// sceneOf reads the scene of a picture; false if it is none of ours.
func sceneOf(b []byte) (Scene, bool) {
	_, raw, ok := bytes.Cut(b, marker)
	if !ok {
		return Scene{}, false
	}
	var s Scene
	return s, json.Unmarshal(raw, &s) == nil
}
