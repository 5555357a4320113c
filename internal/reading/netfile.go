package reading

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// packed is a tensor whose rows have one size of step each, and a byte for each weight.
type packed struct {
	Rows, Columns int
	Steps         []float32
	Counts        []byte
}

// packedOf packs a tensor. Rows whose weights are all smaller than the least are nothing.
func packedOf(t Tensor, least float32) packed {
	out := packed{Rows: t.Rows, Columns: t.Columns}
	for i := range t.Rows {
		step := t.largest(i) / 127
		if 127*step < least {
			step = 0
		}
		out.Steps = append(out.Steps, step)
		for _, v := range t.row(i) {
			n := int8(0)
			if step > 0 {
				n = int8(math.Round(float64(v / step)))
			}
			out.Counts = append(out.Counts, byte(n)) //nolint:gosec // a byte for a byte
		}
	}
	return out
}

// largest is the largest weight of a row, without its sign.
func (t Tensor) largest(row int) float32 {
	var most float32
	for _, v := range t.row(row) {
		most = max(most, v, -v)
	}
	return most
}

func (p packed) tensor() (Tensor, error) {
	if p.Rows < 0 || p.Columns < 0 || len(p.Steps) != p.Rows || len(p.Counts) != p.Rows*p.Columns {
		return Tensor{}, errors.New("a tensor is of another size")
	}
	out := Tensor{Rows: p.Rows, Columns: p.Columns, Values: make([]float32, len(p.Counts))}
	for i, n := range p.Counts {
		out.Values[i] = float32(int8(n)) * p.Steps[i/p.Columns]
	}
	return out, nil
}

// mostWeights bounds a tensor of a file.
const mostWeights = 1 << 24

// ReadNet reads what models/reading/train.py writes: a line of JSON with the names and shapes of the tensors, then their numbers.
func ReadNet(from io.Reader, witnesses []string) (*Net, error) {
	in := bufio.NewReader(from)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("read network: %w", err)
	}
	var named [][2]json.RawMessage
	if err := json.Unmarshal(line, &named); err != nil {
		return nil, fmt.Errorf("read network: %w", err)
	}
	tensors := map[string]Tensor{}
	for _, n := range named {
		var name string
		var shape []int
		if err := errors.Join(json.Unmarshal(n[0], &name), json.Unmarshal(n[1], &shape)); err != nil {
			return nil, fmt.Errorf("read network: %w", err)
		}
		t := Tensor{Rows: 1, Columns: 1}
		switch len(shape) {
		case 1:
			t.Columns = shape[0]
		case 2:
			t.Rows, t.Columns = shape[0], shape[1]
		default:
			return nil, fmt.Errorf("read network: %s has %d dimensions", name, len(shape))
		}
		if t.Rows < 0 || t.Columns < 0 || t.Rows > mostWeights || t.Columns > mostWeights || t.Rows*t.Columns > mostWeights {
			return nil, fmt.Errorf("read network: %s is too large", name)
		}
		t.Values = make([]float32, t.Rows*t.Columns)
		if err := binary.Read(in, binary.LittleEndian, t.Values); err != nil {
			return nil, fmt.Errorf("read network: %s: %w", name, err)
		}
		for _, v := range t.Values {
			if !finite(float64(v)) {
				return nil, fmt.Errorf("read network: %s has a weight that is no number", name)
			}
		}
		tensors[name] = t
	}
	return NewNet(witnesses, tensors)
}
