package attacks

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/bonafide-id/bonafide/bench/load"
	"github.com/bonafide-id/bonafide/e2e/served"
)

// TestACrowdIsRefusedEarlyAndNothingAcceptedIsLost calls a server five times as often as it can bear. The bounds are wide, because the
// machine may be busy with other tests: where a server takes every call in, the last ones are answered after seconds, and none is
// refused. The measurement itself is `bonafide bench overload`.
func TestACrowdIsRefusedEarlyAndNothingAcceptedIsLost(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), served.Binary(t), "bench", "overload", "--time", "4s", "--times", "0.2,5", "--json").Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var r load.Overloaded
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	t.Log(r)
	if r.Lost != 0 {
		t.Errorf("%d of what was accepted is lost", r.Lost)
	}
	calm, crowd := r.Stages[0], r.Stages[1]
	accepted, refused := 0, 0
	for name, k := range crowd.Kinds {
		accepted, refused = accepted+k.Accepted.Calls, refused+k.Refusals.Calls
		delete(k.Errors, "nothing prepared") // the client ran out of sessions to send to
		if len(k.Errors) > 0 {
			t.Errorf("%s: %v", name, k.Errors)
		}
		if most := max(1000, 10*calm.Kinds[name].Accepted.P99); k.Accepted.P99 > most {
			t.Errorf("%s: an accepted call takes %.0f ms (p99), want at most %.0f", name, k.Accepted.P99, most)
		}
		if k.Refusals.P50 > 200 {
			t.Errorf("%s: a refusal takes %.0f ms (p50), want it at once", name, k.Refusals.P50)
		}
	}
	if refused == 0 || accepted == 0 {
		t.Errorf("%d calls are accepted and %d refused, want both", accepted, refused)
	}
}
