// Package attacks measures what becomes of stolen pictures that are made to follow the prompts of a liveness challenge.
//
// The document is genuine and the victim's own, its checks are left out: what is measured is face and challenge, with the
// tries that an attacker has who brings the right document. Every run goes through extraction, checks and policy, as if its
// frames had been sent before by nobody and had arrived a second after the last.
package attacks

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/bonafide-id/bonafide/fixtures/puppet"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Row is what the runs of a row have in common.
type Row string

// The rows beside the families of package puppet, which are of a stolen selfie.
const (
	Genuine             Row = "genuine"            // the right person answers; says what the other rows are worth
	GenuineShoulders    Row = "genuine_shoulders"  // whose shoulders follow the head by a part
	GenuinePoor         Row = "genuine_poor"       // before a poor camera: soft, noisy, strongly compressed
	GenuineSmall        Row = "genuine_small"      // in pictures of a quarter of the size
	PortraitAsSelfie    Row = "portrait_as_selfie" // cut out of the photograph of the document, for a workflow that asks for one picture
	EllipsoidPortrait   Row = "ellipsoid_portrait"
	EllipsoidGraded     Row = "ellipsoid_graded" // the face alone moves within the picture, whose brightness and size were changed
	GenericHeadPortrait Row = "generic_head_portrait"
	FaceSwapPortrait    Row = "face_swap_portrait"
	Adaptive            Row = "adaptive" // an adversary who learns, with a number of tries a victim
)

// Rows lists every row, in the order in which they are shown.
func Rows() []Row {
	out := []Row{Genuine, GenuineShoulders, GenuinePoor, GenuineSmall, PortraitAsSelfie}
	for _, f := range puppet.Families() {
		out = append(out, Row(f))
		switch f {
		case puppet.Ellipsoid:
			out = append(out, EllipsoidPortrait, EllipsoidGraded)
		case puppet.GenericHead:
			out = append(out, GenericHeadPortrait)
		case puppet.FaceSwap:
			out = append(out, FaceSwapPortrait)
		}
	}
	return append(out, Adaptive)
}

// Honest reports whether the right person answers, so that approval is the right answer.
func (r Row) Honest() bool {
	return r == Genuine || r == GenuineShoulders || r == GenuinePoor || r == GenuineSmall
}

// Case is what came of one run, or of all tries of one adversary.
type Case struct {
	Seed    int64               `json:"seed"`
	Row     Row                 `json:"row"`
	Outcome idv.DecisionOutcome `json:"outcome,omitempty"` // of the run, or of the adversary's last; empty where it was not accepted
	Reasons []string            `json:"reasons,omitempty"` // check and reason of what did not pass
	Tries   int                 `json:"tries"`
	How     *puppet.Try         `json:"how,omitempty"` // the adversary's last try
}

// Approved reports whether the attack succeeded.
func (c Case) Approved() bool { return c.Outcome == idv.DecideApprove }

// Options say what is measured.
type Options struct {
	Runs   int // a row
	Seed   int64
	Rows   []Row // empty: every row
	Tries  int   // of an adversary, 0: 20
	Frames int   // a run, 0: 36

	// Victims names the victim of a seed. Nil: people of the fixtures, in turn.
	Victims func(seed int64) (*Victim, error)

	Known    []Case           // of an earlier run: they are not made again
	Keep     func(Case) error // is given each case as soon as it was measured; nil: nobody is
	Progress func(done, total int)
}

// Program is what attacks are sent to.
type Program interface {
	// Extract settles what a capture yields.
	Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error)
	// Ask answers a question by what was extracted.
	Ask(ctx context.Context, k idv.CheckKind, ev idv.Evidence) (idv.Finding, error)
}

// Finder finds the largest face of a picture; false where there is none.
type Finder func(ctx context.Context, p *imaging.RGB) (puppet.Marks, bool, error)

// task is one case to be measured.
type task struct {
	seed int64
	row  Row
}

// tasks lists the cases that are wanted, all rows of a seed before the next seed, so that a measurement that was stopped has
// some of each.
func (o Options) tasks() []task {
	rows := o.Rows
	if len(rows) == 0 {
		rows = Rows()
	}
	var out []task
	for n := range int64(o.Runs) {
		for _, row := range rows {
			out = append(out, task{o.Seed + n, row})
		}
	}
	return out
}

// Run measures. Cases come in the order of their seeds, then of their rows.
func Run(ctx context.Context, p Program, find Finder, o Options) ([]Case, error) {
	if o.Tries == 0 {
		o.Tries = 20
	}
	if o.Victims == nil {
		o.Victims = Acted
	}
	tasks := o.tasks()
	cases := make([]Case, len(tasks))
	var (
		mu     sync.Mutex
		failed error
		done   int
		wg     sync.WaitGroup
		next   = make(chan int)
	)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			s := &siege{program: p, find: find, options: o}
			for i := range next {
				c, known := o.known(tasks[i])
				var err error
				if !known {
					c, err = s.measure(ctx, tasks[i])
				}
				mu.Lock()
				if err == nil && !known && o.Keep != nil {
					err = o.Keep(c)
				}
				cases[i], done = c, done+1
				if err != nil && failed == nil {
					failed = fmt.Errorf("%s of seed %d: %w", tasks[i].row, tasks[i].seed, err)
					cancel()
				}
				if o.Progress != nil {
					o.Progress(done, len(tasks))
				}
				mu.Unlock()
			}
		})
	}
	for i := 0; i < len(tasks) && ctx.Err() == nil; i++ {
		next <- i
	}
	close(next)
	wg.Wait()
	if err := errors.Join(failed, context.Cause(ctx)); err != nil {
		return nil, fmt.Errorf("bench attacks: %w", err)
	}
	return cases, nil
}

func (o Options) known(t task) (Case, bool) {
	i := slices.IndexFunc(o.Known, func(c Case) bool { return c.Seed == t.seed && c.Row == t.row })
	if i < 0 {
		return Case{}, false
	}
	return o.Known[i], true
}
