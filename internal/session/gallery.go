package session

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
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

// GalleryState is whether a server can search a gallery.
type GalleryState string

// The states.
const (
	GalleryReady    GalleryState = "ready"
	GalleryLoading  GalleryState = "loading"
	GalleryNotReady GalleryState = "not_ready"
)

// GalleryUnread is why a gallery is not ready that could not be read; the other reasons are faults of a search.
const GalleryUnread idv.GalleryFault = "unread"

// KeptGallery is how many faces a gallery holds, how it is with them in this server, and how many the measured rates carry.
type KeptGallery struct {
	Name    string
	Faces   int
	State   GalleryState
	Why     idv.GalleryFault // of one that is not ready; of a ready one too large, where no face counts by itself any more
	Memory  int64            // bytes that its faces take
	Carries []GalleryCarries // by target, strictest first; none where the rates reach none
}

// GalleryCarries is among how many faces one counts by itself at a target.
type GalleryCarries struct {
	Target string // of idv.GalleryTargets
	Faces  int
	Alone  float64 // similarity from which a face counts by itself among those that there are now; 0 where none does
	Beside float64 // from which it counts if something else agrees; 0 where none does
}

// KeptFace is that a gallery keeps the face of a session.
type KeptFace struct {
	Gallery string // its name
	Until   time.Time
}

// FaceReader reads whose faces are kept, and which of them are on the block list.
type FaceReader interface {
	// KeptFace answers that of a session; false where there is none.
	KeptFace(ctx context.Context, id idv.SessionID) (KeptFace, bool, error)
	// FaceEntries lists the entries of the block list about the face of a session, oldest first, whatever their state.
	FaceEntries(ctx context.Context, id idv.SessionID) ([]BlockEntry, error)
	// ListedFaces lists the faces of other sessions in the gallery of the settings that an entry is about which is in force at that time.
	ListedFaces(ctx context.Context, rec Record, set idv.GallerySettings, now time.Time) ([]idv.ListedFace, error)
}

// GalleryWriter keeps faces of those who agreed to it.
type GalleryWriter interface {
	// EnrolFace keeps the face of a session in the gallery of the settings, in place of one that it had. An entry of the block list about
	// that other one goes with it.
	EnrolFace(ctx context.Context, rec Record, set idv.GallerySettings, face FaceTemplate) error
	// DropFace removes the face of a session from whatever gallery it is in, with entries of the block list about it, and returns how many
	// faces were there.
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

// EndingFaceEntries does what may remove the face of a session, and puts on record which entries of the block list went with it.
func EndingFaceEntries(ctx context.Context, tx Tx, id idv.SessionID, f func() error) error {
	before, err := tx.FaceEntries(ctx, id)
	if err != nil {
		return err
	}
	if err := f(); err != nil || len(before) == 0 {
		return err
	}
	after, err := tx.FaceEntries(ctx, id)
	if err != nil {
		return err
	}
	for _, e := range before {
		left := slices.ContainsFunc(after, func(o BlockEntry) bool { return o.ID == e.ID })
		if left || !e.RemovedAt.IsZero() {
			continue
		}
		if err := tx.Audit(ctx, audit.Record{Action: "blocklist.removed", Session: id, Subject: string(e.ID)}); err != nil {
			return err
		}
	}
	return nil
}
