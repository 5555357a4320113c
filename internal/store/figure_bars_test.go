package store

import (
	"strconv"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/session"
)

// barsAgree checks that the list has as many sessions for each bar of the figures as the bar counts.
func barsAgree(t *testing.T, d *deployment, f insight.Figures) {
	t.Helper()
	base := session.Filter{Mode: f.Mode, From: f.From, To: f.To}
	bars := 0
	count := func(name string, want int, change func(*session.Filter)) {
		t.Helper()
		filter := base
		change(&filter)
		got, err := d.Sessions.Count(t.Context(), filter)
		if err != nil || got != want {
			t.Errorf("%s: the bar counts %d, the list has %d (%v)", name, want, got, err)
		}
		bars++
	}
	each := func(name string, c insight.Counts, change func(*session.Filter)) {
		t.Helper()
		for verdict, want := range map[session.BarVerdict]int{
			"": c.Created, session.BarApproved: c.Approved, session.BarDeclined: c.Declined, session.BarDecided: c.Decided,
			session.BarInReview: c.Waiting, session.BarOther: c.Created - c.Decided - c.Waiting,
		} {
			count(name+" "+string(verdict), want, func(f *session.Filter) { change(f); f.Bar.Verdict = verdict })
		}
		count(name+" automatic", c.Automatic, func(f *session.Filter) { change(f); f.Bar.Automatic = true })
		count(name+" opened", c.Opened, func(f *session.Filter) { change(f); f.Bar.Reached = session.BarOpened })
		count(name+" submitted", c.Submitted, func(f *session.Filter) { change(f); f.Bar.Reached = session.BarSubmitted })
	}
	each("all", f.Total, func(*session.Filter) {})
	for _, group := range []struct {
		name string
		rows []insight.Row
		set  func(f *session.Filter, key string)
	}{
		{"workflow", f.ByWorkflow, func(f *session.Filter, key string) {
			name, number, _ := strings.Cut(key, " ")
			f.Workflow = name
			f.Bar.Version, _ = strconv.Atoi(number)
		}},
		{"country", f.ByCountry, func(f *session.Filter, key string) {
			f.Bar.Reached = session.BarSubmitted
			if key == "" {
				f.Bar.Unknown = session.BarCountry
			} else {
				f.Countries = []string{key}
			}
		}},
		{"device", f.ByDevice, func(f *session.Filter, key string) {
			f.Bar.Reached, f.Bar.Device = session.BarOpened, idv.Device(key)
			if key == "" {
				f.Bar.Unknown = session.BarDevice
			}
		}},
		{"model", f.ByModel, func(f *session.Filter, key string) {
			f.Bar.Reached, f.Bar.FaceModel = session.BarSubmitted, key
			if key == "" {
				f.Bar.Unknown = session.BarFaceModel
			}
		}},
		{"source", f.BySource, func(f *session.Filter, key string) {
			f.Bar.Reached, f.Bar.Source = session.BarSubmitted, idv.Source(key)
			if key == "" {
				f.Bar.Unknown = session.BarSource
			}
		}},
	} {
		for _, row := range group.rows {
			count(group.name+" "+row.Key, row.Created, func(f *session.Filter) { group.set(f, row.Key) })
		}
	}
	for _, left := range f.AbandonedAt {
		step := string(left.Step)
		if step == "" {
			step = session.UnknownStep
		}
		count("left at "+step, left.Sessions, func(f *session.Filter) { f.Bar.Left = step })
	}
	if bars < 20 {
		t.Errorf("only %d bars were counted", bars)
	}
}

// stagesTimed checks that what applicants, the server and reviewers took is told apart.
func stagesTimed(t *testing.T, st insight.StageTimes) {
	t.Helper()
	if st.Sessions == 0 || len(st.Stages) != len(insight.Stages()) {
		t.Fatalf("timed %+v", st)
	}
	for _, s := range st.Stages {
		if s.Sessions > st.Sessions || s.P90 < s.P50 || s.P50 < 0 {
			t.Errorf("stage %+v of %d sessions", s, st.Sessions)
		}
	}
	if st.Stages[0].Sessions == 0 {
		t.Error("nobody agreed to anything, and all submitted")
	}
}
