package watchlist

import "time"

// Reason is why a version is held.
type Reason string

// Reasons to hold a version, which then waits for somebody to look at it while the version before stays in use.
const (
	HeldEmpty      Reason = "empty"      // no entries
	HeldShrunk     Reason = "shrunk"     // less than four fifths of the entries in use
	HeldOlder      Reason = "older"      // published before the version in use
	HeldOtherKind  Reason = "other_kind" // another format than the version in use
	HeldUnreadable Reason = "unreadable" // more than one entry of a hundred cannot be read
)

// MinShare is the part of the entries in use that a new version has to have.
const MinShare = 0.8

// maxRejected is the part of the entries that may be unreadable.
const maxRejected = 0.01

// Guard returns why a version is not to be used, in order; nothing for one that may be. Active is the zero value where no version
// is in use.
func Guard(active, next Summary) []Reason {
	var out []Reason
	hold := func(when bool, why Reason) {
		if when {
			out = append(out, why)
		}
	}
	hold(next.Entities == 0, HeldEmpty)
	hold(float64(next.Rejected) > maxRejected*float64(next.Entities+next.Rejected), HeldUnreadable)
	if active.Entities > 0 {
		hold(next.Entities > 0 && float64(next.Entities) < MinShare*float64(active.Entities), HeldShrunk)
		hold(next.Published.Before(active.Published) && !next.Published.IsZero(), HeldOlder)
		hold(family(next.Format) != family(active.Format), HeldOtherKind)
	}
	return out
}

// family groups formats of which one may follow the other.
func family(f Format) Format {
	switch f {
	case FtMDelta:
		return FtM
	case OwnJSON:
		return OwnCSV
	case OFACAdvanced, OFACCSV:
		return OFACXML
	}
	return f
}

// Stale reports whether a list was published, or where it does not say so added, longer ago than maxAge.
func (v Version) Stale(now time.Time, maxAge time.Duration) bool {
	made := v.Published
	if made.IsZero() {
		made = v.Added
	}
	return maxAge > 0 && now.Sub(made) > maxAge
}
