package idv

import "time"

// Frames is one run of frames from the front camera that answers a challenge. The bytes of such a capture are a packed
// FrameRun.
const Frames CaptureKind = "frames"

// Limits of a run.
const (
	LeastFrames      = 8
	MostFrames       = 90
	MostFrameBytes   = 12 << 20  // of all frames together
	MostFramePixels  = 4_000_000 // of one frame
	LeastFrameSpanMS = 3_000     // between the first frame and the last
	MostFrameSpanMS  = 40_000
)

// FrameRun is what a browser sent for a challenge, and what the server knows about it. The frames are as the camera delivered
// them: neither mirrored nor judged.
type FrameRun struct {
	Challenge  Challenge
	IssuedAt   time.Time // of the challenge, by the server's clock
	ReceivedAt time.Time // of the run: it cannot have lasted longer than the time between
	Camera     Camera
	LightMS    []int // when the browser claims to have shown each colour of Challenge.Light, ms since the first frame; empty if it did not
	Frames     []Frame
}

// Frame is one picture, with the time when the browser claims to have taken it, ms since the run's first frame.
type Frame struct {
	AtMS int
	JPEG []byte
}

// Camera is what a browser says about its camera and itself. These are hints: they can refer a session but never pass it.
type Camera struct {
	Label     string   `json:"label,omitempty"`
	Facing    string   `json:"facing,omitempty"`
	Width     int      `json:"width,omitempty"`
	Height    int      `json:"height,omitempty"`
	FrameRate float64  `json:"frame_rate,omitempty"`
	Hints     []string `json:"hints,omitempty"`
}

// The artifacts of a run beside the selfie and its template, with the type of their Data.
const (
	ArtifactTrack        ArtifactKind = "liveness_track" // Track
	ArtifactFrameDigests ArtifactKind = "frame_digests"  // FrameDigests
	ArtifactReplay       ArtifactKind = "frame_replay"   // Replay; made by the store of the digests
)

// Track describes the face over a run of frames.
type Track struct {
	Challenge Challenge     `json:"challenge"`
	WindowMS  int64         `json:"window_ms"` // between the challenge's issue and the run's receipt
	Camera    Camera        `json:"camera"`
	Models    []ModelRef    `json:"models"`
	Frames    []TrackFrame  `json:"frames"`
	Pairs     []FramePair   `json:"pairs"`              // what face and surroundings did between two frames
	Sizes     int           `json:"sizes"`              // different sizes of picture among the frames
	Repeats   int           `json:"repeats"`            // frames that repeat an earlier one except for the encoding
	Stills    int           `json:"stills"`             // frames that show nothing new except noise
	Blends    []FrameBlend  `json:"blends"`             // how well a frame is explained as a mixture of its neighbours
	Alike     FramesAlike   `json:"alike"`              // how like each other the faces of the frames are
	Head      *HeadMotion   `json:"head"`               // whether everything moved as one head; nil in tracks from versions that did not measure it
	LightMS   []int         `json:"light_ms,omitempty"` // as in FrameRun
	Light     []FrameLight  `json:"light,omitempty"`    // colours measured in each frame; empty if the challenge has no light
	Cost      time.Duration `json:"cost_ns"`            // of tracking, wall time
}

// TrackFrame is one frame. Lengths are parts of the frame's width, angles degrees.
type TrackFrame struct {
	AtMS     int      `json:"at_ms"`
	Fault    string   `json:"fault,omitempty"`    // why it could not be examined; the other fields are then empty
	Faces    int      `json:"faces"`              // large enough to be a person taking part
	Box      Box      `json:"box"`                // of the largest; parts of width and height
	Aspect   float64  `json:"aspect"`             // height of the frame over its width
	Yaw      float64  `json:"yaw"`                // relative to the usual pose of the head; > 0: the nose points to the left of the picture
	Pitch    float64  `json:"pitch"`              // likewise; > 0: up
	Roll     float64  `json:"roll"`               // of the eye line; > 0: it falls to the right
	Marks    []int    `json:"marks,omitempty"`    // 68 points x, y in ten-thousandths of the frame's width
	Likeness *float64 `json:"likeness,omitempty"` // cosine with the template of the straightest frame; nil if not compared
	Passive  *float64 `json:"passive,omitempty"`  // passive signal, 0 to 1; nil if not computed
}

// FramePair compares the surroundings of the face in two frames: how far they stay where they were, and how far they move
// along with the face. Each is a mean difference of grey values, 0 to 255.
type FramePair struct {
	From  int     `json:"from"` // index of the frame
	To    int     `json:"to"`
	Shift float64 `json:"shift"` // how far the face moved or grew, parts of its width
	Stay  float64 `json:"stay"`  // difference when the surroundings are taken to be where they were
	Along float64 `json:"along"` // difference when they are taken to have moved with the face
}

// FramesAlike compares the faces of several frames with each other.
type FramesAlike struct {
	Frames  []int     `json:"frames"`  // indexes, rising
	Cosines []float64 `json:"cosines"` // of their templates, −1 to 1: of each frame with those before it, row by row
}

// At returns the cosine of the i-th and the j-th of the compared frames, or −1 if there is none.
func (a FramesAlike) At(i, j int) float64 {
	if i < j {
		i, j = j, i
	}
	k := i*(i-1)/2 + j
	switch {
	case i == j:
		return 1
	case j < 0 || i >= len(a.Frames) || k >= len(a.Cosines):
		return -1
	default:
		return a.Cosines[k]
	}
}

// FrameBlend is how much of a frame is left when the best mixture of its two neighbours is taken away, as part of the
// difference between those neighbours. Frames of a camera keep noise of their own; mixed ones have none.
type FrameBlend struct {
	Frame int     `json:"frame"`
	Part  float64 `json:"part"`  // of the later neighbour in the mixture, 0 to 1
	Left  float64 `json:"left"`  // 0: wholly explained
	Apart float64 `json:"apart"` // mean difference of the neighbours, grey values
}

// FrameDigests are perceptual digests, one per frame: the more bits differ, the less similar two frames are.
type FrameDigests struct {
	Bits    int      `json:"bits"`
	Digests [][]byte `json:"digests"`
}

// Replay counts the frames of a run that resemble one of an earlier capture of this deployment.
type Replay struct {
	Frames     int `json:"frames"`      // of this run
	Near       int `json:"near"`        // of them, near any earlier frame
	Captures   int `json:"captures"`    // earlier captures that they are near to
	LongestRun int `json:"longest_run"` // most of them near one and the same earlier capture

	NearFrames []int `json:"near_frames,omitempty"` // indexes of those that are near any earlier frame, rising
}

// HeadMotion measures whether everything that moved in a run moved like one rigid head. Lengths are in distances between the eyes'
// outer corners.
type HeadMotion struct {
	Frames int     `json:"frames"` // with one face, whose mesh was compared
	Left   float64 `json:"left"`   // of the mesh's movement, when everything that a flat thing can do is taken away; root mean square
	First  float64 `json:"first"`  // of this, the part in its first direction, 0 to 1
	Depth  float64 `json:"depth"`  // how like this direction is to the mesh's depth, cosine
	Whole  float64 `json:"whole"`  // by how much the face around the nose moves for its depth, where the nose moves by 1

	Views int     `json:"views"` // pictures of the turned head that were compared with the straightest one by their pixels; 0: Rim and Bared say nothing
	Rim   float64 `json:"rim"`   // times by which the rim of the face, temples, ears and hair, changes more where the head is turned than where it is not
	Bared float64 `json:"bared"` // times by which more appears around the head that was neither there before, nor did the head bring it along
	Noses int     `json:"noses"` // pictures of the turned head whose face was found again by its pixels; 0: Nose says nothing
	Nose  float64 `json:"nose"`  // of how the face moved as no smooth surface does, the part that the depth of its nose explains, 0 to 1

	Sought int     `json:"sought"` // pictures of the turned head in which shoulders and chest were looked for; 0: Chest says nothing
	Chests int     `json:"chests"` // of these, pictures in which they were found
	Chest  float64 `json:"chest"`  // how far they go where the nose goes by 1; less than 0: to the other side
}
