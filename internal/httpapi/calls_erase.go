package httpapi

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/retention"
)

const (
	eraseWords = "Destroys the session's keys, removes or reduces its rows, and deletes its pictures, for ever; an unfinished session is cancelled first. " +
		"Answers a receipt; asking again answers the same one. What stays, and on what ground, is listed in the reference (erasing). A session under a legal hold answers `session.legal_hold`."
	receiptWords = "What was erased when, with the audit entry and its proof. It holds nothing personal. `not_found` where nothing was erased."
	exportWords  = "A zip archive for the person themselves: facts with their sources, consents, decisions, timeline (JSON), and pictures as they were sent. Each export is audited."
)

func (s *Server) eraseSession(ctx context.Context, in *bySessionPosted) (*answer[Receipt], error) {
	return receiptOf(s.sessions.Erasures.Erase(ctx, modeOf(ctx), in.ID))
}

func (s *Server) consoleEraseSession(ctx context.Context, in *bySessionPosted) (*answer[Receipt], error) {
	v, err := s.seen(ctx, account.SessionsErase, in.ID)
	if err != nil {
		return nil, err
	}
	return receiptOf(s.sessions.Erasures.Erase(ctx, v.Session.Mode, in.ID))
}

func (s *Server) getReceipt(ctx context.Context, in *BySession) (*answer[Receipt], error) {
	return receiptOf(s.sessions.Erasures.Receipt(ctx, modeOf(ctx), in.ID))
}

func (s *Server) consoleGetReceipt(ctx context.Context, in *BySession) (*answer[Receipt], error) {
	v, err := s.seen(ctx, account.SessionsRead, in.ID)
	if err != nil {
		return nil, err
	}
	return receiptOf(s.sessions.Erasures.Receipt(ctx, v.Session.Mode, in.ID))
}

func receiptOf(r retention.Receipt, err error) (*answer[Receipt], error) {
	if err != nil {
		return nil, err
	}
	leaf, err := r.Entry.Leaf()
	out := Receipt{
		Session: string(r.Session), ErasedAt: r.ErasedAt.UTC(), FinishedAt: at(r.FinishedAt), Statement: json.RawMessage(r.Statement),
		StatementDigest: session.StatementDigest(r.Statement), Audit: ReceiptEntry{Entry: leaf, Proof: proofOf(r.Proof)},
	}
	if r.Entry.Position >= 0 {
		out.Audit.Position = &r.Entry.Position
	}
	return reply(out, err)
}

func proofOf(p *audit.Proof) *InclusionProof {
	if p == nil {
		return nil
	}
	b64 := base64.StdEncoding.EncodeToString
	out := &InclusionProof{
		Size: p.Checkpoint.Size, Root: b64(p.Checkpoint.Root[:]), Hashes: []string{}, Signature: b64(p.Checkpoint.Signature),
		PublicKey: b64(p.Key), SignedAt: p.Checkpoint.At.UTC(),
	}
	for _, h := range p.Hashes {
		out.Hashes = append(out.Hashes, b64(h[:]))
	}
	return out
}

func (s *Server) exportSession(ctx context.Context, in *BySession) (*stream, error) {
	return s.export(ctx, modeOf(ctx), in.ID)
}

func (s *Server) consoleExportSession(ctx context.Context, in *BySession) (*stream, error) {
	v, err := s.seen(ctx, account.SessionsExport, in.ID)
	if err != nil {
		return nil, err
	}
	return s.export(ctx, v.Session.Mode, in.ID)
}

// export streams an archive. What goes wrong once it has begun cuts it off: such an archive does not open.
func (s *Server) export(ctx context.Context, mode idv.Mode, id idv.SessionID) (*stream, error) {
	free, err := s.room.holdStream(ctx)
	if err != nil {
		return nil, err
	}
	x, err := s.sessions.Exports.Export(ctx, mode, id)
	if err != nil {
		free()
		return nil, err
	}
	return &stream{Body: func(hc huma.Context) {
		defer free()
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "application/zip")
		w.Header().Set("Content-Disposition", `attachment; filename="`+string(id)+`.zip"`)
		w.Header().Set("Cache-Control", "private, no-store")
		if err := x.Write(hc.Context(), w); err != nil {
			s.log.ErrorContext(ctx, "an export was cut off", "request_id", requestID(ctx), "session", id, "error", err)
			panic(http.ErrAbortHandler) // the client sees a broken connection, not an archive
		}
	}}, nil
}

// holdInput is the input of setting a legal hold.
type holdInput struct {
	BySession
	Body NewHold
}

func (s *Server) consoleHold(ctx context.Context, in *holdInput) (*answer[Session], error) {
	v, err := s.seen(ctx, account.SessionsErase, in.ID)
	if err != nil {
		return nil, err
	}
	v, err = s.sessions.Holds.SetHold(ctx, v.Session.Mode, in.ID, in.Body.Reason)
	return reply(sessionOf(v), err)
}

func (s *Server) consoleLiftHold(ctx context.Context, in *bySessionPosted) (*answer[Session], error) {
	v, err := s.seen(ctx, account.SessionsErase, in.ID)
	if err != nil {
		return nil, err
	}
	v, err = s.sessions.Holds.LiftHold(ctx, v.Session.Mode, in.ID)
	return reply(sessionOf(v), err)
}

// addLettingGo adds what was erased and held. The reasons of holds are for those who may set them.
func (s *Server) addLettingGo(ctx context.Context, v session.View, file *SessionFile) error {
	file.Holds = []Hold{}
	if may(ctx, account.SessionsErase, v.Session.Mode) {
		holds, err := s.sessions.Holds.Holds(ctx, v.Session.Mode, v.Session.ID)
		if err != nil {
			return err
		}
		for _, h := range holds {
			file.Holds = append(file.Holds, holdOf(h))
		}
	}
	r, err := receiptOf(s.sessions.Erasures.Receipt(ctx, v.Session.Mode, v.Session.ID))
	if problem.Has(err, problem.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	file.Receipt = &r.Body
	return nil
}

func holdOf(h session.Hold) Hold {
	return Hold{Reason: h.Reason, SetBy: h.SetBy, SetAt: h.SetAt.UTC(), LiftedBy: h.LiftedBy, LiftedAt: at(h.LiftedAt)}
}

func keepingOf(v session.View) Keeping {
	return Keeping{
		PicturesUntil: at(v.Keeping.PicturesUntil), ReportUntil: at(v.Keeping.ReportUntil),
		PicturesErasedAt: at(v.Session.PicturesErasedAt), HeldSince: at(v.Session.HeldAt),
	}
}
