package console

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/casefile"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// CaseFiles answers the call that makes a case file.
type CaseFiles struct {
	caseFiles *review.CaseFiles
	members   *team.Members
	access    *access
	room      *edge.Room
	log       *slog.Logger
}

// Routes returns the calls, in the order of the reference.
func (h *CaseFiles) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/sessions/{id}/file", ID: "getCaseFile", Who: edge.Console, May: account.ReportsRead,
			Fresh:       true,
			Summary:     "Make a case file",
			Description: caseFileDescription,
			Bind:        edge.Call(h.create),
		},
	}
}

const caseFileDescription = "A zip archive for anybody who has to judge the decision later: facts, checks, models with digests and error rates, " +
	"decisions, consents, timeline, " +
	"as a page and as JSON, with proofs of the audit log by which `bonafide audit verify` checks it without this server. Pictures only with `pictures`, " +
	"which needs the permission to open them. With `as=pdf` it is one PDF document to read and print, which the audit log names by the SHA-256 of its bytes. " +
	"Each file is audited, and each picture in it."

type fileInput struct {
	wire.BySession
	Pictures bool              `query:"pictures" doc:"With the pictures: the pixels that were sent, without what a camera wrote beside them"`
	As       string            `query:"as" enum:"zip,pdf" default:"zip" doc:"An archive that proves itself, or a document to read and print"`
	Language casefile.Language `query:"language" enum:"en,de" default:"en" doc:"Of the document; an archive is in English"`
}

// create streams a case file as a zip archive, or as a PDF document. An error after it has begun cuts the archive off; such an archive does not open.
func (h *CaseFiles) create(ctx context.Context, in *fileInput) (*wire.Stream, error) {
	v, err := h.access.session(ctx, account.ReportsRead, in.ID)
	if err != nil {
		return nil, err
	}
	mode := v.Session.Mode
	if in.Pictures && !edge.May(ctx, account.EvidenceRead, mode) {
		return nil, problem.New(problem.AuthForbidden)
	}
	free := func() {}
	if in.Pictures {
		if free, err = h.room.HoldStream(ctx); err != nil {
			return nil, err
		}
	}
	x, err := h.caseFiles.CaseFile(ctx, mode, in.ID, review.CaseFileAsk{
		Pictures: in.Pictures, Paper: in.As == "pdf", Language: in.Language,
		Reviews: edge.May(ctx, account.CasesRead, mode), By: edge.Member(ctx).ID, Names: h.members.Names,
	})
	if err != nil {
		free()
		return nil, err
	}
	file := edge.Download{Name: string(in.ID) + "-case.zip", Type: "application/zip", Write: x.Write, Done: free}
	if in.As == "pdf" {
		file.Name, file.Type = string(in.ID)+"-case.pdf", "application/pdf"
	}
	return file.Stream(h.log, "session", in.ID), nil
}
