package integrator

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// Seen answers the calls on what was seen before, and on the block list.
type Seen struct {
	sessions *session.Service
	blocks   *review.BlockList

	galleries session.Galleries // nil where no faces are searched
}

// blocksShown is the size of a page of the block list.
const blocksShown = 100

// Routes returns the calls, in the order of the reference.
func (h *Seen) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/sessions/{id}/duplicates", ID: "getSessionDuplicates", Who: edge.Integrator, May: account.ReportsRead,
			Summary: "List sessions that have something in common with one",
			Description: "The same document, person or picture, in the mode of the key, where the workflow looks for them. How alike faces are is not " +
				"among it: only whether they are the same, another's or not comparable. Nor are notes of reviewers, who decide whether two " +
				"sessions are of one person.",
			Bind: edge.Call(h.ofSession),
		},
		{
			Method: http.MethodGet, Path: "/v1/status", ID: "getStatus", Who: edge.Integrator, May: account.ReportsRead,
			Summary: "Read how it is with the galleries",
			Description: "Of faces, in the mode of the key: whether the server that answers can search them, how many they hold, their memory, and from " +
				"which similarity a face counts. Watchlists have a call of their own.",
			Bind: edge.Call(h.status),
		},
		{
			Method: http.MethodGet, Path: "/v1/blocklist", ID: "getBlocklist", Who: edge.Integrator, May: account.BlocklistRead,
			Summary:     "Read the block list",
			Description: "Entries of the mode of the key, newest first. What an entry is about is kept as keyed digests only; a face is that of its session.",
			Bind:        edge.Call(h.page),
		},
		{
			Method: http.MethodPost, Path: "/v1/blocklist", ID: "addToBlocklist", Who: edge.Integrator, May: account.BlocklistWrite, Sends: edge.JSON,
			Status:  http.StatusCreated,
			Summary: "Put something on the block list",
			Description: "Something of a session, or what is stated; it refers from then on. A document declines only once a member has confirmed it in the " +
				"console. A face is that of a session whose applicant agreed to be compared, else `blocklist.face_without_consent`; its entry " +
				"refers who agreed as well, and ends when the face goes: when the consent is withdrawn, its pictures or the session are erased, " +
				"or its time in the gallery is over.",
			Bind: edge.Call(h.add),
		},
		{
			Method: http.MethodDelete, Path: "/v1/blocklist/{entry}", ID: "removeFromBlocklist", Who: edge.Integrator, May: account.BlocklistWrite,
			Summary:     "Take an entry off the block list",
			Description: "Its digests are deleted at once; that it was there can be seen for 90 days.",
			Bind:        edge.Call(h.remove),
		},
	}
}

func (h *Seen) ofSession(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.SeenSessions], error) {
	v, err := h.sessions.Get(ctx, edge.KeyMode(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	found, err := h.sessions.SeenBefore(ctx, v.Session)
	out := wire.SeenSessionsOf(found)
	for i := range out.Items {
		out.Items[i].Decided.Note = ""
		wire.DropNotes(out.Items[i].Decided.Said)
	}
	return wire.Reply(out, err)
}

func (h *Seen) status(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Status], error) {
	out := wire.Status{Galleries: []wire.Gallery{}}
	if h.galleries == nil {
		return wire.Reply(out, nil)
	}
	kept, err := h.galleries.KeptFaces(ctx, edge.KeyMode(ctx))
	out.Galleries = wire.GalleriesOf(kept)
	return wire.Reply(out, err)
}

func (h *Seen) page(ctx context.Context, in *ByBlockPage) (*wire.Answer[wire.BlockPage], error) {
	entries, err := h.blocks.Page(ctx, edge.KeyMode(ctx), in.After, blocksShown+1)
	return wire.Reply(wire.BlockPageOf(entries, blocksShown, h.blocks.Now()), err)
}

func (h *Seen) add(ctx context.Context, in *wire.Body[wire.NewBlockEntry]) (*wire.Answer[wire.BlockEntry], error) {
	b, err := in.Body.Blocked(edge.KeyMode(ctx))
	if err != nil {
		return nil, err
	}
	e, err := h.blocks.Add(ctx, b)
	return wire.Reply(wire.BlockEntryOf(e, h.blocks.Now()), err)
}

func (h *Seen) remove(ctx context.Context, in *ByBlockEntry) (*wire.Answer[wire.BlockEntry], error) {
	e, err := h.blocks.Find(ctx, in.Entry)
	if err == nil && e.Mode != edge.KeyMode(ctx) {
		err = problem.New(problem.NotFound)
	}
	if err == nil {
		e, err = h.blocks.Remove(ctx, in.Entry)
	}
	return wire.Reply(wire.BlockEntryOf(e, h.blocks.Now()), err)
}

// ByBlockPage is the input of the block list. Exported because the framework ignores embedded structs that are not.
type ByBlockPage struct {
	After idv.BlockEntryID `query:"after" maxLength:"40" doc:"The last one of the page before"`
}

// ByBlockEntry is the input of calls on one entry. Exported because the framework ignores embedded structs that are not.
type ByBlockEntry struct {
	Entry idv.BlockEntryID `path:"entry" maxLength:"40" doc:"Id of an entry of the block list"`
}
