// Package chip makes evidence of what an app read from the chip of a document: it verifies the files against whom the deployment trusts
// at that moment (package emrtd), and yields what was found, the facts that a trusted state signed, and its portrait.
//
// Data that is not authentic yields no facts and no portrait: everything in it may be made up. What could not be checked is said, and is
// for the checks to refer.
package chip

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/trust"
)

const (
	producer = "chip"
	version  = "1"
)

// Trust answers whom a mode trusts (register.Register).
type Trust interface {
	Load(ctx context.Context, mode idv.Mode) (*trust.Store, error)
}

// Portraits finds and describes the face of a portrait (biometric.Portraits). It answers an artifact of each of the kinds portrait and
// portrait_template, present or absent.
type Portraits interface {
	Describe(ctx context.Context, c idv.Capture, picture []byte) ([]idv.Artifact, error)
}

// Decoder returns a JPEG 2000 picture as JPEG (pdf.Renderer).
type Decoder interface {
	JPEG2000(ctx context.Context, raw []byte, width, height int) ([]byte, error)
}

// Nobody is the Trust of a program without a deployment: no chip is authentic.
type Nobody struct{}

// Load returns a store that trusts nobody.
func (Nobody) Load(context.Context, idv.Mode) (*trust.Store, error) { return new(trust.Store), nil }
