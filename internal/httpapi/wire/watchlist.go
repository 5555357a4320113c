package wire

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// Watchlists are the watchlists of a deployment.
type Watchlists struct {
	Items    []Watchlist          `json:"items" nullable:"false" doc:"By name"`
	Compiled CompiledLists        `json:"compiled" doc:"What the server that answers searches"`
	Missing  []idv.ScreeningTopic `json:"missing" nullable:"false" enum:"sanctions,pep,watch" doc:"Topics that no list in use covers"`
}

// WatchlistList is the watchlists of a deployment, by name.
type WatchlistList struct {
	Items []Watchlist `json:"items" nullable:"false"`
}

// CompiledLists is the index that a server searches.
type CompiledLists struct {
	SHA256 string `json:"sha256" doc:"Of the index; empty before there is one"`
	People int    `json:"people"`
	Names  int    `json:"names"`
	Broken bool   `json:"broken" doc:"The lists as they are now could not be compiled; see the server's log"`
}

// Watchlist is a watchlist with its versions.
type Watchlist struct {
	ID          idv.WatchlistID      `json:"id"`
	Title       string               `json:"title"`
	Topics      []idv.ScreeningTopic `json:"topics" nullable:"false" doc:"What the list covers"`
	Licence     string               `json:"licence" doc:"On which terms you use it"`
	Source      string               `json:"source" doc:"https address that it is fetched from; empty for by hand"`
	EveryHours  int                  `json:"every_hours" doc:"Between two fetches"`
	MaxAgeHours int                  `json:"max_age_hours" doc:"Beyond it people are referred; 0 for never"`
	LookFirst   bool                 `json:"look_first" doc:"A new version waits until somebody activates it"`
	Disabled    bool                 `json:"disabled" doc:"Nobody is looked for on it"`
	Name        string               `json:"name"`
	State       string               `json:"state" enum:"current,old,held,empty,disabled" doc:"Old, held and empty refer"`
	AsOf        *time.Time           `json:"as_of" doc:"When the version in use was known to be current"`
	Origin      WatchlistOrigin      `json:"origin" doc:"Where lists of this format come from"`
	NextFetch   *time.Time           `json:"next_fetch"`
	LastFetch   *time.Time           `json:"last_fetch"`
	Fault       lists.Fault          `json:"fault" enum:",target,redirect,status,connection,file" doc:"Why the last fetch failed; empty where it went well"`
	Fails       int                  `json:"fails" doc:"Failed fetches in a row"`
	CreatedAt   time.Time            `json:"created_at"`
	Versions    []WatchlistVersion   `json:"versions" nullable:"false" doc:"Newest first"`
}

// WatchlistOrigin is who publishes a list and on which terms.
type WatchlistOrigin struct {
	Publisher string `json:"publisher"`
	Website   string `json:"website"`
	Licence   string `json:"licence"`
}

// WatchlistSettings are what an operator settles about a list.
type WatchlistSettings struct {
	Title       string               `json:"title" maxLength:"200" doc:"For people; the name if left out" required:"false"`
	Topics      []idv.ScreeningTopic `json:"topics" minItems:"1" maxItems:"3" nullable:"false" enum:"sanctions,pep,watch" doc:"What the list covers"`
	Licence     string               `json:"licence" maxLength:"500" required:"false" doc:"On which terms you use it"`
	Source      string               `json:"source" maxLength:"2000" required:"false" doc:"https address that it is fetched from; empty for by hand"`
	EveryHours  int                  `json:"every_hours" minimum:"0" maximum:"744" required:"false" doc:"Between two fetches"`
	MaxAgeHours int                  `json:"max_age_hours" minimum:"0" maximum:"8784" required:"false" doc:"Beyond it people are referred; 0 for never"`
	LookFirst   bool                 `json:"look_first" required:"false" doc:"A new version waits until somebody activates it"`
	Disabled    bool                 `json:"disabled" required:"false" doc:"Nobody is looked for on it"`
}

// NewWatchlist is what it takes to make a list.
type NewWatchlist struct {
	Name string `json:"name" maxLength:"41" doc:"Small letters, digits and hyphens; never changes"`
	WatchlistSettings
}

// WatchlistVersion is a version of a list.
type WatchlistVersion struct {
	ID           idv.WatchlistVersionID `json:"id"`
	State        lists.State            `json:"state" enum:"importing,held,waiting,active,retired,failed"`
	Why          []watchlist.Reason     `json:"why" nullable:"false" enum:"empty,shrunk,older,other_kind,unreadable,not_a_list,broken" doc:"It was held"`
	Format       watchlist.Format       `json:"format"`
	SHA256       string                 `json:"sha256" doc:"Of the file"`
	Bytes        int64                  `json:"bytes"`
	PublishedAt  *time.Time             `json:"published_at" doc:"As the file says"`
	Entries      int                    `json:"entries"`
	People       int                    `json:"people"`
	Names        int                    `json:"names"`
	Rejected     int                    `json:"rejected" doc:"Entries that could not be read"`
	RejectedRows []int                  `json:"rejected_rows" nullable:"false" doc:"Lines of the first 20 of these, from 1 on; none for XML"`
	Added        int                    `json:"added" doc:"Against the version that was in use when it came"`
	Changed      int                    `json:"changed"`
	Removed      int                    `json:"removed"`
	From         lists.From             `json:"from" enum:"upload,fetch,command"`
	AddedBy      string                 `json:"added_by"`
	AddedAt      time.Time              `json:"added_at"`
	ActivatedBy  string                 `json:"activated_by"`
	ActivatedAt  *time.Time             `json:"activated_at"`
}

// WatchlistDifference is what a version changes against the one in use, or the one in use against the one before.
type WatchlistDifference struct {
	Added   int               `json:"added"`
	Changed int               `json:"changed"`
	Removed int               `json:"removed"`
	Entries []WatchlistChange `json:"entries" nullable:"false" doc:"At most 500"`
}

// WatchlistChange is one entry that differs.
type WatchlistChange struct {
	Change string         `json:"change" enum:"added,changed,removed"`
	ID     string         `json:"id" doc:"The list's own"`
	Name   string         `json:"name" doc:"Empty for whoever may not see cases"`
	Kind   watchlist.Kind `json:"kind" enum:"person,organisation,vessel,other"`
}

// WatchlistOf returns the wire form of a list with its versions, newest first.
func WatchlistOf(l lists.List, all []lists.Version, now time.Time) Watchlist {
	out := Watchlist{
		ID: l.ID, Name: l.Name,
		Title: l.Title, Topics: NonNil(l.Topics), Licence: l.Licence, Source: l.Source,
		EveryHours: hours(l.Every), MaxAgeHours: hours(l.MaxAge), LookFirst: l.LookFirst, Disabled: l.Disabled,
		NextFetch: OptionalTime(l.NextAt), LastFetch: OptionalTime(l.TriedAt),
		Fault: l.Fault, Fails: l.Fails, CreatedAt: l.CreatedAt.UTC(), State: "empty", Versions: []WatchlistVersion{},
	}
	held := false
	for _, v := range all {
		if v.List != l.ID {
			continue
		}
		out.Versions = append(out.Versions, WatchlistVersionOf(v))
		held = held || v.State == lists.Held
		if v.State == lists.Active {
			o := watchlist.OriginOf(v.Summary.Format)
			out.Origin = WatchlistOrigin{Publisher: o.Name, Website: o.Source, Licence: o.Licence}
			out.AsOf, out.State = OptionalTime(l.AsOf(v)), "current"
			if l.Old(v, now) {
				out.State = "old"
			}
		}
	}
	switch {
	case l.Disabled:
		out.State = "disabled"
	case held && out.State == "current":
		out.State = "held"
	}
	return out
}

// Settings returns what was settled.
func (s WatchlistSettings) Settings() lists.Settings {
	return lists.Settings{
		Title: s.Title, Topics: s.Topics, Licence: s.Licence, Source: s.Source, Every: span(s.EveryHours), MaxAge: span(s.MaxAgeHours),
		LookFirst: s.LookFirst, Disabled: s.Disabled,
	}
}

// WatchlistVersionOf returns the wire form of a version.
func WatchlistVersionOf(v lists.Version) WatchlistVersion {
	s := v.Summary
	return WatchlistVersion{
		ID: v.ID, State: v.State, Why: NonNil(v.Why), Format: s.Format, SHA256: s.SHA256, Bytes: s.Bytes, PublishedAt: OptionalTime(s.Published),
		Entries: s.Entities, People: s.Persons, Names: s.Names, Rejected: s.Rejected, RejectedRows: NonNil(s.RejectedRows),
		Added: v.Changes.Added, Changed: v.Changes.Changed,
		Removed: v.Changes.Removed, From: v.From, AddedBy: v.AddedBy, AddedAt: v.AddedAt.UTC(), ActivatedBy: v.ActivatedBy,
		ActivatedAt: OptionalTime(v.ActivatedAt),
	}
}

// WatchlistDifferenceOf returns the wire form of a difference.
func WatchlistDifferenceOf(d lists.Difference) WatchlistDifference {
	out := WatchlistDifference{Added: d.Added, Changed: d.Changed, Removed: d.Removed, Entries: []WatchlistChange{}}
	for _, e := range d.Entries {
		out.Entries = append(out.Entries, WatchlistChange{Change: e.Kind, ID: e.ID, Name: e.Name, Kind: e.Sort})
	}
	return out
}
