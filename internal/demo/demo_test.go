package demo

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/session"
)

func someone(seed int64) Person {
	return Person{Surname: "Eriksson", GivenNames: "Anna Maria", Sex: "F", Born: time.Date(1974, 8, 12, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(seed%500))}
}

func TestTheSameSeedTellsTheSameStories(t *testing.T) {
	now := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)
	o := Options{Sessions: 300, Days: 90, Seed: 7, People: someone}
	a, b := makeStories(o, now), makeStories(o, now)
	unexported := cmp.AllowUnexported(story{})
	if diff := cmp.Diff(a, b, unexported, cmpopts.IgnoreFields(story{}, "r")); diff != "" {
		t.Errorf("the stories differ:\n%s", diff)
	}
	o.Seed = 8
	if c := makeStories(o, now); cmp.Equal(a, c, unexported, cmpopts.IgnoreFields(story{}, "r")) {
		t.Error("another seed tells the same stories")
	}
}

func TestStoriesEndBeforeNowAndReachBackAsFarAsAsked(t *testing.T) {
	now := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)
	stories := makeStories(Options{Sessions: 500, Days: 90, Seed: 1, People: someone}, now)
	first, last := stories[0].at, stories[len(stories)-1].at
	if last.After(now) || first.Before(now.AddDate(0, 0, -90)) || first.After(now.AddDate(0, 0, -60)) {
		t.Errorf("stories from %s to %s, want the 90 days before %s", first, last, now)
	}
	met := map[ending]bool{}
	for _, s := range stories {
		met[s.ending] = true
		if s.kind == idv.UnknownKind || s.person.Surname == "" || len(s.serial) != 9 {
			t.Errorf("story %d is not whole: %+v", s.number, s)
		}
	}
	if len(met) != len(endings) {
		t.Errorf("only %d of %d endings are told", len(met), len(endings))
	}
}

func TestWhatADemoDecisionRestsOnGivesThatDecision(t *testing.T) {
	now := time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC)
	flows := map[string]idv.WorkflowVersion{}
	for _, w := range idv.BuiltInWorkflows(idv.Test) {
		flows[w.Name] = w
	}
	outcome := map[ending]idv.DecisionOutcome{passes: idv.DecideApprove, fails: idv.DecideDecline, referred: idv.DecideRefer}
	var j policy.Judge
	for _, s := range makeStories(Options{Sessions: 400, Days: 90, Seed: 3, People: someone}, now) {
		want, decided := outcome[s.ending]
		if !decided {
			continue
		}
		w := flows[s.workflow]
		v, why := j.Reevaluate(s.evidence(w, session.Record{Session: idv.Session{Mode: idv.Test}}, now), w, w, nil)
		if why != "" || v.Outcome != want {
			t.Errorf("story %d (%s): got %s %v %s, want %s", s.number, s.code, v.Outcome, v.Reasons, why, want)
		}
	}
}
