//go:build !linux || !cgo

package onnx

func tuneMalloc() {}
