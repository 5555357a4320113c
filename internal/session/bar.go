package session

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Bar narrows a list to the sessions that one bar of the figures counts. Zero fields do not narrow.
type Bar struct {
	Verdict   BarVerdict
	Automatic bool       // decided without a reviewer
	Reached   BarReached // at least so far
	Version   int        // number of the workflow's version
	Device    idv.Device
	FaceModel string // that compared the faces, name and version
	Source    idv.Source
	Left      string // step at which applicants went away; UnknownStep for none that is known
	Unknown   BarColumn
}

// BarVerdict is what became of sessions, by the newest decision.
type BarVerdict string

// The verdicts of a bar.
const (
	BarApproved BarVerdict = "approved"
	BarDeclined BarVerdict = "declined"
	BarDecided  BarVerdict = "decided" // approved or declined
	BarInReview BarVerdict = "in_review"
	BarOther    BarVerdict = "other" // neither decided nor in review
)

// BarReached is how far sessions came.
type BarReached string

// How far sessions came.
const (
	BarOpened    BarReached = "opened"
	BarSubmitted BarReached = "submitted"
)

// BarColumn is what is not known of sessions.
type BarColumn string

// The columns that can be unknown.
const (
	BarCountry   BarColumn = "country"
	BarKind      BarColumn = "kind"
	BarDevice    BarColumn = "device"
	BarFaceModel BarColumn = "face_model"
	BarSource    BarColumn = "source"
)

// UnknownStep is the Left of sessions of which no step of the flow was noted.
const UnknownStep = "unknown"

// check refuses what no bar can be. Problems: request.malformed, at the query parameter.
func (b Bar) check() error {
	if !slices.Contains([]BarVerdict{"", BarApproved, BarDeclined, BarDecided, BarInReview, BarOther}, b.Verdict) {
		return Malformed("verdict", "approved, declined, decided, in_review or other")
	}
	if !slices.Contains([]BarReached{"", BarOpened, BarSubmitted}, b.Reached) {
		return Malformed("reached", "opened or submitted")
	}
	if !slices.Contains([]BarColumn{"", BarCountry, BarKind, BarDevice, BarFaceModel, BarSource}, b.Unknown) {
		return Malformed("unknown", "country, kind, device, face_model or source")
	}
	if b.Left != "" && b.Left != UnknownStep && !slices.Contains(idv.FlowSteps(), idv.Step(b.Left)) {
		return Malformed("left", "a step of the flow, or unknown")
	}
	return nil
}

// Matches reports whether a bar counts a session. number is that of its workflow version.
func (b Bar) Matches(r Record, number int) bool {
	verdict := r.Verdict()
	decided := verdict == idv.Approved || verdict == idv.Declined
	is := map[BarVerdict]bool{
		"": true, BarApproved: verdict == idv.Approved, BarDeclined: verdict == idv.Declined, BarDecided: decided,
		BarInReview: verdict == idv.InReview, BarOther: !decided && verdict != idv.InReview,
	}
	reached := map[BarReached]bool{"": true, BarOpened: !r.OpenedAt.IsZero(), BarSubmitted: !r.SubmittedAt.IsZero()}
	unknown := map[BarColumn]bool{
		"": true, BarCountry: r.Country == "", BarKind: r.DocumentKind == "", BarDevice: r.Device == "", BarFaceModel: r.FaceModel == "",
		BarSource: r.Source == "",
	}
	return is[b.Verdict] && reached[b.Reached] && unknown[b.Unknown] && (!b.Automatic || r.Automatic && decided) &&
		(b.Version == 0 || b.Version == number) && (b.Device == "" || b.Device == r.Device) && (b.FaceModel == "" || b.FaceModel == r.FaceModel) &&
		(b.Source == "" || b.Source == r.Source) && b.leftAt(r)
}

// leftAt reports whether somebody went away at the bar's step.
func (b Bar) leftAt(r Record) bool {
	if b.Left == "" {
		return true
	}
	left := !r.OpenedAt.IsZero() && r.SubmittedAt.IsZero() && (r.State == idv.Expired || r.State == idv.Cancelled)
	if b.Left == UnknownStep {
		return left && !slices.Contains(idv.FlowSteps(), r.Due)
	}
	return left && r.Due == idv.Step(b.Left)
}
