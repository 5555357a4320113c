// Command draw makes training pages for the joint reader out of files of recognised lines, and writes them as one.
//
//	go run ./bench/reading/relaid/draw -pages 2000 -words first known.jsonl > relaid.jsonl
//	go run ./bench/reading/relaid/draw -pages 2000 -known known.jsonl > known-drawn.jsonl
package main

import (
	"encoding/json"
	"flag"
	"log"
	"os"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/bench/reading/relaid"
)

func main() {
	var o relaid.Options
	flag.IntVar(&o.Pages, "pages", 1000, "how many pages")
	flag.Uint64Var(&o.Seed, "seed", 1, "the same seed makes the same pages")
	layouts := flag.Bool("known", false, "pages of known layouts")
	words := flag.String("words", "", "half of the label words that is printed: first or second; empty: all")
	flag.Parse()
	o.Words = relaid.Half(*words)
	if err := draw(o, *layouts, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

// draw writes pages made of the known ones of some files.
func draw(o relaid.Options, layouts bool, paths []string) error {
	var known []facts.Cached
	for _, path := range paths {
		all, err := facts.ReadLines(path)
		if err != nil {
			return err
		}
		known = append(known, all...)
	}
	to := json.NewEncoder(os.Stdout)
	to.SetEscapeHTML(false)
	pages, err := relaid.Draw(known, o), error(nil)
	if layouts {
		pages, err = relaid.DrawKnown(known, o)
	}
	if err != nil {
		return err
	}
	for _, c := range pages {
		if err := to.Encode(c); err != nil {
			return err
		}
	}
	return nil
}
