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

// said are the hints that a browser's own page sends. Whatever else is posted is somebody's choice of words.
var said = []string{"webdriver", "headless", "emulator", "software_renderer", "virtual_camera", "no_camera_events"}

// Hints lists what a browser says of itself that a person's browser seldom says: the hints that are known, another_hint
// for all others, and virtual_camera for the name of a camera that is a program. Names lie in both directions: they can
// refer, no more.
func Hints(c idv.Camera) []string {
	var out []string
	add := func(hint string) {
		if !slices.Contains(out, hint) {
			out = append(out, hint)
		}
	}
	for _, h := range c.Hints {
		if slices.Contains(said, h) {
			add(h)
		} else {
			add("another_hint")
		}
	}
	label := strings.ToLower(c.Label)
	if slices.ContainsFunc(virtual, func(name string) bool { return strings.Contains(label, name) }) {
		add("virtual_camera")
	}
	return out
}
