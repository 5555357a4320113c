package idv

import "strings"

// Device is the kind of device, according to its browser. It is a hint for statistics and decides nothing.
type Device string

// The devices; empty if the browser does not say.
const (
	PhoneDevice    Device = "phone"
	TabletDevice   Device = "tablet"
	ComputerDevice Device = "computer"
)

// DeviceOf returns the device for a User-Agent header. A tablet that calls itself a computer counts as one.
func DeviceOf(userAgent string) Device {
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(userAgent, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("iPad", "Tablet") || (has("Android") && !has("Mobile")):
		return TabletDevice
	case has("Mobile", "iPhone", "Android"):
		return PhoneDevice
	case has("Windows NT", "Macintosh", "X11", "CrOS"):
		return ComputerDevice
	default:
		return ""
	}
}
