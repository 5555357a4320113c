// Package sheet writes tables that leave the server: as CSV (RFC 4180) that a spreadsheet can open without running any of it, or as JSON
// lines, one object a line.
package sheet

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Format is how a table is written.
type Format string

// The formats.
const (
	CSV       Format = "csv"
	JSONLines Format = "jsonl"
)

// MaxRows bounds a table.
const MaxRows = 10_000

// Media returns the media type of a format.
func (f Format) Media() string {
	if f == JSONLines {
		return "application/jsonl"
	}
	return "text/csv; charset=utf-8"
}

// Table writes rows.
type Table struct {
	csv  *csv.Writer
	json *json.Encoder // nil for CSV
}

// New returns a Table. CSV begins with a row of the columns.
func New(w io.Writer, f Format, columns []string) (*Table, error) {
	if f == JSONLines {
		return &Table{json: json.NewEncoder(w)}, nil
	}
	t := &Table{csv: csv.NewWriter(w)}
	t.csv.UseCRLF = true
	return t, t.Add(columns, nil)
}

// Add writes a row: its cells to CSV, the whole to JSON lines.
func (t *Table) Add(cells []string, whole any) error {
	if t.json != nil {
		if err := t.json.Encode(whole); err != nil {
			return fmt.Errorf("write a line: %w", err)
		}
		return nil
	}
	safe := make([]string, len(cells))
	for i, c := range cells {
		safe[i] = inert(c)
	}
	if err := t.csv.Write(safe); err != nil {
		return fmt.Errorf("write a sheet: %w", err)
	}
	return nil
}

// Flush writes what is held back.
func (t *Table) Flush() error {
	if t.csv == nil {
		return nil
	}
	t.csv.Flush()
	if err := t.csv.Error(); err != nil {
		return fmt.Errorf("write a sheet: %w", err)
	}
	return nil
}

// formula matches what a spreadsheet would run, and cells that it would take apart: signs, their wide forms, blanks and
// invisible characters before them, and a tab or a line's end in front. The console has the same expression
// (figures.ts); testdata/formulas.json holds both to it.
var formula = regexp.MustCompile(`^(?:[\t\r\n]|[\p{Z}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])`)

// inert puts an apostrophe before a formula: a spreadsheet shows the rest as text.
func inert(cell string) string {
	if formula.MatchString(cell) {
		return "'" + cell
	}
	return cell
}

// Pages are a list of sessions that is read page by page.
type Pages struct {
	First []session.View
	Next  string // cursor of the page after it; empty for none
	List  func(ctx context.Context, after string) ([]session.View, string, error)
}

// Each calls f for every session, MaxRows at most.
func (p Pages) Each(ctx context.Context, f func(session.View) error) error {
	page, next := p.First, p.Next
	for rows := 0; ; {
		for _, v := range page {
			if err := f(v); err != nil {
				return err
			}
		}
		if rows += len(page); next == "" || rows >= MaxRows {
			return nil
		}
		var err error
		if page, next, err = p.List(ctx, next); err != nil {
			return err
		}
	}
}

// EntryColumns returns the names of the cells of EntryCells.
func EntryColumns() []string {
	return []string{"id", "position", "at", "actor", "actor_id", "address", "action", "session", "subject"}
}

// EntryCells returns an audit entry as a row. Its position is empty for the moment until it has one.
func EntryCells(e audit.Entry) []string {
	position := ""
	if e.Position >= 0 {
		position = strconv.FormatInt(e.Position, 10)
	}
	return []string{
		string(e.ID), position, stamp(e.At), string(e.Actor), e.ActorID, e.Address, e.Action, string(e.Session), e.Subject,
	}
}

// SessionColumns returns the names of the cells of SessionCells.
func SessionColumns() []string {
	return []string{
		"id", "mode", "external_reference", "state", "outcome", "problem", "workflow", "workflow_number", "document_kind", "country",
		"created_at", "opened_at", "submitted_at", "decided_at", "erased_at",
	}
}

// SessionCells returns a session as a row, with its reference only if named is set.
func SessionCells(v session.View, named bool) []string {
	x := v.Session
	reference, found := "", ""
	if named {
		reference = x.ExternalReference
	}
	if x.LastProblem != nil {
		found = x.LastProblem.Code
	}
	return []string{
		string(x.ID), string(x.Mode), reference, string(x.State), string(x.Outcome), found, v.Workflow.Name, strconv.Itoa(v.Workflow.Number),
		string(x.DocumentKind), x.Country, stamp(x.CreatedAt), stamp(x.OpenedAt), stamp(x.SubmittedAt), stamp(x.DecidedAt), stamp(x.ErasedAt),
	}
}

// stamp is a time as RFC 3339, or nothing.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
