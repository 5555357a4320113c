// Package insight computes figures: how far sessions came, how they ended, how long they waited, and where people abandoned
// them. It returns counts, never anything about a single session.
//
// The store counts sessions once, grouped by all dimensions together (Tally), and this package adds the groups up by each
// dimension. So all figures of one answer are about the same sessions. Past days are summed in the background, and again
// when one of their sessions changes.
package insight

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// DefaultDays is the default span of figures, MaxYears the longest.
const (
	DefaultDays = 30
	MaxYears    = 10
)

// Filter selects the sessions that are counted. Zero fields match all; a zero span is the last DefaultDays.
type Filter struct {
	Mode     idv.Mode
	From, To time.Time // of creation: at or after From, before To
	Workflow string    // name
	Country  string    // issuer of the document, D or DEU; only sessions with a report have one
}

// Narrowed is a filter with the workflow resolved to its versions, and the issuer to the codes under which it is kept.
type Narrowed struct {
	Filter
	Versions  []idv.WorkflowVersionID // of the workflow; nil for any
	Countries []string                // nil for any
}

// Tally counts the sessions that have all of these values in common.
type Tally struct {
	Workflow  idv.WorkflowVersionID
	Country   string
	Kind      idv.DocumentKind
	Device    idv.Device
	FaceModel string
	Source    idv.Source // of what was decided on
	Due       idv.Step
	Fate
	Sessions int
}

// DayTally counts the sessions of a day by fate.
type DayTally struct {
	Day time.Time // midnight, UTC
	Fate
	Sessions int
}

// Fate is how far a session came, and how it ended.
type Fate struct {
	State     idv.SessionState
	Outcome   idv.DecisionOutcome // of the newest decision
	Automatic bool                // no reviewer was involved
	Opened    bool
	Submitted bool
}

// Wait counts the sessions that waited so long from the last picture to their decision.
type Wait struct {
	Seconds  int64
	Sessions int
}

// ReasonCount counts the sessions with a reason in their newest decision.
type ReasonCount struct {
	Code     string
	Sessions int
}

// Sums are the counts of some sessions, all read at the same moment.
type Sums struct {
	Tallies []Tally
	Days    []DayTally    // in the order of days
	Waits   []Wait        // in the order of time
	Reasons []ReasonCount // the most frequent first
}

// Queue describes the cases that wait for a reviewer.
type Queue struct {
	Waiting int
	Overdue int       // past their target time
	Oldest  time.Time // when the longest waiting case was opened; zero for none
}

// Store counts sessions.
type Store interface {
	Sums(ctx context.Context, n Narrowed) (Sums, error)
	Queue(ctx context.Context, mode idv.Mode, now time.Time) (Queue, error)
	// ByReviewer counts what reviewers and the policy did in a span.
	ByReviewer(ctx context.Context, mode idv.Mode, from, to time.Time) (ByReviewer, error)
	// Moments lists what happened to the newest submitted sessions, at most that many, by session and in the order of time.
	Moments(ctx context.Context, n Narrowed, most int) ([]Moment, error)
	// WorkflowVersions returns every version of every workflow.
	WorkflowVersions(ctx context.Context) ([]idv.WorkflowVersion, error)
	Machine
}

// Counts are the sessions of one group by fate.
type Counts struct {
	Created, Opened, Submitted int
	Decided                    int // approved or declined, whoever decided
	Approved, Declined         int
	Automatic                  int // decided without a reviewer
	Waiting                    int // for a reviewer
	Abandoned                  int // opened, and expired or cancelled before everything was sent
}

// add counts n sessions of one fate.
func (c *Counts) add(f Fate, n int) {
	c.Created += n
	if f.Opened {
		c.Opened += n
	}
	if f.Submitted {
		c.Submitted += n
	}
	switch f.verdict() {
	case idv.Approved:
		c.Approved += n
		c.Decided += n
	case idv.Declined:
		c.Declined += n
		c.Decided += n
	case idv.InReview:
		c.Waiting += n
	case idv.Expired, idv.Cancelled:
		if f.abandoned() {
			c.Abandoned += n
		}
	case idv.Created, idv.Capturing, idv.Processing:
	}
	if f.Automatic && (f.State == idv.Approved || f.State == idv.Declined) {
		c.Automatic += n
	}
}

// verdict returns the state that the newest decision leads to.
func (f Fate) verdict() idv.SessionState {
	return idv.Session{State: f.State, Outcome: f.Outcome}.Verdict()
}

// abandoned reports whether the applicant opened the session and never sent everything.
func (f Fate) abandoned() bool {
	return f.Opened && !f.Submitted && (f.State == idv.Expired || f.State == idv.Cancelled)
}

// Row is one group of sessions.
type Row struct {
	Key string // a code, a name or a day; empty for unknown
	Counts
}

// StepCount counts the sessions that were abandoned at a step.
type StepCount struct {
	Step     idv.Step // empty for unknown
	Sessions int
}

// Unit is the time that one row of a time series covers.
type Unit string

// The units.
const (
	Day   Unit = "day"
	Week  Unit = "week" // from Monday
	Month Unit = "month"
)

// Figures are the figures of the sessions that a filter selects.
type Figures struct {
	Filter
	Total       Counts
	P50, P95    time.Duration // from the last picture to the decision; zero if nothing was decided
	Unit        Unit
	TimeSeries  []Row // one row for each Unit of the span, empty ones included; Key is the first day, YYYY-MM-DD
	ByWorkflow  []Row // Key is name and number
	ByCountry   []Row
	ByKind      []Row
	ByDevice    []Row
	ByModel     []Row
	BySource    []Row
	Reasons     []ReasonCount
	AbandonedAt []StepCount // in the order of the flow
	Queue       Queue
}

// Options of a Service. The zero value works.
type Options struct {
	Now func() time.Time // time.Now
	System
}

// Service computes figures. It is safe for concurrent use.
type Service struct {
	store  Store
	now    func() time.Time
	system System
	cache  *cache
}

// New returns a Service.
func New(st Store, o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Service{store: st, now: o.Now, system: o.System, cache: newCache()}
}

// topReasons is how many reasons are returned.
const topReasons = 10

// Figures returns the figures of the sessions that a filter selects. The span defaults to the last DefaultDays, to the end
// of today. Figures may be half a minute old. Problems: request.malformed, also where no session can match the filter.
func (s *Service) Figures(ctx context.Context, f Filter) (Figures, error) {
	if err := f.setDefaults(s.now().UTC()); err != nil {
		return Figures{}, err
	}
	return s.cache.get(ctx, f, s.now(), func() (Figures, error) { return s.count(ctx, f) })
}

func (s *Service) count(ctx context.Context, f Filter) (Figures, error) {
	versions, err := s.store.WorkflowVersions(ctx)
	if err != nil {
		return Figures{}, err
	}
	n, err := narrowed(f, versions)
	if err != nil {
		return Figures{}, err
	}
	sums, err := s.store.Sums(ctx, n)
	if err != nil {
		return Figures{}, err
	}
	if _, ok := icao.StateByCode(f.Country); f.Country != "" && !ok && len(sums.Tallies) == 0 { // a document can be read with another issuer
		return Figures{}, problem.New(problem.RequestMalformed).At("country").Saying("No state has this code (ICAO 9303-3 §5).")
	}
	out := Figures{Filter: f, Unit: unitOf(f.From, f.To)}
	out.aggregate(sums.Tallies, versions)
	out.TimeSeries = timeSeries(f.From, f.To, out.Unit, sums.Days)
	out.P50, out.P95 = quantile(sums.Waits, .5), quantile(sums.Waits, .95)
	out.Reasons = sums.Reasons[:min(len(sums.Reasons), topReasons)]
	out.Queue, err = s.store.Queue(ctx, f.Mode, s.now().UTC())
	return out, err
}

// setDefaults sets a missing span. Problems: request.malformed.
func (f *Filter) setDefaults(now time.Time) error {
	if f.To.IsZero() {
		f.To = now.Truncate(24*time.Hour).AddDate(0, 0, 1)
	}
	if f.From.IsZero() {
		f.From = f.To.AddDate(0, 0, -DefaultDays)
	}
	f.From, f.To = f.From.UTC(), f.To.UTC()
	if !f.From.Before(f.To) || f.To.After(f.From.AddDate(MaxYears, 0, 0)) {
		return problem.New(problem.RequestMalformed).At("from").Saying("It is before to, by at most %d years.", MaxYears)
	}
	return nil
}

// narrowed resolves a filter. Problems: request.malformed for a workflow that the mode does not have.
func narrowed(f Filter, versions []idv.WorkflowVersion) (Narrowed, error) {
	n := Narrowed{Filter: f}
	if f.Country != "" {
		n.Countries = []string{f.Country}
	}
	if state, ok := icao.StateByCode(f.Country); ok {
		n.Countries = state.Codes()
	}
	if f.Workflow == "" {
		return n, nil
	}
	n.Versions = []idv.WorkflowVersionID{}
	for _, v := range versions {
		if v.Name == f.Workflow && v.Mode == f.Mode {
			n.Versions = append(n.Versions, v.ID)
		}
	}
	if len(n.Versions) == 0 {
		return n, problem.New(problem.RequestMalformed).At("workflow").Saying("This mode has no workflow of that name.")
	}
	return n, nil
}

// sortedRows returns the rows by number of sessions, the largest first and unknown last.
func sortedRows(rows map[string]*Counts) []Row {
	out := make([]Row, 0, len(rows))
	for key, c := range rows {
		out = append(out, Row{Key: key, Counts: *c})
	}
	slices.SortFunc(out, func(a, b Row) int {
		switch {
		case (a.Key == "") != (b.Key == ""):
			return len(b.Key) - len(a.Key)
		case a.Created != b.Created:
			return b.Created - a.Created
		default:
			return strings.Compare(a.Key, b.Key)
		}
	})
	return out
}
