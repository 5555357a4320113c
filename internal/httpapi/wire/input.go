package wire

import (
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Filter returns the filter that the query describes, within a mode. Problems: request.malformed.
func (in *SessionFilter) Filter(mode idv.Mode) (session.Filter, error) {
	f, err := in.SessionNarrowing.Filter(mode)
	f.Sort, f.Limit, f.After = in.Sort, in.Limit, in.After
	return f, err
}

// Filter returns the filter that the query describes, within a mode. Problems: request.malformed.
func (in *SessionExport) Filter(mode idv.Mode) (session.Filter, error) {
	f, err := in.SessionNarrowing.Filter(mode)
	f.Sort, f.After = in.Sort, string(in.After)
	return f, err
}

// Filter returns the filter that the query describes, within a mode. Problems: request.malformed.
func (in *SessionNarrowing) Filter(mode idv.Mode) (session.Filter, error) {
	from, err := ParseTime("from", in.From)
	if err != nil {
		return session.Filter{}, err
	}
	to, err := ParseTime("to", in.To)
	return session.Filter{
		Mode: mode, States: in.State, Outcome: in.Outcome, Reason: in.Reason, Workflow: in.Workflow, Countries: in.Country,
		Kinds: in.Kind, Search: in.Query, From: from, To: to,
	}, err
}

// ParseTime reads a date (YYYY-MM-DD) or a time (RFC 3339); zero for an empty text. Problems: request.malformed.
func ParseTime(field, v string) (time.Time, error) {
	if v == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, v); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, problem.New(problem.RequestMalformed).At(field).Saying("A date (YYYY-MM-DD) or a time (RFC 3339).")
}

// ModeOrTest returns m, or test mode if it is empty.
func ModeOrTest(m idv.Mode) idv.Mode {
	if m == "" {
		return idv.Test
	}
	return m
}

// BySession is the input of calls on one session. Exported because the framework ignores embedded
// structs that are not.
type BySession struct {
	ID idv.SessionID `path:"id" maxLength:"40" doc:"Session id"`
}

// BySessionPosted is the input of calls on one session that are posted without a body.
type BySessionPosted struct {
	BySession
	Body *Empty `required:"false"`
}

// Posted is the input of calls that are posted without a body.
type Posted struct {
	Body *Empty `required:"false"`
}

// ByCapture is the input of calls on one picture.
type ByCapture struct {
	BySession
	Capture idv.CaptureID `path:"capture" maxLength:"40" doc:"Capture id"`
	Frame   int           `query:"frame" minimum:"-1" maximum:"89" default:"-1" doc:"Of a run of frames: this one, from 0; all of them in one picture if left out"`
}

// SessionFilter is a page of sessions. Exported because the framework ignores embedded structs that are not.
type SessionFilter struct {
	SessionNarrowing
	Sort session.Sort `query:"sort" enum:"-created_at,created_at,-state,state,-decided_at,decided_at" default:"-created_at" doc:"A minus turns it round"`

	Limit int    `query:"limit" minimum:"1" maximum:"100" default:"25" doc:"Rows of a page"`
	After string `query:"after" maxLength:"200" doc:"The next of the page before, in the same order"`
}

// SessionExport is what is exported of the list of sessions.
type SessionExport struct {
	SessionNarrowing
	Sort   session.Sort  `query:"sort" enum:"-created_at,created_at" default:"-created_at" doc:"Newest first, or oldest first"`
	Format string        `query:"format" enum:"jsonl,csv" default:"jsonl" doc:"JSON lines with whole sessions, or CSV with their main columns"`
	Expand []Expansion   `query:"expand" maxItems:"5" doc:"What each line comes with: verified, decisions. Not in CSV. Needs reports.read"`
	After  idv.SessionID `query:"after" maxLength:"40" doc:"Go on after this session: the last of the export before"`
}

// SessionNarrowing narrows a list of sessions. Exported because the framework ignores embedded structs that are not.
type SessionNarrowing struct {
	State   []idv.SessionState  `query:"state" doc:"Only these states, separated by commas"`
	Outcome idv.DecisionOutcome `query:"outcome" maxLength:"20" doc:"Only this outcome"`
	Reason  string              `query:"reason" maxLength:"64" doc:"Only sessions decided for this reason code"`

	Workflow string `query:"workflow" maxLength:"64" doc:"Only sessions of the workflow of this name, whatever its version"`

	Country []string `query:"country" maxItems:"50" doc:"Only documents issued by these states (ICAO 9303-3 §5 codes; DEU is D), separated by commas"`

	Kind []idv.DocumentKind `query:"document_kind" maxItems:"10" doc:"Only these kinds of document, separated by commas"`

	Query string `query:"q" maxLength:"200" doc:"An id or your own reference, exactly. Never a name: what is in a URL ends up in logs"`
	From  string `query:"from" maxLength:"30" doc:"Created at or after: YYYY-MM-DD or RFC 3339"`
	To    string `query:"to" maxLength:"30" doc:"Created before: YYYY-MM-DD or RFC 3339"`
}

// SessionBar narrows a list to what one bar of the figures counts. Exported because the framework ignores embedded structs that are not.
type SessionBar struct {
	Verdict   session.BarVerdict `query:"verdict" maxLength:"20" doc:"By the newest decision: approved, declined, decided, in_review, or other"`
	Automatic bool               `query:"automatic" doc:"Only decided without a reviewer"`
	Reached   session.BarReached `query:"reached" maxLength:"20" doc:"Only those that came so far: opened or submitted"`
	Version   int                `query:"version" minimum:"0" maximum:"1000000" doc:"Only of the workflow version of this number"`
	Device    idv.Device         `query:"device" maxLength:"20" doc:"Only opened on this sort of device"`
	FaceModel string             `query:"face_model" maxLength:"100" doc:"Only where this model compared the faces: name and version"`
	Source    idv.Source         `query:"source" maxLength:"20" doc:"Only where the captures came from there: camera or file"`
	Left      string             `query:"left" maxLength:"40" doc:"Only where the applicant went away at this step; unknown where none was noted"`
	Unknown   session.BarColumn  `query:"unknown" maxLength:"20" doc:"Only where this is not known: country, kind, device, face_model or source"`
}

// Bar returns the bar that the query describes.
func (b SessionBar) Bar() session.Bar { return session.Bar(b) }

// SessionList is the input of the integrator's list of sessions.
type SessionList struct {
	SessionFilter
	ListMore
}

// ListMore is what else a list can answer. Exported because the framework ignores embedded structs that are not.
type ListMore struct {
	Expand []Expansion `query:"expand" maxItems:"5" doc:"What each session comes with, separated by commas: verified, decisions. Needs reports.read"`
	Total  bool        `query:"total" doc:"Whether to count what the filter leaves"`
}

// Expansion is what a session can come with.
type Expansion string

// The expansions.
const (
	ExpandVerified  Expansion = "verified"
	ExpandDecisions Expansion = "decisions"
)

// Expansions returns every expansion.
func Expansions() []Expansion { return []Expansion{ExpandVerified, ExpandDecisions} }

// OneSession is the input of the integrator's call for one session.
type OneSession struct {
	BySession
	Expand []Expansion `query:"expand" maxItems:"5" doc:"What the session comes with besides verified: decisions. Needs reports.read"`
}

// SinceInput is the input of live updates. Exported because the framework ignores embedded structs that are not.
type SinceInput struct {
	LastEventID string `header:"Last-Event-ID" maxLength:"64" doc:"Id of the last event that was seen"`
}

// FormSchema describes a multipart body.
func FormSchema(required []string, fields map[string]*huma.Schema) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Properties: fields, Required: required, AdditionalProperties: false}
}

// FileSchema describes a file of a multipart body.
func FileSchema(doc string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "binary", Description: doc}
}

// ByMode is the input of console calls that list one mode.
type ByMode struct {
	Mode idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's"`
}

// RenewLink is the input of making a new link. Its body may be left out.
type RenewLink struct {
	BySession
	Body *NewLink `required:"false"`
}

// Send says whether and where the link is mailed.
func (in *RenewLink) Send() session.Send {
	if in.Body == nil {
		return session.Send{}
	}
	return session.Send{Link: in.Body.Send, Email: in.Body.Email}
}

// ByCase is the input of calls on one case. Exported because the framework ignores embedded structs that are not.
type ByCase struct {
	Case idv.CaseID `path:"case" maxLength:"40" doc:"Case id"`
}

// ByCasePosted is the input of calls on one case that are posted without a body.
type ByCasePosted struct {
	ByCase
	Body *Empty `required:"false"`
}

// OnCase is the input of calls on one case that are posted with a body.
type OnCase[T any] struct {
	ByCase
	Body T
}

// OnSession is the input of calls on one session that are posted with a body.
type OnSession[T any] struct {
	BySession
	Body T
}
