// Package sessions keeps sessions and what belongs to them: evidence, checks, reports and decisions, cases, holds, how long
// things are kept, and what applicants are in the middle of.
//
// It reads and writes rows for packages session and below; which of them change together, their Lifecycle decides. Each
// subject has a type that reads, in a transaction or outside of one, and one that writes in a transaction.
package sessions

import "github.com/bonafide-id/bonafide/internal/store/database"

// RecordReader reads the records of sessions.
type RecordReader struct {
	*database.Reader
	blind blindIndex
}

// NewRecordReader returns a RecordReader over r.
func NewRecordReader(r *database.Reader) RecordReader {
	return RecordReader{Reader: r, blind: blindIndex{r: r}}
}

// RecordWriter writes the records of sessions.
type RecordWriter struct {
	*database.Tx
	read  RecordReader
	blind blindIndex
}

// NewRecordWriter returns a RecordWriter in t.
func NewRecordWriter(t *database.Tx) RecordWriter {
	return RecordWriter{Tx: t, read: NewRecordReader(&t.Reader), blind: blindIndex{r: &t.Reader, t: t}}
}

// ApplicantReader reads what applicants are in the middle of: attempts, consents, challenges, hand-offs and uploads.
type ApplicantReader struct{ *database.Reader }

// ApplicantWriter writes what applicants are in the middle of.
type ApplicantWriter struct{ *database.Tx }

// EvidenceReader reads captures, what was found in them, and what was made of it.
type EvidenceReader struct{ *database.Reader }

// EvidenceWriter writes captures, what was found in them, and what was made of it.
type EvidenceWriter struct {
	*database.Tx
	blind blindIndex
}

// NewEvidenceWriter returns an EvidenceWriter in t.
func NewEvidenceWriter(t *database.Tx) EvidenceWriter {
	return EvidenceWriter{Tx: t, blind: blindIndex{r: &t.Reader, t: t}}
}

// CaseReader reads cases, their reviews, and the saved views of lists.
type CaseReader struct{ *database.Reader }

// CaseWriter writes cases, their reviews, and the saved views of lists.
type CaseWriter struct{ *database.Tx }

// RetentionReader reads holds and what is due to be erased.
type RetentionReader struct{ *database.Reader }

// RetentionWriter writes holds and the settings of retention.
type RetentionWriter struct{ *database.Tx }
