package galleries

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/gallery"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// sealedRow is a face with the key that opens it.
type sealedRow struct {
	Seq     int64  `bun:"seq"`
	Session string `bun:"session_id"`
	Model   string `bun:"model"`
	Code    string `bun:"code"` // base64
	Wrapped []byte `bun:"wrapped"`
}

// page is how many faces are read at once.
const page = 1024

// sweepAfter is after how many pages the memory that they were opened in is collected: opening a face leaves some nine kilobytes behind, and
// beside hundreds of megabytes of codes the collector would wait until as much again has gathered. Codes hold no pointers, so that it is
// done in milliseconds however many there are.
const sweepAfter = 4

// refresh reads what changed since a gallery was last read: removals first, so that a face that comes and goes meanwhile is met again.
func (g *Galleries) refresh(ctx context.Context, o *opened) error {
	if o.closed.Load() {
		return errClosed
	}
	if !o.loaded {
		err := g.db.Read.NewRaw("SELECT COALESCE(MAX(seq), 0) FROM gallery_removals").Scan(ctx, &o.removals)
		if err != nil {
			return fmt.Errorf("read which faces went: %w", err)
		}
	} else if err := g.drop(ctx, o); err != nil {
		return err
	}
	if err := g.read(ctx, o); err != nil {
		o.codes.Clear() // what is missing would be missed by every search: the next one begins anew
		o.entries, o.stale, o.loaded = 0, map[gallery.Entry]bool{}, false
		o.read.Store(&reading{failed: true})
		return err
	}
	o.loaded = true
	o.read.Store(&reading{stale: len(o.stale)})
	return nil
}

// drop overwrites the faces that were removed.
func (g *Galleries) drop(ctx context.Context, o *opened) error {
	gone, err := g.removed(ctx, o)
	o.codes.EraseAll(gone)
	return err
}

// removed reads which faces were removed since it was asked last. The caller overwrites them.
func (g *Galleries) removed(ctx context.Context, o *opened) (gone []gallery.Entry, err error) {
	var rows []struct {
		Seq     int64  `bun:"seq"`
		Gallery string `bun:"gallery"`
		Entry   int64  `bun:"entry"`
	}
	err = g.db.Read.NewSelect().TableExpr("gallery_removals").ColumnExpr("seq, gallery, entry").Where("seq > ?", o.removals).OrderExpr("seq").
		Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read which faces went: %w", err)
	}
	for _, row := range rows {
		if row.Gallery == o.name {
			gone = append(gone, gallery.Entry(row.Entry))
			delete(o.stale, gallery.Entry(row.Entry))
		}
	}
	if len(rows) > 0 {
		o.removals = rows[len(rows)-1].Seq
	}
	return gone, nil
}

// read reads the faces that were added. Pages are opened side by side while the next is read.
func (g *Galleries) read(ctx context.Context, o *opened) error {
	var own *vault.Keyset
	var failed error
	var once sync.Once
	fail := func(err error) { once.Do(func() { failed = err }) }
	pages := make(chan []sealedRow, 2)
	var openers sync.WaitGroup
	start := func() {
		for range runtime.GOMAXPROCS(0) {
			openers.Go(func() {
				for rows := range pages {
					if err := g.put(o, own, rows); err != nil {
						fail(err)
					}
				}
			})
		}
	}
	for n := 1; ; n++ {
		if n%sweepAfter == 0 {
			runtime.GC()
		}
		rows, err := g.page(ctx, o)
		if err == nil && o.closed.Load() {
			err = errClosed
		}
		if err != nil {
			fail(err)
			break
		}
		if len(rows) == 0 {
			break
		}
		if own == nil {
			if own, err = sessions.GalleryKeyset(ctx, g.db.Reader(), o.name); err != nil {
				fail(err)
				break
			}
			if o.turn, err = sessions.GalleryRotation(own); err != nil {
				fail(err)
				break
			}
			start()
		}
		kept := rows[:0]
		for _, row := range rows {
			o.entries = row.Seq
			switch {
			case row.Model != o.model:
				o.stale[gallery.Entry(row.Seq)] = true
			case len(row.Wrapped) > 0: // else erased a moment ago, and its removal is met next
				kept = append(kept, row)
			}
		}
		pages <- kept
	}
	close(pages)
	openers.Wait()
	return failed
}

func (g *Galleries) page(ctx context.Context, o *opened) ([]sealedRow, error) {
	var rows []sealedRow
	err := g.db.Read.NewSelect().TableExpr("gallery_entries AS e").Join("JOIN keysets AS k ON k.owner = e.session_id AND k.purpose = ?", string(vault.Pictures)).
		ColumnExpr("e.seq, e.session_id, e.model, e.code, k.wrapped").Where("e.gallery = ? AND e.seq > ?", o.name, o.entries).OrderExpr("e.seq").
		Limit(page).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read faces of a gallery: %w", err)
	}
	return rows, nil
}

// put opens faces and takes them into the gallery. What was open of them is overwritten.
func (g *Galleries) put(o *opened, own *vault.Keyset, rows []sealedRow) error {
	for _, row := range rows {
		pictures, err := g.db.Master.OpenColumns(row.Session, vault.Pictures, row.Wrapped)
		if err != nil {
			return err
		}
		code, err := sessions.OpenFace(own, pictures, row.Session, row.Code)
		if err != nil {
			return err
		}
		o.codes.Put(gallery.Entry(row.Seq), &code)
		clear(code[:])
	}
	return nil
}

// sessionsOf says whose the faces are that were found, but for those that are gone by now.
func (g *Galleries) sessionsOf(ctx context.Context, found []gallery.Hit) ([]session.FaceHit, error) {
	if len(found) == 0 {
		return nil, nil
	}
	seqs := make([]int64, 0, len(found))
	for _, h := range found {
		seqs = append(seqs, int64(h.Entry))
	}
	var rows []sealedRow
	err := g.db.Read.NewSelect().TableExpr("gallery_entries AS e").Join("JOIN sessions AS s ON s.id = e.session_id").ColumnExpr("e.seq, e.session_id").
		Where("e.seq IN (?) AND e.kept_until > ? AND s.erased_at IS NULL", bun.List(seqs), g.db.Now()).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("look whose faces are alike: %w", err)
	}
	of := map[gallery.Entry]string{}
	for _, row := range rows {
		of[gallery.Entry(row.Seq)] = row.Session
	}
	var out []session.FaceHit
	for _, h := range found {
		if id, ok := of[h.Entry]; ok {
			out = append(out, session.FaceHit{Session: idv.SessionID(id), Alike: h.Similarity})
		}
	}
	return out, nil
}
