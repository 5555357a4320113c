package kills

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// lived is a life that was met by kills, decided so long after the start of its story.
func lived(met []meeting, decided, told, finished time.Time) *life {
	l := newLife()
	l.name, l.persona, l.met = "kill-7-0", true, met
	l.decided, l.told, l.finished = decided, told, finished
	return l
}

func TestALifeCountsFromTheLastKillThatMetItBeforeItsDecision(t *testing.T) {
	zero := time.Unix(1000, 0)
	at := func(s float64) time.Time { return zero.Add(time.Duration(s * float64(time.Second))) }
	for _, c := range []struct {
		name    string
		life    *life
		stage   string  // that the decision is counted under; empty for none
		seconds float64 // to the decision
		told    float64 // to the webhook of a life that was killed while it was told; -1 for none
	}{
		{"never met", lived(nil, at(1), at(2), at(3)), "", 0, -1},
		{"met once while it was decided", lived([]meeting{{deciding, at(1)}}, at(3.5), at(4), at(5)), "verdict", 2.5, -1},
		{"met twice", lived([]meeting{{opening, at(1)}, {sendingSelfie, at(4)}}, at(5), at(6), at(7)), "selfie", 1, -1},
		{"met after its decision", lived([]meeting{{telling, at(4)}}, at(3), at(6), at(7)), "", 0, 2},
		{"the server was never ready again", lived([]meeting{{deciding, time.Time{}}}, time.Time{}, time.Time{}, time.Time{}), "", 0, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newResult()
			r.add(c.life, 7)
			got := map[string]float64{}
			for stage, times := range r.Decision {
				got[stage] = times.Longest
			}
			want := map[string]float64{}
			if c.stage != "" {
				want[c.stage] = c.seconds
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("decisions (-want +got)\n%s", d)
			}
			if told := r.Webhook.Count > 0; told != (c.told >= 0) || told && r.Webhook.Longest != c.told {
				t.Errorf("webhooks %+v, want %v", r.Webhook, c.told)
			}
		})
	}
}

func TestAResultThatWasKeptGoesOn(t *testing.T) {
	zero := time.Unix(1000, 0)
	whole := newResult()
	for i := range 30 {
		whole.add(lived([]meeting{{deciding, zero}}, zero.Add(time.Duration(i)*time.Second), zero.Add(time.Minute), zero.Add(time.Minute)), uint64(i))
	}
	part := newResult()
	for i := range 30 {
		if i == 15 {
			raw, err := json.Marshal(part)
			if err != nil {
				t.Fatal(err)
			}
			part = nil
			if err := json.Unmarshal(raw, &part); err != nil {
				t.Fatal(err)
			}
		}
		part.add(lived([]meeting{{deciding, zero}}, zero.Add(time.Duration(i)*time.Second), zero.Add(time.Minute), zero.Add(time.Minute)), uint64(i))
	}
	if d := cmp.Diff(whole, part); d != "" {
		t.Errorf("(-whole +in two parts)\n%s", d)
	}
	if whole.Slowest[0].Seconds != 29 || len(whole.Slowest) != mostSlow || whole.Decision["verdict"].Within["30"] != 9 {
		t.Errorf("%+v %+v", whole.Slowest, whole.Decision["verdict"])
	}
}

func TestAResultWithAFaultIsNotGood(t *testing.T) {
	for _, kind := range []string{stuck, refused, twice, lost, wrong} {
		l := lived(nil, time.Unix(1, 0), time.Unix(2, 0), time.Unix(3, 0))
		l.fail(kind, "it happened")
		r := newResult()
		r.add(l, 1)
		if r.Good() {
			t.Errorf("a session that is %s is good", kind)
		}
	}
	r := newResult()
	r.add(lived(nil, time.Unix(1, 0), time.Unix(2, 0), time.Unix(3, 0)), 1)
	if !r.Good() {
		t.Errorf("%+v is not good", r)
	}
}
