package attacks

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/session"
)

var update = flag.Bool("update", false, "write the table of attacks and outcomes into docs/")

const (
	holder = "alder" // whose document it is
	other  = "birch"
)

// passport is a photograph of the holder's document.
func passport(t *testing.T) []byte {
	t.Helper()
	if err := fixtures.HasOCRB(); err != nil {
		t.Skip(err)
	}
	d, err := fixtures.NewDocument(fixtures.Passport, 11, fixtures.Options{Face: holder})
	must(t, err)
	shot, _ := fixtures.Shoot(d.Front(), fixtures.Camera{Seed: 11, Width: 2400, Height: 1800, Tilt: 3, Blur: .6, Noise: 2})
	raw, err := fixtures.JPEG(shot, 90, 1)
	must(t, err)
	return raw
}

// film makes the form of a run.
func film(t *testing.T, token string, takes []fixtures.Take) (map[string]any, [][]byte) {
	t.Helper()
	var times []int
	var frames [][]byte
	for _, k := range takes {
		raw, err := fixtures.JPEG(k.Picture, 85, 1)
		must(t, err)
		frames, times = append(frames, raw), append(times, k.AtMS)
	}
	return map[string]any{"challenge": token, "times_ms": times, "camera": map[string]any{"width": 480, "height": 640, "frame_rate": 30}}, frames
}

// outcome is a line of the table.
type outcome struct{ what, state, reasons string }

func line(what, state string, reasons []string) outcome {
	slices.Sort(reasons)
	reasons = slices.Compact(reasons)
	return outcome{what, strings.ReplaceAll(state, "_", " "), strings.Join(reasons, ", ")}
}

// refused checks that nobody was let in, and that whoever tried learns no more than anybody else would.
func refused(t *testing.T, p *script, what string) outcome {
	t.Helper()
	state, reasons := p.verdict(t)
	if state != "in_review" && state != "capturing" && state != "declined" {
		t.Errorf("%s: the session is %s", what, state)
	}
	found := slices.ContainsFunc(reasons, func(code string) bool {
		return strings.HasPrefix(code, "liveness.") || code == "capture.injected" || code == "capture.several_faces"
	})
	if !found {
		t.Errorf("%s: it was not refused as an attack, but for %v", what, reasons)
	}
	if two := []string{string(fixtures.OthersMoves), string(fixtures.TwoPersons)}; slices.Contains(two, what) && !slices.Contains(reasons, "liveness.faces_differ") {
		t.Errorf("%s: that there are two faces is not among %v", what, reasons)
	}
	if told := p.now(t).Problem; told != nil && told.Code != "liveness.challenge_missed" {
		t.Errorf("%s: the applicant is told %s", what, told.Code)
	}
	if state == "capturing" {
		state = "asked again"
	}
	return line(what, state, reasons)
}

func TestAttacksOnTheChallengeAreRefusedAndTheirReasonsKept(t *testing.T) {
	if testing.Short() {
		t.Skip("each attack is filmed, which takes seconds")
	}
	document := passport(t)
	s := serve(t)
	var table []outcome
	t.Run("frames that were taken before they can have been", func(t *testing.T) {
		p := s.begin(t, document)
		takes, err := fixtures.Act(holder, p.task.Challenge.Challenge, fixtures.Acting{Seed: 40, Frames: 32})
		must(t, err)
		run, frames := film(t, p.task.Challenge.Token, takes)
		times, _ := run["times_ms"].([]int)
		times[len(times)-1] = 39_000 // nobody waited that long
		p.take(t, p.put(t, "selfie", run, frames))
		table = append(table, refused(t, p, "the right person, with times that cannot be"))
	})
	for i, how := range fixtures.RunAttacks() {
		t.Run(string(how), func(t *testing.T) {
			p := s.begin(t, document)
			takes, err := fixtures.ActFalsely(how, holder, other, p.task.Challenge.Challenge, fixtures.Acting{Seed: int64(300 + i), Frames: 32})
			must(t, err)
			run, frames := film(t, p.task.Challenge.Token, takes)
			p.wait(run)
			a := p.put(t, "selfie", run, frames)
			if a.status == http.StatusUnprocessableEntity {
				table = append(table, line(string(how), "refused at once", []string{a.code()}))
				return
			}
			p.take(t, a)
			table = append(table, refused(t, p, string(how)))
		})
	}
	var recording [][]byte
	t.Run("the right person", func(t *testing.T) {
		begun := s.CPU(t)
		p := s.begin(t, document)
		for try := range 2 {
			takes, err := fixtures.Act(holder, p.task.Challenge.Challenge, fixtures.Acting{Seed: 41 + int64(try), Frames: 32})
			must(t, err)
			run, frames := film(t, p.task.Challenge.Token, takes)
			p.wait(run)
			before := p.CPU(t)
			p.take(t, p.put(t, "selfie", run, frames))
			recording = frames
			state, reasons := p.verdict(t)
			cpu := p.CPU(t) - before
			waited(t, before-begun, cpu, len(frames))
			// One genuine run in fifty is refused (bench/results/liveness-61001.json): most are asked for again, where the
			// faces differ a person looks. Two in one test are too many.
			if state != "approved" && try == 0 {
				t.Logf("the first run is %s for %v", state, reasons)
				if state == "capturing" {
					p.now(t)
				} else {
					begun, p = s.CPU(t), s.begin(t, document)
				}
				continue
			}
			if state != "approved" {
				t.Fatalf("the right person is %s for %v", state, reasons)
			}
			p.waitOf(t).keep(t, cpu)
			table = append(table, line("the right person", state, reasons))
			break
		}
	})
	t.Run("the recording that was accepted, sent again", func(t *testing.T) {
		p := s.begin(t, document)
		for range 3 { // until no try is left and everything that was found is in a report
			run, _ := film(t, p.task.Challenge.Token, nil)
			var times []int
			for i := range recording {
				times = append(times, i*p.task.Challenge.DurationMS/len(recording))
			}
			run["times_ms"] = times
			p.wait(run)
			p.take(t, p.put(t, "selfie", run, recording))
			if state, _ := p.verdict(t); state != "capturing" {
				break
			}
			p.now(t)
		}
		last := refused(t, p, "an accepted recording, sent again")
		if !strings.Contains(last.reasons, "liveness.replayed") {
			t.Errorf("it was not found again: %s", last.reasons)
		}
		table = append(table, last)
	})
	for _, c := range []struct {
		what string
		run  func(t *testing.T, p *script) answer
		code string
	}{
		{"the challenge of another session", func(t *testing.T, p *script) answer {
			return sendRecording(t, p, s.begin(t, document).task.Challenge.Token, recording)
		}, "challenge.expired"},
		{"a challenge that was used", func(t *testing.T, p *script) answer {
			sendRecording(t, p, p.task.Challenge.Token, recording[:7])
			return sendRecording(t, p, p.task.Challenge.Token, recording)
		}, "challenge.expired"},
		{"a challenge that was made up", func(t *testing.T, p *script) answer {
			return sendRecording(t, p, "chl_00000000000000000000000000.00", recording)
		}, "challenge.expired"},
		{"a challenge that was left for another", func(t *testing.T, p *script) answer {
			token := p.task.Challenge.Token
			first := p.task.Challenge.Prompts
			for range session.ChallengesPerTry - 1 { // until the movements suit the recording, which they never will
				p.take(t, p.send(t, http.MethodPost, "/v1/applicant/liveness", p.token, map[string]string{"path": "usual"}))
				for i, prompt := range p.task.Challenge.Prompts {
					if prompt.Move != first[i].Move {
						t.Errorf("asked again, the challenge has other movements")
					}
				}
			}
			return sendRecording(t, p, token, recording)
		}, "challenge.expired"},
		{"times that go back", func(t *testing.T, p *script) answer {
			run, _ := film(t, p.task.Challenge.Token, nil)
			times := make([]int, len(recording))
			run["times_ms"] = times
			return p.put(t, "selfie", run, recording)
		}, "request.malformed"},
		{"a client that says that it succeeded", func(t *testing.T, p *script) answer {
			run, _ := film(t, p.task.Challenge.Token, nil)
			run["passed"] = true
			return p.put(t, "selfie", run, recording)
		}, "request.unknown_field"},
		{"one picture instead of frames", func(t *testing.T, p *script) answer {
			return p.put(t, "selfie", nil, recording[:1])
		}, "request.malformed"},
	} {
		t.Run(c.what, func(t *testing.T) {
			if len(recording) == 0 {
				t.Skip("there is no recording")
			}
			a := c.run(t, s.begin(t, document))
			if a.code() != c.code {
				t.Errorf("got %d %s, want %s", a.status, a.body, c.code)
			}
			table = append(table, line(c.what, "refused at once", []string{a.code()}))
		})
	}
	write(t, table)
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

func sendRecording(t *testing.T, p *script, token string, frames [][]byte) answer {
	t.Helper()
	run, _ := film(t, token, nil)
	times := make([]int, len(frames))
	for i := range times {
		times[i] = i * 500
	}
	run["times_ms"] = times
	return p.put(t, "selfie", run, frames)
}

// write writes the table into the docs, where it was asked for.
func write(t *testing.T, table []outcome) {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Attacks on the liveness challenge, and their outcome\n\n" +
		"<!-- Made by `go test ./e2e/attacks -update`. -->\n\n" +
		"Each line is one session against the real server, sent by a script. The runs are *synthetic*: pictures lifted onto a head that moves, and photographs and videos of it. " +
		"How often each kind passes is measured by `bonafide bench liveness`. Not measured on people. " +
		"A live three-dimensional re-enactment of the right face is not among them: the challenge alone does not tell it from a person.\n\n" +
		"| what was sent | outcome | reasons kept for the reviewer |\n|---|---|---|\n")
	for _, o := range table {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", o.what, o.state, o.reasons)
		t.Logf("%-45s %-16s %s", o.what, o.state, o.reasons)
	}
	if !*update || t.Failed() {
		return
	}
	writePage(t, "attacks.md", b.String())
}

// writePage writes a page of the docs.
func writePage(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join("..", "..", "docs", "reference", name), []byte(text), 0o644)) //nolint:gosec // it is no secret
}
