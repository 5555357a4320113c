package applicant

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

func uploadOf(u session.UploadRow, err error) (*wire.Answer[wire.Upload], error) {
	return wire.Reply(wire.Upload{
		ID: u.ID, Received: u.Received, PartBytes: applicant.UploadPartBytes, MostBytes: applicant.MostUploadBytes, ExpiresAt: u.ExpiresAt.UTC(),
	}, err)
}

func (h *Captures) startUpload(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Upload], error) {
	return uploadOf(h.uploads.StartUpload(ctx, edge.ApplicantSession(ctx)))
}

func (h *Captures) upload(ctx context.Context, in *uploadInput) (*wire.Answer[wire.Upload], error) {
	return uploadOf(h.uploads.Upload(ctx, edge.ApplicantSession(ctx), in.Upload))
}

func (h *Captures) dropUpload(ctx context.Context, in *uploadInput) (*wire.None, error) {
	return nil, h.uploads.DropUpload(ctx, edge.ApplicantSession(ctx), in.Upload)
}

func (h *Captures) sendPart(ctx context.Context, in *partInput) (*wire.Answer[wire.Upload], error) {
	req := edge.HTTPRequest(ctx)
	if req.Header.Get("Content-Type") != wire.PartMedia {
		return nil, problem.New(problem.RequestUnsupportedMedia).Saying("Send " + wire.PartMedia + ".")
	}
	leave, err := h.room.Enter(ctx, req, string(edge.ApplicantSession(ctx)), edge.Part.MaxBytes())
	if err != nil {
		return nil, err
	}
	defer leave()
	b, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, brokenPart(err)
	}
	return uploadOf(h.uploads.Append(ctx, edge.ApplicantSession(ctx), in.Upload, in.Offset, b))
}

// brokenPart returns the problem of a part that could not be read.
func brokenPart(err error) error {
	if p, ok := problem.As(err); ok { // no room, or too slow
		return p
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return problem.New(problem.RequestTooLarge)
	}
	return wire.Malformed("", "The part ended early.")
}

// submitUpload submits what was sent in parts. Its bytes are deleted once the attempt has its answer; a repeat of the attempt gets the
// same answer.
func (h *Captures) submitUpload(ctx context.Context, step idv.Step, f edge.Form) (idv.Task, error) {
	if f.Has("picture") || f.Has("frame") {
		return idv.Task{}, wire.Malformed("upload", "An upload, or the bytes themselves, not both.")
	}
	size, err := strconv.ParseInt(f.Text["size"], 10, 64)
	if err != nil {
		return idv.Task{}, wire.Malformed("size", "How many bytes the upload has.")
	}
	leave, err := h.room.Hold(ctx, min(size, applicant.MostUploadBytes))
	if err != nil {
		return idv.Task{}, err
	}
	defer leave()
	id, upload, attempt := edge.ApplicantSession(ctx), idv.UploadID(f.Text["upload"]), f.Text["attempt"]
	b, answered, err := h.uploads.Uploaded(ctx, id, upload, attempt, size)
	if err != nil {
		return idv.Task{}, err
	}
	if answered {
		return h.uploads.Answered(ctx, id, step, attempt)
	}
	t, err := h.submitBytes(ctx, step, f, b)
	if settled(err) {
		if err := h.uploads.EndUpload(ctx, id, upload, attempt); err != nil {
			h.log.WarnContext(ctx, "upload not ended", "session", id, "error", err) // it ends by its time
		}
	}
	return t, err
}

// settled reports whether an attempt got the answer that a repeat of it with the same bytes would get.
func settled(err error) bool {
	p, ok := problem.As(err)
	return err == nil || ok && p.Kind.Severity != problem.None
}

func (h *Captures) submitBytes(ctx context.Context, step idv.Step, f edge.Form, b []byte) (idv.Task, error) {
	if !f.Has("run") {
		return h.submitPicture(ctx, step, f, b)
	}
	run, err := wire.ReadFrameRun(f.Text["run"])
	if err != nil {
		return idv.Task{}, err
	}
	frames, err := cut(b, run.FrameBytes)
	if err != nil {
		return idv.Task{}, err
	}
	return h.submitFrames(ctx, step, f, run, frames)
}

// cut divides bytes into frames of those lengths. Problems: request.malformed.
func cut(b []byte, lengths []int) ([][]byte, error) {
	var frames [][]byte
	for _, n := range lengths {
		if n < 1 || n > len(b) {
			return nil, wire.Malformed("run/frame_bytes", "The length of each frame in bytes, together those of the upload.")
		}
		frames, b = append(frames, b[:n:n]), b[n:]
	}
	if len(b) > 0 {
		return nil, wire.Malformed("run/frame_bytes", "The length of each frame in bytes, together those of the upload.")
	}
	return frames, nil
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
