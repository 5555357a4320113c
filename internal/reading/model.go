package reading

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the model
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
)

// Model is all that was learned.
type Model struct {
	Weights Weights // of what facts say of each other, and of how sure a claim is
	Judge   *Judge
	Senses  *SenseNet
	Net     *Net // judges in place of both, where there is one
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

// coarse is a row of weights in steps of one size.
type coarse struct {
	Step  float32
	Count []int8
}

func coarseOf(row []float32) coarse {
	var most float32
	for _, v := range row {
		most = max(most, v, -v)
	}
	out := coarse{Step: most / 127, Count: make([]int8, len(row))}
	if most == 0 {
		return out
	}
	for i, v := range row {
		out.Count[i] = int8(math.Round(float64(v / out.Step)))
	}
	return out
}

func (c coarse) put(to []float32) error {
	if len(c.Count) != len(to) {
		return fmt.Errorf("a row of %d weights, want %d", len(c.Count), len(to))
	}
	for i, n := range c.Count {
		to[i] = float32(n) * c.Step
	}
	return nil
}

// stored is a model as a file has it.
type stored struct {
	Weights              Weights
	Names                []string // of the judge's inputs
	In, Direct, Out      []coarse
	Bias                 coarse
	SenseParts, SenseOut []coarse
}

// Write writes the model: gzip and gob, each weight of the networks in one byte.
func (m *Model) Write(w io.Writer) error {
	s := stored{Weights: m.Weights, Bias: coarseOf(m.Judge.Bias[:]), Names: make([]string, len(m.Judge.In))}
	for name, at := range m.Judge.At {
		s.Names[at] = name
	}
	for i := range m.Judge.In {
		s.In, s.Direct = append(s.In, coarseOf(m.Judge.In[i][:])), append(s.Direct, coarseOf(m.Judge.Direct[i][:]))
	}
	for f := range m.Judge.Out {
		s.Out = append(s.Out, coarseOf(m.Judge.Out[f][:]))
	}
	for i := range m.Senses.Parts {
		s.SenseParts = append(s.SenseParts, coarseOf(m.Senses.Parts[i][:]))
	}
	for i := range m.Senses.Out {
		s.SenseOut = append(s.SenseOut, coarseOf(m.Senses.Out[i][:]))
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
	n := len(s.Names)
	if len(s.In) != n || len(s.Direct) != n || len(s.Out) != facts || len(s.SenseParts) != SenseBuckets || len(s.SenseOut) != Senses {
		return nil, errors.New("read model: it is of another size")
	}
	j := &Judge{At: map[string]int{}, In: make([][JudgeWidth]float32, n), Direct: make([][facts]float32, n)}
	m := &Model{Weights: s.Weights, Judge: j, Senses: new(SenseNet)}
	err = s.Bias.put(j.Bias[:])
	for i, name := range s.Names {
		j.At[name] = i
		err = errors.Join(err, s.In[i].put(j.In[i][:]), s.Direct[i].put(j.Direct[i][:]))
	}
	for f := range s.Out {
		err = errors.Join(err, s.Out[f].put(j.Out[f][:]))
	}
	for i := range s.SenseParts {
		err = errors.Join(err, s.SenseParts[i].put(m.Senses.Parts[i][:]))
	}
	for i := range s.SenseOut {
		err = errors.Join(err, s.SenseOut[i].put(m.Senses.Out[i][:]))
	}
	if err != nil {
		return nil, fmt.Errorf("read model: %w", err)
	}
	return m, nil
}
