package console

import (
	"context"
	"net/http"
	"slices"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// Seen answers the calls on what was seen before: duplicates, the block list, and which networks are not counted.
type Seen struct {
	sessions *session.Service
	links    *review.Links
	blocks   *review.BlockList
	access   *access
	members  *team.Members

	galleries session.Galleries // nil where no faces are searched
}

// The sizes of pages.
const (
	blocksShown   = 50
	clustersShown = 50
)

// Routes returns the calls, in the order of the reference.
func (h *Seen) Routes() []edge.Route { return slices.Concat(h.duplicateRoutes(), h.blockRoutes()) }

func (h *Seen) duplicateRoutes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/sessions/{id}/seen", ID: "sessionSeen", Who: edge.Console, May: account.CasesRead, Masks: true,
			Summary: "What was seen before of a session?",
			Description: "Other sessions of the mode with the same document, person or picture, from both ends, where the workflow looks for them. " +
				"Scores of faces are not among it.",
			Bind: edge.Call(h.ofSession),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/sessions/{id}/seen/{other}/decision", ID: "decideDuplicate", Who: edge.Console,
			May: account.CasesDecide, Sends: edge.JSON,
			Summary: "Decide whether two sessions are of one person",
			Description: "Not the same, with a reason: what is seen now does not refer either session again, a sign that comes later does. Same person: " +
				"somebody else who may overrule confirms it, else `duplicate.same_person`. Open undoes what was said. `duplicate.conflict` where the " +
				"decision or the signs have changed since, `not_found` where nothing links the two. Audited for both sessions.",
			Bind: edge.Call(h.decide),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/duplicates", ID: "listDuplicates", Who: edge.Console, May: account.CasesRead, Masks: true,
			Summary:     "List groups of sessions that look like duplicates",
			Description: "Sessions that are linked by what referred one of them, the newest group first, at most 50.",
			Bind:        edge.Call(h.clusters),
		},
	}
}

func (h *Seen) blockRoutes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/blocklist", ID: "listBlocked", Who: edge.Console, May: account.BlocklistRead,
			Summary:     "Read the block list",
			Description: "Newest first. What an entry is about is kept as keyed digests only; a face is that of its session.",
			Bind:        edge.Call(h.page),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/blocklist", ID: "block", Who: edge.Console, May: account.BlocklistWrite, Sends: edge.JSON,
			Status: http.StatusCreated, Unkept: true,
			Summary: "Put something on the block list",
			Description: "Something of a session, or what is stated. It refers from then on; a document that is to decline does so once another member " +
				"has confirmed it. A face is that of a session whose applicant agreed to be compared, else `blocklist.face_without_consent`; its " +
				"entry refers who agreed as well, and ends when the face goes. Audited by the entry's id.",
			Bind: edge.Call(h.add),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/blocklist/{entry}/confirm", ID: "confirmBlocked", Who: edge.Console, May: account.BlocklistWrite,
			Sends: edge.JSON, Fresh: true,
			Summary:     "Confirm that an entry declines",
			Description: "By another member than the one who added it, else `blocklist.same_person`. Audited.",
			Bind:        edge.Call(h.confirm),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/blocklist/{entry}/remove", ID: "unblock", Who: edge.Console, May: account.BlocklistWrite,
			Sends:       edge.JSON,
			Summary:     "Take an entry off the block list",
			Description: "Its digests are deleted at once; that it was there can be seen for 90 days. Audited.",
			Bind:        edge.Call(h.remove),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/velocity", ID: "getAllowedNetworks", Who: edge.Console, May: account.WorkflowsRead,
			Summary:     "Read which networks are not counted",
			Description: "Places of your own, where many people use one address.",
			Bind:        edge.Call(h.networks),
		},
		{
			Method: http.MethodPut, Path: "/v1/console/velocity", ID: "allowNetworks", Who: edge.Console, May: account.WorkflowsPublish, Sends: edge.JSON,
			Summary:     "Set which networks are not counted",
			Description: "It holds for sessions that are opened from then on. Audited.",
			Bind:        edge.Call(h.allow),
		},
	}
}

func (h *Seen) ofSession(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.SessionSeen], error) {
	v, err := h.access.session(ctx, account.CasesRead, in.ID)
	if err != nil {
		return nil, err
	}
	found, err := h.sessions.SeenBefore(ctx, v.Session)
	if err != nil {
		return nil, err
	}
	items := wire.SeenSessionsOf(found).Items
	said := make([][]wire.Opinion, 0, len(items))
	for _, one := range items {
		said = append(said, one.Decided.Said)
	}
	return wire.Reply(wire.SessionSeen{Items: items, Reasons: review.LinkReasons()}, nameOpinions(ctx, h.members, said...))
}

// decide takes a decision about two sessions. A member who may not decide about both gets not_found.
func (h *Seen) decide(ctx context.Context, in *linkDecided) (*wire.Answer[wire.LinkDecided], error) {
	v, err := h.access.session(ctx, account.CasesDecide, in.ID)
	if err != nil {
		return nil, err
	}
	if _, err := h.access.session(ctx, account.CasesDecide, in.Other); err != nil {
		return nil, err
	}
	d, err := h.links.Decide(ctx, session.PairOf(in.ID, in.Other), reviewer(ctx, v.Session.Mode), review.LinkSaid{
		Version: in.Body.Version, Signs: in.Body.Signs, Decision: session.LinkState(in.Body.Decision), Reason: in.Body.Reason, Note: in.Body.Note,
	})
	return wire.Reply(wire.LinkDecidedOf(d, d.Signs), err)
}

type linkDecided struct {
	wire.BySession
	Other idv.SessionID `path:"other" maxLength:"40" doc:"Id of the other session"`
	Body  wire.LinkDecision
}

// ModeInput names a mode. Exported because the framework ignores embedded structs that are not.
type ModeInput struct {
	Mode idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's"`
}

// BlocksInput narrows the block list. Exported because the framework ignores embedded structs that are not.
type BlocksInput struct {
	ModeInput
	After idv.BlockEntryID `query:"after" maxLength:"40" doc:"The last one of the page before"`
}

func (h *Seen) clusters(ctx context.Context, in *ModeInput) (*wire.Answer[wire.DuplicateClusters], error) {
	if err := edge.CheckMay(ctx, account.CasesRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := h.sessions.Clusters(ctx, in.Mode, clustersShown)
	if err != nil {
		return nil, err
	}
	out := wire.DuplicateClustersOf(found)
	if h.galleries != nil {
		kept, err := h.galleries.KeptFaces(ctx, in.Mode)
		if err != nil {
			return nil, err
		}
		out.Galleries = wire.GalleriesOf(kept)
	}
	return wire.Reply(out, nil)
}

func (h *Seen) page(ctx context.Context, in *BlocksInput) (*wire.Answer[wire.BlockPage], error) {
	if err := edge.CheckMay(ctx, account.BlocklistRead, in.Mode); err != nil {
		return nil, err
	}
	entries, err := h.blocks.Page(ctx, in.Mode, in.After, blocksShown+1)
	if err != nil {
		return nil, err
	}
	out := wire.BlockPageOf(entries, blocksShown, h.blocks.Now())
	workflows, err := h.sessions.Workflows(ctx, in.Mode)
	for _, w := range workflows {
		switch {
		case !w.Requires(idv.CheckBlockList):
			out.Unwatched = append(out.Unwatched, w.Name)
		case !w.Requires(idv.CheckDuplicateFace):
			out.Faceless = append(out.Faceless, w.Name)
		}
	}
	return wire.Reply(out, err)
}

func (h *Seen) add(ctx context.Context, in *wire.Body[wire.NewBlockEntry]) (*wire.Answer[wire.BlockEntry], error) {
	if err := edge.CheckMay(ctx, account.BlocklistWrite, in.Body.Mode); err != nil {
		return nil, err
	}
	b, err := in.Body.Blocked(in.Body.Mode)
	if err != nil {
		return nil, err
	}
	e, err := h.blocks.Add(ctx, b)
	return wire.Reply(wire.BlockEntryOf(e, h.blocks.Now()), err)
}

// found returns an entry that the person who is signed in may change; not_found otherwise.
func (h *Seen) found(ctx context.Context, id idv.BlockEntryID) error {
	e, err := h.blocks.Find(ctx, id)
	if err == nil && !edge.May(ctx, account.BlocklistWrite, e.Mode) {
		return problem.New(problem.NotFound)
	}
	return err
}

func (h *Seen) confirm(ctx context.Context, in *blockPosted) (*wire.Answer[wire.BlockEntry], error) {
	if err := h.found(ctx, in.Entry); err != nil {
		return nil, err
	}
	e, err := h.blocks.Confirm(ctx, in.Entry)
	return wire.Reply(wire.BlockEntryOf(e, h.blocks.Now()), err)
}

func (h *Seen) remove(ctx context.Context, in *blockPosted) (*wire.Answer[wire.BlockEntry], error) {
	if err := h.found(ctx, in.Entry); err != nil {
		return nil, err
	}
	e, err := h.blocks.Remove(ctx, in.Entry)
	return wire.Reply(wire.BlockEntryOf(e, h.blocks.Now()), err)
}

func (h *Seen) networks(ctx context.Context, _ *wire.None) (*wire.Answer[wire.AllowedNetworks], error) {
	return wire.Reply(wire.AllowedNetworksOf(h.blocks.AllowedNetworks(ctx)))
}

func (h *Seen) allow(ctx context.Context, in *wire.Body[wire.AllowedNetworks]) (*wire.Answer[wire.AllowedNetworks], error) {
	return wire.Reply(wire.AllowedNetworksOf(h.blocks.AllowNetworks(ctx, in.Body.Ranges)))
}

type blockPosted struct {
	Entry idv.BlockEntryID `path:"entry" maxLength:"40" doc:"Id of an entry of the block list"`
	Body  *wire.Empty      `required:"false"`
}
