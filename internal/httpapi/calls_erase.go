package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

const (
	eraseWords = "Destroys the session's keys, removes or reduces its rows, and deletes its pictures, for ever; an unfinished session is cancelled first. " +
		"Answers a receipt; asking again answers the same one. What stays, and on what ground, is listed in the reference (erasing). A session under a legal hold answers `session.legal_hold`."
	receiptWords = "What was erased when, with the audit entry and its proof. It holds nothing personal. `not_found` where nothing was erased."
	exportWords  = "A zip archive for the person themselves: facts with their sources, consents, decisions, timeline (JSON), and pictures as they were sent. Each export is audited."
)

func (s *Server) eraseSession(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Receipt], error) {
	return wire.ReceiptOf(s.sessions.Erasures.Erase(ctx, edge.KeyMode(ctx), in.ID))
}

func (s *Server) consoleEraseSession(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Receipt], error) {
	v, err := s.seen(ctx, account.SessionsErase, in.ID)
	if err != nil {
		return nil, err
	}
	return wire.ReceiptOf(s.sessions.Erasures.Erase(ctx, v.Session.Mode, in.ID))
}

func (s *Server) getReceipt(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.Receipt], error) {
	return wire.ReceiptOf(s.sessions.Erasures.Receipt(ctx, edge.KeyMode(ctx), in.ID))
}

func (s *Server) consoleGetReceipt(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.Receipt], error) {
	v, err := s.seen(ctx, account.SessionsRead, in.ID)
	if err != nil {
		return nil, err
	}
	return wire.ReceiptOf(s.sessions.Erasures.Receipt(ctx, v.Session.Mode, in.ID))
}

func (s *Server) exportSession(ctx context.Context, in *wire.BySession) (*wire.Stream, error) {
	return s.export(ctx, edge.KeyMode(ctx), in.ID)
}

func (s *Server) consoleExportSession(ctx context.Context, in *wire.BySession) (*wire.Stream, error) {
	v, err := s.seen(ctx, account.SessionsExport, in.ID)
	if err != nil {
		return nil, err
	}
	return s.export(ctx, v.Session.Mode, in.ID)
}

// export streams an archive. What goes wrong once it has begun cuts it off: such an archive does not open.
func (s *Server) export(ctx context.Context, mode idv.Mode, id idv.SessionID) (*wire.Stream, error) {
	free, err := s.room.HoldStream(ctx)
	if err != nil {
		return nil, err
	}
	x, err := s.sessions.Exports.Export(ctx, mode, id)
	if err != nil {
		free()
		return nil, err
	}
	return &wire.Stream{Body: func(hc huma.Context) {
		defer free()
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "application/zip")
		w.Header().Set("Content-Disposition", `attachment; filename="`+string(id)+`.zip"`)
		w.Header().Set("Cache-Control", "private, no-store")
		if err := x.Write(hc.Context(), w); err != nil {
			s.log.ErrorContext(ctx, "an export was cut off", "request_id", edge.RequestID(ctx), "session", id, "error", err)
			panic(http.ErrAbortHandler) // the client sees a broken connection, not an archive
		}
	}}, nil
}

// holdInput is the input of setting a legal hold.
type holdInput struct {
	wire.BySession
	Body wire.NewHold
}

func (s *Server) consoleHold(ctx context.Context, in *holdInput) (*wire.Answer[wire.Session], error) {
	v, err := s.seen(ctx, account.SessionsErase, in.ID)
	if err != nil {
		return nil, err
	}
	v, err = s.sessions.Holds.SetHold(ctx, v.Session.Mode, in.ID, in.Body.Reason)
	return wire.Reply(wire.SessionOf(v), err)
}

func (s *Server) consoleLiftHold(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Session], error) {
	v, err := s.seen(ctx, account.SessionsErase, in.ID)
	if err != nil {
		return nil, err
	}
	v, err = s.sessions.Holds.LiftHold(ctx, v.Session.Mode, in.ID)
	return wire.Reply(wire.SessionOf(v), err)
}

// addLettingGo adds what was erased and held. The reasons of holds are for those who may set them.
func (s *Server) addLettingGo(ctx context.Context, v session.View, file *wire.SessionFile) error {
	file.Holds = []wire.Hold{}
	if edge.May(ctx, account.SessionsErase, v.Session.Mode) {
		holds, err := s.sessions.Holds.Holds(ctx, v.Session.Mode, v.Session.ID)
		if err != nil {
			return err
		}
		for _, h := range holds {
			file.Holds = append(file.Holds, wire.HoldOf(h))
		}
	}
	r, err := wire.ReceiptOf(s.sessions.Erasures.Receipt(ctx, v.Session.Mode, v.Session.ID))
	if problem.Has(err, problem.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	file.Receipt = &r.Body
	return nil
}
