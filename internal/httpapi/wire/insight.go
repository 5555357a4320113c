package wire

import (
	"strconv"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
)

// Analytics are the figures of the sessions that were made in a span.
type Analytics struct {
	Mode      idv.Mode      `json:"mode"`
	From      time.Time     `json:"from"`
	To        time.Time     `json:"to" doc:"Not part of the span any more"`
	Total     FigureCounts  `json:"total"`
	WaitP50   float64       `json:"wait_p50_s"`
	WaitP95   float64       `json:"wait_p95_s" doc:"95 in 100 waited no longer, seconds"`
	Unit      insight.Unit  `json:"unit" enum:"day,week,month" doc:"What a row of the course covers"`
	Course    []FigureRow   `json:"course" doc:"By the day of making (UTC), the whole span, gaps included; the key is the first day"`
	Workflows []FigureRow   `json:"workflows" doc:"By workflow version; the key is name and number"`
	Countries []FigureRow   `json:"countries" doc:"Of what was submitted, by issuing state"`
	Kinds     []FigureRow   `json:"kinds" doc:"Of what was submitted, by kind of document"`
	Devices   []FigureRow   `json:"devices" doc:"Of what was opened, by the sort of device as its browser says: phone, tablet, computer"`
	Models    []FigureRow   `json:"models" doc:"Of what was submitted, by name and version of the model that compared the faces"`
	Sources   []FigureRow   `json:"sources" doc:"Of what was submitted, by where the captures came from: file where one of them did, camera where all did"`
	Reasons   []ReasonCount `json:"reasons" doc:"The most frequent reasons of the newest decisions"`
	LeftAt    []LeftCount   `json:"left_at" doc:"Where those were who came and went away, in the order of the flow"`
	Queue     QueueState    `json:"queue" doc:"What waits for a person now, whatever the span"`
}

// FigureCounts is what became of some sessions.
type FigureCounts struct {
	Created   int `json:"created"`
	Opened    int `json:"opened"`
	Submitted int `json:"submitted" doc:"Everything was sent"`
	Decided   int `json:"decided" doc:"Approved or declined, by whomever"`
	Approved  int `json:"approved" doc:"By the newest decision"`
	Declined  int `json:"declined" doc:"By the newest decision"`
	Automatic int `json:"automatic" doc:"Of the decided, without a person"`
	Waiting   int `json:"waiting" doc:"For a person"`
	Left      int `json:"left" doc:"Opened, and expired or withdrawn before everything was sent"`
}

// FigureRow is what became of the sessions that have something in common.
type FigureRow struct {
	Key    string       `json:"key" doc:"Empty where it is not known"`
	Counts FigureCounts `json:"counts"`
}

// FigureLine is one row of the figures with what it is a row of.
type FigureLine struct {
	Group string `json:"group"` // total, course, workflows, countries, kinds, devices, models or sources
	FigureRow
}

// FigureColumns returns the names of the cells of a FigureLine.
func FigureColumns() []string {
	return []string{"group", "key", "created", "opened", "submitted", "decided", "approved", "declined", "automatic", "waiting", "left"}
}

// Cells returns the line as texts.
func (l FigureLine) Cells() []string {
	out, c := []string{l.Group, l.Key}, l.Counts
	for _, n := range []int{c.Created, c.Opened, c.Submitted, c.Decided, c.Approved, c.Declined, c.Automatic, c.Waiting, c.Left} {
		out = append(out, strconv.Itoa(n))
	}
	return out
}

// FigureLinesOf returns every row of the figures, those of the whole first.
func FigureLinesOf(f insight.Figures) []FigureLine {
	a := AnalyticsOf(f)
	out := []FigureLine{{Group: "total", FigureRow: FigureRow{Counts: a.Total}}}
	for _, g := range []struct {
		name string
		rows []FigureRow
	}{
		{"course", a.Course}, {"workflows", a.Workflows}, {"countries", a.Countries}, {"kinds", a.Kinds}, {"devices", a.Devices},
		{"models", a.Models}, {"sources", a.Sources},
	} {
		for _, row := range g.rows {
			out = append(out, FigureLine{Group: g.name, FigureRow: row})
		}
	}
	return out
}

// ReasonCount is how many sessions have a reason.
type ReasonCount struct {
	Code     string `json:"code"`
	Sessions int    `json:"sessions"`
}

// LeftCount is how many went away at a step.
type LeftCount struct {
	Step     idv.Step `json:"step" doc:"Empty where that was not kept"`
	Sessions int      `json:"sessions"`
}

// QueueState is what waits for a person.
type QueueState struct {
	Waiting int        `json:"waiting"`
	Late    int        `json:"late" doc:"Of them, past their target"`
	Oldest  *time.Time `json:"oldest" doc:"Since when the first one waits; null for none"`
}

// System is the state of the deployment.
type System struct {
	Version         string          `json:"version" doc:"Of the program, such as 0.1.0"`
	Commit          string          `json:"commit" doc:"That it was built from, with +changes where files differed; empty where it is not known"`
	CommittedAt     string          `json:"committed_at" doc:"Date of that commit, RFC 3339; empty where it is not known"`
	Platform        string          `json:"platform" doc:"Such as linux/amd64"`
	StartedAt       *time.Time      `json:"started_at" doc:"Of the process that answers"`
	Now             time.Time       `json:"now"`
	Engine          string          `json:"engine" enum:"loading,ready,broken" doc:"Whether the models are loaded"`
	Models          []SystemModel   `json:"models"`
	Jobs            []SystemJobs    `json:"jobs" doc:"Those that are not done, by kind"`
	Database        SystemDatabase  `json:"database"`
	Captures        int64           `json:"captures" doc:"Pictures and recordings that are kept"`
	CaptureBytes    int64           `json:"capture_bytes" doc:"As they were sent; sealed they take a little more"`
	AuditEntries    int64           `json:"audit_entries" doc:"Of the audit log"`
	AuditWaiting    int64           `json:"audit_waiting" doc:"Entries that have no position yet"`
	WebhooksFailing int             `json:"webhooks_failing" doc:"Deliveries that failed and will be tried again"`
	WebhooksGivenUp int             `json:"webhooks_given_up" doc:"Deliveries given up in the last 24 hours"`
	Findings        []SystemFinding `json:"findings" doc:"What was looked at, as bonafide doctor does"`
}

// SystemModel is a model that the program carries.
type SystemModel struct {
	Name    string       `json:"name"`
	Version string       `json:"version"`
	Use     string       `json:"use"`
	Licence string       `json:"licence"`
	Origin  SystemOrigin `json:"origin"`
	SHA256  string       `json:"sha256" doc:"Of its file, 64 hex digits"`
	Fault   string       `json:"fault" doc:"Why it cannot be used; empty where its digest is right"`
	DataSet string       `json:"data_set,omitempty" doc:"On which it was measured"`
	Rates   []SystemRate `json:"rates,omitempty" doc:"Measured error rates, by threshold; none where nothing was measured"`
}

// SystemOrigin is where a model comes from.
type SystemOrigin struct {
	Documented bool   `json:"documented" doc:"Whether its makers state who they are and what it was trained on"`
	Provenance string `json:"provenance" doc:"Where its weights come from, as far as known"`
	Evaluation string `json:"evaluation" doc:"By whom, and for whom, its errors were measured"`
}

// SystemRate is how often a model errs at a threshold.
type SystemRate struct {
	Threshold float64 `json:"threshold"`
	FMR       float64 `json:"fmr" doc:"False matches, 0 to 1"`
	FNMR      float64 `json:"fnmr" doc:"False non-matches, 0 to 1"`
}

// SystemJobs is how the jobs of a kind stand.
type SystemJobs struct {
	Kind    string     `json:"kind"`
	Waiting int        `json:"waiting" doc:"Due now"`
	Working int        `json:"working"`
	Later   int        `json:"later" doc:"Due later, such as the next try of one that failed"`
	Failed  int        `json:"failed" doc:"Given up"`
	Oldest  *time.Time `json:"oldest" doc:"Since when the first of those due now waits; null for none"`
}

// SystemDatabase is where rows are.
type SystemDatabase struct {
	Engine  string `json:"engine" enum:"sqlite,postgres"`
	Version string `json:"version"`
	Bytes   int64  `json:"bytes"`
	Schema  int64  `json:"schema" doc:"Number of the last migration that ran"`
	Newest  int64  `json:"newest" doc:"Number of the last migration that this program has"`
}

// SystemFinding is one thing that was looked at.
type SystemFinding struct {
	What   string `json:"what"`
	Health string `json:"health" enum:"ok,warning,wrong"`
	Found  string `json:"found"`
	Remedy string `json:"remedy"`
}

// AnalyticsOf returns the wire form of figures.
func AnalyticsOf(f insight.Figures) Analytics {
	out := Analytics{
		Mode: f.Mode, From: f.From, To: f.To, Unit: f.Unit, Total: countsOf(f.Total), WaitP50: f.P50.Seconds(), WaitP95: f.P95.Seconds(),
		Course: rowsOf(f.TimeSeries), Workflows: rowsOf(f.ByWorkflow), Countries: rowsOf(f.ByCountry), Kinds: rowsOf(f.ByKind),
		Devices: rowsOf(f.ByDevice), Models: rowsOf(f.ByModel), Sources: rowsOf(f.BySource),
		Reasons: []ReasonCount{}, LeftAt: []LeftCount{},
		Queue: QueueState{Waiting: f.Queue.Waiting, Late: f.Queue.Overdue, Oldest: OptionalTime(f.Queue.Oldest)},
	}
	for _, r := range f.Reasons {
		out.Reasons = append(out.Reasons, ReasonCount(r))
	}
	for _, l := range f.AbandonedAt {
		out.LeftAt = append(out.LeftAt, LeftCount(l))
	}
	return out
}

func countsOf(c insight.Counts) FigureCounts {
	return FigureCounts{
		Created: c.Created, Opened: c.Opened, Submitted: c.Submitted, Decided: c.Decided, Approved: c.Approved, Declined: c.Declined,
		Automatic: c.Automatic, Waiting: c.Waiting, Left: c.Abandoned,
	}
}

func rowsOf(rows []insight.Row) []FigureRow {
	out := []FigureRow{}
	for _, r := range rows {
		out = append(out, FigureRow{Key: r.Key, Counts: countsOf(r.Counts)})
	}
	return out
}

// SystemOf returns the wire form of a report on the deployment.
func SystemOf(r insight.Report) System {
	out := System{
		Version: r.Build.Version, Commit: r.Build.Commit, CommittedAt: r.Build.Date, Platform: r.Build.Platform,
		StartedAt: OptionalTime(r.Started), Now: r.Now, Engine: r.Engine, Models: []SystemModel{}, Jobs: []SystemJobs{},
		Findings: []SystemFinding{},
		Database: SystemDatabase{
			Engine: r.Database.Engine, Version: r.Database.Version, Bytes: r.Database.Bytes, Schema: r.Database.Schema, Newest: r.Database.Newest,
		},
		Captures: r.Evidence.Captures, CaptureBytes: r.Evidence.Bytes, AuditEntries: r.Audit.Entries, AuditWaiting: r.Audit.Waiting,
		WebhooksFailing: r.Hooks.Failing, WebhooksGivenUp: r.Hooks.GivenUp,
	}
	for _, m := range r.Models {
		w := SystemModel{
			Name: m.Name, Version: m.Version, Use: m.Use, Licence: m.Licence, SHA256: m.SHA256, Fault: m.Fault,
			Origin: SystemOrigin{Documented: m.Documented, Provenance: m.Provenance, Evaluation: m.Evaluation},
		}
		if c := m.Calibration; c != nil {
			w.DataSet, w.Rates = c.DataSet, []SystemRate{}
			for _, rate := range c.Rates {
				w.Rates = append(w.Rates, SystemRate(rate))
			}
		}
		out.Models = append(out.Models, w)
	}
	for _, j := range r.Jobs {
		out.Jobs = append(out.Jobs, SystemJobs{
			Kind: j.Kind, Waiting: j.Waiting, Working: j.Working, Later: j.Later, Failed: j.Failed, Oldest: OptionalTime(j.Oldest),
		})
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, SystemFinding(f))
	}
	return out
}
