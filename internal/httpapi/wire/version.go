package wire

import (
	"slices"
	"time"
)

// Version is a dated version of the API, such as 2026-11-24. Within a version answers only grow: fields, values of enums and events are
// added, and none is removed or changes its meaning.
type Version string

// VersionHeader names the version that a call asks for, and the one that it is answered in.
const VersionHeader = "Bonafide-Version"

// firstVersion is the API as it was before there were versions.
const firstVersion Version = "2026-06-01"

// VersionRow is one row of the table of versions.
type VersionRow struct {
	Version    Version   `json:"version" example:"2026-11-24"`
	Deprecated time.Time `json:"-"` // zero while it is not
	Ends       time.Time `json:"-"` // when it stops being answered; zero while that is not decided
	Changes    []string  `json:"-"` // against the version before, as the reference prints them
}

// versions is the table of versions, the newest first.
var versions = []VersionRow{
	{
		Version: "2026-11-24",
		Changes: []string{
			"`type` of a problem is an absolute address.",
			"`severity` of a problem is left out where it means nothing for a verdict; it was an empty text.",
			"`session.conflict` says the present state of the session in `state`.",
		},
	},
	{
		Version: firstVersion, Deprecated: time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC), Ends: time.Date(2027, 11, 24, 0, 0, 0, 0, time.UTC),
		Changes: []string{"The API as it was before versions had dates."},
	},
}

// Versions returns the table of versions, the newest first.
func Versions() []VersionRow { return slices.Clone(versions) }

// CurrentVersion is the version of calls that ask for none.
func CurrentVersion() Version { return versions[0].Version }

// VersionOf finds a version; false for one that there is not.
func VersionOf(name string) (VersionRow, bool) {
	i := slices.IndexFunc(versions, func(r VersionRow) bool { return string(r.Version) == name })
	if i < 0 {
		return VersionRow{}, false
	}
	return versions[i], true
}

// ProgramVersion is what runs, and which versions of the API it answers in.
type ProgramVersion struct {
	Version string `json:"version" example:"0.1.0" doc:"Of the program"`
	Commit  string `json:"commit" example:"0123456789ab" doc:"What it was built from; empty where that is not known"`
	Date    string `json:"date" example:"2026-11-24T12:00:00Z" doc:"Of the commit; empty where that is not known"`

	API      Version      `json:"api_version" example:"2026-11-24" doc:"Of calls that ask for none"`
	Versions []APIVersion `json:"api_versions" nullable:"false" doc:"That can be asked for, the newest first"`
}

// APIVersion is a version that can be asked for.
type APIVersion struct {
	Version    Version    `json:"version" example:"2026-11-24"`
	Deprecated *time.Time `json:"deprecated_at" doc:"Since when another one should be asked for; null while it need not"`
	Ends       *time.Time `json:"ends_at" doc:"It is answered until then; null while that is not decided"`
}

// APIVersions returns the wire form of the table of versions.
func APIVersions() []APIVersion {
	out := []APIVersion{}
	for _, r := range versions {
		out = append(out, APIVersion{Version: r.Version, Deprecated: OptionalTime(r.Deprecated), Ends: OptionalTime(r.Ends)})
	}
	return out
}
