// Package mrz measures the reading of machine-readable zones on a folder of labelled pictures.
//
// What counts most is the smallest number: zones that were called verified and are wrong. The others say how often a
// zone is found, read as printed, and proved.
package mrz

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical"
)

// Result is what `bonafide bench mrz` answers.
type Result struct {
	Pictures      int             `json:"pictures"`
	Found         bench.Rate      `json:"found"`
	Exact         bench.Rate      `json:"exact"`                  // as read, with the format's number of characters
	Repaired      bench.Rate      `json:"exact_after_repair"`     // after repair by field class
	Verified      bench.Rate      `json:"verified"`               // check digits, both readers, nothing printed against it
	VerifiedWrong bench.Rate      `json:"verified_but_wrong"`     // … and yet not what is printed
	ValidWrong    bench.Rate      `json:"check_digits_but_wrong"` // what check digits alone would have let through
	NotFound      bench.Rate      `json:"not_found"`
	Milliseconds  bench.Quantiles `json:"ms"` // wall clock a picture, decoding included
	Files         []File          `json:"files"`
}

// File is one picture.
type File struct {
	Name          string          `json:"file"`
	Found         bool            `json:"found"`
	Format        string          `json:"format"`
	Exact         bool            `json:"exact"`
	Repaired      bool            `json:"exact_after_repair"`
	SecondExact   bool            `json:"second_reader_exact"`
	CheckDigitsOK bool            `json:"check_digits_ok"`
	ReadersAgree  bool            `json:"readers_agree"`
	PrintedZone   idv.PrintedZone `json:"printed_zone"`
	Verified      bool            `json:"verified"`
	WrongAt       []string        `json:"wrong_at"` // line:column and the characters, want>got
	SecondWrongAt []string        `json:"second_wrong_at"`
	Milliseconds  float64         `json:"ms"`
	Failure       string          `json:"failure,omitempty"`
}

// Run reads the pictures that the list names: lines "file<tab>line1<tab>line2[<tab>line3]", a first line that begins
// with "file" is a heading. Pictures lie below dir, or below dir/images. An empty truth means truth.tsv in dir. progress,
// if not nil, is called after each picture.
func Run(ctx context.Context, dir, truth string, r *optical.Reader, progress func(done, total int)) (*Result, error) {
	if truth == "" {
		truth = filepath.Join(dir, "truth.tsv")
	}
	want, err := readTruth(truth)
	if err != nil {
		return nil, err
	}
	out := &Result{Pictures: len(want)}
	for i, w := range want {
		f, err := readOne(ctx, dir, w, r)
		if err != nil {
			return nil, err
		}
		out.Files = append(out.Files, f)
		if progress != nil {
			progress(i+1, len(want))
		}
	}
	out.summarize()
	return out, nil
}

type labelled struct {
	file  string
	lines []string
}

func readTruth(path string) ([]labelled, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("bench mrz: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	var out []labelled
	s := bufio.NewScanner(f)
	for s.Scan() {
		parts := strings.Split(strings.TrimRight(s.Text(), "\r"), "\t")
		if len(parts) < 3 || len(out) == 0 && parts[0] == "file" {
			continue
		}
		lines := slices.DeleteFunc(parts[1:], func(l string) bool { return l == "" })
		out = append(out, labelled{file: parts[0], lines: lines})
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("bench mrz: %w", err)
	}
	if len(out) == 0 {
		return nil, errors.New("bench mrz: the list names no pictures")
	}
	return out, nil
}

func readOne(ctx context.Context, dir string, w labelled, r *optical.Reader) (File, error) {
	raw, err := bench.OpenPicture(dir, w.file)
	if err != nil {
		return File{}, err
	}
	out := File{Name: w.file, WrongAt: []string{}, SecondWrongAt: []string{}}
	start := time.Now()
	img, _, refused := imaging.Open(raw, imaging.Limits{})
	if refused != nil {
		out.Failure = refused.Error()
		return out, nil //nolint:nilerr // a picture that cannot be opened is a result
	}
	page, err := r.Read(ctx, img)
	if err != nil {
		return File{}, fmt.Errorf("bench mrz: %s: %w", w.file, err)
	}
	out.Milliseconds = bench.Milliseconds(time.Since(start))
	if z := page.MRZ; z != nil {
		out.Found, out.Format = true, z.Format
		out.Exact, out.Repaired = slices.Equal(z.RawLines, w.lines), slices.Equal(z.Lines, w.lines)
		out.SecondExact = slices.Equal(z.SecondLines, w.lines)
		out.CheckDigitsOK, out.ReadersAgree = z.CheckDigitsOK, z.ReadersAgree
		out.PrintedZone, out.Verified = z.PrintedZone, z.Verified
		out.WrongAt, out.SecondWrongAt = differences(w.lines, z.Lines), differences(w.lines, z.SecondLines)
	}
	return out, nil
}

// differences names each place where two zones differ.
func differences(want, got []string) []string {
	out := []string{}
	if len(want) != len(got) {
		return append(out, fmt.Sprintf("%d lines>%d", len(want), len(got)))
	}
	for i := range want {
		if len(want[i]) != len(got[i]) {
			out = append(out, fmt.Sprintf("%d: %d characters>%d", i+1, len(want[i]), len(got[i])))
			continue
		}
		for j := range len(want[i]) {
			if want[i][j] != got[i][j] {
				out = append(out, fmt.Sprintf("%d:%d %c>%c", i+1, j+1, want[i][j], got[i][j]))
			}
		}
	}
	return out
}

func (r *Result) summarize() {
	count := func(pred func(File) bool) bench.Rate {
		n := 0
		for _, f := range r.Files {
			if pred(f) {
				n++
			}
		}
		return bench.RateOf(n, r.Pictures)
	}
	r.Found = count(func(f File) bool { return f.Found })
	r.NotFound = count(func(f File) bool { return !f.Found })
	r.Exact = count(func(f File) bool { return f.Exact })
	r.Repaired = count(func(f File) bool { return f.Repaired })
	r.Verified = count(func(f File) bool { return f.Verified })
	r.VerifiedWrong = count(func(f File) bool { return f.Verified && !f.Repaired })
	r.ValidWrong = count(func(f File) bool { return f.CheckDigitsOK && !f.Repaired })
	var ms []float64
	for _, f := range r.Files {
		ms = append(ms, f.Milliseconds)
	}
	r.Milliseconds = bench.QuantilesOf(ms)
}
