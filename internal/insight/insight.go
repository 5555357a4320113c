// Package insight answers figures: how many sessions came how far, what became of them, how long they waited, and where
// people went away. It counts; it never answers anything of a single session.
//
// The store counts sessions once, by everything that is asked for together (Tally), and what is here adds these up by
// each. So every figure of one answer is of the same sessions. Days that are over are counted when nobody waits for it,
// and again when one of their sessions changes.
package insight

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// DefaultDays is the span of figures where none is asked for; MaxYears the longest.
const (
	DefaultDays = 30
	MaxYears    = 10
)

// Filter says which sessions are counted. Zero fields do not narrow, but for the span.
type Filter struct {
	Mode     idv.Mode
	From, To time.Time // of making: at or after From, before To
	Workflow string    // name
	Country  string    // that issued the document: only sessions with a report have one
}

// Narrowed is a filter as a store needs it.
type Narrowed struct {
	Filter
	Versions []idv.WorkflowVersionID // of the workflow; nil for any
}

// Tally is how many sessions are alike in everything here.
type Tally struct {
	Workflow  idv.WorkflowVersionID
	Country   string
	Kind      idv.DocumentKind
	Device    idv.Device
	FaceModel string
	Due       idv.Step
	Fate
	Sessions int
}

// DayTally is how many sessions of a day are alike in what became of them.
type DayTally struct {
	Day time.Time // midnight, UTC
	Fate
	Sessions int
}

// Fate is what became of a session.
type Fate struct {
	State     idv.SessionState
	Outcome   idv.DecisionOutcome // the newest decision's
	Automatic bool                // no person took it
	Opened    bool
	Submitted bool
}

// Wait is how many sessions waited that long from the last picture to their decision.
type Wait struct {
	Seconds  int64
	Sessions int
}

// ReasonCount is how many sessions have a reason in their newest decision.
type ReasonCount struct {
	Code     string
	Sessions int
}

// Sums are the numbers of some sessions, all of one moment.
type Sums struct {
	Tallies []Tally
	Days    []DayTally    // in the order of days
	Waits   []Wait        // in the order of time
	Reasons []ReasonCount // the most frequent first
}

// Queue is what waits for a person.
type Queue struct {
	Waiting int
	Late    int       // of them, past their target
	Oldest  time.Time // since when the first one waits; zero for none
}

// Store counts.
type Store interface {
	Sums(ctx context.Context, n Narrowed) (Sums, error)
	Queue(ctx context.Context, mode idv.Mode, now time.Time) (Queue, error)
	// WorkflowVersions lists every version of every workflow.
	WorkflowVersions(ctx context.Context) ([]idv.WorkflowVersion, error)
	Machine
}

// Counts is what became of some sessions.
type Counts struct {
	Created, Opened, Submitted int
	Decided                    int // approved or declined, whoever decided
	Approved, Declined         int
	Automatic                  int // of the decided, without a person
	Waiting                    int // for a person
	Left                       int // opened, and expired or withdrawn before everything was sent
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
		if f.left() {
			c.Left += n
		}
	case idv.Created, idv.Capturing, idv.Processing:
	}
	if f.Automatic && (f.State == idv.Approved || f.State == idv.Declined) {
		c.Automatic += n
	}
}

// verdict is the state that the newest decision stands for.
func (f Fate) verdict() idv.SessionState {
	return idv.Session{State: f.State, Outcome: f.Outcome}.Verdict()
}

// left reports whether somebody came and went away before everything was sent.
func (f Fate) left() bool {
	return f.Opened && !f.Submitted && (f.State == idv.Expired || f.State == idv.Cancelled)
}

// Row is what became of the sessions that have something in common.
type Row struct {
	Key string // a code, a name or a day; empty for those of which it is not known
	Counts
}

// Left is how many went away at a step.
type Left struct {
	Step     idv.Step // empty where that was not kept
	Sessions int
}

// Unit is what one row of a course of time stands for.
type Unit string

// The units.
const (
	Day   Unit = "day"
	Week  Unit = "week" // from Monday
	Month Unit = "month"
)

// Figures is the answer.
type Figures struct {
	Filter
	Total      Counts
	P50, P95   time.Duration // from the last picture to the decision; zero where nothing was decided
	Unit       Unit
	Course     []Row // by Unit, the whole span, gaps included; Key is the first day, YYYY-MM-DD
	ByWorkflow []Row // Key is name and number
	ByCountry  []Row
	ByKind     []Row
	ByDevice   []Row
	ByModel    []Row
	Reasons    []ReasonCount
	LeftAt     []Left // in the order of the flow
	Queue      Queue
}

// Options of a Service. The zero value works.
type Options struct {
	Now func() time.Time // time.Now
	System
}

// Service answers figures. It is safe for concurrent use.
type Service struct {
	store  Store
	now    func() time.Time
	system System
	fresh  *fresh
}

// New makes a Service.
func New(st Store, o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Service{store: st, now: o.Now, system: o.System, fresh: newFresh()}
}

// topReasons is how many reasons are answered.
const topReasons = 10

// Figures answers the figures of the sessions that a filter lets through. A span that is left out is the last 30 days, to
// the end of today. They are at most half a minute old. Problems: request.malformed.
func (s *Service) Figures(ctx context.Context, f Filter) (Figures, error) {
	if err := f.fill(s.now().UTC()); err != nil {
		return Figures{}, err
	}
	return s.fresh.get(ctx, f, s.now(), func() (Figures, error) { return s.count(ctx, f) })
}

func (s *Service) count(ctx context.Context, f Filter) (Figures, error) {
	versions, err := s.store.WorkflowVersions(ctx)
	if err != nil {
		return Figures{}, err
	}
	sums, err := s.store.Sums(ctx, narrow(f, versions))
	if err != nil {
		return Figures{}, err
	}
	out := Figures{Filter: f, Unit: unitOf(f.From, f.To)}
	out.sum(sums.Tallies, versions)
	out.Course = course(f.From, f.To, out.Unit, sums.Days)
	out.P50, out.P95 = quantile(sums.Waits, .5), quantile(sums.Waits, .95)
	out.Reasons = sums.Reasons[:min(len(sums.Reasons), topReasons)]
	out.Queue, err = s.store.Queue(ctx, f.Mode, s.now().UTC())
	return out, err
}

// fill fills in the span and refuses what none can be.
func (f *Filter) fill(now time.Time) error {
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

func narrow(f Filter, versions []idv.WorkflowVersion) Narrowed {
	n := Narrowed{Filter: f}
	if f.Workflow == "" {
		return n
	}
	n.Versions = []idv.WorkflowVersionID{}
	for _, v := range versions {
		if v.Name == f.Workflow && v.Mode == f.Mode {
			n.Versions = append(n.Versions, v.ID)
		}
	}
	return n
}

// sorted is by number of sessions, the most first, those of which something is not known last.
func sorted(rows map[string]*Counts) []Row {
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
