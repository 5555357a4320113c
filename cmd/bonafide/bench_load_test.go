package main

import (
	"encoding/json"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/bonafide-id/bonafide/bench/load"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

// asItself makes this test's own program be bonafide, for tests whose commands start themselves once more.
const asItself = "BONAFIDE_TEST_AS_ITSELF"

func TestMain(m *testing.M) {
	if os.Getenv(asItself) == "" {
		os.Exit(m.Run())
	}
	signal.Ignore(syscall.SIGHUP)
	main()
}

func TestTheLoadBenchMakesEverySessionThatItAsksFor(t *testing.T) {
	t.Setenv(asItself, "1")
	for name, database := range map[string]func(*testing.T) string{
		"on SQLite":     func(*testing.T) string { return "" },
		"on PostgreSQL": func(t *testing.T) string { return idvtest.Postgres(t).Database(t) },
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name == "on PostgreSQL" {
				t.Skip("nightly: by day the bench runs on SQLite; internal/store tests the calls that it makes on both databases")
			}
			args := []string{"bench", "load", "--rate", "20", "--time", "1s", "--warm", "100ms", "--readers", "4", "--pause", "200ms", "--json"}
			if at := database(t); at != "" {
				args = append(args, "--database", at)
			}
			out, said := &output{}, &output{}
			if code := run(t.Context(), args, streams{Out: out, Err: said}); code != exitYes {
				t.Fatalf("it ended with %d: %s", code, said)
			}
			var r load.Result
			if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
				t.Fatal(err)
			}
			const late = "no answer in time" // a machine that is busy with something else is no fault
			slow := r.Errors[late]
			delete(r.Errors, late)
			delete(r.Readers.Errors, late)
			if len(r.Errors) > 0 || len(r.Readers.Errors) > 0 || r.Creations.Calls+slow != 20 {
				t.Errorf("made %d of 20 sessions, %d late, errors %v, of readers %v", r.Creations.Calls, slow, r.Errors, r.Readers.Errors)
			}
			if r.Readers.Pages.Calls == 0 || r.Before.Paced.Calls != 20 || r.After.Commits == 0 || r.Ratio.P50 == 0 {
				t.Errorf("something was not measured: %+v", r)
			}
		})
	}
}

func TestTheLoadBenchLeavesADatabaseInUseAlone(t *testing.T) {
	dir := t.TempDir()
	out := &output{}
	if code := run(t.Context(), []string{"migrate", "--dev", "--data-dir", dir}, streams{Out: out, Err: out}); code != exitYes {
		t.Fatalf("the database was not made: %d: %s", code, out)
	}
	said := &output{}
	if code := run(t.Context(), []string{"bench", "load", "--database", "sqlite:" + dir + "/bonafide.db"}, streams{Out: said, Err: said}); code != exitNoAnswer {
		t.Errorf("it ended with %d: %s", code, said)
	}
}
