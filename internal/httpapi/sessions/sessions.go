// Package sessions is what integrators and the console do alike with sessions, and the words that describe it.
package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/retention"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// Calls are what integrators and the console do alike with sessions.
type Calls struct {
	sessions  *session.Service
	exports   *retention.Exports
	room      *edge.Room
	publicURL string
	log       *slog.Logger
}

// New returns the Calls. Links start with publicURL.
func New(sessions *session.Service, exports *retention.Exports, room *edge.Room, publicURL string, log *slog.Logger) *Calls {
	return &Calls{sessions: sessions, exports: exports, room: room, publicURL: publicURL, log: log}
}

// Descriptions of calls that integrators and the console make alike.
const (
	EraseDescription = "Destroys the session's keys, removes or reduces its rows, and deletes its pictures, for ever; an unfinished session is cancelled first. " +
		"Answers a receipt; asking again answers the same one. What stays, and on what ground, is listed in the reference (erasing). A session " +
		"under a legal hold answers `session.legal_hold`."
	ReceiptDescription      = "What was erased when, with the audit entry and its proof. It holds nothing personal. `not_found` where nothing was erased."
	WithdrawFaceDescription = "For a person who takes back that their face may be compared with those of other applicants: it is removed from its gallery, " +
		"from the server's memory and from the files of the database. Nothing else of the session changes. Asking again removes nothing. " +
		"Refused with session.legal_hold while a hold is set."
	ExportDescription = "A zip archive for the person themselves: facts with their sources, consents, decisions, timeline (JSON), and pictures as " +
		"they were sent. Each export is audited."
)

// Export streams what is stored of a person as a zip archive. An error after it has begun cuts the archive off; such an archive does
// not open.
func (c *Calls) Export(ctx context.Context, mode idv.Mode, id idv.SessionID) (*wire.Stream, error) {
	free, err := c.room.HoldStream(ctx)
	if err != nil {
		return nil, err
	}
	x, err := c.exports.Export(ctx, mode, id)
	if err != nil {
		free()
		return nil, err
	}
	return edge.Download{Name: string(id) + ".zip", Type: "application/zip", Write: x.Write, Done: free}.Stream(c.log, "session", id), nil
}

// Create creates a session and answers it with its link.
func (c *Calls) Create(ctx context.Context, n wire.NewSession) (*wire.Answer[wire.Session], error) {
	if err := wire.CheckClaimed("/claimed", n.Claimed); err != nil {
		return nil, err
	}
	spec := session.Spec{
		Mode: n.Mode, Workflow: n.Workflow, ExternalReference: n.ExternalReference, Metadata: n.Metadata,
		Claimed: n.Claimed, Locale: n.Locale, ReturnURL: n.ReturnURL,
	}
	if n.Applicant != nil {
		spec.Email, spec.SendLink = n.Applicant.Email, n.Applicant.SendLink
	}
	made, err := c.sessions.Create(ctx, spec)
	if err != nil {
		return nil, err
	}
	return &wire.Answer[wire.Session]{Body: c.WithLink(made)}, nil
}

// List returns a page of the sessions that a filter leaves, with what is asked for besides. Problems: auth.forbidden for what takes
// reports.read where reports is false.
func (c *Calls) List(ctx context.Context, f session.Filter, more wire.ListMore, reports bool, read Reading) (wire.SessionPage, error) {
	if err := c.CheckExpand(more.Expand, reports); err != nil {
		return wire.SessionPage{}, err
	}
	views, next, err := read(ctx, f)
	if err != nil {
		return wire.SessionPage{}, err
	}
	out := wire.SessionPage{Items: make([]wire.Session, len(views)), Next: next}
	for i, v := range views {
		if out.Items[i], err = c.Expanded(ctx, v, more.Expand); err != nil {
			return wire.SessionPage{}, err
		}
	}
	if more.Total {
		n, err := c.sessions.Count(ctx, f)
		if err != nil {
			return wire.SessionPage{}, err
		}
		out.Total = &n
	}
	return out, nil
}

// Reading reads a page of sessions and the cursor of the next.
type Reading func(context.Context, session.Filter) ([]session.View, string, error)

// CheckExpand refuses what there is not, and what takes a permission that is missing.
func (c *Calls) CheckExpand(expand []wire.Expansion, reports bool) error {
	for _, one := range expand {
		if !slices.Contains(wire.Expansions(), one) {
			return wire.Malformed("expand", "It must be verified or decisions.")
		}
	}
	if len(expand) > 0 && !reports {
		return problem.New(problem.AuthForbidden).At("expand").Saying("What is asked for takes the permission reports.read.")
	}
	return nil
}

// One returns a session with its verified facts, where reports is true, and with what is asked for besides. Problems: as for List.
func (c *Calls) One(ctx context.Context, v session.View, expand []wire.Expansion, reports bool) (wire.Session, error) {
	if err := c.CheckExpand(expand, reports); err != nil {
		return wire.Session{}, err
	}
	if reports {
		expand = append(slices.Clone(expand), wire.ExpandVerified)
	}
	return c.Expanded(ctx, v, expand)
}

// Expanded returns a session with what is asked for.
func (c *Calls) Expanded(ctx context.Context, v session.View, expand []wire.Expansion) (wire.Session, error) {
	out := wire.SessionOf(v)
	var err error
	if slices.Contains(expand, wire.ExpandVerified) {
		if out.Verified, err = c.sessions.Verified(ctx, v.Session); err != nil {
			return wire.Session{}, err
		}
	}
	if slices.Contains(expand, wire.ExpandDecisions) {
		taken, err := c.sessions.Decisions(ctx, v.Session.Mode, v.Session.ID)
		if err != nil {
			return wire.Session{}, err
		}
		out.Decisions = wire.DecisionsOf(taken)
	}
	return out, nil
}

// WithLink returns a new session with its link, which is shown only this once.
func (c *Calls) WithLink(made session.Created) wire.Session {
	out := wire.SessionOf(made.View)
	if made.Link != "" {
		out.URL = c.publicURL + "/v/" + made.Link
	}
	return out
}

// NarrowKeyNote says what a key that may not read sessions is answered.
const NarrowKeyNote = " A key without `sessions.read` is answered the session's id, workflow, state, outcome, times and link, and nothing " +
	"that was stated or read."

// SearchDescription describes the calls that find the sessions of a person.
const SearchDescription = "By exact name, document number, reference or pair of the metadata, all that are given together. Names are compared as " +
	"a machine readable zone writes them, " +
	"in any order: all given names or the first one, and the family name. What is looked for is posted, so that it reaches no address and no " +
	"log, and is looked up by keyed digests. Found are sessions " +
	"by what was stated or read since these digests are kept; a session that came before is found by its number and reference only. Audited, " +
	"without what was looked for."

// SimulateDescription describes the calls that let a test persona take its steps.
const SimulateDescription = "Lets the session's test persona open the link, consent, and send its pictures, as a person's browser would. The " +
	"verdict comes as ever: by webhook, in the feed, and here. " +
	"A session that has no persona, or where it is not the person's turn, answers `session.conflict`."

// Subjects reads what webhooks say about sessions.
type Subjects struct {
	sessions *session.Service
}

// NewSubjects returns the Subjects of a service.
func NewSubjects(s *session.Service) Subjects { return Subjects{s} }

// Subject implements webhook.Subjects.
func (s Subjects) Subject(ctx context.Context, id idv.SessionID, whole bool) (webhook.Subject, error) {
	v, err := s.sessions.Get(ctx, "", id)
	if err != nil {
		return webhook.Subject{}, err
	}
	out := webhook.Subject{ExternalReference: v.Session.ExternalReference, Metadata: v.Session.Metadata}
	if !whole {
		return out, nil
	}
	if out.Session, err = json.Marshal(wire.SessionOf(v)); err != nil {
		return out, fmt.Errorf("write a session for a webhook: %w", err)
	}
	return out, nil
}
