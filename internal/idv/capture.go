package idv

import (
	"encoding/json"
	"fmt"
	"time"
)

// CaptureKind is the kind of raw evidence in a capture.
type CaptureKind string

// The kinds of capture.
const (
	DocumentImage CaptureKind = "document_image"
	FaceImage     CaptureKind = "face_image"
	ChipFiles     CaptureKind = "chip"   // a packed ChipRead
	WalletData    CaptureKind = "wallet" // a packed WalletAnswer
)

// KindOf returns the kind of capture of a step that takes a single picture; false for steps that take none.
func (s Step) KindOf() (CaptureKind, Side, bool) {
	switch s {
	case StepDocumentFront:
		return DocumentImage, Front, true
	case StepDocumentBack:
		return DocumentImage, Back, true
	case StepSelfie:
		return FaceImage, NoSide, true
	default:
		return "", NoSide, false
	}
}

// HasPicture reports whether a capture shows a document or a face, rather than holding signed data.
func (k CaptureKind) HasPicture() bool { return k != ChipFiles && k != WalletData }

// CaptureOf returns the kind of capture that a step of a session takes: a selfie is a run of frames if the workflow asks for
// liveness, unless the session goes straight to a person.
func (w WorkflowVersion) CaptureOf(s Step, path LivenessPath) (CaptureKind, Side, bool) {
	if s == StepSelfie && w.AsksLiveness() && path != PersonPath {
		return Frames, NoSide, true
	}
	return s.KindOf()
}

// Source is where a picture came from, according to the page, which proves nothing. Frames always come from a camera.
type Source string

// The sources. A client that says nothing leaves the source unknown.
const (
	SourceUnknown Source = ""
	SourceCamera  Source = "camera" // taken by the page
	SourceFile    Source = "file"   // chosen from the files of the device
)

// Capture is raw evidence as it was sent. It never changes.
type Capture struct {
	ID        CaptureID
	Session   SessionID
	Step      Step
	Side      Side
	Kind      CaptureKind
	Attempt   string // chosen by the client, unique within the session
	SHA256    Digest
	Size      int64
	MediaType string
	Source    Source
	CreatedAt time.Time
	Bytes     []byte `json:"-"` // loaded only if the picture is processed
	Mode      Mode   `json:"-"` // of its session; set where that matters to what it shows
	Faceless  bool   `json:"-"` // biometrics were declined: no template is made of a face in it, and no crop
}

// ArtifactKind is the kind of thing found in a capture.
type ArtifactKind string

// The kinds of artifact, with the type of their Data.
const (
	ArtifactPage             ArtifactKind = "page"              // Page
	ArtifactMRZ              ArtifactKind = "mrz"               // MRZ
	ArtifactBarcode          ArtifactKind = "barcode"           // Barcode
	ArtifactPortrait         ArtifactKind = "portrait"          // Face; Blob is a JPEG crop of the portrait, none where biometrics were declined
	ArtifactPortraitTemplate ArtifactKind = "portrait_template" // Template
	ArtifactSelfie           ArtifactKind = "selfie"            // SelfieFace; Blob is a JPEG crop of the face
	ArtifactSelfieTemplate   ArtifactKind = "selfie_template"   // Template
	ArtifactChip             ArtifactKind = "chip"              // Chip
	ArtifactWallet           ArtifactKind = "wallet"            // Wallet
)

// Artifact is a thing found in a capture, or the reason why it was not found. Either way it is settled.
type Artifact struct {
	ID       ArtifactID
	Session  SessionID
	Capture  CaptureID
	Side     Side
	Kind     ArtifactKind
	Present  bool
	Absent   string          // reason code when not Present
	Producer string          // what made it: package and model names
	Version  string          // version of the producer
	Inputs   []Digest        // what it was made from
	Data     json.RawMessage // the typed value, by Kind
	Blob     []byte          `json:"-"` // a derived picture, if there is one
	BlobType string          // media type of Blob
}

// PresentArtifact makes an artifact of kind k from its typed value.
func PresentArtifact(k ArtifactKind, c Capture, data any) (Artifact, error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return Artifact{}, fmt.Errorf("encode artifact %s: %w", k, err)
	}
	return Artifact{Session: c.Session, Capture: c.ID, Side: c.Side, Kind: k, Present: true, Inputs: []Digest{c.SHA256}, Data: raw}, nil
}

// AbsentArtifact settles an artifact of kind k as not found, with a reason code.
func AbsentArtifact(k ArtifactKind, c Capture, code string) Artifact {
	return Artifact{Session: c.Session, Capture: c.ID, Side: c.Side, Kind: k, Absent: code, Inputs: []Digest{c.SHA256}}
}

// ValueOf decodes an artifact's typed value.
func ValueOf[T any](a Artifact) (T, error) {
	var v T
	if !a.Present {
		return v, fmt.Errorf("artifact %s is absent: %s", a.Kind, a.Absent)
	}
	if err := json.Unmarshal(a.Data, &v); err != nil {
		return v, fmt.Errorf("decode artifact %s: %w", a.Kind, err)
	}
	return v, nil
}
