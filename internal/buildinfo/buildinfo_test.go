package buildinfo

import (
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestABuildIsIdentifiedByVersionCommitAndDate(t *testing.T) {
	tests := map[string]struct {
		settings map[string]string
		want     Info
	}{
		"of a commit": {
			map[string]string{"vcs.revision": "0123456789abcdef", "vcs.time": "2026-11-24T12:00:00Z", "vcs.modified": "false"},
			Info{Version: version, Commit: "0123456789ab", Date: "2026-11-24T12:00:00Z"},
		},
		"with changes": {
			map[string]string{"vcs.revision": "0123456789abcdef", "vcs.time": "2026-11-24T12:00:00Z", "vcs.modified": "true"},
			Info{Version: version, Commit: "0123456789ab+changes", Date: "2026-11-24T12:00:00Z"},
		},
		"outside of a repository": {nil, Info{Version: version}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.want.Platform, tt.want.Go = runtime.GOOS+"/"+runtime.GOARCH, runtime.Version()
			if diff := cmp.Diff(tt.want, of(tt.settings)); diff != "" {
				t.Errorf("build (-want +got):\n%s", diff)
			}
		})
	}
	line := Info{Version: "1.2.3", Platform: "linux/amd64", Go: "go1"}.String()
	if want := "1.2.3 (commit unknown, date unknown, linux/amd64, go1)"; line != want {
		t.Errorf("got %q, want %q", line, want)
	}
}
