//go:build linux && cgo

package onnx

/*
#include <malloc.h>

static void bonafide_tune_malloc(void) {
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX, 2);
#endif
}
*/
import "C"

// tuneMalloc keeps resident memory flat: what the library allocates outside its arena it allocates on whatever thread Go
// picks, and with glibc's defaults every thread grows a heap of its own that is never given back.
func tuneMalloc() { C.bonafide_tune_malloc() }
