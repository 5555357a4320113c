package review

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// BlockList is what nobody is approved with unseen. It is safe for concurrent use.
type BlockList struct {
	life  *session.Lifecycle
	store BlockStore
}

// BlockStore keeps the block list.
type BlockStore interface {
	session.BlockReader
	AllowedNetworks(ctx context.Context) ([]netip.Prefix, error)
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}

// NewBlockList returns the BlockList of a store.
func NewBlockList(life *session.Lifecycle, store BlockStore) *BlockList {
	return &BlockList{life: life, store: store}
}

// Blocked is what somebody puts on the block list: something of a session, or what they state.
type Blocked struct {
	Mode     idv.Mode
	Kind     idv.BlockKind
	Session  idv.SessionID // whose document, person, contact or face it is; empty where it is stated
	Declines bool          // once somebody else confirms it; documents only
	Reason   string
	Until    time.Time // of a face, that or when it goes

	Number   string           // stated: of a document,
	Issuer   string           // with its issuer
	Document idv.DocumentKind // and kind
	Name     string           // stated: of a person,
	Birth    string           // with their date of birth
	Email    string           // stated
	Range    string           // stated: of addresses
}

// Page lists entries of a mode, the newest first, from before one on.
func (s *BlockList) Page(ctx context.Context, mode idv.Mode, before idv.BlockEntryID, limit int) ([]session.BlockEntry, error) {
	return s.store.Blocks(ctx, mode, before, limit)
}

// Find returns an entry. Problems: not_found.
func (s *BlockList) Find(ctx context.Context, id idv.BlockEntryID) (session.BlockEntry, error) {
	return s.store.Block(ctx, id)
}

// Now returns the time by which entries are in force.
func (s *BlockList) Now() time.Time { return s.life.Now() }

// Add puts something on the list. It refers from then on; an entry that declines does so once somebody else has confirmed it. Problems:
// request.malformed, not_found, session.erased, blocklist.nothing, blocklist.face_without_consent, blocklist.face_not_kept,
// blocklist.exists.
func (s *BlockList) Add(ctx context.Context, b Blocked) (session.BlockEntry, error) {
	now := s.life.Now()
	if err := b.check(now); err != nil {
		return session.BlockEntry{}, err
	}
	e := session.BlockEntry{
		Mode: b.Mode, Kind: b.Kind, Declines: b.Declines, Reason: b.Reason, Session: b.Session, Until: b.Until, AddedBy: session.ActorOf(ctx), AddedAt: now,
	}
	var err error
	if e.ID, err = idv.NewID[idv.BlockEntryID](now, s.life.Random()); err != nil {
		return e, err
	}
	err = s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		forms, err := b.about(ctx, tx, &e)
		if err != nil {
			return err
		}
		if err := tx.AddBlock(ctx, e, forms); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "blocklist.added", Session: b.Session, Subject: string(e.ID)})
	})
	return e, err
}

func (b *Blocked) check(now time.Time) error {
	switch {
	case !slices.Contains(idv.BlockKinds(), b.Kind):
		return session.Malformed("/kind", "document, person, contact, address or face")
	case !slices.Contains(session.BlockReasons(), b.Reason):
		return session.Malformed("/reason", "one of %s", strings.Join(session.BlockReasons(), ", "))
	case b.Declines && b.Kind != idv.BlockDocument:
		return session.Malformed("/declines", "only a document can decline: names, addresses and networks are shared")
	case b.Until.Sub(now) < session.LeastBlocked || b.Until.Sub(now) > session.MostBlocked:
		return session.Malformed("/valid_until", "from a day to five years ahead")
	case b.Session != "" && b.Kind == idv.BlockAddress:
		return session.Malformed("/session", "a range of addresses is stated: of a session no address is kept")
	case b.Session == "" && b.Kind == idv.BlockFace:
		return session.Malformed("/session", "the session whose face it is")
	}
	return nil
}

// about fills in what an entry is about: normal forms, of which digests are kept, or the face of its session.
func (b *Blocked) about(ctx context.Context, tx session.Tx, e *session.BlockEntry) (forms []string, err error) {
	if b.Kind == idv.BlockFace {
		return nil, b.face(ctx, tx, e)
	}
	forms, e.Hint, err = b.forms(ctx, tx)
	if err == nil && len(forms) == 0 {
		err = problem.New(problem.BlocklistNothing)
	}
	return forms, err
}

// face makes an entry about the face that a gallery keeps of the session. Nothing is copied, so the entry ends with the face: its
// applicant was told how long that is kept. The session is locked, so that the face does not go meanwhile.
func (b *Blocked) face(ctx context.Context, tx session.Tx, e *session.BlockEntry) error {
	rec, err := tx.Lock(ctx, b.Session)
	if err == nil && rec.Mode != b.Mode {
		err = problem.New(problem.NotFound)
	}
	if err == nil {
		err = rec.CheckNotErased(session.ScopePictures)
	}
	if err != nil {
		return err
	}
	answers, err := tx.Consents(ctx, b.Session)
	if err != nil {
		return err
	}
	if may, _ := session.MayCompareFace(answers); !may || rec.FaceDeclined {
		return problem.New(problem.BlocklistFaceNoConsent)
	}
	kept, ok, err := tx.KeptFace(ctx, b.Session)
	if err != nil {
		return err
	}
	if !ok || !e.AddedAt.Before(kept.Until) {
		return problem.New(problem.BlocklistFaceNotKept)
	}
	e.Hint = kept.Gallery
	if kept.Until.Before(e.Until) {
		e.Until = kept.Until
	}
	return nil
}

// forms are the normal forms that an entry is about, and what may be shown of it.
func (b *Blocked) forms(ctx context.Context, tx session.Tx) (forms []string, hint string, err error) {
	if b.Session != "" {
		return b.ofSession(ctx, tx)
	}
	switch b.Kind {
	case idv.BlockDocument:
		code := icao.ClaimedState(strings.ToUpper(strings.TrimSpace(b.Issuer)))
		if form, ok := session.DocumentForm(code, b.Document, b.Number); ok {
			return []string{form}, code, nil
		}
	case idv.BlockPerson:
		return session.PersonForms(b.Name, b.Birth), "", nil
	case idv.BlockContact:
		if form := session.ContactForm(b.Email); strings.Contains(form, "@") {
			return []string{form}, "", nil
		}
	case idv.BlockAddress:
		p, err := ParseRange(b.Range)
		if err != nil {
			return nil, "", session.Malformed("/range", "%s", err)
		}
		return []string{p.String()}, p.String(), nil
	}
	return nil, "", nil
}

// ofSession takes what an entry is about from a session, as its newest report or its integrator states it.
func (b *Blocked) ofSession(ctx context.Context, tx session.Tx) (forms []string, hint string, err error) {
	rec, err := tx.Session(ctx, b.Session)
	if err == nil && rec.Mode != b.Mode {
		err = problem.New(problem.NotFound)
	}
	if err == nil {
		err = rec.CheckNotErased(session.ScopeAll)
	}
	if err != nil {
		return nil, "", err
	}
	if b.Kind == idv.BlockContact {
		if form := session.ContactForm(rec.Email); form != "" {
			forms = append(forms, form)
		}
		return forms, "", nil
	}
	reports, err := tx.Reports(ctx, b.Session)
	if err != nil || len(reports) == 0 {
		return nil, "", err
	}
	newest := reports[len(reports)-1]
	kind := map[idv.BlockKind]idv.MarkKind{idv.BlockDocument: idv.MarkDocument, idv.BlockPerson: idv.MarkPerson}[b.Kind]
	for _, m := range session.MarksOf(newest) {
		if m.Kind == kind {
			forms = append(forms, m.Form)
		}
	}
	if b.Kind == idv.BlockDocument {
		hint = newest.Document.Issuer
	}
	return forms, hint, nil
}

// Confirm makes an entry decline. It takes another member than the one who added it. Problems: not_found, blocklist.same_person,
// blocklist.conflict.
func (s *BlockList) Confirm(ctx context.Context, id idv.BlockEntryID) (session.BlockEntry, error) {
	return s.change(ctx, id, "blocklist.confirmed", func(e *session.BlockEntry) error {
		if e.State(s.life.Now()) != session.BlockAwaits {
			return problem.New(problem.BlocklistConflict)
		}
		if e.AddedBy == session.ActorOf(ctx) {
			return problem.New(problem.BlocklistSamePerson)
		}
		e.ConfirmedBy, e.ConfirmedAt = session.ActorOf(ctx), s.life.Now()
		return nil
	})
}

// Remove takes an entry off the list; its digests are deleted. Problems: not_found, blocklist.conflict.
func (s *BlockList) Remove(ctx context.Context, id idv.BlockEntryID) (session.BlockEntry, error) {
	return s.change(ctx, id, "blocklist.removed", func(e *session.BlockEntry) error {
		if !e.RemovedAt.IsZero() {
			return problem.New(problem.BlocklistConflict)
		}
		e.RemovedBy, e.RemovedAt = session.ActorOf(ctx), s.life.Now()
		return nil
	})
}

func (s *BlockList) change(ctx context.Context, id idv.BlockEntryID, action string, f func(*session.BlockEntry) error) (session.BlockEntry, error) {
	var e session.BlockEntry
	err := s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		var err error
		if e, err = tx.Block(ctx, id); err != nil {
			return err
		}
		if err := f(&e); err != nil {
			return err
		}
		if err := tx.SaveBlock(ctx, e); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: action, Session: e.Session, Subject: string(e.ID)})
	})
	return e, err
}

// MaxRanges bounds how many address ranges are allowed.
const MaxRanges = 100

// The largest ranges that can be named: anything larger is whole countries.
const (
	leastBits4 = 16
	leastBits6 = 32
)

// rangeError says what is wrong with a range of addresses.
type rangeError string

// Error implements error.
func (e rangeError) Error() string { return string(e) }

// ParseRange reads a range of addresses such as 203.0.113.0/24, or one address.
func ParseRange(s string) (netip.Prefix, error) {
	s = strings.TrimSpace(s)
	if a, err := netip.ParseAddr(s); err == nil && a.Zone() == "" {
		return netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()), nil
	}
	p, err := netip.ParsePrefix(s)
	switch {
	case err != nil:
		return netip.Prefix{}, rangeError("a range of addresses like 203.0.113.0/24 or 2001:db8::/48")
	case p.Addr().Is4In6(), p.Addr().Is4() && p.Bits() < leastBits4, p.Addr().Is6() && p.Bits() < leastBits6:
		return netip.Prefix{}, rangeError("a smaller range: at least /16 for IPv4, /32 for IPv6")
	}
	return p.Masked(), nil
}

// AllowedNetworks lists the address ranges from which sessions are not counted.
func (s *BlockList) AllowedNetworks(ctx context.Context) ([]netip.Prefix, error) {
	return s.store.AllowedNetworks(ctx)
}

// AllowNetworks sets them: places of one's own, where many people use one address. Problems: request.malformed.
func (s *BlockList) AllowNetworks(ctx context.Context, ranges []string) ([]netip.Prefix, error) {
	if len(ranges) > MaxRanges {
		return nil, session.Malformed("/ranges", "at most %d", MaxRanges)
	}
	out := []netip.Prefix{}
	for _, r := range ranges {
		p, err := ParseRange(r)
		if err != nil {
			return nil, session.Malformed("/ranges", "%s", err)
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		if err := tx.SetAllowedNetworks(ctx, out); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "velocity.networks_changed"})
	})
}
