package optical

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/onnx"
	"github.com/bonafide-id/bonafide/internal/optical/letter"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/text"
	"github.com/bonafide-id/bonafide/internal/optical/zone"
)

// Options tunes a Reader. The zero value is right for a server.
type Options struct {
	Threads int              // for one evaluation of a network; 0 = 1
	Lines   int              // printed lines that are read at most in search of the facts; 0 = 64
	Clock   func() time.Time // for stage timings and the century of two-digit years; nil = time.Now
}

// defaultLines bounds what is read of a page that is full of print.
const defaultLines = 64

// Reader reads pictures of documents. It is safe for concurrent use.
type Reader struct {
	set     *modelcard.Set
	runtime *onnx.Runtime
	faces   *face.Engine
	options Options

	once   sync.Once
	models *networks
	err    error
}

// networks are the models, loaded.
type networks struct {
	detect ocr.Detector
	zone   *zone.Reader
	text   *text.Readers
	second ocr.SecondReader
}

// New returns a reader whose models are loaded from set when first needed. Where a model is missing, altered or broken, or the
// runtime is nil, every Read returns an error: nothing was read, which is neither a yes nor a no.
func New(set *modelcard.Set, rt *onnx.Runtime, faces *face.Engine, o Options) *Reader {
	if o.Lines == 0 {
		o.Lines = defaultLines
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return &Reader{set: set, runtime: rt, faces: faces, options: o}
}

// Ready loads the models and returns the first error.
func (r *Reader) Ready() error {
	_, err := r.networks()
	return err
}

// Card returns the card of a model by its name; the zero Card if the set has none.
func (r *Reader) Card(name string) modelcard.Card {
	c, _ := r.set.Card(name)
	return c
}

// ZoneReaders returns the cards of the two models that read the machine-readable zone.
func (r *Reader) ZoneReaders() []modelcard.Card {
	return []modelcard.Card{r.Card(zone.MRZReadModel), r.Card(ocr.TextLineModel)}
}

// networks returns the models, which it loads once.
func (r *Reader) networks() (*networks, error) {
	r.once.Do(func() { r.models, r.err = r.load() })
	return r.models, r.err
}

// forPage returns the models for one page.
func (n networks) forPage() *networks {
	n.text = n.text.ForPage()
	return &n
}

func (r *Reader) load() (*networks, error) {
	if r.runtime == nil {
		return nil, errors.New("the inference runtime is not loaded")
	}
	var failed error
	load := func(name string) *onnx.Model {
		b, err := r.set.Bytes(name)
		if err != nil {
			failed = errors.Join(failed, err)
			return nil
		}
		m, err := r.runtime.Load(b, onnx.Options{Threads: r.options.Threads})
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("model %s: %w", name, err))
		}
		return m
	}
	characters := func(name string) string {
		b, err := r.set.Bytes(name)
		failed = errors.Join(failed, err)
		return string(b)
	}
	latin, err := ocr.NewLineReader(load(ocr.TextLineModel), characters(ocr.TextLineCharacters))
	other, err2 := ocr.NewLineReader(load(ocr.OtherScriptModel), characters(ocr.OtherScriptCharacters))
	vietnamese, err4 := ocr.NewLineReader(load(ocr.VietnameseModel), characters(ocr.VietnameseCharacters))
	second, err3 := ocr.NewSecondReader(load(ocr.SecondModel), characters(ocr.SecondCharacters))
	n := &networks{
		detect: ocr.NewDetector(load(ocr.TextDetectModel)), zone: zone.NewReader(load(zone.MRZReadModel), latin), second: second,
		text: text.NewReaders(latin, other, vietnamese, letter.New(load(letter.Model), vietnamese.Dictionary)),
	}
	return n, errors.Join(failed, err, err2, err3, err4)
}
