package idv

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestACaseMovesAsTheTableSaysAndNoOtherWay(t *testing.T) {
	want := map[CaseState]map[CaseEvent]CaseState{
		CaseOpen:    {CaseTaken: CaseClaimed, CaseSettled: CaseClosed},
		CaseClaimed: {CaseTaken: CaseClaimed, CaseReleased: CaseOpen, CaseSettled: CaseClosed},
		CaseClosed:  {},
	}
	got := map[CaseState]map[CaseEvent]CaseState{}
	for _, from := range CaseStates() {
		got[from] = map[CaseEvent]CaseState{}
		for _, e := range CaseEvents() {
			if to, ok := from.Next(e); ok {
				got[from][e] = to
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAClaimEndsWithItsTime(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	c := Case{State: CaseClaimed, Assignee: "usr_1", ClaimedUntil: now.Add(time.Minute)}
	for name, s := range map[string]struct {
		at     time.Time
		state  CaseState
		holder UserID
	}{
		"before":      {now, CaseClaimed, "usr_1"},
		"to the dot":  {now.Add(time.Minute), CaseOpen, ""},
		"long after":  {now.Add(time.Hour), CaseOpen, ""},
		"just before": {now.Add(time.Minute - 1), CaseClaimed, "usr_1"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.StateAt(s.at) != s.state || c.Holder(s.at) != s.holder {
				t.Errorf("got %s, %q", c.StateAt(s.at), c.Holder(s.at))
			}
		})
	}
}
