package edge

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/trust/register"
)

// Caller is what kind of credential a call takes.
type Caller string

// The callers.
const (
	Anyone     Caller = "anyone"     // no credential
	Integrator Caller = "integrator" // an API key as bearer token
	Applicant  Caller = "applicant"  // the token from opening a session, as bearer token
	Console    Caller = "console"    // the cookie from signing in
)

// Sends is what a call takes as its body.
type Sends string

// The bodies.
const (
	Nothing      Sends = ""
	JSON         Sends = "JSON"
	Part         Sends = "a part of an upload"
	Picture      Sends = "one picture, or a run of frames"
	Pictures     Sends = "up to three pictures"
	Logo         Sends = "a logo"
	ChipFiles    Sends = "the files of a chip"
	WalletAnswer Sends = "the answer of a wallet"
	WalletForm   Sends = "the form of a wallet"
	TrustFile    Sends = "a certificate or a list of certificates"
	Watchlist    Sends = "a watchlist"
)

// Limits of request bodies in bytes. The last is room for the form around the pictures.
const (
	MaxJSONBytes    = 256 << 10
	MaxPictureBytes = imaging.DefaultMaxBytes
	formRoomBytes   = 64 << 10
	// MaxWatchlistBytes is the largest watchlist that is uploaded; larger ones are imported on the command line.
	MaxWatchlistBytes = 256 << 20
)

// MaxBytes is the largest body of a call.
func (s Sends) MaxBytes() int64 {
	switch s {
	case JSON:
		return MaxJSONBytes
	case Part:
		return applicant.UploadPartBytes
	case Picture:
		return MaxPictureBytes + formRoomBytes
	case Logo:
		return brand.MaxLogoBytes + formRoomBytes
	case ChipFiles:
		return idv.MostChipBytes + idv.MostChipResponse + formRoomBytes
	case WalletAnswer:
		return idv.MostWalletBytes
	case TrustFile:
		return register.MaxFile + formRoomBytes
	case Watchlist:
		return MaxWatchlistBytes
	case Pictures:
		return 3*MaxPictureBytes + formRoomBytes
	default:
		return 4 << 10
	}
}

// Route is one call: a row of the table that the router, the OpenAPI file, the tests and the docs are made of.
type Route struct {
	Method, Path string
	ID           string             // operation id
	Who          Caller             // what credential it takes
	May          account.Permission // what the credential must be good for; empty if being valid is enough
	Fresh        bool               // of a console call: only within signin.ProofLife of signing in or proving who one is
	Watch        bool               // of an applicant's call: also for the browser that handed the session on
	Masks        bool               // of a console call: also for whoever has the permission masked; the answer is masked for them (mask.go)
	Sends        Sends
	Unkept       bool // a question in a body: it changes nothing, and its answer is not kept for a repeat
	Streams      bool // it answers for as long as somebody listens
	Status       int  // of success
	Summary      string
	Description  string

	Form *huma.Schema // of a multipart body
	Bind Binding      // made by Call
}

// Pattern is the route as the router and the log know it.
func (r Route) Pattern() string { return r.Method + " " + r.Path }

// Binding registers a route's handler with the framework.
type Binding func(api huma.API, op huma.Operation, problems *Problems)

// Call makes a route's handler of a use case. Errors become problems; the answer is masked where the caller may see it only so.
func Call[I, O any](use func(context.Context, *I) (*O, error)) Binding {
	return func(api huma.API, op huma.Operation, problems *Problems) {
		huma.Register(api, op, func(ctx context.Context, in *I) (*O, error) {
			out, err := use(ctx, in)
			if err == nil && Masked(ctx) {
				out, err = wire.MaskAnswer(out)
			}
			if err != nil {
				return nil, problems.Of(ctx, err)
			}
			return out, nil
		})
	}
}

// tagOf groups calls in the reference.
func (r Route) tagOf() string {
	switch r.Who {
	case Integrator:
		return "Integrator"
	case Applicant:
		return "Applicant"
	case Console:
		return "Console"
	default:
		return "Open"
	}
}

// Operation is the route as the OpenAPI file tells it.
func (r Route) Operation() huma.Operation {
	op := huma.Operation{
		OperationID: r.ID, Method: r.Method, Path: r.Path, Summary: r.Summary, Description: r.Description,
		Tags: []string{r.tagOf()}, DefaultStatus: r.Status, MaxBodyBytes: -1, BodyReadTimeout: -1,
	}
	if op.DefaultStatus == 0 {
		op.DefaultStatus = http.StatusOK
	}
	switch r.Who {
	case Integrator:
		op.Security = []map[string][]string{{"apiKey": scopesOf(r.May)}}
	case Applicant:
		op.Security = []map[string][]string{{"applicant": {}}}
	case Console:
		op.Security = []map[string][]string{{"console": {}}}
	}
	if r.May != "" {
		op.Description += "\n\nNeeds the permission `" + string(r.May) + "`."
	}
	if r.Masks {
		op.Description += " Where a role has that permission masked, personal data in the answer is."
	}
	if r.Fresh {
		op.Description += "\n\nNeeds a fresh proof of who asks, else `auth.step_up`."
	}
	return op
}

func scopesOf(p account.Permission) []string {
	if p == "" {
		return []string{}
	}
	return []string{string(p)}
}
