package console

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// Sessions answers the calls on sessions.
type Sessions struct {
	sessions *session.Service
	pictures *review.Pictures
	calls    *sessions.Calls
	access   *access
	cases    *Cases
	erasures *Erasures
}

// Routes returns the calls, in the order of the reference.
func (h *Sessions) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/sessions", ID: "consoleListSessions", Who: edge.Console, May: account.SessionsRead,
			Masks:       true,
			Summary:     "List sessions",
			Description: "Newest first, with the number in each state.",
			Bind:        edge.Call(h.list),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/sessions", ID: "consoleCreateSession", Who: edge.Console, May: account.SessionsWrite,
			Sends: edge.JSON, Status: http.StatusCreated,
			Summary:     "Create a session",
			Description: "As the integrator's call, with the mode in the body (test if left out).",
			Bind:        edge.Call(h.create),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/sessions/{id}", ID: "consoleGetSession", Who: edge.Console, May: account.SessionsRead,
			Masks:       true,
			Summary:     "Read a session's file",
			Description: "Everything on one page: report, decisions, pictures, what was found in them, timeline.",
			Bind:        edge.Call(h.file),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/sessions/{id}/link", ID: "consoleNewLink", Who: edge.Console, May: account.SessionsWrite,
			Sends:   edge.JSON,
			Summary: "Make a new link",
			Description: "For an applicant who lost the browser that has the session. The old link stops working at once; the browser that opens the new one " +
				"has the session from then on, and what was sent stays. Audited; the link is shown this once. A finished session answers `session.conflict`.",
			Bind: edge.Call(h.renewLink),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/sessions/{id}/evidence/{capture}", ID: "consoleGetEvidence", Who: edge.Console,
			May:         account.EvidenceRead,
			Summary:     "Open a picture",
			Description: "A picture as it was sent, upright and without metadata; of a run, some of its frames side by side. Each view is audited.",
			Bind:        edge.Call(h.evidence),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/sessions/{id}/artifacts/{artifact}", ID: "consoleGetArtifact", Who: edge.Console,
			May:         account.EvidenceRead,
			Summary:     "Open a derived picture",
			Description: "A crop such as the portrait. Each view is audited.",
			Bind:        edge.Call(h.artifact),
		},
	}
}

func (h *Sessions) list(ctx context.Context, in *consoleFilter) (*wire.Answer[wire.ConsoleSessionPage], error) {
	if err := edge.CheckMay(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	if _, id := idv.ParseID[idv.SessionID](in.Query); in.Query != "" && !id && edge.Masked(ctx) {
		return nil, problem.New(problem.AuthForbidden).Saying("References are masked for your role, and cannot be searched for.")
	}
	f, err := in.Filter(in.Mode)
	if err != nil {
		return nil, err
	}
	items, next, err := wire.SessionsOf(h.sessions.List(ctx, f))
	if err != nil {
		return nil, err
	}
	about, err := h.about(ctx, in.Mode, items)
	if err != nil {
		return nil, err
	}
	out := wire.ConsoleSessionPage{Items: items, Next: next, About: about}
	if in.Total {
		n, err := h.sessions.Count(ctx, f)
		if err != nil {
			return nil, err
		}
		out.Total = &n
	}
	out.Counts, err = h.sessions.CountStates(ctx, in.Mode)
	return wire.Reply(out, err)
}

// about reads what the list shows of sessions besides, as far as the person who is signed in may see it.
func (h *Sessions) about(ctx context.Context, mode idv.Mode, items []wire.Session) ([]wire.SessionAbout, error) {
	if !edge.May(ctx, account.ReportsRead, mode) {
		return wire.AboutOf(items, nil, nil), nil
	}
	ids, of := make([]idv.SessionID, 0, len(items)), make([]idv.Session, 0, len(items))
	for _, s := range items {
		ids = append(ids, s.ID)
		x := idv.Session{ID: s.ID, Claimed: s.Claimed}
		if s.ErasedAt != nil {
			x.ErasedAt = *s.ErasedAt
		}
		of = append(of, x)
	}
	names, err := h.sessions.Names(ctx, of)
	if err != nil {
		return nil, err
	}
	reasons, err := h.sessions.Reasons(ctx, ids)
	return wire.AboutOf(items, names, reasons), err
}

func (h *Sessions) create(ctx context.Context, in *wire.Body[wire.NewSession]) (*wire.Answer[wire.Session], error) {
	if in.Body.Mode == "" {
		in.Body.Mode = idv.Test
	}
	if err := edge.CheckMay(ctx, account.SessionsWrite, in.Body.Mode); err != nil {
		return nil, err
	}
	return h.calls.Create(ctx, in.Body)
}

// renewLink makes a new link, and answers nothing else: who may write sessions may not read each of them.
func (h *Sessions) renewLink(ctx context.Context, in *wire.RenewLink) (*wire.Answer[wire.SessionLink], error) {
	v, err := h.access.session(ctx, account.SessionsWrite, in.ID)
	if err != nil {
		return nil, err
	}
	made, err := h.sessions.SendLink(ctx, v.Session.Mode, in.ID, in.Send())
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.SessionLink{URL: h.calls.WithLink(made).URL, ExpiresAt: made.Session.LinkExpiresAt.UTC()}, nil)
}

// file answers everything about one session that the person who is signed in may see.
func (h *Sessions) file(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.SessionFile], error) {
	v, err := h.access.session(ctx, account.SessionsRead, in.ID)
	if err != nil {
		return nil, err
	}
	file := wire.SessionFile{Session: wire.SessionOf(v), Decisions: []wire.Decision{}}
	if err := h.addReport(ctx, v, &file); err != nil {
		return nil, err
	}
	if err := h.cases.addTo(ctx, v, &file); err != nil {
		return nil, err
	}
	if err := h.erasures.addTo(ctx, v, &file); err != nil {
		return nil, err
	}
	if err := h.addRelated(ctx, v, &file); err != nil {
		return nil, err
	}
	return wire.Reply(file, h.addEvidence(ctx, v, &file))
}

// addReport adds the report and the decisions to a file, where there are any and the person who is signed in may see them.
func (h *Sessions) addReport(ctx context.Context, v session.View, file *wire.SessionFile) error {
	if !edge.May(ctx, account.ReportsRead, v.Session.Mode) {
		return nil
	}
	report, decisions, err := h.sessions.Report(ctx, v.Session.Mode, v.Session.ID)
	if problem.Has(err, problem.NotFound) {
		return nil
	}
	if problem.Has(err, problem.SessionErased) {
		left, err := h.sessions.Decisions(ctx, v.Session.Mode, v.Session.ID)
		file.Decisions = wire.DecisionsOf(left)
		return err
	}
	if err != nil {
		return err
	}
	outputs, err := h.sessions.OutputsOf(ctx, report)
	if err != nil {
		return err
	}
	report = wire.ReportOf(report)
	file.Report, file.Verified, file.Decisions = &report, &outputs, wire.DecisionsOf(decisions)
	return nil
}

// addRelated adds other sessions of the same document or person to a file, for whoever may search for people.
func (h *Sessions) addRelated(ctx context.Context, v session.View, file *wire.SessionFile) error {
	file.Related = []wire.RelatedSession{}
	if !v.Session.ErasedAt.IsZero() || edge.Masked(ctx) || !edge.May(ctx, account.SessionsSearch, v.Session.Mode) {
		return nil
	}
	found, err := h.sessions.Related(ctx, v.Session)
	file.Related = wire.RelatedOf(found)
	return err
}

// addEvidence adds the captures, the artifacts and the timeline to a file.
func (h *Sessions) addEvidence(ctx context.Context, v session.View, file *wire.SessionFile) error {
	captures, artifacts, err := h.sessions.Captures(ctx, v.Session.Mode, v.Session.ID)
	if err != nil && !problem.Has(err, problem.SessionErased) {
		return err
	}
	earlier, err := h.sessions.Earlier(ctx, v.Session.Mode, v.Session.ID)
	if err != nil && !problem.Has(err, problem.SessionErased) {
		return err
	}
	base := "/v1/console/sessions/" + string(v.Session.ID)
	if !edge.May(ctx, account.EvidenceRead, v.Session.Mode) {
		for i := range artifacts {
			if session.GoesWithPictures(artifacts[i].Kind) {
				artifacts[i].Data = nil // whoever may not see pictures sees nothing that is as personal
			}
		}
	}
	file.Captures, file.Artifacts = wire.CapturesOf(base, captures, artifacts), wire.ArtifactsOf(base, artifacts)
	file.Earlier = wire.CapturesOf(base, earlier, nil)
	if !edge.May(ctx, account.EvidenceRead, v.Session.Mode) { // what they may not open they are not led to
		for _, all := range [][]wire.Capture{file.Captures, file.Earlier} {
			for i := range all {
				all[i].URL = ""
			}
		}
		for i := range file.Artifacts {
			file.Artifacts[i].URL = ""
		}
	}
	return h.addTimeline(ctx, v, file)
}

// addTimeline adds what happened to a file, and by name the members to whom its case was given.
func (h *Sessions) addTimeline(ctx context.Context, v session.View, file *wire.SessionFile) error {
	events, err := h.sessions.Timeline(ctx, v.Session.Mode, v.Session.ID)
	if err != nil {
		return err
	}
	file.Timeline = wire.EventsOf(events)
	if !edge.May(ctx, account.CasesRead, v.Session.Mode) {
		return nil
	}
	return h.cases.addAssignees(ctx, events, file)
}

func (h *Sessions) evidence(ctx context.Context, in *byFilm) (*wire.Picture, error) {
	v, err := h.access.session(ctx, account.EvidenceRead, in.ID)
	if err != nil {
		return nil, err
	}
	if len(in.Frames) > 0 {
		p, err := h.pictures.Film(ctx, v.Session.Mode, in.ID, in.Capture, in.Frames)
		return wire.PictureOf(p, err)
	}
	p, err := h.pictures.Evidence(ctx, v.Session.Mode, in.ID, in.Capture, in.Frame)
	return wire.PictureOf(p, err)
}

func (h *Sessions) artifact(ctx context.Context, in *byArtifact) (*wire.Picture, error) {
	v, err := h.access.session(ctx, account.EvidenceRead, in.ID)
	if err != nil {
		return nil, err
	}
	p, err := h.pictures.ArtifactPicture(ctx, v.Session.Mode, in.ID, in.Artifact)
	return wire.PictureOf(p, err)
}

// byFilm is the input of a call for a picture, or for some frames of a run.
type byFilm struct {
	wire.ByCapture
	Frames []int `query:"frames" maxItems:"24" doc:"Of a run of frames: these, from 0, in one picture, six a row and 200 pixels wide"`
}

// byArtifact is the input of calls on one derived picture.
type byArtifact struct {
	wire.BySession
	Artifact idv.ArtifactID `path:"artifact" maxLength:"40" doc:"Artifact id"`
}

// consoleFilter narrows the console's list.
type consoleFilter struct {
	wire.SessionFilter
	wire.SessionBar
	Total bool     `query:"total" doc:"Whether to count what the filter leaves"`
	Mode  idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's sessions"`
}

// Filter returns the filter that the query describes. Problems: request.malformed.
func (in *consoleFilter) Filter(mode idv.Mode) (session.Filter, error) {
	f, err := in.SessionFilter.Filter(mode)
	f.Bar = in.Bar()
	return f, err
}
