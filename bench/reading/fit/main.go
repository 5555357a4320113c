// Command fit fits the model of the joint reader to files of recognised lines, and scores it.
//
//	go run ./bench/reading/fit -out internal/reading/model.bin -calibrate relaid-b.jsonl -score known-b.jsonl known-a.jsonl relaid-0.jsonl=-1 relaid-1.jsonl=-0
//
// A file is learned with senses of all words, or of the half behind its =, which should be one that its pages do not print.
package main

import (
	"encoding/gob"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/bench/reading"
	"github.com/bonafide-id/bonafide/bench/reading/relaid"
	"github.com/bonafide-id/bonafide/internal/idv"
	joint "github.com/bonafide-id/bonafide/internal/reading"
)

// options are what the flags say.
type options struct {
	limits                                             joint.Limits
	misses, ablate, losses, reliability, oldOne, hear  bool
	score, explain, half, calibrate, keep, out, senses string
	net, witnesses                                     string
	words                                              relaid.Half
	blur                                               float64
}

func parsed() options {
	o := options{limits: joint.Measured()}
	flag.StringVar(&o.score, "score", "", "files to score, separated by commas")
	flag.StringVar(&o.keep, "keep", "", "score the model of this file, fit nothing")
	flag.StringVar(&o.net, "net", "", "network that models/reading/train.py wrote; judges in place of the model's")
	flag.StringVar(&o.witnesses, "witnesses", "names.txt", "file of its features")
	flag.StringVar(&o.out, "out", "", "write the model there")
	flag.StringVar(&o.senses, "senses", "", "folder of networks of senses, which are learned once")
	words := flag.String("words", "", "half of the training words that senses are learned of: first or second; empty: all")
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
	flag.BoolVar(&o.hear, "hear", false, "give the reader what viz says as a witness; with -calibrate, fit what that is worth")
	flag.BoolVar(&o.oldOne, "old", false, "score the reader of today")
	flag.Parse()
	o.words = relaid.Half(*words)
	return o
}

func main() {
	o := parsed()
	l := learning{options: o, nets: map[relaid.Half]*joint.SenseNet{}}
	m := l.model()
	if o.calibrate != "" && o.hear {
		m.Weights = reading.FitSaid(m, o.heard(strings.Split(o.calibrate, ",")...))
	}
	if o.calibrate != "" {
		m.Weights = reading.Calibrate(m, l.sets(strings.Split(o.calibrate, ","), func(path string) []reading.Picture { return o.heard(path) }))
	}
	if o.out != "" {
		write(o.out, m)
	}
	for path := range strings.SplitSeq(o.score, ",") {
		if path == "" {
			continue
		}
		pictures := reading.Half(o.heard(path), o.half)
		for i := range pictures {
			pictures[i] = reading.Blur(pictures[i], o.blur, uint64(i))
		}
		o.show(path, pictures, m)
	}
}

// show writes what was asked about the pictures of one file to standard error.
func (o options) show(path string, pictures []reading.Picture, m *joint.Model) {
	switch {
	case o.explain != "":
		for _, p := range pictures {
			if p.Name == o.explain {
				fmt.Fprint(os.Stderr, joint.Explain(p.Page, m))
			}
		}
	case o.reliability:
		fmt.Fprintf(os.Stderr, "%s\n%s", path, reading.Reliability(pictures, m))
	case o.losses:
		fmt.Fprintf(os.Stderr, "%s\n%s", path, reading.LossesOf(pictures, m, o.limits))
	case o.ablate:
		fmt.Fprintf(os.Stderr, "%s\n%s", path, reading.Ablate(pictures, m, o.limits))
	default:
		o.scored(path, pictures, m)
	}
}

func (o options) scored(path string, pictures []reading.Picture, m *joint.Model) {
	take := func(p joint.Page) []idv.Claim { return joint.ReadWith(p, m, o.limits).Claims }
	if o.oldOne {
		take = reading.Old
	}
	s := reading.ScoreOf(pictures, take)
	fmt.Fprintf(os.Stderr, "%s\n%s", path, s)
	if !o.oldOne {
		lead := reading.ScoreOf(pictures, func(p joint.Page) []idv.Claim { return joint.ReadWith(p, m, joint.Limits{}).Claims })
		fmt.Fprintf(os.Stderr, "the right value leads: %d of %d\n", lead.All.Exact, lead.All.Exact+lead.All.Wrong+lead.All.Missing)
	}
	if !o.misses {
		return
	}
	for _, m := range s.Misses {
		fmt.Fprintf(os.Stderr, "%s\t%s\twant %q\tgot %q %.3f absent %t\n", m.Picture, m.Fact, m.Want, m.Got, m.Confidence, m.Absent)
	}
}

// learning has the networks of senses that were learned so far, by their halves of the words.
type learning struct {
	options
	nets map[relaid.Half]*joint.SenseNet
}

// model is the one of a file, or one that is fitted.
func (l learning) model() *joint.Model {
	if l.keep != "" {
		m := read(l.keep)
		l.nets[l.words] = m.Senses
		if l.net != "" {
			m.Net = readNet(l.net, l.witnesses)
		}
		return m
	}
	return reading.Fit(l.sets(flag.Args(), training), l.sensesOf(l.words), tell("judge"))
}

func tell(what string) func(int, float64) {
	return func(round int, loss float64) { log.Printf("%s: round %d: loss %.4f", what, round, loss) }
}

// sets are files, each with the senses that it names behind its =.
func (l learning) sets(args []string, load func(path string) []reading.Picture) []reading.Set {
	var out []reading.Set
	for _, arg := range args {
		path, half, given := strings.Cut(arg, "=")
		h := l.words
		if given {
			h = relaid.Half(half)
		}
		out = append(out, reading.Set{Pictures: load(path), Senses: l.sensesOf(h)})
	}
	return out
}

// sensesOf is the network of a half of the words, from the folder of those that were learned before, if there is one.
func (l learning) sensesOf(h relaid.Half) *joint.SenseNet {
	if l.nets[h] != nil {
		return l.nets[h]
	}
	path, net := filepath.Join(l.senses, "senses-"+string(h)+".gob"), new(joint.SenseNet)
	if f, err := os.Open(path); l.senses != "" && err == nil {
		err = errors.Join(gob.NewDecoder(f).Decode(net), f.Close())
		if err != nil {
			log.Fatal(err)
		}
		l.nets[h] = net
		return net
	}
	net = reading.FitSenses(h, tell("senses of "+string(h)))
	l.nets[h] = net
	if l.senses == "" {
		return net
	}
	f, err := os.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(gob.NewEncoder(f).Encode(net), f.Close()); err != nil {
		log.Fatal(err)
	}
	return net
}

// training are pictures as they are, and those of known layouts once more with a share of their labels blurred.
func training(path string) []reading.Picture {
	var all []reading.Picture
	for i, p := range load(path) {
		if all = append(all, p); p.Layout == facts.KnownLayout {
			all = append(all, reading.Blur(p, []float64{.3, .7, 1}[i%3], uint64(i)))
		}
	}
	return all
}

func read(path string) *joint.Model {
	f, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	m, err := joint.ReadModel(f)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

func readNet(path, witnesses string) *joint.Net {
	names, err := os.ReadFile(witnesses)
	if err != nil {
		log.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	n, err := joint.ReadNet(f, strings.FieldsFunc(string(names), func(r rune) bool { return r == '\n' }))
	if err != nil {
		log.Fatal(err)
	}
	return n
}

func write(path string, m *joint.Model) {
	f, err := os.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(m.Write(f), f.Close()); err != nil {
		log.Fatal(err)
	}
}

// heard are the pictures of files, with what viz says where that is asked for.
func (o options) heard(paths ...string) []reading.Picture {
	pictures := load(paths...)
	if o.hear {
		reading.Hear(pictures)
	}
	return pictures
}

func load(paths ...string) []reading.Picture {
	pictures, err := reading.Load(paths...)
	if err != nil {
		log.Fatal(err)
	}
	return pictures
}
