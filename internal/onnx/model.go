package onnx

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	ort "github.com/yalue/onnxruntime_go"
)

// Tensor is a dense array of 32-bit floats in row-major order.
type Tensor struct {
	Shape []int64
	Data  []float32
}

// Options tunes a model.
type Options struct {
	Threads int // for one run; 0 = 1
}

// Model is a loaded network. It is safe for concurrent use and lives as long as the process.
type Model struct {
	runtime *Runtime
	session *ort.DynamicAdvancedSession
	in, out []string
}

// Load reads an ONNX network. Bytes that are not one, or one that this library cannot run, are an error.
func (r *Runtime) Load(model []byte, o Options) (*Model, error) {
	in, out, err := names(model)
	if err != nil {
		return nil, fmt.Errorf("load model: %w", err)
	}
	opts, err := sessionOptions(o)
	if err != nil {
		return nil, fmt.Errorf("load model: %w", err)
	}
	defer func() { _ = opts.Destroy() }() // cannot fail on options that were made
	var s *ort.DynamicAdvancedSession
	err = flushed(func() (err error) { // the library leaves the thread that loads the first network changed
		s, err = ort.NewDynamicAdvancedSessionWithONNXData(model, in, out, opts)
		return err
	})
	runtime.KeepAlive(model)
	if err != nil {
		return nil, fmt.Errorf("load model: %w", err)
	}
	return &Model{runtime: r, session: s, in: in, out: out}, nil
}

func sessionOptions(o Options) (*ort.SessionOptions, error) {
	opts, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	err = errors.Join(
		opts.SetIntraOpNumThreads(max(1, o.Threads)),
		opts.SetInterOpNumThreads(1),
		opts.SetExecutionMode(ort.ExecutionModeSequential),
		opts.SetGraphOptimizationLevel(ort.GraphOptimizationLevelEnableAll),
		opts.SetCpuMemArena(true),
		opts.AddSessionConfigEntry("session.use_env_allocators", "1"),
		opts.SetMemPattern(false), // plans memory for one size, and sizes change
		opts.AddSessionConfigEntry("session.set_denormal_as_zero", "1"),
		opts.AddSessionConfigEntry("session.intra_op.allow_spinning", "0"),
	)
	if err != nil {
		return nil, errors.Join(err, opts.Destroy())
	}
	return opts, nil
}

// Inputs returns the names of the inputs, in the order in which Run takes them.
func (m *Model) Inputs() []string { return slices.Clone(m.in) }

// Outputs returns the names of the outputs, in the order in which Run answers them.
func (m *Model) Outputs() []string { return slices.Clone(m.out) }

// Run evaluates the network on the inputs in the model's own order and returns its outputs likewise. It waits for a free
// processor and stops early when ctx ends. The tensors given are only read; those returned belong to the caller.
func (m *Model) Run(ctx context.Context, in ...Tensor) ([]Tensor, error) {
	if len(in) != len(m.in) {
		return nil, fmt.Errorf("run model: %d inputs given, %d wanted", len(in), len(m.in))
	}
	if err := m.runtime.acquire(ctx); err != nil {
		return nil, err
	}
	defer m.runtime.release()
	values, err := toValues(in)
	defer destroy(values)
	if err != nil {
		return nil, fmt.Errorf("run model: %w", err)
	}
	out := make([]ort.Value, len(m.out))
	defer func() { destroy(out) }()
	if err := m.run(ctx, values, out); err != nil {
		return nil, err
	}
	return fromValues(out)
}

func (m *Model) run(ctx context.Context, in, out []ort.Value) error {
	opts, stop, err := cancellable(ctx)
	if err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	err = flushed(func() error { return m.session.RunWithOptions(in, out, opts) })
	stop()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	return nil
}

// cancellable returns run options that end the run when ctx ends. stop must be called after the run.
func cancellable(ctx context.Context) (*ort.RunOptions, func(), error) {
	if ctx.Done() == nil {
		return nil, func() {}, nil
	}
	opts, err := ort.NewRunOptions()
	if err != nil {
		return nil, nil, err
	}
	ended := make(chan struct{})
	unhook := context.AfterFunc(ctx, func() {
		_ = opts.Terminate() // the run then ends by itself, only later
		close(ended)
	})
	return opts, func() {
		if !unhook() {
			<-ended // the options must outlive the call that ends the run
		}
		_ = opts.Destroy()
	}, nil
}

func toValues(in []Tensor) ([]ort.Value, error) {
	values := make([]ort.Value, 0, len(in))
	for _, t := range in {
		shape := ort.NewShape(t.Shape...)
		if err := shape.Validate(); err != nil {
			return values, err
		}
		if n := shape.FlattenedSize(); n != int64(len(t.Data)) {
			return values, fmt.Errorf("shape %v needs %d numbers, %d given", t.Shape, n, len(t.Data))
		}
		v, err := ort.NewTensor(shape, t.Data)
		if err != nil {
			return values, err
		}
		values = append(values, v)
	}
	return values, nil
}

func fromValues(values []ort.Value) ([]Tensor, error) {
	out := make([]Tensor, len(values))
	for i, v := range values {
		t, ok := v.(*ort.Tensor[float32])
		if !ok {
			return nil, fmt.Errorf("run model: output %d is not a tensor of 32-bit floats", i)
		}
		out[i] = Tensor{Shape: []int64(t.GetShape()), Data: t.GetData()}
	}
	return out, nil
}

func destroy(values []ort.Value) {
	for _, v := range values {
		if v != nil {
			_ = v.Destroy() // fails only on what is already destroyed
		}
	}
}
