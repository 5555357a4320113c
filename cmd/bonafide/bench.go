package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/config"
)

// benchCommand measures accuracy and speed on the operator's own pictures.
type benchCommand struct {
	MRZ       benchMRZ       `cmd:"" name:"mrz" help:"Reading of machine-readable zones against truth.tsv (file, line1..3)."`
	Faces     benchFaces     `cmd:"" help:"Comparison of faces against pairs.tsv (same, a, b), impostors over all pairs of identities."`
	Gallery   benchGallery   `cmd:"" help:"The cost of searching a face among many (invented ones), and whether the scan misses any (on pictures)."`
	Speed     benchSpeed     `cmd:"" help:"Whole verifications of NAME-front, NAME-back and NAME-selfie: processor time and memory."`
	Barcode   benchBarcode   `cmd:"" help:"Reading of barcodes against NN.txt or NN.bin beside each picture."`
	AAMVA     benchAAMVA     `cmd:"" name:"aamva" help:"Reading of the bar codes of North American cards, which it invents and photographs."`
	Copies    benchCopies    `cmd:"" help:"Signs of copies and of exchanged portraits, on photographs that it generates into the folder."`
	Facts     benchFacts     `cmd:"" help:"Reading of printed facts against claims.tsv (file, fact, value, printed), or of generated documents."`
	Quality   benchQuality   `cmd:"" help:"What sharpness, glare and darkness mean: how often pages are read at which value."`
	Liveness  benchLiveness  `cmd:"" help:"Judgement of liveness challenges, on runs and attacks that it acts into the folder."`
	Light     benchLight     `cmd:"" help:"Answers to the colours of a screen, of people whom it acts in simulated light and of tricks."`
	Load      benchLoad      `cmd:"" help:"A server that sessions are made on at a steady rate while people read its console, against a bare insert and commit."`
	Kills     benchKills     `cmd:"" help:"A server that is killed at random moments, again and again: what becomes of its sessions, and when."`
	Overload  benchOverload  `cmd:"" help:"A server that is called more often than it can bear: what it accepts, how fast, and what it refuses."`
	Page      benchPage      `cmd:"" help:"Write the page of pictures on which the readers failed."`
	Edits     benchEdits     `cmd:"" help:"Signs of editing by themselves, at known places of documents that it photographs and forges."`
	Forgeries benchForgeries `cmd:"" help:"Verdicts on edited documents, which it forges and photographs, and on genuine pictures of a folder."`
	Attacks   benchAttacks   `cmd:"" help:"Verdicts on stolen pictures that are made to follow a liveness challenge, and on an attacker who learns."`
	Screening benchScreening `cmd:"" help:"Who is found on watchlists, and who is accused who is on none: pairs, aliases, invented customers."`
	Signed    benchSigned    `cmd:"" name:"credentials" help:"How long chips, master lists and wallets take to verify, and a chip to read at a distance."`

	Lists          benchLists          `cmd:"" help:"Imports of watchlists of official size that are killed at every stage: what is left of them."`
	ScreeningSpeed benchScreeningSpeed `cmd:"" help:"What lists of full size cost: building, memory, searches, people who are screened again."`
}

// benchInput is what every measurement takes.
type benchInput struct {
	config.Engine
	Dir     string `arg:"" optional:"" help:"The folder of pictures. Not needed where pictures are generated."`
	Truth   string `placeholder:"FILE" help:"The list of what is right. Default: the usual file in the folder."`
	JSON    bool   `name:"json" help:"Print one JSON object."`
	Record  string `placeholder:"FILE" help:"Also write the result there, with machine, commit and data set."`
	DataSet string `placeholder:"NAME" help:"What to call the data set in the record. Default: the folder's name."`
}

// benchGenerated is for measurements that make their own pictures.
type benchGenerated struct {
	Generate int    `placeholder:"N" help:"Make N pictures in memory and read those, not a folder."`
	Seed     int64  `default:"1" help:"The seed of the first generated picture."`
	Failures string `placeholder:"DIR" help:"Keep generated pictures that were read wrongly there, for people to look at."`
}

// errNoPictures: nothing was said about what to measure on.
var errNoPictures = errors.New("bench: name a folder of pictures, or --generate some")

// progress counts up on a line of its own.
func progress(w io.Writer) func(done, total int) {
	return func(done, total int) {
		_, _ = fmt.Fprintf(w, "\r%d of %d", done, total)
		if done == total {
			_, _ = fmt.Fprintln(w)
		}
	}
}

// name is what the data set is called.
func (c *benchInput) name() string {
	if c.DataSet != "" {
		return c.DataSet
	}
	return filepath.Base(filepath.Clean(c.Dir))
}

// answer prints a result and keeps its record, if one is wanted.
func (c *benchInput) answer(s streams, what string, result any, text string) error {
	if c.Record != "" {
		if err := bench.NewRecord(what, c.name(), command(os.Args), result).Write(c.Record); err != nil {
			return err
		}
	}
	if c.JSON {
		return json.NewEncoder(s.Out).Encode(result)
	}
	_, err := io.WriteString(s.Out, text)
	return err
}

// command is the command line without the names of this machine's folders.
func command(args []string) string {
	out := []string{"bonafide"}
	for i := 1; i < len(args); i++ {
		switch a := args[i]; {
		case slices.Contains([]string{"--record", "--data-set"}, a):
			i++ // where the record goes is no part of the measurement
		case strings.ContainsRune(a, os.PathSeparator):
			out = append(out, "DIR")
		default:
			out = append(out, a)
		}
	}
	return strings.Join(out, " ")
}
