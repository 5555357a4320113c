// Package face finds faces in a picture, lays a mesh of points over them, sets a face upright and turns it into a template, and looks
// at head pose, eyes and signs of a replay. The same code serves the portrait of a document and a selfie.
//
// The models come from a modelcard.Set and are loaded when first needed. A model that is missing, altered or broken makes
// every call that needs it return an error: such a question was not asked, which is never a "no" and never a "yes".
//
// A similarity means nothing without the measured error rates of the model that made it: they are in the calibration of
// the card "face-template".
package face

import (
	"context"
	"fmt"
	"sync"

	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

// The cards of the models used here.
const (
	DetectModel    = "face-detect"
	MeshModel      = "face-mesh"
	TemplateModel  = "face-template"
	LivenessModel  = "face-liveness"
	minConfidence  = 0.5  // of a detection
	sureConfidence = 0.85 // of one that the mesh need not confirm
	maxOverlap     = 0.3  // IoU above which two detections are one face
	maxInside      = 0.4  // part of the smaller one within the larger, likewise
	templateLength = 512
)

// Options tunes an Engine.
type Options struct {
	Threads int // for one evaluation of a network; 0 = 1
}

// Engine answers questions about faces. It is safe for concurrent use.
type Engine struct {
	set     *modelcard.Set
	runtime *onnx.Runtime
	options Options
	mu      sync.Mutex
	models  map[string]*slot
}

type slot struct {
	once  sync.Once
	model *onnx.Model
	err   error
}

// New returns an engine that loads its models out of set when they are needed. runtime may be nil where the library is
// missing; every call then returns an error.
func New(set *modelcard.Set, runtime *onnx.Runtime, o Options) *Engine {
	return &Engine{set: set, runtime: runtime, options: o, models: map[string]*slot{}}
}

// Card returns the card of one of the models named in this package; the zero Card if the set has none.
func (e *Engine) Card(name string) modelcard.Card {
	c, _ := e.set.Card(name)
	return c
}

// Ready loads the named models and returns the first error.
func (e *Engine) Ready(names ...string) error {
	for _, name := range names {
		if _, err := e.model(name); err != nil {
			return err
		}
	}
	return nil
}

// model loads a model once and remembers how that went.
func (e *Engine) model(name string) (*onnx.Model, error) {
	e.mu.Lock()
	s := e.models[name]
	if s == nil {
		s = &slot{}
		e.models[name] = s
	}
	e.mu.Unlock()
	s.once.Do(func() {
		if e.runtime == nil {
			s.err = fmt.Errorf("model %s: the inference runtime is not loaded", name)
			return
		}
		b, err := e.set.Bytes(name)
		if err != nil {
			s.err = err
			return
		}
		if s.model, err = e.runtime.Load(b, onnx.Options{Threads: e.options.Threads}); err != nil {
			s.err = fmt.Errorf("model %s: %w", name, err)
		}
	})
	return s.model, s.err
}

// run evaluates a model with one input and checks that each output has the number of values wanted.
func (e *Engine) run(ctx context.Context, name string, in onnx.Tensor, want ...int) ([]onnx.Tensor, error) {
	m, err := e.model(name)
	if err != nil {
		return nil, err
	}
	out, err := m.Run(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	if len(out) != len(want) {
		return nil, fmt.Errorf("model %s: %d outputs, want %d", name, len(out), len(want))
	}
	for i, n := range want {
		if len(out[i].Data) != n {
			return nil, fmt.Errorf("model %s: output %d has %d values, want %d", name, i, len(out[i].Data), n)
		}
	}
	return out, nil
}
