// Command fit makes the model of the joint reader of a network that models/reading trained, and scores it on files of recognised lines.
//
//	go run ./bench/reading/fit -net net.bin -witnesses names.txt -calibrate known-b.jsonl,strange-b.jsonl -out internal/reading/model.bin drawn.jsonl
//	go run ./bench/reading/fit -keep internal/reading/model.bin -score strange.jsonl
//
// What the facts of a page say of each other is fitted to the drawn pages and to those that confidences are calibrated on.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/bench/reading"
	"github.com/bonafide-id/bonafide/internal/idv"
	joint "github.com/bonafide-id/bonafide/internal/reading"
)

// options are what the flags say.
type options struct {
	limits                                      joint.Limits
	misses, ablate, losses, reliability, looked bool
	score, explain, half, calibrate, keep, out  string
	net, witnesses, unpack                      string
	blur                                        float64
}

func parsed() options {
	o := options{limits: joint.Measured()}
	flag.StringVar(&o.score, "score", "", "files to score, separated by commas")
	flag.StringVar(&o.keep, "keep", "", "score the model of this file, fit nothing; with -net, its weights beside that network")
	flag.StringVar(&o.net, "net", "", "networks that models/reading/train.py wrote, separated by commas")
	flag.StringVar(&o.witnesses, "witnesses", "names.txt", "file of its features")
	flag.StringVar(&o.unpack, "unpack", "",
		"write the networks there, the second with 2- before its name, and its features to the file of witnesses, for training to go on from")
	flag.StringVar(&o.out, "out", "", "write the model there")
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
	flag.BoolVar(&o.looked, "looked", false, "take the lines as second looks left them")
	flag.Parse()
	return o
}

func main() {
	o := parsed()
	m := o.model(flag.Args())
	if o.out != "" {
		write(o.out, m)
	}
	if o.unpack != "" {
		for k, n := range m.Nets {
			if err := unpack(n, numbered(o.unpack, k), o.witnesses); err != nil {
				log.Fatal(err)
			}
		}
	}
	for path := range strings.SplitSeq(o.score, ",") {
		if path == "" {
			continue
		}
		pictures := reading.Half(o.load(path), o.half)
		for i := range pictures {
			pictures[i] = reading.Blur(pictures[i], o.blur, uint64(i))
		}
		o.show(path, pictures, m)
	}
}

// model is the one of a file, or a network's with weights that are fitted to files.
func (o options) model(drawn []string) *joint.Model {
	if o.keep != "" {
		m := read(o.keep)
		if o.net != "" {
			m.Nets = readNets(o.net, o.witnesses)
		}
		return m
	}
	m := &joint.Model{Nets: readNets(o.net, o.witnesses)}
	kept := o.load(strings.Split(o.calibrate, ",")...)
	pictures := kept
	if len(drawn) > 0 {
		pictures = append(load(drawn...), kept...)
	}
	m.Weights = reading.FitWitnesses(m, pictures, func(round int, loss float64) { log.Printf("witnesses: round %d: loss %.4f", round, loss) })
	m.Weights = reading.Calibrate(m, kept)
	return m
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
	s := reading.ScoreOf(pictures, take)
	fmt.Fprintf(os.Stderr, "%s\n%s", path, s)
	n := reading.ScoreOf(pictures, func(p joint.Page) []idv.Claim { return joint.ReadWith(p, m, joint.Limits{}).Claims }).All
	fmt.Fprintf(os.Stderr, "  the right value leads for %d of %d\n", n.Exact, n.Exact+n.Wrong+n.Missing)
	if !o.misses {
		return
	}
	for _, m := range s.Misses {
		fmt.Fprintf(os.Stderr, "%s\t%s\twant %q\tgot %q %.3f absent %t\n", m.Picture, m.Fact, m.Want, m.Got, m.Confidence, m.Absent)
	}
}

// unpack writes a network as models/reading/train.py does.
func unpack(n *joint.Net, path, witnesses string) error {
	var shapes [][2]any
	var numbers bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(n.Tensors)) {
		t := n.Tensors[name]
		shapes = append(shapes, [2]any{name, []int{t.Rows, t.Columns}})
		for _, v := range t.Values {
			numbers.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
		}
	}
	head, err := json.Marshal(shapes)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(path, slices.Concat(head, []byte("\n"), numbers.Bytes()), 0o600),
		os.WriteFile(witnesses, []byte(strings.Join(n.Witnesses, "\n")+"\n"), 0o600),
	)
}

// numbered is the path of a network's file: the first has the name that was given, the second begins with 2- …
func numbered(path string, k int) string {
	if k == 0 {
		return path
	}
	return filepath.Join(filepath.Dir(path), strconv.Itoa(k+1)+"-"+filepath.Base(path))
}

// readNets reads the networks of files that commas part.
func readNets(paths, witnesses string) []*joint.Net {
	var out []*joint.Net
	for path := range strings.SplitSeq(paths, ",") {
		out = append(out, readNet(path, witnesses))
	}
	return out
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

func write(path string, m *joint.Model) {
	f, err := os.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(m.Write(f), f.Close()); err != nil {
		log.Fatal(err)
	}
}

func (o options) load(paths ...string) []reading.Picture {
	if !o.looked {
		return load(paths...)
	}
	pictures, err := reading.LoadLooked(paths...)
	if err != nil {
		log.Fatal(err)
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
