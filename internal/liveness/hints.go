package liveness

import (
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// virtual are parts of the names that cameras without a lens give themselves.
var virtual = []string{
	"virtual", "obs", "manycam", "snap camera", "xsplit", "droidcam", "iriun", "epoccam", "camtwist", "mmhmm", "splitcam", "youcam",
	"v4l2loopback", "dummy video", "fake_device", "fake device", "e2esoft", "unity video capture", "nvidia broadcast",
}

// Hints lists what a browser says of itself that a person's browser seldom says: the hints that it sent, and
// virtual_camera for the name of a camera that is a program. Names lie in both directions: they can refer, no more.
func Hints(c idv.Camera) []string {
	out := slices.Clone(c.Hints)
	label := strings.ToLower(c.Label)
	if slices.ContainsFunc(virtual, func(name string) bool { return strings.Contains(label, name) }) {
		out = append(out, "virtual_camera")
	}
	return out
}
