// Command fit fits the weights of the joint reader to files of recognised lines, and scores them.
//
//	go run ./bench/reading/fit -score known-b.jsonl known-a.jsonl > internal/reading/weights.tsv
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/bonafide-id/bonafide/bench/reading"
	"github.com/bonafide-id/bonafide/internal/idv"
	joint "github.com/bonafide-id/bonafide/internal/reading"
)

func main() {
	score := flag.String("score", "", "files to score, separated by commas")
	keep := flag.Bool("keep", false, "score the weights that ship, fit nothing")
	misses := flag.Bool("misses", false, "list what was not exact")
	blur := flag.Float64("blur", 0, "share of the labels that are blurred in what is scored")
	limits := joint.Measured()
	flag.Float64Var(&limits.Sure, "sure", limits.Sure, "how sure a claim must be")
	flag.Float64Var(&limits.Mean, "mean", limits.Mean, "how sure its characters must be on the mean")
	flag.Float64Var(&limits.Least, "least", limits.Least, "how sure its least sure character must be")
	ablate := flag.Bool("ablate", false, "score with each witness and each constraint switched off")
	explain := flag.String("explain", "", "explain the picture of this name among those that are scored")
	old := flag.Bool("old", false, "score the reader of today")
	flag.Parse()
	w := joint.Fitted()
	if !*keep {
		w = fitted(flag.Args())
		fmt.Print(w)
	}
	for path := range strings.SplitSeq(*score, ",") {
		if path == "" {
			continue
		}
		pictures, err := reading.Load(path)
		if err != nil {
			log.Fatal(err)
		}
		for i := range pictures {
			pictures[i] = reading.Blur(pictures[i], *blur, uint64(i))
		}
		if *explain != "" {
			for _, p := range pictures {
				if p.Name == *explain {
					fmt.Fprint(os.Stderr, joint.Explain(p.Page, w))
				}
			}
			continue
		}
		if *ablate {
			fmt.Fprintf(os.Stderr, "%s\n%s", path, reading.Ablate(pictures, w, limits))
			continue
		}
		read := func(p joint.Page) []idv.Claim { return joint.ReadWith(p, w, limits).Claims }
		if *old {
			read = reading.Old
		}
		s := reading.ScoreOf(pictures, read)
		fmt.Fprintf(os.Stderr, "%s\n%s", path, s)
		if *misses {
			for _, m := range s.Misses {
				fmt.Fprintf(os.Stderr, "%s\t%s\twant %q\tgot %q %.3f absent %t\n", m.Picture, m.Fact, m.Want, m.Got, m.Confidence, m.Absent)
			}
		}
	}
}

// fitted fits to pictures as they are and with a share of their labels blurred.
func fitted(paths []string) joint.Weights {
	pictures, err := reading.Load(paths...)
	if err != nil {
		log.Fatal(err)
	}
	var all []reading.Picture
	for i, p := range pictures {
		all = append(all, p, reading.Blur(p, .3, uint64(i)), reading.Blur(p, .7, uint64(i)), reading.Blur(p, 1, uint64(i)))
	}
	return reading.Fit(all, func(round int, loss float64) { log.Printf("round %d: loss %.4f", round, loss) })
}
