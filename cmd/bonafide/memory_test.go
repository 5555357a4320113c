package main

import (
	"math"
	"testing"
)

func TestMemoryIsReadAsTheSystemStatesIt(t *testing.T) {
	for _, c := range []struct {
		name string
		got  int64
		want int64
	}{
		{"a control group with a bound", groupBytes("536870912\n"), 512 << 20},
		{"a control group without", groupBytes("max\n"), math.MaxInt64},
		{"a control group that says nonsense", groupBytes("-1"), math.MaxInt64},
		{"a machine", machineBytes("MemFree:  12 kB\nMemTotal:       2097152 kB\nBuffers: 1 kB\n"), 2 << 30},
		{"a machine that does not say", machineBytes("MemFree: 12 kB\n"), math.MaxInt64},
		{"a machine that says nonsense", machineBytes("MemTotal: lots kB\n"), math.MaxInt64},
		{"what the operator says", pictureBytes(64), 64 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("got %d, want %d", c.got, c.want)
			}
		})
	}
	if got := pictureBytes(0); got < leastPictureBytes || got > mostPictureBytes {
		t.Errorf("by itself it takes %d bytes", got)
	}
}
