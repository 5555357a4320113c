package console

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/retention"
)

// Erasures answers the calls that erase sessions, keep them from being erased, and hand out what is stored of a person.
type Erasures struct {
	erasures *retention.Erasures
	holds    *retention.Holds
	calls    *sessions.Calls
	access   *access
}

// Routes returns the calls, in the order of the reference.
func (h *Erasures) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/console/sessions/{id}/erase", ID: "consoleEraseSession", Who: edge.Console,
			May: account.SessionsErase, Fresh: true, Sends: edge.JSON,
			Summary:     "Erase a session",
			Description: sessions.EraseDescription,
			Bind:        edge.Call(h.erase),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/sessions/{id}/receipt", ID: "consoleGetReceipt", Who: edge.Console, May: account.SessionsRead,
			Masks:       true,
			Summary:     "Read the receipt of an erasing",
			Description: sessions.ReceiptDescription,
			Bind:        edge.Call(h.receipt),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/sessions/{id}/export", ID: "consoleExportSession", Who: edge.Console,
			May: account.SessionsExport, Fresh: true,
			Summary:     "Export what is kept of a person",
			Description: sessions.ExportDescription,
			Bind:        edge.Call(h.export),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/sessions/{id}/withdraw-face", ID: "consoleWithdrawFace", Who: edge.Console,
			May: account.SessionsErase, Fresh: true, Sends: edge.JSON,
			Summary:     "Stop comparing a face",
			Description: sessions.WithdrawFaceDescription,
			Bind:        edge.Call(h.withdrawFace),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/sessions/{id}/hold", ID: "consoleHoldSession", Who: edge.Console, May: account.SessionsErase,
			Sends:       edge.JSON,
			Summary:     "Set a legal hold",
			Description: "Nothing of the session is erased until the hold is lifted, by request or by time. Audited.",
			Bind:        edge.Call(h.hold),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/sessions/{id}/lift-hold", ID: "consoleLiftHold", Who: edge.Console,
			May: account.SessionsErase, Fresh: true, Sends: edge.JSON,
			Summary:     "Lift a legal hold",
			Description: "What was due meanwhile is erased by the next run of the retention job. Audited.",
			Bind:        edge.Call(h.liftHold),
		},
	}
}

func (h *Erasures) erase(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Receipt], error) {
	v, err := h.access.session(ctx, account.SessionsErase, in.ID)
	if err != nil {
		return nil, err
	}
	return wire.ReceiptOf(h.erasures.Erase(ctx, v.Session.Mode, in.ID))
}

func (h *Erasures) withdrawFace(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.FaceWithdrawn], error) {
	v, err := h.access.session(ctx, account.SessionsErase, in.ID)
	if err != nil {
		return nil, err
	}
	return wire.FaceWithdrawnOf(h.erasures.WithdrawFace(ctx, v.Session.Mode, in.ID))
}

func (h *Erasures) receipt(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.Receipt], error) {
	v, err := h.access.session(ctx, account.SessionsRead, in.ID)
	if err != nil {
		return nil, err
	}
	return wire.ReceiptOf(h.erasures.Receipt(ctx, v.Session.Mode, in.ID))
}

func (h *Erasures) export(ctx context.Context, in *wire.BySession) (*wire.Stream, error) {
	v, err := h.access.session(ctx, account.SessionsExport, in.ID)
	if err != nil {
		return nil, err
	}
	return h.calls.Export(ctx, v.Session.Mode, in.ID)
}

// holdInput is the input of setting a legal hold.
type holdInput struct {
	wire.BySession
	Body wire.NewHold
}

func (h *Erasures) hold(ctx context.Context, in *holdInput) (*wire.Answer[wire.Session], error) {
	v, err := h.access.session(ctx, account.SessionsErase, in.ID)
	if err != nil {
		return nil, err
	}
	v, err = h.holds.SetHold(ctx, v.Session.Mode, in.ID, in.Body.Reason)
	return wire.Reply(wire.SessionOf(v), err)
}

func (h *Erasures) liftHold(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Session], error) {
	v, err := h.access.session(ctx, account.SessionsErase, in.ID)
	if err != nil {
		return nil, err
	}
	v, err = h.holds.LiftHold(ctx, v.Session.Mode, in.ID)
	return wire.Reply(wire.SessionOf(v), err)
}

// addTo adds to the file of a session its holds, for those who may set them, and the receipt of its erasure.
func (h *Erasures) addTo(ctx context.Context, v session.View, file *wire.SessionFile) error {
	file.Holds = []wire.Hold{}
	if edge.May(ctx, account.SessionsErase, v.Session.Mode) {
		holds, err := h.holds.Holds(ctx, v.Session.Mode, v.Session.ID)
		if err != nil {
			return err
		}
		for _, h := range holds {
			file.Holds = append(file.Holds, wire.HoldOf(h))
		}
	}
	r, err := wire.ReceiptOf(h.erasures.Receipt(ctx, v.Session.Mode, v.Session.ID))
	if problem.Has(err, problem.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	file.Receipt = &r.Body
	return nil
}
