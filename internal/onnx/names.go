package onnx

import (
	"encoding/binary"
	"errors"
)

// Field numbers of onnx.proto (ONNX IR specification).
const (
	modelGraph       = 7
	graphInitializer = 5
	graphInput       = 11
	graphOutput      = 12
	tensorName       = 8
	valueName        = 1
)

var errNotONNX = errors.New("not an ONNX model")

// names reads the inputs and outputs out of the model's bytes. Asking the library would mean building the session twice.
// Inputs that have an initial value (models before IR version 4 list their weights) are left out.
func names(model []byte) (in, out []string, err error) {
	var graph []byte
	if err := eachField(model, func(n int, b []byte) error {
		if n == modelGraph {
			graph = b
		}
		return nil
	}); err != nil {
		return nil, nil, err
	}
	weights := map[string]bool{}
	var inputs []string
	err = eachField(graph, func(n int, b []byte) error {
		switch n {
		case graphInitializer:
			name, err := nameIn(b, tensorName)
			weights[name] = true
			return err
		case graphInput:
			name, err := nameIn(b, valueName)
			inputs = append(inputs, name)
			return err
		case graphOutput:
			name, err := nameIn(b, valueName)
			out = append(out, name)
			return err
		}
		return nil
	})
	for _, name := range inputs {
		if !weights[name] {
			in = append(in, name)
		}
	}
	if err == nil && (len(in) == 0 || len(out) == 0) {
		err = errNotONNX
	}
	return in, out, err
}

func nameIn(message []byte, field int) (name string, err error) {
	err = eachField(message, func(n int, b []byte) error {
		if n == field {
			name = string(b)
		}
		return nil
	})
	return name, err
}

// eachField calls f for each length-delimited field of a protocol buffer and passes over the others.
func eachField(b []byte, f func(number int, body []byte) error) error {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return errNotONNX
		}
		b = b[n:]
		size := uint64(0)
		switch key & 7 {
		case 0:
			_, n := binary.Uvarint(b)
			if n <= 0 {
				return errNotONNX
			}
			size = uint64(n)
		case 1:
			size = 8
		case 5:
			size = 4
		case 2:
			v, n := binary.Uvarint(b)
			if n <= 0 || v > uint64(len(b)-n) {
				return errNotONNX
			}
			if err := f(int(key>>3), b[n:n+int(v)]); err != nil {
				return err
			}
			size = uint64(n) + v
		default:
			return errNotONNX
		}
		if size > uint64(len(b)) {
			return errNotONNX
		}
		b = b[size:]
	}
	return nil
}
