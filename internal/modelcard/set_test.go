package modelcard

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func cardFile(name, file, sha, more string) *fstest.MapFile {
	return &fstest.MapFile{Data: fmt.Appendf(nil, `{"name":%q,"file":%q,"sha256":%q%s}`, name, file, sha, more)}
}

func zipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

func TestOnlyTheFileThatTheCardNamesIsServed(t *testing.T) {
	good, sum := []byte("weights"), digest([]byte("weights"))
	set, err := Open(fstest.MapFS{
		"cards/a.json": cardFile("plain", "a.onnx", sum, ""), "pack/a.onnx": {Data: good},
		"cards/b.json": cardFile("packed", "b.so", sum, `,"compressed":true`), "pack/b.so.gz": {Data: zipped(good)},
		"cards/c.json": cardFile("altered", "c.onnx", sum, ""), "pack/c.onnx": {Data: []byte("weighty")},
		"cards/d.json": cardFile("missing", "d.onnx", sum, ""),
		"cards/e.json": cardFile("unpublished", "e.onnx", "", ""), "pack/e.onnx": {Data: good},
		"cards/f.json": cardFile("damaged", "f.so", sum, `,"compressed":true`), "pack/f.so.gz": {Data: zipped(good)[:12]},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]error{
		"plain": nil, "packed": nil, "altered": ErrDigest, "missing": ErrMissing, "unpublished": ErrMissing, "damaged": ErrDigest,
	}
	for _, s := range set.Check() {
		if !errors.Is(s.Err, want[s.Card.Name]) || (want[s.Card.Name] == nil) != (s.Err == nil) {
			t.Errorf("%s: %v, want %v", s.Card.Name, s.Err, want[s.Card.Name])
		}
		b, err := set.Bytes(s.Card.Name)
		if (err == nil) != (want[s.Card.Name] == nil) || err == nil && !bytes.Equal(b, good) {
			t.Errorf("%s: %q, %v", s.Card.Name, b, err)
		}
	}
	if _, err := set.Bytes("nobody"); !errors.Is(err, ErrUnknown) {
		t.Errorf("a card that is not there: %v", err)
	}
	if diff := cmp.Diff([]string{"missing"}, set.Missing()); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
}

func TestALaterLayerSwapsAModel(t *testing.T) {
	mine := []byte("mine")
	set, err := Open(
		fstest.MapFS{"cards/a.json": cardFile("m", "a.onnx", digest([]byte("theirs")), ""), "pack/a.onnx": {Data: []byte("theirs")}},
		fstest.MapFS{"cards/x.json": cardFile("m", "a.onnx", digest(mine), ""), "pack/a.onnx": {Data: mine}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := set.Bytes("m"); err != nil || !bytes.Equal(b, mine) {
		t.Errorf("%q, %v", b, err)
	}
}

func TestABadCardIsAnError(t *testing.T) {
	sum := digest(nil)
	tests := map[string]*fstest.MapFile{
		"not JSON":                 {Data: []byte("{")},
		"no name":                  cardFile("", "a.onnx", sum, ""),
		"a path instead of a file": cardFile("a", "../a.onnx", sum, ""),
		"half a digest":            cardFile("a", "a.onnx", sum[:32], ""),
		"a digest in capitals":     cardFile("a", "a.onnx", "ABCDEF", ""),
		"a calibration of nothing": cardFile("a", "a.onnx", sum, `,"calibration":{"points":[]}`),
		"a rate above one":         cardFile("a", "a.onnx", sum, `,"calibration":{"points":[{"threshold":1,"fmr":2,"genuine":1,"impostors":1}]}`),
		"points without counts":    cardFile("a", "a.onnx", sum, `,"calibration":{"points":[{"threshold":1,"fmr":0.1}]}`),
		"points in the wrong order": cardFile(
			"a", "a.onnx", sum,
			`,"calibration":{"points":[{"threshold":1,"fmr":0.1,"genuine":1,"impostors":1},{"threshold":0,"fmr":0.01,"genuine":1,"impostors":1}]}`,
		),
	}
	for name, card := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := Open(fstest.MapFS{"cards/a.json": card}); err == nil {
				t.Error("accepted")
			}
		})
	}
}

func TestCalibrationAnswersBothWays(t *testing.T) {
	c := &Calibration{Points: []Point{
		{Threshold: .1, FMR: .1, FNMR: 0, Genuine: 1000, Impostors: 100_000},
		{Threshold: .2, FMR: .01, FNMR: .01, Genuine: 1000, Impostors: 100_000},
		{Threshold: .3, FMR: .001, FNMR: .02, Genuine: 1000, Impostors: 100_000},
		{Threshold: .4, FMR: 0, FNMR: .1, Genuine: 1000, Impostors: 100_000},
	}}
	rates := []struct {
		score, fmr, fnmr float64
	}{
		{-1, .1, 0}, {.1, .1, 0}, {.15, math.Sqrt(.001), .005}, {.2, .01, .01}, {.25, math.Sqrt(1e-5), .015},
		{.4, 1e-5, .1}, {1, 1e-5, .1}, {math.NaN(), .1, 0},
	}
	for _, r := range rates {
		if fmr, fnmr := c.FMRAt(r.score), c.FNMRAt(r.score); math.Abs(fmr/r.fmr-1) > 1e-9 || math.Abs(fnmr-r.fnmr) > 1e-9 {
			t.Errorf("at %v: FMR %v, FNMR %v, want %v and %v", r.score, fmr, fnmr, r.fmr, r.fnmr)
		}
	}
	thresholds := []struct {
		fmr, want float64
		ok        bool
	}{
		{.5, .1, true}, {.1, .1, true}, {.01, .2, true}, {math.Sqrt(.001), .15, true}, {1e-5, .4, true}, {1e-6, 0, false}, {0, 0, false},
	}
	for _, r := range thresholds {
		if got, ok := c.ThresholdAt(r.fmr); ok != r.ok || math.Abs(got-r.want) > 1e-9 {
			t.Errorf("FMR %v: threshold %v, %v, want %v, %v", r.fmr, got, ok, r.want, r.ok)
		}
	}
}

func TestTheShippedCardsAreComplete(t *testing.T) {
	root := os.DirFS(filepath.Join("..", "..", "models"))
	set, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	var undocumented []string
	for _, c := range set.Cards() {
		if c.Use == "" || c.Licence == "" || c.Provenance == "" || c.Version == "" || c.Evaluation == "" {
			t.Errorf("%s: a card states use, licence, provenance, evaluation and version: %+v", c.Name, c)
		}
		if c.Documented != (len(c.Documents) > 0) || !c.Documented != strings.Contains(strings.ToLower(c.Provenance), "undocumented") {
			t.Errorf("%s: documented is %v, %d documents, provenance %q", c.Name, c.Documented, len(c.Documents), c.Provenance)
		}
		if !c.Documented {
			undocumented = append(undocumented, c.Name)
		}
	}
	if d := cmp.Diff([]string{"face-liveness", "face-template"}, undocumented); d != "" {
		t.Errorf("models of undocumented origin (-want +got)\n%s", d)
	}
	for _, name := range []string{
		"face-detect", "face-mesh", "face-template", "face-liveness", "mrz-read", "text-detect", "text-line",
		"text-line.txt", "runtime",
	} {
		if _, ok := set.Card(name); !ok {
			t.Errorf("no card %s", name)
		}
	}
	if c, _ := set.Card("face-template"); c.Calibration == nil {
		t.Error("the face template has no measured error rates")
	}
	packed, err := fs.Glob(root, "pack/*")
	if err != nil || len(packed) < 3 {
		t.Skip("models/pack is empty: run `make pack`")
	}
	for _, c := range set.Cards() {
		if c.Name == "runtime" || c.SHA256 == "" {
			continue // large, and checked wherever it is started
		}
		if _, err := set.Bytes(c.Name); err != nil {
			t.Error(err)
		}
	}
}
