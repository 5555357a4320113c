package idv_test

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestADeviceIsToldFromWhatTheBrowserSays(t *testing.T) {
	for ua, want := range map[string]idv.Device{
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1":                idv.PhoneDevice,
		"Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36": idv.PhoneDevice,
		"Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36":        idv.TabletDevice,
		"Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148":                                      idv.TabletDevice,
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36":       idv.ComputerDevice,
		"Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0":                                                idv.ComputerDevice,
		"curl/8.5.0": "",
		"":           "",
	} {
		if got := idv.DeviceOf(ua); got != want {
			t.Errorf("%q: got %q, want %q", ua, got, want)
		}
	}
}
