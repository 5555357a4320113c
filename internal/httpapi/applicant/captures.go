package applicant

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// Captures answers the calls by which pictures and frames are sent.
type Captures struct {
	captures   *applicant.Captures
	uploads    *applicant.Uploads
	applicants *applicant.Service
	tasks      *tasks
	room       *edge.Room
	log        *slog.Logger
}

// Routes returns the calls, in the order of the reference.
func (h *Captures) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPut, Path: "/v1/applicant/steps/{step}", ID: "submitStep", Who: edge.Applicant, Sends: edge.Picture,
			Summary: "Send a picture or frames",
			Description: "What the task `takes`. The answer is the next task. A picture that cannot be used is refused at once with a reason and " +
				"a remedy; the step stays. The same attempt with the same picture answers as before. Frames answer the task's challenge, which is used up " +
				"by it; whatever is wrong with a challenge, the answer is `challenge.expired`, and the task has another one.",
			Form: stepForm(), Bind: edge.Call(h.submit),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/uploads", ID: "startUpload", Who: edge.Applicant, Sends: edge.JSON,
			Status:  http.StatusCreated,
			Summary: "Send a picture or frames in parts",
			Description: "For slow and broken lines: what is there stays there for an hour, and the step names the upload instead of holding the " +
				"bytes. Parts are no attempts. A session has at most three uploads; one more takes the place of the oldest.",
			Bind: edge.Call(h.startUpload),
		},
		{
			Method: http.MethodGet, Path: "/v1/applicant/uploads/{upload}", ID: "getUpload", Who: edge.Applicant,
			Summary:     "How much of an upload is there",
			Description: "After a broken connection: go on from `received`.",
			Bind:        edge.Call(h.upload),
		},
		{
			Method: http.MethodPatch, Path: "/v1/applicant/uploads/{upload}", ID: "sendPart", Who: edge.Applicant, Sends: edge.Part,
			Summary: "Send the next part",
			Description: "`application/partial-upload`, of at most `part_bytes`, with its first byte's place in `Upload-Offset`. Where the " +
				"upload does not end there, the answer is `capture.upload_offset`, and nothing is kept.",
			Bind: edge.Call(h.sendPart),
		},
		{
			Method: http.MethodDelete, Path: "/v1/applicant/uploads/{upload}", ID: "dropUpload", Who: edge.Applicant, Status: http.StatusNoContent,
			Summary:     "Drop an upload",
			Description: "Removes what was sent of it. One that is left alone goes within an hour.",
			Bind:        edge.Call(h.dropUpload),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/liveness", ID: "chooseLiveness", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Choose how to show that you are there",
			Description: "At the selfie, where the workflow asks for liveness. The task has a new challenge afterwards, or takes one picture " +
				"that goes to review.",
			Bind: edge.Call(h.chooseLiveness),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/reply", ID: "replyToQuestion", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Answer a question about the document",
			Description: "Where the problem of the task asks. `continue` goes on with this document, and takes it as what it looks like; " +
				"`other` asks for another one. Sending another picture of the step is an answer, too.",
			Bind: edge.Call(h.reply),
		},
	}
}

// submit answers a step with a picture or a run of frames.
func (h *Captures) submit(ctx context.Context, in *stepInput) (*wire.Answer[wire.Task], error) {
	if _, _, ok := in.Step.KindOf(); !ok {
		return nil, problem.New(problem.NotFound).At("step")
	}
	leave, err := h.room.Enter(ctx, edge.HTTPRequest(ctx), string(edge.ApplicantSession(ctx)), edge.Picture.MaxBytes())
	if err != nil {
		return nil, err
	}
	defer leave()
	form, err := edge.ReadForm(edge.HTTPRequest(ctx), stepFields)
	if err != nil {
		return nil, err
	}
	t, err := h.submitForm(ctx, in.Step, form)
	return h.tasks.reply(ctx, t, err)
}

// submitForm submits one picture or one run of frames, which came with the form or in parts before it.
func (h *Captures) submitForm(ctx context.Context, step idv.Step, f edge.Form) (idv.Task, error) {
	if f.Has("upload") {
		return h.submitUpload(ctx, step, f)
	}
	if !f.Has("run") && !f.Has("frame") {
		if !f.Has("picture") {
			return idv.Task{}, wire.Malformed("picture", "The field is missing.")
		}
		return h.submitPicture(ctx, step, f, f.Files["picture"])
	}
	if f.Has("picture") {
		return idv.Task{}, wire.Malformed("picture", "One picture or frames, not both.")
	}
	run, err := wire.ReadFrameRun(f.Text["run"])
	if err != nil {
		return idv.Task{}, err
	}
	return h.submitFrames(ctx, step, f, run, f.Lists["frame"])
}

func (h *Captures) submitPicture(ctx context.Context, step idv.Step, f edge.Form, b []byte) (idv.Task, error) {
	return h.captures.Submit(ctx, edge.ApplicantSession(ctx), applicant.Submission{
		Step: step, Attempt: f.Text["attempt"], MediaType: f.Types["picture"], Source: idv.Source(f.Text["source"]), Bytes: b,
	})
}

func (h *Captures) submitFrames(ctx context.Context, step idv.Step, f edge.Form, run wire.FrameRun, frames [][]byte) (idv.Task, error) {
	return h.captures.SubmitFrames(ctx, edge.ApplicantSession(ctx), applicant.FrameSubmission{
		Step: step, Attempt: f.Text["attempt"], Challenge: run.Challenge, TimesMS: run.TimesMS, LightMS: run.LightMS, Camera: run.Camera, Frames: frames,
	})
}

func (h *Captures) chooseLiveness(ctx context.Context, in *wire.Body[wire.LivenessChoice]) (*wire.Answer[wire.Task], error) {
	path := idv.LivenessPath(in.Body.Path)
	if in.Body.Path == wire.UsualPath {
		path = idv.UsualPath
	}
	t, err := h.applicants.ChooseLiveness(ctx, edge.ApplicantSession(ctx), path)
	return h.tasks.reply(ctx, t, err)
}

func (h *Captures) reply(ctx context.Context, in *wire.Body[wire.DocumentAnswer]) (*wire.Answer[wire.Task], error) {
	t, err := h.applicants.Answer(ctx, edge.ApplicantSession(ctx), in.Body.Reply)
	return h.tasks.reply(ctx, t, err)
}

// stepInput is the input of sending a picture; the form is read by the handler, streaming.
type stepInput struct {
	Step idv.Step `path:"step" maxLength:"40" doc:"The step that the task names"`
}

func stepForm() *huma.Schema {
	longest, shortest, most, times := 64, 8, idv.MostFrames, wire.MaxFrameRunBytes
	return wire.FormSchema([]string{"attempt"}, map[string]*huma.Schema{
		"attempt": {
			Type: huma.TypeString, MinLength: &shortest, MaxLength: &longest, Pattern: attemptPattern,
			Description: "Made by the client, new for each try; repeat it to repeat the call safely",
		},
		"upload": {Type: huma.TypeString, MaxLength: &longest, Description: "In place of `picture` or `frame`: the upload that was sent in parts"},
		"size":   {Type: huma.TypeString, MaxLength: &longest, Description: "With `upload`: how many bytes it has"},
		"picture": wire.FileSchema("Where the task takes a picture. JPEG, PNG or WebP; at most 15 MB and 50 megapixels; one still picture. " +
			"Or a PDF of at most 20 pages, which counts as a file: its first page is the picture, its second that of the back where this is asked for"),
		"source": {
			Type: huma.TypeString, Enum: []any{string(idv.SourceCamera), string(idv.SourceFile)},
			Description: "Where the picture comes from: taken in the page, or chosen from the files of the device. A task with `live_capture` takes `camera` only",
		},
		"run": {Type: huma.TypeString, MaxLength: &times, Description: "Where the task takes frames. A JSON object: `challenge` (the token of the " +
			"task's challenge), " +
			"`times_ms` (when each frame was taken: whole milliseconds since the first, rising), with `upload`, `frame_bytes` (how long each frame " +
			"is), and, as hints, `camera` (`label`, `facing`, `width`, `height`, `frame_rate`, `hints`)"},
		"frame": {Type: huma.TypeArray, MaxItems: &most, Items: wire.FileSchema("JPEG as the camera gives it, not mirrored"),
			Description: "Where the task takes frames: 8 to 90, in the order of `times_ms`; at most 12 MB together, 3 to 40 seconds"},
	})
}

const attemptPattern = "^[A-Za-z0-9_-]{8,64}$"

var stepFields = map[string]edge.Field{
	"attempt": {Most: 64, Required: true, Pattern: regexp.MustCompile(attemptPattern)},
	"upload":  {Most: 64},
	"size":    {Most: 16, Pattern: regexp.MustCompile("^[0-9]{1,9}$")},
	"source":  {Most: 16, Pattern: regexp.MustCompile("^(camera|file)$")},
	"picture": {File: true, Most: edge.MaxPictureBytes},
	"run":     {Most: wire.MaxFrameRunBytes},
	"frame":   {File: true, Most: idv.MostFrameBytes, Times: idv.MostFrames},
}
