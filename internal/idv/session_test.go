package idv

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestEveryMoveIsListedOrRefused(t *testing.T) {
	want := map[string]SessionState{
		"created opened": Capturing, "created timed_out": Expired, "created withdrawn": Cancelled,
		"capturing submitted": Processing, "capturing timed_out": Expired, "capturing withdrawn": Cancelled,
		"processing accepted": Approved, "processing rejected": Declined, "processing referred": InReview,
		"processing reopened": Capturing, "processing withdrawn": Cancelled,
		"in_review accepted": Approved, "in_review rejected": Declined, "in_review reopened": Capturing, "in_review withdrawn": Cancelled,
	}
	for _, s := range SessionStates() {
		for _, e := range SessionEvents() {
			key := string(s) + " " + string(e)
			got, ok := s.Next(e)
			if got != want[key] || ok != (want[key] != "") {
				t.Errorf("%s: got %q, %v; want %q", key, got, ok, want[key])
			}
		}
	}
}

func TestFinalStatesAreThoseThatNothingLeaves(t *testing.T) {
	for _, s := range SessionStates() {
		want := s == Approved || s == Declined || s == Expired || s == Cancelled
		if s.Final() != want {
			t.Errorf("%s: final %v, want %v", s, s.Final(), want)
		}
	}
}

func TestIdentifiersSortByTimeAndSurviveParsing(t *testing.T) {
	chance := bytes.NewReader(bytes.Repeat([]byte{7}, 64))
	first, err := NewID[SessionID](time.UnixMilli(1_700_000_000_000), chance)
	if err != nil {
		t.Fatal(err)
	}
	second, err := NewID[SessionID](time.UnixMilli(1_700_000_000_001), chance)
	if err != nil {
		t.Fatal(err)
	}
	if first >= second {
		t.Errorf("%s does not sort before %s", first, second)
	}
	if got, ok := ParseID[SessionID](string(first)); !ok || got != first {
		t.Errorf("parse %s: got %q, %v", first, got, ok)
	}
}

func TestParseIDRefusesWhatIsNotAnID(t *testing.T) {
	for _, c := range []string{
		"", "ses_", "cap_" + strings.Repeat("0", 26), "ses_" + strings.Repeat("0", 25), "ses_" + strings.Repeat("u", 26), "ses_" + strings.Repeat("0", 27),
	} {
		if _, ok := ParseID[SessionID](c); ok {
			t.Errorf("%q was taken for a session id", c)
		}
	}
}

func TestAFrozenReportShowsEveryChange(t *testing.T) {
	r := Report{Claims: []Claim{{Name: FamilyName, Value: "ERIKSSON"}}, MadeAt: time.Unix(1, 0).UTC()}
	if err := r.Freeze(); err != nil {
		t.Fatal(err)
	}
	if !r.Intact() {
		t.Fatal("a report just frozen is not intact")
	}
	r.Claims[0].Value = "ERIKSEN"
	if r.Intact() {
		t.Error("a changed claim was not noticed")
	}
}
