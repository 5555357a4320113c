package wire

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// MaxFrameRunBytes is the most that is read of what is said about a run of frames.
const MaxFrameRunBytes = 8 << 10

// Challenge is what a run of frames has to show, and when.
type Challenge struct {
	Token      string          `json:"token" doc:"Send it back with the frames, as it is. Good for one answer"`
	ExpiresAt  time.Time       `json:"expires_at" doc:"Read the task again after this: there is another one then"`
	Prompts    []Prompt        `json:"prompts" doc:"In the order of time"`
	DurationMS int             `json:"duration_ms" doc:"Of the whole run, from its first frame"`
	Gentle     bool            `json:"gentle" doc:"Small movements suffice"`
	Light      []Glow          `json:"light" doc:"Soft colours to show around the face meanwhile; empty for none. Show none to people who prefer less motion"`
	Limits     ChallengeLimits `json:"limits"`
}

// Prompt is one movement asked for.
type Prompt struct {
	Move  idv.Movement `json:"move" doc:"As the person makes it: left is their own left, whatever a mirrored preview shows"`
	AtMS  int          `json:"at_ms" doc:"When to show it, since the first frame"`
	ForMS int          `json:"for_ms" doc:"How long; then the head goes back to straight until the next one"`
}

// Glow is one colour that the screen shows.
type Glow struct {
	Colour idv.Colour `json:"colour" doc:"As CSS writes it, in sRGB" pattern:"^#[0-9a-f]{6}$"`
	AtMS   int        `json:"at_ms" doc:"When to show it, since the first frame"`
	ForMS  int        `json:"for_ms" doc:"How long"`
}

// ChallengeLimits are those of a run of frames.
type ChallengeLimits struct {
	LeastFrames int `json:"least_frames"`
	MostFrames  int `json:"most_frames"`
	MostBytes   int `json:"most_bytes" doc:"Of all frames together"`
	LeastSpanMS int `json:"least_span_ms" doc:"Between the first frame and the last"`
	MostSpanMS  int `json:"most_span_ms"`
}

// LivenessChoice is how the person shows that they are there.
type LivenessChoice struct {
	Path string `json:"path" enum:"usual,gentle,person"`
}

// UsualPath is the word for no choice at all.
const UsualPath = "usual"

// ChallengeOf returns the wire form of a challenge, or nil if there is none.
func ChallengeOf(c *idv.IssuedChallenge) *Challenge {
	if c == nil {
		return nil
	}
	out := Challenge{
		Token: c.Token, ExpiresAt: c.ExpiresAt.UTC(), Prompts: []Prompt{}, Light: []Glow{}, DurationMS: c.DurationMS, Gentle: c.Gentle,
		Limits: ChallengeLimits{
			LeastFrames: idv.LeastFrames, MostFrames: idv.MostFrames, MostBytes: idv.MostFrameBytes,
			LeastSpanMS: idv.LeastFrameSpanMS, MostSpanMS: idv.MostFrameSpanMS,
		},
	}
	for _, p := range c.Prompts {
		out.Prompts = append(out.Prompts, Prompt(p))
	}
	for _, g := range c.Light {
		out.Light = append(out.Light, Glow(g))
	}
	return &out
}

// FrameRun is what a browser says about the frames that it sends. It says when they were taken and when the screen showed
// which colour, and nothing about what they show: there is no field for that, and one that is sent is refused.
type FrameRun struct {
	Challenge  string     `json:"challenge"`
	TimesMS    []int      `json:"times_ms"`
	FrameBytes []int      `json:"frame_bytes"` // of frames that were sent in parts
	LightMS    []int      `json:"light_ms"`    // when each colour was shown; left out where none was
	Camera     idv.Camera `json:"camera"`
}

// runFields are the fields of a run, and below them those of its camera.
var runFields = map[string][]string{
	"":       {"challenge", "times_ms", "frame_bytes", "light_ms", "camera"},
	"camera": {"label", "facing", "width", "height", "frame_rate", "hints"},
}

// ReadFrameRun reads the form's JSON object about frames. Problems: request.malformed, request.unknown_field.
func ReadFrameRun(raw string) (FrameRun, error) {
	var run FrameRun
	clean, err := CleanJSON([]byte(raw))
	if err != nil {
		if p, ok := problem.As(err); ok {
			return run, p.At("run" + p.Field)
		}
		return run, err
	}
	var tree map[string]json.RawMessage
	if err := json.Unmarshal(clean, &tree); err != nil {
		return run, Malformed("run", "A JSON object.")
	}
	if err := onlyFields(tree, "", "run/"); err != nil {
		return run, err
	}
	var camera map[string]json.RawMessage
	if len(tree["camera"]) > 0 {
		if err := json.Unmarshal(tree["camera"], &camera); err != nil {
			return run, Malformed("run/camera", "A JSON object.")
		}
	}
	if err := onlyFields(camera, "camera", "run/camera/"); err != nil {
		return run, err
	}
	if err := json.Unmarshal(clean, &run); err != nil {
		return run, Malformed("run", "The fields do not have the form that the API reference states.")
	}
	return run, nil
}

// onlyFields refuses the first name, in their order, that is not a field of the object.
func onlyFields(tree map[string]json.RawMessage, object, at string) error {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		known := false
		for _, f := range runFields[object] {
			known = known || f == name
		}
		if !known {
			return problem.New(problem.RequestUnknownField).At(at + pointerToken(name))
		}
	}
	return nil
}
