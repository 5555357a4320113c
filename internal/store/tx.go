package store

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/erasing"
	"github.com/bonafide-id/bonafide/internal/store/events"
	"github.com/bonafide-id/bonafide/internal/store/mails"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/store/webhooks"
	"github.com/bonafide-id/bonafide/internal/store/workflows"
)

// reader reads what sessions are about, in a transaction or outside of one.
type reader struct {
	*database.Reader
	sessions.RecordReader
	sessions.ApplicantReader
	sessions.EvidenceReader
	sessions.CaseReader
	sessions.HitReader
	sessions.SeenReader
	sessions.LinkReader
	sessions.RetentionReader
	workflows.WorkflowReader
	events.EventReader
	queue.JobReader
	erasing.ErasureReader
}

func newReader(r *database.Reader, e *erasing.Eraser) reader {
	return reader{
		Reader: r, RecordReader: sessions.NewRecordReader(r), ApplicantReader: sessions.ApplicantReader{Reader: r},
		EvidenceReader: sessions.EvidenceReader{Reader: r}, CaseReader: sessions.CaseReader{Reader: r},
		HitReader:       sessions.HitReader{Reader: r},
		SeenReader:      sessions.SeenReader{Reader: r},
		LinkReader:      sessions.LinkReader{Reader: r},
		RetentionReader: sessions.RetentionReader{Reader: r}, WorkflowReader: workflows.WorkflowReader{Reader: r},
		EventReader: events.EventReader{Reader: r}, JobReader: queue.JobReader{Reader: r}, ErasureReader: e.Reader(r),
	}
}

// tx is a running transaction.
type tx struct {
	*database.Tx
	reader
	sessions.RecordWriter
	sessions.ApplicantWriter
	sessions.EvidenceWriter
	sessions.CaseWriter
	sessions.HitWriter
	sessions.SeenWriter
	sessions.LinkWriter
	sessions.GalleryWriter
	sessions.RetentionWriter
	erasing.Striker
	webhooks.EventWriter
	mails.Writer
}

func (s *Store) in(t *database.Tx) *tx {
	return &tx{
		Tx: t, reader: newReader(&t.Reader, s.Eraser), RecordWriter: sessions.NewRecordWriter(t), ApplicantWriter: sessions.ApplicantWriter{Tx: t},
		EvidenceWriter: sessions.NewEvidenceWriter(t), CaseWriter: sessions.CaseWriter{Tx: t}, HitWriter: sessions.HitWriter{Tx: t},
		SeenWriter:      sessions.SeenWriter{Tx: t},
		LinkWriter:      sessions.LinkWriter{Tx: t},
		GalleryWriter:   sessions.GalleryWriter{Tx: t},
		RetentionWriter: sessions.RetentionWriter{Tx: t},
		Striker:         erasing.Striker{Tx: t}, EventWriter: webhooks.In(t, s.queue), Writer: mails.In(t, s.queue),
	}
}

var (
	_ session.Store = (*Store)(nil)
	_ session.Tx    = (*tx)(nil)
)

// InTx implements session.Store. After the commit, those who watch the sessions are notified.
func (s *Store) InTx(ctx context.Context, f func(ctx context.Context, t session.Tx) error) error {
	var news []idv.SessionID
	err := s.Transact(ctx, func(ctx context.Context, t *database.Tx) error {
		err := f(ctx, s.in(t))
		news = t.News
		return err
	})
	if err != nil {
		return err
	}
	s.Notify(news)
	return nil
}

// Together implements session.Store.
func (s *Store) Together() session.Reader {
	r := newReader(s.reader.Together(), s.Eraser)
	return &r
}
