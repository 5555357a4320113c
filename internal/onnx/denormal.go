package onnx

/*
#include <stdint.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

// bonafide_flush makes the calling thread treat denormal operands and results as 0, and returns the former setting: MXCSR with its bits FTZ and DAZ
// (Intel SDM volume 1, 10.2.3), or FPCR with its bit FZ (Arm ARM, C5.2.8).
static uint64_t bonafide_flush(void) {
	uint64_t before = 0;
#if defined(__x86_64__)
	before = _mm_getcsr();
	_mm_setcsr((unsigned int)before | 0x8040);
#elif defined(__aarch64__)
	__asm__ volatile("mrs %0, fpcr" : "=r"(before));
	__asm__ volatile("msr fpcr, %0" : : "r"(before | (1ULL << 24)));
#endif
	return before;
}

static void bonafide_restore(uint64_t before) {
#if defined(__x86_64__)
	_mm_setcsr((unsigned int)before);
#elif defined(__aarch64__)
	__asm__ volatile("msr fpcr, %0" : : "r"(before));
#endif
}
*/
import "C"

import "runtime"

// flushed runs f on a thread that flushes denormal numbers to 0; arithmetic on such numbers is many times slower. The library sets this on its own
// threads and on the thread that loads the first network. A run also computes on the thread that calls it.
func flushed(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := C.bonafide_flush()
	defer C.bonafide_restore(before) // Go's own arithmetic on this thread keeps to IEEE 754
	return f()
}
