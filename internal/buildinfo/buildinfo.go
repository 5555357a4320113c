// Package buildinfo says which version of the program runs and what it was built from.
package buildinfo

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by make release.
var version = "0.1.0-dev"

// Info identifies a build.
type Info struct {
	Version  string // such as 0.1.0; ends in -dev outside of a release
	Commit   string // the first 12 digits, with +changes where files differed from it; empty where it is not known
	Date     string // of the commit, in RFC 3339 and UTC; empty where it is not known
	Platform string // such as linux/amd64
	Go       string // such as go1.26.0
}

// Read returns the Info of this program.
func Read() Info {
	settings := map[string]string{}
	if b, ok := debug.ReadBuildInfo(); ok {
		for _, s := range b.Settings {
			settings[s.Key] = s.Value
		}
	}
	return of(settings)
}

func of(settings map[string]string) Info {
	i := Info{Version: version, Date: settings["vcs.time"], Platform: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()}
	if c := settings["vcs.revision"]; c != "" {
		i.Commit = c[:min(12, len(c))]
		if settings["vcs.modified"] == "true" {
			i.Commit += "+changes"
		}
	}
	return i
}

// String returns everything in one line.
func (i Info) String() string {
	return fmt.Sprintf("%s (commit %s, %s, %s, %s)", i.Version, cmp.Or(i.Commit, "unknown"), cmp.Or(i.Date, "date unknown"), i.Platform, i.Go)
}
