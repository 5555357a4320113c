// Package wallet makes evidence of what a wallet presented: it judges the answer against its request and whom the deployment trusts at
// that moment (package openid4vp), and yields what was found, the facts that a trusted issuer signed, and the portrait.
//
// A credential that is not valid, that its holder did not present or that was revoked yields no facts and no portrait. Of a valid one
// only claims that were asked for count. Whether it was revoked is looked up in the issuer's status list; if that cannot be used, the
// answer is "unknown", which the checks refer.
package wallet

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
)

const (
	producer = "wallet"
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

// Lists returns status lists by their address (StatusLists). An error means that there is none that can be read.
type Lists interface {
	List(ctx context.Context, mode idv.Mode, address string) (*statuslist.List, error)
}

// Options are what an Extractor needs besides. The zero value works, and knows no status list.
type Options struct {
	Lists Lists            // nil: the revocation of every credential that names a list is unknown
	Now   func() time.Time // defaults to time.Now
}
