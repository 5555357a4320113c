package idv

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// ErrNotFrames means that the bytes are not a packed FrameRun.
var ErrNotFrames = errors.New("not a packed run of frames")

// FramesMediaType is the media type of a packed FrameRun.
const FramesMediaType = "application/vnd.bonafide.frames"

// A packed run is: packedMagic, the length of the head (4 bytes, big endian), the head as JSON, the frames one after
// another.
const (
	packedMagic  = "bonafide frames 1\n"
	mostHeadSize = 64 << 10
)

// packedHead is everything in a run except its pictures.
type packedHead struct {
	Challenge  Challenge `json:"challenge"`
	IssuedAt   time.Time `json:"issued_at"`
	ReceivedAt time.Time `json:"received_at"`
	Camera     Camera    `json:"camera"`
	LightMS    []int     `json:"light_ms,omitempty"`
	Frames     []struct {
		AtMS int `json:"at_ms"`
		Size int `json:"size"`
	} `json:"frames"`
}

// PackFrames returns the bytes of a capture of kind Frames.
func PackFrames(r FrameRun) ([]byte, error) {
	h := packedHead{Challenge: r.Challenge, IssuedAt: r.IssuedAt.UTC(), ReceivedAt: r.ReceivedAt.UTC(), Camera: r.Camera, LightMS: r.LightMS}
	size := 0
	for _, f := range r.Frames {
		h.Frames = append(h.Frames, struct {
			AtMS int `json:"at_ms"`
			Size int `json:"size"`
		}{f.AtMS, len(f.JPEG)})
		size += len(f.JPEG)
	}
	head, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("pack frames: %w", err)
	}
	if len(head) > mostHeadSize {
		return nil, fmt.Errorf("pack frames: the head has %d bytes", len(head))
	}
	out := make([]byte, 0, len(packedMagic)+4+len(head)+size)
	out = append(out, packedMagic...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(head))) //nolint:gosec // bounded above
	out = append(out, head...)
	for _, f := range r.Frames {
		out = append(out, f.JPEG...)
	}
	return out, nil
}

// OpenFrames reads what PackFrames wrote. The frames share b's memory. ErrNotFrames if it is something else, is cut off,
// or holds more frames than MostFrames.
func OpenFrames(b []byte) (FrameRun, error) {
	h, rest, err := openHead(b)
	if err != nil {
		return FrameRun{}, err
	}
	run := FrameRun{Challenge: h.Challenge, IssuedAt: h.IssuedAt, ReceivedAt: h.ReceivedAt, Camera: h.Camera, LightMS: h.LightMS}
	for _, f := range h.Frames {
		if f.Size < 0 || f.Size > len(rest) {
			return FrameRun{}, fmt.Errorf("%w: a frame is cut off", ErrNotFrames)
		}
		run.Frames = append(run.Frames, Frame{AtMS: f.AtMS, JPEG: rest[:f.Size:f.Size]})
		rest = rest[f.Size:]
	}
	if len(rest) > 0 {
		return FrameRun{}, fmt.Errorf("%w: %d bytes too many", ErrNotFrames, len(rest))
	}
	return run, nil
}

func openHead(b []byte) (packedHead, []byte, error) {
	var h packedHead
	if len(b) < len(packedMagic)+4 || string(b[:len(packedMagic)]) != packedMagic {
		return h, nil, ErrNotFrames
	}
	b = b[len(packedMagic):]
	size := binary.BigEndian.Uint32(b)
	b = b[4:]
	if size > mostHeadSize || int(size) > len(b) {
		return h, nil, fmt.Errorf("%w: the head is cut off", ErrNotFrames)
	}
	if err := json.Unmarshal(b[:size], &h); err != nil {
		return h, nil, fmt.Errorf("%w: the head cannot be read", ErrNotFrames)
	}
	if len(h.Frames) > MostFrames {
		return h, nil, fmt.Errorf("%w: %d frames", ErrNotFrames, len(h.Frames))
	}
	return h, b[size:], nil
}
