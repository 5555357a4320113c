// Command fit fits the weights of the joint reader to files of recognised lines, and scores them.
//
//	go run ./bench/reading/fit -calibrate relaid-b.jsonl -score known-b.jsonl known-a.jsonl relaid-a.jsonl > internal/reading/weights.tsv
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/bench/reading"
	"github.com/bonafide-id/bonafide/internal/idv"
	joint "github.com/bonafide-id/bonafide/internal/reading"
)

// options are what the flags say.
type options struct {
	limits                                            joint.Limits
	keep, misses, ablate, losses, reliability, oldOne bool
	score, explain, half, calibrate                   string
	blur                                              float64
}

func parsed() options {
	o := options{limits: joint.Measured()}
	flag.StringVar(&o.score, "score", "", "files to score, separated by commas")
	flag.BoolVar(&o.keep, "keep", false, "score the weights that ship, fit nothing")
	flag.BoolVar(&o.misses, "misses", false, "list what was not exact")
	flag.Float64Var(&o.blur, "blur", 0, "share of the labels that are blurred in what is scored")
	flag.Float64Var(&o.limits.Sure, "sure", o.limits.Sure, "how sure a claim must be")
	flag.Float64Var(&o.limits.Mean, "mean", o.limits.Mean, "how sure its characters must be on the mean")
	flag.Float64Var(&o.limits.Least, "least", o.limits.Least, "how sure its least sure character must be")
	flag.BoolVar(&o.ablate, "ablate", false, "score with each witness and each constraint switched off")
	flag.StringVar(&o.explain, "explain", "", "explain the picture of this name among those that are scored")
	flag.StringVar(&o.half, "half", "", "score one half of the pictures, by their names: a or b")
	flag.BoolVar(&o.losses, "losses", false, "trace what became of every printed fact")
	flag.BoolVar(&o.reliability, "reliability", false, "count how many claims are right, by confidence")
	flag.StringVar(&o.calibrate, "calibrate", "", "files to calibrate the confidences on, separated by commas")
	flag.BoolVar(&o.oldOne, "old", false, "score the reader of today")
	flag.Parse()
	return o
}

func main() {
	o := parsed()
	w := joint.Fitted()
	if !o.keep {
		w = fitted(flag.Args())
	}
	if o.calibrate != "" {
		w = reading.Calibrate(w, load(strings.Split(o.calibrate, ",")...))
	}
	if !o.keep || o.calibrate != "" {
		fmt.Print(w)
	}
	for path := range strings.SplitSeq(o.score, ",") {
		if path == "" {
			continue
		}
		pictures := reading.Half(load(path), o.half)
		for i := range pictures {
			pictures[i] = reading.Blur(pictures[i], o.blur, uint64(i))
		}
		o.show(path, pictures, w)
	}
}

// show writes what was asked about the pictures of one file to standard error.
func (o options) show(path string, pictures []reading.Picture, w joint.Weights) {
	switch {
	case o.explain != "":
		for _, p := range pictures {
			if p.Name == o.explain {
				fmt.Fprint(os.Stderr, joint.Explain(p.Page, w))
			}
		}
	case o.reliability:
		fmt.Fprintf(os.Stderr, "%s\n%s", path, reading.Reliability(pictures, w))
	case o.losses:
		fmt.Fprintf(os.Stderr, "%s\n%s", path, reading.LossesOf(pictures, w, o.limits))
	case o.ablate:
		fmt.Fprintf(os.Stderr, "%s\n%s", path, reading.Ablate(pictures, w, o.limits))
	default:
		o.scored(path, pictures, w)
	}
}

func (o options) scored(path string, pictures []reading.Picture, w joint.Weights) {
	read := func(p joint.Page) []idv.Claim { return joint.ReadWith(p, w, o.limits).Claims }
	if o.oldOne {
		read = reading.Old
	}
	s := reading.ScoreOf(pictures, read)
	fmt.Fprintf(os.Stderr, "%s\n%s", path, s)
	if !o.misses {
		return
	}
	for _, m := range s.Misses {
		fmt.Fprintf(os.Stderr, "%s\t%s\twant %q\tgot %q %.3f absent %t\n", m.Picture, m.Fact, m.Want, m.Got, m.Confidence, m.Absent)
	}
}

// fitted fits to pictures as they are, and to those of known layouts once more with a share of their labels blurred.
func fitted(paths []string) joint.Weights {
	var all []reading.Picture
	for i, p := range load(paths...) {
		if all = append(all, p); p.Layout == facts.KnownLayout {
			all = append(all, reading.Blur(p, []float64{.3, .7, 1}[i%3], uint64(i)))
		}
	}
	return reading.Fit(all, func(round int, loss float64) { log.Printf("round %d: loss %.4f", round, loss) })
}

func load(paths ...string) []reading.Picture {
	pictures, err := reading.Load(paths...)
	if err != nil {
		log.Fatal(err)
	}
	return pictures
}
