// Package edits measures the signs of editing by themselves: at places that are known, without reading the documents, so that
// hundreds of them cost minutes.
package edits

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/forgeries"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/fixtures/forge"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/page"
)

// Options say what is forged and measured.
type Options struct {
	Documents int
	Seed      int64 // of the first document
	Camera    string
	Stages    []forgeries.Stage // at which documents are forged; empty: none
	Progress  func(done, total int)
	Keep      func([]Shot) error // is given the shots of a document as soon as it was measured; nil: nobody is
}

// Shot is what the signs say of the picture of one side.
type Shot struct {
	Seed        int64           `json:"seed"`
	Kind        fixtures.Kind   `json:"kind"`
	Side        idv.Side        `json:"side"`
	Family      forge.Family    `json:"family,omitempty"`
	Stage       forgeries.Stage `json:"stage"`
	PixelsPerMM float64         `json:"pixels_per_mm"`
	Edited      []string        `json:"edited,omitempty"` // regions of which the forger changed something
	Edits       []idv.Edit      `json:"edits,omitempty"`
	CPU         float64         `json:"cpu_ms"`
}

// editedFrom is the part of a region's pixels that the forger must have changed for it to count as edited.
const editedFrom = .1

// Measured forges documents in memory and looks for the signs. Shots come in the order of their seeds.
func Measured(ctx context.Context, o Options) ([]Shot, error) {
	var (
		mu     sync.Mutex
		wg     sync.WaitGroup
		all    = make([][]Shot, o.Documents)
		failed error
		done   int
		next   = make(chan int)
	)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for k := range next {
				shots, err := o.document(ctx, o.Seed+int64(k))
				mu.Lock()
				if err == nil && o.Keep != nil {
					err = o.Keep(shots)
				}
				all[k], done = shots, done+1
				if err != nil && failed == nil {
					failed = err
					cancel()
				}
				if o.Progress != nil {
					o.Progress(done, o.Documents)
				}
				mu.Unlock()
			}
		})
	}
	for k := 0; k < o.Documents && ctx.Err() == nil; k++ {
		next <- k
	}
	close(next)
	wg.Wait()
	if err := errors.Join(failed, context.Cause(ctx)); err != nil {
		return nil, fmt.Errorf("bench edits: %w", err)
	}
	return slices.Concat(all...), nil
}

// document measures one document and everything that is forged of it.
func (o Options) document(ctx context.Context, seed int64) ([]Shot, error) {
	kinds := forgeries.Kinds()
	subject, err := forgeries.NewSubject(kinds[int(seed)%len(kinds)], seed, o.Camera)
	if err != nil {
		return nil, err
	}
	var out []Shot
	look := func(shots forgeries.Shots, family forge.Family, stage forgeries.Stage) error {
		for _, side := range slices.Sorted(maps.Keys(shots)) {
			if family != "" && shots[side].Mask == nil {
				continue // the genuine side once more
			}
			s := Shot{Seed: seed, Kind: subject.Doc.Kind, Side: side, Family: family, Stage: stage}
			if err := s.measure(subject, shots[side]); err != nil {
				return err
			}
			out = append(out, s)
		}
		return ctx.Err()
	}
	twice, err := subject.SavedTwice()
	if err := errors.Join(err, look(subject.Genuine, "", forgeries.Genuine), look(twice, "", forgeries.SavedTwice)); err != nil || len(o.Stages) == 0 {
		return out, err
	}
	for _, family := range forge.Families() {
		for _, stage := range o.Stages {
			forged, err := subject.Forge(family, stage)
			if none := (forge.ErrNotForgeable{}); errors.As(err, &none) {
				continue
			}
			if err != nil {
				return nil, err
			}
			if err := look(forged.Shots, family, stage); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// measure looks for the signs at the places that the document says.
func (s *Shot) measure(subject *forgeries.Subject, shot forgeries.Shot) error {
	photo, _, err := imaging.Open(shot.Raw, imaging.Limits{})
	if err != nil {
		return fmt.Errorf("open a photograph: %w", err)
	}
	quad := subject.Corners(s.Side)
	s.PixelsPerMM = acrossOf(quad) / subject.Millimetres(s.Side)
	parts := PartsOf(subject.Doc, s.Side, quad, photo)
	start := bench.Processor()
	s.Edits = page.Edits(photo, quad, parts, s.PixelsPerMM)
	s.CPU = bench.Milliseconds(bench.Processor() - start)
	for _, p := range parts {
		if covered(p.Box, shot.Mask) >= editedFrom {
			s.Edited = append(s.Edited, p.Region)
		}
	}
	return nil
}

// PartsOf returns the parts of a side that a reader finds, where they are in a photograph of it.
func PartsOf(d *fixtures.Document, side idv.Side, quad imaging.Quad, photo *imaging.Photo) []page.Part {
	var out []page.Part
	add := func(region string, b fixtures.Box) {
		if b.W > 0 {
			out = append(out, page.Part{Region: region, Box: within(quad, b, photo)})
		}
	}
	claims, zoned := d.Truth.Front, d.Back() == nil
	if side == idv.Back {
		claims, zoned = d.Truth.Back, true
	} else {
		add(idv.PortraitRegion, faceOf(d.Truth.Portrait))
	}
	for _, c := range claims {
		add(string(c.Name), c.Box)
	}
	if rows := float64(len(d.Truth.Lines)); zoned && rows > 0 {
		line := d.Truth.Zone
		line.H /= rows
		for range d.Truth.Lines {
			add(idv.ZoneRegion, line)
			line.Y += line.H
		}
	}
	return out
}
