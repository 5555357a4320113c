package liveness

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// What a run can be beside the attacks of fixtures.
const (
	Genuine = "genuine" // somebody does what the challenge asks
	Again   = "again"   // the same person in the same room, to another challenge
	Recoded = "recoded" // the genuine run's pictures, smaller and compressed once more
)

// retakes is the number of genuine runs that have an Again and a Recoded.
const retakes = 20

// tracksFile holds one line a run: what was seen in it, without its pictures. Lines that are there are not made again.
const tracksFile = "tracks.jsonl"

// run is one line of it.
type run struct {
	What    string           `json:"what"`
	Seed    int64            `json:"seed"`
	Person  string           `json:"person"`
	Frames  int              `json:"frames"`
	CPUMS   float64          `json:"cpu_ms"`            // of the extractor
	Passive *float64         `json:"passive,omitempty"` // signal of the straightest frame
	Track   *idv.Track       `json:"track"`
	Digests idv.FrameDigests `json:"digests"`
}

// key tells runs apart.
type key struct {
	what string
	seed int64
}

// readRuns reads what a folder has.
func readRuns(dir string) ([]run, error) {
	f, err := os.Open(filepath.Join(dir, tracksFile)) //nolint:gosec // the operator's folder
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the tracks: %w", err)
	}
	defer func() { _ = f.Close() }()
	var out []run
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r run
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("line %d of the tracks: %w", len(out)+1, err)
		}
		out = append(out, r)
	}
	return out, lines.Err()
}

// Generate films genuine runs and attacks from the seed on and writes what the extractor sees in them into a folder.
// Runs that the folder has are left as they are, so that the same command goes on where it was stopped.
func Generate(ctx context.Context, dir string, x idv.Extractor, o Amounts, progress func(done, total int)) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // generated runs are public
		return fmt.Errorf("make the folder: %w", err)
	}
	known, err := readRuns(dir)
	if err != nil {
		return err
	}
	have := map[key]bool{}
	for _, r := range known {
		have[key{r.What, r.Seed}] = true
	}
	f, err := os.OpenFile(filepath.Join(dir, tracksFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644) //nolint:gosec // as above
	if err != nil {
		return fmt.Errorf("open the tracks: %w", err)
	}
	wanted := o.wanted()
	for i, k := range wanted {
		if !have[k] {
			if err = film(ctx, f, x, k, o); err != nil {
				break
			}
		}
		progress(i+1, len(wanted))
	}
	return errors.Join(err, f.Close())
}

// Amounts says how much to make.
type Amounts struct {
	Genuine int      // runs
	Attacks int      // runs of each attack
	Seed    int64    // of the first
	Frames  int      // a run, 0: 40
	Only    []string // what to make: attacks, Genuine, Again, Recoded; none for all
}

// wanted lists the runs, genuine and attacks in turn, so that a measurement that was stopped has some of each.
func (o Amounts) wanted() []key {
	var out []key
	for n := range int64(max(o.Genuine, o.Attacks)) {
		if n < int64(o.Genuine) {
			out = append(out, key{Genuine, o.Seed + n})
		}
		if n < int64(min(o.Genuine, retakes)) {
			out = append(out, key{Again, o.Seed + n}, key{Recoded, o.Seed + n})
		}
		if n < int64(o.Attacks) {
			for _, a := range attacks() {
				out = append(out, key{string(a), o.Seed + n})
			}
		}
	}
	if len(o.Only) > 0 {
		out = slices.DeleteFunc(out, func(k key) bool { return !slices.Contains(o.Only, k.what) })
	}
	return out
}

// film makes one run and looks at it.
func film(ctx context.Context, f *os.File, x idv.Extractor, k key, o Amounts) error {
	r, packed, err := packedRun(k, o.Frames)
	if err != nil {
		return fmt.Errorf("%s of seed %d: %w", k.what, k.seed, err)
	}
	before := bench.Processor()
	found, err := x.Extract(ctx, idv.Capture{Kind: idv.Frames, SHA256: idv.Digest(k.what), Bytes: packed})
	if err != nil {
		return fmt.Errorf("%s of seed %d: %w", k.what, k.seed, err)
	}
	r.CPUMS = bench.Milliseconds(bench.Processor() - before)
	for _, a := range found.Artifacts {
		if !a.Present {
			continue
		}
		switch a.Kind {
		case idv.ArtifactTrack:
			t, err := idv.ValueOf[idv.Track](a)
			if err != nil {
				return err
			}
			r.Track = &t
		case idv.ArtifactSelfie:
			f, err := idv.ValueOf[idv.SelfieFace](a)
			if err != nil {
				return err
			}
			r.Passive = f.Liveness
		case idv.ArtifactFrameDigests:
			if r.Digests, err = idv.ValueOf[idv.FrameDigests](a); err != nil {
				return err
			}
		}
	}
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode a run: %w", err)
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write a run: %w", err)
	}
	return nil
}

// packedRun films a run as a browser would send it. Person, challenge, room, light, camera, habits and JPEG quality are
// the seed's; genuine runs and attacks of one seed share them.
func packedRun(k key, frames int) (run, []byte, error) {
	var seed [32]byte
	for i := range 8 {
		seed[i] = byte(k.seed >> (8 * i))
	}
	dice := rand.New(rand.NewChaCha8(seed))
	c, err := idv.DrawChallenge(rand.NewChaCha8(seed), false)
	if err != nil {
		return run{}, nil, err
	}
	people := fixtures.Faces()
	person, other := people[int(k.seed)%len(people)], people[(int(k.seed)+1+dice.IntN(len(people)-1))%len(people)]
	quality := 78 + dice.IntN(15)
	o := fixtures.Acting{Seed: k.seed, Frames: frames}
	var takes []fixtures.Take
	switch k.what {
	case Genuine:
		takes, err = fixtures.Act(person, c, o)
	case Again:
		seed[31], o.Retake = 1, 1
		if c, err = idv.DrawChallenge(rand.NewChaCha8(seed), false); err == nil {
			takes, err = fixtures.Act(person, c, o)
		}
	case Recoded:
		quality -= 20
		takes, err = fixtures.Act(person, c, o)
		for i, t := range takes {
			takes[i].Picture = t.Picture.Resize(t.Picture.W*4/5, t.Picture.H*4/5)
		}
	default:
		takes, err = fixtures.ActFalsely(fixtures.RunAttack(k.what), person, other, c, o)
	}
	if err != nil {
		return run{}, nil, err
	}
	packed, err := pack(takes, c, quality)
	return run{What: k.what, Seed: k.seed, Person: person, Frames: len(takes)}, packed, err
}

// pack is what the server keeps of a run that arrived a second after its last frame.
func pack(takes []fixtures.Take, c idv.Challenge, quality int) ([]byte, error) {
	issued := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	out := idv.FrameRun{Challenge: c, IssuedAt: issued}
	for _, t := range takes {
		b, err := imaging.EncodeJPEG(t.Picture, quality)
		if err != nil {
			return nil, fmt.Errorf("encode a frame: %w", err)
		}
		out.Frames = append(out.Frames, idv.Frame{AtMS: t.AtMS, JPEG: b})
	}
	out.ReceivedAt = issued.Add(time.Duration(takes[len(takes)-1].AtMS+3000) * time.Millisecond)
	return idv.PackFrames(out)
}
