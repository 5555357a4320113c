package integrator

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/session/retention"
)

// Erasures answers the calls that erase sessions and hand out what is stored of a person.
type Erasures struct {
	erasures *retention.Erasures
	calls    *sessions.Calls
}

// Routes returns the calls, in the order of the reference.
func (h *Erasures) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/sessions/{id}/erase", ID: "eraseSession", Who: edge.Integrator, May: account.SessionsErase,
			Sends:       edge.JSON,
			Summary:     "Erase a session",
			Description: sessions.EraseDescription,
			Bind:        edge.Call(h.erase),
		},
		{
			Method: http.MethodGet, Path: "/v1/sessions/{id}/receipt", ID: "getReceipt", Who: edge.Integrator, May: account.SessionsRead,
			Summary:     "Read the receipt of an erasing",
			Description: sessions.ReceiptDescription,
			Bind:        edge.Call(h.receipt),
		},
		{
			Method: http.MethodPost, Path: "/v1/sessions/{id}/withdraw-face", ID: "withdrawFace", Who: edge.Integrator, May: account.SessionsErase,
			Sends:       edge.JSON,
			Summary:     "Stop comparing a face",
			Description: sessions.WithdrawFaceDescription,
			Bind:        edge.Call(h.withdrawFace),
		},
		{
			Method: http.MethodGet, Path: "/v1/sessions/{id}/export", ID: "exportSession", Who: edge.Integrator, May: account.SessionsExport,
			Summary:     "Export what is kept of a person",
			Description: sessions.ExportDescription,
			Bind:        edge.Call(h.export),
		},
	}
}

func (h *Erasures) erase(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Receipt], error) {
	return wire.ReceiptOf(h.erasures.Erase(ctx, edge.KeyMode(ctx), in.ID))
}

func (h *Erasures) receipt(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.Receipt], error) {
	return wire.ReceiptOf(h.erasures.Receipt(ctx, edge.KeyMode(ctx), in.ID))
}

func (h *Erasures) export(ctx context.Context, in *wire.BySession) (*wire.Stream, error) {
	return h.calls.Export(ctx, edge.KeyMode(ctx), in.ID)
}

func (h *Erasures) withdrawFace(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.FaceWithdrawn], error) {
	return wire.FaceWithdrawnOf(h.erasures.WithdrawFace(ctx, edge.KeyMode(ctx), in.ID))
}
