package httpapi

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// none is the input of calls that take nothing.
type none struct{}

// body is the input of calls that take JSON and nothing else.
type body[T any] struct {
	Body T
}

// answer is the output of calls that answer JSON.
type answer[T any] struct {
	Body T
}

// reply makes an answer.
func reply[T any](v T, err error) (*answer[T], error) {
	if err != nil {
		return nil, err
	}
	return &answer[T]{Body: v}, nil
}

// empty is the body of calls that need no words: {} or nothing.
type empty struct{}

// Optional is a parameter that may be absent: the framework takes no pointers there.
type Optional[T any] struct {
	Value *T // nil where it is absent
	read  T
}

// Schema implements huma.SchemaProvider.
func (Optional[T]) Schema(r huma.Registry) *huma.Schema {
	return huma.SchemaFromType(r, reflect.TypeFor[T]())
}

// Receiver implements huma.ParamWrapper.
func (o *Optional[T]) Receiver() reflect.Value { return reflect.ValueOf(&o.read).Elem() }

// OnParamSet implements huma.ParamReactor.
func (o *Optional[T]) OnParamSet(there bool, _ any) {
	if there {
		o.Value = &o.read
	}
}

// BySession is the input of calls on one session. It is exported because the framework overlooks embedded
// structs that are not.
type BySession struct {
	ID idv.SessionID `path:"id" maxLength:"40" doc:"Session id"`
}

// bySessionPosted is the same for calls that are posted.
type bySessionPosted struct {
	BySession
	Body *empty `required:"false"`
}

// posted is the input of calls that are posted without words.
type posted struct {
	Body *empty `required:"false"`
}

// byCapture is the input of calls on one picture.
type byCapture struct {
	BySession
	Capture idv.CaptureID `path:"capture" maxLength:"40" doc:"Capture id"`
	Frame   int           `query:"frame" minimum:"-1" maximum:"89" default:"-1" doc:"Of a run of frames: this one, from 0; all of them in one picture if left out"`
}

// byArtifact is the input of calls on one derived picture.
type byArtifact struct {
	BySession
	Artifact idv.ArtifactID `path:"artifact" maxLength:"40" doc:"Artifact id"`
}

// SessionFilter narrows a list of sessions. Exported for the same reason.
type SessionFilter struct {
	State   []idv.SessionState  `query:"state" doc:"Only these states, separated by commas"`
	Outcome idv.DecisionOutcome `query:"outcome" maxLength:"20" doc:"Only this outcome"`
	Reason  string              `query:"reason" maxLength:"64" doc:"Only sessions decided for this reason code"`

	Workflow string             `query:"workflow" maxLength:"64" doc:"Only sessions of the workflow of this name, whatever its version"`
	Country  []string           `query:"country" maxItems:"50" doc:"Only documents issued by these states (ICAO 9303-3 §5 codes, as decided on), separated by commas"`
	Kind     []idv.DocumentKind `query:"document_kind" maxItems:"10" doc:"Only these kinds of document, separated by commas"`

	Query string `query:"q" maxLength:"200" doc:"An id or your own reference, exactly. Never a name: what is in a URL ends up in logs"`
	From  string `query:"from" maxLength:"30" doc:"Created at or after: YYYY-MM-DD or RFC 3339"`
	To    string `query:"to" maxLength:"30" doc:"Created before: YYYY-MM-DD or RFC 3339"`
	Limit int    `query:"limit" minimum:"1" maximum:"100" default:"25" doc:"Rows of a page"`
	After string `query:"after" maxLength:"200" doc:"The next of the page before"`
}

// consoleFilter narrows the console's list.
type consoleFilter struct {
	SessionFilter
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

// SinceInput is the input of live updates. Exported for the same reason.
type SinceInput struct {
	LastEventID string `header:"Last-Event-ID" maxLength:"64" doc:"Id of the last event that was seen"`
}

// watchInput is the input of the console's live updates.
type watchInput struct {
	SinceInput
	Session idv.SessionID `query:"session" required:"true" maxLength:"40" doc:"Session id"`
}

// picture is the output of calls that answer a picture.
type picture struct {
	ContentType        string `header:"Content-Type"`
	CacheControl       string `header:"Cache-Control" hidden:"true"`
	ContentDisposition string `header:"Content-Disposition" hidden:"true"`
	Body               []byte `contentType:"image/jpeg"`
}

// stream is the output of live updates.
type stream = huma.StreamResponse

// formOf describes a multipart body.
func formOf(required []string, fields map[string]*huma.Schema) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Properties: fields, Required: required, AdditionalProperties: false}
}

func file(doc string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "binary", Description: doc}
}

func stepForm() *huma.Schema {
	longest, shortest, most, times := 64, 8, idv.MostFrames, maxRunBytes
	return formOf([]string{"attempt"}, map[string]*huma.Schema{
		"attempt": {Type: huma.TypeString, MinLength: &shortest, MaxLength: &longest, Pattern: attemptPattern, Description: "Made by the client, new for each try; repeat it to repeat the call safely"},
		"upload":  {Type: huma.TypeString, MaxLength: &longest, Description: "In place of `picture` or `frame`: the upload that was sent in parts"},
		"size":    {Type: huma.TypeString, MaxLength: &longest, Description: "With `upload`: how many bytes it has"},
		"picture": file("Where the task takes a picture. JPEG, PNG or WebP; at most 15 MB and 50 megapixels; one still picture"),
		"run": {Type: huma.TypeString, MaxLength: &times, Description: "Where the task takes frames. A JSON object: `challenge` (the token of the task's challenge), " +
			"`times_ms` (when each frame was taken: whole milliseconds since the first, rising), with `upload`, `frame_bytes` (how long each frame is), and, as hints, `camera` (`label`, `facing`, `width`, `height`, `frame_rate`, `hints`)"},
		"frame": {Type: huma.TypeArray, MaxItems: &most, Items: file("JPEG as the camera gives it, not mirrored"),
			Description: "Where the task takes frames: 8 to 90, in the order of `times_ms`; at most 12 MB together, 3 to 40 seconds"},
	})
}

func verifyForm() *huma.Schema {
	longest, name := 4096, 64
	return formOf([]string{"document"}, map[string]*huma.Schema{
		"document": file("The side of the document with the portrait"),
		"back":     file("The other side"),
		"selfie":   file("The person's face"),
		"claims":   {Type: huma.TypeString, MaxLength: &longest, Description: "A JSON object of facts to compare with the document, such as {\"family_name\": \"…\"}"},
		"workflow": {Type: huma.TypeString, MaxLength: &name, Description: "Name of a published workflow; the default one if left out. One that asks for liveness refers at best: nothing here can show it"},
	})
}

// maxRunBytes is the most that is read of what is said about a run of frames.
const maxRunBytes = 8 << 10

const attemptPattern = "^[A-Za-z0-9_-]{8,64}$"
