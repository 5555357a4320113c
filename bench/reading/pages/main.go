// Command pages writes pages as the network of the joint reader sees them, for models/reading/train.py: pages that it draws, or those of
// files of recognised lines.
//
//	go run ./bench/reading/pages -names names.txt -count 2000 known-a.jsonl > /dev/null     # finds the witnesses' features
//	go run ./bench/reading/pages -names names.txt -from 0 known-a.jsonl                     # draws pages without end
//	go run ./bench/reading/pages -names names.txt -keep known-b.jsonl > known-b.bin         # pages as they were recognised
package main

import (
	"bufio"
	"errors"
	"flag"
	"io/fs"
	"log"
	"os"
	"strings"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/bench/reading"
	"github.com/bonafide-id/bonafide/bench/reading/relaid"
)

// options are what the flags say.
type options struct {
	names       string
	people      string
	from, count int
	seed        uint64
	keep        bool
}

func main() {
	var o options
	flag.StringVar(&o.names, "names", "names.txt", "file of the features' names; written where there is none")
	flag.StringVar(&o.people, "people", "", "file of people's names, as models/reading/people.mjs writes it")
	flag.IntVar(&o.from, "from", 0, "number of the first page")
	flag.IntVar(&o.count, "count", 0, "how many numbers; 0: without end")
	flag.Uint64Var(&o.seed, "seed", 1, "the same seed makes the same pages")
	flag.BoolVar(&o.keep, "keep", false, "write the pages of the files")
	flag.Parse()
	if err := o.run(flag.Args()); err != nil {
		log.Fatal(err)
	}
}

func (o options) run(paths []string) error {
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	raw, err := os.ReadFile(o.names)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	w := reading.NewSightWriter(out, lines(string(raw)))
	w.Grow = err != nil
	if err := o.write(w, paths); err != nil {
		return err
	}
	if w.Grow {
		if err := os.WriteFile(o.names, []byte(strings.Join(w.Names(), "\n")+"\n"), 0o600); err != nil {
			return err
		}
	}
	return out.Flush()
}

func lines(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '\n' })
}

func (o options) write(w *reading.SightWriter, paths []string) error {
	if o.keep {
		pictures, err := reading.Load(paths...)
		if err != nil {
			return err
		}
		for _, p := range pictures {
			if err := w.Write(p, nil); err != nil {
				return err
			}
		}
		return nil
	}
	var known []facts.Cached
	for _, path := range paths {
		all, err := facts.ReadLines(path)
		if err != nil {
			return err
		}
		known = append(known, all...)
	}
	people := []byte(nil)
	if o.people != "" {
		var err error
		if people, err = os.ReadFile(o.people); err != nil {
			return err
		}
	}
	m := relaid.NewMill(known, relaid.Options{Seed: o.seed, All: true, People: string(people)})
	for i := o.from; o.count == 0 || i < o.from+o.count; i++ {
		pictures, labels, err := reading.Training(m, i)
		if err != nil {
			return err
		}
		for _, p := range pictures {
			if err := w.Write(p, labels); err != nil {
				return err
			}
		}
	}
	return nil
}
