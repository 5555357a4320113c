package wire

import (
	"net/netip"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// SeenSession is another session that has something in common with one.
type SeenSession struct {
	ID                idv.SessionID        `json:"id"`
	State             idv.SessionState     `json:"state"`
	Outcome           *idv.DecisionOutcome `json:"outcome"`
	ExternalReference string               `json:"external_reference"`
	DocumentKind      *idv.DocumentKind    `json:"document_kind"`
	CreatedAt         time.Time            `json:"created_at"`
	Same              []idv.SeenBy         `json:"same" nullable:"false" doc:"Issuer, kind and number; name and date of birth; a picture"`
	Face              idv.FacesCompared    `json:"face,omitempty" doc:"How the faces compare, where the document is the same"`
	Facts             idv.FactsCompared    `json:"facts" doc:"How name and date of birth compare"`
	SameReference     bool                 `json:"same_reference" doc:"Your reference says that it is the same customer"`
	Refers            bool                 `json:"refers" doc:"It is why one of the two went to review"`
	FoundAt           time.Time            `json:"found_at"`
	Erased            bool                 `json:"erased" doc:"Erased since: nothing but that it was there is left"`
	Signs             []idv.SeenSign       `json:"signs" nullable:"false" doc:"What a decision is about: found from either end; none once it is erased"`
	Decided           LinkDecided          `json:"decided"`
}

// LinkDecided is what reviewers said of two sessions that have something in common: whether they are of one person.
type LinkDecided struct {
	State     session.LinkState `json:"state"`
	Returned  bool              `json:"returned" doc:"It was decided that they are not the same person, and a sign was found since: state is open"`
	Reason    string            `json:"reason" doc:"Of not_the_same"`
	Note      string            `json:"note"`
	DecidedBy string            `json:"decided_by" doc:"A member's id; empty before"`
	DecidedAt *time.Time        `json:"decided_at"`
	SecondBy  string            `json:"second_by"`
	SecondAt  *time.Time        `json:"second_at"`
	Said      []Opinion         `json:"said" nullable:"false" doc:"By each reviewer, oldest first, the newest 20"`
	Version   int64             `json:"version" doc:"0 where nobody said anything"`
}

// SeenSessions are the sessions that have something in common with one.
type SeenSessions struct {
	Items []SeenSession `json:"items" nullable:"false" doc:"The newest comparison first"`
}

// SessionSeen is what was seen before of a session, and how a reviewer can decide.
type SessionSeen struct {
	Items   []SeenSession `json:"items" nullable:"false" doc:"The newest comparison first"`
	Reasons []string      `json:"reasons" nullable:"false" doc:"What can be given as the reason why two are not the same person"`
}

// LinkDecision is what a reviewer says of two sessions.
type LinkDecision struct {
	Version  int64          `json:"version" doc:"Of the decision that was looked at; 0 where there was none"`
	Signs    []idv.SeenSign `json:"signs" maxItems:"10" nullable:"false" doc:"That were looked at"`
	Decision string         `json:"decision" enum:"not_the_same,same_person,unsure,open" doc:"open undoes what was said"`
	Reason   string         `json:"reason,omitempty" maxLength:"40" doc:"Of not_the_same: one of those that the session's answer names"`
	Note     string         `json:"note,omitempty" maxLength:"2000" doc:"For the team; neither person ever sees it"`
}

// LinkDecidedOf returns the wire form of a decision about what is seen now.
func LinkDecidedOf(d session.LinkDecision, signs []idv.SeenSign) LinkDecided {
	now := d.Now(signs)
	return LinkDecided{
		State: now, Returned: now == session.LinkOpen && d.State == session.LinkNotSame, Reason: d.Reason, Note: d.Note, DecidedBy: d.DecidedBy,
		DecidedAt: OptionalTime(d.DecidedAt), SecondBy: d.SecondBy, SecondAt: OptionalTime(d.SecondAt), Said: OpinionsOf(d.Said), Version: d.Version,
	}
}

// SeenSessionsOf returns the wire form of sessions that were seen before.
func SeenSessionsOf(in []session.SeenBefore) SeenSessions {
	out := SeenSessions{Items: []SeenSession{}}
	for _, b := range in {
		x := b.View.Session
		out.Items = append(out.Items, SeenSession{
			ID: x.ID, State: x.State, Outcome: OptionalText(x.Outcome), ExternalReference: x.ExternalReference, DocumentKind: OptionalText(x.DocumentKind),
			CreatedAt: x.CreatedAt.UTC(), Same: NonNil(b.Other.Same), Face: b.Other.Face, Facts: b.Other.Facts, SameReference: b.Other.SameReference,
			Refers: b.Other.Refers, FoundAt: b.FoundAt.UTC(), Erased: b.Erased, Signs: NonNil(b.Signs), Decided: LinkDecidedOf(b.Decided, b.Signs),
		})
	}
	return out
}

// DuplicateLink says what two sessions of a cluster have in common.
type DuplicateLink struct {
	From    idv.SessionID     `json:"from"`
	To      idv.SessionID     `json:"to"`
	Same    []idv.SeenBy      `json:"same" nullable:"false"`
	Face    idv.FacesCompared `json:"face,omitempty"`
	Signs   []idv.SeenSign    `json:"signs" nullable:"false" doc:"What a decision is about: found from either end"`
	Decided LinkDecided       `json:"decided" doc:"Without notes and what each reviewer said, which the session's own answer has"`
}

// DuplicateSession is a session of a cluster.
type DuplicateSession struct {
	ID           idv.SessionID        `json:"id"`
	State        idv.SessionState     `json:"state"`
	Outcome      *idv.DecisionOutcome `json:"outcome"`
	DocumentKind *idv.DocumentKind    `json:"document_kind"`
	CreatedAt    time.Time            `json:"created_at"`
}

// DuplicateCluster is a group of sessions that are linked with each other.
type DuplicateCluster struct {
	FoundAt  time.Time          `json:"found_at" doc:"The newest link"`
	Sessions []DuplicateSession `json:"sessions" nullable:"false" doc:"The newest first, at most 50"`
	Links    []DuplicateLink    `json:"links" nullable:"false"`
}

// DuplicateClusters are groups of sessions, the newest first.
type DuplicateClusters struct {
	Items     []DuplicateCluster `json:"items" nullable:"false"`
	Reasons   []string           `json:"reasons" nullable:"false" doc:"What can be given as the reason why two are not the same person"`
	Galleries []Gallery          `json:"galleries,omitempty" nullable:"false" doc:"That hold faces; left out where there are none"`
}

// Gallery is how many faces a gallery holds, how it is with them in the server that answers, and among how many one counts by itself.
type Gallery struct {
	Name    string           `json:"name"`
	Faces   int              `json:"faces"`
	State   string           `json:"state" enum:"ready,loading,not_ready" doc:"loading: its faces are being read, or will be by the next search"`
	Why     string           `json:"why,omitempty" enum:"rates,model,unread,too_large" doc:"Why it is not ready; too_large: no face counts by itself"`
	Memory  int64            `json:"memory_bytes" doc:"That its faces take in the server that answers"`
	Carries []GalleryCarries `json:"carries" nullable:"false" doc:"Strictest first; none where the model has no rates that reach far enough"`
}

// GalleryCarries is among how many faces one counts by itself, so that a search finds a stranger no more often.
type GalleryCarries struct {
	FPIR  string `json:"fpir" enum:"1e-3,1e-2,5e-2,1e-1" doc:"Part of the searches of strangers that may find somebody"`
	Faces int    `json:"faces"`

	Alone  float64 `json:"alone" doc:"Similarity from which a face counts by itself among those that are there now; 0 where none does"`
	Beside float64 `json:"beside" doc:"Similarity from which one counts if document, name or date of birth agree; 0 where none does"`
}

// Status is how it is with what a deployment searches.
type Status struct {
	Galleries []Gallery `json:"galleries" nullable:"false" doc:"Of the mode of the key, that hold faces"`
}

// GalleriesOf returns the wire form of galleries.
func GalleriesOf(in []session.KeptGallery) []Gallery {
	out := make([]Gallery, 0, len(in))
	for _, g := range in {
		one := Gallery{
			Name: g.Name, Faces: g.Faces, State: string(g.State), Why: string(g.Why), Memory: g.Memory, Carries: []GalleryCarries{},
		}
		for _, c := range g.Carries {
			one.Carries = append(one.Carries, GalleryCarries{FPIR: c.Target, Faces: c.Faces, Alone: c.Alone, Beside: c.Beside})
		}
		out = append(out, one)
	}
	return out
}

// DuplicateClustersOf returns the wire form of clusters.
func DuplicateClustersOf(in []session.Cluster) DuplicateClusters {
	out := DuplicateClusters{Items: []DuplicateCluster{}, Reasons: review.LinkReasons()}
	for _, c := range in {
		one := DuplicateCluster{FoundAt: c.FoundAt.UTC(), Sessions: []DuplicateSession{}, Links: []DuplicateLink{}}
		for _, v := range c.Sessions {
			x := v.Session
			one.Sessions = append(one.Sessions, DuplicateSession{
				ID: x.ID, State: x.State, Outcome: OptionalText(x.Outcome), DocumentKind: OptionalText(x.DocumentKind), CreatedAt: x.CreatedAt.UTC(),
			})
		}
		for _, l := range c.Links {
			one.Links = append(one.Links, DuplicateLink{
				From: l.Session, To: l.Other.Session, Same: NonNil(l.Other.Same), Face: l.Other.Face, Signs: NonNil(l.Signs),
				Decided: LinkDecidedOf(l.Decided, l.Signs),
			})
		}
		out.Items = append(out.Items, one)
	}
	return out
}

// BlockEntry is an entry of the block list. What it is about is kept as keyed digests only, and cannot be shown; a face is the one that its
// session shows to who may see pictures.
type BlockEntry struct {
	ID          idv.BlockEntryID   `json:"id" example:"blk_06c1q2m3n4p5r6s7t8v9w0x1y2"`
	Mode        idv.Mode           `json:"mode" enum:"live,test"`
	Kind        idv.BlockKind      `json:"kind"`
	State       session.BlockState `json:"state"`
	Declines    bool               `json:"declines" doc:"It declines once somebody else has confirmed it; documents only. Everything else refers"`
	Reason      string             `json:"reason" doc:"One of reasons"`
	Hint        string             `json:"hint" doc:"Issuer of a document, range of addresses, gallery of a face; empty otherwise"`
	Session     *idv.SessionID     `json:"session" doc:"From which it was made; null for none, and once that is erased"`
	ValidUntil  time.Time          `json:"valid_until" doc:"Of a face no later than its gallery keeps it"`
	AddedBy     string             `json:"added_by" doc:"user: or api_key:, and an id"`
	AddedAt     time.Time          `json:"added_at"`
	ConfirmedBy string             `json:"confirmed_by"`
	ConfirmedAt *time.Time         `json:"confirmed_at"`
	RemovedBy   string             `json:"removed_by"`
	RemovedAt   *time.Time         `json:"removed_at"`
}

// BlockPage is a page of the block list.
type BlockPage struct {
	Items     []BlockEntry `json:"items" nullable:"false" doc:"Newest first"`
	Next      string       `json:"next" doc:"Send as after to get the next page; empty at the end"`
	Reasons   []string     `json:"reasons" nullable:"false" doc:"What can be given as the reason of an entry"`
	Unwatched []string     `json:"unwatched" nullable:"false" doc:"Published workflows of this mode that do not look at the block list"`
	Faceless  []string     `json:"faceless" nullable:"false" doc:"Those that look at it, but compare no faces"`
}

// NewBlockEntry is what somebody puts on the block list: something of a session, or what is stated. Of what is stated only keyed digests
// are kept.
type NewBlockEntry struct {
	Mode         idv.Mode         `json:"mode,omitempty" doc:"Console only: an API key has a mode of its own"`
	Kind         idv.BlockKind    `json:"kind"`
	Session      idv.SessionID    `json:"session,omitempty" maxLength:"40" doc:"Whose document, person, e-mail address or face it is"`
	Declines     bool             `json:"declines,omitempty" doc:"Once somebody else confirms it; documents only"`
	Reason       string           `json:"reason" maxLength:"40" enum:"forged,stolen,impersonation,chargeback,abuse,other"`
	ValidUntil   string           `json:"valid_until" maxLength:"40" doc:"A day or time from a day to five years ahead"`
	Number       string           `json:"document_number,omitempty" maxLength:"40" doc:"Instead of a session: of a document"`
	Issuer       string           `json:"issuer,omitempty" maxLength:"3" doc:"Code of ICAO 9303-3"`
	DocumentKind idv.DocumentKind `json:"document_kind,omitempty"`
	Name         string           `json:"name,omitempty" maxLength:"300" doc:"Instead of a session: of a person"`
	BirthDate    string           `json:"birth_date,omitempty" maxLength:"10" doc:"YYYY-MM-DD"`
	Email        string           `json:"email,omitempty" maxLength:"254" doc:"Instead of a session"`
	Range        string           `json:"range,omitempty" maxLength:"50" example:"203.0.113.0/24" doc:"Of addresses: at least /16, or /32 of IPv6"`
}

// Blocked returns what is put on the list in a mode. Problems: request.malformed.
func (n NewBlockEntry) Blocked(mode idv.Mode) (review.Blocked, error) {
	until, err := ParseTime("/valid_until", n.ValidUntil)
	return review.Blocked{
		Mode: mode, Kind: n.Kind, Session: n.Session, Declines: n.Declines, Reason: n.Reason, Until: until, Number: n.Number, Issuer: n.Issuer,
		Document: n.DocumentKind, Name: n.Name, Birth: n.BirthDate, Email: n.Email, Range: n.Range,
	}, err
}

// BlockEntryOf returns the wire form of an entry.
func BlockEntryOf(e session.BlockEntry, now time.Time) BlockEntry {
	return BlockEntry{
		ID: e.ID, Mode: e.Mode, Kind: e.Kind, State: e.State(now), Declines: e.Declines, Reason: e.Reason, Hint: e.Hint, Session: OptionalText(e.Session),
		ValidUntil: e.Until.UTC(), AddedBy: e.AddedBy, AddedAt: e.AddedAt.UTC(), ConfirmedBy: e.ConfirmedBy, ConfirmedAt: OptionalTime(e.ConfirmedAt),
		RemovedBy: e.RemovedBy, RemovedAt: OptionalTime(e.RemovedAt),
	}
}

// BlockPageOf returns the wire form of a page of at most size entries, of which one more was read.
func BlockPageOf(in []session.BlockEntry, size int, now time.Time) BlockPage {
	out := BlockPage{Items: []BlockEntry{}, Reasons: session.BlockReasons(), Unwatched: []string{}, Faceless: []string{}}
	if len(in) > size {
		in = in[:size]
		out.Next = string(in[size-1].ID)
	}
	for _, e := range in {
		out.Items = append(out.Items, BlockEntryOf(e, now))
	}
	return out
}

// AllowedNetworks are the address ranges from which sessions are not counted.
type AllowedNetworks struct {
	Ranges []string `json:"ranges" maxItems:"200" nullable:"false" example:"[\"203.0.113.0/24\"]" doc:"At most 100, each at least /16, or /32 of IPv6"`
}

// AllowedNetworksOf returns the wire form of address ranges.
func AllowedNetworksOf(in []netip.Prefix, err error) (AllowedNetworks, error) {
	out := AllowedNetworks{Ranges: []string{}}
	for _, p := range in {
		out.Ranges = append(out.Ranges, p.String())
	}
	return out, err
}
