package session

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// FaceTemplate is what a gallery keeps of an applicant's face, before it is turned and sealed.
type FaceTemplate struct {
	Model  string // what made it; templates of two models do not compare
	Values []float32
}

// FaceHit is another session whose face is alike.
type FaceHit struct {
	Session idv.SessionID
	Alike   float64 // cosine
}

// FaceSource finds the template of a selfie among artifacts (biometric.EarlierFaces). ok is false where there is none of the model in use.
type FaceSource interface {
	Selfie(in []idv.Artifact) (values []float32, model string, ok bool, err error)
}

// Galleries searches faces of other sessions. A nil one means that there is none, and every search refers.
type Galleries interface {
	// SearchFaces looks among the faces that the gallery of the settings holds of other sessions of a mode. What keeps it from searching is
	// a fault, not an error.
	SearchFaces(ctx context.Context, rec Record, set idv.GallerySettings, face FaceTemplate) (idv.GallerySearch, []FaceHit, error)
	// ForgetFaces overwrites in memory what is no longer kept. It returns once that is done.
	ForgetFaces(ctx context.Context) error
	// KeptFaces lists the galleries of a mode that hold faces, by name.
	KeptFaces(ctx context.Context, mode idv.Mode) ([]KeptGallery, error)
}

// KeptGallery is how many faces a gallery holds, and how many the measured rates carry.
type KeptGallery struct {
	Name    string
	Faces   int
	Carries []GalleryCarries // by target, strictest first; none where the rates reach none
}

// GalleryCarries is among how many faces one counts by itself at a target.
type GalleryCarries struct {
	Target string // of idv.GalleryTargets
	Faces  int
}

// GalleryWriter keeps faces of those who agreed to it.
type GalleryWriter interface {
	// EnrolFace keeps the face of a session in the gallery of the settings, in place of one that it had.
	EnrolFace(ctx context.Context, rec Record, set idv.GallerySettings, face FaceTemplate) error
	// DropFace removes the face of a session from whatever gallery it is in, and returns how many were there.
	DropFace(ctx context.Context, id idv.SessionID) (int, error)
}

// MayCompareFace reports whether the newest answer of an applicant is that their face may be compared with those of others.
func MayCompareFace(answers []ConsentRow) (may, asked bool) {
	for _, c := range slices.Backward(answers) {
		if c.About == ToGallery {
			return c.Given, true
		}
	}
	return false, false
}
