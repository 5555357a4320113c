package biometric_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/biometric"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/modelcard"
)

// challengeOf is a challenge of three movements.
func challengeOf(t *testing.T) idv.Challenge {
	t.Helper()
	c, err := idv.DrawChallenge(rand.NewChaCha8([32]byte{5}), false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// packed is a capture of a run, as the server keeps it.
func packed(t *testing.T, c idv.Challenge, takes []fixtures.Take, change func(*idv.FrameRun)) idv.Capture {
	t.Helper()
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	run := idv.FrameRun{Challenge: c, IssuedAt: at, ReceivedAt: at.Add(time.Minute)}
	for _, take := range takes {
		b, err := imaging.EncodeJPEG(take.Picture, 88)
		if err != nil {
			t.Fatal(err)
		}
		run.Frames = append(run.Frames, idv.Frame{AtMS: take.AtMS, JPEG: b})
	}
	if change != nil {
		change(&run)
	}
	b, err := idv.PackFrames(run)
	if err != nil {
		t.Fatal(err)
	}
	return idv.Capture{ID: "cap_1", Session: "ses_1", Step: idv.StepSelfie, Kind: idv.Frames, SHA256: "aa", Bytes: b}
}

func extract(t *testing.T, e *face.Engine, c idv.Capture) map[idv.ArtifactKind]idv.Artifact {
	t.Helper()
	ex, err := biometric.NewFramesExtractor(e, biometric.Options{}).Extract(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	out := map[idv.ArtifactKind]idv.Artifact{}
	for _, a := range ex.Artifacts {
		if a.Present == (a.Absent != "") || a.Producer == "" || len(a.Inputs) != 1 {
			t.Errorf("artifact %+v", a)
		}
		out[a.Kind] = a
	}
	if len(out) != 4 {
		t.Errorf("%d kinds of artifact", len(out))
	}
	return out
}

func answerOf(t *testing.T, arts map[idv.ArtifactKind]idv.Artifact) idv.Finding {
	t.Helper()
	ev := idv.Evidence{Mode: idv.Live}
	for _, a := range arts {
		ev.Artifacts = append(ev.Artifacts, a)
	}
	f, err := biometric.LivenessChallenge{}.Check(t.Context(), ev)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAPersonAnswersAndAPhotographDoesNot(t *testing.T) {
	e := engine(t)
	c := challengeOf(t)
	takes, err := fixtures.Act("birch", c, fixtures.Acting{Seed: 3, Frames: 32, Width: 360, Height: 480})
	if err != nil {
		t.Fatal(err)
	}
	genuine := extract(t, e, packed(t, c, takes, nil))
	for k, a := range genuine {
		if !a.Present {
			t.Errorf("%s is absent for %s", k, a.Absent)
		}
	}
	if f := answerOf(t, genuine); f.Outcome != idv.Pass {
		t.Errorf("a person: %s, %s %v", f.Outcome, f.Note, f.Measures)
	}
	if f := headOf(t, genuine); f.Outcome != idv.Pass {
		t.Errorf("a person's head: %s, %s %v", f.Outcome, f.Note, f.Measures)
	}
	digests, err := idv.ValueOf[idv.FrameDigests](genuine[idv.ArtifactFrameDigests])
	if err != nil || digests.Bits != 256 || len(digests.Digests) != len(takes) || len(digests.Digests[0]) != 32 {
		t.Errorf("%d digests of %d bits, %v", len(digests.Digests), digests.Bits, err)
	}
	if takes, err = fixtures.ActFalsely(fixtures.TurnedPhoto, "birch", "", c, fixtures.Acting{Seed: 3, Frames: 12, Width: 360, Height: 480}); err != nil {
		t.Fatal(err)
	}
	if f := answerOf(t, extract(t, e, packed(t, c, takes, nil))); f.Outcome != idv.Fail {
		t.Errorf("a photograph: %s", f.Outcome)
	}
	if takes, err = fixtures.ActFalsely(fixtures.TwoPersons, "birch", "alder", c, fixtures.Acting{Seed: 3, Frames: 12, Width: 360, Height: 480}); err != nil {
		t.Fatal(err)
	}
	// Twelve frames are too few for the challenge as well; that is no reason for another try.
	f := answerOf(t, extract(t, e, packed(t, c, takes, nil)))
	if got := codesOf(f); !slices.Contains(got, "liveness.faces_differ") || slices.Contains(got, "liveness.challenge_missed") {
		t.Errorf("two people: %v, %s %v", got, f.Note, f.Measures)
	}
}

func codesOf(f idv.Finding) []string {
	var out []string
	for _, r := range f.Reasons {
		out = append(out, r.Code)
	}
	return out
}

func TestARunThatIsNoneFailsAndOneThatCannotBeSeenIsAnError(t *testing.T) {
	e := engine(t)
	c := challengeOf(t)
	empty := make([]fixtures.Take, 10)
	for i := range empty {
		empty[i] = fixtures.Take{Picture: imaging.NewRGB(240, 320), AtMS: 1200 * i}
	}
	damaged := func(r *idv.FrameRun) { r.Frames[4].JPEG = []byte("no picture") }
	tests := []struct {
		name    string
		capture idv.Capture
		selfie  string // why the selfie is absent
		reason  string // why the check fails
		glance  string // what the quick look says
	}{
		{
			"bytes of something else", idv.Capture{Kind: idv.Frames, SHA256: "aa", Bytes: []byte("hello")}, "liveness.challenge_missed",
			"liveness.challenge_missed", "liveness.challenge_missed",
		},
		{"no frames", packed(t, c, nil, nil), "liveness.challenge_missed", "liveness.challenge_missed", "liveness.challenge_missed"},
		{"nobody in view", packed(t, c, empty, nil), "capture.no_face", "liveness.challenge_missed", "capture.no_face"},
		{"a frame that is no picture", packed(t, c, empty, damaged), "capture.no_face", "liveness.challenge_missed", "capture.no_face"},
		{"over too soon", packed(t, c, empty[:8], func(r *idv.FrameRun) {
			for i := range r.Frames {
				r.Frames[i].AtMS = 100 * i
			}
		}), "capture.no_face", "liveness.challenge_missed", "liveness.challenge_missed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := code(t, biometric.NewFramesGate(e).Glance(t.Context(), tt.capture)); got != tt.glance {
				t.Errorf("quick look: %q, want %q", got, tt.glance)
			}
			arts := extract(t, e, tt.capture)
			if got := arts[idv.ArtifactSelfie].Absent; got != tt.selfie {
				t.Errorf("the selfie is absent for %q, want %q", got, tt.selfie)
			}
			f := answerOf(t, arts)
			if f.Outcome != idv.Fail || f.Reasons[0].Code != tt.reason || f.Reasons[0].Step != idv.StepSelfie {
				t.Errorf("%+v", f)
			}
		})
	}
	t.Run("without its models", func(t *testing.T) {
		set, err := modelcard.Open(fstest.MapFS{})
		if err != nil {
			t.Fatal(err)
		}
		blind := face.New(set, nil, face.Options{})
		if ex, err := biometric.NewFramesExtractor(blind, biometric.Options{}).Extract(t.Context(), packed(t, c, empty, nil)); err == nil {
			t.Errorf("extracted %+v", ex)
		}
	})
}

// present makes an artifact.
func present(t *testing.T, k idv.ArtifactKind, v any) idv.Artifact {
	t.Helper()
	a, err := idv.PresentArtifact(k, idv.Capture{SHA256: "aa"}, v)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestARecordingThatWasSentBeforeIsNoReasonForAnotherTry(t *testing.T) {
	missed := present(t, idv.ArtifactTrack, idv.Track{Challenge: idv.Challenge{Prompts: []idv.Prompt{{Move: idv.MoveLeft, AtMS: 1000, ForMS: 1000}}}})
	replay := func(longest int) idv.Artifact {
		return present(t, idv.ArtifactReplay, idv.Replay{Frames: 20, Near: longest, Captures: 1, LongestRun: longest})
	}
	for _, c := range []struct {
		name string
		ev   []idv.Artifact
		want []string
	}{
		{"never seen", []idv.Artifact{missed, replay(2)}, []string{"liveness.challenge_missed"}},
		{"nobody compared it", []idv.Artifact{missed}, []string{"liveness.challenge_missed"}},
		{
			"the comparison could not be made", []idv.Artifact{missed, idv.AbsentArtifact(idv.ArtifactReplay, idv.Capture{}, "check.not_run")},
			[]string{"liveness.challenge_missed"},
		},
		{"seen before", []idv.Artifact{missed, replay(18)}, []string{"liveness.replayed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := biometric.LivenessChallenge{}.Check(t.Context(), idv.Evidence{Artifacts: c.ev, Mode: idv.Live})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, codesOf(f)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestReplayIsToldByTheShareOfOneEarlierCapture(t *testing.T) {
	digests := present(t, idv.ArtifactFrameDigests, idv.FrameDigests{Bits: 256})
	compared := func(r idv.Replay) []idv.Artifact {
		return []idv.Artifact{digests, present(t, idv.ArtifactReplay, r)}
	}
	tests := []struct {
		name string
		ev   []idv.Artifact
		want string // outcome, reason and the frames that show it
	}{
		{"never seen", compared(idv.Replay{Frames: 20}), "pass"},
		{"some alike", compared(idv.Replay{Frames: 20, Near: 13, Captures: 1, LongestRun: 13}), "pass"},
		{"many alike, of many captures", compared(idv.Replay{Frames: 20, Near: 20, Captures: 9, LongestRun: 4}), "pass"},
		{"most of one", compared(idv.Replay{Frames: 20, Near: 16, Captures: 1, LongestRun: 16, NearFrames: []int{2, 3, 4}}), "fail liveness.replayed 2 3 4"},
		{"no face in any frame", compared(idv.Replay{}), "fail liveness.challenge_missed"},
		{"nobody compared them", []idv.Artifact{digests}, "error"},
		{"the comparison could not be made", []idv.Artifact{digests, idv.AbsentArtifact(idv.ArtifactReplay, idv.Capture{}, "check.not_run")}, "error"},
		{
			"a run that could not be opened",
			[]idv.Artifact{idv.AbsentArtifact(idv.ArtifactFrameDigests, idv.Capture{}, "liveness.challenge_missed")},
			"fail liveness.challenge_missed",
		},
		{"no run", nil, "error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := biometric.LivenessReplay{}.Check(t.Context(), idv.Evidence{Artifacts: tt.ev})
			got := string(f.Outcome)
			if err != nil {
				got = "error"
			} else if len(f.Reasons) > 0 {
				got += " " + f.Reasons[0].Code
			}
			for _, p := range f.Places {
				got += fmt.Sprintf(" %d", *p.Frame)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
