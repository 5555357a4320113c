package onnx

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func faceModel(t testing.TB) *Model {
	t.Helper()
	m, err := testRuntime(t).Load(packFile(t, "face-detect.onnx"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func faceInput(fill float32) Tensor {
	in := Tensor{Shape: []int64{1, 128, 128, 3}, Data: make([]float32, 128*128*3)}
	for i := range in.Data {
		in.Data[i] = fill * float32(i%7) / 7
	}
	return in
}

func TestAModelAnswersTensorsInItsOwnOrder(t *testing.T) {
	m := faceModel(t)
	if len(m.Inputs()) != 1 || len(m.Outputs()) != 2 {
		t.Fatalf("inputs %q, outputs %q", m.Inputs(), m.Outputs())
	}
	out, err := m.Run(t.Context(), faceInput(1))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]int64{{1, 896, 16}, {1, 896, 1}}, [][]int64{out[0].Shape, out[1].Shape}); diff != "" {
		t.Errorf("shapes (-want +got):\n%s", diff)
	}
	for i, o := range out {
		if slices.ContainsFunc(o.Data, func(v float32) bool { return math.IsNaN(float64(v)) }) {
			t.Errorf("output %d holds what is no number", i)
		}
	}
}

func TestOneModelServesManyAtOnce(t *testing.T) {
	m := faceModel(t)
	want := map[int][]float32{}
	for i := range 8 {
		out, err := m.Run(t.Context(), faceInput(float32(i)))
		if err != nil {
			t.Fatal(err)
		}
		want[i] = out[0].Data
	}
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			out, err := m.Run(t.Context(), faceInput(float32(i%8)))
			if err != nil {
				t.Error(err)
				return
			}
			if diff := cmp.Diff(want[i%8], out[0].Data); diff != "" {
				t.Errorf("run %d (-alone +together):\n%s", i, diff)
			}
		})
	}
	wg.Wait()
}

func TestWhatIsWrongWithARunIsAnError(t *testing.T) {
	m := faceModel(t)
	tests := []struct {
		name string
		in   []Tensor
	}{
		{"no input", nil},
		{"two inputs", []Tensor{faceInput(1), faceInput(1)}},
		{"fewer numbers than the shape says", []Tensor{{Shape: []int64{1, 1, 24, 24}, Data: make([]float32, 5)}}},
		{"a shape that the model does not take", []Tensor{{Shape: []int64{1, 3, 24, 24}, Data: make([]float32, 3*24*24)}}},
		{"a negative dimension", []Tensor{{Shape: []int64{-1, 1, 24, 24}, Data: make([]float32, 24*24)}}},
		{"no dimensions", []Tensor{{}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if out, err := m.Run(t.Context(), tt.in...); err == nil {
				t.Errorf("answered %v", out)
			}
		})
	}
}

func TestARunEndsWithItsContext(t *testing.T) {
	m := faceModel(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Run(ctx, faceInput(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want canceled", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if _, err := m.Run(ctx, faceInput(1)); err != nil && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}
		})
	}
	cancel()
	wg.Wait()
}

func TestABrokenModelDoesNotLoad(t *testing.T) {
	r := testRuntime(t)
	good := packFile(t, "face-detect.onnx")
	bent := append([]byte(nil), good...)
	for i := 40; i < len(bent); i += 997 {
		bent[i] ^= 0x5a
	}
	tests := []struct {
		name string
		b    []byte
	}{
		{"no bytes", nil},
		{"a text", []byte("this is not a network")},
		{"half a model", good[:len(good)/2]},
		{"a model with bent bytes", bent},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := r.Load(tt.b, Options{}); err == nil {
				t.Error("loaded")
			}
		})
	}
}

func FuzzNames(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0x3a, 0x04, 0x5a, 0x02, 0x0a, 0x00})
	f.Add([]byte{0x08, 0x07, 0x3a, 0x0c, 0x5a, 0x04, 0x0a, 0x02, 'i', 'n', 0x62, 0x04, 0x0a, 0x02, 'o', 'u'})
	f.Fuzz(func(t *testing.T, b []byte) {
		in, out, err := names(b)
		if err == nil && (len(in) == 0 || len(out) == 0) {
			t.Errorf("no names and no error: %q %q", in, out)
		}
	})
}
