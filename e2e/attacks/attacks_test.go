package attacks

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

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
	shot, _ := fixtures.Shoot(d.Front(), fixtures.Camera{Seed: 11, Width: 1600, Height: 1200, Tilt: 3, Blur: .4, Noise: 2})
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
	if two := []string{string(fixtures.OthersMoves), string(fixtures.TwoPersons)}; slices.Contains(two, what) &&
		!slices.Contains(reasons, "liveness.faces_differ") {
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

// byDay is one attack of each kind: a photograph in a hand, a recording of other movements, two persons, too few frames and
// frames that were made from a few, and a photograph that is warped. With -short the others are left for the night.
var byDay = []fixtures.RunAttack{fixtures.BentPhoto, fixtures.OtherOrder, fixtures.TwoPersons, fixtures.TooFew, fixtures.Interpolated, fixtures.PushedFace}

func TestAttacksOnTheChallengeAreRefusedAndTheirReasonsKept(t *testing.T) {
	document := passport(t)
	s, g := serve(t), &genuine{server: serve(t), document: document}
	table := newTable(t)
	table.row(t, "frames that were taken before they can have been", func(t *testing.T) outcome {
		return tooEarly(t, s.begin(t, document))
	})
	// One photograph on a generic head is not among them: it is what the acted people are.
	warped := []fixtures.RunAttack{fixtures.PushedNose, fixtures.PushedFace, fixtures.WarpedRoom, fixtures.EllipsoidOn}
	for i, how := range slices.Concat(fixtures.RunAttacks(), warped) {
		table.row(t, string(how), func(t *testing.T) outcome {
			if testing.Short() && !slices.Contains(byDay, how) {
				t.Skip("nightly: another attack of its kind is played by day")
			}
			return attack(t, s.begin(t, document), how, int64(300+i))
		})
	}
	table.row(t, "the right person", func(t *testing.T) outcome {
		last := g.last(t)
		for _, a := range g.answers {
			waited(t, a.before, a.after, len(a.frames))
		}
		g.session.waitOf(t).write(t, last.after)
		return line("the right person", g.state, g.reasons)
	})
	table.row(t, "the recording that was accepted, sent again", func(t *testing.T) outcome {
		recording := g.last(t).frames // before anything else happens on its server
		return replayed(t, g.server.begin(t, document), recording)
	})
	for _, c := range forgeries(document) {
		table.row(t, c.what, func(t *testing.T) outcome {
			recording := g.last(t).frames // before anything else happens on its server
			a := c.run(t, g.server.begin(t, document), recording)
			if a.code() != c.code {
				t.Errorf("got %d %s, want %s", a.status, a.body, c.code)
			}
			return line(c.what, "refused at once", []string{a.code()})
		})
	}
}

// tooEarly sends a run at once and says that it took longer than there was time.
func tooEarly(t *testing.T, p *script) outcome {
	t.Helper()
	takes, err := fixtures.Act(holder, p.task.Challenge.Challenge, fixtures.Acting{Seed: 40, Frames: 32})
	must(t, err)
	run, frames := film(t, p.task.Challenge.Token, takes)
	times, _ := run["times_ms"].([]int)
	times[len(times)-1] = 39_000 // nobody waited that long
	p.take(t, p.put(t, "selfie", run, frames))
	return refused(t, p, "the right person, with times that cannot be")
}

// attack plays one on a session that waits for the selfie.
func attack(t *testing.T, p *script, how fixtures.RunAttack, seed int64) outcome {
	t.Helper()
	takes, err := fixtures.ActFalsely(how, holder, other, p.task.Challenge.Challenge, fixtures.Acting{Seed: seed, Frames: 32})
	must(t, err)
	run, frames := film(t, p.task.Challenge.Token, takes)
	p.wait(run)
	a := p.put(t, "selfie", run, frames)
	if a.status == http.StatusUnprocessableEntity {
		return line(string(how), "refused at once", []string{a.code()})
	}
	p.take(t, a)
	return refused(t, p, string(how))
}

// replayed sends a recording until no try is left and everything that was found is in a report.
func replayed(t *testing.T, p *script, recording [][]byte) outcome {
	t.Helper()
	for range 3 {
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
	return last
}

// forgery is something that is refused when it is sent: what, how an accepted recording is sent, the code of the answer.
type forgery struct {
	what string
	run  func(t *testing.T, p *script, recording [][]byte) answer
	code string
}

func forgeries(document []byte) []forgery {
	return []forgery{
		{"the challenge of another session", func(t *testing.T, p *script, recording [][]byte) answer {
			return sendRecording(t, p, p.begin(t, document).task.Challenge.Token, recording)
		}, "challenge.expired"},
		{"a challenge that was used", func(t *testing.T, p *script, recording [][]byte) answer {
			sendRecording(t, p, p.task.Challenge.Token, recording[:7])
			return sendRecording(t, p, p.task.Challenge.Token, recording)
		}, "challenge.expired"},
		{"a challenge that was made up", func(t *testing.T, p *script, recording [][]byte) answer {
			return sendRecording(t, p, "chl_00000000000000000000000000.00", recording)
		}, "challenge.expired"},
		{"a challenge that was left for another", leftForAnother, "challenge.expired"},
		{"times that go back", func(t *testing.T, p *script, recording [][]byte) answer {
			run, _ := film(t, p.task.Challenge.Token, nil)
			times := make([]int, len(recording))
			run["times_ms"] = times
			return p.put(t, "selfie", run, recording)
		}, "request.malformed"},
		{"a client that says that it succeeded", func(t *testing.T, p *script, recording [][]byte) answer {
			run, _ := film(t, p.task.Challenge.Token, nil)
			run["passed"] = true
			return p.put(t, "selfie", run, recording)
		}, "request.unknown_field"},
		{"one picture instead of frames", func(t *testing.T, p *script, recording [][]byte) answer {
			return p.put(t, "selfie", nil, recording[:1])
		}, "request.malformed"},
	}
}

// leftForAnother asks for other challenges until the movements suit the recording, which they never will, and then uses the
// first.
func leftForAnother(t *testing.T, p *script, recording [][]byte) answer {
	t.Helper()
	token := p.task.Challenge.Token
	first := p.task.Challenge.Prompts
	for range applicant.ChallengesPerTry - 1 {
		p.take(t, p.send(t, http.MethodPost, "/v1/applicant/liveness", p.token, map[string]string{"path": "usual"}))
		for i, prompt := range p.task.Challenge.Prompts {
			if prompt.Move != first[i].Move {
				t.Errorf("asked again, the challenge has other movements")
			}
		}
	}
	return sendRecording(t, p, token, recording)
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
