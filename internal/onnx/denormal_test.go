package onnx

import (
	"errors"
	"math"
	"runtime"
	"testing"
)

var smallest = math.SmallestNonzeroFloat64

// double is computed at run time, on the thread that calls it.
//
//go:noinline
func double() float64 { return 2 * smallest }

func TestDenormalNumbersAreZeroOnlyWhileANetworkRuns(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	failed := errors.New("failed")
	inside := -1.0
	if err := flushed(func() error { inside = double(); return failed }); !errors.Is(err, failed) {
		t.Errorf("got error %v, want that of the function", err)
	}
	if (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64") && inside != 0 {
		t.Errorf("inside: got %g, want 0", inside)
	}
	if got := double(); got != 2*math.SmallestNonzeroFloat64 {
		t.Errorf("afterwards: got %g, want %g", got, 2*math.SmallestNonzeroFloat64)
	}
}
