package reading

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the model
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Model is all that was learned.
type Model struct {
	Weights Weights // of what facts and another reader say of each other, and of how sure a claim is
	Nets    []*Net  // of the same features; what they say is judged by their mean, and nothing without any
}

//go:embed model.bin
var modelFile []byte

// Fitted returns the model that ships, which bench/reading fitted. It must not be changed.
var Fitted = sync.OnceValue(func() *Model {
	m, err := ReadModel(bytes.NewReader(modelFile))
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return m
})

// leastPart is how large a weight of a row of runs of letters is at least: smaller rows are of runs that were hardly ever seen.
const leastPart = .07

// stored is a model as a file has it.
type stored struct {
	Weights   Weights
	Witnesses []string
	Tensors   []map[string]packed // of each network
}

// Write writes the model: gzip and gob, each weight of the network in one byte.
func (m *Model) Write(w io.Writer) error {
	s := stored{Weights: m.Weights}
	for _, n := range m.Nets {
		tensors := map[string]packed{}
		for name, t := range n.Tensors {
			least := float32(0)
			if name == "parts" {
				least = leastPart
			}
			tensors[name] = packedOf(t, least)
		}
		s.Witnesses, s.Tensors = n.Witnesses, append(s.Tensors, tensors)
	}
	z := gzip.NewWriter(w)
	return errors.Join(gob.NewEncoder(z).Encode(s), z.Close())
}

// ReadModel reads what Write wrote.
func ReadModel(r io.Reader) (*Model, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("read model: %w", err)
	}
	var s stored
	if err := gob.NewDecoder(z).Decode(&s); err != nil {
		return nil, fmt.Errorf("read model: %w", err)
	}
	m := &Model{Weights: s.Weights}
	for _, packed := range s.Tensors {
		tensors := map[string]Tensor{}
		for name, p := range packed {
			if tensors[name], err = p.tensor(); err != nil {
				return nil, fmt.Errorf("read model: %s: %w", name, err)
			}
		}
		n, err := NewNet(s.Witnesses, tensors)
		if err != nil {
			return nil, fmt.Errorf("read model: %w", err)
		}
		m.Nets = append(m.Nets, n)
	}
	return m, nil
}
