// Command kinds fits the weights by which the joint reader tells kinds and issuers to files of recognised lines, and scores them.
//
//	go run ./bench/reading/kinds -score known-b.jsonl known-a.jsonl relaid.jsonl > internal/reading/identity.tsv
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/bonafide-id/bonafide/bench/reading"
)

func main() {
	score := flag.String("score", "", "files to score, separated by commas")
	sure := flag.Float64("sure", .95, "how sure an answer must be")
	flag.Parse()
	pictures, err := reading.Load(flag.Args()...)
	if err != nil {
		log.Fatal(err)
	}
	w := reading.FitIdentity(pictures)
	fmt.Print(w)
	for path := range strings.SplitSeq(*score, ",") {
		if path == "" {
			continue
		}
		pictures, err := reading.Load(path)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Fprintf(os.Stderr, "%s\n%s", path, reading.ScoreIdentity(pictures, w, *sure))
	}
}
