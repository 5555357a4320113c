package console

import (
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"

	"github.com/bonafide-id/bonafide/internal/session"
)

// sheet writes CSV (RFC 4180) that a spreadsheet can open without running any of it.
type spreadsheet struct {
	csv *csv.Writer
}

func newSpreadsheet(w io.Writer) *spreadsheet {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	return &spreadsheet{csv: out}
}

func (s *spreadsheet) row(cells ...string) error {
	safe := make([]string, len(cells))
	for i, c := range cells {
		safe[i] = inert(c)
	}
	if err := s.csv.Write(safe); err != nil {
		return fmt.Errorf("write a sheet: %w", err)
	}
	return nil
}

func (s *spreadsheet) flush() error {
	s.csv.Flush()
	if err := s.csv.Error(); err != nil {
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

// sheetColumns are the names of what sheetRow answers.
var sheetColumns = []string{
	"id", "mode", "external_reference", "state", "outcome", "problem", "workflow", "workflow_number", "document_kind", "country",
	"created_at", "opened_at", "submitted_at", "decided_at", "erased_at",
}

// sheetRow returns a session as a row, with its reference only if named is set.
func sheetRow(v session.View, named bool) []string {
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
