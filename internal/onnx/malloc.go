//go:build linux && cgo

package onnx

/*
#include <malloc.h>

static void bonafide_tune_malloc(void) {
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX, 2);
	mallopt(M_MMAP_THRESHOLD, 4 << 20);
	mallopt(M_TRIM_THRESHOLD, 16 << 20);
#endif
}
*/
import "C"

// tuneMalloc keeps resident memory flat. Each run allocates and frees tensors of many sizes on whatever thread Go picks;
// with glibc's defaults every thread grows a heap of its own that is never given back.
func tuneMalloc() { C.bonafide_tune_malloc() }
