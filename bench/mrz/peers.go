package mrz

import (
	"context"
	"fmt"

	"github.com/bonafide-id/bonafide/bench"
)

// Peer is a program of others on the same pictures.
type Peer struct {
	Name  string          `json:"name"`
	Exact bench.Rate      `json:"exact_after_repair"`
	CPU   bench.Quantiles `json:"cpu_ms"` // a picture, its start included
}

// String is for people.
func (p Peer) String() string { return fmt.Sprintf("%s: exact %s", p.Name, p.Exact) }

// Tesseract is not measured yet.
func Tesseract(context.Context, Reading) error { return nil }
