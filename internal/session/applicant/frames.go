package applicant

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Limits of what a browser says of its camera, in characters.
const (
	maxCameraText = 200
	maxHints      = 16
	maxHint       = 64
	maxPixels     = 1 << 16
	maxFrameRate  = 1000
	maxColours    = 8 // more than a challenge ever has
)

// FrameSubmission is one run of frames for one step.
type FrameSubmission struct {
	Step      idv.Step
	Attempt   string // 1 to 64 letters, digits, - or _
	Challenge string // the token of the task's challenge
	TimesMS   []int  // one a frame, since the first one, rising
	LightMS   []int  // when the page showed each colour of the challenge, since the first frame; empty where it showed none
	Camera    idv.Camera
	Frames    [][]byte // JPEG, at most idv.MostFrames and idv.MostFrameBytes together
}

// SubmitFrames takes the frames that answer a challenge. It answers as Submit does, and repeats as Submit does. The
// challenge is used up, whatever becomes of the frames. Problems besides those of Submit: challenge.expired,
// liveness.challenge_missed where the frames are too few or span too short or long a time.
func (s *Captures) SubmitFrames(ctx context.Context, id idv.SessionID, sub FrameSubmission) (idv.Task, error) {
	t, err := s.submitFrames(ctx, id, sub)
	return s.challenges.withChallenge(ctx, id, t, err)
}

func (s *Captures) submitFrames(ctx context.Context, id idv.SessionID, sub FrameSubmission) (idv.Task, error) {
	if err := sub.check(); err != nil {
		return idv.Task{}, err
	}
	c, err := s.newFrames(id, sub)
	if err != nil {
		return idv.Task{}, err
	}
	if t, done, err := s.previousAnswer(ctx, s.store, c); done || err != nil {
		return t, err
	}
	last, engine, refused := s.precheck(ctx, c)
	if refused == nil {
		c.Bytes, refused = s.pack(ctx, id, sub)
	}
	if refused != nil {
		if t, done, err := s.previousAnswer(ctx, s.store, c); done { // the same attempt, sent twice, came in between
			return t, err
		}
		return idv.Task{}, refused
	}
	c.Size = int64(len(c.Bytes))
	in := sent{CaptureRow: session.CaptureRow{Capture: c}, original: c.SHA256, refusal: sub.unusable(), challenge: sub.Challenge}
	if in.refusal == nil {
		if in.refusal, err = s.glance(ctx, engine, c); err != nil {
			return idv.Task{}, err
		}
	}
	return s.saveCapture(ctx, in, last)
}

// newFrames is the capture of a run, without its bytes. Its digest is that of what was sent.
func (s *Captures) newFrames(id idv.SessionID, sub FrameSubmission) (idv.Capture, error) {
	cid, err := idv.NewID[idv.CaptureID](s.life.Now(), s.life.Random())
	if err != nil {
		return idv.Capture{}, err
	}
	about := map[string]any{"challenge": sub.Challenge, "times_ms": sub.TimesMS, "camera": sub.Camera}
	if len(sub.LightMS) > 0 {
		about["light_ms"] = sub.LightMS
	}
	head, err := json.Marshal(about)
	if err != nil {
		return idv.Capture{}, fmt.Errorf("digest frames: %w", err)
	}
	h := sha256.New()
	for _, part := range append([][]byte{head}, sub.Frames...) {
		_, _ = fmt.Fprintf(h, "%d:", len(part))
		_, _ = h.Write(part)
	}
	return idv.Capture{
		ID: cid, Session: id, Step: sub.Step, Kind: idv.Frames, Attempt: sub.Attempt, SHA256: idv.Digest(hex.EncodeToString(h.Sum(nil))),
		MediaType: idv.FramesMediaType, Source: idv.SourceCamera, CreatedAt: s.life.Now(),
	}, nil
}

// pack joins the frames with the challenge as the server issued it and with the server's own times.
func (s *Captures) pack(ctx context.Context, id idv.SessionID, sub FrameSubmission) ([]byte, error) {
	rec, err := s.store.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	row, err := s.challenges.verify(ctx, s.store, rec, sub.Step, sub.Challenge)
	if err != nil {
		return nil, err
	}
	run := idv.FrameRun{Challenge: row.Spec, IssuedAt: row.IssuedAt, ReceivedAt: s.life.Now(), Camera: sub.Camera, LightMS: sub.LightMS}
	for i, f := range sub.Frames {
		run.Frames = append(run.Frames, idv.Frame{AtMS: sub.TimesMS[i], JPEG: f})
	}
	return idv.PackFrames(run)
}

// check refuses what no browser of ours sends, by its field.
func (sub FrameSubmission) check() error {
	if sub.Step != idv.StepSelfie {
		return problem.New(problem.CaptureOutOfOrder)
	}
	if !attemptPattern.MatchString(sub.Attempt) {
		return session.Malformed("attempt", "1 to 64 letters, digits, hyphens or underscores")
	}
	if len(sub.TimesMS) != len(sub.Frames) {
		return session.Malformed("run/times_ms", "one time for each frame")
	}
	if len(sub.Frames) > idv.MostFrames || total(sub.Frames) > idv.MostFrameBytes {
		return problem.New(problem.RequestTooLarge).At("frame")
	}
	before := -1
	for _, at := range sub.TimesMS {
		if at <= before || at > idv.MostFrameSpanMS*10 {
			return session.Malformed("run/times_ms", "whole milliseconds since the first frame, rising")
		}
		before = at
	}
	if len(sub.TimesMS) > 0 && sub.TimesMS[0] != 0 {
		return session.Malformed("run/times_ms", "the first frame has the time 0")
	}
	if len(sub.LightMS) > maxColours {
		return session.Malformed("run/light_ms", "one time for each colour of the challenge")
	}
	before = 0
	for _, at := range sub.LightMS {
		if at < before || at > idv.MostFrameSpanMS*10 {
			return session.Malformed("run/light_ms", "whole milliseconds since the first frame, none before the one in front of it")
		}
		before = at
	}
	return checkCamera(sub.Camera)
}

func total(frames [][]byte) int {
	n := 0
	for _, f := range frames {
		n += len(f)
	}
	return n
}

func checkCamera(c idv.Camera) error {
	for field, v := range map[string]string{"run/camera/label": c.Label, "run/camera/facing": c.Facing} {
		if _, err := session.CleanText(v, field, maxCameraText); err != nil {
			return err
		}
	}
	if len(c.Hints) > maxHints {
		return session.Malformed("run/camera/hints", "at most %d", maxHints)
	}
	for _, h := range c.Hints {
		if _, err := session.CleanText(h, "run/camera/hints", maxHint); err != nil {
			return err
		}
	}
	if min(c.Width, c.Height) < 0 || max(c.Width, c.Height) > maxPixels {
		return session.Malformed("run/camera", "width and height in pixels")
	}
	if math.IsNaN(c.FrameRate) || c.FrameRate < 0 || c.FrameRate > maxFrameRate {
		return session.Malformed("run/camera/frame_rate", "frames a second")
	}
	return nil
}

// unusable answers what the frames are refused for without a look at any.
func (sub FrameSubmission) unusable() *problem.Error {
	n := len(sub.Frames)
	for _, f := range sub.Frames {
		head, err := jpeg.DecodeConfig(bytes.NewReader(f))
		if err != nil {
			return problem.New(problem.CaptureNotAnImage)
		}
		if head.Width*head.Height > idv.MostFramePixels {
			return problem.New(problem.CaptureTooManyPixels)
		}
	}
	if n < idv.LeastFrames || sub.TimesMS[n-1] < idv.LeastFrameSpanMS || sub.TimesMS[n-1] > idv.MostFrameSpanMS {
		return problem.New(problem.LivenessChallengeMissed)
	}
	return nil
}
