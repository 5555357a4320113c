package idv

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func someRun() FrameRun {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	return FrameRun{
		Challenge: Challenge{Prompts: []Prompt{{Move: MoveLeft, AtMS: 1500, ForMS: 2000}}, DurationMS: 5000},
		IssuedAt:  at, ReceivedAt: at.Add(20 * time.Second),
		Camera:  Camera{Label: "front", Width: 1280, Height: 720, Hints: []string{"webdriver"}},
		LightMS: []int{700, 2100, 3500},
		Frames:  []Frame{{AtMS: 0, JPEG: []byte("one")}, {AtMS: 133, JPEG: []byte{}}, {AtMS: 266, JPEG: []byte("three")}},
	}
}

func TestFramesComeBackAsTheyWerePacked(t *testing.T) {
	want := someRun()
	packed, err := PackFrames(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := OpenFrames(packed)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("packed and opened (-want +got):\n%s", d)
	}
}

func TestWhatIsNoPackedRunIsRefused(t *testing.T) {
	good, err := PackFrames(someRun())
	if err != nil {
		t.Fatal(err)
	}
	many := someRun()
	many.Frames = make([]Frame, MostFrames+1)
	crowded, err := PackFrames(many)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"nothing":                      nil,
		"a picture":                    []byte("\xff\xd8\xff\xe0 and so on, longer than the mark of a run"),
		"a run without its last byte":  good[:len(good)-1],
		"a run with a byte more":       append(bytes.Clone(good), 0),
		"a run whose head is cut off":  good[:len(packedMagic)+10],
		"more frames than are allowed": crowded,
		"a head that is longer than the bytes": append(append([]byte(packedMagic), 0, 0, 255, 0),
			'{', '}'),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := OpenFrames(b); !errors.Is(err, ErrNotFrames) {
				t.Errorf("got %v, want ErrNotFrames", err)
			}
		})
	}
}

func FuzzOpenFrames(f *testing.F) {
	good, err := PackFrames(someRun())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(packedMagic + "\x00\x00\x00\x02{}"))
	f.Add([]byte(packedMagic + "\x00\x00\x00\x1d{\"frames\":[{\"size\":-1}]}......"))
	f.Fuzz(func(t *testing.T, b []byte) {
		run, err := OpenFrames(b)
		if err != nil {
			if !errors.Is(err, ErrNotFrames) {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		total := 0
		for _, fr := range run.Frames {
			total += len(fr.JPEG)
		}
		if total > len(b) || len(run.Frames) > MostFrames {
			t.Fatalf("%d frames of %d bytes out of %d", len(run.Frames), total, len(b))
		}
	})
}
