package mrz

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/peer"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
)

// Beside is one reader on the pictures that all of them were given in one run.
type Beside struct {
	Name     string          `json:"name"`
	AsRead   bench.Rate      `json:"exact"`              // all lines as printed
	Repaired bench.Rate      `json:"exact_after_repair"` // after repair by field class
	CPU      bench.Quantiles `json:"cpu_ms"`             // a picture, the program's start included
}

// String is for people.
func (b Beside) String() string {
	return fmt.Sprintf("%-34s exact %s, after repair %s, %.0f ms of processor time a picture", b.Name, b.AsRead, b.Repaired, b.CPU.P50)
}

// Tesseract is Debian's Tesseract beside our reader: on the rows that our locator cut, one by one, and on the whole
// page that we set upright.
type Tesseract struct {
	ours, rows, page tried
}

// tried adds up one reader.
type tried struct {
	pictures, asRead, repaired int
	ms                         []float64
}

const whitelist = "tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<"

func (t *Tesseract) read(ctx context.Context, s shot, m measured) error {
	want := s.page.Truth.Lines
	t.ours.pictures++
	t.ours.ms = append(t.ours.ms, bench.Milliseconds(m.spent))
	if m.exact {
		t.ours.repaired++
	}
	if m.asRead {
		t.ours.asRead++
	}
	if m.zone == nil { // nothing was cut, and nothing set upright: the peer is not asked either
		t.rows.pictures++
		t.page.pictures++
		return nil
	}
	var lines []string
	var spent time.Duration
	for _, row := range m.zone.Rows() {
		a, err := tesseract(ctx, row, "--psm", "7")
		if err != nil {
			return err
		}
		lines, spent = append(lines, strings.TrimSpace(a.Text)), spent+a.CPU
	}
	t.rows.add(want, lines, spent)
	a, err := tesseract(ctx, m.zone.Upright.RGB(), "--psm", "6")
	if err != nil {
		return err
	}
	t.page.add(want, likeZone(a.Text, len(want)), a.CPU)
	return nil
}

func tesseract(ctx context.Context, p *imaging.RGB, mode ...string) (peer.Answer, error) {
	img := image.NewNRGBA(p.Bounds())
	for i := range p.W * p.H {
		copy(img.Pix[4*i:4*i+3], p.Pix[3*i:3*i+3])
		img.Pix[4*i+3] = 255
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img); err != nil {
		return peer.Answer{}, fmt.Errorf("bench mrz: %w", err)
	}
	a, err := peer.Tesseract(ctx, b.Bytes(), append([]string{"-l", "eng", "-c", whitelist}, mode...)...)
	if err != nil {
		return a, fmt.Errorf("bench mrz: %w", err)
	}
	return a, nil
}

// likeZone takes the last lines of a page's text that can be a zone's: long and with fillers.
func likeZone(text string, n int) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = mrz.Clean(line)
		if len(line) >= 24 && (strings.Contains(line, "<") || len(out) > 0) {
			out = append(out, line)
		}
	}
	return out[max(0, len(out)-n):]
}

func (t *tried) add(want, got []string, spent time.Duration) {
	t.pictures++
	t.ms = append(t.ms, bench.Milliseconds(spent))
	clean := make([]string, len(got))
	for i, l := range got {
		clean[i] = mrz.Clean(l)
	}
	if slices.Equal(clean, want) {
		t.asRead++
	}
	if repaired, _, _ := mrz.RepairLines(got); slices.Equal(repaired, want) {
		t.repaired++
	}
}

func (t tried) result(name string) Beside {
	return Beside{
		Name: name, AsRead: bench.RateOf(t.asRead, t.pictures), Repaired: bench.RateOf(t.repaired, t.pictures),
		CPU: bench.QuantilesOf(t.ms),
	}
}

// Results are all readers of the run.
func (t *Tesseract) Results() []Beside {
	return []Beside{
		t.ours.result("bonafide, locating included"), t.rows.result("tesseract, rows that we cut"), t.page.result("tesseract, the page set upright"),
	}
}
