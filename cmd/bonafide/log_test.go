package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/config"
)

func TestALineOfTheLogNamesTheUnitOfEachDuration(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log, err := newLog(config.Log{LogLevel: "info", LogFormat: "json"}, &out)
	if err != nil {
		t.Fatal(err)
	}
	log.With("waited", 2*time.Second).Info("request", "took", 1234567*time.Nanosecond, "status", 200)
	got := map[string]any{}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	delete(got, "time")
	want := map[string]any{"level": "INFO", "msg": "request", "waited_ms": 2000.0, "took_ms": 1.234, "status": 200.0}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestACommandThatFailsSaysSoInTheFormOfItsLog(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		log  config.Log
		want string
	}{
		"as text": {config.Log{LogLevel: "info", LogFormat: "text"}, "bonafide: no such key\n"},
		"as JSON": {config.Log{LogLevel: "info", LogFormat: "json"}, `"level":"ERROR","msg":"bonafide ended","error":"no such key"}` + "\n"},
	} {
		var out bytes.Buffer
		if code := report(streams{Err: &out}, tt.log, errors.New("no such key")); code != exitNoAnswer {
			t.Errorf("%s: exit code %d", name, code)
		}
		if !bytes.HasSuffix(out.Bytes(), []byte(tt.want)) {
			t.Errorf("%s: got %q, want %q", name, out.String(), tt.want)
		}
	}
}
