package console

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
	"github.com/bonafide-id/bonafide/internal/trust/why"
)

// trustListed is the number of updates in one answer.
const trustListed = 200

// Trust answers the calls on whom the deployment trusts for signed evidence.
type Trust struct {
	register *register.Register
	members  *team.Members
}

// Routes returns the calls, in the order of the reference.
func (h *Trust) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/trust", ID: "getTrust", Who: edge.Console, May: account.TrustRead,
			Summary: "Whom does a mode trust?",
			Description: "Countries with a signing authority, what expires, states without one, and the updates. Test mode also trusts what live " +
				"mode trusts.",
			Bind: edge.Call(h.get),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/trust/updates", ID: "proposeTrust", Who: edge.Console, May: account.TrustWrite, Fresh: true,
			Sends: edge.TrustFile, Status: http.StatusCreated, Form: trustForm(),
			Summary: "Upload a certificate, a master list or a revocation list",
			Description: "It is verified and waits; nothing is trusted until somebody accepts it. The answer shows what it would add, remove and " +
				"change. A master list needs the anchor of its signer first, and an older list than the one in force is refused.",
			Bind: edge.Call(h.propose),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/trust/removals", ID: "removeTrust", Who: edge.Console, May: account.TrustWrite, Fresh: true,
			Sends: edge.JSON, Status: http.StatusCreated,
			Summary:     "Stop trusting a certificate",
			Description: "At once, whatever lists say. Undo the update to trust it again.",
			Bind:        edge.Call(h.remove),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/trust/explanations", ID: "explainTrust", Who: edge.Console, May: account.TrustRead,
			Sends: edge.TrustFile, Form: explainForm(),
			Summary: "Why is this not trusted?",
			Description: "Of an EF.SOD, a certificate or chain, a master list or a wallet's credential: who signed it, which anchors were tried, and " +
				"which certificate is missing. The file is not kept.",
			Bind: edge.Call(h.explain),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/trust/updates/{update}", ID: "getTrustUpdate", Who: edge.Console, May: account.TrustRead,
			Summary:     "Read an update of trust",
			Description: "With its difference to what it replaces.",
			Bind:        edge.Call(h.find),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/trust/updates/{update}/accept", ID: "acceptTrust", Who: edge.Console, May: account.TrustWrite,
			Fresh: true, Sends: edge.JSON,
			Summary: "Accept an update of trust",
			Description: "`trust.same_person` where two persons are wanted and you proposed it; `trust.conflict` where trust changed since it was " +
				"uploaded. Audited.",
			Bind: edge.Call(h.accept),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/trust/updates/{update}/decline", ID: "declineTrust", Who: edge.Console, May: account.TrustWrite,
			Sends:       edge.JSON,
			Summary:     "Decline an update of trust",
			Description: "It never comes in force.",
			Bind:        edge.Call(h.decline),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/trust/updates/{update}/undo", ID: "undoTrust", Who: edge.Console, May: account.TrustWrite,
			Fresh: true, Sends: edge.JSON,
			Summary: "Undo an update of trust",
			Description: "What it had replaced is in force again. Where two persons are wanted, the first call asks for it and that of somebody else " +
				"does it.",
			Bind: edge.Call(h.undo),
		},
	}
}

var trustFields = map[string]edge.Field{
	"file": {File: true, Most: register.MaxFile, Required: true}, "mode": {Required: true, Most: 8},
	"purpose": {Most: 16}, "scope": {Most: register.MaxSource}, "source": {Most: 4 * register.MaxSource},
}

var explainFields = map[string]edge.Field{
	"file": {File: true, Most: register.MaxFile, Required: true}, "mode": {Required: true, Most: 8}, "purpose": {Most: 16}, "scope": {Most: register.MaxSource},
}

func explainForm() *huma.Schema {
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }
	return wire.FormSchema([]string{"file", "mode"}, map[string]*huma.Schema{
		"file":    wire.FileSchema("An EF.SOD, a certificate or chain (DER or PEM), a master list, or a wallet's credential"),
		"mode":    text("live or test"),
		"purpose": text("What a certificate is asked about: csca, iaca or issuer. Other files say so themselves"),
		"scope":   text("Of an iaca the docType, of an issuer the vct"),
	})
}

func trustForm() *huma.Schema {
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }
	return wire.FormSchema([]string{"file", "mode"}, map[string]*huma.Schema{
		"file":    wire.FileSchema("A certificate, a master list, a VICAL or a revocation list, DER, PEM or CBOR, at most 8 MiB"),
		"mode":    text("live or test"),
		"purpose": text("Of a certificate: csca (default; chips), iaca (mobile documents), issuer (SD-JWT VC) or vical (signers of lists of IACAs)"),
		"scope":   text("What the anchor is good for: of an iaca one docType, of an issuer one vct. A csca states its country. It serves nothing else"),
		"source":  text("Where the file is from, one line"),
	})
}

func (h *Trust) get(ctx context.Context, in *wire.ByMode) (*wire.Answer[wire.Trusted], error) {
	if err := edge.CheckMay(ctx, account.TrustRead, in.Mode); err != nil {
		return nil, err
	}
	covered, err := h.register.Coverage(ctx, in.Mode)
	if err != nil {
		return nil, err
	}
	updates, err := h.register.List(ctx, in.Mode, trustListed)
	if err != nil {
		return nil, err
	}
	names, err := h.names(ctx, updates...)
	if err != nil {
		return nil, err
	}
	out := wire.TrustedOf(in.Mode, h.register.TwoPersons(), covered, register.Gaps(covered.Countries))
	for _, u := range updates {
		out.Updates = append(out.Updates, wire.TrustUpdateOf(u, names))
	}
	return wire.Reply(out, nil)
}

func (h *Trust) propose(ctx context.Context, _ *wire.None) (*wire.Answer[wire.TrustUpdate], error) {
	f, err := edge.ReadForm(edge.HTTPRequest(ctx), trustFields)
	if err != nil {
		return nil, err
	}
	p := register.Proposal{
		Mode: idv.Mode(f.Text["mode"]), File: f.Files["file"], Purpose: trust.Purpose(f.Text["purpose"]), Scope: f.Text["scope"], Source: f.Text["source"],
	}
	if err := edge.CheckMay(ctx, account.TrustWrite, p.Mode); err != nil {
		return nil, err
	}
	u, err := h.register.Propose(ctx, p)
	return h.reply(ctx, u, err)
}

func (h *Trust) explain(ctx context.Context, _ *wire.None) (*wire.Answer[wire.TrustAnswer], error) {
	f, err := edge.ReadForm(edge.HTTPRequest(ctx), explainFields)
	if err != nil {
		return nil, err
	}
	mode := idv.Mode(f.Text["mode"])
	if err := edge.CheckMay(ctx, account.TrustRead, mode); err != nil {
		return nil, err
	}
	a, err := h.register.Explain(ctx, mode, why.Question{File: f.Files["file"], Purpose: trust.Purpose(f.Text["purpose"]), Scope: f.Text["scope"]})
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.TrustAnswerOf(a), nil)
}

func (h *Trust) remove(ctx context.Context, in *wire.Body[wire.TrustRemoval]) (*wire.Answer[wire.TrustUpdate], error) {
	if err := edge.CheckMay(ctx, account.TrustWrite, in.Body.Mode); err != nil {
		return nil, err
	}
	u, err := h.register.Propose(ctx, register.Proposal{Mode: in.Body.Mode, Remove: in.Body.SHA256, Source: in.Body.Source})
	return h.reply(ctx, u, err)
}

func (h *Trust) find(ctx context.Context, in *ByTrustUpdate) (*wire.Answer[wire.TrustUpdate], error) {
	u, err := h.of(ctx, account.TrustRead, in.Update)
	return h.reply(ctx, u, err)
}

func (h *Trust) accept(ctx context.Context, in *trustUpdatePosted) (*wire.Answer[wire.TrustUpdate], error) {
	return h.act(ctx, in.Update, h.register.Accept)
}

func (h *Trust) decline(ctx context.Context, in *trustUpdatePosted) (*wire.Answer[wire.TrustUpdate], error) {
	return h.act(ctx, in.Update, h.register.Decline)
}

func (h *Trust) undo(ctx context.Context, in *trustUpdatePosted) (*wire.Answer[wire.TrustUpdate], error) {
	return h.act(ctx, in.Update, h.register.Undo)
}

func (h *Trust) act(
	ctx context.Context, id idv.TrustUpdateID, do func(context.Context, idv.TrustUpdateID) (register.Update, error),
) (*wire.Answer[wire.TrustUpdate], error) {
	if _, err := h.of(ctx, account.TrustWrite, id); err != nil {
		return nil, err
	}
	u, err := do(ctx, id)
	return h.reply(ctx, u, err)
}

// of returns an update of either mode, if the person who is signed in has the permission p in that mode; not_found otherwise.
func (h *Trust) of(ctx context.Context, p account.Permission, id idv.TrustUpdateID) (register.Update, error) {
	u, err := h.register.Find(ctx, id)
	if err == nil && !edge.May(ctx, p, u.Mode) {
		return register.Update{}, problem.New(problem.NotFound)
	}
	return u, err
}

// reply answers an update with its difference.
func (h *Trust) reply(ctx context.Context, u register.Update, err error) (*wire.Answer[wire.TrustUpdate], error) {
	if err != nil {
		return nil, err
	}
	names, err := h.names(ctx, u)
	if err != nil {
		return nil, err
	}
	changes, err := h.register.Difference(ctx, u)
	out := wire.TrustUpdateOf(u, names)
	out.Difference = wire.TrustDifferenceOf(changes)
	return wire.Reply(out, err)
}

func (h *Trust) names(ctx context.Context, updates ...register.Update) (map[idv.UserID]string, error) {
	var ids []idv.UserID
	for _, u := range updates {
		for _, by := range []string{u.ProposedBy, u.SettledBy, u.UndoBy, u.UndoneBy} {
			if id, ok := idv.ParseID[idv.UserID](by); ok {
				ids = append(ids, id)
			}
		}
	}
	return h.members.Names(ctx, ids...)
}

// ByTrustUpdate is the input of calls on one update. Exported because the framework ignores embedded structs that are not.
type ByTrustUpdate struct {
	Update idv.TrustUpdateID `path:"update" maxLength:"40" doc:"Id of an update of trust"`
}

type trustUpdatePosted struct {
	ByTrustUpdate
	Body *wire.Empty `required:"false"`
}
