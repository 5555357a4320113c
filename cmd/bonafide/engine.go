package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/biometric"
	"github.com/bonafide-id/bonafide/internal/checker"
	"github.com/bonafide-id/bonafide/internal/chip"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/onnx"
	"github.com/bonafide-id/bonafide/internal/optical"
	"github.com/bonafide-id/bonafide/internal/pdf"
	watch "github.com/bonafide-id/bonafide/internal/screening"
	"github.com/bonafide-id/bonafide/internal/wallet"
	"github.com/bonafide-id/bonafide/models"
)

// engine is everything that looks at pictures, put together.
type engine struct {
	Set     *modelcard.Set
	Runtime *onnx.Runtime // nil when the runtime could not be started
	Faces   *face.Engine
	Optical *optical.Reader
	Flow    *flow.Engine
}

// newEngine puts the engine together. A model or a runtime that is missing does not stop it: the checks that
// need it are broken, and what they decide is referred.
func newEngine(c config.Engine) (*engine, error) {
	return engineWith(c, time.Now, evidence{trust: chip.Nobody{}, watchlists: watch.Nobody{}})
}

// evidence is what signed evidence is judged by, and the lists that people are looked for on.
type evidence struct {
	trust      chip.Trust
	lists      wallet.Lists // nil: no status list is fetched
	watchlists watch.Source
}

// engineWith is newEngine with the clock by which documents are read, for the times of its stages, and with what signed evidence is judged
// by.
func engineWith(c config.Engine, clock func() time.Time, signed evidence) (*engine, error) {
	if os.Getenv("GOGC") == "" {
		// Decoded pictures are most of the heap and die young; the processor time goes into the networks, so that
		// collecting twice as often costs little and saves some 40 MB.
		debug.SetGCPercent(50)
	}
	set, err := openModels(c)
	if err != nil {
		return nil, err
	}
	e := &engine{Set: set}
	e.Runtime, err = startRuntime(set, c.RuntimeDir)
	if err != nil {
		slog.Error("the models cannot run", "error", err)
	}
	e.Faces = face.New(set, e.Runtime, face.Options{Threads: c.Threads})
	e.Optical = optical.New(set, e.Runtime, e.Faces, optical.Options{Threads: c.Threads, Clock: clock})
	gates := []idv.Gate{optical.NewGate(imaging.Limits{}, e.Faces), biometric.NewGate(e.Faces, biometric.Options{}), biometric.NewFramesGate(e.Faces)}
	portraits := biometric.NewPortraits(e.Faces, biometric.Options{Limits: imaging.Limits{MaxPixels: idv.MostPortraitPixels}})
	extractors := []idv.Extractor{
		optical.NewExtractor(e.Optical, imaging.Limits{}), biometric.NewExtractor(e.Faces, biometric.Options{}),
		biometric.NewFramesExtractor(e.Faces, biometric.Options{}),
		chip.NewExtractor(signed.trust, portraits, pdf.New(pdf.Options{})),
		wallet.NewExtractor(signed.trust, portraits, pdf.New(pdf.Options{}), wallet.Options{Lists: signed.lists}),
	}
	judged := checker.Models{ZoneReaders: e.Optical.ZoneReaders(), FaceTemplate: e.Faces.Card(face.TemplateModel)}
	checkers := slices.Concat(
		checker.OfDocument(judged), biometric.Checkers(e.Faces), checker.OfStatements(), checker.OfChip(), checker.OfWallet(),
		checker.OfSeen(biometric.NewEarlierFaces(e.Faces)), watch.Checkers(signed.watchlists),
	)
	e.Flow, err = flow.New(gates, extractors, checkers, flow.Options{})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// openModels reads the cards of the binary, and over them those of the operator's directory, if one is named.
func openModels(c config.Engine) (*modelcard.Set, error) {
	layers := []fs.FS{models.Files}
	if c.Models != "" {
		layers = append(layers, os.DirFS(c.Models))
	}
	set, err := modelcard.Open(layers...)
	if err != nil {
		return nil, fmt.Errorf("read the model cards: %w", err)
	}
	return set, nil
}

// startRuntime unpacks the runtime library, if it is not there yet, and loads it.
func startRuntime(set *modelcard.Set, dir string) (*onnx.Runtime, error) {
	card, ok := set.Card("runtime")
	if !ok {
		return nil, fmt.Errorf("start the runtime: %w", modelcard.ErrUnknown)
	}
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("find a directory for the runtime library, name one with --runtime-dir: %w", err)
		}
		dir = filepath.Join(cache, "bonafide", "runtime")
	}
	return onnx.Start(dir, card.SHA256, func() (io.ReadCloser, error) {
		library, err := set.Bytes("runtime")
		return io.NopCloser(bytes.NewReader(library)), err
	})
}
