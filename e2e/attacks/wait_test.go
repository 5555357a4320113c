package attacks

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// lastStep is how long somebody looked at "we are checking", and what was left to do by then.
type lastStep struct {
	wait            time.Duration // from when the last step was taken to the verdict, by the server's clock
	document, early int           // checks of the document, and how many of them had settled before the last step
}

// waitOf reads it of a session that was decided.
func (p *script) waitOf(t *testing.T) lastStep {
	t.Helper()
	var s struct {
		SubmittedAt time.Time `json:"submitted_at"`
		DecidedAt   time.Time `json:"decided_at"`
	}
	decode(t, p.do(t, http.MethodGet, "/v1/sessions/"+p.id, p.Key, "", nil), http.StatusOK, &s)
	var found struct{ Report idv.Report }
	decode(t, p.do(t, http.MethodGet, "/v1/sessions/"+p.id+"/report", p.Key, "", nil), http.StatusOK, &found)
	out := lastStep{wait: s.DecidedAt.Sub(s.SubmittedAt)}
	for _, c := range found.Report.Checks {
		kind := string(c.Kind)
		if strings.HasPrefix(kind, "face.") || strings.HasPrefix(kind, "liveness.") || c.Lifecycle != idv.CheckSettled {
			continue
		}
		out.document++
		if c.SettledAt.Before(s.SubmittedAt) {
			out.early++
		}
	}
	return out
}

// write logs it, and writes it into the docs where it was asked for. It is a figure of one machine, so no test rests on it:
// what a busy machine cannot change, the processor time, is what waited checks.
func (l lastStep) write(t *testing.T, cpu time.Duration) {
	t.Helper()
	t.Logf("after the last step: %s to the verdict on %d cores, %s of processor time; %d of the document's %d checks had settled before it",
		l.wait.Round(10*time.Millisecond), runtime.NumCPU(), cpu.Round(10*time.Millisecond), l.early, l.document)
	if !*update || t.Failed() {
		return
	}
	page := fmt.Sprintf(`# The wait after the last step

<!-- Made by `+"`go test ./e2e/attacks -update`"+`. -->

One *synthetic* genuine run against the real server, by the server's own clock. It is a figure of the machine that it was made on, and of whatever
else ran there. What a test holds to is the processor time after the last step: at most %s, two seconds on two cores.

| cores | from the last step to the verdict | processor time in it | checks of the document that had settled before the last step |
|---:|---:|---:|---:|
| %d | %.1f s | %.1f s | %d of %d |
`, afterLastStep, runtime.NumCPU(), l.wait.Seconds(), cpu.Seconds(), l.early, l.document)
	writePage(t, "wait.md", page)
}

// afterLastStep is the processor time that may be left to do when the last step is sent: two seconds on two cores.
const afterLastStep = 4 * time.Second

// waited checks that little is left to do after the last step: the document was read while the movements were made.
func waited(t *testing.T, document, last time.Duration, frames int) {
	t.Helper()
	t.Logf("processor time: %s until the frames were sent, %s for %d frames and the verdict after it, %.0f %% of both",
		document, last, frames, 100*last.Seconds()/(document+last).Seconds())
	if last > afterLastStep {
		t.Errorf("%s of processor time after the last step, want at most %s", last, afterLastStep)
	}
}
