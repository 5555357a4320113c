package main

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/bonafide-id/bonafide/bench/kills"
	"github.com/bonafide-id/bonafide/bench/lists"
	"github.com/bonafide-id/bonafide/bench/load"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

func TestEverySessionWhoseServerIsKilledIsDecidedOnce(t *testing.T) {
	t.Setenv(asItself, "1")
	record := filepath.Join(t.TempDir(), "kills.json")
	runs := 3
	if testing.Short() {
		runs = 2
	}
	for _, want := range []int{runs, 2 * runs} { // the second run goes on
		args := []string{"bench", "kills", "--runs", strconv.Itoa(runs), "--lives", "3", "--personas", "--json", "--record", record, "--resume"}
		out, said := &output{}, &output{}
		if code := run(t.Context(), args, streams{Out: out, Err: said}); code != exitYes {
			t.Fatalf("it ended with %d: %s%s", code, said, out)
		}
		var r kills.Result
		if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
			t.Fatal(err)
		}
		if !r.Good() || r.Kills != want || r.Sessions == 0 || r.Once != r.Sessions {
			t.Errorf("%+v, want %d kills and each session decided once", r, want)
		}
		for stage, times := range r.Decision {
			if times.Longest > 20 {
				t.Errorf("a session that was killed at %s waited %v s for its decision, want at most 20", stage, times.Longest)
			}
		}
	}
}

func TestTheOverloadBenchLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("nightly: by day the attack suite runs this bench")
	}
	t.Setenv(asItself, "1")
	for name, database := range map[string]func(*testing.T) string{
		"on SQLite":     func(*testing.T) string { return "" },
		"on PostgreSQL": func(t *testing.T) string { return idvtest.Postgres(t).Database(t) },
	} {
		t.Run(name, func(t *testing.T) {
			args := []string{"bench", "overload", "--time", "1s", "--times", "0.2,3", "--together", "--json"}
			if at := database(t); at != "" {
				args = append(args, "--database", at)
			}
			out, said := &output{}, &output{}
			if code := run(t.Context(), args, streams{Out: out, Err: said}); code != exitYes {
				t.Fatalf("it ended with %d: %s", code, said)
			}
			var r load.Overloaded
			if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
				t.Fatal(err)
			}
			if r.Lost != 0 || r.Capacity == 0 || len(r.Stages) != 2 || r.Stages[1].Kinds["read"].Accepted.Calls == 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestAKilledImportLeavesTheListBeforeOrTheNewOne(t *testing.T) {
	t.Setenv(asItself, "1")
	args := []string{"bench", "lists", "--share", "0.02", "--agree", "0", "--json"}
	if testing.Short() {
		args = append(args, "--formats", "ofac-xml") // the others by night: what is killed is the same
	}
	killLists(t, args)
}

func TestTwoServersOnPostgreSQLAgreeOnTheListInUseWithinAMinute(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute, so it runs nightly; internal/store tests the same within one process")
	}
	t.Setenv(asItself, "1")
	killLists(t, []string{"bench", "lists", "--share", "0.1", "--formats", "ofac-xml", "--agree", "4", "--json", "--database", idvtest.Postgres(t).Database(t)})
}

// killLists runs the bench and expects that every stage was met and nothing is wrong.
func killLists(t *testing.T, args []string) {
	t.Helper()
	out, said := &output{}, &output{}
	code := run(t.Context(), args, streams{Out: out, Err: said})
	var r lists.Result
	if err := json.Unmarshal([]byte(out.String()), &r); code != exitYes || err != nil || !r.Good() {
		t.Fatalf("it ended with %d, %v: %s%s", code, err, said, out)
	}
	for _, l := range r.Lists {
		if len(l.Kills) != len(lists.Stages()) || len(l.Held) < 5 {
			t.Errorf("%s: killed at %d stages, %d files held", l.Format, len(l.Kills), len(l.Held))
		}
		for _, k := range l.Kills {
			if k.Kills == 0 || k.Old+k.New != k.Kills {
				t.Errorf("%s, %s: %+v", l.Format, k.Stage, k)
			}
		}
	}
}
