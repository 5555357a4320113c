package httpapi

import (
	"regexp"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// byArtifact is the input of calls on one derived picture.
type byArtifact struct {
	wire.BySession
	Artifact idv.ArtifactID `path:"artifact" maxLength:"40" doc:"Artifact id"`
}

// consoleFilter narrows the console's list.
type consoleFilter struct {
	wire.SessionFilter
	Mode idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's sessions"`
}

// stepInput is the input of sending a picture; the form is read by the handler, streaming.
type stepInput struct {
	Step idv.Step `path:"step" maxLength:"40" doc:"The step that the task names"`
}

// uploadInput is the input of calls on one upload.
type uploadInput struct {
	Upload idv.UploadID `path:"upload" maxLength:"40" doc:"Upload id"`
}

// partInput is the input of sending a part; its bytes are read by the handler.
type partInput struct {
	Upload idv.UploadID `path:"upload" maxLength:"40" doc:"Upload id"`
	Offset int64        `header:"Upload-Offset" required:"true" minimum:"0" doc:"Place of the part's first byte"`
}

// watchInput is the input of the console's live updates.
type watchInput struct {
	wire.SinceInput
	Session idv.SessionID `query:"session" required:"true" maxLength:"40" doc:"Session id"`
}

func stepForm() *huma.Schema {
	longest, shortest, most, times := 64, 8, idv.MostFrames, wire.MaxFrameRunBytes
	return wire.FormSchema([]string{"attempt"}, map[string]*huma.Schema{
		"attempt": {Type: huma.TypeString, MinLength: &shortest, MaxLength: &longest, Pattern: attemptPattern, Description: "Made by the client, new for each try; repeat it to repeat the call safely"},
		"upload":  {Type: huma.TypeString, MaxLength: &longest, Description: "In place of `picture` or `frame`: the upload that was sent in parts"},
		"size":    {Type: huma.TypeString, MaxLength: &longest, Description: "With `upload`: how many bytes it has"},
		"picture": wire.FileSchema("Where the task takes a picture. JPEG, PNG or WebP; at most 15 MB and 50 megapixels; one still picture"),
		"run": {Type: huma.TypeString, MaxLength: &times, Description: "Where the task takes frames. A JSON object: `challenge` (the token of the task's challenge), " +
			"`times_ms` (when each frame was taken: whole milliseconds since the first, rising), with `upload`, `frame_bytes` (how long each frame is), and, as hints, `camera` (`label`, `facing`, `width`, `height`, `frame_rate`, `hints`)"},
		"frame": {Type: huma.TypeArray, MaxItems: &most, Items: wire.FileSchema("JPEG as the camera gives it, not mirrored"),
			Description: "Where the task takes frames: 8 to 90, in the order of `times_ms`; at most 12 MB together, 3 to 40 seconds"},
	})
}

func verifyForm() *huma.Schema {
	longest, name := 4096, 64
	return wire.FormSchema([]string{"document"}, map[string]*huma.Schema{
		"document": wire.FileSchema("The side of the document with the portrait"),
		"back":     wire.FileSchema("The other side"),
		"selfie":   wire.FileSchema("The person's face"),
		"claims":   {Type: huma.TypeString, MaxLength: &longest, Description: "A JSON object of facts to compare with the document, such as {\"family_name\": \"…\"}"},
		"workflow": {Type: huma.TypeString, MaxLength: &name, Description: "Name of a published workflow; the default one if left out. One that asks for liveness refers at best: nothing here can show it"},
	})
}

const attemptPattern = "^[A-Za-z0-9_-]{8,64}$"

var (
	stepFields = map[string]edge.Field{
		"attempt": {Most: 64, Required: true, Pattern: regexp.MustCompile(attemptPattern)},
		"upload":  {Most: 64},
		"size":    {Most: 16, Pattern: regexp.MustCompile("^[0-9]{1,9}$")},
		"picture": {File: true, Most: edge.MaxPictureBytes},
		"run":     {Most: wire.MaxFrameRunBytes},
		"frame":   {File: true, Most: idv.MostFrameBytes, Times: idv.MostFrames},
	}
	logoFields   = map[string]edge.Field{"logo": {File: true, Most: brand.MaxLogoBytes, Required: true}}
	verifyFields = map[string]edge.Field{
		"document": {File: true, Most: edge.MaxPictureBytes, Required: true},
		"back":     {File: true, Most: edge.MaxPictureBytes},
		"selfie":   {File: true, Most: edge.MaxPictureBytes},
		"claims":   {Most: 4096},
		"workflow": {Most: 64},
	}
)
