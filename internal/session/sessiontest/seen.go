package sessiontest

import (
	"context"
	"encoding/json"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// seenReader reads what sessions have in common, and the block list.
type seenReader struct{ view }

// allowedForm stands for every network from which sessions are not counted.
const allowedForm = "allowed"

func (r seenReader) Elsewhere(_ context.Context, id idv.SessionID, limit int) ([]session.Linked, int, error) {
	t := r.at()
	rec, err := t.record(id)
	if err != nil {
		return nil, 0, err
	}
	var out []session.Linked
	for _, other := range t.sessions {
		if other.ID == id || other.Mode != rec.Mode || !other.ErasedAt.IsZero() || other.Persona != "" {
			continue
		}
		l := session.Linked{
			Session: other.ID, Document: t.share(id, other.ID, idv.MarkDocument), Person: t.share(id, other.ID, idv.MarkPerson),
			Reference: t.share(id, other.ID, idv.MarkReference), Picture: t.sharePicture(id, other.ID),
		}
		if l.Document || l.Person || l.Picture {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b session.Linked) int { return strings.Compare(string(b.Session), string(a.Session)) })
	return upTo(out, limit), len(out), nil
}

func (t *tables) share(a, b idv.SessionID, kind idv.MarkKind) bool {
	of := func(id idv.SessionID) []markRow {
		return where(t.marks, func(m markRow) bool { return m.session == id && m.mark.Kind == kind })
	}
	theirs := of(b)
	return slices.ContainsFunc(of(a), func(m markRow) bool {
		return slices.ContainsFunc(theirs, func(o markRow) bool { return o.mark == m.mark })
	})
}

func (t *tables) sharePicture(a, b idv.SessionID) bool {
	theirs := where(t.captures, func(c session.CaptureRow) bool { return c.Session == b && c.SHA256 != "" })
	return slices.ContainsFunc(t.captures, func(c session.CaptureRow) bool {
		return c.Session == a && !c.Superseded && (c.Kind == idv.DocumentImage || c.Kind == idv.FaceImage) &&
			slices.ContainsFunc(theirs, func(o session.CaptureRow) bool { return o.SHA256 == c.SHA256 })
	})
}

func (r seenReader) Velocity(_ context.Context, id idv.SessionID, now time.Time) (idv.VelocityCounts, error) {
	t := r.at()
	own := where(t.marks, func(m markRow) bool { return m.session == id })
	count := func(kind idv.MarkKind, window time.Duration) int {
		found := map[idv.SessionID]bool{}
		for _, m := range t.marks {
			same := slices.ContainsFunc(own, func(o markRow) bool { return o.mark == m.mark && o.mode == m.mode })
			if m.mark.Kind == kind && m.mark.Form != allowedForm && same && m.at.After(now.Add(-window)) && !m.at.After(now) {
				found[m.session] = true
			}
		}
		return len(found)
	}
	out := idv.VelocityCounts{
		AddressHour: count(idv.MarkNetwork, idv.VelocityHour), AddressDay: count(idv.MarkNetwork, idv.VelocityDay),
		Document: count(idv.MarkDocument, idv.VelocityDay), Person: count(idv.MarkPerson, idv.VelocityDay),
		Reference: count(idv.MarkReference, idv.VelocityDay),
	}
	for _, m := range own {
		if m.mark.Kind == idv.MarkNetwork {
			out.Known, out.Allowed = true, m.mark.Form == allowedForm
		}
	}
	return out, nil
}

// markOf is the kind of mark that an entry of the block list is compared with.
var markOf = map[idv.BlockKind]idv.MarkKind{
	idv.BlockDocument: idv.MarkDocument, idv.BlockPerson: idv.MarkPerson, idv.BlockContact: idv.MarkContact, idv.BlockAddress: idv.MarkBlocked,
}

func (r seenReader) BlockedBy(_ context.Context, id idv.SessionID, now time.Time) ([]idv.BlockedBy, error) {
	t := r.at()
	var out []idv.BlockedBy
	for _, b := range t.blocks {
		if s := b.entry.State(now); s != session.BlockActive && s != session.BlockAwaits {
			continue
		}
		if slices.ContainsFunc(t.marks, func(m markRow) bool {
			return m.session == id && m.mode == b.entry.Mode && m.mark.Kind == markOf[b.entry.Kind] && slices.Contains(b.forms, m.mark.Form)
		}) {
			out = append(out, idv.BlockedBy{Entry: b.entry.ID, Kind: b.entry.Kind, Declines: b.entry.Declines && b.entry.ConfirmedBy != ""})
		}
	}
	return out, nil
}

func (r seenReader) Links(_ context.Context, mode idv.Mode, limit int) ([]session.Link, error) {
	return upTo(where(r.at().links, func(l session.Link) bool { return l.Mode == mode }), limit), nil
}

func (r seenReader) LinksOf(_ context.Context, id idv.SessionID) ([]session.Link, error) {
	return where(r.at().links, func(l session.Link) bool { return l.Session == id || l.Other.Session == id }), nil
}

func (r seenReader) AllowedNetworks(context.Context) ([]netip.Prefix, error) {
	return slices.Clone(r.at().networks), nil
}

func (r seenReader) Block(_ context.Context, id idv.BlockEntryID) (session.BlockEntry, error) {
	b, err := one(r.at().blocks, func(b blockRow) bool { return b.entry.ID == id })
	return b.entry, err
}

func (r seenReader) Blocks(_ context.Context, mode idv.Mode, before idv.BlockEntryID, limit int) ([]session.BlockEntry, error) {
	var out []session.BlockEntry
	for _, b := range slices.Backward(r.at().blocks) {
		if b.entry.Mode == mode && (before == "" || b.entry.ID < before) {
			out = append(out, b.entry)
		}
	}
	return upTo(out, limit), nil
}

// seenWriter writes what sessions are found again by, and the block list.
type seenWriter struct{ *base }

func (w seenWriter) KeepMarks(_ context.Context, rec session.Record, kinds []idv.MarkKind, marks []idv.SeenMark) error {
	w.next.marks = slices.DeleteFunc(slices.Clone(w.next.marks), func(m markRow) bool {
		return m.session == rec.ID && slices.Contains(kinds, m.mark.Kind) && !slices.Contains(marks, m.mark)
	})
	for _, m := range marks {
		w.mark(rec, m)
	}
	return nil
}

func (w seenWriter) mark(rec session.Record, m idv.SeenMark) {
	if !slices.ContainsFunc(w.next.marks, func(o markRow) bool { return o.session == rec.ID && o.mark == m }) {
		w.next.marks = append(w.next.marks, markRow{session: rec.ID, mode: rec.Mode, mark: m, at: w.store.now()})
	}
}

func (w seenWriter) KeepNetwork(_ context.Context, rec session.Record, address netip.Addr) error {
	for _, b := range w.next.blocks {
		if p, err := netip.ParsePrefix(b.entry.Hint); err == nil && b.entry.Kind == idv.BlockAddress && p.Contains(address) {
			w.mark(rec, idv.SeenMark{Kind: idv.MarkBlocked, Form: b.entry.Hint})
		}
	}
	network, ok := session.Network(address)
	form := network.String()
	if slices.ContainsFunc(w.next.networks, func(p netip.Prefix) bool { return p.Contains(address) }) {
		form = allowedForm
	}
	if ok {
		w.mark(rec, idv.SeenMark{Kind: idv.MarkNetwork, Form: form})
	}
	return nil
}

func (w seenWriter) KeepOrigin(_ context.Context, rec session.Record, o idv.NetworkOrigin) error {
	text, err := json.Marshal(o)
	w.mark(rec, idv.SeenMark{Kind: idv.MarkOrigin, Form: string(text)})
	return err
}

func (r seenReader) Origin(_ context.Context, id idv.SessionID) (idv.NetworkOrigin, bool, error) {
	var out idv.NetworkOrigin
	for _, m := range slices.Backward(r.at().marks) {
		if m.session == id && m.mark.Kind == idv.MarkOrigin {
			return out, true, json.Unmarshal([]byte(m.mark.Form), &out)
		}
	}
	return out, false, nil
}

func (w seenWriter) PutLinks(_ context.Context, rec session.Record, others []idv.SeenOther) error {
	links := slices.DeleteFunc(slices.Clone(w.next.links), func(l session.Link) bool { return l.Session == rec.ID })
	for _, o := range others {
		links = append(links, session.Link{Session: rec.ID, Mode: rec.Mode, Other: o, FoundAt: w.store.now()})
	}
	w.next.links = links
	return nil
}

func (w seenWriter) SetAllowedNetworks(_ context.Context, ranges []netip.Prefix) error {
	w.next.networks = slices.Clone(ranges)
	return nil
}

func (w seenWriter) AddBlock(_ context.Context, e session.BlockEntry, forms []string) error {
	for _, b := range w.next.blocks {
		s := b.entry.State(w.store.now())
		same := slices.ContainsFunc(forms, func(f string) bool { return slices.Contains(b.forms, f) }) || e.Kind == idv.BlockFace && b.entry.Session == e.Session
		if same && b.entry.Mode == e.Mode && b.entry.Kind == e.Kind && (s == session.BlockActive || s == session.BlockAwaits) {
			return problem.New(problem.BlocklistExists)
		}
	}
	w.next.blocks = append(w.next.blocks, blockRow{e, forms})
	return nil
}

func (w seenWriter) SaveBlock(_ context.Context, e session.BlockEntry) error {
	n := update(w.next.blocks, func(b blockRow) bool {
		return b.entry.ID == e.ID && b.entry.RemovedAt.IsZero() && (b.entry.ConfirmedBy == "" || b.entry.ConfirmedBy == e.ConfirmedBy)
	}, func(b *blockRow) { b.entry = e })
	if n == 0 {
		return problem.New(problem.BlocklistConflict)
	}
	return nil
}
